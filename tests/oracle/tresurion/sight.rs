//! Line of sight (TR-10), as geometry.
//!
//! TR-10 gives a formula; here stands what it means instead: the line "runs from centre to centre",
//! a square blocks when the line runs through it, and "touching a corner does not block" (nor does
//! running along an edge). Centres lie on whole numbers, a square reaches half a unit to each side.

use super::board::place;

/// A fraction; below the line always more than nought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fraction {
    pub over: i128,
    pub under: i128,
}

impl Fraction {
    pub fn new(over: i128, under: i128) -> Fraction {
        assert!(under != 0);
        if under < 0 { Fraction { over: -over, under: -under } } else { Fraction { over, under } }
    }
    pub fn less_than(self, other: Fraction) -> bool {
        self.over * other.under < other.over * self.under
    }
    fn smaller(self, other: Fraction) -> Fraction {
        if self.less_than(other) { self } else { other }
    }
    fn greater(self, other: Fraction) -> Fraction {
        if self.less_than(other) { other } else { self }
    }
}

/// Does the line from centre to centre run through the inside of the square?
///
/// A point of the line is from + t (to - from), its ends left out: 0 < t < 1. It is inside the square
/// when in both directions it is more than half a unit below the centre and less than half a unit
/// above. Each direction allows t between two bounds; there is such a point when the greatest of the
/// lower bounds is less than the least of the upper ones.
pub fn runs_through(from: (i64, i64), to: (i64, i64), square: (i64, i64)) -> bool {
    let mut after = Fraction::new(0, 1);
    let mut before = Fraction::new(1, 1);
    for (start, end, middle) in [(from.0, to.0, square.0), (from.1, to.1, square.1)] {
        // In halves of a unit, so that the edges are whole numbers.
        let (start, end) = (i128::from(2 * start), i128::from(2 * end));
        let (low, high) = (i128::from(2 * middle - 1), i128::from(2 * middle + 1));
        let along = end - start;
        if along == 0 {
            if start <= low || start >= high {
                return false;
            }
        } else {
            let at_low = Fraction::new(low - start, along);
            let at_high = Fraction::new(high - start, along);
            after = after.greater(at_low.smaller(at_high));
            before = before.smaller(at_low.greater(at_high));
        }
    }
    after.less_than(before)
}

/// TR-10: "within the box that the two span and other than the two ends".
pub fn in_the_box(from: (i64, i64), to: (i64, i64), square: (i64, i64)) -> bool {
    let between = |one: i64, other: i64, x: i64| (one <= x && x <= other) || (other <= x && x <= one);
    square != from && square != to && between(from.0, to.0, square.0) && between(from.1, to.1, square.1)
}

/// Which of the occupied squares (asteroids belong to them, TR-18) block, in their order.
pub fn blockers(from: &str, to: &str, occupied: &[String]) -> Vec<String> {
    let (start, end) = (place(from), place(to));
    let mut blocking = Vec::new();
    for square in occupied {
        if in_the_box(start, end, place(square)) && runs_through(start, end, place(square)) {
            blocking.push(square.clone());
        }
    }
    blocking
}
