//! The oracles, held against the vectors, the rule texts' examples, and games whose endings were worked
//! out by hand.

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
#[path = "oracle/self_tests/tresurion_games.rs"]
mod tresurion_games;
#[path = "oracle/self_tests/tresurion_pieces.rs"]
mod tresurion_pieces;
#[path = "oracle/self_tests/tresurion_random.rs"]
mod tresurion_random;
#[path = "oracle/self_tests/tresurion_scripted.rs"]
mod tresurion_scripted;
#[path = "oracle/self_tests/vector_games.rs"]
mod vector_games;
