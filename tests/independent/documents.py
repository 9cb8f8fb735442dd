"""Documents: TOML text, the spelling of values, canonical text and digests (PROTOCOL.md, sections 1 to 5)."""

import datetime
import hashlib
import json
import re
import tomllib

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 16
MAX_INTEGER = 2**53 - 1

SHIPS = ("frigate", "destroyer", "cruiser")
LAYERS = ("secondary", "tertiary")
COLOURS = ("white", "grey", "black")


class Refused(Exception):
    """The document, order or file is not accepted; the text says why."""


class Time(str):
    """A date-time of a document, in the 20 characters in which it was written."""


# ---------------------------------------------------------------------------------------------------------
# TOML

# tomllib turns a date-time into an object and forgets how it was written. So every date-time that is written
# in exactly the 20 wanted characters becomes a marked string before tomllib sees the text, and a Time after
# that. One that is written otherwise stays a datetime object, which is refused. Likewise tomllib makes `-0` and
# `0` the same; so `-0` becomes another negative number, one that no text holds. (Where it is a key, that only
# renames an unknown key.) For this the text must be cut into strings, comments and the rest; brackets and dots
# are counted on the way, so that a text nested senselessly deep is refused before it costs anything.
TOKEN = re.compile(
    r'(?P<string>"""(?:\\[\s\S]|[^\\"]|"(?!""))*(?P<end1>"{3,5})?'
    r"|'''(?:[^']|'(?!''))*(?P<end2>'{3,5})?"
    r'|"(?:\\[^\n]|[^"\\\n])*(?P<end3>")?'
    r"|'[^'\n]*(?P<end4>')?)"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"
    r"|(?P<minus>(?<![\w+.-])-0(?![\w+.-]))"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<dot>\.)|(?P<separator>[\n,=])"
)


def mark_times(text, mark):
    depth = dots = 0

    def replace(match):
        nonlocal depth, dots
        kind = match.lastgroup
        token = match.group()
        if kind in ("string", "end1", "end2", "end3", "end4"):
            if not (match["end1"] or match["end2"] or match["end3"] or match["end4"]):
                raise Refused("TOML: a string does not end")
        elif kind == "time":
            try:
                datetime.datetime.strptime(token, "%Y-%m-%dT%H:%M:%SZ")
            except ValueError:
                raise Refused(f"TOML: no such time: {token}") from None
            if token[17:19] > "59":
                raise Refused(f"TOML: no such time: {token}")
            return f"'{mark}{token}'"
        elif kind == "minus":
            return "-" + str(int(mark.split()[1], 16) + 1)
        elif kind == "dot":
            dots += 1
            if dots > MAX_DEPTH:
                raise Refused("nested too deep")
        elif kind != "comment":
            dots = 0
            depth += (kind == "open") - (kind == "close")
            if depth > MAX_DEPTH:
                raise Refused("nested too deep")
        return token

    return TOKEN.sub(replace, text)


def unmark_times(value, mark, depth=1):
    if type(value) in (dict, list) and depth > MAX_DEPTH:
        raise Refused("nested too deep")
    if type(value) is dict:
        if any(key.startswith(mark) for key in value):
            raise Refused("TOML: a date-time is no key")
        return {key: unmark_times(member, mark, depth + 1) for key, member in value.items()}
    if type(value) is list:
        return [unmark_times(member, mark, depth + 1) for member in value]
    if type(value) is str and value.startswith(mark):
        return Time(value[len(mark):])
    if type(value) is int and not 0 <= value <= MAX_INTEGER:
        raise Refused("an integer that is negative or above 2^53 - 1")
    if type(value) not in (dict, list, str, int, bool):
        raise Refused(f"a {type(value).__name__}, or a time spelt otherwise than YYYY-MM-DDTHH:MM:SSZ")
    return value


def parse(data):
    """The root table of a document, given as bytes."""
    if len(data) > MAX_BYTES:
        raise Refused("longer than 8 MiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"not UTF-8: {error}") from None
    if text.startswith("\ufeff"):
        raise Refused("begins with a byte order mark")
    mark = "time " + hashlib.sha256(data).hexdigest() + " "  # no text can hold its own digest
    marked = mark_times(text.replace("\r\n", "\n"), mark)
    try:
        root = tomllib.loads(marked)
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise Refused("TOML: " + str(error).replace(mark, "")) from None
    except RecursionError:
        raise Refused("nested too deep") from None
    return unmark_times(root, mark)


def read(path):
    try:
        with open(path, "rb") as file:
            return parse(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from None
    except ValueError:
        raise Refused("cannot be read: not a path") from None


# ---------------------------------------------------------------------------------------------------------
# Canonical text and digest


def canonical(value):
    """RFC 8785 for objects, arrays, strings, integers and booleans. All keys are ASCII here."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def preimage(tag, value):
    return f"sealed-orders/1 {tag}\n{canonical(value)}".encode("utf-8")


def digest(tag, value):
    return hashlib.sha256(preimage(tag, value)).hexdigest()


# ---------------------------------------------------------------------------------------------------------
# Checks of single values. Each takes a value and the name of its place, and refuses or returns nothing.


def string(pattern, what):
    regex = re.compile(pattern)

    def check(value, where):
        if type(value) is not str or not regex.fullmatch(value):
            raise Refused(f"{where}: not {what}")

    return check


def one_of(*values):
    return string("|".join(re.escape(value) for value in values), "one of " + ", ".join(values))


def integer(most, least=0):
    def check(value, where):
        if type(value) is not int or not least <= value <= most:
            raise Refused(f"{where}: not an integer from {least} to {most}")

    return check


def boolean(value, where):
    if type(value) is not bool:
        raise Refused(f"{where}: not a boolean")


def true(value, where):
    if value is not True:
        raise Refused(f"{where}: may only be true, or absent")


def time(value, where):
    if type(value) is not Time:
        raise Refused(f"{where}: not a time spelt YYYY-MM-DDTHH:MM:SSZ")


def table(required, optional={}):
    def check(value, where):
        if type(value) is not dict:
            raise Refused(f"{where}: not a table")
        for key in value:
            if key not in required and key not in optional:
                raise Refused(f"{where}: unknown key {key!r}")
        for key, check_member in required.items():
            if key not in value:
                raise Refused(f"{where}: {key!r} is missing")
            check_member(value[key], f"{where}.{key}")
        for key, check_member in optional.items():
            if key in value:
                check_member(value[key], f"{where}.{key}")

    return check


def list_of(check_element, least=0, most=None):
    def check(value, where):
        if type(value) is not list:
            raise Refused(f"{where}: not a list")
        if len(value) < least or (most is not None and len(value) > most):
            raise Refused(f"{where}: a wrong number of elements, {len(value)}")
        for number, element in enumerate(value):
            check_element(element, f"{where}[{number}]")

    return check


hex64 = string("[0-9a-f]{64}", "64 lowercase hexadecimal digits")
hex32 = string("[0-9a-f]{32}", "32 lowercase hexadecimal digits")
hex8 = string("[0-9a-f]{8}", "8 lowercase hexadecimal digits")
seat_name = string("[a-z][a-z0-9-]{0,15}", "a seat name")
any_string = string(r"(?s:.*)", "a string")
name = string("[ -~]{1,64}", "1 to 64 printable ASCII characters")
mail = string("[ -~]{3,254}", "3 to 254 printable ASCII characters")
reason = string("[ -~]{1,500}", "1 to 500 printable ASCII characters")
ship = one_of(*SHIPS)
layer = one_of(*LAYERS)
colour = one_of(*COLOURS)

FORBIDDEN_IN_PRESS = (
    (0x0000, 0x001F), (0x007F, 0x00A0), (0x00AD, 0x00AD), (0x2000, 0x206F), (0x2212, 0x2212), (0x3000, 0x3000),
    (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFF02, 0xFF02), (0xFF07, 0xFF07),
    (0xE0001, 0x10FFFF),
)  # fmt: skip


def press(value, where):
    if type(value) is not str or len(value) > 2000:
        raise Refused(f"{where}: not a string of at most 2,000 characters")
    for character in value:
        if any(first <= ord(character) <= last for first, last in FORBIDDEN_IN_PRESS):
            raise Refused(f"{where}: U+{ord(character):04X} is not allowed")


# ---------------------------------------------------------------------------------------------------------
# The header, section 3 (all but the curve points of 3.1), 13.1 and 19.1

CORNERS_OF_BOARD = {"full": 4, "half": 2, "wedges3": 3, "wedges5": 5, "wedges6": 6}

REACHES = ("between", "distance")
square_form = string("[a-z][1-9][0-9]*", "a square")

OPTIONS = {
    "shield-bashers/1": table(
        {
            "board": one_of(*CORNERS_OF_BOARD),
            "first": any_string,
            "memory_aid": boolean,
            "days_per_step": integer(365),
        }
    ),
    "tresurion/1": table(
        {
            "width": integer(26, 15),
            "length": integer(99, 25),
            "reach": one_of(*REACHES),
            "quiet_turns": integer(1000),
            "asteroids": list_of(square_form),
            "wormholes": list_of(list_of(square_form, 2, 2)),
            "days_per_step": integer(365),
        }
    ),
}
MOST_SEATS = {"shield-bashers/1": 6, "tresurion/1": 2}


def header_form(header, where):
    rules = header.get("rules") if type(header) is dict else None
    if type(rules) is not str or rules not in OPTIONS:
        raise Refused(f"{where}.rules: not one of {', '.join(OPTIONS)}")
    table(
        {
            "format": one_of("sealed-orders/1"),
            "rules": one_of(*OPTIONS),
            "name": name,
            "created": time,
            "nonce": hex64,
            "options": OPTIONS[rules],
            "seats": list_of(table({"seat": seat_name, "name": name, "mail": mail, "key": hex64}), 2, MOST_SEATS[rules]),
        },
        {"arbiter": table({"name": name, "mail": mail, "key": hex64})},
    )(header, where)


def check_header(header):
    header_form(header, "game")
    seats = [entry["seat"] for entry in header["seats"]]
    keys = [entry["key"] for entry in header["seats"]]
    if "arbiter" in header:
        keys.append(header["arbiter"]["key"])
    if len(set(seats)) < len(seats):
        raise Refused("game.seats: two seats of one name")
    if "arbiter" in seats or "roll" in seats:
        raise Refused("game.seats: `arbiter` and `roll` are no seat names")
    if len(set(keys)) < len(keys):
        raise Refused("game: one key twice")
    options = header["options"]
    if header["rules"] == "tresurion/1":
        check_terrain(options)
        return
    if options["first"] != "roll" and options["first"] not in seats:
        raise Refused("game.options.first: neither `roll` nor a seat")
    if CORNERS_OF_BOARD[options["board"]] < len(seats):
        raise Refused("game.options.board: too few corners for the seats")


def square_on_board(text, width, length):
    """(file, rank), both from 1 on, of a square of the board; None if the text names none (19.1)."""
    if not re.fullmatch("[a-z][1-9][0-9]?", text):
        return None
    file, rank = ord(text[0]) - ord("a") + 1, int(text[1:])
    return (file, rank) if file <= width and rank <= length else None


def check_terrain(options):
    squares = options["asteroids"] + [square for pair in options["wormholes"] for square in pair]
    for text in squares:
        square = square_on_board(text, options["width"], options["length"])
        if square is None:
            raise Refused(f"game.options: {text!r} is not on the board")
        if not 3 <= square[1] <= options["length"] - 2:
            raise Refused(f"game.options: {text!r} is on a rank of deployment")
    if len(set(squares)) < len(squares):
        raise Refused("game.options: a square of terrain twice")


# ---------------------------------------------------------------------------------------------------------
# Orders, sections 5, 11, 12, 13.4, 19.2 and 19.4: the form only

opening = table({"colour": colour, "salt": hex64})
lost = list_of(table({"ship": ship, "colour": colour, "salt": hex64}), 1)
empty = table({})
fleet_ship = table({"square": any_string, "primary": colour, "secondary": hex64, "tertiary": hex64})

open_dice = table({"nonce": hex64, "next": hex64})
SHARED_ACTIONS = {
    "seal": table({"fresh": hex32, "fleet": hex64, "dice": hex64}),
    "claim-draw": empty,
    "resign": empty,
    "forfeit": table({"seat": any_string, "reason": reason}),
    "ruling": table({"result": one_of("void", "draw"), "reason": reason}),
}


def deploy(fleet):
    return table({"salt": hex64, "fleet": fleet, "dice": open_dice})


ACTIONS = {
    "shield-bashers/1": SHARED_ACTIONS
    | {
        "deploy": deploy(table({kind: fleet_ship for kind in SHIPS})),
        "move": table({"ship": ship, "to": any_string}, {"secondary": opening, "lost": lost}),
        "final-battle": table({}, {"secondary": opening, "lost": lost}),
        "defend": table({"secondary": opening}, {"tertiary": opening, "lost": lost}),
        "accept-draw": empty,
        "audit": table({"shields": list_of(table({"ship": ship, "layer": layer, "colour": colour, "salt": hex64}))}),
    },
    "tresurion/1": SHARED_ACTIONS
    | {
        "deploy": deploy(table({"ships": list_of(table({"id": any_string, "at": any_string}))})),
        "round": table(
            {
                "moves": list_of(table({"ship": any_string, "to": any_string})),
                "fire": list_of(table({"ship": any_string, "at": any_string})),
                "dice": open_dice,
            }
        ),
        "roll": table({"dice": open_dice}),
    },
}
ARBITER_ACTIONS = ("forfeit", "ruling")
ACTIONS_WITH_DRAW = {"shield-bashers/1": ("move", "defend", "final-battle"), "tresurion/1": ("round",)}

signature_form = table({"check": hex8, "r": hex64, "s": hex64})


class Order:
    """An order whose form is right."""

    def __init__(self, value, where="order", rules="shield-bashers/1"):
        if type(value) is not dict:
            raise Refused(f"{where}: not a table")
        actions = [key for key in value if key in ACTIONS[rules]]
        if len(actions) != 1:
            raise Refused(f"{where}: needs exactly one action, has {len(actions)}")
        self.action = actions[0]
        table(
            {
                "game": hex64,
                "after": hex64,
                "step": integer(MAX_INTEGER),
                "seat": any_string,
                "time": time,
                self.action: ACTIONS[rules][self.action],
                "signature": signature_form,
            },
            {"press": press, "draw": true},
        )(value, where)
        self.draw = "draw" in value
        if self.draw and self.action not in ACTIONS_WITH_DRAW[rules]:
            raise Refused(f"{where}: `draw` cannot go with `{self.action}`")
        self.where = where
        self.game = value["game"]
        self.after = value["after"]
        self.step = value["step"]
        self.seat = value["seat"]
        self.table = value[self.action]
        self.signature = value["signature"]
        body = {key: member for key, member in value.items() if key != "signature"}
        self.message = preimage("order", body)
        self.digest = hashlib.sha256(self.message).hexdigest()
