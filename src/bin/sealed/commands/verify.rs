//! `sealed verify`: replays everything and says what was checked.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use sealed_orders::log::{Entry, GameFile, Verified};
use sealed_orders::turn::{Replay, compare_position};
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table;

/// Replay a whole game and say what was checked.
///
/// Every signature, every opening, every die, every rule, every link of the chain. A
/// position that differs from what the orders lead to is shown as a diff.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The game file.
    game: Option<PathBuf>,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let path = table::find(args.game.as_deref())?;
    let name = path.display().to_string();
    let text = table::read_text(&path)?;
    let in_text = |fault| Failure::in_text(fault, &name, &text);
    let file = GameFile::parse(&text).map_err(in_text)?;
    let replay = Replay::of_file(&file).map_err(in_text)?;
    let differences = match &file.position {
        Some(written) => compare_position(&replay, written).map_err(in_text)?,
        None => Vec::new(),
    };
    let counted = replay.counted();
    let slots = replay.commitments();
    let opened = slots.iter().filter(|slot| slot.opened.is_some()).count();
    let sealed = slots.len() - opened;
    let signatures = genuine_orders(&replay).count();
    let judged = replay.entries().count();
    let rolls = replay.rolls().count();
    let rules = rules_applied(&replay);
    let mut out = format!("{name}: good.\n");
    let _ = writeln!(out, "  signatures verified:    {signatures}");
    let _ = writeln!(out, "  commitments opened:     {opened}, each as it was sealed");
    let _ =
        writeln!(out, "  commitments not opened: {sealed}, the last share of each seat's dice among them");
    let _ = writeln!(out, "  dice rolled again:      {rolls}");
    let _ = writeln!(out, "  steps closed:           {}", replay.step());
    let _ = writeln!(out, "  entries judged legal:   {judged}, by {}", replay.header().rules());
    let _ = writeln!(out, "  kinds of events:        {}", rules.join(", "));
    let _ = writeln!(out, "  head:                   {}", replay.head());
    let _ = writeln!(out, "  by eye:                 {}", replay.head().by_eye());
    if let Some(ending) = replay.ending() {
        let _ = writeln!(out, "  result:                 {}", ending.told(replay.header()));
    }
    if file.position.is_none() {
        out.push_str("The file has no [position]; `sealed apply` writes one.\n");
    }
    if !differences.is_empty() {
        out.push_str("The [position] differs from what the orders lead to; `sealed apply` mends it:\n");
        for difference in &differences {
            for line in difference.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    out.push_str("That entries were cut off at the end cannot be seen in one file alone: compare\nheads with the others.\n");
    let json = json!({
        "file": name, "valid": true, "game": replay.header().id().to_string(), "head": replay.head().to_string(),
        "heads": std::iter::once(replay.header().id().to_string())
            .chain(replay.steps().iter().map(|step| step.head.to_string())).collect::<Vec<_>>(),
        "steps": replay.step(), "signatures": signatures, "opened": opened, "sealed": sealed,
        "rolls": replay.rolls().map(|(step, rolled)| json!({
            "step": step, "label": rolled.roll.label, "sides": rolled.roll.sides, "value": rolled.value,
        })).collect::<Vec<_>>(),
        "phase": counted.phase().as_str(),
        "result": counted.ending().map(|ending| crate::output::to_json(&ending.table(replay.header()).into())),
        "differences": differences.iter().map(|difference| json!({
            "key": difference.key, "written": difference.written, "replayed": difference.replayed,
        })).collect::<Vec<_>>(),
    });
    Ok(Outcome::new(out, json))
}

/// The kinds of things that happened, so that a reader sees what the game exercised.
fn rules_applied(replay: &Replay) -> Vec<&'static str> {
    let kinds: BTreeSet<&'static str> =
        replay.steps().iter().flat_map(|step| &step.events).map(|event| event.kind).collect();
    kinds.into_iter().collect()
}

/// Every order whose signature was verified, those inside proofs with the others.
fn genuine_orders(replay: &Replay) -> impl Iterator<Item = &Verified> {
    replay.entries().flat_map(|entry| match entry {
        Entry::Order(order) => vec![order],
        Entry::Proof(proof) => proof.orders().collect(),
    })
}
