//! The field of battle: its squares, its terrain, ways over it and lines of sight.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

/// A square by its file (0 is a) and its rank (0 is 1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square {
    /// The file, from 0.
    pub file: u8,
    /// The rank, from 0.
    pub rank: u8,
}

/// The most files that letters name.
pub const MOST_FILES: u8 = 26;
/// The most ranks.
pub const MOST_RANKS: u8 = 99;

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ();

    /// Reads `h12`: a small letter and a number from 1 to 99 without leading noughts.
    fn from_str(text: &str) -> Result<Self, ()> {
        let mut letters = text.chars();
        let file = letters.next().filter(char::is_ascii_lowercase).ok_or(())?;
        let number = letters.as_str();
        if number.starts_with('0') || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let rank: u8 = number.parse().map_err(|_| ())?;
        let rank = rank.checked_sub(1).filter(|rank| *rank < MOST_RANKS).ok_or(())?;
        Ok(Self { file: u8::try_from(file).map_err(|_| ())? - b'a', rank })
    }
}

impl Square {
    /// The distance in squares; a diagonal step counts as one (TR-7).
    #[must_use]
    pub fn distance(self, other: Self) -> u32 {
        u32::from(self.file.abs_diff(other.file).max(self.rank.abs_diff(other.rank)))
    }
}

/// Whose ship stands on a square, from the view of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody's.
    Empty,
    /// The side's own.
    Friend,
    /// The other side's.
    Enemy,
}

/// The field: its size and its terrain (TR-3, TR-18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    width: u8,
    length: u8,
    asteroids: BTreeSet<Square>,
    wormholes: BTreeMap<Square, Square>,
}

impl Field {
    /// An open field, in squares.
    #[must_use]
    pub const fn open(width: u8, length: u8) -> Self {
        Self { width, length, asteroids: BTreeSet::new(), wormholes: BTreeMap::new() }
    }

    /// Puts an asteroid on a square.
    pub fn add_asteroid(&mut self, square: Square) {
        self.asteroids.insert(square);
    }

    /// Joins two squares by a wormhole.
    pub fn add_wormhole(&mut self, one: Square, other: Square) {
        self.wormholes.insert(one, other);
        self.wormholes.insert(other, one);
    }

    /// How many files it has.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// How many ranks it has.
    #[must_use]
    pub const fn length(&self) -> u8 {
        self.length
    }

    /// Whether a square is on it.
    #[must_use]
    pub const fn contains(&self, square: Square) -> bool {
        square.file < self.width && square.rank < self.length
    }

    /// Whether an asteroid lies on a square.
    #[must_use]
    pub fn is_asteroid(&self, square: Square) -> bool {
        self.asteroids.contains(&square)
    }

    /// The other end of the wormhole on a square.
    #[must_use]
    pub fn other_end(&self, square: Square) -> Option<Square> {
        self.wormholes.get(&square).copied()
    }

    /// The wormholes, each once, by their smaller ends.
    pub fn wormholes(&self) -> impl Iterator<Item = (Square, Square)> {
        self.wormholes.iter().filter(|(one, other)| one < other).map(|(one, other)| (*one, *other))
    }

    /// The two ranks, from 0, on which a side deploys: the first seat's are the first two,
    /// the other's the last two (TR-3).
    #[must_use]
    pub const fn deployment_ranks(&self, is_first: bool) -> [u8; 2] {
        if is_first { [0, 1] } else { [self.length.saturating_sub(2), self.length.saturating_sub(1)] }
    }

    /// The square after half a turn of the board.
    #[must_use]
    pub const fn turned(&self, square: Square) -> Square {
        Square {
            file: self.width.saturating_sub(1).saturating_sub(square.file),
            rank: self.length.saturating_sub(1).saturating_sub(square.rank),
        }
    }

    /// The squares from a side's own end on, in reading order.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        let width = self.width;
        (0..self.length).flat_map(move |rank| (0..width).map(move |file| Square { file, rank }))
    }

    fn place(&self, square: Square) -> usize {
        usize::from(square.rank) * usize::from(self.width) + usize::from(square.file)
    }

    fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> {
        let files = square.file.saturating_sub(1)..=(square.file + 1).min(self.width.saturating_sub(1));
        let ranks = square.rank.saturating_sub(1)..=(square.rank + 1).min(self.length.saturating_sub(1));
        ranks
            .flat_map(move |rank| files.clone().map(move |file| Square { file, rank }))
            .filter(move |other| *other != square)
    }

    /// Every square on which a move may end, with the steps of a shortest way there.
    ///
    /// A way leads over empty and friendly squares, a diagonal step counts as one, and a step
    /// through a wormhole costs nothing (TR-8, TR-18). The ship's own square is one of them.
    #[must_use]
    pub fn reach(
        &self,
        from: Square,
        rate: u32,
        standing: impl Fn(Square) -> Standing,
    ) -> BTreeMap<Square, u32> {
        self.ways(from, rate, &standing, None)
            .into_iter()
            .filter(|(square, _)| *square == from || standing(*square) == Standing::Empty)
            .collect()
    }

    /// The steps of a shortest way to a square, if there is one of at most `rate` steps.
    #[must_use]
    pub fn steps(
        &self,
        from: Square,
        to: Square,
        rate: u32,
        standing: impl Fn(Square) -> Standing,
    ) -> Option<u32> {
        if self.wormholes.is_empty() && from.distance(to) > rate {
            return None;
        }
        self.ways(from, rate, &standing, Some(to))
            .into_iter()
            .find(|(square, _)| *square == to)
            .map(|(_, steps)| steps)
    }

    /// All squares that can be come to, friendly ones too, nearest first; up to `goal` if one
    /// is given.
    fn ways(
        &self,
        from: Square,
        rate: u32,
        standing: &impl Fn(Square) -> Standing,
        goal: Option<Square>,
    ) -> Vec<(Square, u32)> {
        let mut seen = vec![false; usize::from(self.width) * usize::from(self.length)];
        let mut found = Vec::new();
        let mut open = VecDeque::from([(from, 0_u32)]);
        let passable = |square: Square| !self.is_asteroid(square) && standing(square) != Standing::Enemy;
        while let Some((square, steps)) = open.pop_front() {
            match seen.get_mut(self.place(square)) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            found.push((square, steps));
            if goal == Some(square) {
                break;
            }
            // A step at no cost is taken before all others, so the nearest come first.
            if let Some(end) = self.other_end(square)
                && passable(end)
            {
                open.push_front((end, steps));
            }
            if steps < rate {
                for next in self.neighbours(square) {
                    if seen.get(self.place(next)) == Some(&false) && passable(next) {
                        open.push_back((next, steps + 1));
                    }
                }
            }
        }
        found
    }

    /// The squares that block the line of sight between two ships, of those that are occupied
    /// and of the asteroids (TR-10, TR-18): none, if each sees the other.
    #[must_use]
    pub fn blockers(&self, from: Square, to: Square, occupied: impl Fn(Square) -> bool) -> Vec<Square> {
        let files = from.file.min(to.file)..=from.file.max(to.file);
        let ranks = from.rank.min(to.rank)..=from.rank.max(to.rank);
        let (dx, dy) = offset(from, to);
        let mut blocking = Vec::new();
        for file in files {
            for rank in ranks.clone() {
                let square = Square { file, rank };
                if square == from || square == to {
                    continue;
                }
                let (i, j) = offset(from, square);
                let on_line = 2 * (i * dy - j * dx).abs() < dx.abs() + dy.abs();
                if on_line && (self.is_asteroid(square) || occupied(square)) {
                    blocking.push(square);
                }
            }
        }
        blocking
    }
}

/// How many files and ranks one square lies from another.
fn offset(from: Square, to: Square) -> (i32, i32) {
    (i32::from(to.file) - i32::from(from.file), i32::from(to.rank) - i32::from(from.rank))
}
