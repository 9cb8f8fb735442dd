//! `sealed preimage`: the exact bytes behind a digest.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use sealed_orders::crypto::hash;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::ident::to_hex;
use sealed_orders::log::{Entry, Verified, step_preimage};
use sealed_orders::turn::Replay;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table};

/// Print the exact bytes behind any digest of a game, for sha256sum and openssl.
///
/// The digest is given by its first digits: of the game id, a head, an order, a
/// commitment that has been opened, or the key of a die. No line end is added.
#[derive(Debug, Args)]
pub(crate) struct PreimageArgs {
    /// The game file (may be left out), and the first digits of the digest, eight or more.
    #[arg(value_name = "[GAME] DIGITS", required_unless_present = "list", num_args = 1..=2)]
    words: Vec<String>,
    /// List every digest of the game with what it is of.
    #[arg(long)]
    list: bool,
}

/// Everything that is hashed in a game, with what it is.
fn preimages(replay: &Replay) -> Vec<(String, Vec<u8>)> {
    let header = replay.header();
    let mut all = vec![("game".to_owned(), header.preimage())];
    for entry in replay.entries() {
        let (orders, proof): (Vec<&Verified>, _) = match entry {
            Entry::Order(order) => (vec![order], ""),
            Entry::Proof(proof) => (proof.orders().collect(), ", in a proof"),
        };
        for said in orders.into_iter().map(Verified::order) {
            let what = format!("order of {} in step {} [{}]{proof}", said.seat, said.step, said.action);
            all.push((what, said.preimage()));
        }
    }
    for step in replay.steps() {
        let digests: Vec<_> = step.orders.iter().flat_map(|legal| legal.entry().digests()).collect();
        all.push((format!("head after step {}", step.number), step_preimage(&step.after, &digests)));
    }
    for slot in replay.commitments() {
        if let Some(preimage) = slot.opened {
            all.push((format!("commitment of {}: {}", header.seat(slot.seat), slot.name), preimage));
        }
    }
    for (step, rolled) in replay.rolls() {
        all.push((
            format!("die \"{}\" of step {step}", rolled.roll.label),
            rolled.roll.preimage(&header.id()),
        ));
    }
    all
}

pub(crate) fn run(args: &PreimageArgs) -> Result<Outcome, Failure> {
    let (game, digits) = match args.words.as_slice() {
        [game, digits] => (Some(PathBuf::from(game)), digits.as_str()),
        [word] if args.list => (Some(PathBuf::from(word)), ""),
        [] if args.list => (None, ""),
        [digits] => (None, digits.as_str()),
        _ => return Err(Fault::new(Code::Unclear, "name the first digits of one digest").into()),
    };
    let table = Table::open(&table::find(game.as_deref())?)?;
    let all = preimages(&table.replay);
    if args.list {
        let mut text = String::new();
        for (what, bytes) in &all {
            let _ = writeln!(text, "{}  {what}", to_hex(&hash(bytes)));
        }
        let list: Vec<_> =
            all.iter().map(|(what, bytes)| json!({ "digest": to_hex(&hash(bytes)), "of": what })).collect();
        return Ok(Outcome::new(text, json!({ "digests": list })));
    }
    if digits.len() < 8 || !digits.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(Fault::new(Code::Unclear, format!("{digits:?} is not the beginning of a digest"))
            .help("give eight or more of its lowercase hex digits")
            .into());
    }
    let mut found: Vec<_> =
        all.iter().filter(|(_, bytes)| to_hex(&hash(bytes)).starts_with(digits)).collect();
    found.dedup_by(|a, b| a.1 == b.1);
    match found.as_slice() {
        [(what, bytes)] => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let json = json!({ "digest": to_hex(&hash(bytes)), "of": what, "preimage": text });
            Ok(Outcome::new(text, json))
        }
        [] => Err(Fault::new(Code::NoSuchThing, format!("nothing in this game has a digest that begins with {digits}"))
            .help("a commitment has known bytes only once it is opened; `sealed preimage --list GAME` lists all digests")
            .into()),
        _ => Err(Fault::new(Code::Unclear, format!("several digests begin with {digits}")).help("give more digits").into()),
    }
}
