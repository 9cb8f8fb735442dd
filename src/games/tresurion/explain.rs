//! What a step rests on: which rules decide an event, and the numbers behind every move, shot
//! and damage. For a referee who does not know the game.

use super::field::Square;
use super::fleet::ShipId;
use super::position::Position;
use crate::document::{Node, Table, Value};
use crate::games::{Chart, Event, Grounds, Rulebook};
use crate::ident::SeatIndex;

/// The rules in words.
pub(super) const RULEBOOK: Rulebook =
    Rulebook { file: "docs/rules/tresurion.md", text: include_str!("../../../docs/rules/tresurion.md") };

/// The rules that decide an event.
pub(super) fn rules_of(event: &Event) -> Vec<&'static str> {
    let rules: &[&str] = match event.kind {
        "sealed" => &["TR-4", "protocol 12, seal"],
        "deployed" => &["TR-1", "TR-3", "TR-4", "protocol 12, deploy"],
        "void" => &["protocol 12, step 0", "protocol 12, step 1"],
        "ruling" => &["protocol 11, ruling"],
        "forfeit" => &["TR-16", "protocol 11, forfeit"],
        "proven" => &["TR-16", "protocol 8, proof"],
        "resign" => &["TR-16", "protocol 12, resign"],
        "initiative" => &["TR-5"],
        "round" if list(&event.facts, "fire").is_empty() => &["TR-6", "TR-8"],
        "round" => &["TR-6", "TR-8", "TR-9", "TR-10", "TR-11"],
        "shot" => &["TR-12"],
        "damage" => &["TR-13", "TR-14"],
        "won" | "leave" => &["TR-16"],
        "claim" => &["TR-17"],
        "draw" => &["TR-16", "TR-17"],
        _ => &[],
    };
    rules.to_vec()
}

fn text<'a>(facts: &'a Table, key: &str) -> &'a str {
    facts.get(key).and_then(Node::as_text).unwrap_or_default()
}

fn number(facts: &Table, key: &str) -> Option<u64> {
    match facts.get(key).map(|node| &node.value) {
        Some(Value::Integer(number)) => Some(*number),
        _ => None,
    }
}

fn list<'a>(facts: &'a Table, key: &str) -> &'a [Node] {
    match facts.get(key).map(|node| &node.value) {
        Some(Value::List(list)) => list,
        _ => &[],
    }
}

impl Position {
    /// What the events of the step that closes this position rest on.
    pub(super) fn grounds_of(&self, events: &[Event]) -> Grounds {
        let mut charts = Vec::new();
        for event in events.iter().filter(|event| event.kind == "round") {
            charts.extend(self.moves_made(&event.facts));
            charts.extend(self.shots_aimed(&event.facts));
        }
        let of =
            |kind: &str| events.iter().filter(|event| event.kind == kind).map(|event| &event.facts).collect();
        charts.extend(shots_rolled(of("shot")));
        charts.extend(self.damage_done(of("damage")));
        Grounds { charts, slots: Vec::new() }
    }

    fn named(&self, name: &str) -> Option<SeatIndex> {
        self.fleets.seats().find(|seat| self.name(*seat) == name)
    }

    /// The moves of a round: how long each way was, and how long it could have been.
    fn moves_made(&self, facts: &Table) -> Option<Chart> {
        let seat = self.named(text(facts, "seat"))?;
        let moves: Vec<(&str, &str)> = list(facts, "moves")
            .iter()
            .filter_map(Node::as_table)
            .map(|step| (text(step, "ship"), text(step, "to")))
            .collect();
        let row = |(place, (ship, to)): (usize, &(&str, &str))| {
            let id: ShipId = ship.parse().ok()?;
            let to: Square = to.parse().ok()?;
            // The board as the moves before this one have left it.
            let before = self.survey(seat, moves.get(..place).unwrap_or_default(), &[]);
            let from = before.after.ship(seat, id)?.at?;
            let rate = id.class.row().rate;
            let standing = |square| before.stand.standing(seat, square);
            let steps = self.field.steps(from, to, rate, standing)?;
            Some(vec![id.to_string(), from.to_string(), to.to_string(), steps.to_string(), rate.to_string()])
        };
        let rows: Vec<Vec<String>> = moves.iter().enumerate().filter_map(row).collect();
        (!rows.is_empty()).then(|| Chart {
            title: "The moves, one after the other (TR-8)".to_owned(),
            columns: vec!["ship", "from", "to", "steps", "movement rate"],
            rows,
            notes: vec![
                "Steps are those of a shortest free way; they may not be more than the rate.".to_owned(),
            ],
        })
    }

    /// The shots of a round, as they were judged after its moves: range and sight.
    fn shots_aimed(&self, facts: &Table) -> Option<Chart> {
        let seat = self.named(text(facts, "seat"))?;
        let pairs = |key: &str, other: &str| -> Vec<(String, String)> {
            let tables = list(facts, key).iter().filter_map(Node::as_table);
            tables.map(|table| (text(table, "ship").to_owned(), text(table, other).to_owned())).collect()
        };
        let (moves, fire) = (pairs("moves", "to"), pairs("fire", "at"));
        let words: Vec<(&str, &str)> = moves.iter().map(|(ship, to)| (ship.as_str(), to.as_str())).collect();
        let after = self.survey(seat, &words, &[]).after;
        let rows: Vec<Vec<String>> =
            fire.iter().filter_map(|(ship, at)| after.shot_row(seat, ship, at)).collect();
        (!rows.is_empty()).then(|| Chart {
            title: "The shots, judged after all moves (TR-9, TR-10)".to_owned(),
            columns: vec!["ship", "on", "target", "on", "distance", "range", "reaches"],
            rows,
            notes: vec![format!(
                "Ranges are read by the option reach = {:?}. No square between ship and target blocks the sight. The dice come with the roll that answers.",
                self.reach.as_str()
            )],
        })
    }

    /// Who fires from where at what, and how far that is.
    fn shot_row(&self, seat: SeatIndex, ship: &str, at: &str) -> Option<Vec<String>> {
        let (ship, target): (ShipId, ShipId) = (ship.parse().ok()?, at.parse().ok()?);
        let from = self.ship(seat, ship)?.at?;
        let on = self.ship(self.other(seat), target)?.at?;
        Some(vec![
            ship.to_string(),
            from.to_string(),
            target.to_string(),
            on.to_string(),
            from.distance(on).to_string(),
            ship.class.row().range.to_string(),
            self.largest_distance(ship).to_string(),
        ])
    }

    /// What the hits on each target came to.
    fn damage_done(&self, targets: Vec<&Table>) -> Option<Chart> {
        let row = |facts: &Table| {
            let target: ShipId = text(facts, "ship").parse().ok()?;
            let owner = self.named(text(facts, "seat"))?;
            let hits: Vec<u64> = list(facts, "hits")
                .iter()
                .filter_map(|hit| match hit.value {
                    Value::Integer(number) => Some(number),
                    _ => None,
                })
                .collect();
            let (through, after) = (number(facts, "through")?, number(facts, "damage")?);
            let shield = u64::from(target.class.row().shield);
            Some(vec![
                format!("{}/{target}", self.name(owner)),
                hits.iter().sum::<u64>().to_string(),
                shield.to_string(),
                through.to_string(),
                after.saturating_sub(through).to_string(),
                after.to_string(),
                if after >= shield { "destroyed" } else { "stays" }.to_owned(),
            ])
        };
        let rows: Vec<Vec<String>> = targets.into_iter().filter_map(row).collect();
        (!rows.is_empty()).then(|| Chart {
            title: "The damage (TR-13, TR-14)".to_owned(),
            columns: vec!["target", "hits", "less shield", "left", "had", "has", ""],
            rows,
            notes: vec!["A ship whose damage is its shield or more is destroyed.".to_owned()],
        })
    }
}

/// The shots that were rolled: what each needed, and what it got.
fn shots_rolled(shots: Vec<&Table>) -> Option<Chart> {
    let row = |facts: &Table| {
        let (ship, target): (ShipId, ShipId) =
            (text(facts, "ship").parse().ok()?, text(facts, "at").parse().ok()?);
        let die = number(facts, "die")?;
        let rate = u64::from(target.class.row().rate);
        let bonus = u64::from(ship.class.row().bonus);
        let damage = number(facts, "damage");
        Some(vec![
            ship.to_string(),
            target.to_string(),
            rate.to_string(),
            (rate + 10).min(20).to_string(),
            die.to_string(),
            if damage.is_some() { "hit" } else { "miss" }.to_owned(),
            damage
                .map_or_else(|| "-".to_owned(), |damage| format!("{damage} + {bonus} = {}", damage + bonus)),
        ])
    };
    let rows: Vec<Vec<String>> = shots.into_iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Chart {
        title: "The shots (TR-12, TR-13)".to_owned(),
        columns: vec!["ship", "target", "its rate", "needs", "die", "", "damage die + bonus"],
        rows,
        notes: vec![
            "The attack die (1 to 20) less the target's movement rate must be 10 or more; a 20 always hits."
                .to_owned(),
        ],
    })
}
