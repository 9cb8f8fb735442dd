#!/usr/bin/env python3
"""Disables each check that stops a cheat in turn, and counts that the test of the cheats fails.

    python3 tests/break_rules/disable_checks.py               all of checks.toml
    python3 tests/break_rules/disable_checks.py --only draw   those with a word in `what`

The tree is copied, and every check is written so that a number in the environment disables it;
so the copy is built once, and nothing here is changed.

The script fails when the test passes without a check; when a search text is not found exactly
once; when the test fails with every check in place.
"""

import argparse
import os
import subprocess
import sys
import time
import tomllib

import break_rules
from break_rules import ROOT, Fault, write

SWITCH = """//! Which check is disabled; for one test alone.

use std::sync::LazyLock;

static NUMBER: LazyLock<Option<u32>> =
    LazyLock::new(|| std::env::var("SEALED_DISABLED").ok().and_then(|number| number.parse().ok()));

/// Whether this check is disabled.
pub fn is(number: u32) -> bool {
    *NUMBER == Some(number)
}
"""


def with_switches(tree, checks):
    """The files of the tree with a switch at every check."""
    changed = {}
    for number, check in enumerate(checks):
        file = tree / "src" / check["file"]
        text = changed.get(file) or file.read_text()
        if text.count(check["search"]) != 1:
            raise Fault(f"{check['what']}: found {text.count(check['search'])} times in {check['file']}")
        switched = check["replace"].replace("DISABLED", f"crate::disabled::is({number})")
        changed[file] = text.replace(check["search"], switched)
    library = tree / "src/lib.rs"
    changed[library] = library.read_text() + "\nmod disabled;\n"
    changed[tree / "src/disabled.rs"] = SWITCH
    return changed


def copy_tree(copy, checks):
    break_rules.TESTS[:] = ["cheats"]
    tests = ["tests/cheats", "tests/oracle", "tests/disputes", "tests/random_games"]
    break_rules.copy_tree(copy, more=tests)
    for file, text in with_switches(ROOT, checks).items():
        write(copy / file.relative_to(ROOT), text.encode())


def run(program, number, games=None):
    environment = dict(os.environ, RUST_BACKTRACE="0", CARGO_MANIFEST_DIR=str(ROOT))
    environment.pop("SEALED_GAMES", None)
    if number is not None:
        environment["SEALED_DISABLED"] = str(number)
    if games is not None:
        environment["SEALED_GAMES"] = str(games)
    return subprocess.run([program], env=environment, capture_output=True, text=True)


def first_sentence(output):
    lines = output.splitlines()
    places = [place for place, line in enumerate(lines) if "panicked at" in line]
    said = " ".join(lines[places[0] + 1 : places[0] + 2]) if places else "a cheat was tried too seldom"
    return said[:90]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    checks = tomllib.loads((ROOT / "tests/break_rules/checks.toml").read_text())["check"]
    copy = ROOT / "target/disable_checks"
    began = time.monotonic()
    copy_tree(copy, checks)
    program, messages = break_rules.build(copy, "cheats", level="1")
    if program is None:
        raise Fault(f"the tree with its switches does not compile:\n{messages}")
    whole = run(program, None, games=4)
    if whole.returncode != 0:
        raise Fault(f"with every check in place the test fails:\n{whole.stdout}{whole.stderr}")
    meant = [(number, check) for number, check in enumerate(checks) if arguments.only in check["what"]]
    unnoticed = []
    for number, check in meant:
        start = time.monotonic()
        done = run(program, number)
        caught = done.returncode != 0
        if not caught:
            unnoticed.append(check["what"])
        word = "caught" if caught else "UNNOTICED"
        print(f"{word:<9} {time.monotonic() - start:4.0f} s  {check['what']}", flush=True)
        if caught:
            print(f"                  {first_sentence(done.stdout + done.stderr)}", flush=True)
    caught = len(meant) - len(unnoticed)
    print(f"\n{caught} of {len(meant)} disabled checks were noticed ({time.monotonic() - began:.0f} s)")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
