//! What legal orders do: rounds, shots, damage, turns, the end.
//!
//! A round's moves take effect at once. Its shots wait for the other seat's nonce, and so
//! does the next turn's initiative; the first round of a turn that fires nothing waits for
//! nothing (TR-5, TR-6).

use super::action::{Action, Rolling, Round};
use super::fleet::ShipId;
use super::narrate;
use super::odds::{DAMAGE_SIDES, TO_HIT_SIDES, hits};
use super::position::{Aim, Course, Position};
use crate::crypto::{Roll, Rolled, roll};
use crate::games::frame::{Decision, Effects, leaves};
use crate::games::{Event, Outcome, Standing};
use crate::ident::{Nonce, Seat, SeatIndex};

/// One shot with its dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fired {
    pub(super) aim: Aim,
    /// The die that hits or misses.
    pub(super) die: u32,
    /// The die of the damage, if it hit.
    pub(super) damage: Option<u32>,
}

/// What a round's shots did to one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Struck {
    pub(super) target: ShipId,
    /// The damage of each hit, its bonus included.
    pub(super) hits: Vec<u32>,
    /// What the shield let through.
    pub(super) through: u32,
    /// All damage that the ship has taken now.
    pub(super) total: u32,
    pub(super) destroyed: bool,
}

impl Position {
    /// Closes a step with its one legal order.
    pub(super) fn take(&mut self, orders: &[(SeatIndex, Decision<Action>)]) -> Effects {
        let mut effects = Effects::default();
        for (seat, decision) in orders {
            match decision {
                Decision::Act(Action::Round(round)) => self.take_round(*seat, round, &mut effects),
                Decision::Act(Action::Roll(roll)) => self.take_roll(*seat, roll, &mut effects),
                Decision::Act(Action::ClaimDraw) => {
                    effects.events.push(narrate::draw_claimed(self, *seat));
                    effects.events.push(self.end_as_draw("it was claimed"));
                }
                Decision::Resign => {
                    let name = self.header.seat(*seat);
                    effects.events.push(leaves(name, Standing::Awaited(*seat)));
                    self.goes_out(*seat, &mut effects);
                }
                Decision::Forfeit | Decision::Caught => self.goes_out(*seat, &mut effects),
            }
        }
        effects
    }

    fn take_round(&mut self, seat: SeatIndex, round: &Round, effects: &mut Effects) {
        let Course::Round { is_second, .. } = self.course else { return };
        let mut moved = Vec::new();
        for step in &round.moves {
            let (Ok(id), Ok(to)) = (step.ship.parse::<ShipId>(), step.to.parse()) else { continue };
            if let Some(ship) = self.ship_mut(seat, id)
                && let Some(from) = ship.at.replace(to)
            {
                moved.push((id, from, to));
            }
        }
        let shots: Vec<Aim> = round
            .fire
            .iter()
            .filter_map(|shot| Some(Aim { ship: shot.ship.parse().ok()?, at: shot.at.parse().ok()? }))
            .collect();
        effects.events.push(narrate::round(self, seat, &moved, &shots));
        self.course = if shots.is_empty() && !is_second {
            Course::Round { seat: self.other(seat), is_second: true }
        } else {
            Course::Roll { by: seat, shots, nonce: round.dice.nonce, is_second }
        };
    }

    fn take_roll(&mut self, seat: SeatIndex, rolling: &Rolling, effects: &mut Effects) {
        let Course::Roll { by, shots, nonce, is_second } = self.course.clone() else { return };
        let nonces =
            vec![(self.header.seat(by).clone(), nonce), (self.header.seat(seat).clone(), rolling.dice.nonce)];
        self.resolve(by, &shots, &nonces, effects);
        if is_second {
            // A turn is quiet when no damage rose in it (TR-17).
            self.quiet_turns = if self.damage_rose { 0 } else { self.quiet_turns + 1 };
        }
        if self.on_board(seat).next().is_none() {
            self.course = Course::Over(Outcome::Win(by));
            effects.events.push(narrate::no_ships_left(self, by, seat));
        } else if is_second {
            self.damage_rose = false;
            self.turn += 1;
            self.roll_initiative(&nonces, effects);
        } else {
            self.course = Course::Round { seat, is_second: true };
        }
    }

    /// The shots of a round: all attacks first, then all damage (TR-6, TR-12 to TR-14).
    fn resolve(&mut self, by: SeatIndex, shots: &[Aim], nonces: &[(Seat, Nonce)], effects: &mut Effects) {
        let other = self.other(by);
        let (mine, theirs) = (self.name(by).to_owned(), self.name(other).to_owned());
        let turn = self.turn;
        let mut fired = Vec::new();
        for aim in shots {
            let words = format!("{turn} {mine}/{} {theirs}/{}", aim.ship, aim.at);
            let die = self.die(format!("attack {words}"), TO_HIT_SIDES, nonces, &mut effects.rolls);
            let damage = hits(die, aim.at.class)
                .then(|| self.die(format!("damage {words}"), DAMAGE_SIDES, nonces, &mut effects.rolls));
            fired.push(Fired { aim: *aim, die, damage });
        }
        effects.events.extend(fired.iter().map(|shot| narrate::shot(self, by, shot)));
        // Targets in the order in which they were first hit.
        let mut targets: Vec<ShipId> = Vec::new();
        for shot in fired.iter().filter(|shot| shot.damage.is_some()) {
            if !targets.contains(&shot.aim.at) {
                targets.push(shot.aim.at);
            }
        }
        for target in targets {
            let of_target = fired.iter().filter(|shot| shot.aim.at == target);
            let hits: Vec<u32> = of_target
                .filter_map(|shot| shot.damage.map(|die| die + shot.aim.ship.class.row().bonus))
                .collect();
            let shield = target.class.row().shield;
            let through = hits.iter().sum::<u32>().saturating_sub(shield);
            let Some(ship) = self.ship_mut(other, target) else { continue };
            ship.damage += through;
            let struck =
                Struck { target, hits, through, total: ship.damage, destroyed: ship.damage >= shield };
            if struck.destroyed {
                ship.at = None;
            }
            self.damage_rose |= through > 0;
            effects.events.push(narrate::struck(self, other, &struck));
        }
    }

    fn die(&self, label: String, sides: u32, nonces: &[(Seat, Nonce)], rolls: &mut Vec<Rolled>) -> u32 {
        let rolled = roll(&self.header.id(), Roll { label, sides, nonces: nonces.to_vec() });
        let value = rolled.value;
        rolls.push(rolled);
        value
    }

    /// Each seat rolls; the higher one begins; equal rolls again (TR-5).
    pub(super) fn roll_initiative(&mut self, nonces: &[(Seat, Nonce)], effects: &mut Effects) {
        let turn = self.turn;
        let mut thrown = Vec::new();
        for attempt in 1_u64.. {
            let dice: Vec<(SeatIndex, u32)> = self
                .fleets
                .seats()
                .map(|seat| {
                    let label = format!("initiative {turn} {} {attempt}", self.name(seat));
                    (seat, self.die(label, TO_HIT_SIDES, nonces, &mut effects.rolls))
                })
                .collect();
            let highest = dice.iter().map(|(_, die)| *die).max().unwrap_or(0);
            let mut leading = dice.iter().filter(|(_, die)| *die == highest).map(|(seat, _)| *seat);
            let (first, equal) = (leading.next().unwrap_or(SeatIndex::FIRST), leading.next());
            thrown.push(dice);
            if equal.is_none() {
                self.first = first;
                break;
            }
        }
        self.course = Course::Round { seat: self.first, is_second: false };
        effects.events.push(narrate::initiative(self, &thrown));
    }

    /// A seat resigns or forfeits: its ships leave, and shots that await their roll do not
    /// come in (TR-16).
    fn goes_out(&mut self, seat: SeatIndex, effects: &mut Effects) {
        let unrolled = matches!(&self.course, Course::Roll { shots, .. } if !shots.is_empty());
        for ship in self.fleets[seat].iter_mut().flatten() {
            ship.at = None;
        }
        let winner = self.other(seat);
        self.course = Course::Over(Outcome::Win(winner));
        effects.events.push(narrate::ships_leave(self, seat, unrolled));
    }

    /// Ends the game as a draw.
    pub(super) fn end_as_draw(&mut self, why: &'static str) -> Event {
        self.course = Course::Over(Outcome::Draw);
        narrate::drawn(why)
    }
}
