//! One file a command; its doc comment is its help.

pub(crate) mod apply;
pub(crate) mod arbiter;
pub(crate) mod attempt;
pub(crate) mod bundle;
pub(crate) mod commitment;
pub(crate) mod demo;
pub(crate) mod dispute;
pub(crate) mod explain;
pub(crate) mod fleet;
pub(crate) mod here;
pub(crate) mod journal;
pub(crate) mod key;
pub(crate) mod new;
pub(crate) mod order;
pub(crate) mod preimage;
pub(crate) mod proof;
pub(crate) mod respond;
pub(crate) mod rolls;
pub(crate) mod seal;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod verify;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::output::Outcome;
use crate::world::World;

/// Runs the command that was typed.
pub(crate) fn run(args: &Args, world: &World) -> Result<Outcome, Failure> {
    match &args.command {
        None => here::run(world),
        Some(Command::Key(args)) => key::run(world, args),
        Some(Command::New(args)) => new::run(world, args),
        Some(Command::Seal(args)) => seal::run(world, args),
        Some(Command::Deploy(args)) => respond::deploy(world, args),
        Some(Command::Order(args)) => order::run(world, args),
        Some(Command::Respond(args)) => respond::run(world, args),
        Some(Command::Try(args)) => attempt::run(world, args),
        Some(Command::Fleet(args)) => fleet::run(world, args),
        Some(Command::Rolls(args)) => rolls::run(args),
        Some(Command::Forfeit(args)) => arbiter::forfeit(world, args),
        Some(Command::Rule(args)) => arbiter::rule(world, args),
        Some(Command::Apply(args)) => apply::run(world, args),
        Some(Command::Check(args)) => apply::check(world, args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Dispute(args)) => dispute::run(args),
        Some(Command::Proof(args)) => proof::run(world, args),
        Some(Command::Show(args)) => show::run(world, args),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Status(args)) => status::run(world, args),
        Some(Command::Commitment(args)) => commitment::run(args),
        Some(Command::Preimage(args)) => preimage::run(args),
        Some(Command::Bundle(args)) => bundle::run(args),
        Some(Command::Journal(args)) => journal::run(world, args),
        Some(Command::Demo(args)) => demo::run(args),
    }
}
