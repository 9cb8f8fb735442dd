//! Speed as ratios, measured in one run: what verifying a game costs beside the signature
//! checks that it cannot do without.
//!
//! `cargo bench` prints:
//! - verify of a game of 1,000 orders against its bare `verify_strict` calls, on one thread
//!   each (goal: at most 1.3);
//! - the time an order takes in games of 100, 1,000 and 10,000 orders (goal: the same);
//! - the whole process `sealed apply` on a game of 60 orders, against an empty process;
//! - a round of fifteen ships against fifteen, and a game of a hundred turns of them, against
//!   their signature checks.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a bench may stop where a test would"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use sealed_orders::crypto::{Identity, SoundKey, verify};
use sealed_orders::document::{Node, parse};
use sealed_orders::games::{self, Composed, Game, Keyholder, Phase, Script, State};
use sealed_orders::ident::{Fresh, GameNonce, Head, Time};
use sealed_orders::log::{
    Draft, Entry, GameFile, Header, Player, SignedEntry, Verified, close_step, write_game_file,
};
use sealed_orders::turn::{Replay, position};
use zeroize::Zeroizing;

/// A game as it is being played: every step that closed, and where it stands.
struct Table {
    header: Arc<Header>,
    identities: [Identity; 2],
    kept: [Option<Node>; 2],
    state: Box<dyn State>,
    head: Head,
    step: u64,
    log: Vec<Entry>,
    /// Each state before its step closed, with the step's orders, where they are wanted.
    past: Vec<(Box<dyn State>, Vec<Verified>)>,
}

/// What a player decides.
type Decide = fn(&dyn State, Keyholder<'_>, u64) -> Composed;

impl Table {
    fn new(game: &dyn Game) -> Self {
        let identities = [1_u8, 2].map(|seed| Identity::from_seed(&Zeroizing::new([seed; 32])));
        let players = identities.iter().zip(["red", "blue"]).map(|(identity, seat)| Player {
            seat: seat.parse().unwrap(),
            name: seat.to_owned(),
            mail: format!("{seat}@example.org"),
            key: identity.public(),
        });
        let time = Time::from_unix_seconds(1_796_025_600).unwrap();
        let options = game.options(2, &std::collections::BTreeMap::new()).unwrap();
        let nonce = GameNonce::new([7; 32]);
        let header =
            Header::new(game.rules(), "quiet", time, nonce, options, players.collect(), None).unwrap();
        let header = Arc::new(header);
        let (state, head) = (game.begin(&header).unwrap(), Head::first(header.id()));
        Self {
            header,
            identities,
            kept: [None, None],
            state,
            head,
            step: 0,
            log: Vec::new(),
            past: Vec::new(),
        }
    }

    /// Plays one step.
    fn play(&mut self, decide: Decide) {
        let mut closing = Vec::new();
        for seat in self.state.awaited() {
            let by = Keyholder {
                seat,
                identity: &self.identities[seat.place()],
                kept: self.kept[seat.place()].as_ref(),
            };
            let composed = match self.state.phase() {
                Phase::Move | Phase::Round | Phase::Seal => decide(&*self.state, by, self.step),
                _ => self.state.respond(by).unwrap(),
            };
            let draft = Draft {
                game: self.header.id(),
                after: self.head,
                step: self.step,
                seat: self.header.seat(seat).clone(),
                time: self.header.created(),
                press: None,
                draw: false,
                action: composed.action.to_owned(),
                details: composed.details,
            };
            let verified = draft.sign(by.identity).unwrap().verify(&self.header).unwrap();
            if composed.kept.is_some() {
                self.kept[seat.place()] = composed.kept;
            }
            closing.push(self.state.judge(&verified).unwrap());
        }
        let orders: Vec<Verified> = closing.iter().map(|legal| legal.order().unwrap().clone()).collect();
        let digests: Vec<_> = orders.iter().map(Verified::digest).collect();
        let next = self.state.close(&closing).unwrap().state;
        self.past.push((std::mem::replace(&mut self.state, next), orders.clone()));
        self.log.extend(orders.into_iter().map(Entry::from));
        self.head = close_step(&self.head, &digests);
        self.step += 1;
    }

    /// The game as a file.
    fn text(&self) -> String {
        let empty = Node::from(sealed_orders::document::Table::default());
        let text = write_game_file(&self.header, &empty, &self.log);
        let replay = Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap();
        write_game_file(&self.header, &Node::from(position(&replay)), &self.log)
    }
}

fn seal(state: &dyn State, by: Keyholder<'_>) -> Composed {
    let fleet = state.random_fleet(by.seat, &[9; 32]).unwrap();
    state.seal(by, &fleet, Fresh::new([3; 16])).unwrap()
}

/// Nobody ever attacks: a ship goes back and forth far from the enemy, the first quiet move
/// but one in turn.
fn quietly(state: &dyn State, by: Keyholder<'_>, step: u64) -> Composed {
    if state.phase() == Phase::Seal {
        return seal(state, by);
    }
    let quiet: Vec<_> = state.suggestions(by.seat).into_iter().filter(|s| s.remark.is_empty()).collect();
    let words = &quiet.get(usize::from(step.is_multiple_of(3)).min(quiet.len() - 1)).unwrap().words;
    state.compose(by, &Script::from(words.as_slice())).unwrap()
}

/// A game of so many orders in which nobody ever attacks.
fn quiet_game(orders: usize) -> String {
    let mut table = Table::new(*games::all().first().unwrap());
    while table.log.len() < orders {
        table.play(quietly);
    }
    table.text()
}

/// A round of fifteen ships, each its own piece; with `fires` as it is drawn, else without its shots.
fn swarm(state: &dyn State, by: Keyholder<'_>, step: u64, fires: bool) -> Composed {
    if state.phase() == Phase::Seal {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/fleets/swarm.fleet.toml");
        let fleet = parse(&std::fs::read_to_string(path).unwrap()).unwrap();
        return state.seal(by, &fleet, Fresh::new([3; 16])).unwrap();
    }
    let entropy = [u8::try_from(step % 251).unwrap(); 32];
    let drawn = state.sample(by.seat, &entropy).unwrap();
    let lines = drawn.lines().iter().filter(|line| fires || !line.words.iter().any(|word| word == "fires"));
    let mut text: Vec<String> = lines.map(|line| line.words.join(" ")).collect();
    if text.is_empty() {
        text.push("hold".to_owned());
    }
    state.compose(by, &Script::read(&text.join("\n"))).unwrap()
}

fn swarm_moves(state: &dyn State, by: Keyholder<'_>, step: u64) -> Composed {
    swarm(state, by, step, false)
}

fn swarm_fights(state: &dyn State, by: Keyholder<'_>, step: u64) -> Composed {
    swarm(state, by, step, true)
}

/// The signature checks that a game file cannot do without.
fn signature_checks(file: &GameFile) -> impl Fn() + use<> {
    let signed: Vec<(SoundKey, Vec<u8>, sealed_orders::crypto::Signature)> = file
        .entries
        .iter()
        .filter_map(|entry| match entry {
            SignedEntry::Order(signed) => Some(signed),
            SignedEntry::Proof(_) => None,
        })
        .map(|signed| {
            let order = signed.order();
            (file.header.key(&order.seat).unwrap().clone(), order.preimage(), *signed.signature())
        })
        .collect();
    move || assert!(signed.iter().all(|(key, bytes, signature)| verify(key, black_box(bytes), signature)))
}

/// How many times as long one thing takes as another; each against its neighbour in time, so
/// that a change of the machine's speed cancels out.
fn ratio(times: usize, mut one: impl FnMut(), mut other: impl FnMut()) -> f64 {
    let mut ratios: Vec<f64> = (0..times)
        .map(|_| {
            let other = seconds(1, &mut other);
            seconds(1, &mut one) / other
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Fifteen ships against fifteen: a round and its roll; a game of a hundred turns.
fn rounds() {
    let game = *games::all().iter().find(|game| game.actions().contains(&"round")).unwrap();
    let mut table = Table::new(game);
    // Until the fleets have met; all ships are still there, or nearly all.
    while table.step < 14 && table.state.phase() != Phase::Over {
        table.play(swarm_fights);
    }
    // The longest round that a roll answers.
    let weight = |place: &usize| match &table.past[*place..*place + 2] {
        [(round, orders), (roll, _)] if (round.phase(), roll.phase()) == (Phase::Round, Phase::Roll) => {
            orders[0].order().preimage().len()
        }
        _ => 0,
    };
    let place = (0..table.past.len() - 1).max_by_key(weight).unwrap();
    let (before, round) = &table.past[place];
    let (_, roll) = &table.past[place + 1];
    let play = || {
        let mut state = before.copy();
        for order in [round, roll] {
            let legal = state.judge(black_box(&order[0])).unwrap();
            state = state.close(&[legal]).unwrap().state;
        }
        black_box(state);
    };
    let file = GameFile::parse(&table.text()).unwrap();
    let all = signature_checks(&file);
    let of_two = ratio(31, play, &all) * file.entries.len() as f64 / 2.0;
    println!(
        "a round of 15 ships with its roll, judged and resolved / its two signature checks: {of_two:.2}"
    );

    let mut table = Table::new(game);
    while table.past.iter().filter(|(state, _)| state.phase() == Phase::Roll).count() < 100 {
        table.play(swarm_moves);
    }
    let text = table.text();
    let checks = signature_checks(&GameFile::parse(&text).unwrap());
    println!(
        "replay of 100 turns of 15 ships against 15 ({} orders) / its signature checks: {:.2}",
        table.log.len(),
        ratio(15, || replay(&text), checks)
    );
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
    println!(
        "verify of {} orders / its bare verify_strict calls: {:.2}",
        file.entries.len(),
        ratio(15, || replay(&thousand), signature_checks(&file))
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
    rounds();
}
