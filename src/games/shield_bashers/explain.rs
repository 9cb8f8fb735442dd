//! What a step rests on: which rules decide an event, and which shields and which row of the
//! table a combat. For a referee who does not know the game.

use super::combat::{Colour, Need, compared};
use super::fleet::Class;
use super::position::Position;
use super::shield::Layer;
use crate::document::{Node, Table, Value};
use crate::games::frame::capital;
use crate::games::{Chart, Event, Grounds, Rulebook};
use crate::ident::SeatIndex;

/// The rules in words.
pub(super) const RULEBOOK: Rulebook = Rulebook {
    file: "docs/rules/shield-bashers.md",
    text: include_str!("../../../docs/rules/shield-bashers.md"),
};

/// The rules that decide an event.
pub(super) fn rules_of(event: &Event) -> Vec<&'static str> {
    let by_kind: &[&str] = match event.kind {
        "sealed" => &["SB-5", "protocol 12, seal"],
        "deployed" => &["SB-1", "SB-2", "SB-6", "protocol 12, deploy"],
        "void" => &["protocol 12, step 0", "protocol 12, step 1"],
        "ruling" => &["protocol 11, ruling"],
        "forfeit" => &["SB-17", "protocol 11, forfeit"],
        "proven" => &["SB-17", "protocol 8, proof"],
        "resign" => &["SB-17", "protocol 12, resign"],
        "first" => &["SB-10"],
        "move" => &["A.5", "SB-11", "SB-18"],
        "attack" => &["SB-12", "SB-4"],
        "combat" => &["SB-13", "SB-14", "SB-15", "SB-18"],
        "debt" => &["SB-3"],
        "caught" => &["SB-22"],
        "out" => &["SB-16", "SB-17"],
        "enter" => &["SB-17"],
        "win" => &["SB-16"],
        "claim" | "accept" => &["SB-20"],
        "draw" => &["SB-20", "SB-21"],
        "audit" | "over" => &["SB-23"],
        "struck-out" => &["SB-23", "protocol 11, forfeit"],
        _ => &[],
    };
    match (event.kind, is_final(event)) {
        // The final battle knows no distance and spares no tertiary.
        ("attack", true) => vec!["SB-19", "SB-4"],
        ("combat", true) => vec!["SB-13", "SB-19", "SB-18"],
        _ => by_kind.to_vec(),
    }
}

fn is_final(event: &Event) -> bool {
    matches!(event.facts.get("final").map(|node| &node.value), Some(Value::Boolean(true)))
}

fn text<'a>(facts: &'a Table, key: &str) -> &'a str {
    facts.get(key).and_then(Node::as_text).unwrap_or_default()
}

fn colour(word: &str) -> Option<Colour> {
    Colour::ALL.into_iter().find(|colour| colour.as_str() == word)
}

impl Position {
    /// What the events of the step that closes this position rest on.
    pub(super) fn grounds_of(&self, events: &[Event]) -> Grounds {
        let mut grounds = Grounds::default();
        for event in events {
            match event.kind {
                "move" => grounds.charts.extend(self.way(&event.facts, "seat", "ship")),
                "attack" if !is_final(event) => {
                    grounds.charts.extend(self.way(&event.facts, "attacker", "with"));
                }
                "combat" => {
                    grounds.charts.extend(table_row(&event.facts));
                    for (who, with) in [("attacker", "with"), ("defender", "target")] {
                        let ship = Class::from_word(text(&event.facts, with));
                        if let (Some(seat), Some(class)) = (self.named(text(&event.facts, who)), ship) {
                            grounds.slots.push((seat, format!("{} {class}", Layer::Secondary.as_str())));
                        }
                    }
                }
                _ => {}
            }
        }
        grounds
    }

    fn named(&self, name: &str) -> Option<SeatIndex> {
        self.sides.seats().find(|seat| self.name(*seat) == name)
    }

    /// Where the ship that moved or attacked could have gone.
    fn way(&self, facts: &Table, seat: &str, ship: &str) -> Option<Chart> {
        let class = Class::from_word(text(facts, ship))?;
        let from = self.ship(self.named(text(facts, seat))?, class)?.at?;
        let squares: Vec<String> =
            class.reach(&self.board, from).into_iter().map(|square| self.board.name(square)).collect();
        let from = self.board.name(from);
        let to = facts.get("to").or_else(|| facts.get("on")).and_then(Node::as_text).unwrap_or_default();
        Some(Chart {
            title: "How the ship moves (A.2)".to_owned(),
            columns: vec!["ship", "moves", "from", "to"],
            rows: vec![vec![
                class.as_str().to_owned(),
                class.movement().to_owned(),
                from.clone(),
                to.to_owned(),
            ]],
            notes: vec![format!("One step from {from} leads to: {}.", squares.join(", "))],
        })
    }
}

/// The row of the table by which a combat was decided, and what the two colours make of it.
fn table_row(facts: &Table) -> Option<Chart> {
    let value = |key| colour(text(facts, key));
    let (primary, secondary) = (value("attacker_primary")?, value("attacker_secondary")?);
    let (other_primary, other_secondary) = (value("defender_primary")?, value("defender_secondary")?);
    let need = Need::row(primary, other_primary);
    // One pair of colours for each column: lighter, the same, darker.
    let fates = [(Colour::White, Colour::Grey), (Colour::Grey, Colour::Grey), (Colour::Black, Colour::Grey)];
    let fate = |(one, other)| if need.won_by_attacker(one, other) { "win" } else { "lose" };
    let mut row = vec![primary.to_string(), other_primary.to_string()];
    row.extend(fates.map(fate).map(str::to_owned));
    let (attacker, defender) = (text(facts, "attacker"), text(facts, "defender"));
    let outcome = if need.won_by_attacker(secondary, other_secondary) { "wins" } else { "loses" };
    Some(Chart {
        title: "The row of the table that decides it (A.6)".to_owned(),
        columns: vec!["attacker's primary", "defender's primary", "lighter", "the same", "darker"],
        rows: vec![row],
        notes: vec![
            format!(
                "The last three columns: what becomes of the attacker ({attacker}) when its secondary is lighter than, the same as, or darker than the defender's ({defender})."
            ),
            format!(
                "{}'s secondary is {secondary}, {defender}'s is {other_secondary}. {} is {} {other_secondary}, so {attacker} {outcome}.",
                capital(attacker),
                capital(secondary.as_str()),
                compared(secondary, other_secondary)
            ),
        ],
    })
}
