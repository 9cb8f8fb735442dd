//! What legal orders do: turns, combats, expulsions, the end.
//!
//! Phases of a closing step: openings are written down; a seat that they catch is expelled
//! before its order takes effect (SB-22); else the order takes effect; then it is looked
//! whether the game is over, and whose turn is next.

use super::action::{Action, Audit, Defend, FinalBattle, LostShield, Move};
use super::fleet::Class;
use super::narrate;
use super::position::{Attack, Base, Course, Position};
use super::shield::{Layer, Opening, Shield};
use crate::games::Event;
use crate::games::frame::Decision;
use crate::ident::SeatIndex;

impl Position {
    /// Closes a step with its legal orders.
    pub(super) fn take(&mut self, orders: &[(SeatIndex, Decision<Action>)]) -> Vec<Event> {
        let mut events = Vec::new();
        if matches!(self.course, Course::Audit(_)) {
            for (seat, decision) in orders {
                self.take_audit(*seat, decision, &mut events);
            }
            self.finish_audit(&mut events);
            return events;
        }
        for (seat, decision) in orders {
            match decision {
                Decision::Act(action) => self.take_action(*seat, action, &mut events),
                Decision::Resign => {
                    events.push(crate::games::frame::leaves(
                        self.header.seat(*seat),
                        crate::games::Standing::Awaited(*seat),
                    ));
                    self.goes_out_in_turn(*seat, &mut events);
                }
                Decision::Forfeit => self.goes_out_in_turn(*seat, &mut events),
                Decision::Caught => {
                    self.caught.push(*seat);
                    self.goes_out_in_turn(*seat, &mut events);
                }
            }
        }
        events
    }

    fn take_action(&mut self, seat: SeatIndex, action: &Action, events: &mut Vec<Event>) {
        match action {
            Action::ClaimDraw => {
                if self.course == (Course::Move { mover: seat }) {
                    events.push(narrate::draw_claimed(self, seat));
                    events.push(self.end_as_draw("it was claimed"));
                } else if let Course::Move { mover } = self.course {
                    events.push(narrate::draw_claimed_from_outside(self, seat, mover));
                    self.course = Course::AnswerClaim { mover };
                }
                return;
            }
            Action::AcceptDraw => {
                events.push(narrate::claim_accepted(self, seat));
                events.push(self.end_as_draw("the claim was accepted"));
                return;
            }
            Action::Audit(_) => return,
            Action::Move(_) | Action::Defend(_) | Action::FinalBattle(_) => {}
        }
        self.write_down_openings(seat, action, events);
        if let Some((layer, colour)) = self.has_repeated_a_colour(seat) {
            events.push(narrate::caught(self, seat, layer, colour));
            self.caught.push(seat);
            self.goes_out_in_turn(seat, events);
            return;
        }
        match (action, self.course.clone()) {
            (Action::Move(order), _) => self.take_move(seat, order, events),
            (Action::FinalBattle(_), _) => {
                if let Some(((_, with), (defender, target))) = self.last_two(seat) {
                    let attack = Attack { attacker: seat, with, defender, target, is_final: true };
                    self.attack(attack, events);
                }
            }
            (Action::Defend(_), Course::Defend(attack)) => self.resolve(attack, events),
            _ => {}
        }
    }

    /// Writes down every opening that an order brings.
    fn write_down_openings(&mut self, seat: SeatIndex, action: &Action, events: &mut Vec<Event>) {
        for LostShield { ship, colour, salt } in action.lost().unwrap_or_default() {
            self.write_down(seat, *ship, Layer::Tertiary, &Opening { colour: *colour, salt: *salt });
            events.push(narrate::debt_paid(self, seat, *ship, *colour));
        }
        match (action, self.course.clone()) {
            (Action::Move(Move { ship, secondary: Some(opening), .. }), _) => {
                self.write_down(seat, *ship, Layer::Secondary, opening);
            }
            (Action::FinalBattle(FinalBattle { secondary: Some(opening), .. }), _) => {
                if let Some(((_, class), _)) = self.last_two(seat) {
                    self.write_down(seat, class, Layer::Secondary, opening);
                }
            }
            (Action::Defend(Defend { secondary, tertiary, .. }), Course::Defend(attack)) => {
                self.write_down(seat, attack.target, Layer::Secondary, secondary);
                if let Some(opening) = tertiary {
                    self.write_down(seat, attack.target, Layer::Tertiary, opening);
                }
            }
            _ => {}
        }
    }

    /// Writes an opening down; it was judged before, so it matches.
    fn write_down(&mut self, seat: SeatIndex, class: Class, layer: Layer, opening: &Opening) {
        if let Ok(open) = self.open(seat, class, layer, opening)
            && let Some(ship) = self.ship_mut(seat, class)
        {
            *ship.shield_mut(layer) = Shield::Open(open);
        }
    }

    fn take_move(&mut self, seat: SeatIndex, order: &Move, events: &mut Vec<Event>) {
        let Ok((square, enemy)) = self.destination(seat, order.ship, &order.to) else { return };
        if let Some((defender, target)) = enemy {
            self.attack(
                Attack { attacker: seat, with: order.ship, defender, target, is_final: false },
                events,
            );
            return;
        }
        events.push(narrate::moved(self, seat, order.ship, square));
        if let Some(ship) = self.ship_mut(seat, order.ship) {
            ship.at = Some(square);
        }
        // A turn without combat is a quiet one (SB-18).
        self.quiet_turns += 1;
        self.next_turn(seat);
    }

    /// An attack resolves at once when both secondaries are open; else its defence is awaited.
    fn attack(&mut self, attack: Attack, events: &mut Vec<Event>) {
        events.push(narrate::attacks(self, &attack));
        let sealed = self.ship(attack.defender, attack.target).is_some_and(|ship| ship.secondary.is_sealed());
        if sealed {
            self.course = Course::Defend(attack);
        } else {
            self.resolve(attack, events);
        }
    }

    /// Decides a combat (SB-13 to SB-15, SB-19).
    fn resolve(&mut self, attack: Attack, events: &mut Vec<Event>) {
        let defending = self.ship(attack.defender, attack.target).and_then(|ship| ship.secondary.colour());
        let Some(attacker_wins) = defending.and_then(|colour| self.attacker_wins(&attack, colour)) else {
            return;
        };
        let (loser, class) =
            if attacker_wins { (attack.defender, attack.target) } else { (attack.attacker, attack.with) };
        let square = self.ship(attack.defender, attack.target).and_then(|ship| ship.at);
        let destroyed = attack.is_final || self.ship(loser, class).is_some_and(|ship| !ship.keeps_tertiary);
        events.push(narrate::combat(self, &attack, attacker_wins, destroyed));
        if let Some(ship) = self.ship_mut(loser, class) {
            if destroyed {
                ship.at = None;
            } else {
                ship.keeps_tertiary = false;
            }
        }
        // Only a destroyed defender's square is entered, and not in the final battle (SB-15, SB-19).
        if attacker_wins
            && destroyed
            && !attack.is_final
            && let Some(ship) = self.ship_mut(attack.attacker, attack.with)
        {
            ship.at = square;
        }
        self.quiet_turns = 0;
        if self.on_board(loser).next().is_none() {
            self.goes_out(loser);
            events.push(narrate::out_of_ships(self, loser));
        }
        self.next_turn(attack.attacker);
        self.look_for_winner(events);
    }

    /// A seat that is awaited goes out; its ships leave at once (SB-17).
    fn goes_out_in_turn(&mut self, seat: SeatIndex, events: &mut Vec<Event>) {
        let course = self.course.clone();
        let left_square = match &course {
            Course::Defend(attack) => self.ship(attack.defender, attack.target).and_then(|ship| ship.at),
            _ => None,
        };
        self.remove_ships(seat);
        self.quiet_turns = 0;
        self.goes_out(seat);
        events.push(narrate::ships_leave(self, seat));
        match course {
            Course::Defend(attack) => {
                if !attack.is_final
                    && let Some(square) = left_square
                {
                    events.push(narrate::enters(self, &attack, square));
                    if let Some(ship) = self.ship_mut(attack.attacker, attack.with) {
                        ship.at = Some(square);
                    }
                }
                self.next_turn(attack.attacker);
            }
            Course::Move { .. } | Course::AnswerClaim { .. } => self.next_turn(seat),
            Course::Audit(_) | Course::Over(_) => {}
        }
        self.look_for_winner(events);
    }

    fn remove_ships(&mut self, seat: SeatIndex) {
        for class in Class::ALL {
            if let Some(ship) = self.ship_mut(seat, class) {
                ship.at = None;
            }
        }
    }

    /// A seat is in no more.
    pub(super) fn goes_out(&mut self, seat: SeatIndex) {
        if self.sides[seat].is_in {
            self.sides[seat].is_in = false;
            self.out.push(seat);
        }
    }

    /// Play goes clockwise over the seats still in (SB-10).
    pub(super) fn next_turn(&mut self, from: SeatIndex) {
        if let Some(mover) = self.sides.clockwise_from(from).find(|seat| self.sides[*seat].is_in) {
            self.course = Course::Move { mover };
        }
    }

    /// The last seat with ships wins (SB-16).
    pub(super) fn look_for_winner(&mut self, events: &mut Vec<Event>) {
        if let [winner] = self.still_in().as_slice() {
            let winner = *winner;
            events.push(narrate::last_one(self, winner));
            self.end(Base::Win(winner));
        }
    }

    /// Ends the game as a draw between all who are still in.
    pub(super) fn end_as_draw(&mut self, why: &'static str) -> Event {
        self.end(Base::Draw(self.still_in()));
        narrate::drawn(why)
    }

    /// After the end all sealed shields are opened; with none left the game is over (SB-23).
    fn end(&mut self, base: Base) {
        let anything_sealed = self.sides.seats().any(|seat| !self.sealed(seat).is_empty());
        self.course = if anything_sealed { Course::Audit(base) } else { Course::Over(base) };
    }

    /// One seat's part of the audit, which counts as soon as it is in.
    pub(super) fn take_audit(
        &mut self,
        seat: SeatIndex,
        decision: &Decision<Action>,
        events: &mut Vec<Event>,
    ) {
        match decision {
            Decision::Act(Action::Audit(Audit { shields })) => {
                for shield in shields {
                    self.write_down(
                        seat,
                        shield.ship,
                        shield.layer,
                        &Opening { colour: shield.colour, salt: shield.salt },
                    );
                }
                events.push(narrate::audited(self, seat, shields));
                if let Some((layer, colour)) = self.has_repeated_a_colour(seat)
                    && !self.caught.contains(&seat)
                {
                    events.push(narrate::caught(self, seat, layer, colour));
                    self.caught.push(seat);
                }
            }
            Decision::Forfeit => {
                self.sides[seat].struck_out = true;
                events.push(narrate::struck_out(self, seat));
            }
            Decision::Caught => {
                self.sides[seat].struck_out = true;
                events.push(narrate::struck_out_by_proof(self, seat));
                if !self.caught.contains(&seat) {
                    self.caught.push(seat);
                }
            }
            Decision::Act(_) | Decision::Resign => {}
        }
    }

    fn finish_audit(&mut self, events: &mut Vec<Event>) {
        if let Course::Audit(base) = &self.course {
            self.course = Course::Over(base.clone());
            events.push(narrate::audit_done(self));
        }
    }
}
