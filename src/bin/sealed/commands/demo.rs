//! `sealed demo`: a whole game between made-up players.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use sealed_orders::demo::{Plan, play};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games;
use sealed_orders::store;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;

/// Play a whole legal game between made-up players, and leave every file of a real one.
///
/// The keys are examples that everybody knows: never use them for a game of your own.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The folder to make; it must not exist yet.
    folder: PathBuf,
    /// Which game.
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(games::all().iter().map(|game| game.word())))]
    game: Option<String>,
    /// Another number, another game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many play.
    #[arg(long, default_value_t = 2)]
    seats: usize,
    /// Give the game an arbiter, to try forfeits and rulings.
    #[arg(long)]
    arbiter: bool,
    /// An option of the game, like board=half.
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = crate::args::option_and_value)]
    options: Vec<(String, String)>,
}

pub(crate) fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    if args.folder.exists() {
        let fault = Fault::new(
            Code::Exists,
            format!("{} exists already and is not overwritten", args.folder.display()),
        );
        return Err(fault.help("name a folder that does not exist yet").into());
    }
    let plan = Plan {
        seed: args.seed,
        seats: args.seats,
        arbiter: args.arbiter,
        options: args.options.iter().cloned().collect(),
        ..Plan::default()
    };
    let plan = Plan { game: args.game.clone().unwrap_or(plan.game.clone()), ..plan };
    let files = play(&plan)?;
    for file in &files {
        let path = args.folder.join(&file.path);
        if let Some(folder) = path.parent() {
            store::make_folder(folder, false)?;
        }
        store::create(&path, file.bytes.as_bytes(), file.private)?;
    }
    let mut text = format!("A whole game is in {}: {} files.\n", args.folder.display(), files.len());
    text.push_str("The keys in it are examples that everybody knows. To look around:\n");
    let _ = write!(
        text,
        "  cd {}\n  sealed\n  sealed verify\n  sealed show --seat red\n  sealed show --step 10\n",
        args.folder.display()
    );
    let json = json!({ "folder": args.folder.display().to_string(), "files": files.iter().map(|file| file.path.clone()).collect::<Vec<_>>() });
    Ok(Outcome::new(text, json))
}
