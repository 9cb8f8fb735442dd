#!/usr/bin/env python3
"""Runs the verifier against all vectors in tests/vectors and prints `N passed, N failed`."""

import functools
import itertools
import json
import pathlib
import re
import sys
import tempfile

import crypto
import documents
import verify
from board import Board, attacker_wins
from documents import Refused, Time, digest

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"

passed = failed = 0


def check(what, got, expected=True):
    global passed, failed
    if got == expected:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {what}: {got!r} instead of {expected!r}"[:500])


def refuses(work, *arguments):
    _, why = verify.guarded(work, *arguments)
    return why is not None and not why.startswith("verifier failed")


# ---------------------------------------------------------------------------------------------------------
# protocol.json and shield-bashers.json


def check_protocol():
    vectors = json.loads((VECTORS / "protocol.json").read_text(encoding="utf-8"))
    game = vectors["game"]
    documents.check_header(retyped(vectors["header"]))
    check("game id", digest("game", vectors["header"]), game)
    for seat, pair in vectors["keys"].items():
        key = bytes.fromhex(pair["public"])
        check(f"key of {seat}", crypto.public_key(bytes.fromhex(pair["seed"])), key)
        check(f"key of {seat} is good", crypto.why_bad_key(key), None)
    for entry in vectors["secrets"]:
        seed = bytes.fromhex(vectors["keys"][entry["seat"]]["seed"])
        secret = crypto.game_secret(seed, entry["game"], entry["seat"], entry["fresh"])
        check(f"secret of {entry['seat']}", secret.hex(), entry["secret"])
        for what, salt in entry["salts"].items():
            check(f"salt {what} of {entry['seat']}", crypto.salt(secret, what), salt)
    for plural in ("shields", "nonces", "fleets"):
        for number, entry in enumerate(vectors[plural]):
            promised = {key: value for key, value in entry.items() if key != "commitment"}
            check(f"{plural} {number}", digest(plural[:-1], promised), entry["commitment"])
    for number, entry in enumerate(vectors["orders"]):
        message = documents.preimage("order", entry["body"])
        check(f"order {number}: canonical text", documents.canonical(entry["body"]), entry["canonical"])
        check(f"order {number}: digest", digest("order", entry["body"]), entry["preimage_sha256"])
        key = bytes.fromhex(entry["public"])
        r, s = bytes.fromhex(entry["signature"]["r"]), bytes.fromhex(entry["signature"]["s"])
        check(f"order {number}: signature", crypto.signature_is_good(key, message, r, s))
        check(f"order {number}: other message", crypto.signature_is_good(key, message + b" ", r, s), False)
        seed = bytes.fromhex(vectors["keys"][entry["seat"]]["seed"])
        check(f"order {number}: signing", crypto.sign(seed, message), r + s)
    for number, entry in enumerate(vectors["steps"]):
        step = {"after": entry["after"], "orders": entry["orders"]}
        check(f"step {number}", digest("step", step), entry["head"])
    for number, entry in enumerate(vectors["rolls"]):
        key = crypto.roll_key(entry["game"], entry["nonces"], entry["label"])
        check(f"roll {number}: key", key.hex(), entry["key"])
        check(f"roll {number}: value", crypto.die(key, entry["sides"]), entry["value"])
    for number, entry in enumerate(vectors["keystream"]):
        words = itertools.islice(crypto.keystream(bytes.fromhex(entry["key"])), len(entry["words"]))
        check(f"keystream {number}", list(words), entry["words"])
    for number, entry in enumerate(vectors["rejection"]):
        check(f"rejection {number}", crypto.die(bytes.fromhex(entry["key"]), entry["sides"]), entry["value"])


def retyped(header):
    return dict(header, created=Time(header["created"]))


def check_rules():
    vectors = json.loads((VECTORS / "shield-bashers.json").read_text(encoding="utf-8"))
    for entry in vectors["combat"]:
        colours = [f"{side}_{layer}" for side in ("attacker", "defender") for layer in ("primary", "secondary")]
        won = attacker_wins(*(entry[colour] for colour in colours))
        check(f"combat {entry}", "attacker" if won else "defender", entry["winner"])
    check("81 combats", len({json.dumps(entry, sort_keys=True) for entry in vectors["combat"]}), 81)
    for name, squares in vectors["boards"].items():
        board = Board(name)
        check(f"{name}: squares", sorted(board.straight), sorted(squares))
        for square, neighbours in squares.items():
            check(f"{name} {square} straight", sorted(board.straight[square]), sorted(neighbours["straight"]))
            check(f"{name} {square} diagonal", sorted(board.diagonal[square]), sorted(neighbours["diagonal"]))
    for name, straight, diagonal in (("wedges3", 84, 72), ("wedges5", 140, 125), ("wedges6", 168, 153)):
        board = Board(name)
        check(f"{name}: straight pairs", sum(map(len, board.straight.values())), 2 * straight)
        check(f"{name}: diagonal pairs", sum(map(len, board.diagonal.values())), 2 * diagonal)


# ---------------------------------------------------------------------------------------------------------
# Whole games and single orders


def verified(text):
    """The report on a game given as text, or the reason why it is invalid."""
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(text.encode("utf-8"))
        file.flush()
        result, why = verify.guarded(verify.verify, file.name)
    if why is None:
        return result[0]
    return "verifier failed" if why.startswith("verifier failed") else "invalid"


def check_games():
    for path in sorted((VECTORS / "games").glob("*.game.toml")):
        name = path.name.removesuffix(".game.toml")
        text = path.read_text(encoding="utf-8")
        expected = json.loads(path.with_name(name + ".expected.json").read_text(encoding="utf-8"))
        report = verified(text)
        if type(report) is str:
            check(f"{name}: valid", report, "valid")
            continue
        for key, value in expected.items():
            check(f"{name}: {key}", report.get(key), value)
        check(f"{name}: the keys", sorted(report), sorted(expected))
        check_changed(name, text, report)


def check_changed(name, text, report):
    """What the document says of a file that was cut, shuffled or changed."""
    head, *entries = re.split(r"(?=^\[\[order\]\]$)", text, flags=re.MULTILINE)
    for length in (0, 1, len(entries) // 2, len(entries) - 1):
        part = verified(head + "".join(entries[:length]))
        good = type(part) is dict and part["heads"] == report["heads"][: part["step"] + 1]
        check(f"{name}: cut after {length}", good)
    seats = text.count("[[game.seats]]")
    shuffled = entries[:seats][::-1] + entries[seats:]
    check(f"{name}: step 0 in another order", verified(head + "".join(shuffled)), report)
    for what, changed in {
        "an entry twice": entries[:5] + entries[4:],
        "an entry missing": entries[: seats - 1] + entries[seats:],
        "a changed signature": entries[:-1] + [re.sub('(?m)^s = "(.)', swap_digit, entries[-1])],
        "a changed time": entries[:-1] + [re.sub("(?m)^(time = ....-..-..T..:..:)..", r"\g<1>60", entries[-1])],
        "an unknown table": entries + ["[extra]\n"],
    }.items():
        check(f"{name}: {what}", verified(head + "".join(changed)), "invalid")
    check(f"{name}: another check", verified(re.sub('(?m)^check = ".*"', 'check = "00000000"', text)), report)
    position = f'[position]\nid = "{report["game"]}"\nhead = "{report["heads"][-1]}"\nstep = {report["step"]}\n'
    check(f"{name}: position", verified(position + "more = 1.5\n" + text), report)
    for wrong in (position.replace("step = ", "step = 1"), position.replace("head", "tail"), ""):
        check(f"{name}: wrong position", verified((wrong or "[position]\n") + text), "invalid")


def swap_digit(match):
    return 's = "' + ("1" if match[1] == "0" else "0")


def check_single_orders():
    folder = VECTORS / "refused"
    for line in (folder / "manifest.tsv").read_text(encoding="utf-8").splitlines():
        name, verdict = line.split("\t")
        order, game = folder / f"{name}.order.toml", folder / f"{name}.game.toml"
        _, why = verify.guarded(verify.judge_addition, str(order), str(game))
        got = "accept" if why is None else "verifier failed" if why.startswith("verifier failed") else "refuse"
        check(f"{name} ({why})", got, verdict)


# ---------------------------------------------------------------------------------------------------------
# Strictness, by vectors of our own


def check_spelling():
    def parse(text):
        return documents.parse(text.encode("utf-8") if type(text) is str else text)

    def time(text):
        documents.time(parse(f"t = {text}")["t"], "t")

    time("2024-02-29T23:59:59Z # 2024-02-29T23:59:59z")
    for text in (
        "2024-02-29 23:59:59Z", "2024-02-29t23:59:59Z", "2024-02-29T23:59:59z", "2024-02-29T23:59:59+00:00",
        "2024-02-29T23:59:59.0Z", '"2024-02-29T23:59:59Z"', "2023-02-29T23:59:59Z", "2024-02-29T24:00:00Z",
        "2024-02-29T23:59:60Z", "0000-01-01T00:00:00Z", "2024-02-29T23:59Z", "2024-02-29T23:59:59", "2024-02-29",
    ):  # fmt: skip
        check(f"time {text}", refuses(time, text))
    check("a time in a string", parse("a = '''x 2024-02-29T23:59:59Z'''")["a"], "x 2024-02-29T23:59:59Z")
    for good, value in {
        'a = """x""""" # c': 'x""',
        "a = '''x''' 'y'''''": None,
        "a = 0x10": 16,
        "a = +1_6": 16,
        "a = [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]": ...,  # 16 levels with the root
        "a = [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]": None,
        "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1": ...,  # 16 keys: 15 tables within the root
        "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1": None,
        "a = " + "[" * 100000: None,
        ".".join("a" * 100000) + " = 1": None,
        "a = " + "9" * 100000: None,
        "a = 1\na = 2": None,
        "a = {b = 1,}": None,
        "a = {b = 1,\nc = 2}": None,
        r'a = "\e"': None,
        r'a = "\x41"': None,
        "\ufeffa = 1": None,
        b"a = '\xff'": None,
        "a = '" + "x" * documents.MAX_BYTES + "'": None,
        "2024-02-29T23:59:59Z = 1": None,
        'a = "2024-02-29T23:59:59Z': None,
    }.items():
        result, why = verify.guarded(parse, good)
        if value is None:
            check(f"TOML {good[:60]!r} is refused", refuses(parse, good))
        else:
            check(f"TOML {good[:60]!r}", why is None and (value is ... or result["a"] == value))
    for value in (-1, 2**53, 1.0, True, "1"):
        check(f"integer {value!r}", refuses(documents.integer(documents.MAX_INTEGER), value, "i"))
    for point in (0x1F, 0x7F, 0xA0, 0xAD, 0x2000, 0x206F, 0x2212, 0x3000, 0xFE00, 0xFE0F, 0xFEFF, 0xFF02, 0xFF07,
                  0xE0001, 0x10FFFF):  # fmt: skip
        check(f"press with U+{point:04X}", refuses(documents.press, chr(point), "press"))
    for point in (0x20, 0x7E, 0xA1, 0xAC, 0xAE, 0x1FFF, 0x2070, 0xFF01, 0xFF08, 0xE0000, 0x1F680):
        check(f"press with U+{point:04X}", refuses(documents.press, chr(point), "press"), False)
    check("press of 2,000", refuses(documents.press, "é" * 2000, "press"), False)
    check("press of 2,001", refuses(documents.press, "é" * 2001, "press"))


def check_strict_signatures():
    seed, message = bytes(range(32)), b"message"
    key, signature = crypto.public_key(seed), crypto.sign(bytes(range(32)), b"message")
    r, s = signature[:32], signature[32:]
    check("a signature", crypto.signature_is_good(key, message, r, s))
    larger = (int.from_bytes(s, "little") + crypto.L).to_bytes(32, "little")
    check("S + L", crypto.signature_is_good(key, message, r, larger), False)
    # A point of order 8: L times any point that has a part of that order.
    for y in itertools.count(2):
        point = crypto.decode(y.to_bytes(32, "little"))
        torsion = point and crypto.times(crypto.L, point)
        if torsion and not crypto.is_identity(crypto.times(4, torsion)):
            break
    small = [crypto.times(i, torsion) for i in range(8)]
    check("eight points of small order", len({crypto.encode(point) for point in small}), 8)
    for number, point in enumerate(small):
        check(f"small key {number}", crypto.why_bad_key(crypto.encode(point)), "a point of small order")
        mixed = crypto.add(crypto.decode(key), crypto.prepare(point))
        why = "a point with torsion" if number else None
        check(f"mixed key {number}", crypto.why_bad_key(crypto.encode(mixed)), why)
    # Signatures with [S]B = R + [k]A and a small R, or only with a factor 8.
    scalar = int.from_bytes(crypto.hashlib.sha512(seed).digest()[:32], "little") & (2**254 - 8) | 2**254
    for number, point in enumerate(small):
        r = crypto.encode(point)
        k = int.from_bytes(crypto.hashlib.sha512(r + key + message).digest(), "little") % crypto.L
        s = (k * scalar % crypto.L).to_bytes(32, "little")
        check(f"small R {number}", crypto.signature_is_good(key, message, r, s), False)
        mixed = crypto.encode(crypto.add(crypto.times(5, crypto.BASE), crypto.prepare(point)))
        k = int.from_bytes(crypto.hashlib.sha512(mixed + key + message).digest(), "little") % crypto.L
        s = ((5 + k * scalar) % crypto.L).to_bytes(32, "little")
        check(f"mixed R {number}", crypto.signature_is_good(key, message, mixed, s), number == 0)
    for what, number in {
        "y = p": crypto.P,
        "y = p + 1": crypto.P + 1,
        "y = 2^255 - 1": 2**255 - 1,
        "y = 1 with sign": 2**255 + 1,
        "y = -1 with sign": 2**255 + crypto.P - 1,
        "no point": 2,
    }.items():
        check(what, crypto.why_bad_key(number.to_bytes(32, "little")), "not the canonical encoding of a point")


def main():
    verify.signature_is_good = functools.cache(crypto.signature_is_good)  # most of them come many times
    check_protocol()
    check_rules()
    check_single_orders()
    check_spelling()
    check_strict_signatures()
    check_games()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
