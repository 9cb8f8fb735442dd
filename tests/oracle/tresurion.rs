//! Tresurion, slowly and obviously, without cryptography, from the deployment on.
//!
//! Rules are quoted by number: TR-n are the rulings, P-n the sections of the protocol. Squares are
//! plain names ("a1" to "z99"); dice are asked for one by one, by their label (P-8).
//!
//! - `classes`: the table of the rule text, and what a class can do in combat;
//! - `board`: squares, neighbours, terrain;
//! - `sight`: line of sight as geometry;
//! - `reach`: where a move may end;
//! - `fleet`: is this a fleet, and may it stand there?
//! - `legal`: is this round, claim or resignation allowed?
//! - `play`: what does it do?

pub mod board;
pub mod classes;
pub mod fleet;
pub mod legal;
pub mod play;
pub mod reach;
pub mod sight;

use board::Board;
use classes::{Class, class};
use std::rc::Rc;

/// Whoever throws the dice: label and number of sides to a value from 1 to that number.
pub type Dice<'a> = &'a mut dyn FnMut(&str, u32) -> u32;

/// The options of the game that the rules look at (P-3).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub width: u32,
    pub length: u32,
    /// "between" or "distance" (TR-9).
    pub reach: String,
    /// 0: off (TR-17).
    pub quiet_turns: u32,
    pub asteroids: Vec<String>,
    pub wormholes: Vec<(String, String)>,
}

impl Options {
    /// What the rulings call the defaults (TR-3, TR-9, TR-17, TR-18).
    pub fn usual() -> Options {
        Options {
            width: 15,
            length: 25,
            reach: "between".to_string(),
            quiet_turns: 20,
            asteroids: Vec::new(),
            wormholes: Vec::new(),
        }
    }
}

/// A ship that is on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Ship {
    /// 0 or 1, in the header's order.
    pub seat: usize,
    /// "333a"
    pub id: String,
    pub at: String,
    /// What it has taken so far (TR-14).
    pub damage: u32,
}

impl Ship {
    pub fn class(&self) -> Class {
        class(&self.id[..3]).expect("the fleet was looked through")
    }
}

/// A shot that waits for its roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    pub ship: String,
    pub target: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Win { seat: usize },
    Draw,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    pub options: Options,
    /// Shared by the copies of a game, since it never changes.
    pub board: Rc<Board>,
    /// Their names, in the header's order.
    pub seats: [String; 2],
    /// Seats in the header's order, each in the order of its ids.
    pub ships: Vec<Ship>,
    /// From 1.
    pub turn: u32,
    /// Who has the first round of this turn (TR-5).
    pub player_one: usize,
    /// The round of this turn that is being played: 1 or 2 (TR-6).
    pub round: u32,
    /// The round has been given and its roll is awaited.
    pub roll_awaited: bool,
    /// The shots of the round whose roll is awaited, as listed.
    pub pending: Vec<Shot>,
    /// How many turns in a row were quiet (TR-17).
    pub quiet_turns: u32,
    /// Has damage risen in this turn (TR-17)?
    pub damage_risen: bool,
    /// Does the seat's offer of a draw stand (P-7)?
    pub offers: [bool; 2],
    pub end: Option<End>,
}

impl Game {
    /// Whose order is awaited, and whether it is a "round" or a "roll". None: the game is over.
    pub fn awaited(&self) -> Option<(usize, &'static str)> {
        if self.end.is_some() {
            None
        } else if self.roll_awaited {
            // P-7: "awaited from the opponent after a round".
            Some((other(self.mover()), "roll"))
        } else {
            Some((self.mover(), "round"))
        }
    }

    /// Whose round it is: player one's, then the other's (TR-6).
    pub fn mover(&self) -> usize {
        if self.round == 1 { self.player_one } else { other(self.player_one) }
    }

    pub fn ship(&self, seat: usize, id: &str) -> Option<&Ship> {
        self.ships.iter().find(|ship| ship.seat == seat && ship.id == id)
    }

    pub fn ships_of(&self, seat: usize) -> Vec<&Ship> {
        self.ships.iter().filter(|ship| ship.seat == seat).collect()
    }

    pub fn squares_of(&self, seat: usize) -> Vec<String> {
        self.ships_of(seat).iter().map(|ship| ship.at.clone()).collect()
    }
}

pub fn other(seat: usize) -> usize {
    1 - seat
}
