#!/usr/bin/env python3
"""Breaks each rule in the code in turn, and counts that a test fails each time.

    python3 tests/break_rules/break_rules.py              all of breaks.toml
    python3 tests/break_rules/break_rules.py --quick      a small fixed sample
    python3 tests/break_rules/break_rules.py --only SB-14 those of one ruling (or part of `what`)
    python3 tests/break_rules/break_rules.py --only TR-   those of one game
    python3 tests/break_rules/break_rules.py --check      only whether every search text is found

The tree is copied (without the program, which the tests do not need), so nothing here is
changed. The copy and what was built for it are kept in target/break_rules for the next run.

The script fails when a break goes unnoticed; when a search text is not found exactly once;
when a broken tree does not compile (that would prove nothing); when the unbroken tree fails;
when a ruling SB-1 to SB-23 or TR-1 to TR-18 has no break.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULINGS = [f"SB-{n}" for n in range(1, 24)] + [f"TR-{n}" for n in range(1, 19)]
TESTS = ["cases", "cases_tresurion", "vectors"]
# In this order: the first that fails ends the run of one break. The quickest comes first. A
# break of a ruling has to be noticed by its own game's cases, or by the vectors.
VECTORS = [("vectors", [])]
SHIELD_BASHERS = [("cases", ["--exact", "every_case"]), ("cases", [])]
TRESURION = [("cases_tresurion", ["--exact", "every_case"]), ("cases_tresurion", [])]
# A break may make a test run for ever; that is noticed, too.
LONGEST = 120


class Fault(Exception):
    """Something that makes the count worthless."""


def write(path, text):
    """Writes only what changed: cargo builds again what has a newer time."""
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def copy_tree(copy, more=()):
    """Brings the copy in line with the tree."""
    wanted = {}
    for part in ["src", "tests/cases", "tests/refusals", "tests/vectors", "docs", *more]:
        for path in (ROOT / part).rglob("*"):
            if path.is_file() and "src/bin" not in path.as_posix():
                wanted[path.relative_to(ROOT)] = path.read_bytes()
    for name in [f"tests/{test}.rs" for test in TESTS] + ["Cargo.lock"]:
        wanted[Path(name)] = (ROOT / name).read_bytes()
    # The program is left out: cargo would link it anew for each break.
    lines, skip = [], False
    for line in (ROOT / "Cargo.toml").read_text().splitlines():
        if line.startswith("["):
            skip = line in ("[[bin]]", "[[bench]]", "[[example]]")
        if not skip and not line.startswith(("default-run", "readme")):
            lines.append(line)
    # A workspace of its own, whatever the folders above it are.
    wanted[Path("Cargo.toml")] = ("\n".join([*lines, "[workspace]"]) + "\n").encode()
    for part in ["src", "tests", "docs"]:
        for path in (copy / part).rglob("*"):
            if path.is_file() and path.relative_to(copy) not in wanted:
                path.unlink()
    for name, text in wanted.items():
        write(copy / name, text)


def edits_of(entry):
    first = {key: entry[key] for key in ("file", "search", "replace")}
    return [first, *entry.get("edits", [])]


def broken(entry, tree):
    """The files of one break with their broken text."""
    changed = {}
    for edit in edits_of(entry):
        place = tree / "src" / edit["file"]
        files = sorted(place.rglob("*.rs")) if place.is_dir() else [place]
        texts = {file: changed.get(file) or file.read_text() for file in files if file.exists()}
        count = sum(text.count(edit["search"]) for text in texts.values())
        if count != 1:
            raise Fault(f"{label(entry)}: found {count} times in {edit['file']}: {edit['search']!r}")
        for file, text in texts.items():
            if edit["search"] in text:
                changed[file] = text.replace(edit["search"], edit["replace"])
    return changed


def is_meant(entry, only):
    rule = entry["rule"]
    return rule == only or (only.endswith("-") and rule.startswith(only)) or only in entry["what"]


def label(entry):
    return f"{entry['rule']}: {entry['what']}"


def build(copy, test, level="0"):
    """Builds one test; gives its program, or nothing and what the compiler said."""
    environment = dict(os.environ)
    environment.update(
        CARGO_TARGET_DIR=str(copy / "target"),
        CARGO_INCREMENTAL="1",
        # With breaks building matters more than running.
        CARGO_PROFILE_DEV_OPT_LEVEL=level,
        CARGO_PROFILE_DEV_DEBUG="0",
    )
    command = ["cargo", "test", "--no-run", "--quiet", "--test", test, "--message-format", "json"]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0:
        errors = [
            message["message"]["rendered"]
            for message in messages
            if message.get("reason") == "compiler-message" and message["message"]["level"] == "error"
        ]
        return None, "\n".join(errors) or done.stderr
    for message in messages:
        if message.get("executable") and message["target"]["name"] == test:
            return message["executable"], ""
    return None, f"cargo names no program for {test}"


def fails(copy, test, choice):
    """Whether a test fails; in words what of it did."""
    program, errors = build(copy, test)
    if program is None:
        raise Fault(f"it does not compile, so it proves nothing:\n{errors}")
    environment = dict(os.environ, CARGO_MANIFEST_DIR=str(copy), RUST_BACKTRACE="0")
    environment.pop("WRITE_REFUSALS", None)
    try:
        done = subprocess.run(
            [program, "--quiet", *choice], cwd=copy, env=environment, capture_output=True, text=True, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return f"{test}: it does not end"
    if done.returncode == 0:
        return ""
    names = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("---- ")]
    return f"{test}: {', '.join(names) or 'it ended early'}"


def runs_of(rule):
    if rule.startswith("SB-"):
        return SHIELD_BASHERS + VECTORS
    if rule.startswith("TR-"):
        return TRESURION + VECTORS
    return SHIELD_BASHERS + TRESURION + VECTORS


def noticed(copy, runs):
    for test, choice in runs:
        words = fails(copy, test, choice)
        if words:
            return words
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="WORDS", help="the breaks of one ruling, or with these words")
    parser.add_argument("--quick", action="store_true", help="a small fixed sample")
    parser.add_argument("--check", action="store_true", help="only look whether every search text is found")
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "break_rules", help="where to work")
    given = parser.parse_args()
    began = time.monotonic()
    entries = tomllib.loads((Path(__file__).parent / "breaks.toml").read_text())["break"]
    faults = [f"no break for {rule}" for rule in RULINGS if not any(e["rule"] == rule for e in entries)]
    # All search texts are looked for, whichever breaks are run.
    for entry in entries:
        try:
            broken(entry, ROOT)
        except Fault as fault:
            faults.append(str(fault))
    if faults or given.check:
        print("\n".join(faults) or f"{len(entries)} breaks, every search text is found exactly once")
        return 1 if faults else 0
    if given.only:
        entries = [e for e in entries if is_meant(e, given.only)]
    if given.quick:
        entries = [e for e in entries if e.get("quick")]
    if not entries:
        print("no such break")
        return 1

    copy = given.work.resolve()
    copy_tree(copy)
    try:
        runs = {test for entry in entries for test, _ in runs_of(entry["rule"])}
        words = noticed(copy, [(test, []) for test in TESTS if test in runs])
    except Fault as fault:
        words = str(fault)
    if words:
        print(f"the unbroken tree fails: {words}")
        return 1
    print(f"the unbroken tree passes ({time.monotonic() - began:.0f} s)", flush=True)

    caught, bad = 0, []
    for entry in entries:
        since = time.monotonic()
        changed = broken(entry, copy)
        whole = {file: file.read_bytes() for file in changed}
        try:
            for file, text in changed.items():
                file.write_text(text)
            words = noticed(copy, runs_of(entry["rule"]))
            if words:
                caught += 1
            else:
                bad.append(f"NOT NOTICED {label(entry)}")
        except Fault as fault:
            words = ""
            bad.append(f"ERROR {label(entry)}: {fault}")
        finally:
            for file, text in whole.items():
                file.write_bytes(text)
        seconds = time.monotonic() - since
        print(f"{'caught' if words else '*** NO'} {seconds:4.0f} s  {label(entry)}  [{words}]", flush=True)
    print("\n".join(bad))
    print(f"{caught} of {len(entries)} breaks were noticed ({time.monotonic() - began:.0f} s)")
    return 0 if caught == len(entries) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
