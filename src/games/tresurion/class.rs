//! The nineteen classes of ships, as the table of the rules has them (TR-2).

use std::fmt;

/// One class of ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRow {
    /// The Universal Construction Number: the sizes of its pieces, 0 for none.
    pub ucn: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What its shield takes from the damage of a round; also the damage that destroys it.
    pub shield: u32,
    /// Its movement rate, in squares; also what makes it hard to hit.
    pub rate: u32,
    /// What is added to its damage die.
    pub bonus: u32,
    /// Its range, in squares between it and its target (TR-9).
    pub range: u32,
}

const fn row(
    ucn: &'static str,
    name: &'static str,
    shield: u32,
    rate: u32,
    bonus: u32,
    range: u32,
) -> ClassRow {
    ClassRow { ucn, name, shield, rate, bonus, range }
}

/// The table of the rules, in its numbers' order. It counts; TR-2's formulas only agree.
static TABLE: [ClassRow; 19] = [
    row("001", "Scout", 1, 9, 0, 0),
    row("002", "Corvette", 2, 8, 0, 0),
    row("003", "Star Fighter", 3, 7, 0, 0),
    row("011", "Light Frigate", 2, 8, 1, 1),
    row("012", "Banshee Frigate", 3, 7, 1, 1),
    row("013", "Rho Class A Frigate", 4, 6, 1, 1),
    row("022", "Rho Class B Frigate", 4, 6, 2, 2),
    row("023", "Theta Class Frigate", 5, 5, 2, 2),
    row("033", "Alpha Class Frigate", 6, 4, 3, 3),
    row("111", "Light Cruiser", 3, 7, 2, 2),
    row("112", "Chimera Class A Cruiser", 4, 6, 2, 2),
    row("113", "Chimera Class B Cruiser", 5, 5, 2, 2),
    row("122", "Cruiser", 5, 5, 3, 3),
    row("123", "Battle Cruiser", 6, 4, 3, 3),
    row("133", "Star Cruiser", 7, 3, 4, 4),
    row("222", "Light Battleship", 6, 4, 4, 4),
    row("223", "Battleship", 7, 3, 4, 4),
    row("233", "Heavy Battleship", 8, 2, 5, 5),
    row("333", "Dreadnought", 9, 1, 6, 6),
];

/// A class of ships: a row of the table. Classes are ordered by their numbers.
#[derive(Clone, Copy)]
pub struct Class(&'static ClassRow);

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        self.0.ucn == other.0.ucn
    }
}

impl Eq for Class {}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Class {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.ucn.cmp(other.0.ucn)
    }
}

impl Class {
    /// All classes, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(Self)
    }

    /// The class of a number, like `333`.
    #[must_use]
    pub fn of(ucn: &str) -> Option<Self> {
        Self::all().find(|class| class.row().ucn == ucn)
    }

    /// Its row of the table.
    #[must_use]
    pub const fn row(self) -> &'static ClassRow {
        self.0
    }

    /// The sizes of the pieces that it is built from: 1 small, 2 medium, 3 large.
    pub fn pieces(self) -> impl Iterator<Item = u32> {
        self.row().ucn.chars().filter_map(|digit| digit.to_digit(10)).filter(|size| *size > 0)
    }

    /// Its fire power in words, like `1d10+3`.
    #[must_use]
    pub fn power(self) -> String {
        match self.row().bonus {
            0 => "1d10".to_owned(),
            bonus => format!("1d10+{bonus}"),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().ucn)
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().ucn)
    }
}
