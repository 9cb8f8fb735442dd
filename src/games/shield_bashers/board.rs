//! The boards: squares, their neighbours, the corners (SB-6 to SB-9).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Option `board` (SB-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// A chessboard: files a to h, ranks 1 to 8.
    Full,
    /// Half a chessboard: files a to d, ranks 1 to 8; two corners count, a1 and d8.
    Half,
    /// Three quarters of a chessboard joined round one point.
    Wedges3,
    /// Five of them.
    Wedges5,
    /// Six of them.
    Wedges6,
}

/// A square of a board, by its place in the board's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(usize);

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.0)
    }
}

/// What a square is made of, before it has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// File and rank from 1.
    Plain { file: usize, rank: usize },
    /// Wedge from 0, and a, b from 1 to 4.
    Wedge { wedge: usize, a: usize, b: usize },
}

/// A board with its neighbours worked out.
#[derive(Clone, Debug)]
pub struct Board {
    kind: BoardKind,
    cells: Vec<Cell>,
    straight: Vec<Vec<Square>>,
    diagonal: Vec<Vec<Square>>,
}

impl BoardKind {
    /// All boards.
    pub const ALL: [Self; 5] = [Self::Full, Self::Half, Self::Wedges3, Self::Wedges5, Self::Wedges6];

    /// The option's value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Half => "half",
            Self::Wedges3 => "wedges3",
            Self::Wedges5 => "wedges5",
            Self::Wedges6 => "wedges6",
        }
    }

    /// The board that the rules name for a number of seats (SB-7).
    #[must_use]
    pub const fn for_seats(seats: usize) -> Self {
        match seats {
            3 => Self::Wedges3,
            5 => Self::Wedges5,
            6 => Self::Wedges6,
            _ => Self::Full,
        }
    }

    /// How many corners a fleet can start from.
    #[must_use]
    pub const fn corner_count(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Wedges3 => 3,
            Self::Full => 4,
            Self::Wedges5 => 5,
            Self::Wedges6 => 6,
        }
    }

    const fn wedges(self) -> Option<usize> {
        match self {
            Self::Full | Self::Half => None,
            Self::Wedges3 => Some(3),
            Self::Wedges5 => Some(5),
            Self::Wedges6 => Some(6),
        }
    }
}

fn letter(place: usize) -> char {
    char::from(b'a' + u8::try_from(place % 26).unwrap_or(0))
}

impl Cell {
    fn name(self) -> String {
        match self {
            Self::Plain { file, rank } => format!("{}{rank}", letter(file - 1)),
            Self::Wedge { wedge, a, b } => format!("{}{a}{b}", letter(wedge)),
        }
    }

    /// Shares an edge.
    fn straight(self, other: Self, wedges: usize) -> bool {
        match (self, other) {
            (Self::Plain { file, rank }, Self::Plain { file: f, rank: r }) => {
                file.abs_diff(f) + rank.abs_diff(r) == 1
            }
            (Self::Wedge { wedge, a, b }, Self::Wedge { wedge: w, a: c, b: d }) => {
                (wedge == w && a.abs_diff(c) + b.abs_diff(d) == 1)
                    || across(self, other, wedges) == Some(0)
                    || across(other, self, wedges) == Some(0)
            }
            _ => false,
        }
    }

    /// Shares exactly one corner.
    fn diagonal(self, other: Self, wedges: usize) -> bool {
        match (self, other) {
            (Self::Plain { file, rank }, Self::Plain { file: f, rank: r }) => {
                file.abs_diff(f) == 1 && rank.abs_diff(r) == 1
            }
            (Self::Wedge { wedge, a, b }, Self::Wedge { wedge: w, a: c, b: d }) => {
                let at_centre = a == 1 && b == 1 && c == 1 && d == 1;
                let neighbours = (wedge + 1) % wedges == w || (w + 1) % wedges == wedge;
                (wedge == w && a.abs_diff(c) == 1 && b.abs_diff(d) == 1)
                    || across(self, other, wedges) == Some(1)
                    || across(other, self, wedges) == Some(1)
                    || (at_centre && wedge != w && !neighbours)
            }
            _ => false,
        }
    }
}

/// How far apart along the seam two cells are, when the first lies on its wedge's seam to
/// the next wedge, (z,1,t), and the second on that one's side of it, (next z,t,1).
fn across(from: Cell, to: Cell, wedges: usize) -> Option<usize> {
    match (from, to) {
        (Cell::Wedge { wedge, a: 1, b: t }, Cell::Wedge { wedge: w, a: u, b: 1 })
            if (wedge + 1) % wedges == w =>
        {
            Some(t.abs_diff(u))
        }
        _ => None,
    }
}

impl Board {
    /// Works a board out.
    #[must_use]
    pub fn new(kind: BoardKind) -> Self {
        let cells: Vec<Cell> = match kind.wedges() {
            None => {
                let files = if kind == BoardKind::Half { 4 } else { 8 };
                (1..=files).flat_map(|file| (1..=8).map(move |rank| Cell::Plain { file, rank })).collect()
            }
            Some(wedges) => (0..wedges)
                .flat_map(|wedge| {
                    (1..=4).flat_map(move |a| (1..=4).map(move |b| Cell::Wedge { wedge, a, b }))
                })
                .collect(),
        };
        let wedges = kind.wedges().unwrap_or(1);
        let beside = |near: &dyn Fn(Cell, Cell) -> bool| -> Vec<Vec<Square>> {
            let of = |cell: &Cell| {
                cells
                    .iter()
                    .enumerate()
                    .filter(|(_, other)| near(*cell, **other))
                    .map(|(place, _)| Square(place))
                    .collect()
            };
            cells.iter().map(of).collect()
        };
        let straight = beside(&|a, b| a.straight(b, wedges));
        let diagonal = beside(&|a, b| a.diagonal(b, wedges));
        Self { kind, cells, straight, diagonal }
    }

    /// Which board it is.
    #[must_use]
    pub const fn kind(&self) -> BoardKind {
        self.kind
    }

    /// All squares.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        (0..self.cells.len()).map(Square)
    }

    /// A square's name, like `d4` or `b31`.
    #[must_use]
    pub fn name(&self, square: Square) -> String {
        self.cells.get(square.0).map(|cell| cell.name()).unwrap_or_default()
    }

    /// The square of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Square> {
        self.squares().find(|square| self.name(*square) == name)
    }

    /// The squares that share an edge with this one.
    #[must_use]
    pub fn straight(&self, square: Square) -> &[Square] {
        self.straight.get(square.0).map_or(&[], Vec::as_slice)
    }

    /// The squares that share exactly one corner with this one.
    #[must_use]
    pub fn diagonal(&self, square: Square) -> &[Square] {
        self.diagonal.get(square.0).map_or(&[], Vec::as_slice)
    }

    /// The corner of a seat: corners clockwise, the seats spread over them (SB-8).
    #[must_use]
    pub fn corner(&self, seat: usize, seats: usize) -> Option<Square> {
        let place = seat * self.kind.corner_count() / seats.max(1);
        let name = match self.kind {
            BoardKind::Full => (*["a1", "a8", "h8", "h1"].get(place)?).to_owned(),
            BoardKind::Half => (*["a1", "d8"].get(place)?).to_owned(),
            _ => format!("{}44", letter(place)),
        };
        self.find(&name)
    }

    /// How the board is drawn: grids of squares, top row first, with their labels.
    #[must_use]
    pub fn grids(&self) -> Vec<Grid> {
        match self.kind.wedges() {
            None => {
                let files = if self.kind == BoardKind::Half { 4 } else { 8 };
                vec![Grid {
                    title: String::new(),
                    columns: (0..files).map(|file| letter(file).to_string()).collect(),
                    rows: (1..=8)
                        .rev()
                        .map(|rank| {
                            let square = |file| self.find(&format!("{}{rank}", letter(file)));
                            (rank.to_string(), (0..files).filter_map(square).collect())
                        })
                        .collect(),
                }]
            }
            Some(wedges) => (0..wedges)
                .map(|wedge| Grid {
                    title: format!("wedge {}", letter(wedge)),
                    columns: (1..=4).map(|b| b.to_string()).collect(),
                    rows: (1..=4)
                        .rev()
                        .map(|a| {
                            let square = |b| self.find(&format!("{}{a}{b}", letter(wedge)));
                            (format!("{}{a}", letter(wedge)), (1..=4).filter_map(square).collect())
                        })
                        .collect(),
                })
                .collect(),
        }
    }

    /// Words that a drawing of the board needs.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        match self.kind.wedges() {
            None => Vec::new(),
            Some(wedges) => {
                let seams: Vec<_> = (0..wedges)
                    .map(|wedge| format!("{0}1t-{1}t1", letter(wedge), letter((wedge + 1) % wedges)))
                    .collect();
                vec![
                    "Row and column make the name: row a3, column 2 is a32. All x11 meet at the centre."
                        .to_owned(),
                    format!("Seams (for t = 1 to 4): {}.", seams.join(", ")),
                ]
            }
        }
    }
}

/// A rectangle of squares to be drawn.
#[derive(Clone, Debug)]
pub struct Grid {
    /// What it is called; empty for the only one.
    pub title: String,
    /// Labels of the columns.
    pub columns: Vec<String>,
    /// Label and squares of each row, the top row first.
    pub rows: Vec<(String, Vec<Square>)>,
}
