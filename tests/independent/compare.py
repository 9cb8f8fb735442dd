#!/usr/bin/env python3
"""Lets this verifier and the program `sealed` read the same game files, and demands that they agree.

    compare.py --sealed PATH [--jobs 2] [--position] [FILE...]

A FILE that is a folder stands for all *.game.toml in it; without a FILE, all example and vector games are read. Both must call a file valid or both invalid; of a
valid one they must tell the same heads, phase, result and dice. With --position, each valid file is also given to
the program with a whole [position] as this verifier derives it, and the program must find no difference in it. Prints every disagreement with both reasons, and
`N passed, N failed`; the exit code is 1 if there is any disagreement.
"""

import argparse
import collections
import functools
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import crypto
import verify
from corrupt import plain

NOT_IN_OURS = ("board", "attack", "draw_offered_by", "out", "caught")  # keys of [position] that are not compared
COMPARED = ("heads", "phase", "result", "rolls")


def ours(path):
    """("valid", report), ("invalid", reason) or ("failed", reason)."""
    outcome, why = verify.guarded(verify.verify, path)
    if why is None:
        return "valid", {key: outcome[0][key] for key in COMPARED}
    return "failed" if why.startswith("verifier failed") else "invalid", why


def theirs(program, home, path):
    command = [program, "verify", "--json", path]
    places = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, env=os.environ | dict.fromkeys(places, home))
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return "failed", "no answer within 120 seconds"
    except ValueError:
        return "failed", f"exit code {done.returncode}, no JSON: {(done.stdout + done.stderr)[:300]!r}"
    if done.returncode == 0 and answer.get("valid") is True:
        return "valid", {key: answer.get(key) for key in COMPARED}
    if done.returncode == 1 and type(answer.get("error")) is dict:
        error = answer["error"]
        return "invalid", f"{error.get('code')}: {error.get('message')} (line {error.get('line')})"
    return "failed", f"exit code {done.returncode}: {done.stdout[:300]!r}"


def with_position(path, folder):
    """A copy of a good game, with a [position] of our own."""
    header, steps, _ = verify.read_game(path)
    chain = verify.replay(header, steps)
    report = chain.report()
    position = {"id": report["game"], "head": report["heads"][-1]}
    keys = ("step", "phase", "awaits", "result", "quiet_turns", "ships", "turn")
    position |= {key: report[key] for key in keys if report.get(key) is not None}
    more = chain.play.in_position()
    position |= {key: value for key, value in more.items() if value is not None}
    for key, value in more.items():
        if value is None:
            position.pop(key, None)
    root = {"game": header, "position": position, "order": verify.read(path).get("order", [])}
    copy = pathlib.Path(folder) / (pathlib.Path(path).name.removesuffix(".game.toml") + ".position.game.toml")
    copy.write_bytes(plain(root))
    return str(copy)


def position_differs(program, home, path):
    """What the program says against our [position], or None."""
    with tempfile.TemporaryDirectory() as folder:
        copy = with_position(path, folder)
        places = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        done = subprocess.run([program, "verify", "--json", copy], capture_output=True, timeout=120,
                              env=os.environ | dict.fromkeys(places, home))  # fmt: skip
        answer = json.loads(done.stdout)
        differences = [entry for entry in answer.get("differences", []) if entry.get("key") not in NOT_IN_OURS]
        if answer.get("valid") is True and not differences:
            return None
        kept = pathlib.Path(tempfile.gettempdir()) / pathlib.Path(copy).name
        shutil.copy(copy, kept)
        return f"with our [position] ({kept}) sealed says {differences!r} {answer.get('error')!r}"


def compare(program, home, positions, path):
    mine, other = ours(path), theirs(program, home, path)
    if mine[0] != other[0]:
        return path, mine[0], f"verify.py: {shown(mine)}\n    sealed:    {shown(other)}"
    if mine[0] == "failed":
        return path, mine[0], f"both failed: {mine[1]}\n    sealed:    {other[1]}"
    if mine[0] == "valid" and mine[1] != other[1]:
        keys = [key for key in COMPARED if mine[1][key] != other[1][key]]
        differing = [f"{key}: {short(mine[1][key])} and {short(other[1][key])}" for key in keys]
        return path, mine[0], "both valid, but verify.py and sealed say\n    " + "\n    ".join(differing)
    return path, mine[0], position_differs(program, home, path) if positions and mine[0] == "valid" else None


def shown(outcome):
    verdict, why = outcome
    return verdict if verdict == "valid" else f"{verdict}: {why}"


def short(value):
    text = json.dumps(value)
    return text if len(text) < 200 else f"{text[:80]} ... {text[-80:]}"


def prepare():
    """In each process: remember the signatures, most of which come in many files."""
    verify.signature_is_good = functools.lru_cache(maxsize=50_000)(crypto.signature_is_good)
    verify.why_bad_key = functools.lru_cache(maxsize=5_000)(crypto.why_bad_key)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sealed", required=True, metavar="PATH", help="the program; a copy of it is used")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--position", action="store_true", help="also have a [position] of ours read")
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    paths = []
    tests = pathlib.Path(__file__).resolve().parent.parent
    folders = sorted((tests.parent / "examples").iterdir()) + [tests / "vectors" / "games", tests / "vectors" / "refused"]
    for path in options.files or [folder for folder in folders if folder.is_dir()]:
        paths += sorted(path.glob("*.game.toml")) if path.is_dir() else [path]
    passed = failed = 0
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(options.jobs, prepare) as pool:
        program = shutil.copy(options.sealed, pathlib.Path(folder) / "sealed")
        home = str(pathlib.Path(folder) / "home")
        for path, verdict, why in pool.imap(functools.partial(compare, str(program), home, options.position), map(str, paths), 8):
            verdicts[verdict] += 1
            if why is None:
                passed += 1
            else:
                failed += 1
                print(f"DIFFERENT {path}\n    {why}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())) or "no files")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
