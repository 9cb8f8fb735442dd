//! Slow and obvious readings of the rules, for tests to hold the real ones against.
//!
//! Nothing here may import anything of the crate under test: these are independent readings of
//! `rules/shield-bashers.txt` and `rules/tresurion.txt`, the rulings (SB-1 to SB-23, TR-1 to TR-18) and the
//! protocol (P-5, P-7, ...).
#![allow(dead_code)]
#![allow(clippy::pedantic, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

pub mod shield_bashers;
pub mod tresurion;
