//! The random choices of one game: a stream that its number fixes.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

pub struct Dice(ChaCha20Rng);

impl Dice {
    /// The stream of game number `game`. Another `salt` gives other games for all numbers.
    pub fn new(salt: u64, game: u64) -> Dice {
        let mut seed = [0_u8; 32];
        seed[..8].copy_from_slice(&salt.to_le_bytes());
        seed[8..16].copy_from_slice(&game.to_le_bytes());
        Dice(ChaCha20Rng::from_seed(seed))
    }

    /// 0 to n - 1. (The bias of the remainder is far below what any count here can show.)
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "nothing to choose from");
        (self.0.next_u64() % n as u64) as usize
    }

    pub fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0_u8; N];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}
