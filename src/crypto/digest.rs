//! The one digest of the protocol.

use sha2::{Digest as _, Sha256};

use crate::document::{Node, canonical};

/// The raw bytes of a SHA-256 digest.
pub type Digest = [u8; 32];

/// What is hashed; the tag keeps the kinds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// A game's header.
    Game,
    /// An order without its signature.
    Order,
    /// A step that closed.
    Step,
    /// A sealed fleet.
    Fleet,
    /// One sealed shield.
    Shield,
    /// A sealed share of entropy.
    Nonce,
    /// The key of one die.
    Roll,
}

impl Tag {
    /// All tags.
    pub const ALL: [Self; 7] =
        [Self::Game, Self::Order, Self::Step, Self::Fleet, Self::Shield, Self::Nonce, Self::Roll];

    /// The tag as it is hashed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Order => "order",
            Self::Step => "step",
            Self::Fleet => "fleet",
            Self::Shield => "shield",
            Self::Nonce => "nonce",
            Self::Roll => "roll",
        }
    }
}

/// The exact bytes that are hashed: the protocol's name, the tag, a line end, and the
/// value's canonical JSON. `sha256sum` over them gives the digest.
#[must_use]
pub fn preimage(tag: Tag, value: &Node) -> Vec<u8> {
    format!("sealed-orders/1 {}\n{}", tag.as_str(), canonical(value)).into_bytes()
}

/// SHA-256 of a preimage (FIPS 180-4).
#[must_use]
pub fn hash(preimage: &[u8]) -> Digest {
    Sha256::digest(preimage).into()
}
