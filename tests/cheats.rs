//! Honest players and one cheater, who has every power but the others' keys, over random games.
//!
//! At every step the cheater tries a few of the named cheats (`tests/cases/cheats.toml`), each
//! signed as it should be, so that it reaches the check that is there for it. That check must
//! refuse it, nothing may change in an honest copy, and nobody honest may be blamed.
//!
//! - `SEALED_GAMES`: how many games; the usual number gives every cheat its hundred tries.
//! - `SEALED_GAME`: one game alone, by its number, to look into a failure.

#![allow(
    missing_docs,
    dead_code,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test says no by a panic, has no interface to document, and shares its tools with others"
)]

mod oracle;

#[path = "disputes/club.rs"]
mod club;
#[path = "random_games/dice.rs"]
mod dice;
#[path = "cheats/forks.rs"]
mod forks;
#[path = "cheats/orders.rs"]
mod orders;
#[path = "cheats/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sealed_orders::document;
use serde::Deserialize;
use world::World;

/// What is expected of a cheat, as it stands in `tests/cases/cheats.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    name: String,
    /// What the cheater does, for people.
    story: String,
    /// The deepest check that it reaches, which must stop it; `nothing` where two orders that
    /// are legal both contradict each other.
    check: String,
    /// The code of its refusal.
    code: String,
    /// What `sealed dispute` says of it beside an honest copy.
    verdict: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    cheat: Vec<Expected>,
}

fn expected() -> BTreeMap<String, Expected> {
    let tree = document::parse(include_str!("cases/cheats.toml")).unwrap();
    let cases: Cases = document::read(&tree).unwrap();
    cases.cheat.into_iter().map(|cheat| (cheat.name.clone(), cheat)).collect()
}

/// Each cheat is tried at least so often.
const LEAST: u64 = 100;
const USUAL_GAMES: u64 = 110;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} = {text:?}")))
}

#[test]
fn a_cheater_gains_nothing() {
    let expected = expected();
    let known: Vec<&str> =
        orders::ALL.iter().map(|(name, _)| *name).chain(forks::ALL.iter().map(|(name, _)| *name)).collect();
    for name in expected.keys() {
        assert!(known.contains(&name.as_str()), "nobody tries {name}");
    }
    assert_eq!(known.len(), expected.len(), "each cheat is told once in cheats.toml");
    assert!(expected.values().all(|cheat| !cheat.story.is_empty()));
    if let Some(number) = setting("SEALED_GAME") {
        println!("{:#?}", World::new(number, &expected).play());
        return;
    }
    let games = setting("SEALED_GAMES").unwrap_or(USUAL_GAMES);
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let next = AtomicU64::new(0);
    let tally: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // One failure says enough.
                    if number >= games || !failed.lock().unwrap().is_empty() {
                        break;
                    }
                    match catch_unwind(AssertUnwindSafe(|| World::new(number, &expected).play())) {
                        Ok(counts) => {
                            for (what, times) in counts {
                                *tally.lock().unwrap().entry(what).or_default() += times;
                            }
                        }
                        Err(_) => {
                            println!("game {number} failed; look into it with SEALED_GAME={number}");
                            failed.lock().unwrap().push(number);
                        }
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{:<32} {:>10} {:>16} {:>6}", "cheat", "stopped by", "as", "times");
    for cheat in expected.values() {
        let times = tally.get(&cheat.name).copied().unwrap_or(0);
        println!("{:<32} {:>10} {:>16} {times:>6}", cheat.name, cheat.check, cheat.code);
    }
    for (what, times) in tally.iter().filter(|(what, _)| !expected.contains_key(*what)) {
        println!("{what:<60} {times:>6}");
    }
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "of {games} games these failed: {failed:?}");
    let seldom: Vec<&String> =
        expected.keys().filter(|name| tally.get(*name).copied().unwrap_or(0) < LEAST).collect();
    assert!(
        setting("SEALED_GAMES").is_some() || seldom.is_empty(),
        "tried less than {LEAST} times: {seldom:?}"
    );
}
