//! A position of the engine is that of the oracle.

use sealed_orders::document::{Node, Table, Value};
use sealed_orders::games::{Ending, Outcome, State};
use sealed_orders::log::{Header, Verified};

use super::oracle::tresurion::{End, Game};

pub fn number(table: &Table, key: &str) -> u64 {
    match table.get(key).map(|node| &node.value) {
        Some(Value::Integer(number)) => *number,
        other => panic!("{key}: {other:?}"),
    }
}

pub fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Node::as_text).unwrap_or_else(|| panic!("{key}: {table:?}"))
}

/// The elements of a list; none where there is no list.
pub fn items<'a>(table: &'a Table, key: &str) -> &'a [Node] {
    match table.get(key).map(|node| &node.value) {
        None => &[],
        Some(Value::List(items)) => items,
        other => panic!("{key}: {other:?}"),
    }
}

/// A text of an order's table, by the keys that lead there.
pub fn part<'a>(order: &'a Verified, path: &[&str]) -> Option<&'a str> {
    let mut here = order.order().details();
    for key in path {
        here = here.as_table()?.get(key)?;
    }
    here.as_text()
}

type Row = (String, String, String, u64);

/// Seat, ship, square, damage.
fn ships(table: &Table) -> Vec<Row> {
    let row = |node: &Node| {
        let table = node.as_table().unwrap();
        let text = |key| text(table, key).to_owned();
        (text("seat"), text("id"), text("at"), number(table, "damage"))
    };
    items(table, "ships").iter().map(row).collect()
}

/// `ruled`: the arbiter has ended what the oracle would still play.
pub fn same(header: &Header, state: &dyn State, game: &Game, ruled: Option<&Outcome>) {
    let table = state.position();
    let expected: Vec<Row> = game
        .ships
        .iter()
        .map(|ship| (game.seats[ship.seat].clone(), ship.id.clone(), ship.at.clone(), ship.damage.into()))
        .collect();
    assert_eq!(ships(&table), expected);
    assert_eq!(number(&table, "turn"), u64::from(game.turn));
    assert_eq!(number(&table, "quiet_turns"), u64::from(game.quiet_turns));
    assert_eq!(text(&table, "first"), game.seats[game.player_one]);

    let awaited = if ruled.is_some() { None } else { game.awaited() };
    let seats: Vec<&str> = state.awaited().into_iter().map(|seat| header.seat(seat).as_str()).collect();
    assert_eq!(seats, awaited.map(|(seat, _)| game.seats[seat].as_str()).into_iter().collect::<Vec<_>>());
    assert_eq!(state.phase().as_str(), awaited.map_or("over", |(_, kind)| kind));

    let fired: Vec<(&str, &str)> = items(&table, "fired")
        .iter()
        .map(|node| (text(node.as_table().unwrap(), "ship"), text(node.as_table().unwrap(), "at")))
        .collect();
    let pending = if ruled.is_some() { &[][..] } else { &game.pending[..] };
    let pending: Vec<(&str, &str)> =
        pending.iter().map(|shot| (shot.ship.as_str(), shot.target.as_str())).collect();
    assert_eq!(fired, pending);

    let offers: Vec<&str> =
        items(&table, "draw_offered_by").iter().map(|node| node.as_text().unwrap()).collect();
    let standing = [0, 1].into_iter().filter(|seat| awaited.is_some() && game.offers[*seat]);
    assert_eq!(offers, standing.map(|seat| game.seats[seat].as_str()).collect::<Vec<_>>());

    let outcome = ruled.cloned().or_else(|| {
        game.end.as_ref().map(|end| match end {
            End::Win { seat } => Outcome::Win(header.index(&game.seats[*seat].parse().unwrap()).unwrap()),
            End::Draw => Outcome::Draw,
        })
    });
    assert_eq!(state.ending(), outcome.map(|outcome| Ending { outcome, provisional: false }));
}
