//! Where a ship's move may end (TR-8, TR-18).

use super::board::Board;
use std::collections::{BTreeMap, HashSet};

/// The squares on which the move may end, each with the least number of steps. `friends` and
/// `enemies` are the squares of the other ships; the ship's own square is among the ends, with 0.
pub fn ends(
    board: &Board,
    from: &str,
    movement: u32,
    friends: &[String],
    enemies: &[String],
) -> BTreeMap<String, u32> {
    // TR-8: "through empty and friendly squares, never through an enemy"; TR-18: "an asteroid square
    // is never entered".
    let open = |square: &String| !enemies.contains(square) && !board.is_asteroid(square);
    let enterable: Vec<(&String, &Vec<String>)> =
        board.neighbours.iter().filter(|(square, _)| open(square)).collect();
    // All squares that are reached in so many steps or fewer: first none, then one more each time.
    let mut reached: HashSet<&str> = HashSet::from([from]);
    let mut least: BTreeMap<String, u32> = BTreeMap::new();
    for steps in 0..=movement {
        if steps > 0 {
            let before = reached.clone();
            for (square, neighbours) in &enterable {
                // TR-8: "A step between two diagonal neighbours is free even when both corners
                // beside it hold enemies."
                let beside = || neighbours.iter().any(|neighbour| before.contains(neighbour.as_str()));
                if !before.contains(square.as_str()) && beside() {
                    reached.insert(square);
                }
            }
        }
        // TR-18: "From one square of a wormhole pair a ship may step to the other at no cost, as
        // part of its way (also after its last point of movement) and under the same conditions".
        loop {
            let before = reached.len();
            for (one, other) in &board.wormholes {
                for (here, there) in [(one, other), (other, one)] {
                    if reached.contains(here.as_str()) && open(there) {
                        reached.insert(there);
                    }
                }
            }
            if reached.len() == before {
                break;
            }
        }
        for square in &reached {
            if !least.contains_key(*square) {
                least.insert(square.to_string(), steps);
            }
        }
    }
    // TR-8: "ending on a square that is empty then (or its own)".
    least.retain(|square, _| square == from || !friends.contains(square));
    least
}
