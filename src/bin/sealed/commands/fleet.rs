//! `sealed fleet`: what ships there are, and whether a fleet file holds.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use sealed_orders::document;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::{self, Game, Keyholder};
use sealed_orders::ident::Fresh;
use sealed_orders::report::{WIDTH, chart_text, wrap};
use sealed_orders::turn::seat_of;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table, read_text};
use crate::world::World;

/// Build a fleet: see the ships that there are, check a fleet file.
#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    #[command(subcommand)]
    command: FleetCommand,
}

#[derive(Debug, Subcommand)]
enum FleetCommand {
    /// List the ships that there are.
    List {
        /// The ships of this game; of all, if none is named.
        #[arg(value_parser = PossibleValuesParser::new(games::all().iter().map(|game| game.word())))]
        game: Option<String>,
    },
    /// Check a fleet file: for your seat in this folder's game; without a game, as far as that goes.
    Check {
        /// The fleet file.
        file: PathBuf,
        /// The game file, where the folder holds more than one.
        #[arg(short, long, value_name = "GAME")]
        game: Option<PathBuf>,
    },
}

pub(crate) fn run(world: &World, args: &FleetArgs) -> Result<Outcome, Failure> {
    match &args.command {
        FleetCommand::List { game } => Ok(list(game.as_deref())),
        FleetCommand::Check { file, game } => check(world, file, game.as_deref()),
    }
}

fn list(word: Option<&str>) -> Outcome {
    let mut text = String::new();
    let mut tables = serde_json::Map::new();
    for game in games::all().iter().filter(|game| word.is_none_or(|word| game.word() == word)) {
        let chart = game.ship_list();
        if word.is_none() {
            text.push_str(game.title());
            text.push('\n');
        }
        text.push_str(&chart_text(&chart));
        text.push('\n');
        tables.insert(game.word().to_owned(), json!({ "columns": chart.columns, "rows": chart.rows }));
    }
    Outcome::new(text.trim_end().to_owned() + "\n", json!({ "ships": tables }))
}

fn check(world: &World, file: &Path, named: Option<&Path>) -> Result<Outcome, Failure> {
    let text = read_text(file)?;
    let in_text = |fault| Failure::in_text(fault, &file.display().to_string(), &text);
    let node = document::parse(&text).map_err(in_text)?;
    let is_alone = named.is_none() && table::games_in(Path::new(".")).is_empty();
    let told = if is_alone {
        let known: Vec<&&dyn Game> = games::all().iter().filter(|game| game.is_fleet_file(&node)).collect();
        let [game] = known.as_slice() else {
            let fault = Fault::new(Code::Unclear, "this looks like a fleet of no game");
            return Err(in_text(fault.help("`sealed fleet list` shows the ships of each game")));
        };
        let mut told = vec![format!("The fleet is right for {}.", game.title())];
        told.extend(game.check_fleet_alone(&node).map_err(in_text)?);
        told
    } else {
        let table = Table::open(&table::find(named)?)?;
        let identity = world.identity()?;
        let seat = seat_of(&table.replay, &identity)?;
        let by = Keyholder { seat, identity: &identity, kept: None };
        // Sealed as it would be, only that nothing is signed.
        let begun = table.replay.at_the_beginning()?;
        let sealed = begun.state().seal(by, &node, Fresh::new([0; 16])).map_err(in_text)?;
        let (seat, name) = (table.header().seat(seat), table.header().name());
        let mut told = vec![format!("The fleet is right for {seat} in {name}.")];
        told.extend(sealed.private);
        told
    };
    let lines: Vec<String> = told.iter().flat_map(|line| wrap(line, WIDTH, "")).collect();
    Ok(Outcome::new(lines.join("\n") + "\n", json!({ "right": true, "told": told })))
}
