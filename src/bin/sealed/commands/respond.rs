//! `sealed respond` and `sealed deploy`: what is awaited and needs no decision.

use std::path::PathBuf;

use clap::Args;
use sealed_orders::document;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Phase;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::Sitting;
use crate::table::read_text;
use crate::world::World;

/// Answer what is awaited from you and needs no decision.
///
/// That is: opening your fleet, defending, rolling, opening what is still sealed after the end.
/// Everything that has to be opened is added for you.
#[derive(Debug, Args)]
pub(crate) struct RespondArgs {
    #[command(flatten)]
    fleet: SealedFleet,
    /// Offer or accept a draw, where that goes with the answer.
    #[arg(long)]
    draw: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

/// Where a fleet comes from that neither the key nor the journal gives again.
#[derive(Debug, Args)]
struct SealedFleet {
    /// The fleet file that you sealed, where this computer's journal does not hold it.
    #[arg(long, value_name = "FLEET")]
    fleet: Option<PathBuf>,
}

impl SealedFleet {
    fn give<'a>(&self, sitting: Sitting<'a>) -> Result<Sitting<'a>, Failure> {
        let Some(path) = &self.fleet else { return Ok(sitting) };
        let text = read_text(path)?;
        let node = document::parse(&text)
            .map_err(|fault| Failure::in_text(fault, &path.display().to_string(), &text))?;
        Ok(sitting.with_fleet(node))
    }
}

/// Open your fleet, once all are sealed.
#[derive(Debug, Args)]
pub(crate) struct DeployArgs {
    #[command(flatten)]
    fleet: SealedFleet,
    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(world: &World, args: &RespondArgs) -> Result<Outcome, Failure> {
    let sitting = args.fleet.give(Sitting::open(world, &args.signing)?)?;
    let composed = sitting.state().respond(sitting.keyholder())?;
    sitting.sign(composed, args.draw)
}

pub(crate) fn deploy(world: &World, args: &DeployArgs) -> Result<Outcome, Failure> {
    let sitting = args.fleet.give(Sitting::open(world, &args.signing)?)?;
    if sitting.state().phase() != Phase::Deploy {
        let fault = Fault::new(Code::WrongPhase, "the fleets are not being opened now");
        return Err(fault.help("look at what is awaited with `sealed show`").into());
    }
    let composed = sitting.state().respond(sitting.keyholder())?;
    sitting.sign(composed, false)
}
