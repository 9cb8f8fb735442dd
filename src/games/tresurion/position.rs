//! The position of a game: the ships, whose round it is, which shots await their roll.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::Class;
use super::field::{Field, Square, Standing};
use super::fleet::{Fleet, Ship, ShipId};
use crate::games::Outcome;
use crate::ident::{BySeat, Nonce, SeatIndex};
use crate::log::Header;

/// How a range is read (TR-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// A range counts the squares in between: range r reaches r + 1 squares far.
    Between,
    /// A range is a distance, and a range of nought reaches the next square.
    Distance,
}

impl Reach {
    /// All ways to read a range.
    pub const ALL: [Self; 2] = [Self::Between, Self::Distance];

    /// As it stands in the options.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Between => "between",
            Self::Distance => "distance",
        }
    }

    /// The largest distance, in squares, at which a class hits.
    #[must_use]
    pub fn largest_distance(self, class: Class) -> u32 {
        match self {
            Self::Between => class.row().range + 1,
            Self::Distance => class.row().range.max(1),
        }
    }
}

/// A shot that was allowed: who fires at whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The ship that fires.
    pub ship: ShipId,
    /// The other side's ship that is fired at.
    pub at: ShipId,
}

/// Where in its course the game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// A seat's round is awaited.
    Round {
        /// Whose.
        seat: SeatIndex,
        /// Whether it is the second of its turn.
        is_second: bool,
    },
    /// The other seat's nonce is awaited.
    Roll {
        /// Who fired, or has ended the turn.
        by: SeatIndex,
        /// The shots that wait for it.
        shots: Vec<Aim>,
        /// The nonce that the round opened.
        nonce: Nonce,
        /// Whether the round was the second of its turn.
        is_second: bool,
    },
    /// Nothing is awaited.
    Over(Outcome),
}

/// A position.
#[derive(Clone, Debug)]
pub struct Position {
    /// The game's header.
    pub header: Arc<Header>,
    /// The field.
    pub field: Arc<Field>,
    /// How ranges are read.
    pub reach: Reach,
    /// After how many quiet turns the draw may be claimed; 0 for never (TR-17).
    pub quiet_limit: u64,
    /// The fleets; none of a seat that never deployed.
    pub fleets: BySeat<Option<Fleet>>,
    /// The turn, from 1.
    pub turn: u64,
    /// Who has the first round of this turn.
    pub first: SeatIndex,
    /// Where in its course the game is.
    pub course: Course,
    /// Quiet turns in a row.
    pub quiet_turns: u64,
    /// Whether damage has risen in this turn.
    pub damage_rose: bool,
}

impl Position {
    /// A seat's name.
    #[must_use]
    pub fn name(&self, seat: SeatIndex) -> &str {
        self.header.seat(seat).as_str()
    }

    /// The other seat.
    #[must_use]
    pub fn other(&self, seat: SeatIndex) -> SeatIndex {
        self.fleets.clockwise_from(seat).next().unwrap_or(seat)
    }

    /// A seat's ships, those that are destroyed too.
    pub fn ships(&self, seat: SeatIndex) -> impl Iterator<Item = &Ship> {
        self.fleets[seat].iter().flatten()
    }

    /// A seat's ships on the board, with their squares.
    pub fn on_board(&self, seat: SeatIndex) -> impl Iterator<Item = (&Ship, Square)> {
        self.ships(seat).filter_map(|ship| ship.at.map(|at| (ship, at)))
    }

    /// A seat's ship of a name.
    #[must_use]
    pub fn ship(&self, seat: SeatIndex, id: ShipId) -> Option<&Ship> {
        self.ships(seat).find(|ship| ship.id == id)
    }

    /// A seat's ship, to be changed.
    pub(super) fn ship_mut(&mut self, seat: SeatIndex, id: ShipId) -> Option<&mut Ship> {
        self.fleets[seat].iter_mut().flatten().find(|ship| ship.id == id)
    }

    /// The seats that have ships on the board.
    #[must_use]
    pub fn with_ships(&self) -> Vec<SeatIndex> {
        self.fleets.seats().filter(|seat| self.on_board(*seat).next().is_some()).collect()
    }

    /// Who stands where.
    #[must_use]
    pub fn stand(&self) -> Stand {
        let mut stand = Stand::empty(&self.field);
        for seat in self.fleets.seats() {
            for (ship, at) in self.on_board(seat) {
                stand.put(at, Some((seat, ship.id)));
            }
        }
        stand
    }

    /// The largest distance, in squares, at which a ship hits (TR-9).
    #[must_use]
    pub fn largest_distance(&self, id: ShipId) -> u32 {
        self.reach.largest_distance(id.class)
    }
}

/// Who stands where: looked up by square.
#[derive(Clone, Debug)]
pub struct Stand {
    width: usize,
    cells: Vec<Option<(SeatIndex, ShipId)>>,
}

impl Stand {
    fn empty(field: &Field) -> Self {
        let width = usize::from(field.width());
        Self { width, cells: vec![None; width * usize::from(field.length())] }
    }

    fn place(&self, square: Square) -> usize {
        usize::from(square.rank) * self.width + usize::from(square.file)
    }

    /// Who stands on a square.
    #[must_use]
    pub fn on(&self, square: Square) -> Option<(SeatIndex, ShipId)> {
        self.cells.get(self.place(square)).copied().flatten()
    }

    /// Puts a ship on a square, or takes it away.
    pub fn put(&mut self, square: Square, ship: Option<(SeatIndex, ShipId)>) {
        let place = self.place(square);
        if let Some(cell) = self.cells.get_mut(place) {
            *cell = ship;
        }
    }

    /// What a square holds from the view of a seat.
    #[must_use]
    pub fn standing(&self, seat: SeatIndex, square: Square) -> Standing {
        match self.on(square) {
            None => Standing::Empty,
            Some((owner, _)) if owner == seat => Standing::Friend,
            Some(_) => Standing::Enemy,
        }
    }
}
