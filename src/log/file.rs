//! The game file: header, position, orders.

use std::fmt::Write as _;

use super::header::Header;
use super::order::{SignedOrder, Verified};
use crate::document::{Node, Value, heading, parse, toml_text};
use crate::fault::{Checked, Code, Fault};

/// A game file that was understood: its header is checked, its orders are not verified yet.
#[derive(Clone, Debug)]
pub struct GameFile {
    /// The header.
    pub header: Header,
    /// The position as it was written, where there is one.
    pub position: Option<Node>,
    /// The orders, in the order in which they stand.
    pub orders: Vec<SignedOrder>,
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
        let orders = table.take("order");
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
        let orders = match orders.map(|entry| entry.node) {
            None => Vec::new(),
            Some(Node { value: Value::List(list), .. }) => {
                list.into_iter().map(SignedOrder::of_node).collect::<Checked<_>>()?
            }
            Some(node) => {
                return Err(Fault::new(Code::WrongValue, "orders stand under [[order]], with two brackets")
                    .at(node.span));
            }
        };
        Ok(Self { header, position, orders })
    }
}

/// Writes a game file: the same text for the same content.
#[must_use]
pub fn write_game_file<'a>(
    header: &Header,
    position: &Node,
    orders: impl IntoIterator<Item = &'a Verified>,
) -> String {
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
    write_part(&mut text, "position", Some(position), false);
    for order in orders {
        write_part(&mut text, "order", Some(&order.written()), true);
    }
    text
}

fn write_part(text: &mut String, path: &str, node: Option<&Node>, in_list: bool) {
    if let Some(table) = node.and_then(Node::as_table) {
        let _ = write!(text, "\n{}{}", heading(path, in_list), toml_text(table, path));
    }
}
