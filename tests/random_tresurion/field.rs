//! Sight and ways on random fields: the engine's formula against the oracle's geometry.

use std::collections::{BTreeMap, BTreeSet};

use sealed_orders::games::tresurion::{Field, Square, Standing};

use super::counts::Counts;
use super::dice::Dice;
use super::oracle::tresurion::board::{Board, distance};
use super::oracle::tresurion::reach::ends;
use super::oracle::tresurion::sight::blockers;
use super::party::square;

const USUAL_POSITIONS: u64 = 2000;

/// So many positions share a board, which the oracle is slow to make.
const A_BOARD: u64 = 20;

fn read(name: &str) -> Square {
    let square: Square = name.parse().unwrap();
    assert_eq!(square.to_string(), name);
    square
}

fn positions_of_a_board(number: u64) -> Counts {
    let mut dice = Dice::new(2, number);
    let mut counts = Counts::default();
    let (width, length) = (15 + dice.below(12), if dice.chance(50) { 99 } else { 25 + dice.below(8) });
    let mut inner: Vec<String> =
        (2..length - 2).flat_map(|rank| (0..width).map(move |file| square(file, rank))).collect();
    dice.shuffle(&mut inner);
    let share = *dice.pick(&[3, 8, 30]);
    let rocks = dice.below(inner.len() / share);
    let asteroids = inner.split_off(inner.len() - rocks);
    let holes = *dice.pick(&[0, 0, 1, 3, 12, 40]);
    let wormholes: Vec<(String, String)> =
        (0..holes).map(|_| (inner.pop().unwrap(), inner.pop().unwrap())).collect();
    let board = Board::new(width as u32, length as u32, &asteroids, &wormholes).unwrap();
    let mut field = Field::open(width as u8, length as u8);
    for rock in &asteroids {
        field.add_asteroid(read(rock));
    }
    for (one, other) in &wormholes {
        field.add_wormhole(read(one), read(other));
    }
    for _ in 0..A_BOARD {
        position(&mut dice, &board, &field, &mut counts);
    }
    counts
}

fn position(dice: &mut Dice, board: &Board, field: &Field, counts: &mut Counts) {
    let free: Vec<String> =
        board.squares.iter().filter(|square| !board.is_asteroid(square)).cloned().collect();
    let from = dice.pick(&free).clone();
    let share = *dice.pick(&[500, 200, 80, 20]);
    let (mut friends, mut enemies) = (Vec::new(), Vec::new());
    for square in &free {
        if *square != from && dice.chance(share) {
            if dice.chance(500) { friends.push(square.clone()) } else { enemies.push(square.clone()) }
        }
    }
    let standing_by_square: BTreeMap<Square, Standing> = friends
        .iter()
        .map(|square| (read(square), Standing::Friend))
        .chain(enemies.iter().map(|square| (read(square), Standing::Enemy)))
        .chain([(read(&from), Standing::Friend)])
        .collect();
    let standing = |square: Square| standing_by_square.get(&square).copied().unwrap_or(Standing::Empty);

    // Ways.
    let rate = 1 + dice.below(9) as u32;
    let expected = ends(board, &from, rate, &friends, &enemies);
    let found: BTreeMap<String, u32> = field
        .reach(read(&from), rate, standing)
        .into_iter()
        .map(|(square, steps)| (square.to_string(), steps))
        .collect();
    assert_eq!(found, expected, "from {from} at {rate}, {friends:?} {enemies:?} {board:?}");
    // A way may lead over friends, so without them as a goal forbidden it is the same way.
    let anywhere = ends(board, &from, rate, &[], &enemies);
    for _ in 0..12 {
        let to = if dice.chance(500) {
            dice.pick(&anywhere.keys().cloned().collect::<Vec<_>>()).clone()
        } else {
            dice.pick(&board.squares).clone()
        };
        let steps = field.steps(read(&from), read(&to), rate, standing);
        assert_eq!(steps, anywhere.get(&to).copied(), "from {from} to {to} at {rate}");
        counts.add(match steps {
            None => "ways: none",
            Some(_) if distance(&from, &to) > rate => "ways: by a wormhole only",
            Some(steps) if steps > distance(&from, &to) => "ways: with a detour",
            Some(steps) if steps < distance(&from, &to) => "ways: shorter by a wormhole",
            Some(_) => "ways: straight on",
        });
    }

    // Sight; from and to may be any squares.
    let mut occupied: Vec<String> =
        friends.iter().chain(&enemies).chain([&from]).chain(&board.asteroids).cloned().collect();
    occupied.sort();
    let is_occupied = |square: Square| standing(square) != Standing::Empty;
    let near: Vec<&String> = board.squares.iter().filter(|square| distance(&from, square) <= 7).collect();
    for turn in 0..6 {
        let to = if turn == 0 { dice.pick(&board.squares).clone() } else { (*dice.pick(&near)).clone() };
        let expected: BTreeSet<String> = blockers(&from, &to, &occupied).into_iter().collect();
        let there = field.blockers(read(&from), read(&to), is_occupied);
        let back = field.blockers(read(&to), read(&from), is_occupied);
        assert_eq!(there.len(), expected.len(), "from {from} to {to}: {there:?} {expected:?}");
        let names = |squares: Vec<Square>| squares.iter().map(Square::to_string).collect::<BTreeSet<_>>();
        assert_eq!(names(there), expected, "from {from} to {to}");
        assert_eq!(names(back), expected, "from {to} to {from}");
        counts.add(match (expected.is_empty(), expected.iter().all(|square| board.is_asteroid(square))) {
            (true, _) => "sight: free",
            (false, true) => "sight: blocked by asteroids alone",
            (false, false) => "sight: blocked",
        });
    }
}

#[test]
fn sight_and_ways_are_those_of_the_oracle() {
    let positions = super::setting("SEALED_POSITIONS").unwrap_or(USUAL_POSITIONS);
    let counts = super::in_threads(positions.div_ceil(A_BOARD), "a board", positions_of_a_board);
    // Per 1,000 positions.
    let floors = [
        ("ways: none", 800),
        ("ways: by a wormhole only", 80),
        ("ways: with a detour", 60),
        ("ways: shorter by a wormhole", 5),
        ("ways: straight on", 800),
        ("sight: free", 500),
        ("sight: blocked", 500),
        ("sight: blocked by asteroids alone", 150),
    ];
    let too_seldom = counts.print(positions, if positions < USUAL_POSITIONS { &[] } else { &floors });
    assert!(too_seldom.is_empty(), "{too_seldom:?}");
}
