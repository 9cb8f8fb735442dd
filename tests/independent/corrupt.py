#!/usr/bin/env python3
"""Writes corrupted copies of game files, to be read by two verifiers that are then compared.

    corrupt.py [--seed N] [--count 200] [--key FILE]... [--kind KIND]... OUTDIR [GAME.toml...]

COUNT copies in all are spread evenly over the kinds of corruption and over the games. The same arguments give
the same copies. Some kinds do no harm, on purpose. Each copy is named after game, number and kind. A FILE of
keys is a PEM file, or has one seed of 64 hexadecimal digits on a line; with the key of a seat its orders are
also signed anew. PEM files in a folder `keys` beside a game, and a file with the game's name and `.keys`, are
read unasked. Without a GAME, all games in the folders of examples/ that have keys are taken, and the
games of Tresurion among the vectors. A game of Tresurion whose keys are not known gets new ones: as all its
openings stand in the file, it can be sealed and signed anew from beginning to end.
"""

import argparse
import base64
import copy
import json
import pathlib
import random
import re
import sys

import crypto
import tresurion
import verify
from documents import ACTIONS as ACTIONS_OF
from documents import COLOURS, LAYERS, MAX_BYTES, REACHES, SHIPS, Refused, Time, digest, parse, preimage
from random_games import inline

ACTIONS = {action for actions in ACTIONS_OF.values() for action in actions}
TESTS = pathlib.Path(__file__).resolve().parent.parent

KINDS = {}  # name: a function of a Game, a Random and the other games that returns bytes, or None if it cannot


def kind(function):
    KINDS[function.__name__.replace("_", "-")] = function
    return function


class Game:
    """A good game file, as text, as the texts of its entries, and as values."""

    def __init__(self, path, seeds):
        self.name = path.name.removesuffix(".toml").removesuffix(".game")
        self.data = path.read_bytes()
        self.root = parse(self.data)
        self.is_tresurion = self.root["game"]["rules"] == "tresurion/1"
        seats = self.root["game"]["seats"] + [p for key, p in self.root["game"].items() if key == "arbiter"]
        if self.is_tresurion:
            verify.verify(path)
        if self.is_tresurion and not all(person["key"] in seeds for person in seats):
            rng = random.Random("keys " + self.name)
            for person in seats:
                seed = rng.randbytes(32)
                person["key"] = crypto.public_key(seed).hex()
                seeds = seeds | {person["key"]: seed}
            self.root.pop("position", None)
            self.seeds = {seat.get("seat", "arbiter"): seeds[seat["key"]] for seat in seats}
            rebuild(self, self.root)
            self.data = plain(self.root)
        self.text = self.data.decode("utf-8")
        self.head, *self.entries = re.split(r"(?=^\[\[order\]\]$)", self.text, flags=re.MULTILINE)
        # Without [position], a file may end after any entry.
        self.bare_head = re.sub(r"(?ms)^\[\[?position\b.*?(?=^\[(?!\[?position\b)|\Z)", "", self.head)
        self.seeds = {}
        for entry in self.root["game"]["seats"] + [dict(self.root["game"].get("arbiter", {}), seat="arbiter")]:
            if entry.get("key") in seeds:
                self.seeds[entry["seat"]] = seeds[entry["key"]]

    def values(self):
        return copy.deepcopy(self.root)

    def with_keys(self, orders):
        """The places of the orders that can be signed anew."""
        return [place for place, order in enumerate(orders) if order["seat"] in self.seeds]


def encoded(text):
    return text.encode("utf-8")


def joined(game, entries, head=None):
    return encoded((game.head if head is None else head) + "".join(entries))


def some_order(rng, root):
    """One of the orders; the first and the last ones more often."""
    orders = root.get("order", [])
    if not orders:
        return None
    return rng.choice((orders[0], orders[-1], rng.choice(orders), rng.choice(orders), rng.choice(orders)))


def body(order):
    return {key: value for key, value in order.items() if key != "signature"}


def put_right(order):
    """Makes the check digits those of the order."""
    order["signature"]["check"] = crypto.hashlib.sha256(preimage("order", body(order))).hexdigest()[:8]


def sign_anew(game, order):
    both = crypto.sign(game.seeds[order["seat"]], preimage("order", body(order))).hex()
    order["signature"] = {"check": "", "r": both[:64], "s": both[64:]}
    put_right(order)


def action_of(order):
    return next(key for key in order if key in ACTIONS)


def hex_digits(rng, length):
    return rng.randbytes(length // 2).hex()


def another_digit(rng, text):
    place = rng.randrange(len(text))
    return text[:place] + rng.choice([digit for digit in "0123456789abcdef" if digit != text[place]]) + text[place + 1 :]


def tables_in(value):
    """All tables, this one included."""
    if type(value) is dict:
        yield value
        for member in value.values():
            yield from tables_in(member)
    elif type(value) is list:
        for member in value:
            yield from tables_in(member)


def slots_in(value, want=lambda member: type(member) not in (dict, list)):
    """(table, key) of all members that are wanted."""
    return [(table, key) for table in tables_in(value) for key, member in table.items() if want(member)]


def is_hex(value):
    return type(value) is str and re.fullmatch("[0-9a-f]{8,64}", value) is not None


def other_value(rng, key, value):
    """A value of the same type, and often of the same meaning."""
    if type(value) is bool:
        return not value
    if type(value) is int:
        return rng.choice((value + 1, abs(value - 1), 0, 2**53 - 1))
    if type(value) is Time:
        return Time(rng.choice(("2026-11-30T08:00:01Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")))
    for group in (COLOURS, LAYERS, SHIPS, ("void", "draw"), ("full", "half", "wedges3", "wedges5", "wedges6"), REACHES):
        if value in group:
            return rng.choice([other for other in group if other != value])
    if is_hex(value):
        return rng.choice((another_digit(rng, value), hex_digits(rng, len(value))))
    if key in ("to", "at") and re.fullmatch("[a-z][0-9]{1,2}", value) and rng.random() < 0.5:
        file, rank = ord(value[0]) + rng.choice((-1, 0, 1)), int(value[1:]) + rng.choice((-2, -1, 1, 2))
        return f"{chr(file)}{rank}"
    if key in ("ship", "id", "at") and re.fullmatch("[0-9]{3}[a-z]", value):
        return rng.choice((rng.choice(list(tresurion.CLASSES)) + value[3], value[:3] + rng.choice("abcz"), "", value.upper(), value[:3]))
    if key == "to" or key == "square":
        return rng.choice((value[0] + str(int(value[1:]) % 8 + 1), "d4", "a11", "", "\u0000", "b33", value + " "))
    return rng.choice((value + "x", value[:-1], value.upper(), "red", "blue", "arbiter"))


# ---------------------------------------------------------------------------------------------------------
# Writing values in other ways


def written_integer(rng, value):
    return rng.choice((str(value), f"+{value}", hex(value), oct(value), bin(value), hex(value).upper().replace("0X", "0x"),
                       f"{value:_}"))  # fmt: skip


def written_string(rng, value):
    ways = [json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")]
    ways.append('"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}" for c in value) + '"')
    ways.append('"""' + ways[0][1:-1] + '"""')
    ways.append('"""\n' + ways[0][1:-1] + '"""')
    ways.append('"""\\\n  \n   ' + ways[0][1:-1] + '"""' if not value[:1].isspace() else ways[0])
    if "'" not in value and value.isprintable():
        ways += [f"'{value}'", f"'''{value}'''", f"'''\n{value}'''"]
    return rng.choice(ways)


def written_key(rng, key):
    return rng.choice((key, key, key, f'"{key}"', f"'{key}'", f'"\\u{ord(key[0]):04X}{key[1:]}"'))


def written(rng, value):
    if type(value) is Time:
        return value
    if type(value) is bool:
        return str(value).lower()
    if type(value) is int:
        return written_integer(rng, value)
    if type(value) is str:
        return written_string(rng, value)
    if type(value) is list:
        comma = rng.choice((",", ", ", " ,\n  # and\n"))
        return "[" + comma.join(written(rng, member) for member in value) + rng.choice(("", ",", "\n") if value else ("", "\n ")) + "]"
    pairs = [f"{written_key(rng, key)} = {written(rng, member)}" for key, member in value.items()]
    return "{" + ", ".join(pairs) + "}"


def table_lines(rng, path, table, write):
    """A table under its own header; tables in it under further headers, dotted or inline."""
    lines, later = [], []
    dot = lambda: rng.choice((".", ".", " . "))
    for key, member in table.items():
        if type(member) is dict and rng.random() < 0.4:
            name = path + "." + write(rng, key)
            later += [f"[{name}]"] + table_lines(rng, name, member, write)
        elif type(member) is dict and member and rng.random() < 0.5:
            name = write(rng, key)
            for inner, value in member.items():
                lines.append(f"{name}{dot()}{write(rng, inner)} = {written(rng, value)}")
        elif type(member) is list and member and all(type(e) is dict for e in member) and rng.random() < 0.4:
            for element in member:
                name = path + "." + write(rng, key)
                later += [f"[[{name}]]"] + table_lines(rng, name, element, write)
        else:
            lines.append(f"{write(rng, key)} = {written(rng, member)}")
    return lines + later


def rewritten(rng, root, shuffle=False):
    """The same values in any other spelling, or in another order too."""
    parts = []
    for key, value in root.items():
        if type(value) is list:
            if value and all(type(element) is dict for element in value):
                parts.append([line for e in value for line in [f"[[{key}]]"] + table_lines(rng, key, e, written_key)])
            else:
                parts.insert(0, [f"{key} = {written(rng, value)}"])
        elif type(value) is dict:
            parts.append([f"[{key}]"] + table_lines(rng, key, value, written_key))
        else:
            parts.insert(0, [f"{key} = {written(rng, value)}"])
    if shuffle and all(part[0].startswith("[") for part in parts):
        rng.shuffle(parts)
    return encoded("\n".join(line for part in parts for line in part) + "\n")


def plain(root):
    """Short and regular: one line for each member of the three."""
    lines = []
    for key, value in root.items():
        if key == "order" and type(value) is list:
            for entry in value:
                if type(entry) is dict:
                    lines += ["", "[[order]]"] + [f"{inner} = {inline(member)}" for inner, member in entry.items()]
        elif type(value) is dict:
            lines += ["", f"[{key}]"] + [f"{inner} = {inline(member)}" for inner, member in value.items()]
        else:
            lines.insert(0, f"{key} = {inline(value)}")
    return encoded("\n".join(lines) + "\n")


def shuffled(rng, value):
    if type(value) is dict:
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(rng, value[key]) for key in keys}
    if type(value) is list:
        return [shuffled(rng, member) for member in value]
    return value


# ---------------------------------------------------------------------------------------------------------
# Bits and bytes


def flip(rng, data, first, last):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2))):
        data[rng.randrange(first, last)] ^= 1 << rng.randrange(8)
    return bytes(data)


def part_of(game, pattern, rng):
    """(first, last) in bytes of one place of the text."""
    found = list(re.finditer(pattern, game.text))
    if not found:
        return None
    match = rng.choice(found)
    first = len(encoded(game.text[: match.start()]))
    return first, first + len(encoded(match.group()))


@kind
def bit_anywhere(game, rng, others):
    return flip(rng, game.data, 0, len(game.data))


@kind
def bit_in_header(game, rng, others):
    return flip(rng, game.data, 0, len(encoded(game.bare_head)))


@kind
def bit_in_position(game, rng, others):
    place = part_of(game, r"(?ms)^\[\[?position\b.*?(?=^\[(?!\[?position\b)|\Z)", rng)
    return place and flip(rng, game.data, *place)


@kind
def bit_in_order(game, rng, others):
    place = part_of(game, r"(?ms)^\[\[order\]\]$.*?(?=^\[order.signature\]|^signature|^\[\[order|\Z)", rng)
    return place and flip(rng, game.data, *place)


@kind
def bit_in_signature(game, rng, others):
    place = part_of(game, r"(?m)\b[rs] = \"[0-9a-f]{64}\"", rng)
    return place and flip(rng, game.data, *place)


@kind
def hex_digit_anywhere(game, rng, others):
    first, last = part_of(game, r"\b[0-9a-f]{8,64}\b", rng)
    return game.data[:first] + encoded(another_digit(rng, game.data[first:last].decode())) + game.data[last:]


@kind
def bytes_dropped(game, rng, others):
    first = rng.randrange(len(game.data))
    return game.data[:first] + game.data[first + rng.choice((1, 1, 2, 10, 100)) :]


@kind
def bytes_doubled(game, rng, others):
    first = rng.randrange(len(game.data))
    return game.data[: first + rng.choice((1, 1, 2, 10, 100))] + game.data[first:]


@kind
def line_dropped(game, rng, others):
    lines = game.text.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return encoded("".join(lines))


@kind
def lines_swapped(game, rng, others):
    lines = game.text.splitlines(keepends=True)
    place = rng.randrange(len(lines) - 1)
    lines[place : place + 2] = lines[place + 1], lines[place]
    return encoded("".join(lines))


@kind
def cut_at_a_byte(game, rng, others):
    return game.data[: rng.randrange(len(game.data))]


# ---------------------------------------------------------------------------------------------------------
# Entries


@kind
def neighbours_swapped(game, rng, others):
    entries = list(game.entries)
    if len(entries) < 2:
        return None
    place = rng.randrange(len(entries) - 1)
    entries[place : place + 2] = entries[place + 1], entries[place]
    return joined(game, entries)


@kind
def entries_swapped(game, rng, others):
    entries = list(game.entries)
    if len(entries) < 2:
        return None
    one, two = rng.sample(range(len(entries)), 2)
    entries[one], entries[two] = entries[two], entries[one]
    return joined(game, entries, rng.choice((None, game.bare_head)))


@kind
def entry_dropped(game, rng, others):
    entries = list(game.entries)
    if not entries:
        return None
    del entries[rng.choice((0, rng.randrange(len(entries)), rng.randrange(len(entries))))]
    return joined(game, entries, game.bare_head)


@kind
def entries_dropped(game, rng, others):
    if len(game.entries) < 4:
        return None
    first, last = sorted(rng.sample(range(len(game.entries)), 2))
    return joined(game, game.entries[:first] + game.entries[last:], game.bare_head)


@kind
def entry_twice(game, rng, others):
    if not game.entries:
        return None
    entries = list(game.entries)
    entry = rng.choice(entries)
    entries.insert(rng.choice((entries.index(entry), len(entries), rng.randrange(len(entries)))), entry)
    return joined(game, entries, rng.choice((None, game.bare_head)))


@kind
def cut_after_an_entry(game, rng, others):
    """Harmless without [position]."""
    kept = game.entries[: rng.randrange(len(game.entries) + 1)]
    return joined(game, kept, game.bare_head)


@kind
def cut_with_position(game, rng, others):
    if "position" not in game.root or not game.entries:
        return None
    return joined(game, game.entries[: -rng.choice((1, 1, rng.randint(1, len(game.entries))))])


@kind
def transplanted_instead(game, rng, others):
    other = rng.choice(others)
    if not game.entries or not other.entries:
        return None
    entries = list(game.entries)
    place = rng.randrange(len(entries))
    entries[place] = other.entries[min(place, len(other.entries) - 1)]
    return joined(game, entries)


@kind
def transplanted_besides(game, rng, others):
    other = rng.choice(others)
    if not other.entries:
        return None
    entries = list(game.entries)
    place = rng.choice((len(entries), rng.randrange(len(entries) + 1)))
    entries.insert(place, other.entries[min(place, len(other.entries) - 1)])
    return joined(game, entries, rng.choice((None, game.bare_head)))


@kind
def transplanted_and_renamed(game, rng, others):
    """An entry of another game, with the game, head and step of the place and with right check digits."""
    other = rng.choice(others)
    root = game.values()
    if not root.get("order") or not other.root.get("order"):
        return None
    place = rng.randrange(len(root["order"]))
    entry = copy.deepcopy(other.root["order"][min(place, len(other.root["order"]) - 1)])
    for key in ("game", "after", "step"):
        entry[key] = root["order"][place][key]
    put_right(entry)
    root["order"][place] = entry
    return plain(root)


@kind
def another_header(game, rng, others):
    return joined(game, game.entries, rng.choice(others).bare_head)


@kind
def step_shuffled(game, rng, others):
    """Harmless: the orders of a step in another order."""
    root = game.values()
    steps = {}
    for order in root.get("order", []):
        steps.setdefault(order["after"], []).append(order)
    for orders in steps.values():
        rng.shuffle(orders)
    root["order"] = [order for orders in steps.values() for order in orders]
    return plain(root)


@kind
def next_entry_of_another_step(game, rng, others):
    """An entry that answers an older head once more, at the end."""
    root = game.values()
    if not root.get("order"):
        return None
    root.pop("position", None)
    orders = root["order"]
    order = copy.deepcopy(rng.choice(orders))
    order["after"], order["step"] = orders[-1]["after"], orders[-1]["step"]
    put_right(order)
    orders.append(order)
    return plain(root)


# ---------------------------------------------------------------------------------------------------------
# Values of orders


def changed(game, rng, change):
    """One order changed, its check digits put right."""
    root = game.values()
    order = some_order(rng, root)
    if order is None or change(order) is False:
        return None
    put_right(order)
    return plain(root)


@kind
def value_changed(game, rng, others):
    def change(order):
        table, key = rng.choice(slots_in(body(order)))
        table = order if key in order and table.keys() == body(order).keys() else table
        table[key] = other_value(rng, key, table[key])

    return changed(game, rng, change)


@kind
def press_changed(game, rng, others):
    def change(order):
        if "press" in order and rng.random() < 0.4:
            del order["press"]
        else:
            order["press"] = rng.choice(("", "A truce?", order.get("press", "") + "!", 'Señor "Grey"'))

    return changed(game, rng, change)


@kind
def time_changed(game, rng, others):
    def change(order):
        order["time"] = other_value(rng, "time", order["time"])

    return changed(game, rng, change)


@kind
def seat_changed(game, rng, others):
    seats = [entry["seat"] for entry in game.root["game"]["seats"]]

    def change(order):
        order["seat"] = rng.choice([seat for seat in seats + ["arbiter", "nobody", ""] if seat != order["seat"]])

    return changed(game, rng, change)


@kind
def place_changed(game, rng, others):
    def change(order):
        other = rng.choice(game.root["order"])
        if rng.random() < 0.5:
            order["after"] = other["after"]
        if rng.random() < 0.5:
            order["step"] = rng.choice((other["step"], order["step"] + 1, 2**53 - 1))

    return changed(game, rng, change)


@kind
def draw_changed(game, rng, others):
    def change(order):
        if "draw" in order:
            del order["draw"]
        else:
            order["draw"] = rng.choice((True, True, False))

    return changed(game, rng, change)


@kind
def action_changed(game, rng, others):
    def change(order):
        table = order.pop(action_of(order))
        new = rng.choice(sorted(ACTIONS) + ["proof", "Round", "Move"])
        order[new] = table
        if rng.random() < 0.2:
            order["resign"] = {}

    return changed(game, rng, change)


@kind
def check_changed(game, rng, others):
    """Harmless: the check digits are not judged."""
    root = game.values()
    order = some_order(rng, root)
    if order is None:
        return None
    order["signature"]["check"] = hex_digits(rng, 8)
    return plain(root)


@kind
def check_misspelt(game, rng, others):
    root = game.values()
    order = some_order(rng, root)
    if order is None:
        return None
    check = order["signature"]["check"]
    order["signature"]["check"] = rng.choice((check[:-1], check + "0", "ABCDEF01", "", "g0000000", 12345678, " " + check[1:]))
    return plain(root)


@kind
def signature_replaced(game, rng, others):
    """What is no signature of this order: the same with S + L, halves swapped, a small R, another order's."""
    root = game.values()
    order = some_order(rng, root)
    if order is None:
        return None
    signature = order["signature"]
    number = int.from_bytes(bytes.fromhex(signature["s"]), "little")
    way = rng.randrange(6)
    if way == 0:
        signature["s"] = (number + crypto.L * rng.randint(1, 14)).to_bytes(32, "little").hex()
    elif way == 1:
        signature["r"], signature["s"] = signature["s"], signature["r"]
    elif way == 2:
        signature["s"] = ((crypto.L - number) % crypto.L).to_bytes(32, "little").hex()
    elif way == 3:
        signature["r"] = rng.choice(BAD_POINTS)
    elif way == 4:
        order["signature"] = copy.deepcopy(rng.choice(root["order"])["signature"])  # now and then it is its own
    else:
        data = bytearray.fromhex(signature["r"])
        data[31] ^= 0x80
        signature["r"] = data.hex()
    return plain(root)


# ---------------------------------------------------------------------------------------------------------
# Keys, types and spellings, anywhere in the document


def without_derived(root):
    return {key: value for key, value in root.items() if key != "position"}


@kind
def uppercase_hex(game, rng, others):
    root = game.values()
    table, key = rng.choice(slots_in(root, lambda value: is_hex(value) and value != value.upper()))
    table[key] = table[key].upper() if rng.random() < 0.5 else re.sub("[a-f]", lambda m: m[0].upper(), table[key], count=1)
    return plain(root)


@kind
def hex_of_another_length(game, rng, others):
    root = game.values()
    table, key = rng.choice(slots_in(root, is_hex))
    value = table[key]
    table[key] = rng.choice((value[:-1], value + "0", value + "00", value[:-2], "", "0x" + value[2:], value + "\n", " " + value,
                             value[:-1] + "g", value[:-1] + "é", value[:-1] + "０"))  # fmt: skip
    return plain(root)


@kind
def unknown_key(game, rng, others):
    """Harmless in [position] only."""
    root = game.values()
    tables = list(tables_in(root))
    rng.choice(tables)[rng.choice(("x", "", "seats", "Seat", "seat ", "nonce2", "é", "draws", "id"))] = rng.choice((1, "x", {}, [], True))
    return plain(root)


@kind
def missing_key(game, rng, others):
    root = game.values()
    table = rng.choice([table for table in tables_in(root) if table])
    del table[rng.choice(list(table))]
    return plain(root)


@kind
def key_twice(game, rng, others):
    lines = game.text.splitlines(keepends=True)
    place = rng.choice([number for number, line in enumerate(lines) if " = " in line])
    key, value = lines[place].split(" = ", 1)
    lines.insert(place + 1, rng.choice((lines[place], f'"{key}" = {value}', f"{key} = 1\n", f"{key}.x = 1\n")))
    return encoded("".join(lines))


@kind
def table_twice(game, rng, others):
    lines = game.text.splitlines(keepends=True)
    headers = [line for line in lines if line.startswith("[")]
    lines.insert(rng.randrange(len(lines)), rng.choice(headers))
    return encoded("".join(lines))


@kind
def another_type(game, rng, others):
    root = game.values()
    table, key = rng.choice(slots_in(root, lambda value: True))
    value = table[key]
    table[key] = rng.choice([new for new in (1, "1", True, [], {}, [value], str(value), Time("2026-12-01T00:00:00Z"), "")
                             if type(new) is not type(value)])  # fmt: skip
    return plain(root)


SPOILT_VALUES = {
    "integer": ("-0", "-1", "+0", "1.0", "1e1", "inf", "nan", "-inf", "007", "0X10", "1__0", "_1", "1_", "9007199254740991",
                "9007199254740992", "9223372036854775808", "99999999999999999999", "0b12", "0o8", "+0x1", "- 1", "0x", "1.", ".1"),
    "time": ("2026-12-01 00:00:00Z", "2026-12-01t00:00:00Z", "2026-12-01T00:00:00z", "2026-12-01T00:00:00+00:00",
             "2026-12-01T00:00:00-00:00", "2026-12-01T00:00:00.0Z", "2026-12-01T00:00:00", "2026-12-01", "00:00:00",
             "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "0000-12-01T00:00:00Z",
             "2026-12-01T24:00:00Z", "2026-12-01T23:59:60Z", "2026-12-01T23:60:00Z", "2026-13-01T00:00:00Z",
             "2026-04-31T00:00:00Z", "2026-12-00T00:00:00Z", "02026-12-01T00:00:00Z", "2026-12-01T00:00Z",
             "2026-12-1T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-12-01T00:00:00 Z"),
    "string": ("'it''s'", '"\\q"', '"\\e"', '"\\x41"', '"\\ud800"', '"\\U00110000"', '"\\u00e9"', '"a\tb"', '"\x01"', '"\x7f"',
               "'a\tb'", "'''\n\nx'''", '"""x""""', '""""x"""', '"""""""', "'''''''", '"\\u000a"', '"\\', "'\x00'", "“x”",
               '"\\U0001F680"', '"""a\\ b"""', '"""a\\  \n  b"""', '"\u0085"', '"\u2028"', '"\ufeff"', "true", "True"),
}  # fmt: skip


@kind
def odd_spelling(game, rng, others):
    """Another value, oddly spelt, somewhere in the text; mostly not allowed."""
    group = rng.choice(list(SPOILT_VALUES))
    pattern = {"integer": r"(?<== )\d+$", "time": r"(?<== )\d{4}-\S*Z$", "string": r"(?<== )\"[^\"\n]*\"$"}[group]
    found = list(re.finditer(pattern, game.text, re.MULTILINE))
    match = rng.choice(found)
    return encoded(game.text[: match.start()] + rng.choice(SPOILT_VALUES[group]) + game.text[match.end() :])


@kind
def odd_spelling_in_header(game, rng, others):
    """The same, in a game without orders, where an allowed spelling does no harm."""
    group = rng.choice(("integer", "time", "string", "string"))
    key = {"integer": ["days_per_step"], "time": ["created"], "string": ["name", "mail", "first", "nonce"]}[group]
    pattern = rf"(?m)^(?:{'|'.join(key)}) = (.*)$"
    root = {"game": game.root["game"]}
    lines = "\n".join(["[game]"] + [f"{k} = {inline(v)}" for k, v in root["game"].items() if k not in ("options", "seats")]
                      + ["[game.options]"] + [f"{k} = {inline(v)}" for k, v in root["game"]["options"].items()]
                      + [line for seat in root["game"]["seats"]
                         for line in ["[[game.seats]]"] + [f"{k} = {inline(v)}" for k, v in seat.items()]]) + "\n"  # fmt: skip
    match = rng.choice(list(re.finditer(pattern, lines)))
    return encoded(lines[: match.start(1)] + rng.choice(SPOILT_VALUES[group]) + lines[match.end(1) :])


@kind
def odd_text(game, rng, others):
    """Bytes that TOML 1.0 or this protocol does not allow, or just allows, between the lines."""
    lines = game.data.splitlines(keepends=True)
    place = rng.randrange(len(lines) + 1)
    new = rng.choice((b"\xef\xbb\xbf", b"# \xff\n", b"\x00", b"# \x00\n", b"# \x7f\n", b"# \t\n", b"\r", b"# \r \n", b"\r\n", b"\x0c\n",
                      b"\x0b", b"\xc2\xa0\n", b"# \xc2\x85\n", b"\xe2\x80\xa8", b"# \xed\xa0\x80\n", b"# \xc0\x80\n", b"#\n", b"\t \n",
                      b"[[]]\n", b"[]\n", b"= 1\n", b"x\n", b"x = \n", b"# \xf4\x90\x80\x80\n", b"# \xf4\x8f\xbf\xbf\n", b"# \x1f\n"))  # fmt: skip
    return b"".join(lines[:place] + [new] + lines[place:])


@kind
def toml_1_1(game, rng, others):
    found = list(re.finditer(r"\{ ?\w+ = [^{}\n]*\}", game.text))
    if not found:
        return None
    match = rng.choice(found)
    table = match.group()
    new = rng.choice((table[:-1].rstrip() + ",}", table.replace(", ", ",\n"), "{\n" + table[1:], table[:-1] + "\n}", table[:-1] + "# x\n}",
                      table.replace("{", "{ ").replace("}", " }"), table.replace(", ", " , "), table[:-1].rstrip() + ",,}"))  # fmt: skip
    return encoded(game.text[: match.start()] + new + game.text[match.end() :])


@kind
def unknown_at_the_root(game, rng, others):
    new = rng.choice(("[extra]\n", "[[extra]]\n", "[position.more]\nx = 1\n", "[game.more]\n", "[order]\n", "[[position]]\n",
                      "[[order]]\n", "[[order.x]]\n", "[[game.seats.x]]\n", "[game]\n", "[position]\n"))  # fmt: skip
    return encoded(game.text + new) if rng.random() < 0.7 else encoded("x = 1\n" + game.text)


@kind
def orders_of_another_shape(game, rng, others):
    root = without_derived(game.values())
    orders = root.pop("order", [])
    root = {"order": rng.choice(([], {}, "", [1], [[]], [{}], orders[:1], [orders[:1]], {"0": {}}, True))} | root
    return encoded("order = " + inline(root.pop("order")) + "\n") + plain(root)


@kind
def deep(game, rng, others):
    """Nesting about level 16, in [position] (level 2), where further keys are allowed."""
    if "position" not in game.root:
        return None
    levels = rng.choice((13, 14, 14, 15, 15, 16, 100, 20000))
    new = rng.choice((
        "deep = " + "[" * levels + "]" * levels,
        "deep" + ".a" * (levels if levels < 17 else 300) + " = 1",
        "deep = " + "{a = " * levels + "1" + "}" * levels,
        "deep = " + "[{a = " * (levels // 2) + "[]" * (levels % 2) + ("" if levels % 2 else "1") + "}]" * (levels // 2),
    ))  # fmt: skip
    return encoded(re.sub(r"(?m)^\[position\]$", lambda match: match[0] + "\n" + new, game.text))


# ---------------------------------------------------------------------------------------------------------
# [position]


@kind
def position_needed(game, rng, others):
    root = game.values()
    if "position" not in root:
        return None
    position = root["position"]
    key = rng.choice(("id", "head", "step"))
    if rng.random() < 0.4:
        del position[key]
    else:
        others_of_kind = [order["after"] for order in root.get("order", [])] + [hex_digits(rng, 64), ""]
        position[key] = rng.choice((position["step"] + 1, 0, str(position["step"]))) if key == "step" else rng.choice(others_of_kind)
    return plain(root)


@kind
def position_advice(game, rng, others):
    """Harmless: a difference in the rest gives a warning only."""
    root = game.values()
    if "position" not in root:
        return None
    position = root["position"]
    key = rng.choice([key for key in position if key not in ("id", "head", "step")] or ["more"])
    position[key] = rng.choice((1, "x", [], {}, [1, "x", {"a": [True]}], Time("2026-12-01T00:00:00Z"), True))
    if rng.random() < 0.5:
        del position[key]
    return plain(root)


@kind
def position_added(game, rng, others):
    """A [position] of the writer's own, right or wrong."""
    root = without_derived(game.values())
    if not root.get("order"):
        return None
    last = root["order"][-1]
    step = rng.choice((last["step"], last["step"] + 1))
    ids = [last["game"], last["after"]] + [game.root.get("position", {}).get("head", last["after"])]
    root["position"] = {"id": ids[0], "head": rng.choice(ids), "step": step}
    return plain(root)


@kind
def position_types(game, rng, others):
    if "position" not in game.root:
        return None
    group = rng.choice(("integer", "time", "string"))
    value = rng.choice(SPOILT_VALUES[group])
    line = rng.choice((f"more = {value}", f"more = [{{a = {value}}}]", f"{value} = 1"))
    return encoded(re.sub(r"(?m)^\[position\]$", lambda match: match[0] + "\n" + line, game.text))


@kind
def without_position(game, rng, others):
    """Harmless."""
    return plain(without_derived(game.values()))


# ---------------------------------------------------------------------------------------------------------
# Other headers, without orders


def small_points():
    for y in range(2, 100):
        point = crypto.decode(y.to_bytes(32, "little"))
        torsion = point and crypto.times(crypto.L, point)
        if torsion and not crypto.is_identity(crypto.times(4, torsion)):
            return [crypto.times(number, torsion) for number in range(8)]


SMALL = small_points()
BAD_POINTS = [crypto.encode(point).hex() for point in SMALL] + [
    number.to_bytes(32, "little").hex()
    for number in (crypto.P, crypto.P + 1, 2**255 - 1, 2**255 + 1, 2**255 + crypto.P - 1, 2, 7, 2**256 - 1, crypto.P - 2, 3, 2**255 + 3)
]  # fmt: skip
HEADER_VALUES = {
    "format": ("sealed-orders/2", "Sealed-orders/1", "sealed-orders/1 "),
    "rules": ("shield-bashers/2", "shield-bashers", "shield-bashers/1\n", "shield-bashers/1", "tresurion/1", "tresurion/2", ""),
    "width": (14, 15, 26, 27, 0),
    "length": (24, 25, 99, 100, 0),
    "reach": ("between", "distance", "", "Between"),
    "quiet_turns": (0, 1000, 1001, "20"),
    "asteroids": ([], ["c3"], ["c23"], ["c2"], ["c24"], ["c24", "c23"], ["c3", "c3"], ["o3"], ["p3"], ["z3"], ["c03"], ["C3"], [3], [[]], [""],
                  ["c3 "], ["é3"], ["c22", "c99"], ["a3", "b3"], {}, "c3", ["c9007199254740993"], ["c+3"], ["c"]),
    "wormholes": ([], [["c3", "d3"]], [["c3", "c3"]], [["c3"]], [["c3", "d3", "e3"]], [[]], ["c3", "d3"], [["c3", "d3"], ["d3", "e3"]],
                  [["c3", "d3"], ["e3", "f3"]], [["c2", "d3"]], [["c3", "d24"]], [["c3", "p3"]], [{}], {}, [["c3", 3]], [["a5", "b5"]]),
    "name": ("", " ", "~", "x" * 64, "x" * 65, "\x7f", "é", "a\tb", "a\nb", '"\\'),
    "mail": ("", "ab", "a@b", "   ", "x" * 254, "x" * 255, "é@x", "a@b\n"),
    "created": (Time("2000-02-29T00:00:00Z"), Time("0001-01-01T00:00:00Z"), "2026-11-30T08:00:00Z"),
    "nonce": ("0" * 64, "f" * 64, "0" * 63, "F" * 64),
    "board": ("full", "half", "wedges3", "wedges4", "wedges5", "wedges6", "", "Full"),
    "first": ("roll", "red", "blue", "", "Roll", "arbiter", "nobody", "roll\n"),
    "memory_aid": (True, False, 1, "true"),
    "days_per_step": (0, 365, 366, 2**53 - 1, "7"),
    "seat": ("a", "a" * 16, "a" * 17, "arbiter", "roll", "1a", "a-", "-a", "a_b", "A", "", "a\n", "red", "é", "arbiter-2"),
    "key": ("0" * 64, "1" * 64),
}


@kind
def header_changed(game, rng, others):
    """A header with one other value, mostly at the edge of what is allowed, and no orders."""
    root = {"game": game.values()["game"]}
    if rng.random() < 0.3:
        root["game"]["arbiter"] = {"name": "Judge", "mail": "j@x", "key": root["game"]["seats"][0]["key"]}
        data = rng.randbytes(32)
        if rng.random() < 0.8:
            root["game"]["arbiter"]["key"] = crypto.public_key(data).hex()
    table, key = rng.choice([slot for slot in slots_in(root, lambda member: type(member) is not dict) if slot[1] in HEADER_VALUES])
    table[key] = rng.choice(HEADER_VALUES[key])
    if game.is_tresurion and rng.random() < 0.5:
        options = root["game"]["options"]
        for key in ("width", "length", "asteroids", "wormholes"):
            if rng.random() < 0.5:
                options[key] = rng.choice(HEADER_VALUES[key])
    if key == "board":
        root["game"]["options"]["first"] = "roll"
    return plain(root)


@kind
def key_changed(game, rng, others):
    """A header with another key, good or bad, and no orders."""
    root = {"game": game.values()["game"]}
    seats = root["game"]["seats"]
    seat = rng.choice(seats)
    good = crypto.public_key(rng.randbytes(32))
    way = rng.randrange(6)
    if way == 0:
        seat["key"] = good.hex()
    elif way == 1:
        seat["key"] = rng.choice(BAD_POINTS)
    elif way == 2:
        seat["key"] = crypto.encode(crypto.add(crypto.decode(good), crypto.prepare(rng.choice(SMALL)))).hex()
    elif way == 3:
        seat["key"] = rng.choice(seats)["key"]
    elif way == 4:
        seat["key"] = hex_digits(rng, 64)
    else:
        data = bytearray.fromhex(seat["key"])
        data[31] ^= 0x80
        seat["key"] = data.hex()
    return plain(root)


@kind
def seats_changed(game, rng, others):
    """Other numbers of seats, no orders."""
    root = {"game": game.values()["game"]}
    seats = root["game"]["seats"]
    if rng.random() < 0.3:
        del seats[rng.randrange(len(seats))]
    else:
        for number in range(rng.randint(1, 5)):
            key = crypto.public_key(rng.randbytes(32)).hex()
            seats.append({"seat": f"more{number}", "name": "x", "mail": "x@y", "key": key})
    if game.is_tresurion:
        return plain(root)
    root["game"]["options"]["first"] = "roll"
    root["game"]["options"]["board"] = rng.choice(HEADER_VALUES["board"][:7])
    return plain(root)


# ---------------------------------------------------------------------------------------------------------
# Harmless ones


@kind
def white_space(game, rng, others):
    """Harmless. (No string in a game file ends a line but with its quote.)"""
    lines = []
    for line in game.text.split("\n"):
        line = rng.choice(("", "", " ", "\t", "  ")) + re.sub("^([A-Za-z_-]+) = ", lambda m: m[1] + rng.choice(("=", " = ", "\t=  ")), line)
        lines.append(line + rng.choice(("", "", " ", "\t", "\n", "\n \t\n")))
    return encoded("\n".join(lines).rstrip("\n") + rng.choice(("", "\n", "\n\n\n")))


@kind
def comments(game, rng, others):
    """Harmless."""
    new = ("# x", " # [position]", "# 'it''s \"", '# """', "# -0 1.5 2026-12-01", "#", "# é 🚀 \t", "# \\", "# '''")
    lines = [line + ((" " + rng.choice(new)) if rng.random() < 0.2 else "") for line in game.text.split("\n")]
    return encoded("\n".join(lines))


@kind
def key_order(game, rng, others):
    """Harmless."""
    return plain(shuffled(rng, game.values()))


@kind
def crlf(game, rng, others):
    """Harmless."""
    return encoded(game.text.replace("\n", "\r\n"))


@kind
def some_crlf(game, rng, others):
    """Harmless."""
    return encoded(re.sub("\n", lambda match: rng.choice(("\n", "\r\n")), game.text))


@kind
def written_otherwise(game, rng, others):
    """Harmless: other kinds of tables, strings, keys and integers."""
    return rewritten(rng, game.values())


@kind
def tables_in_another_order(game, rng, others):
    """Harmless."""
    return rewritten(rng, shuffled(rng, game.values()), shuffle=True)


@kind
def size(game, rng, others):
    """About 8 MiB, by a comment at the end; harmless up to that."""
    if size.left == 0:
        return None
    size.left -= 1
    more = MAX_BYTES - len(game.data) + rng.choice((-1, 0, 0, 1, 1, 2))
    return game.data + b"#" + b"x" * (more - 2) + b"\n"


size.left = 0


@kind
def unchanged(game, rng, others):
    """Harmless, if the game is good."""
    return game.data


# ---------------------------------------------------------------------------------------------------------
# With keys


@kind
def signed_twice(game, rng, others):
    """Harmless: other signatures over the same bodies."""
    root = game.values()
    places = game.with_keys(root.get("order", []))
    if not places:
        return None
    for place in rng.sample(places, rng.randint(1, min(4, len(places)))):
        order = root["order"][place]
        seed, message = game.seeds[order["seat"]], preimage("order", body(order))
        scalar = int.from_bytes(crypto.hashlib.sha512(seed).digest()[:32], "little") & (2**254 - 8) | 2**254
        nonce = rng.randrange(1, crypto.L)
        r = crypto.encode(crypto.add_multiple(crypto.IDENTITY, nonce, crypto.BASE_MULTIPLES))
        k = int.from_bytes(crypto.hashlib.sha512(r + crypto.public_key(seed) + message).digest(), "little") % crypto.L
        s = ((nonce + k * scalar) % crypto.L).to_bytes(32, "little")
        order["signature"].update(r=r.hex(), s=s.hex())
    return plain(root)


def signed_anew(game, rng, change):
    """One order changed and signed anew; the last one, as the chain breaks after any other."""
    root = without_derived(game.values())
    orders = root.get("order", [])
    places = game.with_keys(orders)
    if not places:
        return None
    place = rng.choice(places)
    orders[place + 1 :] = []
    if change(orders[place]) is False:
        return None
    if orders[place]["seat"] not in game.seeds:
        return None
    sign_anew(game, orders[place])
    return plain(root)


@kind
def value_changed_and_signed(game, rng, others):
    """A file that ends with a changed order."""

    def change(order):
        table, key = rng.choice(slots_in(order[action_of(order)]) or [(order, "time")])
        table[key] = other_value(rng, key, table[key])

    return signed_anew(game, rng, change)


@kind
def form_changed_and_signed(game, rng, others):
    """A file that ends with an order that has another key more or less."""

    def change(order):
        table = order[action_of(order)]
        way = rng.randrange(6)
        opening = {"colour": rng.choice(COLOURS), "salt": hex_digits(rng, 64)}
        if way == 0:
            order["draw"] = True
        elif way == 1 and table:
            del table[rng.choice(list(table))]
        elif way == 2:
            table[rng.choice(("secondary", "tertiary"))] = opening
        elif way == 3:
            table["lost"] = rng.choice(([], [opening], [{"ship": rng.choice(SHIPS)} | opening]))
        elif way == 4:
            del order[action_of(order)]
            new = rng.choice(("resign", "claim-draw", "accept-draw", "final-battle"))
            order[new] = {}
            if game.is_tresurion and rng.random() < 0.6:
                dice = table.get("dice") if type(table.get("dice")) is dict else {"nonce": hex_digits(rng, 64), "next": hex_digits(rng, 64)}
                del order[new]
                order.update(rng.choice(({"roll": {"dice": dice}}, {"round": {"moves": [], "fire": [], "dice": dice}})))
        else:
            order["step"] += 1

    return signed_anew(game, rng, change)


@kind
def press_changed_and_signed(game, rng, others):
    """A file that ends with an order with another press, allowed or not."""
    edges = (0x20, 0x7E, 0x7F, 0xA0, 0xA1, 0xAC, 0xAD, 0xAE, 0x1FFF, 0x2000, 0x206F, 0x2070, 0x2211, 0x2212, 0x2213, 0x2FFF, 0x3000,
             0x3001, 0xD7FF, 0xE000, 0xFDFF, 0xFE00, 0xFE0F, 0xFE10, 0xFEFE, 0xFEFF, 0xFF00, 0xFF01, 0xFF02, 0xFF03, 0xFF06, 0xFF07,
             0xFF08, 0xFFFF, 0x10000, 0x1F680, 0xE0000, 0xE0001, 0xE0100, 0x10FFFF, 0x85, 0x1F, 0x09)  # fmt: skip

    def change(order):
        order["press"] = rng.choice((chr(rng.choice(edges)), "", "x" * 2000, "é" * 2000, "🚀" * 2000, "🚀" * 2001, "x" * 2001,
                                     "e\u0301", '"\\/', "\u00a1"))  # fmt: skip

    return signed_anew(game, rng, change)


# ---------------------------------------------------------------------------------------------------------
# Tresurion, with keys


def rebuild(game, root, keep=()):
    """Computes all commitments, heads and signatures anew, as far as they are known. `keep`: commitments to keep,
    as (seat, index), or (seat, "fleet")."""
    seats = [entry["seat"] for entry in root["game"]["seats"]]
    game_id = digest("game", root["game"])
    orders = root.get("order", [])
    for seat in seats:
        slot, index = None, 0  # the table and key of the newest commitment
        for order in orders:
            if order["seat"] != seat:
                continue
            table = order[action_of(order)]
            names = {"game": game_id, "seat": seat}
            if "seal" in order:
                sealed, slot = table, (table, "dice")
            elif type(table.get("dice")) is dict:
                if slot is not None and (seat, index) not in keep:
                    nonce = table["dice"]["nonce"]
                    slot[0][slot[1]] = digest("nonce", names | {"index": index, "nonce": nonce})
                slot, index = (table["dice"], "next"), index + 1
                if "deploy" in order and (seat, "fleet") not in keep:
                    sealed["fleet"] = digest("fleet", names | {"fleet": table["fleet"], "salt": table["salt"]})
    steps = {}
    for order in orders:
        steps.setdefault(order["after"], []).append(order)
    head = game_id
    for number, step in enumerate(steps.values()):
        digests = {}
        for order in step:
            order.update(game=game_id, after=head, step=number)
            sign_anew(game, order)
            where = order["forfeit"]["seat"] if "forfeit" in order else order["seat"]
            digests[where] = digest("order", body(order))
        links = sorted(digests, key=lambda seat: seats.index(seat) if seat in seats else len(seats))
        head = digest("step", {"after": head, "orders": [digests[seat] for seat in links]})


def rebuilt(game, rng, change, cut=0.5, keep=()):
    """The game changed, and then sealed and signed anew from beginning to end, or up to where it was changed.

    `change` takes the root and returns False if it can do nothing, or the order after which to cut (if any).
    """
    root = without_derived(game.values())
    orders = root.get("order", [])
    if not game.is_tresurion or not orders or not all(order["seat"] in game.seeds for order in orders):
        return None
    last = change(root)
    if last is False:
        return None
    if last is not None and rng.random() < cut:
        place = next(number for number, order in enumerate(orders) if order is last)
        del orders[place + 1 :]
    rebuild(game, root, keep)
    return plain(root)


def some(rng, root, key, want=lambda order: True):
    found = [order for order in root.get("order", []) if key in order and want(order)]
    return rng.choice(found) if found else None


def in_round(game, rng, want, change):
    def change_root(root):
        order = some(rng, root, "round", lambda order: want(order["round"]))
        if order is None or change(root, order, order["round"]) is False:
            return False
        return order

    return rebuilt(game, rng, change_root)


def fleet_of(root, seat):
    return next((o["deploy"]["fleet"]["ships"] for o in root["order"] if "deploy" in o and o["seat"] == seat), [])


def enemies_of(root, seat):
    return next(entry["seat"] for entry in root["game"]["seats"] if entry["seat"] != seat)


def near(rng, square):
    return chr(ord(square[0]) + rng.randint(-1, 1)) + str(int(square[1:]) + rng.randint(-1, 1))


@kind
def tr_unchanged(game, rng, others):
    """Harmless: all sealed and signed anew with another time."""

    def change(root):
        root["order"][0]["time"] = Time("2027-06-01T00:00:00Z")

    return rebuilt(game, rng, change)


@kind
def tr_move_changed(game, rng, others):
    def change(root, order, table):
        move = rng.choice(table["moves"])
        move["to"] = near(rng, move["to"])

    return in_round(game, rng, lambda table: table["moves"], change)


@kind
def tr_move_of_another_ship(game, rng, others):
    def change(root, order, table):
        move = rng.choice(table["moves"])
        move["ship"] = rng.choice(fleet_of(root, rng.choice((order["seat"], enemies_of(root, order["seat"])))))["id"]

    return in_round(game, rng, lambda table: table["moves"], change)


@kind
def tr_moves_shuffled(game, rng, others):
    def change(root, order, table):
        rng.shuffle(table["moves"])

    return in_round(game, rng, lambda table: len(table["moves"]) > 1, change)


@kind
def tr_move_dropped(game, rng, others):
    def change(root, order, table):
        table["moves"].remove(rng.choice(table["moves"]))

    return in_round(game, rng, lambda table: table["moves"], change)


@kind
def tr_move_twice(game, rng, others):
    def change(root, order, table):
        table["moves"].append(dict(rng.choice(table["moves"])))

    return in_round(game, rng, lambda table: table["moves"], change)


@kind
def tr_target_changed(game, rng, others):
    def change(root, order, table):
        rng.choice(table["fire"])["at"] = rng.choice(fleet_of(root, enemies_of(root, order["seat"])))["id"]

    return in_round(game, rng, lambda table: table["fire"], change)


@kind
def tr_target_of_own(game, rng, others):
    def change(root, order, table):
        rng.choice(table["fire"])["at"] = rng.choice(fleet_of(root, order["seat"]))["id"]

    return in_round(game, rng, lambda table: table["fire"], change)


@kind
def tr_shots_swapped(game, rng, others):
    """Mostly harmless: the dice are the same, in another order."""

    def change(root, order, table):
        one, two = rng.sample(range(len(table["fire"])), 2)
        if rng.random() < 0.5:
            table["fire"][one], table["fire"][two] = table["fire"][two], table["fire"][one]
        else:
            table["fire"][one]["at"], table["fire"][two]["at"] = table["fire"][two]["at"], table["fire"][one]["at"]

    return in_round(game, rng, lambda table: len(table["fire"]) > 1, change)


@kind
def tr_shot_added(game, rng, others):
    def change(root, order, table):
        ship = rng.choice(fleet_of(root, order["seat"]))["id"]
        target = rng.choice(fleet_of(root, enemies_of(root, order["seat"])))["id"]
        if table["fire"] and rng.random() < 0.7:
            target = rng.choice(table["fire"])["at"]
        table["fire"].append({"ship": ship, "at": target})

    return in_round(game, rng, lambda table: True, change)


@kind
def tr_shots_dropped(game, rng, others):
    def change(root, order, table):
        if rng.random() < 0.5:
            table["fire"].clear()
        else:
            table["fire"].remove(rng.choice(table["fire"]))

    return in_round(game, rng, lambda table: table["fire"], change)


@kind
def tr_draw(game, rng, others):
    """Offers in some rounds; with those of both seats nothing may follow."""

    def change(root):
        rounds = [order for order in root["order"] if "round" in order]
        if not rounds:
            return False
        place = rng.randrange(len(rounds))
        for order in rounds[place : place + rng.choice((1, 2, 2, 3))]:
            if rng.random() < 0.8:
                order["draw"] = True
            last = order
        return last

    return rebuilt(game, rng, change)


@kind
def tr_draw_with_another(game, rng, others):
    def change(root):
        order = rng.choice([order for order in root["order"] if "round" not in order])
        order["draw"] = True
        return order

    return rebuilt(game, rng, change)


@kind
def tr_another_end(game, rng, others):
    """The game ends with a resignation or a claim in the place of an order."""

    def change(root):
        order = rng.choice(root["order"])
        del order[action_of(order)]
        order.pop("draw", None)
        order[rng.choice(("resign", "resign", "claim-draw"))] = {}
        return order

    return rebuilt(game, rng, change, cut=0.9)


@kind
def tr_round_for_roll(game, rng, others):
    """A round in the place of a roll, or the other way round."""

    def change(root):
        order = some(rng, root, rng.choice(("roll", "round")))
        if order is None:
            return False
        table = order.pop(action_of(order))
        order.pop("draw", None)
        if "fire" in table:
            order["roll"] = {"dice": table["dice"]}
        else:
            order["round"] = {"moves": [], "fire": [], "dice": table["dice"]}
        return order

    return rebuilt(game, rng, change)


@kind
def tr_order_left_out(game, rng, others):
    """A whole round or roll less, the rest signed anew."""

    def change(root):
        order = some(rng, root, rng.choice(("roll", "round")))
        if order is None:
            return False
        root["order"][:] = [other for other in root["order"] if other is not order]

    return rebuilt(game, rng, change)


@kind
def tr_nonce_wrong(game, rng, others):
    """One opened nonce is another, the commitments stay as they were."""
    return nonce_changed(game, rng, lambda nonce, earlier, table: hex_digits(rng, 64))


@kind
def tr_nonce_twice(game, rng, others):
    """One nonce is opened a second time."""
    return nonce_changed(game, rng, lambda nonce, earlier, table: rng.choice(earlier) if earlier else None)


@kind
def tr_nonce_twice_and_sealed(game, rng, others):
    """Harmless: one nonce is committed to, and opened, a second time."""
    return nonce_changed(game, rng, lambda nonce, earlier, table: rng.choice(earlier) if earlier else None, keep=False)


@kind
def tr_nonce_other_and_sealed(game, rng, others):
    """Another nonce, rightly sealed: other dice, and mostly another game from there."""
    return nonce_changed(game, rng, lambda nonce, earlier, table: hex_digits(rng, 64), keep=False)


@kind
def tr_nonce_of_next(game, rng, others):
    return nonce_changed(game, rng, lambda nonce, earlier, table: table["next"])


def nonce_changed(game, rng, new, keep=True):
    root = game.root
    openers = [order for order in root.get("order", []) if type(order[action_of(order)].get("dice")) is dict]
    if not openers:
        return None
    order = rng.choice(openers)
    mine = [other for other in openers if other["seat"] == order["seat"]]
    index = next(number for number, other in enumerate(mine) if other is order)
    place = next(number for number, other in enumerate(root["order"]) if other is order)
    earlier = [other[action_of(other)]["dice"]["nonce"] for other in mine[:index]]
    table = order[action_of(order)]["dice"]
    nonce = new(table["nonce"], earlier, table)
    if nonce is None:
        return None

    def change(root):
        changed = root["order"][place]
        changed[action_of(changed)]["dice"]["nonce"] = nonce
        return changed

    # That commitment has to be right for the nonce that was, under the id of a game that stays the same.
    return rebuilt(game, rng, change, keep=[(order["seat"], index)] if keep else ())


@kind
def tr_nonce_of_another_index(game, rng, others):
    """A nonce rightly sealed, but with the index of another."""

    def change(root):
        last = root["order"][-1]
        table = last[action_of(last)]
        if "deploy" in last or type(table.get("dice")) is not dict:
            return False
        mine = [o for o in root["order"] if o["seat"] == last["seat"] and o is not last]
        index = len(mine) - 1  # seal, deploy and so on: the index of the nonce that `last` opens
        names = {"game": last["game"], "seat": last["seat"], "index": max(0, index + rng.choice((-1, 0, 1))), "nonce": table["dice"]["nonce"]}
        mine[-1][action_of(mine[-1])]["dice"]["next"] = digest("nonce", names)
        keep.append((last["seat"], index))
        return last

    keep = []
    return rebuilt(game, rng, change, keep=keep)


@kind
def tr_fleet_unsealed(game, rng, others):
    """A fleet that is not the one that was sealed: a ship moved, a class changed, the order of the list."""

    def change(root):
        order = some(rng, root, "deploy")
        if order is None:
            return False
        fleet_changed(rng, root, order["deploy"]["fleet"]["ships"])
        keep.append((order["seat"], "fleet"))
        return order

    keep = []
    return rebuilt(game, rng, change, keep=keep)


@kind
def tr_fleet_changed(game, rng, others):
    """A changed fleet, rightly sealed: legal or not."""

    def change(root):
        order = some(rng, root, "deploy")
        if order is None:
            return False
        fleet_changed(rng, root, order["deploy"]["fleet"]["ships"])
        return order

    return rebuilt(game, rng, change)


def fleet_changed(rng, root, ships):
    ship, other = rng.sample(ships, 2)
    way = rng.randrange(8)
    length = root["game"]["options"]["length"]
    if way in (0, 1):
        ship["at"] = near(rng, ship["at"])
    elif way == 2:
        ship["at"], other["at"] = other["at"], ship["at"]
    elif way == 3:
        ship["id"], other["id"] = other["id"], ship["id"]
    elif way == 4:
        rng.shuffle(ships)
    elif way == 5:
        ship["id"] = rng.choice(list(tresurion.CLASSES)) + rng.choice("aab")
    elif way == 6:
        ship["at"] = ship["at"][0] + str(rng.choice((1, 2, 3, length - 2, length - 1, length, length + 1)))
    elif way == 7:
        rng.choice((lambda: ships.remove(ship), lambda: ships.append(dict(ship))))()


@kind
def tr_options_changed(game, rng, others):
    """The same orders under other options."""

    def change(root):
        options = root["game"]["options"]
        length = options["length"]
        way = rng.randrange(7)
        squares = [move["to"] for order in root["order"] if "round" in order for move in order["round"]["moves"]]
        squares += [near(rng, square) for square in squares]
        old = options["asteroids"] + [square for pair in options["wormholes"] for square in pair]
        squares = [s for s in dict.fromkeys(squares) if s[0] in tresurion.LETTERS[: options["width"]] and 3 <= int(s[1:]) <= length - 2 and s not in old]
        rng.shuffle(squares)
        if way == 0:
            options["reach"] = "distance" if options["reach"] == "between" else "between"
        elif way == 1:
            options["width"] = rng.choice((15, options["width"] + 1, 26, 27))
        elif way == 2:
            options["length"] = rng.choice((length + 1, 25))
        elif way in (3, 4):
            options["asteroids"] += squares[: rng.choice((1, 2, 10))]
        elif way == 5:
            pairs = rng.choice((1, 1, 5))
            options["wormholes"] += [squares[2 * i : 2 * i + 2] for i in range(pairs) if len(squares) > 2 * i + 1]
        else:
            options["quiet_turns"] = rng.choice((0, 1, 2))
            order = some(rng, root, "round")
            if order is not None:
                del order["round"]
                order.pop("draw", None)
                order["claim-draw"] = {}
                return order
        return None

    return rebuilt(game, rng, change)


@kind
def tr_seats_swapped(game, rng, others):
    """The seats of the header the other way round, all signed anew: the fleets stand at the wrong ends."""

    def change(root):
        root["game"]["seats"].reverse()

    return rebuilt(game, rng, change)


@kind
def tr_step_of_die(game, rng, others):
    """Each order with another seat's nonce as its own, rightly sealed."""

    def change(root):
        pairs = [order for order in root["order"] if type(order[action_of(order)].get("dice")) is dict]
        if len(pairs) < 2:
            return False
        one, two = rng.sample(pairs, 2)
        first, second = (order[action_of(order)]["dice"] for order in (one, two))
        first["nonce"], second["nonce"] = second["nonce"], first["nonce"]

    return rebuilt(game, rng, change)


# ---------------------------------------------------------------------------------------------------------


def seeds_in(path):
    """{public key: seed}."""
    text = path.read_text(encoding="ascii")
    if "PRIVATE KEY" in text:
        seeds = [base64.b64decode("".join(line for line in text.splitlines() if not line.startswith("-")))[-32:]]
    else:
        seeds = [bytes.fromhex(line) for line in text.split()]
    return {crypto.public_key(seed).hex(): seed for seed in seeds}


def keys_beside(game):
    return sorted((game.parent / "keys").glob("*.pem")) + [
        path for path in [game.with_name(game.name.removesuffix(".toml").removesuffix(".game") + ".keys")] if path.is_file()
    ]


def default_games():
    examples = [game for game in sorted((TESTS.parent / "examples").glob("*/*.game.toml")) if keys_beside(game)]
    return examples + sorted((TESTS / "vectors" / "games").glob("tr-*.game.toml"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="how many copies in all")
    parser.add_argument("--key", type=pathlib.Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), metavar="KIND", help="only these kinds")
    parser.add_argument("folder", type=pathlib.Path, metavar="OUTDIR")
    parser.add_argument("games", type=pathlib.Path, nargs="*", metavar="GAME.toml")
    options = parser.parse_args()
    options.games = options.games or default_games()
    beside = [path for game in options.games for path in keys_beside(game)]
    seeds = {key: seed for path in options.key + beside for key, seed in seeds_in(path).items()}
    games = []
    for path in options.games:
        try:
            games.append(Game(path, seeds))
        except (Refused, KeyError, UnicodeDecodeError) as why:
            print(f"left out: {path}: {why}", file=sys.stderr)
    if not games:
        sys.exit("no good game")
    size.left = 6
    options.folder.mkdir(parents=True, exist_ok=True)
    kinds = options.kind or list(KINDS)
    order = list(range(len(games)))
    count = 0
    turn = 0
    while count < options.count and turn < options.count + 20 * len(KINDS):
        rng = random.Random(f"{options.seed} {turn}")
        name = kinds[turn % len(kinds)]
        if turn % len(kinds) == 0:
            random.Random(f"{options.seed} order {turn}").shuffle(order)
        for place in order[turn % len(order) :] + order[: turn % len(order)]:
            others = [other for other in games if other is not games[place]] or games
            data = KINDS[name](games[place], rng, others)
            if data is not None:
                count += 1
                path = options.folder / f"{games[place].name}-{options.seed}-{turn:05}-{name}.game.toml"
                path.write_bytes(data)
                break
        turn += 1
    print(f"{count} copies of {len(games)} games, {len(kinds)} kinds")


if __name__ == "__main__":
    main()
