//! `sealed journal`: what this identity has signed.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sealed_orders::store::{self, Lock};
use sealed_orders::turn::seat_of;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::signing::{confirm_head, forfeited, read_journal};
use crate::table::{self, Table};
use crate::world::World;

/// What your identity has signed on this computer, and taking a game up without it.
#[derive(Debug, Args)]
pub(crate) struct JournalArgs {
    #[command(subcommand)]
    action: JournalAction,
}

#[derive(Debug, Subcommand)]
enum JournalAction {
    Show(ShowArgs),
    Adopt(AdoptArgs),
}

/// List what your identity has signed on this computer.
#[derive(Debug, Args)]
struct ShowArgs {}

/// Take a game up on a computer that has no journal of it.
///
/// Without the journal a changed copy of the game could make you sign twice for one step.
/// So first ask the others, by telephone or a mail of its own, for the first digits of
/// their head; only if they agree with yours, give them with --head.
#[derive(Debug, Args)]
struct AdoptArgs {
    /// The game file.
    game: Option<PathBuf>,
    /// The first digits of the head that the others have, eight or more.
    #[arg(long, value_name = "DIGITS")]
    head: Option<String>,
}

pub(crate) fn run(world: &World, args: &JournalArgs) -> Result<Outcome, Failure> {
    match &args.action {
        JournalAction::Show(_) => show(world),
        JournalAction::Adopt(args) => adopt(world, args),
    }
}

fn show(world: &World) -> Result<Outcome, Failure> {
    let identity = world.identity()?;
    let journal = read_journal(world, &identity)?;
    let mut text = format!("The journal is {}.\n", world.journal_path(&identity)?.display());
    let mut list = Vec::new();
    for signed in journal.all() {
        let order = signed.order();
        let game: String = order.game.to_string().chars().take(8).collect();
        let _ = writeln!(
            text,
            "game {game}, step {}, {}: [{}]{}, {}",
            order.step,
            order.seat,
            order.action,
            forfeited(order).map(|seat| format!(" of {seat}")).unwrap_or_default(),
            order.time.for_people()
        );
        list.push(json!({
            "game": order.game.to_string(), "step": order.step, "seat": order.seat.as_str(),
            "action": order.action, "digest": signed.digest().to_string(),
        }));
    }
    if list.is_empty() {
        text.push_str("It is empty.\n");
    }
    Ok(Outcome::new(text, json!({ "orders": list })))
}

fn adopt(world: &World, args: &AdoptArgs) -> Result<Outcome, Failure> {
    let table = Table::open(&table::find(args.game.as_deref())?)?;
    let identity = world.identity()?;
    let is_arbiter = table.header().seat_of(&identity.public()).is_some_and(|seat| seat.is_arbiter());
    if !is_arbiter {
        seat_of(&table.replay, &identity)?;
    }
    let head = table.replay.head();
    let Some(digits) = &args.head else {
        let text = format!(
            "Your copy of {} has the head\n\n    {}   (step {})\n\n\
             Ask each of the others, not in this game's mails, for the first digits of\n\
             their head (`sealed show` prints them), and whether they have an order of\n\
             yours for the open step. If all agree, type:\n\n    sealed journal adopt --head {}\n",
            table.header().name(),
            head.by_eye(),
            table.replay.step(),
            head.to_string().chars().take(16).collect::<String>()
        );
        return Ok(Outcome::new(text, json!({ "adopted": false, "head": head.to_string() })));
    };
    confirm_head(&head, digits)?;
    let path = world.journal_path(&identity)?;
    if let Some(folder) = path.parent() {
        store::make_folder(folder, true)?;
    }
    let _lock = Lock::take(&path)?;
    let mut journal = read_journal(world, &identity)?;
    journal.adopt(table.header().id(), head);
    store::write_private(&path, journal.to_toml()?.as_bytes())?;
    let text = format!("The game {} is taken up at {}.\n", table.header().name(), head.by_eye());
    Ok(Outcome::new(text, json!({ "adopted": true, "head": head.to_string() })))
}
