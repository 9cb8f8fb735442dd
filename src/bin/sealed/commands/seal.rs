//! `sealed seal`: seals a fleet.

use std::path::PathBuf;

use clap::Args;
use sealed_orders::document::{self, toml_text};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::ident::Fresh;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::Sitting;
use crate::table::read_text;
use crate::world::World;

/// Seal your fleet, for the whole game.
///
/// A fleet file names square, primary, secondary and tertiary of each ship; the example
/// folder has one. Nothing of the fleet leaves your computer but a commitment. Your
/// identity is all that is needed to open it later: no other file need be kept.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["fleet", "random"]))]
pub(crate) struct SealArgs {
    /// Seal the fleet of this file.
    #[arg(long, value_name = "FLEET")]
    fleet: Option<PathBuf>,
    /// Seal a fleet drawn at random.
    #[arg(long)]
    random: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(world: &World, args: &SealArgs) -> Result<Outcome, Failure> {
    let sitting = Sitting::open(world, &args.signing)?;
    let state = sitting.state();
    let before = sitting.signed_already()?.filter(|signed| signed.order().action == "seal");
    // A fleet that was sealed before is sealed with the same randomness again, so that it
    // can be seen whether it is the same.
    let fresh = match &before {
        None => Fresh::new(*World::entropy()?),
        Some(signed) => signed
            .order()
            .details()
            .nearest("fresh")
            .as_text()
            .and_then(|fresh| fresh.parse().ok())
            .ok_or_else(|| Fault::new(Code::Internal, "a seal without its randomness"))?,
    };
    let composed = match &args.fleet {
        Some(path) => {
            let text = read_text(path)?;
            let in_text = |fault| Failure::in_text(fault, &path.display().to_string(), &text);
            let node = document::parse(&text).map_err(in_text)?;
            state.seal(sitting.keyholder(), &node, fresh).map_err(in_text)?
        }
        None if before.is_some() => return sitting.again(),
        None => {
            let fleet = state.random_fleet(sitting.seat, &*World::entropy()?)?;
            let mut composed = state.seal(sitting.keyholder(), &fleet, fresh)?;
            if composed.private.is_empty() {
                let drawn = fleet.as_table().map(|table| toml_text(table, "")).unwrap_or_default();
                let lines = drawn.lines().filter(|line| !line.is_empty()).map(|line| format!("  {line}"));
                composed.private.extend(lines);
            }
            composed
        }
    };
    sitting.sign(composed, false)
}
