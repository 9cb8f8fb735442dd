//! What is allowed: the rules that refuse. Nothing here changes a position.

use super::action::{Action, Audit, Defend, FinalBattle, LostShield, Move};
use super::board::Square;
use super::combat::{Colour, Need};
use super::fleet::{Class, Ship};
use super::position::{Attack, Course, Position};
use super::shield::{Layer, OpenShield, Opening, Shield, ShieldSlot};
use crate::fault::{Checked, Code, Fault};
use crate::ident::SeatIndex;

/// Quiet turns after which the final battle may be declared: five rounds of two turns (SB-19).
pub const QUIET_FOR_BATTLE: u64 = 10;

/// Quiet turns after which the draw may be claimed: six rounds of two turns (SB-20).
pub const QUIET_FOR_DRAW: u64 = 12;

impl Position {
    /// Judges an action of a seat that is awaited, or of one that is out and claims the draw.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    pub(super) fn judge_action(&self, seat: SeatIndex, action: &Action) -> Checked<()> {
        if *action == Action::ClaimDraw && !self.sides[seat].is_in {
            return self.judge_claim_from_outside(seat);
        }
        match (&self.course, action) {
            (Course::Move { .. }, Action::Move(order)) => self.judge_move(seat, order, false),
            (Course::AnswerClaim { .. }, Action::Move(order)) => self.judge_move(seat, order, true),
            (Course::Move { .. } | Course::AnswerClaim { .. }, Action::FinalBattle(order)) => {
                self.judge_final_battle(seat, order)
            }
            (Course::Move { mover }, Action::ClaimDraw) => self.judge_claim(*mover),
            (Course::AnswerClaim { .. }, Action::AcceptDraw) => Ok(()),
            (Course::Defend(attack), Action::Defend(order)) => self.judge_defence(attack, order),
            (Course::Audit(_), Action::Audit(order)) => self.judge_audit(seat, order),
            (Course::AnswerClaim { .. }, Action::ClaimDraw) => {
                Err(Fault::new(Code::WrongPhase, "the draw is claimed already")
                    .rule("SB-20")
                    .help("accept it with `sealed order accept-draw`, or fight"))
            }
            (Course::Move { .. }, Action::AcceptDraw) => {
                Err(Fault::new(Code::WrongPhase, "nobody has claimed a draw")
                    .rule("SB-20")
                    .help("to accept an offer of a draw, give your move with --draw"))
            }
            (course, action) => {
                let wanted = match course {
                    Course::Move { .. } => "a [move]",
                    Course::Defend(_) => "a [defend]",
                    Course::AnswerClaim { .. } => "an attack, a [final-battle] or [accept-draw]",
                    Course::Audit(_) => "an [audit]",
                    Course::Over(_) => return Err(crate::games::frame::game_over()),
                };
                Err(Fault::new(
                    Code::WrongPhase,
                    format!("[{}] does not belong here; {wanted} is awaited now", action.name()),
                )
                .help("look at what is awaited with `sealed show`"))
            }
        }
    }

    /// The ship that a seat wants to move, and where it stands.
    ///
    /// # Errors
    /// The ship is not on the board.
    fn movable(&self, seat: SeatIndex, class: Class) -> Checked<(&Ship, Square)> {
        let ship = self.ship(seat, class);
        ship.and_then(|ship| ship.at.map(|at| (ship, at))).ok_or_else(|| {
            let left: Vec<_> = self.on_board(seat).map(|(class, ..)| class.as_str()).collect();
            Fault::new(
                Code::IllegalMove,
                format!("{}'s {class} is not on the board any more", self.name(seat)),
            )
            .rule("SB-14")
            .help(format!("{} still has: {}", self.name(seat), left.join(", ")))
            .about("ship")
        })
    }

    /// Finds out what a move would do: where it leads, and whom it attacks.
    ///
    /// # Errors
    /// `illegal-move`.
    pub(super) fn destination(
        &self,
        seat: SeatIndex,
        class: Class,
        to: &str,
    ) -> Checked<(Square, Option<(SeatIndex, Class)>)> {
        let (_, from) = self.movable(seat, class)?;
        let reach = class.reach(&self.board, from);
        let open: Vec<_> = reach
            .iter()
            .filter(|square| self.standing_on(**square).is_none_or(|(owner, _)| owner != seat))
            .map(|square| self.board.name(*square))
            .collect();
        let help = match open.as_slice() {
            [] => format!("the {class} has no square to go to; move another ship"),
            squares => {
                format!("from {} the {class} can go to: {}", self.board.name(from), squares.join(", "))
            }
        };
        let Some(square) = self.board.find(to) else {
            return Err(Fault::new(Code::IllegalMove, format!("{to:?} is no square of this board"))
                .rule("SB-7")
                .help(help)
                .about("to"));
        };
        if square == from {
            return Err(Fault::new(
                Code::IllegalMove,
                format!("the {class} stands on {to} already, and nobody may pass"),
            )
            .rule("SB-11")
            .help(help)
            .about("to"));
        }
        if !reach.contains(&square) {
            return Err(Fault::new(
                Code::IllegalMove,
                format!(
                    "the {class} moves {}; it cannot go from {} to {to}",
                    class.movement(),
                    self.board.name(from)
                ),
            )
            .rule("SB-12")
            .help(help)
            .about("to"));
        }
        match self.standing_on(square) {
            Some((owner, other)) if owner == seat => {
                Err(Fault::new(Code::IllegalMove, format!("your own {other} stands on {to}"))
                    .rule("SB-12")
                    .help(help)
                    .about("to"))
            }
            standing => Ok((square, standing)),
        }
    }

    fn judge_move(&self, seat: SeatIndex, order: &Move, must_fight: bool) -> Checked<()> {
        let (_, enemy) = self.destination(seat, order.ship, &order.to)?;
        if must_fight && enemy.is_none() {
            return Err(Fault::new(
                Code::IllegalMove,
                "the draw is claimed; only a move that attacks answers the claim",
            )
            .rule("SB-20")
            .help("attack, declare the final battle if you may, or accept with `sealed order accept-draw`")
            .about("to"));
        }
        self.judge_attackers_opening(seat, order.ship, enemy.is_some(), order.secondary.as_ref())?;
        self.judge_lost(seat, order.lost.as_deref())
    }

    fn judge_final_battle(&self, seat: SeatIndex, order: &FinalBattle) -> Checked<()> {
        let Some(((_, class), _)) = self.last_two(seat) else {
            return Err(Fault::new(
                Code::TooEarly,
                "the final battle is for two ships, one each; more are on the board",
            )
            .rule("SB-19")
            .help("move instead"));
        };
        if self.quiet_turns < QUIET_FOR_BATTLE {
            return Err(Fault::new(
                Code::TooEarly,
                format!(
                    "the final battle needs {QUIET_FOR_BATTLE} turns without combat; there were {}",
                    self.quiet_turns
                ),
            )
            .rule("SB-19")
            .help("move instead"));
        }
        self.judge_attackers_opening(seat, class, true, order.secondary.as_ref())?;
        self.judge_lost(seat, order.lost.as_deref())
    }

    /// Judges a claim of the draw, with `mover` to move (SB-20).
    fn judge_claim(&self, mover: SeatIndex) -> Checked<()> {
        let early = |why: String, help: &str| Err(Fault::new(Code::TooEarly, why).rule("SB-20").help(help));
        if self.last_two(mover).is_none() {
            let why = "the draw can be claimed when two ships are left, one each; more are on the board";
            return early(why.to_owned(), "fight on until two ships are left");
        }
        if self.quiet_turns < QUIET_FOR_DRAW {
            let why = format!(
                "a claim of the draw needs {QUIET_FOR_DRAW} turns without combat; there were {}",
                self.quiet_turns
            );
            return early(why, "play goes on; `sealed show` counts the turns without combat");
        }
        Ok(())
    }

    /// Judges the claim of a seat that is out: it took part, was not caught, and a move is
    /// awaited (SB-20).
    fn judge_claim_from_outside(&self, seat: SeatIndex) -> Checked<()> {
        let name = self.name(seat);
        let no = |code, why: String| {
            Err(Fault::new(code, why).rule("SB-20").help("the others play on; nothing is to be done"))
        };
        if !self.took_part(seat) {
            return no(
                Code::NotAwaited,
                format!("{name} never opened a fleet, so it may not claim the draw"),
            );
        }
        if self.caught.contains(&seat) {
            return no(Code::NotAwaited, format!("{name} was caught and may not claim the draw"));
        }
        match self.course {
            Course::Move { mover } => self.judge_claim(mover),
            Course::AnswerClaim { .. } => no(Code::WrongPhase, "the draw is claimed already".to_owned()),
            Course::Defend(_) => no(
                Code::WrongPhase,
                "the draw can be claimed only while a move is awaited; a defence is awaited now".to_owned(),
            ),
            Course::Audit(_) | Course::Over(_) => {
                no(Code::WrongPhase, "the game has ended; no draw can be claimed".to_owned())
            }
        }
    }

    fn judge_attackers_opening(
        &self,
        seat: SeatIndex,
        class: Class,
        attacks: bool,
        secondary: Option<&Opening>,
    ) -> Checked<()> {
        let (ship, _) = self.movable(seat, class)?;
        match (attacks, ship.secondary, secondary) {
            (true, Shield::Sealed(_), Some(opening)) => self
                .open(seat, class, Layer::Secondary, opening)
                .map(|_| ())
                .map_err(|fault| fault.about("secondary")),
            (true, Shield::Sealed(_), None) => Err(Fault::new(
                Code::MissingOpening,
                format!(
                    "the {class} attacks, and its secondary shield is still sealed; the order must open it"
                ),
            )
            .rule("SB-4")
            .help("compose the order with `sealed order`, which adds every opening")),
            (true, Shield::Open(_), Some(_)) => Err(Fault::new(
                Code::NeedlessOpening,
                format!("the {class}'s secondary shield is open already"),
            )
            .help("compose the order with `sealed order`, which opens only what is sealed")
            .rule("SB-4")
            .about("secondary")),
            (false, _, Some(_)) => Err(Fault::new(
                Code::NeedlessOpening,
                "the move attacks nobody, so it opens no secondary shield",
            )
            .rule("SB-2")
            .about("secondary")),
            (true, Shield::Open(_), None) | (false, _, None) => Ok(()),
        }
    }

    /// An order opens exactly the tertiaries that its seat owes (SB-3).
    fn judge_lost(&self, seat: SeatIndex, lost: Option<&[LostShield]>) -> Checked<()> {
        let owed = self.owed(seat);
        let listed: Vec<Class> = lost.unwrap_or_default().iter().map(|shield| shield.ship).collect();
        if lost.is_some_and(<[LostShield]>::is_empty) {
            return Err(Fault::new(Code::NeedlessOpening, "an empty list of lost shields is not written")
                .rule("SB-3")
                .help("leave `lost` out where nothing is owed")
                .about("lost"));
        }
        if listed != owed {
            let words = |classes: &[Class]| match classes {
                [] => "none".to_owned(),
                some => some.iter().map(|class| class.as_str()).collect::<Vec<_>>().join(", "),
            };
            let (name, owes, opens) = (self.name(seat), words(&owed), words(&listed));
            let is_missing = owed.iter().any(|class| !listed.contains(class));
            let is_needless = listed.len() > owed.len();
            let (code, why) = if owed.is_empty() {
                (
                    Code::NeedlessOpening,
                    format!("{name} owes no lost tertiary shield, but the order opens: {opens}"),
                )
            } else if is_missing {
                (
                    Code::MissingOpening,
                    format!("{name} owes the lost tertiary shields of: {owes}; the order opens: {opens}"),
                )
            } else if is_needless {
                (
                    Code::NeedlessOpening,
                    format!(
                        "{name} owes only the lost tertiary shields of: {owes}; the order opens: {opens}"
                    ),
                )
            } else {
                let why = format!(
                    "lost tertiary shields are opened in the order frigate, destroyer, cruiser: here {owes}; the order has: {opens}"
                );
                (Code::WrongOpening, why)
            };
            return Err(Fault::new(code, why)
                .rule("SB-3")
                .help("compose the order with `sealed order`, which adds every opening")
                .about("lost"));
        }
        for (place, shield) in lost.unwrap_or_default().iter().enumerate() {
            let opening = Opening { colour: shield.colour, salt: shield.salt };
            self.open(seat, shield.ship, Layer::Tertiary, &opening)
                .map_err(|fault| fault.about(format!("lost.{place}")))?;
        }
        Ok(())
    }

    fn judge_defence(&self, attack: &Attack, order: &Defend) -> Checked<()> {
        let seat = attack.defender;
        self.open(seat, attack.target, Layer::Secondary, &order.secondary)
            .map_err(|fault| fault.about("secondary"))?;
        let keeps = self.ship(seat, attack.target).is_some_and(|ship| ship.keeps_tertiary);
        let loses = self.attacker_wins(attack, order.secondary.colour).unwrap_or(false);
        match (loses && keeps && !attack.is_final, &order.tertiary) {
            (true, None) => {
                return Err(Fault::new(
                    Code::MissingOpening,
                    format!(
                        "the {} loses this combat and its tertiary shield with it; the order must open that",
                        attack.target
                    ),
                )
                .rule("SB-14")
                .help("answer with `sealed respond`, which adds every opening"));
            }
            (false, Some(_)) => {
                let why = if attack.is_final {
                    "in the final battle no tertiary shield is opened"
                } else if loses {
                    "the tertiary shield is lost already"
                } else {
                    "the defender wins this combat and loses no tertiary shield"
                };
                return Err(Fault::new(Code::NeedlessOpening, why).rule("SB-14").about("tertiary"));
            }
            (true, Some(opening)) => {
                self.open(seat, attack.target, Layer::Tertiary, opening)
                    .map_err(|fault| fault.about("tertiary"))?;
            }
            (false, None) => {}
        }
        self.judge_lost(seat, order.lost.as_deref())
    }

    /// An audit opens exactly what is still sealed, in order (SB-23).
    fn judge_audit(&self, seat: SeatIndex, order: &Audit) -> Checked<()> {
        let sealed = self.sealed(seat);
        let listed: Vec<_> = order.shields.iter().map(|shield| (shield.ship, shield.layer)).collect();
        if listed != sealed {
            let words: Vec<_> =
                sealed.iter().map(|(class, layer)| format!("{} {class}", layer.as_str())).collect();
            let (code, why) = if sealed.iter().any(|slot| !listed.contains(slot)) {
                (Code::MissingOpening, "the audit leaves shields sealed")
            } else if listed.len() > sealed.len() {
                (Code::NeedlessOpening, "the audit opens more than is sealed")
            } else {
                (Code::WrongOpening, "the audit opens the right shields in the wrong order")
            };
            return Err(Fault::new(code, format!("{why}; it must be: {}", words.join(", ")))
                .rule("SB-23")
                .help("answer with `sealed respond`, which opens them all")
                .about("shields"));
        }
        for (place, shield) in order.shields.iter().enumerate() {
            let opening = Opening { colour: shield.colour, salt: shield.salt };
            self.open(seat, shield.ship, shield.layer, &opening)
                .map_err(|fault| fault.about(format!("shields.{place}")))?;
        }
        Ok(())
    }

    /// Opens a sealed shield of a seat, without writing it down.
    ///
    /// # Errors
    /// It does not match, or is open already.
    pub(super) fn open(
        &self,
        seat: SeatIndex,
        class: Class,
        layer: Layer,
        opening: &Opening,
    ) -> Checked<OpenShield> {
        let game = self.header.id();
        let slot = ShieldSlot { game: &game, seat: self.header.seat(seat), class, layer };
        match self.ship(seat, class).map(|ship| *ship.shield(layer)) {
            Some(Shield::Sealed(sealed)) => sealed.open(slot, opening),
            Some(Shield::Open(_)) => Err(Fault::new(
                Code::NeedlessOpening,
                format!("the {} of {}'s {class} is open already", layer.as_str(), self.name(seat)),
            )),
            None => {
                Err(Fault::new(Code::NoSuchThing, format!("{} never deployed a {class}", self.name(seat))))
            }
        }
    }

    /// Whether the attacker wins, given the defender's secondary; nothing while the
    /// attacker's is sealed.
    pub(super) fn attacker_wins(&self, attack: &Attack, defending: Colour) -> Option<bool> {
        let attacker = self.ship(attack.attacker, attack.with)?;
        let defender = self.ship(attack.defender, attack.target)?;
        let attacking = attacker.secondary.colour()?;
        Some(Need::row(attacker.primary, defender.primary).won_by_attacker(attacking, defending))
    }
}
