//! Random whole games: the engine against the slow oracle at every step, and the same orders on
//! many ways to the same bytes.
//!
//! - `SEALED_GAMES`: how many games (the full run is 10,000).
//! - `SEALED_THREADS`: how many at once; all cores by default.
//! - `SEALED_GAME`: one game alone, by its number, to look into a failure.
//!
//! Everything follows from the number of a game, so a failure comes again with that number.

#![allow(
    missing_docs,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says no by a panic, has no interface to document, and small numbers need no checked casts"
)]

mod oracle;

#[path = "random_games/arrival.rs"]
mod arrival;
#[path = "random_games/choose.rs"]
mod choose;
#[path = "random_games/compare.rs"]
mod compare;
#[path = "random_games/counts.rs"]
mod counts;
#[path = "random_games/dice.rs"]
mod dice;
#[path = "random_games/endings.rs"]
mod endings;
#[path = "random_games/floors.rs"]
mod floors;
#[path = "random_games/illegal.rs"]
mod illegal;
#[path = "random_games/party.rs"]
mod party;
#[path = "random_games/play.rs"]
mod play;
#[path = "random_games/writing.rs"]
mod writing;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use counts::Counts;
use dice::Dice;
use play::Play;

/// Enough for every floor to be above nought, and about a minute unoptimised on one core.
const USUAL_GAMES: u64 = 400;

/// The series of games; another number gives other games.
const SERIES: u64 = 1;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} = {text:?}")))
}

fn one_game(number: u64) -> Counts {
    let mut play = Play::new(Dice::new(SERIES, number));
    play.play_out();
    play.arrive_in_many_ways();
    play.counts
}

#[test]
fn random_games() {
    if let Some(number) = setting("SEALED_GAME") {
        one_game(number).print(1, &[]);
        return;
    }
    let games = setting("SEALED_GAMES").unwrap_or(USUAL_GAMES);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let threads = setting("SEALED_THREADS").unwrap_or(cores).max(1);
    let next = AtomicU64::new(0);
    let counts = Mutex::new(Counts::default());
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    match catch_unwind(AssertUnwindSafe(|| one_game(number))) {
                        Ok(game) => counts.lock().unwrap().merge(game),
                        Err(_) => {
                            println!("game {number} failed; look into it with SEALED_GAME={number}");
                            failed.lock().unwrap().push(number);
                        }
                    }
                }
            });
        }
    });
    let too_seldom = counts.into_inner().unwrap().print(games, floors::FLOORS);
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "of {games} games these failed: {failed:?}");
    assert!(too_seldom.is_empty(), "came up too seldom in {games} games: {too_seldom:?}");
}
