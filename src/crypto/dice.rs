//! Dice that nobody can bend.
//!
//! Each die has a key of its own: the digest of the game, the nonces that were opened for
//! it, and a label that says which die it is. Its value comes from the `ChaCha20` keystream
//! under that key, with words rejected that would favour low numbers.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

use super::digest::{Digest, Tag, hash, preimage};
use crate::document::{Node, Table};
use crate::ident::{GameId, Nonce, Seat};

/// Which die is rolled from what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// Which die it is, like `first`.
    pub label: String,
    /// How many sides it has, at least 1.
    pub sides: u32,
    /// The nonces that it is rolled from.
    pub nonces: Vec<(Seat, Nonce)>,
}

/// A die that was rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// Which die, from what.
    pub roll: Roll,
    /// The `ChaCha20` key.
    pub key: Digest,
    /// 1 to the number of sides.
    pub value: u32,
}

impl Roll {
    /// The bytes whose digest is the die's key.
    #[must_use]
    pub fn preimage(&self, game: &GameId) -> Vec<u8> {
        let mut nonces = Table::default();
        for (seat, nonce) in &self.nonces {
            nonces.push(seat.as_str(), nonce.to_string());
        }
        let mut value = Table::default();
        value.push("game", game.to_string());
        value.push("nonces", nonces);
        value.push("label", self.label.as_str());
        preimage(Tag::Roll, &Node::from(value))
    }
}

/// Rolls one die.
#[must_use]
pub fn roll(game: &GameId, roll: Roll) -> Rolled {
    let key = hash(&roll.preimage(game));
    let value = die_from_key(&key, roll.sides);
    Rolled { roll, key, value }
}

/// The die that a key gives: 1 to `sides`.
#[must_use]
pub fn die_from_key(key: &Digest, sides: u32) -> u32 {
    let sides = sides.max(1);
    words_from_key(key, sides).last().map_or(1, |word| word % sides + 1)
}

/// The words of a key's keystream that a die takes: those that it skips, then the one that
/// counts.
#[must_use]
pub fn words_from_key(key: &Digest, sides: u32) -> Vec<u32> {
    let sides = sides.max(1);
    // 2^32 rounded down to a multiple of the sides; a word at or above it is skipped.
    let limit = (1_u64 << 32) / u64::from(sides) * u64::from(sides);
    let mut stream = ChaCha20Rng::from_seed(*key);
    let mut words = Vec::with_capacity(1);
    loop {
        let word = stream.next_u32();
        words.push(word);
        if u64::from(word) < limit {
            return words;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ident::from_hex;

    /// The values of the protocol, section 17.8, which openssl prints too.
    #[test]
    fn words_that_favour_low_numbers_are_skipped() {
        let key =
            from_hex("06133fb65fc144f4603b66de18031509aefec2d5304c3c1722405db23e2a21e0").unwrap_or_default();
        assert_eq!(words_from_key(&key, 3_000_000_019), [3_127_276_403, 1_457_439_206]);
        assert_eq!(die_from_key(&key, 3_000_000_019), 1_457_439_207);
        let key =
            from_hex("de959edab9c67e6e365dd0e394476432d57b43b86a0a61560a74b1fc3cd9c7e5").unwrap_or_default();
        assert_eq!(words_from_key(&key, 6), [1_512_312_286]);
        assert_eq!(die_from_key(&key, 6), 5);
    }
}
