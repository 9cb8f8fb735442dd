#!/usr/bin/env python3
"""Does `verify.sh` of a bundle say GOOD of what is good, and BAD of every forgery, for the right reason?

    python3 tests/bundle/check.py --sealed target/debug/sealed [--break] [--only WORD]

The script is run as a third person would run it: by dash, in an empty environment, with a PATH that holds
openssl and the programs of the coreutils and nothing else.

`--break` takes each check of verify.sh out in turn, and shows that a forgery then slips through: that every one
of them is needed, and that this test would notice if it were gone.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import forge
import tampering
from forge import ROOT, VERIFY, Game, crypto

COREUTILS = "base64 cat cmp cut dirname head mkdir mktemp od rm sha256sum sort tail tr".split()
EXAMPLES = sorted(ROOT.glob("examples/*/*.game.toml")) + sorted(ROOT.glob("tests/vectors/games/*.game.toml"))

# Checks that stand before another that would find the same: by what else it is found when the check is gone.
FOUND_ELSEWHERE = {
    "it is not in this folder": "nothing can be read then",
    "it is not 64 hex digits": "no such key is one for openssl",
    "its y is not less than 2^255 - 19": "one of small order stands in the list of these; nobody can sign for another",
    "this game has no seat of that name": "there is no key to verify with",
    "this game has no arbiter": "there is no key to verify with",
    "r and s are not 64 hex digits each": "openssl refuses the signature",
    "the y of r is not less than 2^255 - 19": "openssl compares with canonical bytes",
    "s is not less than the order of the group": "this openssl refuses it, others did not",
    "it holds a control character, or its last line does not end": "a shell reads over it, and the bytes differ",
    "the heading $line does not belong here": "its lines are read as of another part",
    "this is no line of a game": "it is no value either",
    "the value is not spelt as here every value is": "the bytes made of it are not those that were signed",
    "there is none": "openssl refuses an empty signature",
    "it names no step": "the numbers of steps differ",
    "there is no [position]": "the numbers of steps differ",
    "the game needs it": "the digests of the files cannot be compared",
}


class Broken(Exception):
    """The check itself cannot be made."""


def tools_folder(at, without=None):
    """A PATH with nothing but what a third person is told to have."""
    at.mkdir()
    for name in [*COREUTILS, "openssl"]:
        found = shutil.which(name)
        if not found:
            raise Broken(f"{name} is needed")
        if name != without:
            (at / name).symlink_to(found)
    shell = shutil.which("dash")
    if not shell:
        raise Broken("dash is needed: it is the plainest of the POSIX shells")
    (at / "sh").symlink_to(shell)
    return at


def verify(folder, tools, asked=None):
    """The last line that verify.sh says, and its exit code."""
    words = [str(tools / "sh"), str(folder / "verify.sh")] + ([asked] if asked else [])
    done = subprocess.run(words, env={"PATH": str(tools)}, capture_output=True, text=True, check=False, cwd="/")
    if done.stderr and not done.stdout.startswith("BAD"):
        return f"on stderr: {done.stderr}", done.returncode
    lines = done.stdout.splitlines() or [""]
    return lines[-1] if len(lines) == 1 else done.stdout, done.returncode


def install(folder, script):
    """Puts a verify.sh into a bundle, in the list of files too, if it stands there."""
    import hashlib

    (folder / "verify.sh").write_text(script)
    listed = folder / "lists" / "files.txt"
    if listed.is_file():
        digest = hashlib.sha256(script.encode()).hexdigest()
        listed.write_text(re.sub(r"(?m)^[0-9a-f]{64}  verify\.sh$", f"{digest}  verify.sh", listed.read_text()))


# ---------------------------------------------------------------------------------------------------------
# Games to begin with.

TINY_SEEDS = {"red": b"r" * 32, "blue": b"b" * 32, "arbiter": b"a" * 32}


def tiny_game():
    """A game with an arbiter that forfeits a player at once: nothing in it is opened, so its header can be changed."""
    key = {seat: crypto.public_key(seed).hex() for seat, seed in TINY_SEEDS.items()}
    game = Game(
        f"""[game]
arbiter = {{ key = "{key["arbiter"]}", mail = "a@example.org", name = "Zoe" }}
created = 2026-11-30T08:00:00Z
format = "sealed-orders/1"
name = "tiny"
nonce = "{"5a" * 32}"
options = {{ board = "half", days_per_step = 7, first = "red", memory_aid = true }}
rules = "shield-bashers/1"

[[game.seats]]
key = "{key["red"]}"
mail = "r@example.org"
name = "Anna"
seat = "red"

[[game.seats]]
key = "{key["blue"]}"
mail = "b@example.org"
name = "Bert"
seat = "blue"

[position]
head = ""
id = ""
step = 0

[[order]]
after = ""
game = ""
seal = {{ dice = "{"1a" * 32}", fleet = "{"2b" * 32}", fresh = "{"3c" * 16}" }}
seat = "red"
step = 0
time = 2026-12-01T08:00:00Z
signature = {{}}

[[order]]
after = ""
forfeit = {{ reason = "No answer for a year.", seat = "blue" }}
game = ""
seat = "arbiter"
step = 0
time = 2026-12-02T08:00:00Z
signature = {{}}
"""
    )
    game.chain(TINY_SEEDS)
    return game


def seeds_of(folder):
    return {path.name.split(".")[0]: forge.private_key(path) for path in folder.glob("*.pem")}


def make_bases(sealed, at):
    """The bundles that are tampered with, each with the keys of its players."""
    at.mkdir()
    tiny = at / "tiny.game.toml"
    tiny.write_text(tiny_game().text())
    # The position of the tiny game is left to the program.
    tiny.write_text(re.sub(r"\[position\].*?\n\n", "", tiny.read_text(), flags=re.S))
    games = {
        "midst": (ROOT / "examples/in-the-midst/friday-night.game.toml", seeds_of(ROOT / "examples/two-players/keys")),
        "narrows": (
            ROOT / "examples/tresurion-narrows/narrows.game.toml",
            seeds_of(ROOT / "examples/tresurion-narrows/keys"),
        ),
        "tiny": (tiny, TINY_SEEDS),
    }
    bases = {}
    for name, (file, keys) in games.items():
        folder = at / name
        subprocess.run([sealed, "bundle", file, "-o", folder], check=True, capture_output=True)
        if (folder / "verify.sh").read_text() != VERIFY:
            raise Broken("the program is older than src/report/bundle/verify.sh: build it first")
        bases[name] = (folder, Game((folder / "game.toml").read_text()), keys)
    return bases


def same_folders(one, two):
    files = [{path.relative_to(top): path.read_bytes() for path in top.rglob("*") if path.is_file()} for top in (one, two)]
    return files[0] == files[1]


# ---------------------------------------------------------------------------------------------------------
# Tampering.


def tamper(case, bases, at, script=VERIFY):
    """Makes the forged bundle of a case; by a cheat that rebuilds with another script, if one is named."""
    source, game, keys = bases[case["base"]]
    shutil.copytree(source, at, symlinks=True)
    if case in tampering.FOLDERS:
        case["change"](at)
        if script != VERIFY:
            install(at, script)
        return
    changed = game.copy()
    changed.was, changed.other = game, bases["narrows"][1]
    case["change"](changed, keys)
    text = changed.text().encode()
    (at / "verify.sh").write_text(script)
    forge.rebuild(at, case["bytes"](text) if "bytes" in case else text, case.get("crude", False), script)


def openssl_takes(folder, name):
    """Whether openssl alone believes an order."""
    seat = name.split("-")[1]
    words = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", folder / "keys" / f"{seat}.pem"]
    words += ["-in", folder / "orders" / f"{name}.json", "-sigfile", folder / "orders" / f"{name}.sig"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def try_case(case, bases, work, tools):
    """Nothing if verify.sh says of a forgery what it must, else what is wrong."""
    at = work / case["folder"]
    try:
        tamper(case, bases, at)
    except (AssertionError, LookupError, StopIteration, ValueError) as error:
        return f"the forgery cannot be made: {error!r}"
    if "openssl_takes" in case and not openssl_takes(at, case["openssl_takes"]):
        return "openssl alone refuses it already, so the forgery is none"
    said, code = verify(at, tools, case.get("asked"))
    if code != 1 or not said.startswith(case["says"]):
        return f"it must begin with {case['says']!r}, and is (exit {code}): {said}"
    return None


# ---------------------------------------------------------------------------------------------------------
# Breaking.

CALL = re.compile(r'\bbad "[^\n]*')


def broken_scripts():
    """verify.sh with each check that says BAD taken out; what the check says; and one that numbers its checks."""
    calls = list(CALL.finditer(VERIFY))
    numbered = VERIFY.replace("printf 'BAD: %s, %s: %s\\n' \"$1\" \"$2\" \"$3\"", "printf 'CHECK %s\\n' \"$1\"", 1)
    places = itertools.count()
    numbered = re.sub(r'\bbad (?=")', lambda _: f"bad {next(places)} ", numbered)
    scripts = [(VERIFY[: call.start()] + ":" + VERIFY[call.start() + 3 :], call.group()) for call in calls]
    return scripts, numbered


def break_checks(cases, bases, work, tools, pool):
    scripts, numbered = broken_scripts()

    def which(case):
        folder = work / case["folder"]
        install(folder, numbered)
        said, _ = verify(folder, tools, case.get("asked"))
        return int(said.split()[1]) if said.startswith("CHECK ") else None

    by_check = {}
    for case, number in zip(cases, pool.map(which, cases), strict=True):
        if number is None:
            raise Broken(f"{case['name']}: no check is known that finds it")
        by_check.setdefault(number, []).append(case)

    def slips(number):
        """What verify.sh says without a check, of the forgeries that only it should find."""
        script, call = scripts[number]
        said = []
        for case in by_check.get(number, []):
            # A folder of its own, since another check may be broken in the same one just now.
            folder = work / f"{case['folder']}-{number}"
            shutil.copytree(work / case["folder"], folder, symlinks=True)
            install(folder, script)
            line, _ = verify(folder, tools, case.get("asked"))
            shutil.rmtree(folder)
            said.append((case["name"], line))
            if line.startswith("GOOD"):
                break
        return call, said

    wrong, slipped, elsewhere, used = [], 0, 0, set()
    for call, said in pool.map(slips, range(len(scripts))):
        why = call.rsplit('"', 2)[1]
        if any(line.startswith("GOOD") for _, line in said):
            slipped += 1
        elif not said:
            wrong.append(f"no forgery is there for the check: {call}")
        elif why in FOUND_ELSEWHERE:
            elsewhere += 1
            used.add(why)
        else:
            wrong.append(f"without the check, all is found elsewhere: {call}\n    {said}")
    wrong += [f"not found elsewhere, so it needs no excuse: {why}" for why in FOUND_ELSEWHERE.keys() - used]
    by_name = {case["name"]: case for case in cases}

    def slips_by(part):
        """What is wrong, if a forgery does not slip through without a part of verify.sh."""
        number, (old, new, names, *more) = part
        if VERIFY.count(old) != 1 or (more and VERIFY.count(more[0]) != 1):
            return f"verify.sh has no single {old!r} to be taken out"
        script = VERIFY.replace(old, new).replace(*more or ("", ""))
        for name in names:
            at = work / f"part-{number}-{by_name[name]['folder']}"
            tamper(by_name[name], bases, at, script)
            said, _ = verify(at, tools)
            shutil.rmtree(at)
            if not said.startswith("GOOD"):
                return f"without {old!r} the forgery {name!r} is found elsewhere: {said}"
        return None

    if len(by_name) != len(cases):
        raise Broken("two forgeries have one name")
    parts = [part for part in tampering.BREAKS if all(name in by_name for name in part[2])]
    more_wrong = list(filter(None, pool.map(slips_by, enumerate(parts))))
    wrong += more_wrong
    print(f"{len(parts)} parts taken out: {len(parts) - len(more_wrong)} let a forgery through")
    print(f"{len(scripts)} checks taken out: {slipped} let a forgery through, {elsewhere} are found elsewhere too")
    return wrong


# ---------------------------------------------------------------------------------------------------------


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sealed", required=True)
    arguments.add_argument("--break", dest="break_", action="store_true")
    arguments.add_argument("--only", default="", help="only forgeries with this word in their names")
    arguments.add_argument("--games", type=int, default=len(EXAMPLES), help="how many whole games are checked as GOOD")
    chosen = arguments.parse_args()
    sealed = os.path.abspath(chosen.sealed)
    begun = time.monotonic()
    wrong = []
    with tempfile.TemporaryDirectory(prefix="bundles-") as folder:
        work = pathlib.Path(folder)
        tools = tools_folder(work / "tools")
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)

        def good(file):
            at = work / f"good-{file.parent.name}-{file.name}"
            subprocess.run([sealed, "bundle", file, "-o", at], check=True, capture_output=True)
            game = Game((at / "game.toml").read_text())
            said, code = verify(at, tools, game.id())
            valid = subprocess.run([sealed, "verify", at / "game.toml"], capture_output=True, text=True, check=False)
            if code != 0 or not said.startswith(f"GOOD: {game.id()} "):
                return f"{file}: {said}"
            if valid.returncode != 0 or "differs" in valid.stdout:
                return f"{file}: sealed verify does not read the game.toml of its bundle: {valid.stdout}"
            return None

        bases = make_bases(sealed, work / "bases")
        if not chosen.only:
            examples = EXAMPLES[: chosen.games]
            wrong += filter(None, pool.map(good, examples))
            print(f"{len(examples)} whole games: {len(wrong)} not GOOD ({time.monotonic() - begun:.0f} s)", flush=True)
            for name, (source, game, _) in bases.items():
                said, code = verify(source, tools)
                copy = work / f"copy-{name}"
                shutil.copytree(source, copy)
                forge.rebuild(copy, game)
                if code != 0 or not same_folders(source, copy):
                    wrong.append(f"{name}: not GOOD, or a cheat that changes nothing makes other files: {said}")
            for missing in [*COREUTILS, "openssl"]:
                fewer = tools_folder(work / f"without-{missing}", missing)
                said, code = verify(bases["midst"][0], fewer)
                if code != 2 or said != f"CANNOT CHECK: the program {missing} is missing":
                    wrong.append(f"without {missing}: exit {code}, {said}")

        cases = [case for case in tampering.GAMES + tampering.FOLDERS if chosen.only in case["name"]]
        for number, case in enumerate(cases):
            case["folder"] = f"case-{number:03}"
        failed = 0
        for case, why in zip(cases, pool.map(lambda case: try_case(case, bases, work, tools), cases), strict=True):
            if why:
                failed += 1
                wrong.append(f"{case['name']}: {why}")
        print(f"{len(cases)} forgeries: {failed} not found as they must be ({time.monotonic() - begun:.0f} s)", flush=True)
        if chosen.break_ and not wrong:
            wrong += break_checks(cases, bases, work, tools, pool)
        print(f"done in {time.monotonic() - begun:.0f} s")
    for line in wrong:
        print(f"WRONG  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken as why:
        sys.exit(f"cannot check: {why}")
