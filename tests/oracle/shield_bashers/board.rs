//! The boards of Shield Bashers (SB-7, SB-8, SB-9), as drawings.
//!
//! Every cell is a polygon: the list of its four corner points, by name. There are no formulas for
//! neighbours here. SB-9: "straight shares an edge, diagonal shares exactly one corner" - and an
//! edge is two corner points.

#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub name: String,
    /// The four corner points of the cell, by name. A point has the same name in all its cells.
    pub points: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub cells: Vec<Cell>,
    /// The corner squares in which cruisers may stand, clockwise seen from above (SB-8).
    pub corners: Vec<String>,
    /// All pairs of cells that share an edge, each once.
    pub straight: Vec<(String, String)>,
    /// All pairs of cells that share exactly one corner point, each once.
    pub diagonal: Vec<(String, String)>,
}

pub const BOARD_NAMES: [&str; 5] = ["full", "half", "wedges3", "wedges5", "wedges6"];

impl Board {
    pub fn new(name: &str) -> Board {
        let (cells, corners): (Vec<Cell>, Vec<String>) = match name {
            // SB-7: "full (8x8, corners a1 and h8)"; SB-8: "full a1, a8, h8, h1".
            "full" => (chessboard("abcdefgh"), names(&["a1", "a8", "h8", "h1"])),
            // SB-7: "half (4 files x 8 ranks, corners a1 and d8)".
            "half" => (chessboard("abcd"), names(&["a1", "d8"])),
            // SB-8: "wedges a44, b44, c44, ...".
            "wedges3" => (quarters(&["a", "b", "c"]), names(&["a44", "b44", "c44"])),
            // SB-9 counts this one too, though no game can choose it: "four wedges are the chessboard".
            "wedges4" => (quarters(&["a", "b", "c", "d"]), names(&["a44", "b44", "c44", "d44"])),
            "wedges5" => (quarters(&["a", "b", "c", "d", "e"]), names(&["a44", "b44", "c44", "d44", "e44"])),
            "wedges6" => (
                quarters(&["a", "b", "c", "d", "e", "f"]),
                names(&["a44", "b44", "c44", "d44", "e44", "f44"]),
            ),
            other => panic!("SB-7: there is no board {other:?}"),
        };
        let mut straight = Vec::new();
        let mut diagonal = Vec::new();
        for (i, one) in cells.iter().enumerate() {
            for other in &cells[i + 1..] {
                match shared_points(one, other) {
                    0 => {}
                    1 => diagonal.push((one.name.clone(), other.name.clone())),
                    2 => straight.push((one.name.clone(), other.name.clone())),
                    n => panic!("{} and {} share {n} points", one.name, other.name),
                }
            }
        }
        Board { cells, corners, straight, diagonal }
    }

    pub fn has(&self, square: &str) -> bool {
        self.cells.iter().any(|cell| cell.name == square)
    }

    pub fn is_straight(&self, from: &str, to: &str) -> bool {
        listed(&self.straight, from, to)
    }

    pub fn is_diagonal(&self, from: &str, to: &str) -> bool {
        listed(&self.diagonal, from, to)
    }

    /// Rules, "Movement": frigates 1 square straight, destroyers 1 square diagonally, cruisers 1
    /// square in any direction.
    pub fn can_step(&self, ship: &str, from: &str, to: &str) -> bool {
        match ship {
            "frigate" => self.is_straight(from, to),
            "destroyer" => self.is_diagonal(from, to),
            "cruiser" => self.is_straight(from, to) || self.is_diagonal(from, to),
            other => panic!("there is no ship {other:?}"),
        }
    }

    /// SB-6: "the corner's two orthogonal neighbours".
    pub fn straight_neighbours(&self, square: &str) -> Vec<String> {
        let all = self.cells.iter().map(|cell| cell.name.clone());
        all.filter(|other| self.is_straight(square, other)).collect()
    }

    pub fn diagonal_neighbours(&self, square: &str) -> Vec<String> {
        let all = self.cells.iter().map(|cell| cell.name.clone());
        all.filter(|other| self.is_diagonal(square, other)).collect()
    }

    /// SB-8: "seat number i (from 0) of n takes corner number floor(i * corners / n)".
    pub fn corner_of_seat(&self, i: usize, n: usize) -> String {
        self.corners[i * self.corners.len() / n].clone()
    }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| name.to_string()).collect()
}

fn listed(pairs: &[(String, String)], one: &str, other: &str) -> bool {
    let is = |a: &str, b: &str| (a == one && b == other) || (a == other && b == one);
    pairs.iter().any(|(a, b)| is(a, b))
}

fn shared_points(one: &Cell, other: &Cell) -> usize {
    one.points.iter().filter(|point| other.points.contains(point)).count()
}

/// Lines cross at points named by the line left of file x (0, 1, ...) and below rank y.
fn chessboard(files: &str) -> Vec<Cell> {
    let point = |x: usize, y: usize| format!("line {x} x line {y}");
    let mut cells = Vec::new();
    for (x, file) in files.chars().enumerate() {
        for y in 0..8 {
            cells.push(Cell {
                name: format!("{file}{}", y + 1),
                points: vec![point(x, y), point(x + 1, y), point(x + 1, y + 1), point(x, y + 1)],
            });
        }
    }
    cells
}

/// 4x4 quarters, sewn together round one centre point (SB-7, SB-9).
///
/// Within a quarter, a point is i steps along a and j steps along b away from the centre, 0 to 4.
/// The cells with a = 1 have an edge on the line i = 0; SB-9's seam "(z,1,t)-(next z,t,1)" says that
/// this line is the line j = 0 of the next quarter, the t-th edge of the one being the t-th edge of
/// the other. So the point (0, t) of z and the point (t, 0) of the next are one point; and (0, 0) is
/// the centre in all of them.
fn quarters(letters: &[&str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (k, z) in letters.iter().enumerate() {
        let next = letters[(k + 1) % letters.len()];
        let before = letters[(k + letters.len() - 1) % letters.len()];
        let point = |i: usize, j: usize| match (i, j) {
            (0, 0) => "the centre".to_string(),
            (0, j) => format!("seam {z}/{next}, point {j}"),
            (i, 0) => format!("seam {before}/{z}, point {i}"),
            (i, j) => format!("in {z}, point {i} {j}"),
        };
        for a in 1..=4 {
            for b in 1..=4 {
                cells.push(Cell {
                    name: format!("{z}{a}{b}"),
                    points: vec![point(a - 1, b - 1), point(a, b - 1), point(a, b), point(a - 1, b)],
                });
            }
        }
    }
    cells
}
