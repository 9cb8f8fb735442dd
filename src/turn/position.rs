//! `[position]`: what a game file says for people about where its orders lead.

use std::collections::{BTreeMap, BTreeSet};

use super::replay::Replay;
use crate::document::{Node, Table, Value, canonical};
use crate::fault::{Checked, Code, Fault};

/// The position table of a replay.
#[must_use]
pub fn position(replay: &Replay) -> Table {
    let header = replay.header();
    let counted = replay.counted();
    let mut table = Table::default();
    table.push("id", header.id().to_string());
    table.push("head", replay.head().to_string());
    table.push("step", replay.step());
    table.push("phase", counted.phase().as_str());
    let awaits: Vec<Node> =
        replay.missing().into_iter().map(|seat| header.seat(seat).as_str().into()).collect();
    table.push("awaits", awaits);
    if let Some(ending) = counted.ending() {
        table.push("result", ending.table(header));
    }
    table.entries.extend(counted.position().entries);
    table
}

/// One value of a position that is not what the replay leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key.
    pub key: String,
    /// What the file says, as JSON.
    pub written: String,
    /// What the orders lead to, as JSON.
    pub replayed: String,
}

/// Compares a written position with the replay's.
///
/// # Errors
/// `position-differs` when `id`, `head` or `step` is missing or differs: the file then is not
/// what it says it is. Anything else that differs is returned, and `apply` mends it.
pub fn compare_position(replay: &Replay, written: &Node) -> Checked<Vec<Difference>> {
    let Some(written_table) = written.as_table() else {
        return Err(Fault::new(Code::WrongValue, "position is no table").at(written.span.clone()));
    };
    let replayed = position(replay);
    let json = |node: Option<&Node>| node.map_or_else(|| "nothing".to_owned(), canonical);
    // Indexed, since somebody else may have written a very long table.
    let index = |table: &'_ Table| -> BTreeMap<String, Node> {
        table.entries.iter().map(|entry| (entry.key.to_string(), entry.node.clone())).collect()
    };
    let (old_values, new_values) = (index(written_table), index(&replayed));
    let mut differences = Vec::new();
    let keys = replayed.entries.iter().chain(&written_table.entries).map(|entry| &*entry.key);
    let mut seen = BTreeSet::new();
    for key in keys.filter(|key| seen.insert(*key)) {
        let (old, new) = (old_values.get(key), new_values.get(key));
        if old == new {
            continue;
        }
        let difference = Difference { key: key.to_owned(), written: json(old), replayed: json(new) };
        if matches!(key, "id" | "head" | "step") {
            let span = old.map_or_else(|| written.span.clone(), |node| node.span.clone());
            return Err(Fault::new(
                Code::PositionDiffers,
                format!("[position] says {key} = {}, but the orders in this file lead to {}", difference.written, difference.replayed),
            )
            .help("entries were cut off or changed; ask the others for their copies. The orders decide, not the position")
            .at(span));
        }
        differences.push(difference);
    }
    Ok(differences)
}

impl Difference {
    /// The difference as two lines, `-` what is written and `+` what it should be.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        vec![format!("- {} = {}", self.key, self.written), format!("+ {} = {}", self.key, self.replayed)]
    }
}

/// A table as a tree.
impl From<&Table> for Node {
    fn from(table: &Table) -> Self {
        Value::Table(table.clone()).into()
    }
}
