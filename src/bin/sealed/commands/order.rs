//! `sealed order`: gives an order.

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Script;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::Sitting;
use crate::world::World;

/// Give an order: move cruiser d4, final-battle, claim-draw, accept-draw, resign.
///
/// Before it is signed you see what it leads to, and are asked. An order that the rules do
/// not allow is never signed. The order is recorded in your game file, and the text to
/// mail is printed and written to out/.
#[derive(Debug, Args)]
pub(crate) struct OrderArgs {
    /// The order, in words; `sealed show` lists the legal ones.
    #[arg(value_name = "WORDS", required_unless_present = "again")]
    words: Vec<String>,
    /// Offer or accept a draw with it.
    #[arg(long)]
    draw: bool,
    /// Print your last order again, to be mailed once more.
    #[arg(long, conflicts_with_all = ["words", "draw"])]
    again: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(world: &World, args: &OrderArgs) -> Result<Outcome, Failure> {
    let sitting = Sitting::open(world, &args.signing)?;
    if args.again {
        return sitting.again();
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
