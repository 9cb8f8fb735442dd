//! How the game came out: the end on the board, and what the audit makes of it (SB-23).

use super::position::{Base, Course, Position};
use crate::games::{Ending, Outcome};
use crate::ident::SeatIndex;

impl Position {
    /// The result, once the game has ended; provisional until the shields of all clean
    /// seats that it names are open.
    pub(super) fn result(&self) -> Option<Ending> {
        let (Course::Audit(base) | Course::Over(base)) = &self.course else { return None };
        let (outcome, named) = match base {
            Base::Win(winner) => self.after_audit_of_winner(*winner),
            Base::Draw(sharers) => self.after_audit_of_sharers(sharers),
        };
        let provisional = named.iter().any(|seat| !self.sealed(*seat).is_empty());
        Some(Ending { outcome, provisional })
    }

    /// Whether a seat was neither caught nor struck out.
    fn is_clean(&self, seat: SeatIndex) -> bool {
        !self.caught.contains(&seat) && !self.sides[seat].struck_out
    }

    /// A winner that is caught or struck out has not won: in a game of two the opponent
    /// has, if it deployed and is clean; else nobody has.
    fn after_audit_of_winner(&self, winner: SeatIndex) -> (Outcome, Vec<SeatIndex>) {
        if self.is_clean(winner) {
            return (Outcome::Win(winner), vec![winner]);
        }
        let others: Vec<_> = self.sides.seats().filter(|seat| *seat != winner).collect();
        match others.as_slice() {
            [opponent] if self.took_part(*opponent) && self.is_clean(*opponent) => {
                (Outcome::Win(*opponent), vec![*opponent])
            }
            _ => (Outcome::None, Vec::new()),
        }
    }

    /// A sharer that is caught or struck out has lost; the clean ones share what is left.
    fn after_audit_of_sharers(&self, sharers: &[SeatIndex]) -> (Outcome, Vec<SeatIndex>) {
        let clean: Vec<_> = sharers.iter().copied().filter(|seat| self.is_clean(*seat)).collect();
        match clean.as_slice() {
            [] => (Outcome::None, clean),
            [one] => (Outcome::Win(*one), vec![*one]),
            _ => (Outcome::Draw, clean),
        }
    }
}
