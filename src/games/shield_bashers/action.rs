//! The actions of the game, as they are written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combat::Colour;
use super::fleet::Class;
use super::shield::{Layer, Opening};
use crate::document::{Node, read};
use crate::fault::Checked;
use crate::games::frame::Bare;
use crate::ident::Salt;

/// The opening of a tertiary shield that was lost before and is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LostShield {
    /// Which ship lost it.
    pub ship: Class,
    /// Its colour.
    pub colour: Colour,
    /// Its salt.
    pub salt: Salt,
}

/// `[move]`: a ship goes to a square, or attacks who stands there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Which ship.
    pub ship: Class,
    /// The square, like `d4` or `b31`.
    pub to: String,
    /// The attacker's secondary, when it attacks and it is still sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secondary: Option<Opening>,
    /// The tertiaries that the seat owes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 3))]
    pub lost: Option<Vec<LostShield>>,
}

/// `[defend]`: the attacked ship's secondary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Defend {
    /// The defender's secondary.
    pub secondary: Opening,
    /// The defender's tertiary, when it loses and still has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tertiary: Option<Opening>,
    /// The tertiaries that the seat owes from before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 3))]
    pub lost: Option<Vec<LostShield>>,
}

/// `[final-battle]` (SB-19).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalBattle {
    /// The attacker's secondary, when it is still sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secondary: Option<Opening>,
    /// The tertiaries that the seat owes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 3))]
    pub lost: Option<Vec<LostShield>>,
}

/// One opening of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditedShield {
    /// Which ship's.
    pub ship: Class,
    /// Which layer.
    pub layer: Layer,
    /// Its colour.
    pub colour: Colour,
    /// Its salt.
    pub salt: Salt,
}

/// `[audit]`: everything that is still sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// Secondaries first, then tertiaries; each frigate, destroyer, cruiser.
    #[schemars(length(min = 1, max = 6))]
    pub shields: Vec<AuditedShield>,
}

/// An action of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves or attacks.
    Move(Move),
    /// Answers an attack.
    Defend(Defend),
    /// Declares the final battle.
    FinalBattle(FinalBattle),
    /// Claims the draw.
    ClaimDraw,
    /// Accepts a claim.
    AcceptDraw,
    /// Opens what is still sealed, after the end.
    Audit(Audit),
}

impl Action {
    /// The names, in the order of the documentation.
    pub const NAMES: [&'static str; 6] =
        ["move", "defend", "final-battle", "claim-draw", "accept-draw", "audit"];

    /// Reads the action of a name; nothing if the game has none of that name.
    ///
    /// # Errors
    /// A wrong value in its table.
    pub fn read(name: &str, details: &Node) -> Checked<Option<Self>> {
        Ok(Some(match name {
            "move" => Self::Move(read(details)?),
            "defend" => Self::Defend(read(details)?),
            "final-battle" => Self::FinalBattle(read(details)?),
            "claim-draw" => {
                let Bare {} = read(details)?;
                Self::ClaimDraw
            }
            "accept-draw" => {
                let Bare {} = read(details)?;
                Self::AcceptDraw
            }
            "audit" => Self::Audit(read(details)?),
            _ => return Ok(None),
        }))
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Move(_) => "move",
            Self::Defend(_) => "defend",
            Self::FinalBattle(_) => "final-battle",
            Self::ClaimDraw => "claim-draw",
            Self::AcceptDraw => "accept-draw",
            Self::Audit(_) => "audit",
        }
    }

    /// The tertiaries that it opens because they are owed.
    #[must_use]
    pub fn lost(&self) -> Option<&[LostShield]> {
        match self {
            Self::Move(Move { lost, .. })
            | Self::Defend(Defend { lost, .. })
            | Self::FinalBattle(FinalBattle { lost, .. }) => lost.as_deref(),
            _ => None,
        }
    }

    /// Whether a draw may be offered with it (SB-21).
    #[must_use]
    pub const fn carries_offer(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Defend(_) | Self::FinalBattle(_))
    }
}
