//! What the rules allow: moves, shots, claims. Judging changes nothing and finds every fault
//! of a round, not only its first.

use super::action::Action;
use super::field::{Square, Standing};
use super::fleet::{MOST_SHIPS, Ship, ShipId};
use super::position::{Aim, Course, Position, Stand};
use crate::fault::{Checked, Code, Fault};
use crate::games::frame::{capital, game_over};
use crate::ident::SeatIndex;

/// Which part of a round a fault is about: its place in the list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A move.
    Move(usize),
    /// A shot.
    Shot(usize),
}

/// A round as the rules see it: where the ships stand after its moves, which shots are
/// allowed, and every fault.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The position after the moves that are possible.
    pub after: Position,
    /// Who stands where then.
    pub stand: Stand,
    /// The shots that are allowed.
    pub aims: Vec<Aim>,
    /// What is impossible, in the order of the round.
    pub faults: Vec<(Part, Fault)>,
}

/// How many squares or ships a hint names.
const HINTS: usize = 6;

fn impossible(rule: &'static str, why: String) -> Fault {
    Fault::new(Code::IllegalMove, why).rule(rule)
}

/// A list longer than any fleet names a ship twice: no time is spent on which.
fn check_length(list: &str, length: usize, rule: &'static str) -> Checked<()> {
    if length <= MOST_SHIPS {
        return Ok(());
    }
    let why = format!("{list} lists {length} ships; a fleet has at most {MOST_SHIPS}, each of them once");
    Err(impossible(rule, why).help("take out what is too many").about(list))
}

/// The first few of many things, in words.
pub(super) fn few(things: &[String]) -> String {
    match things.split_at_checked(HINTS) {
        Some((first, rest)) if !rest.is_empty() => format!("{} and {} more", first.join(", "), rest.len()),
        _ => things.join(", "),
    }
}

impl Position {
    /// Judges an action of a seat.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    pub(super) fn judge_action(&self, seat: SeatIndex, action: &Action) -> Checked<()> {
        match (&self.course, action) {
            (Course::Round { .. }, Action::Round(round)) => {
                check_length("moves", round.moves.len(), "TR-8")?;
                check_length("fire", round.fire.len(), "TR-11")?;
                let moves: Vec<_> =
                    round.moves.iter().map(|step| (step.ship.as_str(), step.to.as_str())).collect();
                let shots: Vec<_> =
                    round.fire.iter().map(|shot| (shot.ship.as_str(), shot.at.as_str())).collect();
                let faults = self.survey(seat, &moves, &shots).faults;
                let more = faults.len().saturating_sub(1);
                match faults.into_iter().next() {
                    None => Ok(()),
                    Some((part, mut fault)) => {
                        if more > 0 {
                            let words = if more == 1 {
                                "another part is".to_owned()
                            } else {
                                format!("{more} other parts are")
                            };
                            fault.message = format!("{}; {words} impossible, too", fault.message);
                        }
                        Err(fault.about(match part {
                            Part::Move(place) => format!("moves.{place}"),
                            Part::Shot(place) => format!("fire.{place}"),
                        }))
                    }
                }
            }
            (Course::Roll { .. }, Action::Roll(_)) => Ok(()),
            (Course::Round { .. }, Action::ClaimDraw) => self.judge_claim(),
            (Course::Over(_), _) => Err(game_over()),
            (course, action) => {
                let wanted = match course {
                    Course::Roll { .. } => "a [roll]",
                    _ => "a [round]",
                };
                Err(Fault::new(
                    Code::WrongPhase,
                    format!("[{}] does not belong here; {wanted} is awaited now", action.name()),
                )
                .rule("TR-6")
                .help("look at what is awaited with `sealed show`"))
            }
        }
    }

    /// Whether the draw may be claimed in place of a round (TR-17).
    ///
    /// # Errors
    /// Why not yet.
    pub(super) fn judge_claim(&self) -> Checked<()> {
        let no = |why: String| {
            let fault = Fault::new(Code::TooEarly, why).rule("TR-17");
            Err(fault.help("give a round; a draw can be offered with it: --draw"))
        };
        if self.quiet_limit == 0 {
            return no("in this game no draw can be claimed (quiet_turns = 0)".to_owned());
        }
        if self.quiet_turns < self.quiet_limit {
            return no(format!(
                "a draw can be claimed after {} quiet turns in a row; there were {}",
                self.quiet_limit, self.quiet_turns
            ));
        }
        if self.damage_rose {
            return no("damage has risen in this turn, so the draw cannot be claimed in it".to_owned());
        }
        Ok(())
    }

    /// Looks at a round: makes its moves one after another, then aims its shots.
    pub(super) fn survey(&self, seat: SeatIndex, moves: &[(&str, &str)], shots: &[(&str, &str)]) -> Survey {
        let mut survey =
            Survey { after: self.clone(), stand: self.stand(), aims: Vec::new(), faults: Vec::new() };
        let listed: Vec<&str> = moves.iter().map(|(ship, _)| *ship).collect();
        for (place, (ship, to)) in moves.iter().enumerate() {
            let (before, later) = listed.split_at(place);
            match survey.movable(seat, ship, to, before, later) {
                Err(fault) => survey.faults.push((Part::Move(place), fault)),
                Ok((id, from, to)) => {
                    survey.stand.put(from, None);
                    survey.stand.put(to, Some((seat, id)));
                    if let Some(ship) = survey.after.ship_mut(seat, id) {
                        ship.at = Some(to);
                    }
                }
            }
        }
        for (place, (ship, at)) in shots.iter().enumerate() {
            let before = shots.get(..place).unwrap_or_default();
            match survey.aim(seat, ship, at, before) {
                Err(fault) => survey.faults.push((Part::Shot(place), fault)),
                Ok(aim) => survey.aims.push(aim),
            }
        }
        survey
    }
}

impl Survey {
    /// A seat's ship that is on the board, by the name that a player wrote.
    fn present(&self, seat: SeatIndex, word: &str, rule: &'static str) -> Checked<(&Ship, Square)> {
        let position = &self.after;
        let name = position.name(seat);
        let left = || {
            let ids: Vec<String> = position.on_board(seat).map(|(ship, _)| ship.id.to_string()).collect();
            format!("{name} has {}", if ids.is_empty() { "none left".to_owned() } else { ids.join(", ") })
        };
        let Ok(id) = word.parse::<ShipId>() else {
            return Err(impossible(
                rule,
                format!("{word:?} is no ship: a ship is one of the 19 class numbers and a letter, like 333a"),
            )
            .help(left()));
        };
        match position.ship(seat, id) {
            None => Err(impossible(rule, format!("{name} has no ship {id}")).help(left())),
            Some(ship) => match ship.at {
                Some(at) => Ok((ship, at)),
                None => Err(impossible("TR-14", format!("{name}'s {id} is destroyed")).help(left())),
            },
        }
    }

    /// One move: the ship, where it stands, where it goes (TR-8).
    fn movable(
        &self,
        seat: SeatIndex,
        word: &str,
        to: &str,
        before: &[&str],
        later: &[&str],
    ) -> Checked<(ShipId, Square, Square)> {
        let field = &self.after.field;
        let (ship, from) = self.present(seat, word, "TR-8")?;
        let (id, row) = (ship.id, ship.id.class.row());
        if before.contains(&word) {
            return Err(impossible("TR-8", format!("{id} is moved twice; a ship moves once a round"))
                .help("name only the square where it is to end"));
        }
        let reachable = |goal: Option<Square>| self.hint(seat, id, from, goal);
        let to = match to.parse::<Square>() {
            Ok(square) if field.contains(square) => square,
            Ok(square) => {
                let why = format!("{id} cannot go to {square}, which is not on this board");
                return Err(impossible("TR-3", why).help(reachable(None)));
            }
            Err(()) => {
                let why = format!("{id} cannot go to {to:?}, which is no square");
                return Err(impossible("TR-3", why).help(reachable(None)));
            }
        };
        let standing = |square| self.stand.standing(seat, square);
        if field.is_asteroid(to) {
            let why = format!("{id} cannot go to {to}: an asteroid is there");
            return Err(impossible("TR-18", why).help(reachable(Some(to))));
        }
        if let Some((owner, other)) = self.stand.on(to)
            && to != from
        {
            let name = self.after.name(owner);
            let why = format!("{id} cannot end on {to}: {name}'s {other} is there");
            let moves_later = owner == seat
                && later.iter().any(|word| word.parse::<ShipId>().is_ok_and(|ship| ship == other));
            let help = if moves_later {
                format!("moves are made in the order of the list: put the move of {other} before it")
            } else {
                reachable(Some(to))
            };
            return Err(impossible("TR-8", why).help(help));
        }
        if field.steps(from, to, row.rate, standing).is_some() {
            return Ok((id, from, to));
        }
        let far = from.distance(to);
        let why = if far > row.rate && field.wormholes().next().is_none() {
            format!(
                "{id} cannot go from {from} to {to}: that is {far} steps, and its movement rate is {}",
                row.rate
            )
        } else {
            let longest = u32::from(field.width()) * u32::from(field.length());
            match field.steps(from, to, longest, standing) {
                Some(steps) => format!(
                    "{id} cannot go from {from} to {to}: the shortest free way has {steps} steps, and its movement rate is {}",
                    row.rate
                ),
                None => format!("{id} cannot go from {from} to {to}: there is no free way"),
            }
        };
        Err(impossible("TR-8", why).help(reachable(Some(to))))
    }

    /// What a ship can reach, in words: the squares nearest to where it was to go.
    fn hint(&self, seat: SeatIndex, id: ShipId, from: Square, goal: Option<Square>) -> String {
        let rate = id.class.row().rate;
        let ends = self.after.field.reach(from, rate, |square| self.stand.standing(seat, square));
        let mut squares: Vec<Square> = ends.into_keys().filter(|square| *square != from).collect();
        if squares.is_empty() {
            return format!("{id} on {from} can go nowhere now");
        }
        if let Some(goal) = goal {
            squares.sort_by_key(|square| (square.distance(goal), *square));
        }
        let names: Vec<String> = squares.iter().map(Square::to_string).collect();
        let steps = if rate == 1 { "step" } else { "steps" };
        let squares = match goal {
            Some(_) => format!("nearest to that: {}", few(&names)),
            None => format!("name a square like {}", names.first().map_or("h4", String::as_str)),
        };
        format!("{id} on {from} goes up to {rate} {steps}; {squares}")
    }

    /// One shot (TR-9 to TR-11).
    fn aim(&self, seat: SeatIndex, word: &str, target: &str, before: &[(&str, &str)]) -> Checked<Aim> {
        let position = &self.after;
        let other = position.other(seat);
        let (ship, from) = self.present(seat, word, "TR-11")?;
        let id = ship.id;
        if before.iter().any(|(ship, _)| *ship == word) {
            return Err(impossible(
                "TR-11",
                format!("{id} fires twice; a ship fires once a round, at one target"),
            )
            .help("take one of its shots out"));
        }
        let (target, on) =
            self.present(other, target, "TR-11").map_err(|fault| fault.help(self.targets(seat, id, from)))?;
        let far = from.distance(on);
        let largest = position.largest_distance(id);
        if far > largest {
            let why = format!(
                "{id} on {from} cannot fire at {}'s {} on {on}: that is {far} squares away, and it reaches {largest}",
                position.name(other),
                target.id
            );
            return Err(impossible("TR-9", why).help(self.targets(seat, id, from)));
        }
        let blocking = self.blocking(from, on);
        if !blocking.is_empty() {
            let why = format!(
                "{id} on {from} does not see {}'s {} on {on}: {} in between",
                position.name(other),
                target.id,
                blocking.join(" and ")
            );
            return Err(impossible("TR-10", why).help(self.targets(seat, id, from)));
        }
        Ok(Aim { ship: id, at: target.id })
    }

    /// What blocks the sight between two squares, in words.
    pub(super) fn blocking(&self, from: Square, to: Square) -> Vec<String> {
        let field = &self.after.field;
        let blockers = field.blockers(from, to, |square| self.stand.on(square).is_some());
        blockers
            .into_iter()
            .map(|square| match self.stand.on(square) {
                Some((owner, ship)) => format!("{}'s {ship} on {square} is", self.after.name(owner)),
                None => format!("the asteroid on {square} is"),
            })
            .collect()
    }

    /// The targets that a ship has in range and in sight.
    pub(super) fn in_sight(&self, seat: SeatIndex, id: ShipId, from: Square) -> Vec<ShipId> {
        let position = &self.after;
        let largest = position.largest_distance(id);
        position
            .on_board(position.other(seat))
            .filter(|(_, on)| from.distance(*on) <= largest)
            .filter(|(_, on)| {
                let occupied = |square| self.stand.standing(seat, square) != Standing::Empty;
                position.field.blockers(from, *on, occupied).is_empty()
            })
            .map(|(ship, _)| ship.id)
            .collect()
    }

    fn targets(&self, seat: SeatIndex, id: ShipId, from: Square) -> String {
        let targets: Vec<String> = self.in_sight(seat, id, from).iter().map(ShipId::to_string).collect();
        if targets.is_empty() {
            format!("{} has no target in range and in sight from {from}", capital(&id.to_string()))
        } else {
            format!("from {from} {id} can fire at: {}", few(&targets))
        }
    }
}
