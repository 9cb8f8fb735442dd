//! A game on disk: found, read, replayed; and written again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sealed_orders::document::{self, Node};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::ident::{Seat, Time};
use sealed_orders::log::{Entry, GameFile, Header, SignedEntry, write_game_file};
use sealed_orders::report::{Viewer, report};
use sealed_orders::store;
use sealed_orders::turn::{Replay, Waiting, position};
use serde_json::{Value, json};

use crate::failure::Failure;

/// The ending of a game file's name.
pub(crate) const GAME_ENDING: &str = ".game.toml";

/// A game that was read and replayed.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) replay: Replay,
}

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = store::read(path)?;
    let text = document::utf8(&bytes)
        .map_err(|fault| fault.help(format!("check that {} is the file you mean", path.display())))?;
    Ok(text.to_owned())
}

/// The game files of a folder, by name.
pub(crate) fn games_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut games: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(GAME_ENDING)))
        .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
        .collect();
    games.sort();
    // Without the leading "./", as people write it.
    games.into_iter().map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect()
}

/// The game that is meant: the named one, else the only one of this folder.
pub(crate) fn find(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path.to_path_buf());
    }
    match games_in(Path::new(".")).as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Fault::new(Code::Unclear, "there is no *.game.toml in this folder")
            .help("go to the game's folder, or name the game file")
            .into()),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(Fault::new(Code::Unclear, "there is more than one *.game.toml in this folder")
                .help(format!("name the one that you mean: {}", names.join(", ")))
                .into())
        }
    }
}

impl Table {
    /// Reads a game and replays all of it.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        let name = path.display().to_string();
        let in_text = |fault| Failure::in_text(fault, &name, &text);
        let file = GameFile::parse(&text).map_err(in_text)?;
        let replay = Replay::of_file(&file).map_err(in_text)?;
        if let Some(written) = &file.position {
            sealed_orders::turn::compare_position(&replay, written).map_err(in_text)?;
        }
        Ok(Self { path: path.to_path_buf(), text, replay })
    }

    pub(crate) fn header(&self) -> &Arc<Header> {
        self.replay.header()
    }

    /// The entries of the game, verified.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.replay.entries().cloned().collect()
    }

    /// Where entries that wait are kept.
    pub(crate) fn waiting_path(path: &Path) -> PathBuf {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.strip_suffix(GAME_ENDING).unwrap_or(&name);
        path.with_file_name(format!("{stem}.waiting.toml"))
    }

    /// The entries that wait beside the game. What cannot be read there is passed over: they
    /// can be applied again.
    pub(crate) fn waiting(&self) -> Vec<Entry> {
        let Ok(text) = read_text(&Self::waiting_path(&self.path)) else { return Vec::new() };
        let Ok(node) = document::parse(&text) else { return Vec::new() };
        let list = node.as_table().and_then(|table| table.get("order")).map(|node| &node.value);
        let Some(document::Value::List(list)) = list else { return Vec::new() };
        list.iter()
            .filter_map(|node| SignedEntry::of_node(node.clone()).ok())
            .filter_map(|signed| signed.verify(self.header()).ok())
            .collect()
    }
}

/// The text of a game file for a replay.
pub(crate) fn game_text(replay: &Replay) -> String {
    write_game_file(replay.header(), &Node::from(position(replay)), replay.entries())
}

/// The text of a file of waiting entries.
pub(crate) fn waiting_text(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        if let Some(table) = entry.written().as_table() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&document::heading("order", true));
            text.push_str(&document::toml_text(table, "order"));
        }
    }
    text
}

/// For whom a game waits, for programs: each seat that is overdue with since when.
pub(crate) fn waiting_json(replay: &Replay, now: Time) -> Value {
    let header = replay.header();
    let waiting = Waiting::of(replay);
    let names: Vec<&str> = waiting.seats.iter().map(|seat| header.seat(*seat).as_str()).collect();
    let overdue = waiting.overdue(now);
    let late = names.iter().filter_map(|seat| {
        let overdue = overdue?;
        Some(json!({ "seat": seat, "since": overdue.since.to_string(), "days": overdue.days }))
    });
    json!({
        "seats": names,
        "since": waiting.since.to_string(),
        "until": waiting.until.map(|until| until.to_string()),
        "overdue": late.collect::<Vec<_>>(),
        "arbiter": header.arbiter().map(|arbiter| json!({ "name": arbiter.name, "mail": arbiter.mail })),
    })
}

/// Writes a report for each player, and the arbiter, into a folder; the paths.
pub(crate) fn write_reports(replay: &Replay, folder: &Path, now: Time) -> Result<Vec<PathBuf>, Failure> {
    store::make_folder(folder, false)?;
    let header = replay.header();
    let mut paths = Vec::new();
    let seats = header.by_seat(|_| ());
    let players = seats.seats().map(|seat| (header.seat(seat).to_string(), Viewer::Seat(seat)));
    let arbiter = header.arbiter().map(|_| (Seat::ARBITER.to_owned(), Viewer::Arbiter));
    for (name, viewer) in players.chain(arbiter) {
        let path = folder.join(format!("{name}.txt"));
        store::write(&path, report(replay, &viewer, None, Some(now)).as_bytes())?;
        paths.push(path);
    }
    Ok(paths)
}
