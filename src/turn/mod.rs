//! From verified orders to a game: replaying a log, and taking new orders into it.
//!
//! [`Replay`] is a game as far as its orders go. [`Replay::of_file`] is strict: every order
//! of a game file must stand where it belongs. [`adjudicate()`] takes orders from anywhere
//! and finds, for any order of arrival, the same chain.

mod adjudicate;
mod arbiter;
mod compose;
pub mod dispute;
mod equivocation;
mod inspect;
mod position;
mod precedence;
mod replay;
mod tree;
mod waiting;

pub use adjudicate::{Adjudication, Verdict, adjudicate};
pub use arbiter::{Powers, arbiter_of, forfeit, prospect, rule};
pub use compose::{Extras, seat_of, sign, sign_as};
pub use equivocation::check_proof_file;
pub use inspect::Inspected;
pub use position::{Difference, compare_position, position};
pub use replay::{Gathered, Replay, Step, gather};
pub use waiting::{Overdue, Waiting};
