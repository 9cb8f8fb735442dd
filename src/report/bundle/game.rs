//! The game file of a bundle: the same game, laid out for a reader of lines.
//!
//! Each key has one line, each value is written in one way only, and keys stand in the order
//! in which canonical JSON has them. So the bytes that are hashed can be made from the lines
//! one after the other, with nothing to sort. A signature stands last, since it is not hashed.

use std::fmt::Write as _;

use crate::document::{Entry, Node, Table, Value, heading, toml_inline};
use crate::turn::{Replay, position};

/// The game file.
pub(super) fn game_file(replay: &Replay) -> String {
    let mut text = String::new();
    if let Some(header) = replay.header().node().as_table() {
        let mut plain = header.clone();
        let seats = plain.take("seats");
        part(&mut text, "game", false, &plain);
        // `seats` is the last key of a header by the alphabet as well.
        if let Some(Value::List(seats)) = seats.map(|entry| entry.node.value) {
            for seat in seats.iter().filter_map(Node::as_table) {
                part(&mut text, "game.seats", true, seat);
            }
        }
    }
    part(&mut text, "position", false, &position(replay));
    for order in replay.orders() {
        if let Some(table) = order.written().as_table() {
            part(&mut text, "order", true, table);
        }
    }
    text
}

/// A heading, and below it a line for each key.
fn part(text: &mut String, path: &str, in_list: bool, table: &Table) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&heading(path, in_list));
    let mut sorted = sorted_table(table);
    if let Some(signature) = sorted.take("signature") {
        sorted.entries.push(signature);
    }
    for entry in &sorted.entries {
        let _ = writeln!(text, "{} = {}", entry.key, toml_inline(&entry.node));
    }
}

fn sorted_table(table: &Table) -> Table {
    let mut entries: Vec<Entry> =
        table.entries.iter().map(|entry| Entry { node: sorted(&entry.node), ..entry.clone() }).collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    Table { entries }
}

fn sorted(node: &Node) -> Node {
    match &node.value {
        Value::Table(table) => sorted_table(table).into(),
        Value::List(list) => list.iter().map(sorted).collect::<Vec<_>>().into(),
        _ => node.clone(),
    }
}
