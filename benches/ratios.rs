//! Speed as ratios, measured in one run: what verifying a game costs beside the signature
//! checks that it cannot do without.
//!
//! `cargo bench` prints:
//! - verify of a game of 1,000 orders against its bare `verify_strict` calls, on one thread
//!   each (goal: at most 1.3);
//! - the time an order takes in games of 100, 1,000 and 10,000 orders (goal: the same);
//! - the whole process `sealed apply` on a game of 60 orders, against an empty process.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a bench may stop where a test would"
)]

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use sealed_orders::crypto::{Identity, SoundKey, verify};
use sealed_orders::document::Node;
use sealed_orders::games::{self, Keyholder, Phase, Script};
use sealed_orders::ident::{Fresh, GameNonce, Head, Time};
use sealed_orders::log::{Draft, GameFile, Header, Player, Verified, close_step, write_game_file};
use sealed_orders::turn::{Replay, position};
use zeroize::Zeroizing;

/// A game of so many orders in which nobody ever attacks.
fn quiet_game(orders: usize) -> String {
    let identities = [1_u8, 2].map(|seed| Identity::from_seed(&Zeroizing::new([seed; 32])));
    let game = games::all().first().unwrap();
    let players = identities.iter().zip(["red", "blue"]).map(|(identity, seat)| Player {
        seat: seat.parse().unwrap(),
        name: seat.to_owned(),
        mail: format!("{seat}@example.org"),
        key: identity.public(),
    });
    let time = Time::from_unix_seconds(1_796_025_600).unwrap();
    let options = game.options(2, &std::collections::BTreeMap::new()).unwrap();
    let nonce = GameNonce::new([7; 32]);
    let header = Header::new(game.rules(), "quiet", time, nonce, options, players.collect(), None).unwrap();
    let header = Arc::new(header);
    let mut state = game.begin(&header).unwrap();
    let mut head = Head::first(header.id());
    let mut step = 0;
    let mut log: Vec<Verified> = Vec::new();
    while log.len() < orders {
        let mut closing = Vec::new();
        for seat in state.awaited() {
            let by = Keyholder { seat, identity: identities.get(seat.place()).unwrap(), kept: None };
            let composed = match state.phase() {
                Phase::Seal => {
                    let fleet = state.random_fleet(seat, &[9; 32]).unwrap();
                    state.seal(by, &fleet, Fresh::new([3; 16])).unwrap()
                }
                Phase::Move => {
                    // A ship goes back and forth far from the enemy: the first quiet move but one in turn.
                    let quiet: Vec<_> =
                        state.suggestions(seat).into_iter().filter(|s| s.remark.is_empty()).collect();
                    let words = &quiet.get(usize::from(step % 3 == 0).min(quiet.len() - 1)).unwrap().words;
                    state.compose(by, &Script::from(words.as_slice())).unwrap()
                }
                _ => state.respond(by).unwrap(),
            };
            let draft = Draft {
                game: header.id(),
                after: head,
                step,
                seat: header.seat(seat).clone(),
                time,
                press: None,
                draw: false,
                action: composed.action.to_owned(),
                details: composed.details,
            };
            let verified = draft.sign(by.identity).unwrap().verify(&header).unwrap();
            closing.push(state.judge(&verified).unwrap());
            log.push(verified);
        }
        let digests: Vec<_> = closing.iter().map(|legal| legal.verified().digest()).collect();
        state = state.close(&closing).unwrap().state;
        head = close_step(&head, &digests);
        step += 1;
    }
    let text = write_game_file(&header, &Node::from(sealed_orders::document::Table::default()), &log);
    let replay = Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap();
    write_game_file(&header, &Node::from(position(&replay)), &log)
}

/// The median of the seconds that something takes.
fn seconds(times: usize, mut run: impl FnMut()) -> f64 {
    let mut all: Vec<f64> = (0..times)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap()
}

fn replay(text: &str) {
    let file = GameFile::parse(black_box(text)).unwrap();
    black_box(Replay::of_file(&file).unwrap());
}

fn main() {
    let thousand = quiet_game(1_000);
    let file = GameFile::parse(&thousand).unwrap();
    let signed: Vec<(SoundKey, Vec<u8>, sealed_orders::crypto::Signature)> = file
        .orders
        .iter()
        .map(|signed| {
            let order = signed.order();
            (file.header.key(&order.seat).unwrap().clone(), order.preimage(), *signed.signature())
        })
        .collect();
    // Each against its neighbour in time, so that a change of the machine's speed cancels out.
    let mut ratios: Vec<f64> = (0..15)
        .map(|_| {
            let bare = seconds(1, || {
                assert!(signed.iter().all(|(key, bytes, signature)| verify(
                    key,
                    black_box(bytes),
                    signature
                )));
            });
            seconds(1, || replay(&thousand)) / bare
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "verify of {} orders / its bare verify_strict calls: {:.2}",
        signed.len(),
        ratios[ratios.len() / 2]
    );

    let mut per_order = Vec::new();
    for orders in [100, 1_000, 10_000] {
        let text = quiet_game(orders);
        let times = (30_000 / orders).clamp(3, 15);
        per_order.push(seconds(times, || replay(&text)) / orders as f64);
    }
    println!("an order in a game of 1,000 / in one of 100: {:.2}", per_order[1] / per_order[0]);
    println!("an order in a game of 10,000 / in one of 100: {:.2}", per_order[2] / per_order[0]);

    let folder = std::env::temp_dir().join(format!("sealed-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("quiet.game.toml"), quiet_game(60)).unwrap();
    let run = |words: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_sealed"))
            .current_dir(&folder)
            .env_clear()
            .env("HOME", &folder)
            .args(words)
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let empty = seconds(21, || run(&["--version"]));
    let apply = seconds(21, || run(&["apply", "quiet.game.toml"]));
    println!("sealed apply on 60 orders / sealed --version, whole processes: {:.2}", apply / empty);
    println!("sealed apply on 60 orders: {:.1} ms", apply * 1000.0);
    std::fs::remove_dir_all(&folder).unwrap();
}
