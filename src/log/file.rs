//! The game file: header, position, orders.

use std::fmt::Write as _;

use super::entry::{Entry, SignedEntry};
use super::header::Header;
use crate::document::{self, Node, Value, heading, parse, toml_text};
use crate::fault::{Checked, Code, Fault};

/// A game file that was understood: its header is checked, its entries are not verified yet.
#[derive(Clone, Debug)]
pub struct GameFile {
    /// The header.
    pub header: Header,
    /// The position as it was written, where there is one.
    pub position: Option<Node>,
    /// The entries, orders and proofs, in the order in which they stand.
    pub entries: Vec<SignedEntry>,
}

impl GameFile {
    /// Reads a game file.
    ///
    /// # Errors
    /// The first fault, with its place in `text`.
    pub fn parse(text: &str) -> Checked<Self> {
        let node = parse(text)?;
        let Value::Table(mut table) = node.value else {
            return Err(Fault::new(Code::Internal, "a document is always a table"));
        };
        let game = table.take("game").filter(|entry| entry.node.as_table().is_some()).ok_or_else(|| {
            Fault::new(Code::MissingKey, "the file has no [game] table, so it is no game file")
                .help("an order file is given to `sealed apply` beside the game file")
                .at(0..0)
        })?;
        let position = table.take("position").map(|entry| entry.node);
        let entries = entries_of(table.take("order"));
        if let Some(entry) = table.entries.first() {
            return Err(Fault::new(Code::UnknownKey, format!("the key {:?} is not known here", entry.key))
                .help("a game file has [game], [position] and [[order]], nothing else")
                .at(entry.key_span.clone()));
        }
        let header = Header::read(&game.node)?;
        if let Some(position) = &position
            && position.as_table().is_none()
        {
            return Err(Fault::new(Code::WrongValue, "position is no table").at(position.span.clone()));
        }
        Ok(Self { header, position, entries: entries? })
    }
}

/// The entries under `[[order]]`.
pub(super) fn entries_of(list: Option<document::Entry>) -> Checked<Vec<SignedEntry>> {
    match list.map(|entry| entry.node) {
        None => Ok(Vec::new()),
        Some(Node { value: Value::List(list), .. }) => list.into_iter().map(SignedEntry::of_node).collect(),
        Some(node) => {
            Err(Fault::new(Code::WrongValue, "orders stand under [[order]], with two brackets").at(node.span))
        }
    }
}

/// Writes a game file: the same text for the same content.
#[must_use]
pub fn write_game_file<'a>(
    header: &Header,
    position: &Node,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> String {
    let mut text = write_game(header);
    write_part(&mut text, "position", Some(position), false);
    for entry in entries {
        write_part(&mut text, "order", Some(&entry.written()), true);
    }
    text
}

/// Writes the header as a file begins with it.
pub(super) fn write_game(header: &Header) -> String {
    let mut text = String::new();
    if let Some(game) = header.node().as_table() {
        let mut plain = game.clone();
        let options = plain.take("options");
        let seats = plain.take("seats");
        let arbiter = plain.take("arbiter");
        text.push_str(&heading("game", false));
        text.push_str(&toml_text(&plain, "game"));
        write_part(&mut text, "game.options", options.map(|entry| entry.node).as_ref(), false);
        if let Some(Value::List(list)) = seats.map(|entry| entry.node.value) {
            for seat in &list {
                write_part(&mut text, "game.seats", Some(seat), true);
            }
        }
        write_part(&mut text, "game.arbiter", arbiter.map(|entry| entry.node).as_ref(), false);
    }
    text
}

fn write_part(text: &mut String, path: &str, node: Option<&Node>, in_list: bool) {
    if let Some(table) = node.and_then(Node::as_table) {
        let _ = write!(text, "\n{}{}", heading(path, in_list), toml_text(table, path));
    }
}
