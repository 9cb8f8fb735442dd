//! Chances, counted exactly: every die and every sum of dice.
//!
//! A shot has 20 x 10 = 200 equally likely outcomes, so those of fifteen shots fit into 128
//! bits, and no rounding happens before the last percentage.

use std::collections::BTreeMap;

use super::class::Class;

/// The sides of the die that hits.
pub const TO_HIT_SIDES: u32 = 20;
/// The sides of the die that damages.
pub const DAMAGE_SIDES: u32 = 10;
/// What the die less the target's movement rate has to reach (TR-12).
const NEEDED: u32 = 10;
/// The most shots whose outcomes can be counted.
const MOST_SHOTS: usize = 15;

/// Whether a die hits a target (TR-12).
#[must_use]
pub const fn hits(die: u32, target: Class) -> bool {
    match die {
        1 => false,
        TO_HIT_SIDES => true,
        _ => die >= NEEDED + rate(target),
    }
}

const fn rate(target: Class) -> u32 {
    target.row().rate
}

/// How many of the 20 faces hit a target.
#[must_use]
pub fn hitting_faces(target: Class) -> u32 {
    (1..=TO_HIT_SIDES).filter(|die| hits(*die, target)).map(|_| 1).sum()
}

/// A chance as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The outcomes that are meant.
    pub of: u128,
    /// All outcomes.
    pub all: u128,
}

impl Chance {
    /// The chance in percent, for people: never 0% for what can happen, never 100% for what
    /// need not.
    #[must_use]
    pub fn percent(self) -> String {
        let rounded = (self.of * 100 + self.all / 2) / self.all.max(1);
        match rounded {
            0 if self.of > 0 => "<1%".to_owned(),
            100 if self.of < self.all => ">99%".to_owned(),
            percent => format!("{percent}%"),
        }
    }
}

/// The chance that a shot hits.
#[must_use]
pub fn to_hit(target: Class) -> Chance {
    Chance { of: u128::from(hitting_faces(target)), all: u128::from(TO_HIT_SIDES) }
}

/// The chance that these shots together destroy a target that has taken some damage before
/// (TR-13, TR-14). Beyond fifteen shots the first fifteen are counted: no side has more ships.
#[must_use]
pub fn to_destroy(shooters: &[Class], target: Class, damage_before: u32) -> Chance {
    let shield = target.row().shield;
    // The shield is taken off once; what is left has to make up what the ship still bears.
    let needed = shield + shield.saturating_sub(damage_before);
    let faces = u128::from(hitting_faces(target));
    let misses = (u128::from(TO_HIT_SIDES) - faces) * u128::from(DAMAGE_SIDES);
    // How many outcomes lead to each sum of damage; all sums that suffice count as one.
    let mut sums = BTreeMap::from([(0_u32, 1_u128)]);
    let mut all = 1_u128;
    for shooter in shooters.iter().take(MOST_SHOTS) {
        let mut next: BTreeMap<u32, u128> = BTreeMap::new();
        for (sum, ways) in &sums {
            *next.entry(*sum).or_default() += ways * misses;
            for die in 1..=DAMAGE_SIDES {
                let reached = (sum + die + shooter.row().bonus).min(needed);
                *next.entry(reached).or_default() += ways * faces;
            }
        }
        sums = next;
        all *= u128::from(TO_HIT_SIDES * DAMAGE_SIDES);
    }
    Chance { of: sums.get(&needed).copied().unwrap_or(0), all }
}
