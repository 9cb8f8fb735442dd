//! `sealed commitment`: does an opening match what was sealed?

use std::path::PathBuf;

use clap::Args;
use sealed_orders::document;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table};
use sealed_orders::fault::{Code, Fault};
use serde_json::json;

/// Check an opening against what was sealed.
///
/// The file is a small TOML: seat, ship, layer, colour, salt. Both digests are shown.
#[derive(Debug, Args)]
pub(crate) struct CommitmentArgs {
    /// The game file (may be left out), and the file with the opening.
    #[arg(value_name = "[GAME] FILE", required = true, num_args = 1..=2)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &CommitmentArgs) -> Result<Outcome, Failure> {
    let (game, file) = match args.files.as_slice() {
        [game, file] => (Some(game.as_path()), file),
        [file] => (None, file),
        _ => {
            return Err(Fault::new(Code::Unclear, "name one opening").into());
        }
    };
    let table = Table::open(&table::find(game)?)?;
    let text = table::read_text(file)?;
    let in_text = |fault| Failure::in_text(fault, &file.display().to_string(), &text);
    let opening = document::parse(&text).map_err(in_text)?;
    let placed = |fault: Fault| {
        let about = fault.path.clone().unwrap_or_default();
        in_text(fault.at(opening.nearest(&about).span.clone()))
    };
    let (seat, name, promise) = table.replay.counted().promise(&opening).map_err(placed)?;
    let slots = table.replay.commitments();
    let slot = slots.into_iter().find(|slot| slot.seat == seat && slot.name == name).ok_or_else(|| {
        let seat = table.header().seat(seat);
        Fault::new(Code::NoSuchThing, format!("{seat} has no commitment of a {name}"))
    })?;
    let opened = promise.commitment();
    let matches = opened == slot.commitment;
    let seat = table.header().seat(slot.seat);
    let verdict = if matches {
        "It matches: this is what was sealed."
    } else {
        "It does not match: this is not what was sealed."
    };
    let known = if slot.opened.is_some() {
        "it has been opened in the game"
    } else {
        "it is still sealed in the game"
    };
    let text = format!(
        "{seat}, {} ({known})\n  sealed was:  {}\n  this opens:  {opened}\n{verdict}\n",
        slot.name, slot.commitment
    );
    let json = json!({
        "seat": seat.as_str(), "slot": slot.name, "sealed": slot.commitment.to_string(),
        "opens": opened.to_string(), "matches": matches,
    });
    Ok(Outcome { text, json, refused: !matches })
}
