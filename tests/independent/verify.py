#!/usr/bin/env python3
"""An independent verifier for files of sealed-orders/1 with the rules shield-bashers/1 or tresurion/1.

Written from docs/PROTOCOL.md, docs/rules/shield-bashers.md and docs/rules/tresurion.md alone.

    verify.py [--position] GAME.toml...           one line of JSON for each file
    verify.py --order ORDER.toml GAME.toml...     may this order be added to this game?

The exit code is 0 if all files are valid (all orders accepted), else 1.
"""

import argparse
import copy
import itertools
import json
import sys

import rules
import tresurion
from crypto import signature_is_good, why_bad_key
from documents import ARBITER_ACTIONS, Order, Refused, canonical, check_header, digest, read

PLAYS = {"shield-bashers/1": rules.Play, "tresurion/1": tresurion.Play}


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
        self.play = PLAYS[header["rules"]](header, self.game)
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
        self.place(order)
        self.verify(order)

    def place(self, order):
        if order.after != self.heads[-1]:
            raise Refused("`after` is not the head")
        if order.step != self.step:
            raise Refused(f"`step` is {order.step}, not {self.step}")
        if self.play.phase == "over":
            raise Refused("the game is over")

    def verify(self, order):
        if order.game != self.game:
            raise Refused("`game` is another game")
        if order.seat not in self.keys:
            raise Refused("no such seat")
        if (order.seat == "arbiter") != (order.action in ARBITER_ACTIONS):
            raise Refused(f"{order.seat} may not use `{order.action}`")
        r, s = bytes.fromhex(order.signature["r"]), bytes.fromhex(order.signature["s"])
        if not signature_is_good(self.keys[order.seat], order.message, r, s):
            raise Refused("the signature is bad")

    def slot(self, order):
        """Where in the open step a verified order belongs; refuses one that is not placed or not legal there.

        A ruling in the audit step is judged by `enter`, after the audits.
        """
        self.place(order)
        play = self.play
        if order.action == "ruling":
            if play.phase != "audit":
                play.judge_ruling(order.table["result"])
            return "ruling", None
        if order.action == "forfeit":
            if order.table["seat"] not in play.awaits:
                raise Refused(f"{order.table['seat']!r} is not awaited")
            return "forfeit", order.table["seat"]
        if order.seat in play.awaits:
            play.judge(order.seat, order.action, order.table)
            return "own", order.seat
        if order.action != "claim-draw":
            raise Refused(f"{order.seat} is not awaited")
        play.judge_claim_from_outside(order.seat)
        return "claim", order.seat

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
        return {
            "game": self.game,
            "heads": self.heads,
            "step": self.step,
            "phase": play.phase,
            "awaits": [seat for seat in play.awaits if seat not in self.open],
            "result": play.result(),
            "rolls": play.rolls,
            "ships": play.ships_reported(),
            "out": play.out,
            "quiet_turns": play.quiet_turns,
            "caught": play.all_caught(),
        } | play.reported()


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
    rules_played = root["game"]["rules"]
    orders = [Order(entry, f"order {number}", rules_played) for number, entry in enumerate(entries, 1)]
    position = root.get("position")
    if position is not None and type(position) is not dict:
        raise Refused("`position` is not a table")
    return root["game"], steps_of(orders), position


def compare_position(position, report, more={}):
    """Refuses a wrong position; returns warnings for the rest of it."""
    expected = {"id": report["game"], "head": report["heads"][-1], "step": report["step"]}
    for key, value in expected.items():
        if key not in position:
            raise Refused(f"position: {key!r} is missing")
        if type(position[key]) is not type(value) or position[key] != value:
            raise Refused(f"position: {key!r} differs")
    warnings = []
    report = report | more
    for key, value in position.items():
        if key in report and key not in expected and comparable(value) != comparable(report[key]):
            warnings.append(f"position: {key!r} differs")
    if report["result"] is not None and "phase" in position and "result" not in position:
        warnings.append("position: 'result' is missing")
    for key, value in more.items():
        if value is not None and key not in position:
            warnings.append(f"position: {key!r} is missing")
    return warnings


def comparable(value):
    return json.dumps(value, sort_keys=True, default=str)


def verify(path):
    header, steps, position = read_game(path)
    chain = replay(header, steps)
    report = chain.report()
    warnings = [] if position is None else compare_position(position, report, chain.play.in_position())
    return report, warnings


# ---------------------------------------------------------------------------------------------------------
# Adding orders, section 18


class Merge:
    """A game, given by its header and steps, to which new orders are added.

    `chain` is the game that comes out, `chosen` its steps.
    """

    def __init__(self, header, steps, new):
        self.before = replay(header, steps)
        self.steps = steps
        self.old = {order.digest for step in steps for order in step}
        self.pool = {}  # head: {digest: order}
        for order in [order for step in steps for order in step] + [order for order in new if self.admits(order)]:
            at_head = self.pool.setdefault(order.after, {})
            other = at_head.get(order.digest, order)
            at_head[order.digest] = min(order, other, key=lambda o: o.signature["r"] + o.signature["s"])
        self.chain = Chain(header)
        self.chosen = []
        while True:
            orders = self.choose()
            closed = len(self.chain.heads)
            if orders:
                self.chain.enter(orders)
                self.chosen.append(orders)
            if len(self.chain.heads) == closed:
                break

    def last_of_arbiter(self):
        """The number of the step with the newest entry of the arbiter in the file, or -1."""
        numbers = [order.step for step in self.steps for order in step if order.seat == "arbiter"]
        return max(numbers, default=-1)

    def admits(self, order):
        if refusal(self.before.verify, order):
            return False
        if order.seat != "arbiter" or order.digest in self.old:
            return True
        result = self.before.play.result()
        if result is not None and "provisional" not in result:
            return order.action == "forfeit" and order.after == self.before.heads[-1]
        return order.after not in self.before.heads[: max(0, self.last_of_arbiter())]

    def legal(self, chain):
        """{slot: [orders]} of all that may stand after the newest head of the chain."""
        slots = {}
        for order in self.pool.get(chain.heads[-1], {}).values():
            if not refusal(chain.slot, order):
                slots.setdefault(chain.slot(order), []).append(order)
        return slots

    def after(self, orders):
        """The chain with the newest step closed by these orders, or None if they do not close it."""
        chain = copy.deepcopy(self.chain)
        if refusal(chain.enter, orders) or len(chain.heads) == len(self.chain.heads):
            return None
        return chain

    def is_old(self, orders):
        return any(order.digest in self.old for order in orders)

    def choose(self):
        chain = self.chain
        slots = {}
        for slot, orders in self.legal(chain).items():
            decisions = {}
            for order in orders:
                decisions.setdefault(decision(order), []).append(order)
            standing = list(decisions.values())
            if len(standing) > 1:
                standing = [variants for variants in standing if self.is_old(variants)]
            if standing:
                slots[slot] = standing[0]
        seats = chain.play.seats
        rulings = slots.get(("ruling", None))
        in_audit = chain.play.phase == "audit"
        if rulings and not in_audit:
            return self.variants([rulings])
        places = []  # the variants for each awaited seat
        for seat in chain.play.awaits:
            own, forfeit = slots.get(("own", seat)), slots.get(("forfeit", seat))
            if in_audit and own and forfeit and (self.is_old(own) or not self.is_old(forfeit)):
                forfeit = None
            if own or forfeit:
                places.append(forfeit or own)
        if rulings:
            orders = self.variants(places + [rulings])
            if self.after(orders):
                return orders
        claims = [slots["claim", seat] for seat in seats if ("claim", seat) in slots]
        settled = [claim for claim in claims if self.is_settled(claim, slots)]
        if any(slot == "forfeit" for slot, _ in slots) or not claims or (places and not settled):
            return self.variants(places)
        among = settled or claims
        return self.variants([next((claim for claim in among if settled and self.is_old(claim)), among[0])])

    def is_settled(self, claim, slots):
        mover = self.chain.play.awaits[0]
        for order in claim:
            then = self.after([order])
            for slot, answers in self.legal(then).items():
                if slot == ("own", mover) and not self.is_old(slots.get(slot, [])):
                    return True
                if slot[0] in ("forfeit", "ruling"):
                    if self.is_old([order]) or self.last_of_arbiter() <= self.chain.step:
                        return True
        return False

    def variants(self, places):
        """One of the variants at each place."""
        places = [sorted(variants, key=lambda order: order.digest) for variants in places]
        if all(len(variants) == 1 for variants in places):
            return [variants[0] for variants in places]
        built_on = set()
        for orders in itertools.product(*places):
            then = self.after(list(orders))
            answers = [] if then is None else [a for answers in self.legal(then).values() for a in answers]
            for order in orders:
                if any(answer.seat != order.seat for answer in answers):
                    built_on.add(order.digest)
        return [next((o for o in variants if o.digest in built_on), variants[0]) for variants in places]

    def verdict(self, order):
        entries = [other for step in self.chosen for other in step]
        if refusal(self.before.verify, order):
            return "refused"
        if any(order.digest == other.digest for other in entries):
            return "known" if order.digest in self.old else "taken"
        if any((order.after, order.seat, decision(order)) == (o.after, o.seat, decision(o)) for o in entries):
            return "known"
        return "refused" if order.after in self.chain.heads else "waiting"


def decision(order):
    return order.action, canonical(order.table), order.draw


def refusal(work, *arguments):
    try:
        work(*arguments)
    except Refused as why:
        return str(why)
    return None


def judge_addition(order_path, game_path):
    """Refuses the order, or returns nothing."""
    header, steps, position = read_game(game_path)
    chain = replay(header, steps)
    if position is not None:
        compare_position(position, chain.report())
    order = Order(read(order_path), rules=header["rules"])
    chain.verify(order)
    merge = Merge(header, steps, [order])
    verdict = merge.verdict(order)
    if verdict == "waiting":
        raise Refused("waiting: `after` is no head of this game")
    if verdict == "refused":
        if order.after in chain.heads:
            replay(header, steps[: chain.heads.index(order.after)]).slot(order)  # mostly names the fault
        raise Refused("something that goes before it stands after the same head, or it comes too late")
    if verdict != "taken":
        raise Refused(verdict)


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
