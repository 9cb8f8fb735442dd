"""What a game of shield-bashers/1 accepts and what becomes of it (PROTOCOL.md, sections 12 and 13)."""

from board import Board, attacker_wins
from crypto import die, roll_key
from documents import ACTIONS_WITH_DRAW as WITH_DRAW
from documents import LAYERS, SHIPS, Refused, digest

ACTIONS_WITH_DRAW = WITH_DRAW["shield-bashers/1"]
QUIET_FOR_FINAL_BATTLE = 10
QUIET_FOR_DRAW = 12


class Ship:
    def __init__(self, seat, kind, table):
        self.seat = seat
        self.kind = kind
        self.square = table["square"]  # None once it has left the board
        self.primary = table["primary"]
        self.commitments = {layer: table[layer] for layer in LAYERS}
        self.opened = {}  # layer: colour
        self.has_tertiary = True


class Play:
    """The state of a game between two steps. It knows nothing of heads and signatures.

    `judge` refuses an order that is illegal. `close` takes the orders of a complete step, which were judged.
    """

    def __init__(self, header, game):
        self.game = game
        self.seats = [entry["seat"] for entry in header["seats"]]
        self.options = header["options"]
        self.board = Board(self.options["board"])
        self.phase = "seal"
        self.awaits = list(self.seats)  # all seats that the open step awaits, whether their orders are in or not
        self.seals = {}
        self.fleets = {}  # of the seats that deployed
        self.rolls = []
        self.out = []
        self.caught = []  # in play
        self.caught_in_audit = set()
        self.struck_out = set()
        self.offers = {}
        self.quiet_turns = 0
        self.mover = None
        self.battle = None  # while a defence is awaited: (attacking ship, defending ship, is it final?)
        self.ending = None  # ("win", seat), ("draw", [sharers]) or ("void", by)

    # What there is

    def ships(self):
        """The ships on the board."""
        return [
            self.fleets[seat][kind]
            for seat in self.seats
            if seat in self.fleets
            for kind in SHIPS
            if self.fleets[seat][kind].square is not None
        ]

    def ships_reported(self):
        """The ships on the board as section 15 shows them."""
        reported = []
        for ship in self.ships():
            entry = {"seat": ship.seat, "ship": ship.kind, "square": ship.square, "primary": ship.primary}
            entry["tertiary"] = ship.has_tertiary
            if "secondary" in ship.opened:
                entry["secondary"] = ship.opened["secondary"]
            reported.append(entry)
        return reported

    def reported(self):
        """What only this game adds to the outcome."""
        return {}

    def in_position(self):
        """What only this game adds to [position], besides; None for a key that should not stand there."""
        return {}

    def still_in(self):
        return [seat for seat in self.seats if seat in self.fleets and seat not in self.out]

    def sealed(self, seat):
        """(layer, ship) of all sealed shields, in the order of an audit."""
        fleet = self.fleets[seat]
        return [(layer, kind) for layer in LAYERS for kind in SHIPS if layer not in fleet[kind].opened]

    def owed(self, seat):
        fleet = self.fleets[seat]
        return [kind for kind in SHIPS if not fleet[kind].has_tertiary and "tertiary" not in fleet[kind].opened]

    def next_seat_in(self, seat):
        """The next seat still in, clockwise after this one."""
        place = self.seats.index(seat)
        return next(s for s in self.seats[place + 1 :] + self.seats[: place + 1] if s in self.still_in())

    def two_ships_quiet(self, least):
        ships = self.ships()
        return len(ships) == 2 and ships[0].seat != ships[1].seat and self.quiet_turns >= least

    # Judging

    def judge(self, seat, action, table):
        """Refuses an illegal order of an awaited seat, else returns what it opens: [(ship, layer, colour)]."""
        if action == "resign" and self.phase not in ("audit", "over"):
            return []
        accepted = {
            "seal": ("seal",),
            "deploy": ("deploy",),
            "move": ("move", "final-battle", "claim-draw"),
            "defend": ("defend",),
            "answer-claim": ("move", "final-battle", "accept-draw"),
            "audit": ("audit",),
        }
        if action not in accepted.get(self.phase, ()):
            raise Refused(f"`{action}` is not accepted in phase {self.phase}")
        if action == "deploy":
            self.judge_deploy(seat, table)
        elif action == "move":
            return self.judge_move(seat, table)
        elif action == "final-battle":
            return self.judge_final_battle(seat, table)
        elif action == "defend":
            return self.judge_defend(seat, table)
        elif action == "audit":
            return self.judge_audit(seat, table)
        elif action == "claim-draw" and not self.two_ships_quiet(QUIET_FOR_DRAW):
            raise Refused("the draw cannot be claimed yet")
        return []

    def judge_deploy(self, seat, table):
        seal = self.seals[seat]
        fleet, dice = table["fleet"], table["dice"]
        promised = digest("fleet", {"game": self.game, "seat": seat, "fleet": fleet, "salt": table["salt"]})
        if promised != seal["fleet"]:
            raise Refused("the fleet is not the one that was sealed")
        nonce = digest("nonce", {"game": self.game, "seat": seat, "index": 0, "nonce": dice["nonce"]})
        if nonce != seal["dice"]:
            raise Refused("the nonce is not the one that was sealed")
        corner = self.board.corner_of(self.seats.index(seat), len(self.seats))
        if fleet["cruiser"]["square"] != corner:
            raise Refused(f"the cruiser must stand on {corner} (SB-6)")
        beside = {fleet["frigate"]["square"], fleet["destroyer"]["square"]}
        if beside != self.board.straight[corner]:
            raise Refused("frigate and destroyer must stand beside the corner (SB-6)")
        if len({fleet[kind]["primary"] for kind in SHIPS}) != 3:
            raise Refused("the primaries must have three colours (SB-1)")

    def judge_move(self, seat, table):
        ship = self.fleets[seat][table["ship"]]
        if ship.square is None:
            raise Refused("this ship is lost")
        if table["to"] not in self.board.reach(ship.kind, ship.square):
            raise Refused(f"the {ship.kind} cannot go from {ship.square} to {table['to']!r}")
        target = self.ship_on(table["to"])
        if target and target.seat == seat:
            raise Refused("an own ship stands there (SB-12)")
        if self.phase == "answer-claim" and not target:
            raise Refused("while a claim waits, the mover may only attack")
        return self.judge_attack(seat, table, ship if target else None)

    def judge_final_battle(self, seat, table):
        if not self.two_ships_quiet(QUIET_FOR_FINAL_BATTLE):
            raise Refused("the final battle cannot be declared yet (SB-19)")
        return self.judge_attack(seat, table, self.only_ship(seat))

    def judge_attack(self, seat, table, attacker):
        """What a `move` or `final-battle` opens; `attacker` is None if it does not attack."""
        openings = self.judge_lost(seat, table)
        if (attacker is not None and "secondary" not in attacker.opened) != ("secondary" in table):
            raise Refused("`secondary` is there if and only if a sealed one attacks")
        if "secondary" in table:
            openings.append(self.judge_opening(attacker, "secondary", table["secondary"]))
        return openings

    def judge_defend(self, seat, table):
        attacker, defender, final = self.battle
        openings = self.judge_lost(seat, table)
        openings.append(self.judge_opening(defender, "secondary", table["secondary"]))
        loses = attacker_wins(
            attacker.primary, attacker.opened["secondary"], defender.primary, table["secondary"]["colour"]
        )
        if (loses and defender.has_tertiary and not final) != ("tertiary" in table):
            raise Refused("`tertiary` is there if and only if it is lost in this combat")
        if "tertiary" in table:
            openings.append(self.judge_opening(defender, "tertiary", table["tertiary"]))
        return openings

    def judge_audit(self, seat, table):
        shields = table["shields"]
        if [(shield["layer"], shield["ship"]) for shield in shields] != self.sealed(seat):
            raise Refused("an audit opens exactly the sealed shields, in their order")
        return [self.judge_opening(self.fleets[seat][shield["ship"]], shield["layer"], shield) for shield in shields]

    def judge_lost(self, seat, table):
        lost = table.get("lost", [])
        if [opening["ship"] for opening in lost] != self.owed(seat):
            raise Refused("`lost` opens exactly the tertiaries that are owed, in their order")
        return [self.judge_opening(self.fleets[seat][opening["ship"]], "tertiary", opening) for opening in lost]

    def judge_opening(self, ship, layer, opening):
        if layer in ship.opened:
            raise Refused(f"the {layer} of the {ship.kind} is open already")
        promised = {
            "game": self.game,
            "seat": ship.seat,
            "ship": ship.kind,
            "layer": layer,
            "colour": opening["colour"],
            "salt": opening["salt"],
        }
        if digest("shield", promised) != ship.commitments[layer]:
            raise Refused(f"the {layer} of the {ship.kind} is not the one that was sealed")
        return ship, layer, opening["colour"]

    def judge_claim_from_outside(self, seat):
        """A `claim-draw` of a seat that is not awaited."""
        if self.phase != "move":
            raise Refused("a seat that is not awaited")
        if seat not in self.out or seat not in self.fleets or seat in self.caught:
            raise Refused("this seat is not awaited and may not claim the draw (SB-20)")
        if not self.two_ships_quiet(QUIET_FOR_DRAW):
            raise Refused("the draw cannot be claimed yet (SB-20)")

    def judge_ruling(self, result):
        if self.phase == "over" or (self.phase == "audit" and "provisional" not in self.result()):
            raise Refused("the result is final")
        if result == "draw" and self.phase not in ("move", "defend", "answer-claim"):
            raise Refused("a draw can be ruled in play only")

    def ship_on(self, square):
        return next((ship for ship in self.ships() if ship.square == square), None)

    def only_ship(self, seat):
        return next(ship for ship in self.ships() if ship.seat == seat)

    # Taking effect

    def close(self, orders):
        """A step is complete. `orders`: {seat: (action, table, draw, openings)}, a forfeit being a `resign`.

        The orders of an audit step took effect before, in `audit` and `strike_out`.
        """
        if self.phase == "seal":
            self.close_seal(orders)
        elif self.phase == "deploy":
            self.close_deploy(orders)
        elif self.phase == "audit":
            self.phase, self.awaits = "over", []
        else:
            [(seat, order)] = orders.items()
            self.close_play(seat, *order)

    def close_seal(self, orders):
        for seat in self.seats:
            action, table, *_ = orders[seat]
            if action == "resign":
                self.out.append(seat)
            else:
                self.seals[seat] = table
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
            else:
                self.fleets[seat] = {kind: Ship(seat, kind, table["fleet"][kind]) for kind in SHIPS}
                nonces[seat] = table["dice"]["nonce"]
        deployed = self.still_in()
        if not deployed:
            self.void(self.out[0])
        elif len(deployed) == 1:
            self.end("win", deployed[0])
        else:
            first = self.options["first"]
            if first == "roll":
                value = die(roll_key(self.game, nonces, "first"), len(deployed))
                self.rolls.append({"step": 1, "label": "first", "sides": len(deployed), "value": value})
                self.begin_turn(deployed[value - 1])
            else:
                self.begin_turn(first if first in deployed else self.next_seat_in(first))

    def close_play(self, seat, action, table, draw, openings):
        out_before = len(self.out)
        if action in ("claim-draw", "accept-draw"):
            self.end("draw", self.still_in())
            return
        if action in ACTIONS_WITH_DRAW:
            self.offers[seat] = draw
        for ship, layer, colour in openings:
            ship.opened[layer] = colour
        if action == "resign":
            turn_over = self.leave(seat)
        elif self.shows_a_colour_twice(seat):
            self.caught.append(seat)
            turn_over = self.leave(seat)
        elif action == "move":
            turn_over = self.move(self.fleets[seat][table["ship"]], table["to"])
        elif action == "final-battle":
            other = next(ship for ship in self.ships() if ship.seat != seat)
            turn_over = self.attack(self.only_ship(seat), other, True)
        else:
            turn_over = self.fight(*self.battle)
        if len(self.out) > out_before:
            self.offers = {}
        still_in = self.still_in()
        if len(still_in) == 1:
            self.end("win", still_in[0])
        elif all(self.offers.get(s) for s in still_in):
            self.end("draw", still_in)
        elif turn_over:
            self.begin_turn(self.next_seat_in(self.mover))
        else:
            self.phase, self.awaits = "defend", [self.battle[1].seat]

    def close_claim_from_outside(self):
        self.phase = "answer-claim"  # it awaits the mover still

    def close_ruling(self, result):
        if result == "draw":
            self.end("draw", self.still_in())
        else:
            self.void("arbiter")

    def audit(self, seat, openings):
        for ship, layer, colour in openings:
            ship.opened[layer] = colour
        if self.shows_a_colour_twice(seat) and seat not in self.caught:
            self.caught_in_audit.add(seat)

    def strike_out(self, seat):
        self.struck_out.add(seat)

    def begin_turn(self, seat):
        self.phase, self.mover, self.awaits, self.battle = "move", seat, [seat], None

    def shows_a_colour_twice(self, seat):
        for layer in LAYERS:
            colours = [ship.opened[layer] for ship in self.fleets[seat].values() if layer in ship.opened]
            if len(set(colours)) < len(colours):
                return True
        return False

    # The next four return whether the turn is over, and set the quiet count if it is.

    def move(self, ship, square):
        target = self.ship_on(square)
        if target:
            return self.attack(ship, target, False)
        ship.square = square
        self.quiet_turns += 1
        return True

    def attack(self, attacker, defender, final):
        self.battle = attacker, defender, final
        if "secondary" in defender.opened:
            return self.fight(attacker, defender, final)
        return False

    def fight(self, attacker, defender, final):
        won = attacker_wins(
            attacker.primary, attacker.opened["secondary"], defender.primary, defender.opened["secondary"]
        )
        loser = defender if won else attacker
        if loser.has_tertiary and not final:
            loser.has_tertiary = False
        else:
            if won and not final:
                attacker.square = defender.square
            loser.square = None
            if not any(ship.square for ship in self.fleets[loser.seat].values()):
                self.out.append(loser.seat)
        self.quiet_turns = 0
        return True

    def leave(self, seat):
        """The awaited seat resigned, was forfeited or is expelled."""
        self.out.append(seat)
        if self.phase == "defend":
            attacker, defender, final = self.battle
            if not final:
                attacker.square = defender.square
        for ship in self.fleets[seat].values():
            ship.square = None
        self.quiet_turns = 0
        return True

    # The end

    def void(self, by):
        self.ending = ("void", by)
        self.phase, self.awaits = "over", []

    def end(self, kind, who):
        self.ending = (kind, who)
        self.awaits = [seat for seat in self.seats if seat in self.fleets and self.sealed(seat)]
        self.phase = "audit" if self.awaits else "over"

    def all_caught(self):
        return self.caught + [seat for seat in self.seats if seat in self.caught_in_audit]

    def result(self):
        """The result as it stands, or None while the game runs."""
        if self.ending is None:
            return None
        kind, who = self.ending
        if kind == "void":
            return {"kind": "void", "by": who}
        dirty = self.struck_out.union(self.all_caught())
        if kind == "win":
            winners = [who]
            if who in dirty and len(self.seats) == 2:
                winners = [seat for seat in self.seats if seat != who and seat in self.fleets]
        else:
            winners = who
        winners = [seat for seat in winners if seat not in dirty]
        if not winners:
            return {"kind": "none"}
        result = {"kind": "win", "seat": winners[0]} if len(winners) == 1 else {"kind": "draw"}
        if any(self.sealed(seat) for seat in winners):
            result["provisional"] = True
        return result
