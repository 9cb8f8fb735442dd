//! Reports: what a player reads.
