//! `sealed order`: gives an order.

use std::path::PathBuf;

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Script;

use crate::args::SigningArgs;
use crate::commands::attempt::Written;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::Sitting;
use crate::world::World;

/// Give an order, like: move cruiser d4; or: 333a h4, 333a fires 011b; or: resign.
///
/// Before it is signed you see what it leads to, and are asked. An order that the rules do
/// not allow is never signed. The order is recorded in your game file, and the text to
/// mail is printed and written to out/.
#[derive(Debug, Args)]
pub(crate) struct OrderArgs {
    /// The order, in words; `sealed show` lists the legal ones.
    ///
    /// A round of many ships takes a line a ship; on the command line commas end lines.
    #[arg(value_name = "WORDS", required_unless_present_any = ["again", "file"])]
    words: Vec<String>,
    /// Give the order that this file holds, a line a ship (- for standard input); see `sealed try`.
    #[arg(short, long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,
    /// Offer or accept a draw with it.
    #[arg(long)]
    draw: bool,
    /// Print your last order again, to be mailed once more.
    #[arg(long, conflicts_with_all = ["words", "file", "draw"])]
    again: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(world: &World, args: &OrderArgs) -> Result<Outcome, Failure> {
    let sitting = Sitting::open(world, &args.signing)?;
    if args.again {
        return sitting.again();
    }
    if let Some(path) = &args.file {
        let written = Written::read(path)?;
        let weighed = sitting.state().weigh(sitting.keyholder(), &written.script);
        if !weighed.faults.is_empty() {
            return Ok(written.looked_at(sitting.table.header(), &weighed));
        }
        let preview = written.looked_at(sitting.table.header(), &weighed).text;
        let composed = sitting
            .state()
            .compose(sitting.keyholder(), &written.script)
            .map_err(|fault| Failure::in_text(fault, &written.name, &written.text))?;
        return sitting.sign_after(composed, args.draw, &preview);
    }
    // "sealed order move cruiser d4" and "sealed order 'move cruiser d4'" are the same.
    let words: Vec<String> =
        args.words.iter().flat_map(|word| word.split_whitespace()).map(str::to_owned).collect();
    if words.is_empty() {
        return Err(Fault::new(Code::Unclear, "no order was given")
            .help("for example: sealed order move cruiser d4")
            .into());
    }
    let composed = sitting.state().compose(sitting.keyholder(), &Script::from(words.as_slice()))?;
    sitting.sign(composed, args.draw)
}
