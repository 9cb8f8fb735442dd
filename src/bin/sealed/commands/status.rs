//! `sealed status`: all games of a folder in a table, for who keeps several.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Phase;
use sealed_orders::ident::Time;
use sealed_orders::turn::Waiting;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{Table, games_in, waiting_json};
use crate::world::World;

/// List all games of a folder and of the folders in it: who is awaited, and who is overdue.
///
/// The games that are overdue come first, those overdue longest at the top; then those
/// that have waited longest; then those that are over. Files that cannot be used are
/// listed with the reason.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The folder (this one, unless named).
    folder: Option<PathBuf>,
}

/// The most columns of a game's name and of what it awaits.
const NAME: usize = 16;
const AWAITS: usize = 20;

/// One game of the list.
#[derive(Debug)]
struct Row {
    rank: Rank,
    cells: [String; 6],
    json: Value,
}

/// Where a game comes in the list. The order of the variants is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// With the deadline that passed.
    Overdue(Time),
    /// With since when it waits.
    Running(Time),
    /// With when it ended.
    Over(Time),
}

pub(crate) fn run(world: &World, args: &StatusArgs) -> Result<Outcome, Failure> {
    let folder = args.folder.as_deref().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Fault::new(Code::NotThere, format!("there is no folder {}", folder.display())).into());
    }
    let now = world.now()?;
    let mut rows = Vec::new();
    let mut damaged = Vec::new();
    for path in games_below(folder) {
        match Table::open(&path) {
            Ok(table) => rows.push(row(&table, now)),
            Err(failure) => damaged.push((path, failure)),
        }
    }
    rows.sort_by_key(|row| row.rank);
    Ok(Outcome::new(text(folder, &rows, &damaged), for_programs(&rows, &damaged)))
}

/// The games of a folder and of the folders in it.
fn games_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut below: Vec<PathBuf> = entries
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    below.sort();
    let mut games = games_in(folder);
    games.extend(below.iter().flat_map(|folder| games_in(folder)));
    games
}

fn row(table: &Table, now: Time) -> Row {
    let replay = &table.replay;
    let header = table.header();
    let phase = replay.counted().phase();
    let waiting = Waiting::of(replay);
    let overdue = waiting.overdue(now);
    let names: Vec<&str> = waiting.seats.iter().map(|seat| header.seat(*seat).as_str()).collect();
    let ending = replay.ending().map(|ending| ending.told(header));
    let rank = match (phase, overdue) {
        (Phase::Over, _) => Rank::Over(waiting.since),
        (_, Some(overdue)) => Rank::Overdue(overdue.since),
        (_, None) => Rank::Running(waiting.since),
    };
    let awaits = match phase {
        Phase::Over => "over".to_owned(),
        _ => format!("{phase}: {}", names.join(", ")),
    };
    let late = match (rank, overdue) {
        (Rank::Over(_), _) => String::new(),
        (_, Some(overdue)) if overdue.days == 0 => "today".to_owned(),
        (_, Some(overdue)) => overdue.how_long(),
        (_, None) => "no".to_owned(),
    };
    let until = match (rank, waiting.until) {
        (Rank::Over(_), _) => String::new(),
        (_, Some(until)) => day(until),
        (_, None) => "no limit".to_owned(),
    };
    let file = table.path.display().to_string();
    let json = json!({
        "file": file, "name": header.name(), "id": header.id().to_string(), "step": replay.step(),
        "phase": phase.as_str(), "result": ending, "over": phase == Phase::Over,
        "waiting": waiting_json(replay, now),
    });
    let cells = [cut(header.name(), NAME), cut(&awaits, AWAITS), day(waiting.since), until, late, file];
    Row { rank, cells, json }
}

/// The date of a time.
fn day(time: Time) -> String {
    time.to_string().chars().take_while(|c| *c != 'T').collect()
}

/// A text of at most so many columns.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", begin.trim_end())
}

fn text(folder: &Path, rows: &[Row], damaged: &[(PathBuf, Failure)]) -> String {
    let mut text = String::new();
    if rows.is_empty() && damaged.is_empty() {
        let _ = writeln!(text, "There is no game in {} (no *.game.toml).", folder.display());
        return text;
    }
    let head = ["Game", "Awaits", "Since", "Until", "Overdue", "File"].map(str::to_owned);
    let lines: Vec<&[String; 6]> = std::iter::once(&head).chain(rows.iter().map(|row| &row.cells)).collect();
    let width = |column: usize| {
        lines.iter().filter_map(|cells| cells.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    if !rows.is_empty() {
        for cells in &lines {
            let padded: Vec<String> =
                cells.iter().enumerate().map(|(column, cell)| format!("{cell:<0$}", width(column))).collect();
            let _ = writeln!(text, "{}", padded.join("  ").trim_end());
        }
    }
    for (path, failure) in damaged {
        let _ = writeln!(text, "{}: cannot be used: {}", path.display(), failure.fault);
    }
    let _ = writeln!(text, "\n{}", summary(rows, damaged));
    text
}

/// How many games there are of each kind.
fn counts(rows: &[Row], damaged: &[(PathBuf, Failure)]) -> [(&'static str, usize); 4] {
    let of = |wanted: fn(Rank) -> bool| rows.iter().filter(|row| wanted(row.rank)).count();
    [
        ("overdue", of(|rank| matches!(rank, Rank::Overdue(_)))),
        ("in time", of(|rank| matches!(rank, Rank::Running(_)))),
        ("over", of(|rank| matches!(rank, Rank::Over(_)))),
        ("damaged", damaged.len()),
    ]
}

fn summary(rows: &[Row], damaged: &[(PathBuf, Failure)]) -> String {
    let total = rows.len() + damaged.len();
    let parts: Vec<String> =
        counts(rows, damaged).iter().map(|(word, count)| format!("{count} {word}")).collect();
    format!("{total} {}: {}.", if total == 1 { "game" } else { "games" }, parts.join(", "))
}

fn for_programs(rows: &[Row], damaged: &[(PathBuf, Failure)]) -> Value {
    let broken: Vec<Value> = damaged
        .iter()
        .map(|(path, failure)| json!({ "file": path.display().to_string(), "error": failure.json() }))
        .collect();
    let [(_, overdue), (_, in_time), (_, over), (_, damaged)] = counts(rows, damaged);
    json!({
        "games": rows.iter().map(|row| row.json.clone()).collect::<Vec<_>>(),
        "damaged": broken,
        "summary": { "overdue": overdue, "in_time": in_time, "over": over, "damaged": damaged },
    })
}
