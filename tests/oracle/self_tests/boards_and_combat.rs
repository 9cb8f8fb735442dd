//! SB-7 to SB-9, SB-13, against the vectors and the rule text's examples.

use super::oracle::shield_bashers::board::{BOARD_NAMES, Board};
use super::oracle::shield_bashers::combat::attacker_wins;
use super::tools::*;

#[test]
fn sb_9_counts_of_cells_and_pairs() {
    let counted = |name: &str| {
        let board = Board::new(name);
        (board.cells.len(), board.straight.len(), board.diagonal.len())
    };
    assert_eq!(counted("wedges3"), (48, 84, 72));
    assert_eq!(counted("wedges4"), (64, 112, 98));
    assert_eq!(counted("full"), (64, 112, 98));
    assert_eq!(counted("wedges5"), (80, 140, 125));
    assert_eq!(counted("wedges6"), (96, 168, 153));
    // 4x8: 3*8 + 4*7 straight, 2*3*7 diagonal.
    assert_eq!(counted("half"), (32, 52, 42));
}

#[test]
fn sb_9_four_wedges_are_the_chessboard() {
    let full = Board::new("full");
    let wedges = Board::new("wedges4");
    let on_chessboard = |cell: &str| {
        let mut letters = cell.chars();
        let z = letters.next().unwrap();
        let a = letters.next().unwrap().to_digit(10).unwrap();
        let b = letters.next().unwrap().to_digit(10).unwrap();
        // Clockwise from a1's quarter: a1, a8, h8, h1. (z,1,t) meets (next z,t,1).
        let (x, y) = match z {
            'a' => (4 - b, 4 - a),
            'b' => (4 - a, 3 + b),
            'c' => (3 + b, 3 + a),
            _ => (3 + a, 4 - b),
        };
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    };
    for one in &wedges.cells {
        for other in &wedges.cells {
            let (p, q) = (on_chessboard(&one.name), on_chessboard(&other.name));
            assert_eq!(
                wedges.is_straight(&one.name, &other.name),
                full.is_straight(&p, &q),
                "{} {} are {p} {q}",
                one.name,
                other.name
            );
            assert_eq!(wedges.is_diagonal(&one.name, &other.name), full.is_diagonal(&p, &q));
        }
    }
    let corners: Vec<String> = wedges.corners.iter().map(|c| on_chessboard(c)).collect();
    assert_eq!(corners, full.corners);
}

#[test]
fn the_boards_of_the_vectors() {
    let all = json("shield-bashers.json");
    let boards = all["boards"].as_object().unwrap();
    assert_eq!(boards.len(), BOARD_NAMES.len());
    for (name, cells) in boards {
        let board = Board::new(name);
        let cells = cells.as_object().unwrap();
        assert_eq!(cells.len(), board.cells.len());
        for (cell, neighbours) in cells {
            let listed = |kind: &str| -> Vec<String> {
                let list = neighbours[kind].as_array().unwrap().iter();
                let mut list: Vec<String> = list.map(|v| v.as_str().unwrap().into()).collect();
                list.sort();
                list
            };
            let sorted = |mut list: Vec<String>| {
                list.sort();
                list
            };
            assert_eq!(sorted(board.straight_neighbours(cell)), listed("straight"), "{cell}");
            assert_eq!(sorted(board.diagonal_neighbours(cell)), listed("diagonal"), "{cell}");
        }
    }
}

#[test]
fn sb_8_seats_spread_over_the_corners() {
    let corners = |board: &str, n: usize| -> Vec<String> {
        (0..n).map(|i| Board::new(board).corner_of_seat(i, n)).collect()
    };
    assert_eq!(corners("full", 2), ["a1", "h8"]);
    assert_eq!(corners("full", 3), ["a1", "a8", "h8"]);
    assert_eq!(corners("full", 4), ["a1", "a8", "h8", "h1"]);
    assert_eq!(corners("half", 2), ["a1", "d8"]);
    assert_eq!(corners("wedges5", 2), ["a44", "c44"]);
    assert_eq!(corners("wedges6", 4), ["a44", "b44", "d44", "e44"]);
}

#[test]
fn the_81_combats_of_the_vectors() {
    let all = json("shield-bashers.json");
    let combats = all["combat"].as_array().unwrap();
    let mut seen = Vec::new();
    for combat in combats {
        let get = |key: &str| combat[key].as_str().unwrap().to_string();
        let four =
            ["attacker_primary", "defender_primary", "attacker_secondary", "defender_secondary"].map(get);
        let wins = attacker_wins(&four[0], &four[1], &four[2], &four[3]);
        assert_eq!(if wins { "attacker" } else { "defender" }, get("winner"), "{four:?}");
        assert!(!seen.contains(&four));
        seen.push(four);
    }
    assert_eq!(seen.len(), 81);
}

#[test]
fn the_nine_examples_of_the_rules() {
    // Attacker's primary, defender's; attacker's secondary, defender's; the attacker's luck.
    for (ap, dp, a, d, luck) in [
        ("white", "black", "black", "grey", "lose"),
        ("white", "grey", "black", "black", "win"),
        ("white", "white", "black", "white", "win"),
        ("black", "black", "grey", "grey", "lose"),
        ("black", "grey", "grey", "black", "lose"),
        ("black", "white", "grey", "white", "win"),
        ("grey", "black", "white", "grey", "lose"),
        ("grey", "grey", "white", "black", "lose"),
        ("grey", "white", "white", "white", "win"),
    ] {
        assert_eq!(attacker_wins(ap, dp, a, d), luck == "win", "{ap} {dp} {a} {d}");
    }
}
