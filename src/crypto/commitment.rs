//! Commitments: what is promised by digest, and what opens it.

use super::digest::{Tag, hash, preimage};
use crate::document::{Node, Table};
use crate::ident::{Commitment, GameId, Nonce, Seat};

/// Everything that a commitment binds: game, seat, slot, value and salt. Because the game,
/// the seat and the slot are in it, nobody can copy or replay another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    tag: Tag,
    value: Node,
}

impl Promise {
    /// Binds `parts` (slot, value, salt, by their keys) to a game and seat.
    #[must_use]
    pub fn new(
        tag: Tag,
        game: &GameId,
        seat: &Seat,
        parts: impl IntoIterator<Item = (&'static str, Node)>,
    ) -> Self {
        let mut table = Table::default();
        table.push("game", game.to_string());
        table.push("seat", seat.as_str());
        for (key, part) in parts {
            table.push(key, part);
        }
        Self { tag, value: table.into() }
    }

    /// The bytes that are hashed.
    #[must_use]
    pub fn preimage(&self) -> Vec<u8> {
        preimage(self.tag, &self.value)
    }

    /// The commitment that this opens.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment::new(hash(&self.preimage()))
    }
}

/// The promise of a seat's share of entropy; `index` counts the seat's nonces from 0.
#[must_use]
pub fn nonce_promise(game: &GameId, seat: &Seat, index: u64, nonce: &Nonce) -> Promise {
    Promise::new(Tag::Nonce, game, seat, [("index", index.into()), ("nonce", nonce.to_string().into())])
}
