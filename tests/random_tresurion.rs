//! Random whole games of Tresurion: the engine against the slow oracle at every step; and what
//! the dice owe to both players.
//!
//! - `SEALED_GAMES`: how many games (the full run is 2,000).
//! - `SEALED_POSITIONS`: how many random positions for sight and ways (the full run is 100,000).
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

#[path = "random_tresurion/compare.rs"]
mod compare;
#[path = "random_games/counts.rs"]
mod counts;
#[path = "random_games/dice.rs"]
mod dice;
#[path = "random_tresurion/early.rs"]
mod early;
#[path = "random_tresurion/fair.rs"]
mod fair;
#[path = "random_tresurion/field.rs"]
mod field;
#[path = "random_tresurion/floors.rs"]
mod floors;
#[path = "random_tresurion/foresight.rs"]
mod foresight;
#[path = "random_tresurion/order_of_dice.rs"]
mod order_of_dice;
#[path = "random_tresurion/party.rs"]
mod party;
#[path = "random_tresurion/play.rs"]
mod play;
#[path = "random_tresurion/rounds.rs"]
mod rounds;
#[path = "random_tresurion/written.rs"]
mod written;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use counts::Counts;
use dice::Dice;
use play::Play;

/// Less than a minute unoptimised on one core.
const USUAL_GAMES: u64 = 40;

/// With fewer games than that chance may leave anything out, so nothing must come up.
const FEWEST_FOR_FLOORS: u64 = 40;

/// The series of games; another number gives other games.
const SERIES: u64 = 19;

pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} = {text:?}")))
}

/// Runs `one` for every number below `all`, on several threads; the sum of what they counted.
pub fn in_threads(all: u64, what: &str, one: impl Fn(u64) -> Counts + Sync) -> Counts {
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
                    if number >= all {
                        break;
                    }
                    match catch_unwind(AssertUnwindSafe(|| one(number))) {
                        Ok(counted) => counts.lock().unwrap().merge(counted),
                        Err(_) => {
                            println!("{what} {number} failed");
                            failed.lock().unwrap().push(number);
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "of {all} these failed ({what}): {failed:?}");
    counts.into_inner().unwrap()
}

fn one_game(number: u64) -> Counts {
    let mut play = Play::new(Dice::new(SERIES, number));
    play.play_out();
    play.is_written_and_read_back();
    play.decisions_come_before_their_dice();
    play.counts
}

#[test]
fn random_games_of_tresurion() {
    if let Some(number) = setting("SEALED_GAME") {
        one_game(number).print(1, &[]);
        return;
    }
    let games = setting("SEALED_GAMES").unwrap_or(USUAL_GAMES);
    let counts = in_threads(games, "SEALED_GAME", one_game);
    let floors = if games < FEWEST_FOR_FLOORS { &[] } else { floors::FLOORS };
    let too_seldom = counts.print(games, floors);
    assert!(too_seldom.is_empty(), "came up too seldom in {games} games: {too_seldom:?}");
}
