//! One flipped bit anywhere in a game file is noticed, or changes nothing.
//!
//! All eight bits of every byte of the smallest example, and of the others one bit of every
//! byte. Each changed file must be refused with a fault, or lead to a replay with the same
//! header, the same signed orders, the same heads: then the flip hit white space, check
//! digits, or the derived `[position]`, and a position that reads differently is reported.
//!
//! Most flips are judged on a short way, by parts of what a replay does: a file that cannot
//! be parsed, or whose one changed order is not genuine, needs no replay to be refused; one
//! that says the same but for `[position]` needs none to be accepted. Nor has a file to be
//! parsed whole if the changed entry alone still is one entry: its heading ends what stands
//! before it, and the next heading ends the entry. Everything else, and every 250th flip of
//! all, goes the whole way, and the ways must agree.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

mod example_games;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use example_games::{Example, all};
use sealed_orders::document::{self, Node, Table, Value};
use sealed_orders::fault::Checked;
use sealed_orders::ident::{Head, SignatureHalf};
use sealed_orders::log::{GameFile, Header, SignedOrder};
use sealed_orders::turn::{Replay, compare_position, position};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Refused,
    Harmless,
}

/// Everything that a flip must not change without being noticed.
#[derive(Debug, PartialEq, Eq)]
struct Values {
    header: Node,
    orders: Vec<(Vec<u8>, SignatureHalf, SignatureHalf)>,
    heads: Vec<Head>,
    position: Table,
}

impl Values {
    fn of(replay: &Replay) -> Self {
        let signed = |order: &sealed_orders::log::Verified| {
            (order.order().preimage(), order.signature().r, order.signature().s)
        };
        Self {
            header: replay.header().node().clone(),
            orders: replay.orders().map(signed).collect(),
            heads: replay.steps().iter().map(|step| step.head).collect(),
            position: position(replay),
        }
    }
}

/// A game file that was not changed.
struct Original {
    bytes: Vec<u8>,
    /// Where the entries begin, and the end of the file.
    entries: Vec<usize>,
    /// The whole document but for `[position]`.
    rest: Table,
    position: Node,
    replay: Replay,
    values: Values,
}

/// Takes `[position]` out of a document.
fn without_position(text: &str) -> Checked<(Table, Option<Node>)> {
    let Value::Table(mut table) = document::parse(text)?.value else {
        panic!("a document is always a table");
    };
    let position = table.take("position").map(|entry| entry.node);
    Ok((table, position))
}

impl Original {
    fn of(example: &Example) -> Self {
        let text = example.game_text();
        let (rest, position) = without_position(&text).unwrap();
        let replay = Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap();
        let mut entries: Vec<usize> = text.match_indices("[[order]]\n").map(|(at, _)| at).collect();
        assert_eq!(entries.len(), list(&rest).len());
        entries.push(text.len());
        Self {
            bytes: text.into_bytes(),
            entries,
            rest,
            position: position.unwrap(),
            values: Values::of(&replay),
            replay,
        }
    }

    /// What a position amounts to, beside orders that have not changed.
    fn judge_position(&self, replay: &Replay, written: Option<&Node>) -> Verdict {
        let written = written.expect("[position] has vanished, and nothing was said");
        match compare_position(replay, written) {
            Err(_) => Verdict::Refused,
            Ok(differences) => {
                assert_eq!(
                    differences.is_empty(),
                    *written == self.position,
                    "a position that reads differently is not reported"
                );
                Verdict::Harmless
            }
        }
    }

    /// Everything that `sealed verify` does.
    fn whole_way(&self, bytes: &[u8]) -> Verdict {
        let replayed = document::utf8(bytes).and_then(GameFile::parse).and_then(|file| {
            let replay = Replay::of_file(&file)?;
            Ok((file, replay))
        });
        let Ok((file, replay)) = replayed else { return Verdict::Refused };
        assert_eq!(Values::of(&replay), self.values, "a value has changed, and the file was accepted");
        self.judge_position(&replay, file.position.as_ref())
    }

    /// The entry that a changed byte stands in, before and after, if it still is one entry.
    fn entry(&self, bytes: &[u8], place: usize) -> Option<(&Node, Node)> {
        let number = self.entries.partition_point(|start| *start <= place).checked_sub(1)?;
        let text = document::utf8(&bytes[self.entries[number]..*self.entries.get(number + 1)?]).ok()?;
        let (mut table, position) = without_position(text).ok()?;
        let entry = table.take("order")?;
        let (Value::List(mut one), true) = (entry.node.value, table.entries.is_empty()) else { return None };
        (one.len() == 1 && position.is_none()).then_some((&list(&self.rest)[number], one.pop()?))
    }

    /// The verdict where a part of the whole way is enough to know it.
    fn short_way(&self, bytes: &[u8], place: usize) -> Option<Verdict> {
        if let Some((before, after)) = self.entry(bytes, place) {
            if *before == after {
                return Some(Verdict::Harmless);
            }
            let verified = SignedOrder::read(&after).and_then(|signed| signed.verify(self.replay.header()));
            return verified.is_err().then_some(Verdict::Refused);
        }
        let Ok(text) = document::utf8(bytes) else { return Some(Verdict::Refused) };
        let Ok((rest, written)) = without_position(text) else { return Some(Verdict::Refused) };
        if rest == self.rest {
            return Some(self.judge_position(&self.replay, written.as_ref()));
        }
        let header = self.replay.header();
        let (before, after) = (list(&self.rest), list(&rest));
        let refused = if rest.get("game") == self.rest.get("game") {
            // An order that is not genuine in this game is refused, whatever stands before it.
            let changed = after.iter().zip(before).find(|(after, before)| after != before)?.0;
            SignedOrder::read(changed).and_then(|signed| signed.verify(header)).is_err()
        } else {
            // Another header is another game, to which the orders do not belong.
            let signed = SignedOrder::read(after.first()?).ok()?;
            Header::read(rest.get("game")?).and_then(|header| signed.verify(&header)).is_err()
        };
        refused.then_some(Verdict::Refused)
    }
}

/// The orders of a document.
fn list(table: &Table) -> &[Node] {
    match table.get("order").map(|node| &node.value) {
        Some(Value::List(list)) => list,
        _ => &[],
    }
}

/// A bit for every byte that looks random and is always the same (the mixer of splitmix64).
fn seeded_bit(place: usize) -> usize {
    let mut mixed = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    usize::try_from(mixed >> 61).unwrap()
}

/// Flips the bits of a file; how many flips were refused and how many harmless.
fn flip_all(example: &Example, bits: impl Fn(usize) -> Vec<usize> + Sync) -> (usize, usize) {
    let began = Instant::now();
    let original = Original::of(example);
    assert_eq!(original.whole_way(&original.bytes), Verdict::Harmless);
    assert_eq!(original.short_way(&original.bytes, 0), Some(Verdict::Harmless));
    let next = AtomicUsize::new(0);
    let counts = [const { AtomicUsize::new(0) }; 4];
    let [refused, harmless, whole, short] = &counts;
    let work = || {
        let mut bytes = original.bytes.clone();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= bytes.len() {
                break;
            }
            for bit in bits(place) {
                bytes[place] ^= 1 << bit;
                let verdict = catch_unwind(AssertUnwindSafe(|| {
                    let quick = original.short_way(&bytes, place);
                    if let Some(verdict) = quick
                        && !(place * 8 + bit).is_multiple_of(250)
                    {
                        short.fetch_add(1, Ordering::Relaxed);
                        return verdict;
                    }
                    whole.fetch_add(1, Ordering::Relaxed);
                    let verdict = original.whole_way(&bytes);
                    assert!(quick.is_none_or(|quick| quick == verdict), "the short way says {quick:?}");
                    verdict
                }));
                bytes[place] ^= 1 << bit;
                let verdict = verdict
                    .unwrap_or_else(|_| panic!("{}: bit {bit} of byte {place}, see above", example.folder));
                let count = if verdict == Verdict::Refused { refused } else { harmless };
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let [refused, harmless, whole, short] = counts.map(AtomicUsize::into_inner);
    println!(
        "{}: {} flips, {refused} refused, {harmless} harmless ({whole} the whole way, {short} the short one; {} bytes, {:.1} s)",
        example.folder,
        refused + harmless,
        original.bytes.len(),
        began.elapsed().as_secs_f64()
    );
    (refused, harmless)
}

#[test]
fn every_bit_of_the_smallest_example() {
    let smallest = &all()[0];
    let (refused, harmless) = flip_all(smallest, |_| (0..8).collect());
    assert_eq!(refused + harmless, 8 * smallest.game_text().len());
    // Most of a game file is hashed or signed.
    assert!(harmless > 0 && harmless < refused / 10);
}

#[test]
fn one_bit_of_every_byte_of_the_others() {
    for example in &all()[1..] {
        let (refused, harmless) = flip_all(example, |place| vec![seeded_bit(place)]);
        assert_eq!(refused + harmless, example.game_text().len());
        assert!(harmless > 0 && harmless < refused / 10);
    }
}
