//! `sealed forfeit` and `sealed rule`: the arbiter's entries.

use clap::{Args, ValueEnum};
use sealed_orders::games::RuledResult;
use sealed_orders::ident::Seat;
use sealed_orders::turn;

use crate::args::SigningArgs;
use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::{Arbiter, Sitting};
use crate::world::World;

/// As the arbiter: end the wait for a seat's order, as if the seat had resigned.
///
/// Before it is signed you see what becomes of the seat and of the game, and whether the
/// time for this step has run out. Nobody but the game's arbiter can sign it.
#[derive(Debug, Args)]
pub(crate) struct ForfeitArgs {
    /// The seat whose order is awaited.
    #[arg(value_name = "SEAT", required_unless_present = "again", conflicts_with = "again")]
    seat: Option<Seat>,
    #[command(flatten)]
    entry: EntryArgs,
}

/// As the arbiter: end the game, void or drawn.
///
/// A game can be ruled void as long as its result is not final, and drawn while it is
/// played. Nobody but the game's arbiter can sign it.
#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    /// How it ends.
    #[arg(value_name = "RESULT", required_unless_present = "again", conflicts_with = "again")]
    result: Option<Ruled>,
    #[command(flatten)]
    entry: EntryArgs,
}

/// What both take.
#[derive(Debug, Args)]
struct EntryArgs {
    /// Why: it stands in the game for ever, for all to read (plain ASCII).
    #[arg(long, value_name = "TEXT", required_unless_present = "again")]
    reason: Option<String>,
    /// Print your last entry again, to be mailed once more.
    #[arg(long, conflicts_with_all = ["reason", "press"])]
    again: bool,
    #[command(flatten)]
    signing: SigningArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ruled {
    /// The game does not count.
    Void,
    /// All who are still in share it.
    Draw,
}

pub(crate) fn forfeit(world: &World, args: &ForfeitArgs) -> Result<Outcome, Failure> {
    let sitting: Sitting<'_, Arbiter> = Sitting::open(world, &args.entry.signing)?;
    let (Some(seat), Some(reason)) = (&args.seat, &args.entry.reason) else {
        return sitting.again();
    };
    let composed = turn::forfeit(&sitting.table.replay, seat, reason, world.now()?)?;
    sitting.sign(composed, false)
}

pub(crate) fn rule(world: &World, args: &RuleArgs) -> Result<Outcome, Failure> {
    let sitting: Sitting<'_, Arbiter> = Sitting::open(world, &args.entry.signing)?;
    let (Some(result), Some(reason)) = (args.result, &args.entry.reason) else {
        return sitting.again();
    };
    let result = match result {
        Ruled::Void => RuledResult::Void,
        Ruled::Draw => RuledResult::Draw,
    };
    let composed = turn::rule(&sitting.table.replay, result, reason)?;
    sitting.sign(composed, false)
}
