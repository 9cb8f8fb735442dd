//! Shields: sealed, and opened.
//!
//! A sealed shield and an open one are two types. Only [`SealedShield::open`] makes the
//! second of the first, and it checks the commitment.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combat::Colour;
use super::fleet::Class;
use crate::crypto::{Promise, Tag};
use crate::fault::{Checked, Fault};
use crate::games::frame::does_not_match;
use crate::ident::{Commitment, GameId, Salt, Seat};

/// Which of the sealed shields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The one that decides combats.
    Secondary,
    /// The one that saves a ship once.
    Tertiary,
}

impl Layer {
    /// Both layers, in the order of an audit.
    pub const ALL: [Self; 2] = [Self::Secondary, Self::Tertiary];

    /// The layer's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Secondary => "secondary",
            Self::Tertiary => "tertiary",
        }
    }
}

/// `{ colour, salt }`: what opens a shield whose ship and layer are plain from its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The colour.
    pub colour: Colour,
    /// The salt.
    pub salt: Salt,
}

/// Which shield of a game: what its commitment binds beside colour and salt.
#[derive(Clone, Copy, Debug)]
pub struct ShieldSlot<'a> {
    /// The game.
    pub game: &'a GameId,
    /// Whose.
    pub seat: &'a Seat,
    /// Which ship's.
    pub class: Class,
    /// Which layer.
    pub layer: Layer,
}

impl ShieldSlot<'_> {
    /// What opening this slot with a colour and salt amounts to.
    #[must_use]
    pub fn promise(&self, opening: &Opening) -> Promise {
        Promise::new(
            Tag::Shield,
            self.game,
            self.seat,
            [
                ("ship", self.class.as_str().into()),
                ("layer", self.layer.as_str().into()),
                ("colour", opening.colour.as_str().into()),
                ("salt", opening.salt.to_string().into()),
            ],
        )
    }
}

/// A shield whose colour only its owner knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedShield(Commitment);

/// A shield that everybody has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenShield {
    sealed: Commitment,
    opening: Opening,
}

impl SealedShield {
    /// A shield as a fleet commits to it.
    #[must_use]
    pub const fn new(commitment: Commitment) -> Self {
        Self(commitment)
    }

    /// The commitment.
    #[must_use]
    pub const fn commitment(self) -> Commitment {
        self.0
    }

    /// Opens it.
    ///
    /// # Errors
    /// `wrong-opening`, with both digests, if this is not what was sealed.
    pub fn open(self, slot: ShieldSlot<'_>, opening: &Opening) -> Checked<OpenShield> {
        let opened = slot.promise(opening).commitment();
        if opened == self.0 {
            Ok(OpenShield { sealed: self.0, opening: *opening })
        } else {
            let what = format!("the {} of {}'s {}", slot.layer.as_str(), slot.seat, slot.class.as_str());
            Err::<_, Fault>(does_not_match(&what, Some(self.0), opened))
        }
    }
}

/// A shield in either condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shield {
    /// Not opened yet.
    Sealed(SealedShield),
    /// Opened.
    Open(OpenShield),
}

impl Shield {
    /// The colour, once it is open.
    #[must_use]
    pub const fn colour(&self) -> Option<Colour> {
        match self {
            Self::Sealed(_) => None,
            Self::Open(open) => Some(open.opening.colour),
        }
    }

    /// Whether it is still sealed.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        matches!(self, Self::Sealed(_))
    }

    /// What was sealed.
    #[must_use]
    pub const fn commitment(&self) -> Commitment {
        match self {
            Self::Sealed(sealed) => sealed.0,
            Self::Open(open) => open.sealed,
        }
    }

    /// What opened it.
    #[must_use]
    pub const fn opening(&self) -> Option<Opening> {
        match self {
            Self::Sealed(_) => None,
            Self::Open(open) => Some(open.opening),
        }
    }
}
