//! The Shield Bashers oracle, held against the vectors, the rule text's examples, and games whose
//! endings were worked out by hand.

#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::indexing_slicing, clippy::panic)]

mod oracle;

#[path = "oracle/self_tests/boards_and_combat.rs"]
mod boards_and_combat;
#[path = "oracle/self_tests/endings.rs"]
mod endings;
#[path = "oracle/self_tests/random.rs"]
mod random;
#[path = "oracle/self_tests/scripted.rs"]
mod scripted;
#[path = "oracle/self_tests/tools.rs"]
mod tools;
#[path = "oracle/self_tests/vector_games.rs"]
mod vector_games;
