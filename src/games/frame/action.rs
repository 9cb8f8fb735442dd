//! The actions that all games share, as they are written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ident::{Commitment, Fresh, Nonce, Salt, Seat};

/// `[seal]`: a fleet and the first share of entropy, sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// New randomness, so that no two sealings share a secret.
    pub fresh: Fresh,
    /// The commitment of the fleet.
    pub fleet: Commitment,
    /// The commitment of nonce 0.
    pub dice: Commitment,
}

/// `dice` in an action: opens the seat's newest nonce and seals the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceOpening {
    /// The nonce that is opened.
    pub nonce: Nonce,
    /// The commitment of the one after it.
    pub next: Commitment,
}

/// The opening of a fleet, as `sealed commitment` takes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FleetOpening<F> {
    /// Whose.
    pub seat: Seat,
    /// The fleet, as `[deploy]` opens it.
    pub fleet: F,
    /// Its salt.
    pub salt: Salt,
}

/// The opening of a share of the dice, as `sealed commitment` takes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NonceOpening {
    /// Whose.
    pub seat: Seat,
    /// Which of the seat's nonces, from 0.
    pub index: u64,
    /// The nonce.
    pub nonce: Nonce,
}

/// An action whose table is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bare {}

/// `[forfeit]`: the arbiter ends a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Whose order it takes the place of.
    pub seat: Seat,
    /// Why: 1 to 500 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,500}$"))]
    pub reason: String,
}

/// `[ruling]`: the arbiter ends the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// How it ends.
    pub result: RuledResult,
    /// Why: 1 to 500 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,500}$"))]
    pub reason: String,
}

/// What an arbiter may rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuledResult {
    /// The game does not count.
    Void,
    /// The game is drawn.
    Draw,
}

impl RuledResult {
    /// The result as it stands in `[ruling]`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Draw => "draw",
        }
    }
}

/// A seat's order, as a game takes it.
#[derive(Clone, Debug)]
pub enum Decision<A> {
    /// An action of the game.
    Act(A),
    /// The seat resigns.
    Resign,
    /// The arbiter forfeits it.
    Forfeit,
    /// It is proven that the seat signed two orders that contradict each other.
    Caught,
}

/// The actions of the frame.
pub const FRAME_ACTIONS: [&str; 5] = ["seal", "deploy", "resign", "forfeit", "ruling"];

/// `[deploy]` as it is written; what a fleet looks like is for the game's rules.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deploy<F> {
    /// The salt of the fleet's commitment.
    pub salt: Salt,
    /// The fleet.
    pub fleet: F,
    /// The opening of nonce 0.
    pub dice: DiceOpening,
}
