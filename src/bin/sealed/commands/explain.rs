//! `sealed explain`: one step, or one order, for somebody who does not know the game.

use std::path::{Path, PathBuf};

use clap::Args;
use sealed_orders::explain::{Asked, explain_order, explain_step, find_step, order_text, step_text};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::log::Entry;
use sealed_orders::report::{WIDTH, wrap};
use sealed_orders::turn::{Verdict, adjudicate};
use serde_json::json;

use super::apply::{Found, read_input};
use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, GAME_ENDING, Table};

/// Explain one step, or why an order is refused: for a referee who never saw the game.
///
/// A step is told with the rules in their own words, where each value comes from, and the
/// commands of sha256sum and openssl that check it. An order is told with how far it comes,
/// why it is not taken, and what would be legal there. Nothing is written.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The game file (may be left out), and the step: the number of a closed step, or the
    /// first digits of the head that it made. Without it, the last one.
    #[arg(value_name = "[GAME] [STEP]", num_args = 0..=2)]
    words: Vec<String>,
    /// Explain an order file or a text with order blocks instead; - for standard input.
    #[arg(long, value_name = "FILE")]
    order: Option<PathBuf>,
}

/// The game and the step that are meant: a single word is a game if it looks like one.
fn meant(words: &[String]) -> (Option<&Path>, Option<&str>) {
    match words {
        [] => (None, None),
        [game, step, ..] => (Some(Path::new(game)), Some(step)),
        [one] if one.ends_with(GAME_ENDING) || Path::new(one).is_file() => (Some(Path::new(one)), None),
        [one] => (None, Some(one)),
    }
}

pub(crate) fn run(args: &ExplainArgs) -> Result<Outcome, Failure> {
    let (game, step) = meant(&args.words);
    if let (Some(_), Some(step)) = (&args.order, step) {
        let why = format!("an order says itself which step it is for; {step:?} is one word too many");
        return Err(Fault::new(Code::Unclear, why).into());
    }
    let path = table::find(game)?;
    let table = Table::open(&path)?;
    match &args.order {
        Some(file) => orders(&table, file),
        None => one_step(&table, &path, step),
    }
}

fn one_step(table: &Table, path: &Path, word: Option<&str>) -> Result<Outcome, Failure> {
    let replay = &table.replay;
    let step = find_step(replay, word)?;
    let facts = explain_step(replay, step, &path.display().to_string())?;
    let mut text = step_text(&facts);
    if word.is_none() {
        let last = replay.step().saturating_sub(1);
        let more = format!(
            "This is the last step that closed. For another one add its number (0 to {last}), or the first digits of the head that it made."
        );
        text.push('\n');
        for line in wrap(&more, WIDTH, "") {
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok(Outcome::new(text, json!(facts)))
}

fn orders(table: &Table, file: &Path) -> Result<Outcome, Failure> {
    let mut found: Vec<Found> = Vec::new();
    if let Err(failure) = read_input(file, table.header(), &mut found) {
        // What cannot be read at all is no order that could be explained.
        if failure.exit_code() == 3 {
            return Err(failure);
        }
        found.push(Found::unread(file, failure));
    }
    // As apply sees them: with those that wait beside the game.
    let in_file = table.entries();
    let genuine = found.iter().filter_map(|found| found.entry.as_ref().ok().cloned());
    let new: Vec<Entry> = genuine.chain(table.waiting()).collect();
    let adjudication = adjudicate(table.header(), &in_file, &new)?;
    let chains = [&table.replay, &adjudication.replay];
    let mut verdicts = adjudication.verdicts.iter();
    let mut looked = Vec::new();
    for found in &found {
        let (entry, verdict) = match &found.entry {
            Ok(entry) => (Ok(entry), verdicts.next()),
            Err(failure) => (Err(&*failure.fault), None),
        };
        // Of another's whole game file only what is new deserves a page.
        if found.of_a_copy && verdict == Some(&Verdict::Known) {
            continue;
        }
        let own = found.entry.as_ref().err().and_then(|failure| failure.source.as_ref());
        let source = found.source.as_deref().or(own);
        let asked = Asked {
            from: &found.from,
            text: source.map_or("", |source| source.text.as_str()),
            entry,
            claimed: found.claimed.as_ref(),
            verdict,
        };
        looked.push(explain_order(&chains, &asked)?);
    }
    let mut text: Vec<String> = looked.iter().map(order_text).collect();
    if text.is_empty() {
        text.push("Every order of this copy is part of the game already.\n".to_owned());
    }
    let mut outcome = Outcome::new(text.join("\n"), json!({ "orders": looked }));
    outcome.refused = looked.iter().any(|order| order.verdict == "refused");
    Ok(outcome)
}
