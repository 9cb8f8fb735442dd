//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use sealed_orders::ident::{Seat, Time};

use crate::commands;

/// Adjudicates space-battle games played by mail: signed orders, sealed shields, provable dice.
///
/// Without a command: the games in this folder, and what to type next.
/// GAME may be left out where the folder holds one *.game.toml.
#[derive(Debug, Parser)]
#[command(name = "sealed", version, max_term_width = 80, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 done; 1 refused (the order, file or move will not do); \
    2 the command was not understood; 3 a file could not be read or written.")]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print JSON for programs instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Take this for the present time (like 2026-11-30T05:48:16Z) instead of the clock.
    #[arg(long, global = true, value_name = "TIME")]
    pub(crate) now: Option<Time>,
    /// The identity to sign with, instead of your own in the configuration folder.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Key(commands::key::KeyArgs),
    New(commands::new::NewArgs),
    Fleet(commands::fleet::FleetArgs),
    Seal(commands::seal::SealArgs),
    Deploy(commands::respond::DeployArgs),
    Try(commands::attempt::TryArgs),
    Order(commands::order::OrderArgs),
    Respond(commands::respond::RespondArgs),
    Forfeit(commands::arbiter::ForfeitArgs),
    Rule(commands::arbiter::RuleArgs),
    Apply(commands::apply::ApplyArgs),
    Check(commands::apply::CheckArgs),
    Verify(commands::verify::VerifyArgs),
    Dispute(commands::dispute::DisputeArgs),
    Proof(commands::proof::ProofArgs),
    Show(commands::show::ShowArgs),
    Explain(commands::explain::ExplainArgs),
    Status(commands::status::StatusArgs),
    Commitment(commands::commitment::CommitmentArgs),
    Preimage(commands::preimage::PreimageArgs),
    Rolls(commands::rolls::RollsArgs),
    Bundle(commands::bundle::BundleArgs),
    Journal(commands::journal::JournalArgs),
    Demo(commands::demo::DemoArgs),
}

/// What every command that signs takes.
#[derive(Debug, ClapArgs)]
pub(crate) struct SigningArgs {
    /// The game file, where the folder holds more than one.
    #[arg(short, long, value_name = "GAME")]
    pub(crate) game: Option<PathBuf>,
    /// Say this to all players, in the order.
    #[arg(long, value_name = "TEXT")]
    pub(crate) press: Option<String>,
    /// Sign without asking; for scripts.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Only show what would happen.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The first digits of the head that the others have, when this computer has no
    /// journal of the game.
    #[arg(long, value_name = "DIGITS")]
    pub(crate) head: Option<String>,
}

/// Reads `seat=card.toml`.
pub(crate) fn seat_and_card(text: &str) -> Result<(Seat, PathBuf), String> {
    let (seat, card) = text.split_once('=').ok_or("write it as seat=card.toml, like red=anna.card.toml")?;
    Ok((seat.parse()?, PathBuf::from(card)))
}

/// Reads `option=value`.
pub(crate) fn option_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as option=value, like board=half")?;
    Ok((key.to_owned(), value.to_owned()))
}
