//! `sealed respond` and `sealed deploy`: what is awaited and needs no decision.

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Phase;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::Sitting;
use crate::world::World;

/// Answer what is awaited from you and needs no decision.
///
/// That is: opening your fleet, defending, opening what is still sealed after the end.
/// Everything that has to be opened is added for you.
#[derive(Debug, Args)]
pub(crate) struct RespondArgs {
    /// Offer or accept a draw, where that goes with the answer.
    #[arg(long)]
    draw: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

/// Open your fleet, once all are sealed.
#[derive(Debug, Args)]
pub(crate) struct DeployArgs {
    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(world: &World, args: &RespondArgs) -> Result<Outcome, Failure> {
    let sitting = Sitting::open(world, &args.signing)?;
    let composed = sitting.state().respond(sitting.keyholder())?;
    sitting.sign(composed, args.draw)
}

pub(crate) fn deploy(world: &World, args: &DeployArgs) -> Result<Outcome, Failure> {
    let sitting = Sitting::open(world, &args.signing)?;
    if sitting.state().phase() != Phase::Deploy {
        let fault = Fault::new(Code::WrongPhase, "the fleets are not being opened now").rule("SB-5");
        return Err(fault.help("look at what is awaited with `sealed show`").into());
    }
    let composed = sitting.state().respond(sitting.keyholder())?;
    sitting.sign(composed, false)
}
