//! Fleets and their deployment (TR-1 to TR-3, P-7).

use super::board::Board;
use super::classes::class;

/// May the seat (0 or 1: which end) deploy these ships, (id, square) each?
pub fn legal_fleet(board: &Board, end: usize, ships: &[(String, String)]) -> Result<(), String> {
    let mut pieces = String::new();
    for (i, (id, at)) in ships.iter().enumerate() {
        // TR-2: a UCN of the table; P-7: "the id being the UCN and a letter a, b, c, ... per class in
        // list order".
        let Some(ucn) = id.get(..3).filter(|ucn| class(ucn).is_some()) else {
            return Err(format!("TR-2: {id:?} is of no class"));
        };
        let same_before = ships[..i].iter().filter(|(before, _)| before.starts_with(ucn)).count();
        let letter = "abcdefghijklmno".chars().nth(same_before);
        if letter.is_none_or(|letter| *id != format!("{ucn}{letter}")) {
            return Err(format!("P-7: {id:?} is not how number {} of its class is called", same_before + 1));
        }
        pieces.push_str(ucn);
        if !board.has(at) {
            return Err(format!("TR-3: {at:?} is not on the board"));
        }
        if !board.in_deployment_row(at, end) {
            return Err(format!("TR-3: {at} is not in the rows where {end} deploys"));
        }
        if ships[..i].iter().any(|(_, before)| before == at) {
            return Err(format!("TR-3: two ships on {at}"));
        }
    }
    // TR-1: "All fifteen pieces are used: five small, five medium, five large."
    for (size, name) in [('1', "small"), ('2', "medium"), ('3', "large")] {
        let used = pieces.chars().filter(|piece| *piece == size).count();
        if used != 5 {
            return Err(format!("TR-1: {used} {name} pieces, not five"));
        }
    }
    Ok(())
}
