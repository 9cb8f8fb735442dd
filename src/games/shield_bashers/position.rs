//! The position of a game: who has which ships, whose turn it is, what has been seen.

use std::sync::Arc;

use super::board::{Board, Square};
use super::combat::Colour;
use super::fleet::{Class, Fleet, Ship};
use super::shield::{Layer, ShieldSlot};
use crate::ident::{BySeat, SeatIndex};
use crate::log::Header;

/// One seat's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its ships; none if it left before it deployed.
    pub fleet: Option<Fleet>,
    /// Whether it is still in.
    pub is_in: bool,
    /// Whether it was struck out because its audit never came (SB-23).
    pub struck_out: bool,
}

/// An attack that waits for its defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Who attacks.
    pub attacker: SeatIndex,
    /// With which ship.
    pub with: Class,
    /// Who is attacked.
    pub defender: SeatIndex,
    /// Which ship.
    pub target: Class,
    /// Whether it is the final battle.
    pub is_final: bool,
}

/// How the game ended, before anything of the audit is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A seat had won.
    Win(SeatIndex),
    /// These shared a draw.
    Draw(Vec<SeatIndex>),
}

/// Where in its course the game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// A seat is to move.
    Move {
        /// Which.
        mover: SeatIndex,
    },
    /// A defence is awaited.
    Defend(Attack),
    /// A seat is to fight or to accept the claim of one that is out (SB-20).
    AnswerClaim {
        /// Which seat is to answer.
        mover: SeatIndex,
    },
    /// What is still sealed is opened.
    Audit(Base),
    /// Nothing is awaited.
    Over(Base),
}

/// A position.
#[derive(Clone, Debug)]
pub struct Position {
    /// The game's header.
    pub header: Arc<Header>,
    /// The board.
    pub board: Arc<Board>,
    /// Whether reports list what has been seen (SB-4).
    pub memory_aid: bool,
    /// The sides.
    pub sides: BySeat<Side>,
    /// Where in its course the game is.
    pub course: Course,
    /// Turns without combat (SB-18).
    pub quiet_turns: u64,
    /// Who went out, in that order.
    pub out: Vec<SeatIndex>,
    /// Who was caught, in that order (SB-22, SB-23).
    pub caught: Vec<SeatIndex>,
}

impl Position {
    /// A seat's ship, if it deployed one.
    #[must_use]
    pub fn ship(&self, seat: SeatIndex, class: Class) -> Option<&Ship> {
        self.sides[seat].fleet.as_ref().map(|fleet| fleet.get(class))
    }

    /// A seat's ship, to be changed.
    pub(super) fn ship_mut(&mut self, seat: SeatIndex, class: Class) -> Option<&mut Ship> {
        self.sides[seat].fleet.as_mut().map(|fleet| fleet.get_mut(class))
    }

    /// A seat's ships on the board.
    pub fn on_board(&self, seat: SeatIndex) -> impl Iterator<Item = (Class, &Ship, Square)> {
        let fleet = self.sides[seat].fleet.as_ref();
        fleet
            .into_iter()
            .flat_map(Fleet::iter)
            .filter_map(|(class, ship)| ship.at.map(|at| (class, ship, at)))
    }

    /// All ships on the board.
    pub fn all_on_board(&self) -> impl Iterator<Item = (SeatIndex, Class, &Ship, Square)> {
        self.sides
            .seats()
            .flat_map(move |seat| self.on_board(seat).map(move |(class, ship, at)| (seat, class, ship, at)))
    }

    /// Who stands on a square.
    #[must_use]
    pub fn standing_on(&self, square: Square) -> Option<(SeatIndex, Class)> {
        self.all_on_board().find(|(.., at)| *at == square).map(|(seat, class, ..)| (seat, class))
    }

    /// The seats that are still in.
    #[must_use]
    pub fn still_in(&self) -> Vec<SeatIndex> {
        self.sides.iter().filter(|(_, side)| side.is_in).map(|(seat, _)| seat).collect()
    }

    /// The two last ships, when two are left, one each: the mover's first (SB-19, SB-20).
    #[must_use]
    pub fn last_two(&self, mover: SeatIndex) -> Option<((SeatIndex, Class), (SeatIndex, Class))> {
        let ships: Vec<_> = self.all_on_board().map(|(seat, class, ..)| (seat, class)).collect();
        match ships.as_slice() {
            [a, b] if a.0 != b.0 && a.0 == mover => Some((*a, *b)),
            [a, b] if a.0 != b.0 && b.0 == mover => Some((*b, *a)),
            _ => None,
        }
    }

    /// The ships whose tertiary a seat owes, in the order in which it opens them.
    #[must_use]
    pub fn owed(&self, seat: SeatIndex) -> Vec<Class> {
        let fleet = self.sides[seat].fleet.as_ref();
        fleet
            .into_iter()
            .flat_map(Fleet::iter)
            .filter(|(_, ship)| ship.owes_tertiary())
            .map(|(class, _)| class)
            .collect()
    }

    /// What a seat has still sealed, in the order of an audit.
    #[must_use]
    pub fn sealed(&self, seat: SeatIndex) -> Vec<(Class, Layer)> {
        let Some(fleet) = &self.sides[seat].fleet else { return Vec::new() };
        Layer::ALL
            .into_iter()
            .flat_map(|layer| Class::ALL.into_iter().map(move |class| (class, layer)))
            .filter(|(class, layer)| fleet.get(*class).shield(*layer).is_sealed())
            .collect()
    }

    /// Whether a seat has opened two shields of one layer in one colour (SB-22).
    #[must_use]
    pub fn has_repeated_a_colour(&self, seat: SeatIndex) -> Option<(Layer, Colour)> {
        let fleet = self.sides[seat].fleet.as_ref()?;
        Layer::ALL.into_iter().find_map(|layer| {
            let open: Vec<_> = fleet.iter().filter_map(|(_, ship)| ship.shield(layer).colour()).collect();
            let twice =
                Colour::ALL.into_iter().find(|colour| open.iter().filter(|c| *c == colour).count() > 1);
            twice.map(|colour| (layer, colour))
        })
    }

    /// The slot that a shield of this game fills.
    #[must_use]
    pub fn promise(
        &self,
        seat: SeatIndex,
        class: Class,
        layer: Layer,
        opening: &super::shield::Opening,
    ) -> crate::crypto::Promise {
        let game = self.header.id();
        ShieldSlot { game: &game, seat: self.header.seat(seat), class, layer }.promise(opening)
    }

    /// Whether a seat took part: it deployed a fleet.
    #[must_use]
    pub fn took_part(&self, seat: SeatIndex) -> bool {
        self.sides[seat].fleet.is_some()
    }

    /// A seat's name.
    #[must_use]
    pub fn name(&self, seat: SeatIndex) -> String {
        self.header.seat(seat).to_string()
    }
}
