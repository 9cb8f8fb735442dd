//! The board (TR-3) and what lies on it (TR-18).

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub width: u32,
    pub length: u32,
    /// All squares by name: a1, a2, ..., b1, ...
    pub squares: Vec<String>,
    /// Those that share an edge or a corner with a square.
    pub neighbours: BTreeMap<String, Vec<String>>,
    pub asteroids: Vec<String>,
    pub wormholes: Vec<(String, String)>,
}

impl Board {
    pub fn new(
        width: u32,
        length: u32,
        asteroids: &[String],
        wormholes: &[(String, String)],
    ) -> Result<Board, String> {
        // TR-3: "options `width` 15 to 26, `length` 25 to 99".
        if !(15..=26).contains(&width) || !(25..=99).contains(&length) {
            return Err(format!("TR-3: no board is {width} wide and {length} long"));
        }
        let mut squares = Vec::new();
        for file in "abcdefghijklmnopqrstuvwxyz".chars().take(width as usize) {
            for rank in 1..=length {
                squares.push(format!("{file}{rank}"));
            }
        }
        let places: Vec<(i64, i64)> = squares.iter().map(|square| place(square)).collect();
        let mut neighbours = BTreeMap::new();
        for (one, here) in squares.iter().zip(&places) {
            let mut beside = Vec::new();
            for (other, there) in squares.iter().zip(&places) {
                if one != other && (here.0 - there.0).abs() <= 1 && (here.1 - there.1).abs() <= 1 {
                    beside.push(other.clone());
                }
            }
            neighbours.insert(one.clone(), beside);
        }
        let board = Board {
            width,
            length,
            squares,
            neighbours,
            asteroids: asteroids.to_vec(),
            wormholes: wormholes.to_vec(),
        };
        // P-3: "Squares in terrain options are on the board, outside the deployment rows, and listed
        // once in all."
        let mut listed: Vec<&String> = asteroids.iter().collect();
        for (one, other) in wormholes {
            listed.push(one);
            listed.push(other);
        }
        for square in &listed {
            if !board.has(square) {
                return Err(format!("TR-18: {square} is not on the board"));
            }
            if board.in_deployment_row(square, 0) || board.in_deployment_row(square, 1) {
                return Err(format!("TR-18: {square} lies in a deployment row"));
            }
            if listed.iter().filter(|other| other == &square).count() > 1 {
                return Err(format!("TR-18: {square} is listed twice"));
            }
        }
        Ok(board)
    }

    pub fn has(&self, square: &str) -> bool {
        self.squares.iter().any(|name| name == square)
    }

    pub fn is_asteroid(&self, square: &str) -> bool {
        self.asteroids.iter().any(|name| name == square)
    }

    /// TR-3: "The first seat deploys on ranks 1 and 2, the second on the last two."
    pub fn in_deployment_row(&self, square: &str, seat: usize) -> bool {
        let rows = if seat == 0 { [1, 2] } else { [self.length - 1, self.length] };
        rows.iter().any(|row| square[1..] == row.to_string())
    }
}

/// How many files right of a, how many ranks above 1.
pub fn place(square: &str) -> (i64, i64) {
    let file = "abcdefghijklmnopqrstuvwxyz".find(&square[..1]).expect("a file");
    let rank: i64 = square[1..].parse().expect("a rank");
    (file as i64, rank - 1)
}

/// TR-7: "Distance counts a diagonal step as one, for movement and range." The least number of
/// steps: so many diagonal ones as both ways have, then straight ones.
pub fn distance(one: &str, other: &str) -> u32 {
    let (mut here, there) = (place(one), place(other));
    let mut steps = 0;
    while here != there {
        here.0 += (there.0 - here.0).signum();
        here.1 += (there.1 - here.1).signum();
        steps += 1;
    }
    steps
}
