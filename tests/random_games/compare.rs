//! The engine's position, said in the oracle's words.

use sealed_orders::document::{Node, Table, Value};
use sealed_orders::games::{Outcome as Came, Phase, State};
use sealed_orders::log::Header;

use super::oracle::shield_bashers::{Oracle, Outcome, Shown};

fn text(table: &Table, key: &str) -> String {
    table.get(key).and_then(Node::as_text).unwrap_or_else(|| panic!("no {key} in {table:?}")).to_owned()
}

fn list<'a>(table: &'a Table, key: &str) -> &'a [Node] {
    match table.get(key).map(|node| &node.value) {
        Some(Value::List(list)) => list,
        None => &[],
        Some(other) => panic!("{key} is {other:?}"),
    }
}

fn flag(table: &Table, key: &str) -> bool {
    matches!(table.get(key).map(|node| &node.value), Some(Value::Boolean(true)))
}

fn words(table: &Table, key: &str) -> Vec<String> {
    list(table, key).iter().map(|node| node.as_text().unwrap().to_owned()).collect()
}

fn shown(node: &Node) -> Shown {
    let table = node.as_table().unwrap();
    Shown {
        seat: text(table, "seat"),
        ship: text(table, "ship"),
        square: text(table, "square"),
        primary: text(table, "primary"),
        tertiary: flag(table, "tertiary"),
        secondary: table.get("secondary").and_then(Node::as_text).map(str::to_owned),
    }
}

pub fn outcome(header: &Header, state: &dyn State) -> Option<Outcome> {
    let ending = state.ending()?;
    let (kind, seat, by) = match ending.outcome {
        Came::Win(seat) => ("win", Some(header.seat(seat).to_string()), None),
        Came::Draw => ("draw", None, None),
        Came::Void(by) => ("void", None, Some(by)),
        Came::None => ("none", None, None),
    };
    Some(Outcome { kind: kind.to_owned(), seat, by, provisional: ending.provisional })
}

pub fn awaits(header: &Header, state: &dyn State) -> Vec<String> {
    state.awaited().into_iter().map(|seat| header.seat(seat).to_string()).collect()
}

/// Engine and oracle must stand at the same position.
pub fn same(header: &Header, state: &dyn State, oracle: &Oracle) {
    assert_eq!(state.phase().as_str(), oracle.phase(), "the phase");
    assert_eq!(awaits(header, state), oracle.awaits(), "whom the step awaits");
    assert_eq!(outcome(header, state), oracle.result(), "the result");
    let table = state.position();
    let ships: Vec<Shown> = list(&table, "ships").iter().map(shown).collect();
    // A game that is void before anybody deployed has no ships to show, and one that a ruling
    // ended in its first steps has no position but that.
    assert_eq!(ships, oracle.ships(), "the ships");
    assert_eq!(words(&table, "out"), oracle.out(), "who is out");
    assert_eq!(words(&table, "caught"), oracle.caught(), "who was caught");
    let quiet = match table.get("quiet_turns").map(|node| &node.value) {
        Some(Value::Integer(number)) => *number as usize,
        None => 0,
        Some(other) => panic!("quiet_turns is {other:?}"),
    };
    assert_eq!(quiet, oracle.quiet_turns(), "the quiet turns");
    if oracle.result().is_none() {
        let mut offers = oracle.offers();
        offers.sort_by_key(|seat| oracle.setup.seats.iter().position(|other| other == seat));
        assert_eq!(words(&table, "draw_offered_by"), offers, "the offers");
    }
    if state.phase() == Phase::Defend {
        let waits = table.get("attack").and_then(Node::as_table).expect("the attack");
        let attack = oracle.attack().expect("the attack");
        let said = [&attack.attacker, &attack.attacking_ship, &attack.defender, &attack.defending_ship];
        let found = ["attacker", "with", "defender", "target"].map(|key| text(waits, key));
        assert_eq!(found.each_ref(), said, "the attack");
        assert_eq!(flag(waits, "final"), attack.final_battle, "the final battle");
    }
}
