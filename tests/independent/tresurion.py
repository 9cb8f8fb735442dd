"""What a game of tresurion/1 accepts and what becomes of it (PROTOCOL.md, sections 12 and 19)."""

import re

from crypto import die, roll_key
from documents import Refused, digest, square_on_board

# tresurion.md, A.2: shield, movement, bonus of the fire power, range.
CLASSES = {
    "001": (1, 9, 0, 0),
    "002": (2, 8, 0, 0),
    "003": (3, 7, 0, 0),
    "011": (2, 8, 1, 1),
    "012": (3, 7, 1, 1),
    "013": (4, 6, 1, 1),
    "022": (4, 6, 2, 2),
    "023": (5, 5, 2, 2),
    "033": (6, 4, 3, 3),
    "111": (3, 7, 2, 2),
    "112": (4, 6, 2, 2),
    "113": (5, 5, 2, 2),
    "122": (5, 5, 3, 3),
    "123": (6, 4, 3, 3),
    "133": (7, 3, 4, 4),
    "222": (6, 4, 4, 4),
    "223": (7, 3, 4, 4),
    "233": (8, 2, 5, 5),
    "333": (9, 1, 6, 6),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def named(square):
    return LETTERS[square[0] - 1] + str(square[1])


def distance(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def blocks(one, other, square):
    """Does something on this square block the line between the two? (TR-10)"""
    if square in (one, other):
        return False
    dx, dy = other[0] - one[0], other[1] - one[1]
    i, j = square[0] - one[0], square[1] - one[1]
    in_box = min(0, dx) <= i <= max(0, dx) and min(0, dy) <= j <= max(0, dy)
    return in_box and 2 * abs(i * dy - j * dx) < abs(dx) + abs(dy)


def costs(start, most, width, length, closed, other_ends):
    """{square: cost} of all squares that a way leads to with a cost of at most `most`.

    `closed` are the squares that cannot be entered, `other_ends` leads from each wormhole square to the other.
    Ends that are occupied are among the results.
    """
    found = {}
    front = {start}
    for cost in range(most + 1):
        waiting = [square for square in front if square not in found]
        front = set()
        while waiting:
            square = waiting.pop()
            if square in found:
                continue
            found[square] = cost
            end = other_ends.get(square)
            if end is not None and end not in closed and end not in found:
                waiting.append(end)
            for i in (-1, 0, 1):
                for j in (-1, 0, 1):
                    beside = (square[0] + i, square[1] + j)
                    if 1 <= beside[0] <= width and 1 <= beside[1] <= length and beside not in closed:
                        front.add(beside)
    return found


def largest_distance(ucn, reach):
    most = CLASSES[ucn][3]
    return most + 1 if reach == "between" else max(1, most)


def hits(value, target_ucn):
    if value in (1, 20):
        return value == 20
    return value - CLASSES[target_ucn][1] >= 10


class Ship:
    def __init__(self, seat, name, square):
        self.seat = seat
        self.id = name
        self.ucn = name[:3]
        self.square = square  # None once it has left the board
        self.damage = 0
        self.shield, self.movement, self.bonus, self.range = CLASSES[self.ucn]

    def label(self):
        return f"{self.seat}/{self.id}"


class Play:
    """The state of a game between two steps, with the same doors as the `Play` of the first game."""

    def __init__(self, header, game):
        self.game = game
        self.seats = [entry["seat"] for entry in header["seats"]]
        self.options = header["options"]
        self.width, self.length = self.options["width"], self.options["length"]
        self.asteroids = {self.square(text) for text in self.options["asteroids"]}
        self.other_ends = {}
        for pair in self.options["wormholes"]:
            one, other = map(self.square, pair)
            self.other_ends[one], self.other_ends[other] = other, one
        self.phase = "seal"
        self.awaits = list(self.seats)
        self.fleet_seals = {}
        self.nonce_seals = {}  # seat: (index, commitment), the newest
        self.fleets = {}  # seat: {id: ship}, of those that deployed
        self.rolls = []
        self.out = []
        self.offers = {}
        self.quiet_turns = 0
        self.turn = None
        self.first = None  # player one of this turn
        self.second_round = False  # is it the second one that is awaited, or was made last?
        self.risen = False  # has damage risen in this turn?
        self.fired = []  # the shots that await their roll
        self.round_nonce = None
        self.steps = 0
        self.ending = None

    def square(self, text):
        return square_on_board(text, self.width, self.length)

    # What there is

    def ships(self):
        return [
            self.fleets[seat][name]
            for seat in self.seats
            if seat in self.fleets
            for name in sorted(self.fleets[seat])
            if self.fleets[seat][name].square is not None
        ]

    def ships_reported(self):
        return [{"seat": s.seat, "id": s.id, "at": named(s.square), "damage": s.damage} for s in self.ships()]

    def reported(self):
        return {} if self.turn is None else {"turn": self.turn}

    def in_position(self):
        if self.turn is None:
            return dict.fromkeys(("turn", "quiet_turns", "first", "fired", "ships"))
        fired = self.fired if self.phase == "roll" and self.fired else None
        return {"turn": self.turn, "quiet_turns": self.quiet_turns, "first": self.first, "fired": fired,
                "ships": self.ships_reported()}  # fmt: skip

    def still_in(self):
        return [seat for seat in self.seats if seat in self.fleets and seat not in self.out]

    def other(self, seat):
        return self.seats[1 - self.seats.index(seat)]

    def own_ship(self, seat, name):
        """The ship of this seat on the board, or None."""
        ship = self.fleets[seat].get(name)
        return ship if ship is not None and ship.square is not None else None

    def result(self):
        return self.ending

    def all_caught(self):
        return []

    # Judging

    def judge(self, seat, action, table):
        """Refuses an illegal order of an awaited seat."""
        if action == "resign" and self.phase != "over":
            return []
        accepted = {
            "seal": ("seal",),
            "deploy": ("deploy",),
            "round": ("round", "claim-draw"),
            "roll": ("roll",),
        }
        if action not in accepted.get(self.phase, ()):
            raise Refused(f"`{action}` is not accepted in phase {self.phase}")
        if action in ("deploy", "round", "roll"):
            self.judge_nonce(seat, table["dice"]["nonce"])
        if action == "deploy":
            self.judge_deploy(seat, table)
        elif action == "round":
            self.judge_round(seat, table)
        elif action == "claim-draw":
            self.judge_claim()
        return []

    def judge_nonce(self, seat, nonce):
        index, promised = self.nonce_seals[seat]
        if digest("nonce", {"game": self.game, "seat": seat, "index": index, "nonce": nonce}) != promised:
            raise Refused("the nonce is not the one that was sealed")

    def judge_deploy(self, seat, table):
        fleet = table["fleet"]
        promised = digest("fleet", {"game": self.game, "seat": seat, "fleet": fleet, "salt": table["salt"]})
        if promised != self.fleet_seals[seat]:
            raise Refused("the fleet is not the one that was sealed")
        ranks = (1, 2) if seat == self.seats[0] else (self.length - 1, self.length)
        numbers, taken, pieces = {}, set(), ""
        for entry in fleet["ships"]:
            name, ucn = entry["id"], entry["id"][:3]
            if not re.fullmatch("[0-9]{3}[a-z]", name) or ucn not in CLASSES:
                raise Refused(f"{name!r} is no ship (TR-2)")
            if LETTERS.find(name[3:]) != numbers.get(ucn, 0):
                raise Refused(f"{name!r} is not the next letter of its class")
            numbers[ucn] = numbers.get(ucn, 0) + 1
            pieces += ucn
            square = self.square(entry["at"])
            if square is None or square[1] not in ranks:
                raise Refused(f"{name} cannot be set down on {entry['at']!r} (TR-3)")
            if square in taken:
                raise Refused(f"two ships on {entry['at']}")
            taken.add(square)
        if any(pieces.count(digit) != 5 for digit in "123"):
            raise Refused("the fleet does not use five pieces of each size (TR-1)")

    def moved(self, seat, moves):
        """{ship: square} of all ships on the board after these moves; refuses them if one is illegal."""
        squares = {ship: ship.square for ship in self.ships()}
        enemies = {square for ship, square in squares.items() if ship.seat != seat}
        listed = set()
        for move in moves:
            ship = self.own_ship(seat, move["ship"])
            if ship is None:
                raise Refused(f"{move['ship']!r} is no ship of {seat} on the board")
            if ship in listed:
                raise Refused(f"{ship.id} is moved twice (TR-8)")
            listed.add(ship)
            to = self.square(move["to"])
            if to is None or to in self.asteroids:
                raise Refused(f"{move['to']!r} is no square that a ship can stand on")
            if to == squares[ship]:
                continue
            if to in squares.values():
                raise Refused(f"{move['to']} is not empty (TR-8)")
            closed = enemies | self.asteroids
            if to not in costs(squares[ship], ship.movement, self.width, self.length, closed, self.other_ends):
                raise Refused(f"{ship.id} cannot go from {named(squares[ship])} to {move['to']} (TR-8)")
            squares[ship] = to
        return squares

    def judge_round(self, seat, table):
        squares = self.moved(seat, table["moves"])
        obstacles = self.asteroids.union(squares.values())
        listed = set()
        for shot in table["fire"]:
            ship, target = self.own_ship(seat, shot["ship"]), self.own_ship(self.other(seat), shot["at"])
            if ship is None:
                raise Refused(f"{shot['ship']!r} is no ship of {seat} on the board")
            if target is None:
                raise Refused(f"{shot['at']!r} is no enemy's ship on the board")
            if ship in listed:
                raise Refused(f"{ship.id} fires twice (TR-11)")
            listed.add(ship)
            start, end = squares[ship], squares[target]
            if distance(start, end) > largest_distance(ship.ucn, self.options["reach"]):
                raise Refused(f"{target.id} is out of range of {ship.id} (TR-9)")
            between = [named(square) for square in sorted(obstacles) if blocks(start, end, square)]
            if between:
                raise Refused(f"{', '.join(between)} between {ship.id} and {target.id} (TR-10)")

    def judge_claim(self):
        least = self.options["quiet_turns"]
        if least == 0 or self.quiet_turns < least or self.risen:
            raise Refused("the draw cannot be claimed (TR-17)")

    def judge_claim_from_outside(self, seat):
        raise Refused("a seat that is not awaited")

    def judge_ruling(self, result):
        if self.phase == "over":
            raise Refused("the result is final")
        if result == "draw" and self.phase not in ("round", "roll"):
            raise Refused("a draw can be ruled in play only")

    # Taking effect

    def close(self, orders):
        """A step is complete. `orders`: {seat: (action, table, draw, openings)}, a forfeit being a `resign`."""
        closes = {"seal": self.close_seal, "deploy": self.close_deploy}
        if self.phase in closes:
            closes[self.phase](orders)
        else:
            [(seat, (action, table, draw, _))] = orders.items()
            if action == "resign":
                self.leave(seat)
                self.win(self.other(seat))
            elif action == "claim-draw":
                self.draw()
            elif action == "round":
                self.close_round(seat, table, draw)
            else:
                self.close_roll(seat, table)
        self.steps += 1

    def close_seal(self, orders):
        for seat in self.seats:
            action, table, *_ = orders[seat]
            if action == "resign":
                self.out.append(seat)
            else:
                self.fleet_seals[seat] = table["fleet"]
                self.nonce_seals[seat] = (0, table["dice"])
        if self.out:
            self.void(self.out[0])
        else:
            self.phase, self.awaits = "deploy", list(self.seats)

    def close_deploy(self, orders):
        nonces = {}
        for seat in self.seats:
            action, table, *_ = orders[seat]
            if action == "resign":
                self.out.append(seat)
                continue
            ships = table["fleet"]["ships"]
            self.fleets[seat] = {ship["id"]: Ship(seat, ship["id"], self.square(ship["at"])) for ship in ships}
            nonces[seat] = self.open_nonce(seat, table)
        if not self.fleets:
            self.void(self.seats[0])
        elif len(self.fleets) == 1:
            self.turn = 1
            [self.first] = self.fleets
            self.win(self.first)
        else:
            self.begin_turn(1, nonces)

    def open_nonce(self, seat, table):
        self.nonce_seals[seat] = (self.nonce_seals[seat][0] + 1, table["dice"]["next"])
        return table["dice"]["nonce"]

    def roll(self, label, sides, nonces):
        value = die(roll_key(self.game, nonces, label), sides)
        self.rolls.append({"step": self.steps, "label": label, "sides": sides, "value": value})
        return value

    def begin_turn(self, number, nonces):
        self.turn, self.second_round, self.risen = number, False, False
        one = other = attempt = 0
        while one == other:
            attempt += 1
            one, other = (self.roll(f"initiative {number} {seat} {attempt}", 20, nonces) for seat in self.seats)
        self.first = self.seats[0] if one > other else self.seats[1]
        self.phase, self.awaits = "round", [self.first]

    def close_round(self, seat, table, draw):
        self.offers[seat] = draw
        self.round_nonce = self.open_nonce(seat, table)
        for ship, square in self.moved(seat, table["moves"]).items():
            ship.square = square
        self.fired = table["fire"]
        if all(self.offers.get(s) for s in self.seats):
            self.draw()
        elif self.fired or self.second_round:
            self.phase, self.awaits = "roll", [self.other(seat)]
        else:
            self.phase, self.awaits = "round", [self.other(seat)]
            self.second_round = True

    def close_roll(self, seat, table):
        nonces = {self.other(seat): self.round_nonce, seat: self.open_nonce(seat, table)}
        self.shoot(self.other(seat), seat, nonces)
        self.fired = []
        if self.second_round:
            self.quiet_turns = 0 if self.risen else self.quiet_turns + 1
        if not any(ship.seat == seat for ship in self.ships()):
            self.out.append(seat)
            self.win(self.other(seat))
        elif self.second_round:
            self.begin_turn(self.turn + 1, nonces)
        else:
            self.phase, self.awaits = "round", [seat]
            self.second_round = True

    def shoot(self, firing_seat, target_seat, nonces):
        sums = {}
        for shot in self.fired:
            ship, target = self.fleets[firing_seat][shot["ship"]], self.fleets[target_seat][shot["at"]]
            which = f"{self.turn} {ship.label()} {target.label()}"
            if hits(self.roll(f"attack {which}", 20, nonces), target.ucn):
                damage = self.roll(f"damage {which}", 10, nonces) + ship.bonus
                sums[target] = sums.get(target, 0) + damage
        for target, damage in sums.items():
            if damage > target.shield:
                target.damage += damage - target.shield
                self.risen = True
        for target in sums:
            if target.damage >= target.shield:
                target.square = None

    def leave(self, seat):
        self.out.append(seat)
        for ship in self.fleets[seat].values():
            ship.square = None

    # The end

    def end(self, result):
        self.ending = result
        self.phase, self.awaits = "over", []

    def void(self, by):
        self.end({"kind": "void", "by": by})

    def win(self, seat):
        self.end({"kind": "win", "seat": seat})

    def draw(self):
        self.end({"kind": "draw"})

    def close_ruling(self, result):
        self.steps += 1
        if result == "draw":
            self.draw()
        else:
            self.void("arbiter")
