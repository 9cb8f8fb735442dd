//! `sealed proof`: checks a proof that a seat signed two orders, and enters it into a game.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use sealed_orders::fault::Fault;
use sealed_orders::log::{ProofFile, Proven};
use sealed_orders::report::{WIDTH, wrap};
use sealed_orders::turn::check_proof_file;
use serde_json::{Value, json};

use super::apply::{self, ApplyArgs};
use crate::failure::Failure;
use crate::output::Outcome;
use crate::table;
use crate::world::World;

/// Check or enter a proof that a seat signed two orders that contradict each other.
///
/// `sealed dispute FILES --proof FILE` writes one. It proves itself: nobody signs it.
#[derive(Debug, Args)]
pub(crate) struct ProofArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check a proof file alone, without any game file.
    Check {
        /// The proof file.
        file: PathBuf,
    },
    /// Enter a proof into a game: the seat is out, the others play on from the right head.
    Enter {
        /// The proof file.
        file: PathBuf,
        /// The game file, where the folder holds more than one.
        #[arg(short, long, value_name = "GAME")]
        game: Option<PathBuf>,
    },
}

pub(crate) fn run(world: &World, args: &ProofArgs) -> Result<Outcome, Failure> {
    match &args.what {
        What::Check { file } => check(file),
        What::Enter { file, game } => {
            checked(file)?;
            let game = match game {
                Some(game) => game.clone(),
                None => table::find(None)?,
            };
            apply::run(world, &ApplyArgs::of_files(game, vec![file.clone()]))
        }
    }
}

fn checked(path: &Path) -> Result<(ProofFile, Proven), Failure> {
    let text = table::read_text(path)?;
    let name = path.display().to_string();
    let in_text = |fault: Fault| Failure::in_text(fault, &name, &text);
    let file = ProofFile::parse(&text).map_err(in_text)?;
    let proof = check_proof_file(&file).map_err(in_text)?;
    Ok((file, proof))
}

fn check(path: &Path) -> Result<Outcome, Failure> {
    let (file, proof) = checked(path)?;
    let header = &file.header;
    let seat = proof.seat();
    let mut text = format!("{}: good.\n", path.display());
    let mut say = |sentence: String| {
        for line in wrap(&sentence, WIDTH - 2, "") {
            let _ = writeln!(text, "  {line}");
        }
    };
    say(format!("Game: {} ({})", header.name(), header.id()));
    say(format!("In step {} {seat} signed two orders that contradict each other:", proof.fork_step()));
    for order in proof.pair() {
        say(format!("[{}] for step {}, digest {}", order.order().action, order.order().step, order.digest()));
    }
    if let Some(claim) = proof.claim() {
        say(format!(
            "Between them lies the claim of {}, digest {}: the second order accepts that it closed the step.",
            claim.order().seat,
            claim.digest()
        ));
    }
    say("Both are signed with its key, both were legal there, and only one could be given.".to_owned());
    let _ = writeln!(text, "To enter it into a copy of the game:\n  sealed proof enter {}", path.display());
    let json = json!({
        "good": true, "game": header.id().to_string(), "seat": seat.as_str(),
        "step": proof.fork_step(), "head": proof.fork().to_string(),
        "orders": proof.pair().iter().map(|order| json!({
            "digest": order.digest().to_string(), "step": order.order().step, "action": order.order().action,
        })).collect::<Vec<Value>>(),
        "claim": proof.claim().map(|claim| claim.digest().to_string()),
    });
    Ok(Outcome::new(text, json))
}
