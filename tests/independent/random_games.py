#!/usr/bin/env python3
"""Makes random games, to be read by two verifiers that are then compared.

    random_games.py [--tresurion] FOLDER FIRST LAST
                                          writes FOLDER/NNNNNN.game.toml for each number from FIRST to LAST,
                                          and the seeds of its keys as NNNNNN.keys

They are games of Shield Bashers, or of Tresurion. The same number gives the same game. There are cheats, resignations, forfeits, rulings, offers and claims. One
game in three is spoilt: one entry, though rightly signed, was changed at random; mostly that makes it invalid.
"""

import copy
import json
import pathlib
import random
import sys

import crypto
import tresurion
from documents import COLOURS, LAYERS, SHIPS, Order, Refused, Time, digest, preimage
from verify import Chain

NAMES = ("red", "blue", "green", "yellow", "a", "seat-number-six6")


class Maker:
    def __init__(self, number):
        self.random = random.Random(number)
        self.chance = lambda probability: self.random.random() < probability
        board = self.random.choice(("half", "full", "wedges3", "wedges5", "wedges6"))
        most = {"half": 2, "full": 4, "wedges3": 3, "wedges5": 5, "wedges6": 6}[board]
        seats = self.random.sample(NAMES, self.random.choice((2, self.random.randint(2, most))))
        self.seeds = {seat: self.random.randbytes(32) for seat in seats + ["arbiter"]}
        self.header = {
            "format": "sealed-orders/1",
            "rules": "shield-bashers/1",
            "name": f"Random game {number}",
            "created": Time("2026-11-30T08:00:00Z"),
            "nonce": self.hex64(),
            "options": {
                "board": board,
                "first": self.random.choice(["roll"] + seats),
                "memory_aid": True,
                "days_per_step": 7,
            },
            "seats": [dict(self.person(seat), seat=seat) for seat in seats],
        }
        self.arbiter = self.chance(0.5)
        if self.arbiter:
            self.header["arbiter"] = self.person("arbiter")
        self.chain = Chain(self.header)
        self.play = self.chain.play
        self.secrets = {seat: self.secret(seat) for seat in seats}
        # How wild a game is: the chances of a leaving, an offer, a ruling, a fight, and the number of steps.
        self.leaving = self.random.choice((0, 0.002, 0.02, 0.1))
        self.offering = self.random.choice((0, 0.1, 0.6))
        self.ruling = self.random.choice((0, 0.002, 0.02)) if self.arbiter else 0
        self.fighting = self.random.choice((0.2, 0.9))
        self.steps = self.random.choice((5, 40, 400))
        self.entries = []

    def hex64(self):
        return self.random.randbytes(32).hex()

    def person(self, seat):
        key = crypto.public_key(self.seeds[seat]).hex()
        return {"name": seat.title(), "mail": f"{seat}@example.org", "key": key}

    def secret(self, seat):
        """A fleet with all its shields; sometimes a layer holds a colour twice."""
        seats = self.play.seats
        corner = self.play.board.corner_of(seats.index(seat), len(seats))
        squares = sorted(self.play.board.straight[corner])
        self.random.shuffle(squares)
        primaries = self.random.sample(COLOURS, 3)
        shields, fleet = {}, {}
        for layer in LAYERS:
            colours = self.random.choices(COLOURS, k=3) if self.chance(0.2) else self.random.sample(COLOURS, 3)
            for kind, colour in zip(SHIPS, colours):
                shields[layer, kind] = {"colour": colour, "salt": self.hex64()}
        for kind, square, primary in zip(SHIPS, squares + [corner], primaries):
            fleet[kind] = {"square": square, "primary": primary}
            for layer in LAYERS:
                names = {"game": self.chain.game, "seat": seat, "ship": kind, "layer": layer}
                fleet[kind][layer] = digest("shield", names | shields[layer, kind])
        return {"fleet": fleet, "salt": self.hex64(), "nonce": self.hex64(), "shields": shields}

    # The actions

    def action(self, seat):
        """The key and table of a legal action of an awaited seat."""
        play, phase, secret = self.play, self.play.phase, self.secrets[seat]
        names = {"game": self.chain.game, "seat": seat}
        if phase != "audit" and self.chance(self.leaving):
            return "resign", {}
        if phase == "seal":
            fleet = digest("fleet", names | {"fleet": secret["fleet"], "salt": secret["salt"]})
            dice = digest("nonce", names | {"index": 0, "nonce": secret["nonce"]})
            return "seal", {"fresh": self.hex64()[:32], "fleet": fleet, "dice": dice}
        if phase == "deploy":
            dice = {"nonce": secret["nonce"], "next": self.hex64()}
            return "deploy", {"salt": secret["salt"], "fleet": secret["fleet"], "dice": dice}
        if phase == "audit":
            sealed = play.sealed(seat)
            shields = [{"ship": kind, "layer": layer} | secret["shields"][layer, kind] for layer, kind in sealed]
            return "audit", {"shields": shields}
        table = {}
        owed = play.owed(seat)
        if owed:
            table["lost"] = [{"ship": kind} | secret["shields"]["tertiary", kind] for kind in owed]
        if phase == "defend":
            attacker, defender, final = play.battle
            table["secondary"] = secret["shields"]["secondary", defender.kind]
            try:
                play.judge(seat, "defend", table)
            except Refused:
                table["tertiary"] = secret["shields"]["tertiary", defender.kind]
            return "defend", table
        if phase == "move" and play.two_ships_quiet(12) and self.chance(0.2):
            return "claim-draw", {}
        if phase == "answer-claim" and self.chance(0.3):
            return "accept-draw", {}
        if play.two_ships_quiet(10) and self.chance(0.2):
            return "final-battle", table | self.attacking(play.only_ship(seat))
        moves, attacks = [], []
        for ship in play.ships():
            if ship.seat == seat:
                for square in sorted(play.board.reach(ship.kind, ship.square)):
                    target = play.ship_on(square)
                    if target is None:
                        moves.append((ship, square, {}))
                    elif target.seat != seat:
                        attacks.append((ship, square, self.attacking(ship)))
        if phase == "answer-claim":
            moves = []
            if not attacks:
                return "accept-draw", {}
        if attacks and (not moves or self.chance(self.fighting)):
            moves = attacks
        ship, square, more = self.random.choice(moves)
        return "move", table | {"ship": ship.kind, "to": square} | more

    def attacking(self, ship):
        if "secondary" in ship.opened:
            return {}
        return {"secondary": self.secrets[ship.seat]["shields"]["secondary", ship.kind]}

    def order(self, seat, action, table, draw=False):
        order = {
            "game": self.chain.game,
            "after": self.chain.heads[-1],
            "step": self.chain.step,
            "seat": seat,
            "time": Time("2027-01-31T12:00:00Z"),
        }
        if self.chance(0.05):
            order["press"] = self.random.choice(("", 'Señor "Grey" \\ 🚀', "\u00ac \U000e0000 ~"))
        if draw:
            order["draw"] = True
        order[action] = copy.deepcopy(table)
        return self.signed(order)

    def signed(self, order):
        message = preimage("order", order)
        both = crypto.sign(self.seeds.get(order["seat"], self.seeds["arbiter"]), message).hex()
        check = crypto.hashlib.sha256(message).hexdigest()[:8]
        return dict(order, signature={"check": check, "r": both[:64], "s": both[64:]})

    def step(self):
        """The entries of the next step; not all of them if the game is to end here."""
        play = self.play
        if self.chance(self.ruling) and (play.phase != "audit" or "provisional" in play.result()):
            in_play = play.phase in ("move", "defend", "answer-claim")
            result = self.random.choice(("void", "draw")) if in_play else "void"
            return [self.order("arbiter", "ruling", {"result": result, "reason": "It is late."})]
        if play.phase == "move" and play.two_ships_quiet(12) and self.chance(0.5):
            for seat in play.seats:
                if seat in play.out and seat in play.fleets and seat not in play.caught:
                    return [self.order(seat, "claim-draw", {})]
        entries = []
        for seat in play.awaits:
            if self.arbiter and self.chance(self.leaving + (play.phase == "audit") * 0.1):
                entries.append(self.order("arbiter", "forfeit", {"seat": seat, "reason": "Too late."}))
            else:
                action, table = self.action(seat)
                draw = action in ("move", "defend", "final-battle") and self.chance(self.offering)
                entries.append(self.order(seat, action, table, draw))
        if len(entries) > 1:
            self.random.shuffle(entries)
            if self.chance(0.02 if play.phase != "audit" else 0.4):
                entries = entries[: self.random.randrange(len(entries))]
                if self.arbiter and play.phase == "audit" and self.chance(0.5):
                    entries.append(self.order("arbiter", "ruling", {"result": "void", "reason": "Enough."}))
                    self.random.shuffle(entries)
        return entries

    def make(self):
        while self.play.phase != "over" and len(self.entries) < self.steps:
            entries = self.step()
            heads = len(self.chain.heads)
            self.entries += entries
            try:
                self.chain.enter([Order(entry) for entry in entries])
            except Refused:  # a ruling although the audits made the result final; the game is spoilt
                break
            if len(self.chain.heads) == heads:
                break
        if self.entries and self.chance(1 / 3):
            # mostly the last entry, as what follows an entry that was changed is wrong anyway
            place = len(self.entries) - 1 if self.chance(0.8) else self.random.randrange(len(self.entries))
            self.entries[place] = self.signed(self.spoilt(self.entries[place]))
        return self.text()

    def spoilt(self, order):
        order = copy.deepcopy(order)
        del order["signature"]
        action = next(key for key in order if key not in ("game", "after", "step", "seat", "time", "press", "draw"))
        table = order[action]
        shield = self.random.choice(list(self.secrets[self.random.choice(self.play.seats)]["shields"].values()))
        seat = self.secrets.get(order["seat"], self.secrets[self.play.seats[0]])
        kind = self.random.choice(SHIPS)
        change = self.random.randrange(12)
        if change == 0:
            order["step"] += self.random.choice((-1, 1))
        elif change == 1:
            order["seat"] = self.random.choice(list(self.seeds))
        elif change == 2:
            order["draw"] = self.random.choice((True, False))
        elif change == 3:
            order.pop("draw", None)
        elif change == 4:
            order["after"] = self.random.choice(self.chain.heads)
        elif change == 5:
            del order[action]
            others = ("resign", "claim-draw", "accept-draw", "final-battle", "proof", "ruling", "forfeit")
            other = self.random.choice(others)
            order[other] = {
                "ruling": {"result": "void", "reason": "x"},
                "forfeit": {"seat": order["seat"], "reason": "x"},
            }.get(other, {})
        elif change == 6 and table:
            del table[self.random.choice(list(table))]
        elif change == 7:
            table["secondary"] = seat["shields"]["secondary", kind]
        elif change == 8:
            table["tertiary"] = seat["shields"]["tertiary", kind]
        elif change == 9:
            table["lost"] = self.random.choice(([], [{"ship": kind} | seat["shields"]["tertiary", kind]]))
        elif change == 10:
            table["secondary"] = shield
        else:
            for key in table:
                if key == "to":
                    table[key] = self.random.choice(sorted(self.play.board.straight) + ["", "z99"])
                elif key == "ship":
                    table[key] = kind
                elif key in ("shields", "lost"):
                    self.random.choice((list.reverse, list.clear, list.pop))(table[key])
                elif key == "fleet" and type(table[key]) is dict:
                    table[key][kind]["primary"] = "grey"
        return order

    def text(self):
        lines = ["[game]"] + [f"{key} = {inline(value)}" for key, value in self.header.items()]
        for entry in self.entries:
            lines += ["", "[[order]]"] + [f"{key} = {inline(value)}" for key, value in entry.items()]
        return "\n".join(lines) + "\n"


class TresurionMaker(Maker):
    def __init__(self, number):
        self.random = random.Random(f"tresurion {number}")
        self.chance = lambda probability: self.random.random() < probability
        rng = self.random
        seats = rng.sample(NAMES, 2)
        self.seeds = {seat: rng.randbytes(32) for seat in seats + ["arbiter"]}
        width, length = rng.choice((15, 15, rng.randint(15, 26))), rng.choice((25, 25, 25, rng.randint(25, 99)))
        terrain = [f"{tresurion.LETTERS[i]}{j}" for i in range(width) for j in range(3, length - 1)]
        rng.shuffle(terrain)
        holes = rng.choice((0, 0, 1, 4, 12))
        self.header = {
            "format": "sealed-orders/1",
            "rules": "tresurion/1",
            "name": f"Random game {number}",
            "created": Time("2026-11-30T08:00:00Z"),
            "nonce": self.hex64(),
            "options": {
                "width": width,
                "length": length,
                "reach": rng.choice(("between", "distance")),
                "quiet_turns": rng.choice((0, 1, 2, 20)),
                "asteroids": terrain[2 * holes : 2 * holes + rng.choice((0, 0, 10, 60))],
                "wormholes": [terrain[2 * i : 2 * i + 2] for i in range(holes)],
                "days_per_step": 7,
            },
            "seats": [dict(self.person(seat), seat=seat) for seat in seats],
        }
        self.arbiter = self.chance(0.5)
        if self.arbiter:
            self.header["arbiter"] = self.person("arbiter")
        self.chain = Chain(self.header)
        self.play = self.chain.play
        self.nonces = {seat: [self.hex64()] for seat in seats}
        self.secrets = {seat: self.secret(seat) for seat in seats}
        self.leaving = rng.choice((0, 0, 0.002, 0.02, 0.1))
        self.offering = rng.choice((0, 0, 0.1, 0.6))
        self.ruling = rng.choice((0, 0.002, 0.02)) if self.arbiter else 0
        self.moving = rng.choice((0.3, 0.7, 1))
        self.steps = rng.choice((5, 25, 45, 70))
        self.entries = []

    def secret(self, seat):
        rng = self.random
        ranks = (1, 2) if seat == self.play.seats[0] else (self.play.length - 1, self.play.length)
        while True:
            pieces = list("111112222233333")
            rng.shuffle(pieces)
            ucns = []
            while pieces:
                size = min(len(pieces), rng.choice((1, 1, 2, 2, 3, 3, 3)))
                ucns.append("".join(sorted(pieces[:size])).zfill(3))
                del pieces[:size]
            if self.chance(0.1):
                ucns = rng.choice((["001"] * 5 + ["002"] * 5 + ["003"] * 5, ["111", "222", "333", "123", "123"]))
            squares = [f"{tresurion.LETTERS[i]}{j}" for i in range(self.play.width) for j in ranks]
            rng.shuffle(squares)
            ships = [
                {"id": ucn + tresurion.LETTERS[ucns[:place].count(ucn)], "at": square}
                for place, (ucn, square) in enumerate(zip(ucns, squares))
            ]
            if self.chance(0.04):
                self.spoil_fleet(ships)
            return {"fleet": {"ships": ships}, "salt": self.hex64()}

    def spoil_fleet(self, ships):
        """A fleet at the edge of what is allowed, or beyond."""
        rng = self.random
        ship, other = rng.sample(ships, 2)
        length = self.play.length
        way = rng.randrange(9)
        if way == 0:
            ship["at"] = ship["at"][0] + str(rng.choice((0, 1, 2, 3, length - 2, length - 1, length, length + 1)))
        elif way == 1:
            ship["at"] = other["at"]
        elif way == 2:
            ship["at"] = rng.choice(("", "a", "a01", "A1", "{1", " a1", "a1 ", "1a", "aa1", "z1", "é1", "a١", "a+1"))
        elif way == 3:
            ship["id"] = rng.choice(("", "321a", "001", "001A", "000a", "1a", "001ab", "004a", "100a", "001{", "é01a"))
        elif way == 4:
            ship["id"] = ship["id"][:3] + rng.choice("abcdz")
        elif way == 5:
            ship["id"], other["id"] = other["id"], ship["id"]
        elif way == 6:
            ships.remove(ship)
        elif way == 7:
            ships.append({"id": "001z", "at": f"a{length}"})
        else:
            ships.clear()

    def open_nonce(self, seat):
        nonces = self.nonces[seat]
        nonces.append(self.hex64())
        index = len(nonces) - 1
        names = {"game": self.chain.game, "seat": seat}
        return {"nonce": nonces[-2], "next": digest("nonce", names | {"index": index, "nonce": nonces[-1]})}

    def action(self, seat):
        play, phase, secret = self.play, self.play.phase, self.secrets[seat]
        names = {"game": self.chain.game, "seat": seat}
        if self.chance(self.leaving):
            return "resign", {}
        if phase == "seal":
            fleet = digest("fleet", names | secret)
            dice = digest("nonce", names | {"index": 0, "nonce": self.nonces[seat][0]})
            return "seal", {"fresh": self.hex64()[:32], "fleet": fleet, "dice": dice}
        if phase == "deploy":
            return "deploy", secret | {"dice": self.open_nonce(seat)}
        if phase == "roll":
            return "roll", {"dice": self.open_nonce(seat)}
        least = play.options["quiet_turns"]
        if least and play.quiet_turns >= least and not play.risen and self.chance(0.3):
            return "claim-draw", {}
        return "round", {"moves": self.moves(seat), "fire": self.fire(seat), "dice": self.open_nonce(seat)}

    def moves(self, seat):
        """Legal moves, most of them towards the enemy. `self.squares` is where all ships stand after them."""
        play, rng = self.play, self.random
        squares = {ship: ship.square for ship in play.ships()}
        own = [ship for ship in squares if ship.seat == seat]
        enemies = [ship for ship in squares if ship.seat != seat]
        closed = play.asteroids.union(squares[ship] for ship in enemies)
        rng.shuffle(own)
        moves = []
        for ship in own:
            if not self.chance(self.moving):
                continue
            ends = tresurion.costs(squares[ship], ship.movement, play.width, play.length, closed, play.other_ends)
            taken = set(squares.values()) - {squares[ship]}
            ends = [end for end in sorted(ends) if end not in taken]
            if self.chance(0.9):
                goal = squares[rng.choice(enemies)]
                ends.sort(key=lambda end: tresurion.distance(end, goal))
                ends = ends[:3]
            squares[ship] = rng.choice(ends)
            moves.append({"ship": ship.id, "to": tresurion.named(squares[ship])})
        self.squares = squares
        return moves

    def may_fire(self, ship, target):
        one, other = self.squares[ship], self.squares[target]
        if tresurion.distance(one, other) > tresurion.largest_distance(ship.ucn, self.play.options["reach"]):
            return False
        obstacles = self.play.asteroids.union(self.squares.values())
        return not any(tresurion.blocks(one, other, square) for square in obstacles)

    def fire(self, seat):
        shots = []
        ships = list(self.squares)
        self.random.shuffle(ships)
        for ship in [ship for ship in ships if ship.seat == seat]:
            targets = [target for target in ships if target.seat != seat and self.may_fire(ship, target)]
            if targets and self.chance(0.95):
                shots.append({"ship": ship.id, "at": targets[0].id})
        return shots

    def step(self):
        play = self.play
        if self.chance(self.ruling):
            result = self.random.choice(("void", "draw")) if play.phase in ("round", "roll") else "void"
            return [self.order("arbiter", "ruling", {"result": result, "reason": "It is late."})]
        entries = []
        for seat in play.awaits:
            if self.arbiter and self.chance(self.leaving):
                entries.append(self.order("arbiter", "forfeit", {"seat": seat, "reason": "Too late."}))
            else:
                action, table = self.action(seat)
                draw = action == "round" and self.chance(self.offering)
                entries.append(self.order(seat, action, table, draw))
        if len(entries) > 1:
            self.random.shuffle(entries)
            if self.chance(0.02):
                entries = entries[:1]
        return entries

    def make(self):
        while self.play.phase != "over" and len(self.entries) < self.steps:
            entries = self.step()
            heads = len(self.chain.heads)
            before = copy.deepcopy(self.chain)
            self.entries += entries
            try:
                self.chain.enter([Order(entry, "order", "tresurion/1") for entry in entries])
            except Refused:  # a spoilt fleet
                return self.text()
            if len(self.chain.heads) == heads:
                break
        if self.entries and self.chance(0.5):
            if self.chance(0.9):
                self.chain, self.play = before, before.play
                place = len(self.entries) - 1
            else:
                place = self.random.randrange(len(self.entries))
            self.entries[place] = self.signed(self.spoilt(self.entries[place]))
        return self.text()

    def spoilt(self, order):
        order = copy.deepcopy(order)
        del order["signature"]
        rng = self.random
        action = next(key for key in order if key not in ("game", "after", "step", "seat", "time", "press", "draw"))
        change = rng.randrange(7)
        if action == "round" and self.chance(0.85):
            self.spoil_round(order["seat"], order["round"])
        elif change == 0:
            order["step"] += rng.choice((-1, 1))
            order["step"] = max(0, order["step"])
        elif change == 1:
            order["seat"] = rng.choice(list(self.seeds))
        elif change == 2:
            order["draw"] = rng.choice((True, False))
        elif change == 3:
            order["after"] = rng.choice(self.chain.heads)
        elif change == 4:
            table = order.pop(action)
            other = rng.choice(("resign", "claim-draw", "accept-draw", "roll", "round", "ruling", "forfeit", "audit"))
            order[other] = {
                "ruling": {"result": "draw", "reason": "x"},
                "forfeit": {"seat": order["seat"], "reason": "x"},
                "roll": {"dice": table.get("dice", {})},
                "round": {"moves": [], "fire": [], "dice": table.get("dice", {})},
            }.get(other, {})
        elif change == 5 and "dice" in order[action] and action != "seal":
            spoil_dice(rng, order[action]["dice"], [nonce for nonces in self.nonces.values() for nonce in nonces])
        elif order[action]:
            del order[action][rng.choice(list(order[action]))]
        return order

    def spoil_round(self, seat, table):
        play, rng = self.play, self.random
        ships = play.ships()
        own, enemies = [ship for ship in ships if ship.seat == seat], [ship for ship in ships if ship.seat != seat]
        if not own or not enemies or not 1 <= len(self.play.awaits) <= 1:
            return
        moves, fire = table["moves"], table["fire"]
        ship = rng.choice(own)
        change = rng.randrange(10)
        if change == 0:
            rng.shuffle(moves)
        elif change == 1 and moves:
            moves.append(dict(rng.choice(moves)))
        elif change == 2:
            fire.append({"ship": ship.id, "at": rng.choice(enemies).id})
        elif change == 3 and fire:
            shot = rng.choice(fire)
            shot["at"] = rng.choice(enemies + own).id
        elif change == 4:
            spoil_dice(rng, table["dice"], [nonce for nonces in self.nonces.values() for nonce in nonces])
        elif change == 5:
            table[rng.choice(("moves", "fire"))] = []
        elif change in (6, 7):  # a single move to the edge of the reach, or one step beyond it
            far = tresurion.costs(ship.square, ship.movement + 1, play.width, play.length,
                                  play.asteroids.union(e.square for e in enemies), play.other_ends)  # fmt: skip
            ends = [square for square, cost in sorted(far.items()) if cost >= ship.movement]
            if ends:
                table["moves"] = [{"ship": ship.id, "to": tresurion.named(rng.choice(ends))}]
                table["fire"] = []
        elif change == 8:  # a shot at the nearest enemy, without moves
            target = min(enemies, key=lambda e: tresurion.distance(ship.square, e.square))
            table["moves"], table["fire"] = [], [{"ship": ship.id, "at": target.id}]
        elif moves:
            move = rng.choice(moves)
            terrain = play.options["asteroids"] + [ship.square and tresurion.named(ship.square)]
            move["to"] = rng.choice(terrain + ["", "a0", "z99", "A1", "a01", "é5", "b3 "])


def spoil_dice(rng, dice, nonces):
    way = rng.randrange(4)
    if way == 0:
        dice["next"] = rng.randbytes(32).hex()  # harmless as long as it is not opened
    elif way == 1:
        dice["nonce"] = rng.choice(nonces)
    elif way == 2:
        dice["nonce"] = rng.randbytes(32).hex()
    else:
        dice["nonce"], dice["next"] = dice["next"], dice["nonce"]


def inline(value):
    if type(value) is Time:
        return value
    if type(value) is dict:
        return "{" + ", ".join(f"{key} = {inline(member)}" for key, member in value.items()) + "}"
    if type(value) is list:
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def main():
    arguments = sys.argv[1:]
    make = TresurionMaker if "--tresurion" in arguments else Maker
    folder, first, last = [argument for argument in arguments if argument != "--tresurion"]
    folder, first, last = pathlib.Path(folder), int(first), int(last)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, last + 1):
        path = folder / f"{number:06}.game.toml"
        maker = make(number)
        path.write_text(maker.make(), encoding="utf-8")
        seeds = "".join(seed.hex() + "\n" for seed in maker.seeds.values())
        path.with_name(f"{number:06}.keys").write_text(seeds, encoding="ascii")


if __name__ == "__main__":
    main()
