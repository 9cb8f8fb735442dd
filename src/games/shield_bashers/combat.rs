//! Who wins a combat (SB-13): the table of the rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shield's colour. From lighter to darker: white, grey, black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The lightest.
    White,
    /// Between the two.
    Grey,
    /// The darkest.
    Black,
}

impl Colour {
    /// All colours, from lighter to darker.
    pub const ALL: [Self; 3] = [Self::White, Self::Grey, Self::Black];

    /// The colour's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Grey => "grey",
            Self::Black => "black",
        }
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// What the attacker's secondary must be, beside the defender's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The same or lighter.
    SameOrLighter,
    /// Darker.
    Darker,
    /// The same or darker.
    SameOrDarker,
    /// Lighter.
    Lighter,
    /// The same.
    Same,
}

impl Need {
    /// The row of the table for two primaries.
    #[must_use]
    pub const fn row(attacker: Colour, defender: Colour) -> Self {
        match (attacker, defender) {
            (Colour::White, Colour::White) => Self::Darker,
            (Colour::White, Colour::Grey | Colour::Black) => Self::SameOrLighter,
            (Colour::Black, Colour::Black) => Self::Lighter,
            (Colour::Black, Colour::White | Colour::Grey) => Self::SameOrDarker,
            (Colour::Grey, _) => Self::Same,
        }
    }

    /// Whether the attacker wins with these secondaries.
    #[must_use]
    pub fn won_by_attacker(self, attacker: Colour, defender: Colour) -> bool {
        match self {
            Self::SameOrLighter => attacker <= defender,
            Self::Darker => attacker > defender,
            Self::SameOrDarker => attacker >= defender,
            Self::Lighter => attacker < defender,
            Self::Same => attacker == defender,
        }
    }

    /// The row in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameOrLighter => "the same as or lighter than",
            Self::Darker => "darker than",
            Self::SameOrDarker => "the same as or darker than",
            Self::Lighter => "lighter than",
            Self::Same => "the same as",
        }
    }
}

/// How one colour compares with another, in words.
#[must_use]
pub fn compared(one: Colour, other: Colour) -> &'static str {
    match one.cmp(&other) {
        std::cmp::Ordering::Less => "lighter than",
        std::cmp::Ordering::Equal => "the same as",
        std::cmp::Ordering::Greater => "darker than",
    }
}
