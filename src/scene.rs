//! Neutral words in which a game draws its state, so that a report can show any game.

use crate::ident::SeatIndex;
use crate::log::Header;

/// A drawing of the board: one or more grids with pieces on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The grids, in reading order.
    pub panels: Vec<Panel>,
    /// What a reader must know of how the grids hang together.
    pub notes: Vec<String>,
}

/// A grid of squares, its top row first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// What it is called, where there is more than one.
    pub title: String,
    /// The labels under the columns.
    pub columns: Vec<String>,
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// Whether a square has room for one letter only: then capital letters are the first
    /// seat's pieces, small letters the other's.
    pub is_narrow: bool,
}

/// One row of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The label beside it.
    pub label: String,
    /// What stands on each square.
    pub squares: Vec<Square>,
}

/// What stands on a square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Square {
    /// Nothing.
    #[default]
    Empty,
    /// Something that blocks.
    Obstacle,
    /// A way to another square, by the mark that both have.
    Gate(String),
    /// A seat's piece, by one or a few letters.
    Piece {
        /// Whose it is.
        seat: SeatIndex,
        /// Which it is, like `C`.
        letters: String,
    },
}

impl Scene {
    /// The board in ASCII, its grids side by side.
    #[must_use]
    pub fn lines(&self, header: &Header) -> Vec<String> {
        let mut lines = Vec::new();
        for panels in self.panels.chunks(3) {
            let drawn: Vec<Vec<String>> = panels
                .iter()
                .map(|panel| {
                    let mut rows = Vec::new();
                    if !panel.title.is_empty() {
                        rows.push(panel.title.clone());
                    }
                    for row in &panel.rows {
                        let squares: Vec<String> =
                            row.squares.iter().map(|square| square.drawn(header, panel.is_narrow)).collect();
                        rows.push(format!("{:>2}  {}", row.label, squares.join(" ")));
                    }
                    let room = if panel.is_narrow { 1 } else { 2 };
                    let columns: Vec<String> =
                        panel.columns.iter().map(|column| format!("{column:>room$}")).collect();
                    rows.push(format!("    {}", columns.join(" ")));
                    rows
                })
                .collect();
            let height = drawn.iter().map(Vec::len).max().unwrap_or(0);
            for place in 0..height {
                let parts: Vec<String> = drawn
                    .iter()
                    .map(|rows| {
                        let width = rows.iter().map(String::len).max().unwrap_or(0);
                        format!("{:width$}", rows.get(place).map_or("", String::as_str))
                    })
                    .collect();
                lines.push(parts.join("     ").trim_end().to_owned());
            }
        }
        lines
    }
}

impl Square {
    /// The square in one column, or in two.
    fn drawn(&self, header: &Header, is_narrow: bool) -> String {
        let sign = match self {
            Self::Piece { seat, letters } if !is_narrow => {
                return format!("{}{letters}", seat_letter(header, *seat));
            }
            Self::Piece { seat: SeatIndex::FIRST, letters } => letters.to_ascii_uppercase(),
            Self::Piece { letters, .. } => letters.to_ascii_lowercase(),
            Self::Empty => ".".to_owned(),
            Self::Obstacle => "#".to_owned(),
            Self::Gate(mark) => mark.clone(),
        };
        if is_narrow { sign } else { format!(" {sign}") }
    }
}

/// A letter for each seat: its first one where no other seat begins with it, else its
/// number in the header.
#[must_use]
pub fn seat_letter(header: &Header, seat: SeatIndex) -> String {
    let first = |index: SeatIndex| header.seat(index).as_str().chars().next().unwrap_or('?');
    let mine = first(seat);
    let same = header.by_seat(|_| ()).seats().filter(|other| first(*other) == mine).count();
    if same == 1 { mine.to_string() } else { (seat.place() + 1).to_string() }
}
