//! Reading the vectors; orders, fleets and positions in few words.

use super::oracle::shield_bashers::combat::COLOURS;
use super::oracle::shield_bashers::{
    Action, Opening, Oracle, Order, Outcome, Placed, SHIPS, Setup, TrueShip,
};

pub fn vectors(name: &str) -> String {
    let path = format!("{}/tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn json(name: &str) -> serde_json::Value {
    serde_json::from_str(&vectors(name)).unwrap()
}

pub fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

/// Colours as letters: "wgb" is frigate white, destroyer grey, cruiser black.
pub fn fleet(o: &Oracle, seat: &str, primary: &str, secondary: &str, tertiary: &str) -> Vec<TrueShip> {
    let corner = o.corner(seat);
    let beside = o.board.straight_neighbours(&corner);
    let squares = [beside[0].clone(), beside[1].clone(), corner];
    let colour = |letters: &str, i: usize| {
        let letter = letters.chars().nth(i).unwrap();
        COLOURS.iter().find(|c| c.starts_with(letter)).unwrap().to_string()
    };
    let ship = |i: usize| TrueShip {
        ship: SHIPS[i].to_string(),
        square: squares[i].clone(),
        primary: colour(primary, i),
        secondary: colour(secondary, i),
        tertiary: colour(tertiary, i),
    };
    vec![ship(0), ship(1), ship(2)]
}

/// A game after step 1: the seats with their (primary, secondary, tertiary), the first to begin.
pub fn started(board: &str, fleets: &[(&str, &str, &str, &str)]) -> Oracle {
    let seats: Vec<&str> = fleets.iter().map(|f| f.0).collect();
    let mut o = Oracle::new(Setup { board: board.into(), seats: strings(&seats), first: seats[0].into() });
    let seals: Vec<Order> = seats.iter().map(|s| Order::new(s, Action::Seal)).collect();
    o.close(&seals, None).unwrap();
    let deploys: Vec<Order> = fleets
        .iter()
        .map(|(seat, p, s, t)| Order::new(seat, Action::Deploy(fleet(&o, seat, p, s, t))))
        .collect();
    o.close(&deploys, None).unwrap();
    o
}

/// Puts exactly these ships on the board (a shortcut past a long middle game).
pub fn set_up(o: &mut Oracle, ships: &[(&str, &str, &str)]) {
    o.on_board.clear();
    for (seat, ship, square) in ships {
        let (seat, ship, square) = (seat.to_string(), ship.to_string(), square.to_string());
        o.on_board.push(Placed { seat, ship, square });
    }
}

pub fn opens(list: &[(&str, &str)]) -> Vec<Opening> {
    list.iter().map(|(ship, layer)| (ship.to_string(), layer.to_string())).collect()
}

pub fn mv(seat: &str, ship: &str, to: &str, list: &[(&str, &str)]) -> Order {
    Order::new(seat, Action::Move { ship: ship.into(), to: to.into(), opens: opens(list) })
}
pub fn defend(seat: &str, list: &[(&str, &str)]) -> Order {
    Order::new(seat, Action::Defend { opens: opens(list) })
}
pub fn last_fight(seat: &str, list: &[(&str, &str)]) -> Order {
    Order::new(seat, Action::FinalBattle { opens: opens(list) })
}
pub fn resign(seat: &str) -> Order {
    Order::new(seat, Action::Resign)
}
pub fn claim(seat: &str) -> Order {
    Order::new(seat, Action::ClaimDraw)
}
pub fn forfeit(seat: &str) -> Order {
    Order::new("arbiter", Action::Forfeit { seat: seat.into() })
}
pub fn ruling(result: &str) -> Order {
    Order::new("arbiter", Action::Ruling { result: result.into() })
}
pub fn audit(o: &Oracle, seat: &str) -> Order {
    Order::new(seat, Action::Audit { opens: o.sealed(seat) })
}

pub fn play(o: &mut Oracle, orders: &[Order]) {
    for order in orders {
        o.close(std::slice::from_ref(order), None).unwrap_or_else(|e| panic!("{order:?}: {e}"));
    }
}

#[track_caller]
pub fn refused(o: &Oracle, order: Order, rule: &str) {
    let error = o.judge(&order).expect_err("a refusal");
    assert!(error.starts_with(&format!("{rule}:")), "{error}");
}

/// Everyone awaited audits honestly.
pub fn audit_all(o: &mut Oracle) {
    let audits: Vec<Order> = o.awaits().iter().map(|seat| audit(o, seat)).collect();
    o.close(&audits, None).unwrap();
    assert_eq!(o.phase(), "over");
}

pub fn outcome(kind: &str, seat: Option<&str>, provisional: bool) -> Option<Outcome> {
    Some(Outcome { kind: kind.into(), seat: seat.map(String::from), by: None, provisional })
}

pub fn void_by(by: &str) -> Option<Outcome> {
    Some(Outcome { kind: "void".into(), seat: None, by: Some(by.into()), provisional: false })
}

pub fn square(o: &Oracle, seat: &str, ship: &str) -> String {
    o.placed(seat, ship).unwrap().square.clone()
}

/// Two ships left, one each, that cannot meet soon, and n quiet turns (n even: red is to move).
pub fn two_ships(secondaries: [&str; 2], n: usize) -> Oracle {
    let mut o =
        started("half", &[("red", "wgb", secondaries[0], "wgb"), ("blue", "wgb", secondaries[1], "wgb")]);
    set_up(&mut o, &[("red", "frigate", "a1"), ("blue", "frigate", "d8")]);
    for i in 0..n {
        let (seat, squares) = if i % 2 == 0 { ("red", ["a2", "a1"]) } else { ("blue", ["d7", "d8"]) };
        play(&mut o, &[mv(seat, "frigate", squares[i / 2 % 2], &[])]);
    }
    assert_eq!(o.quiet_turns(), n);
    o
}
