#!/usr/bin/env python3
"""Holds the schemas against files, with a validator that is none of ours.

Every schema is itself valid; every game file, order, card, fleet and opening of `examples`
and `tests/vectors` passes, and a proof of the command line's cases; documents that are wrong in one way each do not. A schema sees a
TOML date-time as a string.

    python3 -m pip install -r tests/schemas/requirements.txt
    python3 tests/schemas/validate.py
"""

import copy
import datetime
import json
import pathlib
import sys
import tomllib

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
VECTORS = ROOT / "tests" / "vectors"

passed = 0
failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}")


def plain(value):
    """A TOML value as JSON has it."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value


def read(path):
    return plain(tomllib.loads(path.read_text(encoding="utf-8")))


schemas = {}
for path in sorted((ROOT / "schemas").glob("*.schema.json")):
    schema = json.loads(path.read_text(encoding="utf-8"))
    try:
        Draft202012Validator.check_schema(schema)
        check(schema["$id"] == path.name, f"{path.name}: $id")
    except Exception as error:  # whatever is wrong with it, it is wrong
        check(False, f"{path.name}: {error}")
    schemas[path.name.removesuffix(".schema.json")] = Draft202012Validator(schema)


def good(kind, document, what):
    errors = list(schemas[kind].iter_errors(document))
    first = f"{list(errors[0].path)}: {errors[0].message[:200]}" if errors else ""
    check(not errors, f"{what} is no {kind}: {first}")


def bad(kind, document, what):
    check(not schemas[kind].is_valid(document), f"{what} passes as {kind}")


def files(folder, pattern):
    found = sorted(folder.rglob(pattern))
    check(found, f"no {pattern} below {folder}")
    return found


# Orders that are not even understood; all others of the vectors have the shape of an order.
SHAPELESS = ("06-two-actions", "07-unknown-key")

for folder in (EXAMPLES, VECTORS):
    for path in files(folder, "*.game.toml"):
        good("game", read(path), path.relative_to(ROOT))
    for path in files(folder, "*.order.toml"):
        judge = bad if path.name.startswith(SHAPELESS) else good
        judge("order", read(path), path.relative_to(ROOT))
for path in files(EXAMPLES, "*.card.toml"):
    good("card", read(path), path.relative_to(ROOT))
for path in files(EXAMPLES, "*.fleet.toml"):
    fleet = read(path)
    kinds = ("shield-bashers-fleet", "tresurion-fleet")
    right, other = kinds if "frigate" in fleet else kinds[::-1]
    good(right, fleet, path.relative_to(ROOT))
    bad(other, fleet, path.relative_to(ROOT))
for path in files(EXAMPLES, "opening.toml"):
    good("shield-bashers-opening", read(path), path.relative_to(ROOT))

game = read(EXAMPLES / "two-players" / "friday-night.game.toml")
fleet = read(EXAMPLES / "fleets" / "careful.fleet.toml")
card = read(EXAMPLES / "cards" / "anna.card.toml")
opening = read(EXAMPLES / "two-players" / "opening.toml")
orders = {next(key for key in order if key in ("seal", "deploy", "move", "defend", "audit")): order
          for order in game["order"]}
journal = {
    "key": card["key"],
    "adopted": [{"game": game["position"]["id"], "head": game["position"]["head"]}],
    "order": game["order"][:3],
}
proof = read(ROOT / "tests" / "cmd" / "dispute" / "out" / "blue.proof.toml")
proven = read(ROOT / "tests" / "cmd" / "dispute" / "out" / "demo.game.toml")
entry = next(order for order in proven["order"] if "proof" in order)
good("proof", proof, "a proof file")
good("game", proven, "a game with a proof")
good("waiting", {"order": [entry]}, "a proof that waits")
bad("order", entry, "a proof instead of an order")
bad("journal", journal | {"order": [entry]}, "a journal with a proof")
good("journal", journal, "a journal")
good("journal", {"key": card["key"]}, "an empty journal")
good("waiting", {"order": game["order"][2:]}, "a file of waiting orders")
good("game", {"game": game["game"]}, "a game without orders and position")
arbiter = copy.deepcopy(game)
arbiter["game"]["arbiter"] = card
good("game", arbiter, "a game with an arbiter")

# Without any one key that is not optional, nothing is what it was.
for kind, document, optional in (
    ("card", card, ()),
    ("shield-bashers-fleet", fleet, ()),
    ("shield-bashers-opening", opening, ()),
    ("journal", journal, ("adopted", "order")),
    ("proof", proof, ("order",)),
    *(("order", order, ("press", "draw")) for order in orders.values()),
):
    for key in document:
        if key not in optional:
            bad(kind, {k: v for k, v in document.items() if k != key}, f"one without {key}")
for part in ("game", "position"):
    for key in ("id", "head", "step") if part == "position" else game["game"]:
        changed = copy.deepcopy(game)
        del changed[part][key]
        bad("game", changed, f"one without {part}.{key}")


def changed(document, path, value):
    """The document with one value changed, or added."""
    document = copy.deepcopy(document)
    here = document
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return document


move, defend, audit = orders["move"], orders["defend"], orders["audit"]
upper = move["after"].upper()
WRONG = [
    ("order", move, ["taunt"], "haha", "an unknown key"),
    ("order", move, ["resign"], {}, "two actions"),
    ("order", move, ["after"], upper, "uppercase hex"),
    ("order", move, ["after"], move["after"][:-1], "63 hex digits"),
    ("order", move, ["step"], -1, "a negative step"),
    ("order", move, ["step"], 2**53, "a step beyond 2^53 - 1"),
    ("order", move, ["step"], 1.5, "a fraction of a step"),
    ("order", move, ["step"], "3", "a step in quotes"),
    ("order", move, ["time"], "2026-12-01 08:00:00Z", "a time with a blank"),
    ("order", move, ["time"], "2026-12-01T08:00:00+00:00", "a time with an offset"),
    ("order", move, ["draw"], False, "draw = false"),
    ("order", move, ["press"], "two\nlines", "press on two lines"),
    ("order", move, ["press"], "a \u201cquote\u201d", "a curly quote in press"),
    ("order", move, ["press"], "x" * 2001, "press of 2001 characters"),
    ("order", move, ["seat"], "Red", "a seat with a capital"),
    ("order", move, ["move", "lost"], [], "an empty list lost"),
    ("order", move, ["move", "ship"], "battleship", "an unknown ship"),
    ("order", move, ["move", "speed"], 9, "an unknown key in an action"),
    ("order", move, ["signature", "check"], None, "a null"),
    ("order", defend, ["defend", "secondary", "colour"], "blue", "an unknown colour"),
    ("order", audit, ["audit", "shields"], [], "an audit of nothing"),
    ("game", game, ["proof"], {}, "an unknown key at the root"),
    ("game", game, ["game", "rules"], "shield-bashers/2", "unknown rules"),
    ("game", game, ["game", "format"], "sealed-orders/2", "another format"),
    ("game", game, ["game", "seats"], game["game"]["seats"][:1], "one seat"),
    ("game", game, ["game", "options", "board"], "round", "an unknown board"),
    ("game", game, ["game", "options", "days_per_step"], 366, "too many days"),
    ("game", game, ["game", "options", "speed"], 1, "an unknown option"),
    ("game", game, ["game", "name"], "caf\u00e9", "a name outside ASCII"),
    ("game", game, ["order", 0, "proof"], {}, "an order with an unknown action"),
    ("game", game, ["position", "ships"], 0.5, "a fraction in the position"),
    ("game", game, ["position", "awaits"], None, "a null in the position"),
    ("proof", proof, ["proof", "orders"], proof["proof"]["orders"][:1], "a proof of one order"),
    ("proof", proof, ["proof", "motive"], "greed", "a proof with a motive"),
    ("proof", proof, ["position"], {}, "a proof file with a position"),
    ("proof", proof, ["proof", "claim"], {}, "a claim that is no order"),
    ("waiting", {"order": [entry]}, ["order", 0, "signature"], move["signature"], "a signed proof"),
    ("waiting", {"order": [entry]}, ["order", 0, "seat"], "red", "a proof from a seat"),
    ("card", card, ["phone"], "1", "an unknown key in a card"),
    ("card", card, ["mail"], "a", "a mail address of one letter"),
    ("shield-bashers-fleet", fleet, ["cruiser", "primary"], "red", "an unknown colour in a fleet"),
    ("shield-bashers-fleet", fleet, ["battleship"], fleet["cruiser"], "a fourth ship"),
    ("shield-bashers-opening", opening, ["layer"], "primary", "the opening of a primary"),
    ("shield-bashers-opening", opening, ["salt"], "0x" + opening["salt"][2:], "a salt with 0x"),
    ("waiting", {"order": []}, ["order"], [], "nothing that waits"),
    ("journal", journal, ["seed"], card["key"], "a journal with a seed"),
]
for kind, document, path, value, what in WRONG:
    bad(kind, changed(document, path, value), what)

print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
