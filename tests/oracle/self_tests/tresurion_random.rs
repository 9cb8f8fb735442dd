//! Random boards and random whole games of Tresurion.

use super::oracle::tresurion::board::{Board, distance, place};
use super::oracle::tresurion::sight::blockers;
use super::oracle::tresurion::{End, Game, Options};
use super::tresurion_pieces::pairs;
use std::collections::BTreeSet;

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// TR-10: "It is the same both ways."
#[test]
fn sight_is_the_same_both_ways() {
    let mut random = Random(7);
    let (mut clear, mut blocked) = (0, 0);
    for (width, length) in [(15, 25), (26, 25), (15, 99), (20, 40)] {
        let board = Board::new(width, length, &[], &[]).unwrap();
        for _ in 0..50 {
            let share = 2 + random.below(12);
            let occupied: Vec<String> =
                board.squares.iter().filter(|_| random.below(share) == 0).cloned().collect();
            for _ in 0..10 {
                let (from, to) = (random.pick(&board.squares), random.pick(&board.squares));
                if from == to {
                    continue;
                }
                let there = blockers(&from, &to, &occupied);
                assert_eq!(there, blockers(&to, &from, &occupied), "{from} {to}");
                let ((x, y), (to_x, to_y)) = (place(&from), place(&to));
                let (dx, dy) = (to_x - x, to_y - y);
                for square in &occupied {
                    let (i, j) = (place(square).0 - x, place(square).1 - y);
                    let in_box = i * dx.signum() >= 0
                        && i.abs() <= dx.abs()
                        && j * dy.signum() >= 0
                        && j.abs() <= dy.abs()
                        && *square != from
                        && *square != to;
                    let formula = in_box && 2 * (i * dy - j * dx).abs() < dx.abs() + dy.abs();
                    assert_eq!(there.contains(square), formula, "{from} {to} {square}");
                }
                if there.is_empty() { clear += 1 } else { blocked += 1 }
            }
        }
    }
    assert!(clear > 100 && blocked > 100, "{clear} {blocked}");
}

/// Whole games of ships that close in and fire all they can: what is legal can be applied, no two ships
/// share a square, dice are asked for in order and never twice, and somebody wins.
#[test]
fn random_games_are_won() {
    let fleets = [
        "123 123 123 123 123",
        "333 222 111 123 001 002 003",
        "001 001 001 001 001 002 002 002 002 002 003 003 003 003 003",
        "233 133 122 112 023 001",
        "011 011 022 022 033 033 001 002 003",
    ];
    for seed in 0..6_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e3779b97f4a7c15));
        let mut options = Options::usual();
        if seed % 2 == 1 {
            options.asteroids = ["c12", "d12", "h13", "k9", "k10", "k11"].map(String::from).to_vec();
            options.wormholes = pairs(&[("b5", "n20"), ("h7", "h19")]);
            options.reach = "distance".to_string();
        }
        let mut deployed = Vec::new();
        for seat in 0..2 {
            let mut squares: Vec<String> = Vec::new();
            for file in "abcdefghijklmno".chars() {
                for rank in if seat == 0 { [1, 2] } else { [24, 25] } {
                    squares.push(format!("{file}{rank}"));
                }
            }
            let mut fleet: Vec<(String, String)> = Vec::new();
            for ucn in fleets[random.below(fleets.len())].split(' ') {
                let letter = fleet.iter().filter(|(id, _)| id.starts_with(ucn)).count();
                let square = squares.remove(random.below(squares.len()));
                fleet.push((format!("{ucn}{}", char::from(b'a' + letter as u8)), square));
            }
            deployed.push(fleet);
        }
        let mut asked: BTreeSet<String> = BTreeSet::new();
        let mut rolling = Random(seed);
        let mut dice = |label: &str, sides: u32| {
            assert!(asked.insert(label.to_string()), "{label} again");
            rolling.below(sides as usize) as u32 + 1
        };
        let mut game =
            Game::begin(&options, ["red", "blue"], [&deployed[0], &deployed[1]], &mut dice).unwrap();
        while let Some((seat, what)) = game.awaited() {
            if what == "roll" {
                game.apply_roll(seat, &mut dice).unwrap();
                continue;
            }
            let mut moves: Vec<(String, String)> = Vec::new();
            let mut moved = game.clone();
            for ship in game.ships_of(seat) {
                let enemy = game.ships_of(1 - seat)[0].at.clone();
                let ends: Vec<String> = moved.ends_of(ship).into_keys().collect();
                let mut to = random.pick(&ends);
                for _ in 0..random.below(6) {
                    let better = random.pick(&ends);
                    if distance(&better, &enemy) < distance(&to, &enemy) {
                        to = better;
                    }
                }
                moves.push((ship.id.clone(), to));
                moved = moved.after_moves(seat, &moves[moves.len() - 1..]).unwrap();
            }
            let mut fire: Vec<(String, String)> = Vec::new();
            for shot in moved.shots(seat) {
                if !fire.iter().any(|other| other.0 == shot.0) {
                    fire.push(shot);
                }
            }
            game.apply_round(seat, &moves, &fire, false).unwrap();
            let squares: BTreeSet<&String> = game.ships.iter().map(|ship| &ship.at).collect();
            assert_eq!(squares.len(), game.ships.len());
            assert!(!options.asteroids.iter().any(|square| squares.contains(square)));
            assert!(game.turn < 500, "seed {seed} does not end");
        }
        let Some(End::Win { seat }) = game.end else { panic!("{:?}", game.end) };
        assert!(game.ships_of(1 - seat).is_empty() && !game.ships_of(seat).is_empty());
    }
}
