//! The actions of the game, as they are written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{Node, read};
use crate::fault::Checked;
use crate::games::frame::{Bare, DiceOpening};

/// One move of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipMove {
    /// Which ship of the seat, like `333a`.
    pub ship: String,
    /// The square that it goes to, like `h4`.
    pub to: String,
}

/// One shot of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Which ship of the seat fires.
    pub ship: String,
    /// At which ship of the other seat.
    pub at: String,
}

/// `[round]`: all moves in the order in which they are made, then all shots (TR-6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The moves.
    #[schemars(length(max = 15))]
    pub moves: Vec<ShipMove>,
    /// The shots.
    #[schemars(length(max = 15))]
    pub fire: Vec<Shot>,
    /// The seat's newest nonce, and its next commitment.
    pub dice: DiceOpening,
}

/// `[roll]`: the entropy that the shots of the other seat, or the next turn, wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rolling {
    /// The seat's newest nonce, and its next commitment.
    pub dice: DiceOpening,
}

/// An action of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves and fires.
    Round(Round),
    /// Opens a nonce.
    Roll(Rolling),
    /// Claims the draw in place of a round (TR-17).
    ClaimDraw,
}

impl Action {
    /// The names, in the order of the documentation.
    pub const NAMES: [&'static str; 3] = ["round", "roll", "claim-draw"];

    /// Reads the action of a name; nothing if the game has none of that name.
    ///
    /// # Errors
    /// A wrong value in its table.
    pub fn read(name: &str, details: &Node) -> Checked<Option<Self>> {
        Ok(Some(match name {
            "round" => Self::Round(read(details)?),
            "roll" => Self::Roll(read(details)?),
            "claim-draw" => {
                let Bare {} = read(details)?;
                Self::ClaimDraw
            }
            _ => return Ok(None),
        }))
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Round(_) => "round",
            Self::Roll(_) => "roll",
            Self::ClaimDraw => "claim-draw",
        }
    }

    /// The nonce that it opens.
    #[must_use]
    pub const fn dice(&self) -> Option<&DiceOpening> {
        match self {
            Self::Round(round) => Some(&round.dice),
            Self::Roll(roll) => Some(&roll.dice),
            Self::ClaimDraw => None,
        }
    }
}
