#!/usr/bin/env python3
"""Runs the verifier against all vectors in tests/vectors and prints `N passed, N failed`."""

import copy
import functools
import itertools
import json
import pathlib
import re
import sys
import tempfile

import crypto
import documents
import random_games
import tresurion
import verify
from board import Board, attacker_wins
from documents import Order, Refused, Time, digest

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
# protocol.json, shield-bashers.json and tresurion.json


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


def squares(texts, width=26, length=99):
    return {documents.square_on_board(text, width, length) for text in texts}


def check_tresurion():
    vectors = json.loads((VECTORS / "tresurion.json").read_text(encoding="utf-8"))
    check("tresurion.json: the keys", sorted(vectors), ["classes", "range", "reach", "sight", "to_hit"])
    for entry in vectors["classes"]:
        ucn = entry["ucn"]
        numbers = tuple(entry[key] for key in ("shield", "move", "bonus", "range"))
        check(f"class {ucn}", tresurion.CLASSES[ucn], numbers)
        digits = [int(digit) for digit in ucn]
        rest = sum(digits) - max(digits)
        check(f"class {ucn}: the formula (TR-2)", numbers, (sum(digits), 10 - sum(digits), rest, rest))
    ucns = sorted(tresurion.CLASSES)
    for key, name in (("classes", "ucn"), ("to_hit", "target"), ("range", "ucn")):
        check(f"{key}: all classes", sorted(entry[name] for entry in vectors[key]), ucns)
    rules = (VECTORS.parent.parent / "docs" / "rules" / "tresurion.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"(?m)^\| (\d{3}) \| ([A-Za-z ]+?) \|", rules))
    check("class names", {entry["ucn"]: entry["name"] for entry in vectors["classes"]}, named)
    for entry in vectors["to_hit"]:
        hits = [value for value in range(1, 21) if tresurion.hits(value, entry["target"])]
        check(f"to hit {entry['target']}", hits, entry["hits"])
    for entry in vectors["range"]:
        reached = tresurion.largest_distance(entry["ucn"], "between")
        check(f"range of {entry['ucn']}", reached, entry["largest_distance"])
        check(f"range of {entry['ucn']}, as distance", tresurion.largest_distance(entry["ucn"], "distance"),
              max(1, reached - 1))  # fmt: skip
    for number, entry in enumerate(vectors["sight"]):
        [one], [other] = squares([entry["from"]]), squares([entry["to"]])
        for start, end in ((one, other), (other, one)):
            blocked = [text for text in entry["occupied"] if tresurion.blocks(start, end, *squares([text]))]
            check(f"sight {number}", sorted(blocked), sorted(entry["blocked_by"]))
        check(f"sight {number}: clear", not blocked, entry["clear"])
    for number, entry in enumerate(vectors["reach"]):
        check_reach(f"reach {number}", entry, {}, entry["ends"])
    # The examples of the rules, A.5 and A.10.
    ends = {"e5": 0, "e4": 1, "f4": 1, "f6": 1} | dict.fromkeys(
        "c4 c5 c6 d3 e3 f3 g3 g4 g5 g6 g7 e7 f7".split(), 2)  # fmt: skip
    example = {"from": "e5", "move": 2, "friends": ["d5"], "enemies": ["d4", "d6", "e6", "f5"], "width": 15, "length": 25}
    check_reach("A.5", example, {}, ends)
    around = "a2 a3 a4 b2 b4 c2 c3".split()
    worm = dict(example, move=1, friends=[], enemies=[]) | {"from": "b3"}
    for what, changes, far in (
        ("both free", {}, {"c4": 1, "k20": 1}),
        ("an own ship at the other end", {"friends": ["k20"]}, {"c4": 1}),
        ("an enemy at the other end", {"enemies": ["k20"]}, {"c4": 1}),
        ("an enemy at this end", {"enemies": ["c4"]}, {}),
    ):
        check_reach(f"A.10, {what}", worm | changes, {"c4": "k20"}, {"b3": 0} | dict.fromkeys(around, 1) | far)
    far = reached_from(worm | {"move": 2, "friends": ["k20"]}, {"c4": "k20"})
    check("A.10, over an own ship", (far.get("l21"), far.get("k20"), far.get("k22")), (2, None, None))
    far = reached_from(worm | {"from": "c4"}, {"c4": "k20"})
    check("A.10, from a wormhole", (far["k20"], far["l21"], far["d5"]), (0, 1, 1))
    far = reached_from(worm | {"move": 1}, {"c4": "k20", "k21": "a25", "b24": "o3"})
    check("A.10, one step only", (far["k20"], far.get("k21"), far.get("a25")), (1, None, None))
    far = reached_from(worm | {"move": 2}, {"c4": "k20", "k21": "a25"})
    check("A.10, two wormholes", (far["k20"], far["k21"], far["a25"], far.get("b24")), (1, 2, 2, None))


def reached_from(entry, wormholes):
    """{square: cost} where a ship can end."""
    enemies, friends = squares(entry["enemies"]), squares(entry["friends"])
    pairs = [squares(pair) for pair in wormholes.items()]
    ends = {one: other for pair in pairs for one, other in itertools.permutations(pair)}
    [start] = squares([entry["from"]])
    found = tresurion.costs(start, entry["move"], entry["width"], entry["length"], enemies, ends)
    return {tresurion.named(square): cost for square, cost in found.items() if square not in friends}


def check_reach(what, entry, wormholes, ends):
    check(what, reached_from(entry, wormholes), ends)


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
        # The files of Tresurion leave out three of them.
        left_out = {"out", "quiet_turns", "caught"} - expected.keys() if name.startswith("tr-") else set()
        check(f"{name}: the keys", sorted(report.keys() - left_out), sorted(expected))
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
    check(f"{name}: position", verified(position + "more = 15\n" + text), report)
    for wrong in ("1.5", "-0", "[{a = -0}]", "-1", "9007199254740992", "nan", "2024-02-29", "2024-02-29 23:59:59Z"):
        check(f"{name}: {wrong} in position", verified(f"{position}more = {wrong}\n{text}"), "invalid")
    good = position + "-0 = 0x10 # -0\nmore = ['-0', \"-0 1.5\", +0, 9007199254740991, true, 2024-02-29T23:59:59Z]\n"
    check(f"{name}: other types in position", verified(good + text), report)
    for length in (len(entries) - 1, len(entries) // 2, 1):
        part = position + head + "".join(entries[:length])
        shorter = verified(head + "".join(entries[:length]))
        kept = shorter["step"] == report["step"]  # only orders of the open step were lost
        check(f"{name}: cut after {length} with position", verified(part), shorter if kept else "invalid")
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


# ---------------------------------------------------------------------------------------------------------
# Merging, by games of our own


class Game(random_games.Maker):
    """A game that can be stopped anywhere, with orders that are signed after any of its heads."""

    def __init__(self, number):
        super().__init__(number)
        self.steps_made = []

    def enter(self, *entries):
        orders = [Order(entry) for entry in entries]
        self.chain.enter(orders)
        self.steps_made.append(orders)
        self.entries += entries

    def play_until(self, found):
        while not found(self.play):
            self.enter(*self.step())

    def usual(self, seat):
        return self.order(seat, *self.action(seat))

    def forfeit(self, seat):
        return self.order("arbiter", "forfeit", {"seat": seat, "reason": "Too late."})

    def rule(self, result="void"):
        return self.order("arbiter", "ruling", {"result": result, "reason": "Enough."})

    def again(self):
        """A copy, to go on from here in another way."""
        other = copy.copy(self)
        other.chain = copy.deepcopy(self.chain)
        other.play = other.chain.play
        other.entries = list(self.entries)
        other.steps_made = list(self.steps_made)
        return other


def merged(game, *entries):
    """The new entries' verdicts, the heads and the report, the same in whatever order the entries come."""
    orders = [Order(entry) for entry in entries]
    outcomes = []
    arrivals = list(itertools.permutations(orders))
    for new in arrivals[:: max(1, len(arrivals) // 24)]:  # all of them, or some 24
        merge = verify.Merge(game.header, game.steps_made, new)
        check("merged: the chain is valid", merge.chain.heads, verify.replay(game.header, merge.chosen).heads)
        outcomes.append(([merge.verdict(order) for order in orders], merge.chain.heads, merge.chain.report()))
    check("merged: the order of arrival", all(outcome == outcomes[0] for outcome in outcomes))
    return outcomes[0]


def head_after(game, *entries):
    """The heads of the game with one more step."""
    other = game.again()
    other.enter(*entries)
    return other.chain.heads


def adding(what, game, entries, verdicts, heads):
    got = merged(game, *entries)
    check(f"{what}: verdicts", got[0], verdicts)
    check(f"{what}: heads", got[1], heads)
    return got[2]


def quiet_game():
    """A game of four seats with an arbiter in which two seats may claim the draw from outside."""
    game = Game(2304)
    game.play_until(lambda play: play.phase == "move" and play.two_ships_quiet(12))
    return game


def check_claims():
    game = quiet_game()
    play = game.play
    early, late = [seat for seat in play.seats if seat in play.out]
    mover = play.awaits[0]
    heads = game.chain.heads
    claim, claim2 = game.order(early, "claim-draw", {}), game.order(late, "claim-draw", {})
    own, resign = game.usual(mover), game.order(mover, "resign", {})
    while "move" not in own or play.ship_on(own["move"]["to"]):  # a move without attack: another seat is next
        own = game.usual(mover)
    forfeit, ruling = game.forfeit(mover), game.rule("draw")
    check("claims: two outsiders", early != late and play.two_ships_quiet(12))
    adding("two claims", game, [claim2, claim], ["refused", "taken"], head_after(game, claim))
    adding("a claim and a move", game, [claim, own], ["refused", "taken"], head_after(game, own))
    adding("a claim, a move, a forfeit", game, [claim, own, forfeit], ["refused", "refused", "taken"],
           head_after(game, forfeit))  # fmt: skip
    adding("a forfeit and a ruling", game, [forfeit, ruling], ["refused", "taken"], head_after(game, ruling))
    adding("two decisions", game, [own, resign], ["refused", "refused"], heads)
    with_claim = game.again()
    with_claim.enter(claim2)
    adding("a claim displaces another", with_claim, [claim], ["taken"], head_after(game, claim))
    adding("an order displaces a claim", with_claim, [own], ["taken"], head_after(game, own))
    adding("a forfeit displaces a claim", with_claim, [forfeit], ["taken"], head_after(game, forfeit))
    later_claim = game.again()
    later_claim.enter(claim)
    adding("a later claim", later_claim, [claim2], ["refused"], later_claim.chain.heads)
    # What stands after the head of the claim settles it.
    accept = with_claim.order(mover, "accept-draw", {})
    for what, answer in {
        "an acceptance": accept,
        "a resignation": with_claim.order(mover, "resign", {}),
        "a forfeit": with_claim.forfeit(mover),
        "a ruling": with_claim.rule("draw"),
    }.items():
        answered = with_claim.again()
        answered.enter(answer)
        for entry in (claim, own, resign):
            adding(f"a claim settled by {what}", answered, [entry], ["refused"], answered.chain.heads)
        arbiter_wrote = answer["seat"] == "arbiter"
        for entry in (forfeit, ruling):
            wanted = answered.chain.heads if arbiter_wrote else head_after(game, entry)
            verdict = "refused" if arbiter_wrote else "taken"
            adding(f"{entry['seat']} after {what}", answered, [entry], [verdict], wanted)
        adding(f"settled by {what}, in one pool", game, [claim2, answer, own, claim],
               ["taken", "taken", "refused", "refused"], answered.chain.heads)  # fmt: skip
        if arbiter_wrote:
            moved = game.again()
            moved.enter(own)
            adding(f"{what} reaches one that moved", moved, [claim2, answer], ["taken"] * 2, answered.chain.heads)
    moved = game.again()
    moved.enter(own)
    adding("a claim after a move", moved, [claim], ["refused"], moved.chain.heads)
    adding("an answer after a move", moved, [claim2, accept], ["refused", "waiting"], moved.chain.heads)
    adding("an answer alone", game, [accept], ["waiting"], heads)
    adding("a known order", moved, [own], ["known"], moved.chain.heads)
    # Variants
    variants = []
    for second in range(3):
        body = {key: value for key, value in own.items() if key != "signature"}
        variants.append(game.signed(dict(body, time=Time(f"2027-01-31T12:00:0{second + 1}Z"))))
    variants.sort(key=lambda entry: Order(entry).digest)
    adding("variants", game, variants[::-1], ["known", "known", "taken"], head_after(game, variants[0]))
    moved = game.again()
    moved.enter(variants[2])
    adding("a smaller variant", moved, variants[:1], ["taken"], head_after(game, variants[0]))
    answer = moved.usual(moved.play.awaits[0])
    adding("a variant that was built on", game, [answer] + variants[::-1], ["taken", "taken", "known", "known"],
           head_after(moved, answer))  # fmt: skip
    for built_on in ((0, 1), (1, 2), (0, 1, 2)):  # several that were built on
        answers = []
        for place in built_on:
            branch = game.again()
            branch.enter(variants[place])
            answers.append(branch.usual(branch.play.awaits[0]))
        least = game.again()
        least.enter(variants[built_on[0]])
        adding("variants that were built on", game, variants[::-1] + answers,
               ["taken" if place == built_on[0] else "known" for place in (2, 1, 0)]
               + ["taken"] + ["waiting"] * (len(answers) - 1), head_after(least, answers[0]))  # fmt: skip
    check("one order in a file", invalid_text(game, claim, own), True)
    check("one order in a file: two claims", invalid_text(game, claim, claim2), True)
    check("one order in a file: a forfeit", invalid_text(game, forfeit, own), True)


def invalid_text(game, *entries):
    other = game.again()
    other.entries += entries
    return verified(other.text()) == "invalid"


def check_forfeits():
    game = quiet_game()
    start = Game(2304)
    seats = start.play.seats
    seals = {seat: start.usual(seat) for seat in seats}
    forfeit = start.forfeit(seats[1])
    others = [seal for seat, seal in seals.items() if seat != seats[1]]
    closed = start.again()
    closed.enter(*seals.values())
    adding("a forfeit at an older head", closed, [forfeit], ["taken"], head_after(start, forfeit, *others))
    opened = start.again()
    opened.enter(seals[seats[1]])
    adding("a forfeit of an order that is in", opened, [forfeit], ["taken"], start.chain.heads)
    opened = start.again()
    opened.enter(forfeit)
    adding("an order after its forfeit", opened, [seals[seats[1]]], ["refused"], start.chain.heads)
    everything = list(seals.values())[:3] + [forfeit]
    check("a forfeit and an order in a file", invalid_text(start, seals[seats[1]], forfeit), True)
    adding("a forfeit first", start, everything, ["taken", "refused", "taken", "taken"], start.chain.heads)
    # The audit
    quiet = game.play.quiet_turns
    game.enter(game.rule("draw"))
    check("a ruling leaves the quiet count", game.play.quiet_turns, quiet)
    awaited = list(game.play.awaits)
    sharers = game.play.still_in()
    check("audit: the seats", len(sharers) == 2 and set(sharers) <= set(awaited))
    first, second = sharers
    audits = {seat: game.usual(seat) for seat in awaited}
    forfeits = {seat: game.forfeit(seat) for seat in awaited}
    heads = game.chain.heads
    with_audit = game.again()
    with_audit.enter(audits[first])
    adding("a forfeit of an audit that is in", with_audit, [forfeits[first]], ["refused"], heads)
    adding("a forfeit of another", with_audit, [forfeits[second]], ["taken"], heads)
    adding("an audit and its forfeit", game, [audits[first], forfeits[first]], ["taken", "refused"], heads)
    with_forfeit = game.again()
    with_forfeit.enter(forfeits[first])
    report = adding("an audit after its forfeit", with_forfeit, [audits[first]], ["refused"], heads)
    check("an audit after its forfeit: the sharer left", report["result"],
          {"kind": "win", "seat": second, "provisional": True})  # fmt: skip
    check("an audit and its forfeit in a file", invalid_text(game, audits[first], forfeits[first]), True)
    final = game.again()
    final.enter(audits[first], audits[second])
    check("audit: final", "provisional" not in final.play.result())
    check("audit: the quiet count", final.play.quiet_turns, quiet)
    rest = [seat for seat in awaited if seat not in sharers]
    ruling = game.rule()
    adding("a ruling after a final result", final, [ruling], ["refused"], final.chain.heads)
    check("audit: a seat that is out", len(rest) > 0)
    for seat in rest:
        so_far = head_after(game, audits[first], audits[second], forfeits[seat])
        report = adding("a forfeit after a final result", final, [forfeits[seat]], ["taken"], so_far)
        check("a forfeit after a final result: the result", report["result"], final.play.result())
        check("a forfeit after a final result: awaited", report["awaits"], [s for s in rest if s != seat])
        check("the same in one file", invalid_text(game, audits[first], audits[second], forfeits[rest[0]]), False)
    both = [forfeits[seat] for seat in rest]
    closing = [audits[first], audits[second]] + both
    report = adding("forfeits that end the game", final, both, ["taken"] * len(rest), head_after(game, *closing))
    check("forfeits that end the game: over", (report["phase"], report["result"]), ("over", final.play.result()))
    adding("a forfeit and an audit after a final result", final, [forfeits[rest[0]], audits[rest[0]]],
           ["refused", "taken"], head_after(game, audits[first], audits[second], audits[rest[0]]))  # fmt: skip
    adding("a ruling with the forfeits that end the game", final, both + [ruling], ["taken"] * len(rest) + ["refused"],
           head_after(game, *closing))  # fmt: skip
    over = game.again()
    over.enter(*closing)
    for entry in (forfeits[first], forfeits[second], ruling, audits[rest[0]]):
        adding("something new when all is over", over, [entry], ["refused"], over.chain.heads)
    # Nothing of the arbiter at an older head. The latest entry of the arbiter is at the head before the audit,
    # so a game that was agreed to be drawn, without any entry of the arbiter, is needed too.
    step = next(step for step in reversed(game.steps_made) if step[0].seat != "arbiter")
    for where, after, number in (
        ("the head before", game.chain.heads[-2], game.chain.step - 1),
        ("an old head", step[0].after, step[0].step),
    ):
        for entry in (ruling, game.forfeit(step[0].seat)):
            body = {key: value for key, value in entry.items() if key != "signature"}
            late = game.signed(body | {"after": after, "step": number})
            adding(f"late, after {where}", final, [late], ["refused"], heads)
    drawn = quiet_game()
    mover = drawn.play.awaits[0]
    kept = drawn.again()
    late = [drawn.forfeit(mover), drawn.rule("void"), drawn.rule("draw")]
    kept.enter(drawn.order(mover, "claim-draw", {}))
    for entry in late:
        adding("an entry at an older head, not yet final", kept, [entry], ["taken"], head_after(drawn, entry))
    kept.enter(*[kept.usual(seat) for seat in kept.play.still_in()])
    check("no entry of the arbiter, final", "provisional" not in kept.play.result())
    check("no entry of the arbiter", [o for s in kept.steps_made for o in s if o.seat == "arbiter"], [])
    for entry in late:
        adding("an entry at an older head, final", kept, [entry], ["refused"], kept.chain.heads)
    adding("a ruling with an audit", with_audit, [ruling], ["taken"], head_after(game, audits[first], ruling))
    adding("a ruling and all audits", game, [ruling, audits[first], audits[second]], ["refused", "taken", "taken"],
           final.chain.heads)  # fmt: skip
    for entries in itertools.permutations((audits[first], ruling)):
        check("a ruling in any place", invalid_text(game, *entries), False)
    for entries in itertools.permutations((audits[first], audits[second], ruling)):
        check("a ruling that the audits forestall", invalid_text(game, *entries), True)


def check_cuts():
    game = quiet_game()
    entries = game.entries
    for length in (0, 1, 5, 6, len(entries) - 1, len(entries)):
        game.entries = entries[:length]
        part = verified(game.text())
        check(f"cut after {length}", type(part) is dict and part["heads"] == game.chain.heads[: part["step"] + 1])
        position = f'[position]\nid = "{game.chain.game}"\nhead = "{game.chain.heads[-1]}"\nstep = {game.chain.step}\n'
        wanted = part if part["step"] == game.chain.step else "invalid"
        check(f"cut after {length} with position", verified(position + game.text()), wanted)


def main():
    verify.signature_is_good = functools.cache(crypto.signature_is_good)  # most of them come many times
    check_protocol()
    check_rules()
    check_tresurion()
    check_single_orders()
    check_spelling()
    check_strict_signatures()
    check_games()
    check_claims()
    check_forfeits()
    check_cuts()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
