#!/usr/bin/env python3
"""An independent verifier for files of sealed-orders/1 with the rules shield-bashers/1.

Written from docs/PROTOCOL.md and docs/rules/shield-bashers.md alone.

    verify.py [--position] GAME.toml...           one line of JSON for each file
    verify.py --order ORDER.toml GAME.toml...     may this order be added to this game?

The exit code is 0 if all files are valid (all orders accepted), else 1.
"""

import argparse
import json
import sys

from crypto import signature_is_good, why_bad_key
from documents import ARBITER_ACTIONS, Order, Refused, check_header, digest, read
from rules import Play


class Chain:
    """A game: its header, its heads, and the play that they amount to."""

    def __init__(self, header):
        check_header(header)
        self.keys = {entry["seat"]: bytes.fromhex(entry["key"]) for entry in header["seats"]}
        if "arbiter" in header:
            self.keys["arbiter"] = bytes.fromhex(header["arbiter"]["key"])
        for seat, key in self.keys.items():
            why = why_bad_key(key)
            if why:
                raise Refused(f"the key of {seat}: {why}")
        self.header = header
        self.game = digest("game", header)
        self.heads = [self.game]
        self.play = Play(header, self.game)
        self.open = []  # the seats of the open step whose order, or a forfeit for it, is in

    def enter(self, orders):
        """All orders that there are with the newest head as their `after`."""
        own, forfeits, claims, rulings = {}, {}, [], []
        for order in orders:
            try:
                self.check(order)
                if order.action == "ruling":
                    rulings.append(order)
                elif order.action == "forfeit":
                    self.put(forfeits, order.table["seat"], order)
                elif order.seat in self.play.awaits:
                    self.put(own, order.seat, order)
                elif order.action == "claim-draw":
                    self.play.judge_claim_from_outside(order.seat)
                    claims.append(order)
                else:
                    raise Refused(f"{order.seat} is not awaited")
            except Refused as why:
                raise Refused(f"{order.where}: {why}") from None
        if own.keys() & forfeits.keys():
            raise Refused(f"step {self.step}: a seat's own order and its forfeit")
        if len(rulings) > 1 or (rulings and self.play.phase != "audit" and len(orders) > 1):
            raise Refused(f"step {self.step}: a ruling beside something else")
        if claims and len(orders) > 1:
            raise Refused(f"step {self.step}: a claim of a seat that is out beside something else")
        self.take_effect(own, forfeits, claims, rulings)

    @property
    def step(self):
        return len(self.heads) - 1

    def check(self, order):
        """All but the legality of an own order."""
        if order.game != self.game:
            raise Refused("`game` is another game")
        if order.after != self.heads[-1]:
            raise Refused("`after` is not the head")
        if order.step != self.step:
            raise Refused(f"`step` is {order.step}, not {self.step}")
        if self.play.phase == "over":
            raise Refused("the game is over")
        if order.seat not in self.keys:
            raise Refused("no such seat")
        if (order.seat == "arbiter") != (order.action in ARBITER_ACTIONS):
            raise Refused(f"{order.seat} may not use `{order.action}`")
        r, s = bytes.fromhex(order.signature["r"]), bytes.fromhex(order.signature["s"])
        if not signature_is_good(self.keys[order.seat], order.message, r, s):
            raise Refused("the signature is bad")

    def put(self, orders, seat, order):
        if seat not in self.play.awaits:
            raise Refused(f"{seat!r} is not awaited")
        if seat in orders:
            raise Refused(f"a second one for {seat}")
        orders[seat] = order

    def take_effect(self, own, forfeits, claims, rulings):
        play = self.play
        links, effects = [], {}
        for seat in play.awaits:
            if seat in forfeits:
                links.append(forfeits[seat].digest)
                effects[seat] = ("resign", {}, False, [])
                if play.phase == "audit":
                    play.strike_out(seat)
            elif seat in own:
                order = own[seat]
                try:
                    openings = play.judge(seat, order.action, order.table)
                except Refused as why:
                    raise Refused(f"{order.where}: {why}") from None
                links.append(order.digest)
                effects[seat] = (order.action, order.table, order.draw, openings)
                if play.phase == "audit":
                    play.audit(seat, openings)
        if rulings:
            result = rulings[0].table["result"]
            try:
                play.judge_ruling(result)
            except Refused as why:
                raise Refused(f"{rulings[0].where}: {why}") from None
            links.append(rulings[0].digest)
            play.close_ruling(result)
        elif claims:
            links.append(claims[0].digest)
            play.close_claim_from_outside()
        elif len(links) == len(play.awaits):
            play.close(effects)
        else:
            self.open = list(effects)
            return
        self.heads.append(digest("step", {"after": self.heads[-1], "orders": links}))
        self.open = []

    def report(self):
        play = self.play
        ships = []
        for ship in play.ships():
            entry = {"seat": ship.seat, "ship": ship.kind, "square": ship.square, "primary": ship.primary}
            entry["tertiary"] = ship.has_tertiary
            if "secondary" in ship.opened:
                entry["secondary"] = ship.opened["secondary"]
            ships.append(entry)
        return {
            "game": self.game,
            "heads": self.heads,
            "step": self.step,
            "phase": play.phase,
            "awaits": [seat for seat in play.awaits if seat not in self.open],
            "result": play.result(),
            "rolls": play.rolls,
            "ships": ships,
            "out": play.out,
            "quiet_turns": play.quiet_turns,
            "caught": play.all_caught(),
        }


def steps_of(orders):
    """The runs of consecutive orders with the same `after`."""
    steps = []
    for order in orders:
        if not steps or steps[-1][0].after != order.after:
            steps.append([])
        steps[-1].append(order)
    return steps


def replay(header, steps):
    chain = Chain(header)
    for orders in steps:
        if chain.open:
            raise Refused(f"{orders[0].where}: the step before it is not complete")
        chain.enter(orders)
    return chain


def read_game(path):
    """The header, the steps and the position (or None) of a game file."""
    root = read(path)
    for key in root:
        if key not in ("game", "order", "position"):
            raise Refused(f"unknown key {key!r}")
    if "game" not in root:
        raise Refused("there is no [game]")
    check_header(root["game"])
    entries = root.get("order", [])
    if type(entries) is not list:
        raise Refused("`order` is not a list")
    orders = [Order(entry, f"order {number}") for number, entry in enumerate(entries, 1)]
    position = root.get("position")
    if position is not None and type(position) is not dict:
        raise Refused("`position` is not a table")
    return root["game"], steps_of(orders), position


def compare_position(position, report):
    """Refuses a wrong position; returns warnings for the rest of it."""
    expected = {"id": report["game"], "head": report["heads"][-1], "step": report["step"]}
    for key, value in expected.items():
        if key not in position:
            raise Refused(f"position: {key!r} is missing")
        if type(position[key]) is not type(value) or position[key] != value:
            raise Refused(f"position: {key!r} differs")
    warnings = []
    for key, value in position.items():
        if key in report and key not in expected and comparable(value) != comparable(report[key]):
            warnings.append(f"position: {key!r} differs")
    if report["result"] is not None and "phase" in position and "result" not in position:
        warnings.append("position: 'result' is missing")
    return warnings


def comparable(value):
    return json.dumps(value, sort_keys=True, default=str)


def verify(path):
    header, steps, position = read_game(path)
    chain = replay(header, steps)
    report = chain.report()
    warnings = [] if position is None else compare_position(position, report)
    return report, warnings


def judge_addition(order_path, game_path):
    """Refuses the order, or returns nothing."""
    header, steps, position = read_game(game_path)
    chain = replay(header, steps)
    if position is not None:
        compare_position(position, chain.report())
    order = Order(read(order_path))
    if order.after not in chain.heads:
        raise Refused("`after` is no head of this game")
    place = chain.heads.index(order.after)
    beside = steps[place] if place < len(steps) else []
    before = replay(header, steps[:place])
    if place < chain.step:
        if not goes_before(order, before, beside, steps[place + 1 :], chain):
            raise Refused("`after` is not the newest head")
        beside = [other for other in beside if order.action == "ruling" and other.action in ("audit", "forfeit")]
    elif order.action == "ruling" and before.play.phase != "audit":
        beside = []  # what loses is dropped
    before.enter(beside + [order])


def goes_before(order, before, beside, later, chain):
    """Whether an order at an older head may undo what closed the step there, and all that came after (section 7).

    `before` is the game at that head, `beside` what closed the step, `later` the steps after it.
    """
    result = chain.play.result()
    if result is not None and "provisional" not in result:
        return False
    entries = [other for step in later for other in step]
    if order.seat == "arbiter" and any(other.seat == "arbiter" for other in entries):
        return False  # the arbiter enters nothing after a head that is older than its own latest entry
    if order.action == "ruling":
        return all(other.action != "ruling" for other in beside)
    claim = beside[0]
    if claim.action != "claim-draw" or claim.seat in before.play.awaits:
        return False
    if any(other.seat != "arbiter" for other in entries):
        return False  # it would undo what a seat has built on the claim
    if order.seat == "arbiter" or order.seat in before.play.awaits:
        return True
    seats = before.play.seats
    return order.seat in seats and seats.index(order.seat) < seats.index(claim.seat)


# ---------------------------------------------------------------------------------------------------------
# The command line


def guarded(work, *arguments):
    """The result of the work and None, or None and the reason why it was refused."""
    try:
        return work(*arguments), None
    except Refused as why:
        return None, str(why)
    except Exception as error:  # a fault of this program; the file is not understood
        return None, f"verifier failed: {type(error).__name__}: {error}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--position", action="store_true", help="also print how a [position] differs, as `warnings`")
    parser.add_argument("--order", metavar="ORDER.toml", help="say whether this order may be added to the game")
    parser.add_argument("games", nargs="+", metavar="GAME.toml")
    options = parser.parse_args(arguments)
    good = True
    for path in options.games:
        if options.order is not None:
            _, why = guarded(judge_addition, options.order, path)
            line = {"accept": why is None, "why": why, "order": options.order, "file": path}
        else:
            result, why = guarded(verify, path)
            line = {"file": path, "valid": why is None}
            if why is None:
                report, warnings = result
                line.update(report)
                if options.position:
                    line["warnings"] = warnings
            else:
                line["why"] = why
        print(json.dumps(line))
        good = good and why is None
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
