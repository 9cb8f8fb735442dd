//! The games of the vectors, made by another implementation.

use super::oracle::shield_bashers::{Action, Oracle, Order, SHIPS, Setup, TrueShip};
use super::tools::*;
use std::collections::BTreeMap;

/// An order of a game file, as far as the oracle cares.
#[derive(Clone, Debug, Default)]
struct Read {
    step: usize,
    seat: String,
    draw: bool,
    action: String,
    /// Keys with their table below the action: "ship", "to", "seat", "frigate.square", ...
    text: BTreeMap<String, String>,
    /// (ship, layer, colour); the ship is "" in `secondary` and `tertiary`.
    opened: Vec<(String, String, String)>,
}

fn quoted(line: &str, key: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("{key} = \""))?;
    Some(rest.split('"').next().unwrap().to_string())
}

/// Reads the writer's plain layout line by line (this is no TOML reader).
fn read_game(name: &str) -> (Setup, Vec<Read>) {
    let text = vectors(&format!("games/{name}.game.toml"));
    let mut setup = Setup { board: String::new(), seats: vec![], first: String::new() };
    let mut orders: Vec<Read> = Vec::new();
    let mut table = String::new();
    for line in text.lines() {
        if line.starts_with('[') {
            table = line.trim_matches(|c| c == '[' || c == ']').to_string();
            if line == "[[order]]" {
                orders.push(Read::default());
            } else if let Some(rest) = table.strip_prefix("order.")
                && rest != "signature"
            {
                orders.last_mut().unwrap().action = rest.split('.').next().unwrap().to_string();
            }
            continue;
        }
        let plain = line.trim_start();
        let key = plain.split(" = ").next().unwrap().to_string();
        let string = quoted(plain, &key).unwrap_or_default();
        match (table.as_str(), key.as_str()) {
            ("game.options", "board") => setup.board = string,
            ("game.options", "first") => setup.first = string,
            ("game.seats", "seat") => setup.seats.push(string),
            ("order", "step") => {
                orders.last_mut().unwrap().step = plain[7..].parse().unwrap();
            }
            ("order", "seat") => orders.last_mut().unwrap().seat = string,
            ("order", "draw") => orders.last_mut().unwrap().draw = plain == "draw = true",
            (t, _) if t.starts_with("order.") && t != "order.signature" => {
                let order = orders.last_mut().unwrap();
                if plain.starts_with("{ ship") {
                    let layer = quoted(plain, "layer").unwrap_or("tertiary".to_string());
                    let ship = quoted(plain, "ship").unwrap();
                    order.opened.push((ship, layer, quoted(plain, "colour").unwrap()));
                } else if key == "colour" {
                    let layer = t.rsplit('.').next().unwrap().to_string();
                    // A defence's own shields come before what it owes.
                    let at = order.opened.iter().filter(|o| o.0.is_empty()).count();
                    order.opened.insert(at, (String::new(), layer, string));
                } else if let Some(ship) = t.strip_prefix("order.deploy.fleet.") {
                    order.text.insert(format!("{ship}.{key}"), string);
                } else if !string.is_empty() {
                    order.text.insert(key, string);
                }
            }
            _ => {}
        }
    }
    (setup, orders)
}

type Colours = BTreeMap<(String, String, String), String>;

/// Plays the game with these true colours. An opening that shows another colour is an error that
/// says which: the caller learns from it and begins again. (What is sealed has no effect before it
/// is opened, so every guess is right until then.)
fn replay(
    setup: &Setup,
    orders: &[Read],
    first: Option<usize>,
    truth: &Colours,
    try_everything: bool,
) -> Result<Oracle, ((String, String, String), String)> {
    let mut o = Oracle::new(setup.clone());
    let mut i = 0;
    while i < orders.len() {
        let mut step = Vec::new();
        while i < orders.len() && orders[i].step == o.step {
            let read = &orders[i];
            let mut opens = Vec::new();
            for (ship, layer, colour) in &read.opened {
                let ship = match (ship.as_str(), read.action.as_str()) {
                    ("", "move") => read.text["ship"].clone(),
                    ("", "defend") => o.attack().unwrap().defending_ship.clone(),
                    ("", _) => o.ships().iter().find(|s| s.seat == read.seat).unwrap().ship.clone(),
                    (ship, _) => ship.to_string(),
                };
                let key = (read.seat.clone(), ship.clone(), layer.clone());
                if truth.get(&key) != Some(colour) {
                    return Err((key, colour.clone()));
                }
                opens.push((ship, layer.clone()));
            }
            let action = match read.action.as_str() {
                "seal" => Action::Seal,
                "deploy" => {
                    let colour = |ship: &str, layer: &str| {
                        let key = (read.seat.clone(), ship.to_string(), layer.to_string());
                        truth.get(&key).cloned().unwrap_or("grey".to_string())
                    };
                    let ship = |ship: &str| TrueShip {
                        ship: ship.to_string(),
                        square: read.text[&format!("{ship}.square")].clone(),
                        primary: read.text[&format!("{ship}.primary")].clone(),
                        secondary: colour(ship, "secondary"),
                        tertiary: colour(ship, "tertiary"),
                    };
                    Action::Deploy(SHIPS.map(ship).to_vec())
                }
                "resign" => Action::Resign,
                "move" => {
                    Action::Move { ship: read.text["ship"].clone(), to: read.text["to"].clone(), opens }
                }
                "defend" => Action::Defend { opens },
                "final-battle" => Action::FinalBattle { opens },
                "claim-draw" => Action::ClaimDraw,
                "accept-draw" => Action::AcceptDraw,
                "audit" => Action::Audit { opens },
                "forfeit" => Action::Forfeit { seat: read.text["seat"].clone() },
                "ruling" => Action::Ruling { result: read.text["result"].clone() },
                other => panic!("{other}"),
            };
            step.push(Order { seat: read.seat.clone(), draw: read.draw, action });
            i += 1;
        }
        assert!(!step.is_empty(), "a step without orders");
        for order in &step {
            if try_everything && order.seat != "arbiter" {
                assert!(
                    matches!(order.action, Action::Deploy(_))
                        || o.legal_orders(&order.seat).contains(&Order { draw: false, ..order.clone() }),
                    "step {}: {order:?} is not among the legal ones",
                    o.step
                );
            }
        }
        let die = first.filter(|_| o.first_roll_sides(&step).is_some());
        if i == orders.len() && o.phase() == "audit" && step.len() < o.awaits().len() {
            return Ok(o.with_audits(&step));
        }
        o.close(&step, die).unwrap_or_else(|e| panic!("step {}: {e}: {step:?}", o.step));
    }
    Ok(o)
}

#[test]
fn the_games_of_the_vectors() {
    let folder = format!("{}/tests/vectors/games", env!("CARGO_MANIFEST_DIR"));
    let mut played = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = file.strip_suffix(".game.toml").filter(|n| n.starts_with("sb")) else {
            continue;
        };
        let expected = json(&format!("games/{name}.expected.json"));
        let rolls = expected["rolls"].as_array().unwrap();
        let first = rolls.first().map(|roll| roll["value"].as_u64().unwrap() as usize);
        let (setup, orders) = read_game(name);
        let mut truth = Colours::new();
        let o = loop {
            match replay(&setup, &orders, first, &truth, false) {
                Ok(_) => break replay(&setup, &orders, first, &truth, true).unwrap(),
                Err((key, colour)) => {
                    let known = truth.insert(key, colour);
                    assert_eq!(known, None, "{name}: two colours of one shield");
                }
            }
        };
        let list = |key: &str| -> Vec<String> {
            let list = expected[key].as_array().unwrap().iter();
            list.map(|v| v.as_str().unwrap().to_string()).collect()
        };
        assert_eq!(o.step as u64, expected["step"].as_u64().unwrap(), "{name}");
        assert_eq!(o.phase(), expected["phase"].as_str().unwrap(), "{name}");
        assert_eq!(o.awaits(), list("awaits"), "{name}");
        assert_eq!(o.out(), list("out"), "{name}");
        assert_eq!(o.caught(), list("caught"), "{name}");
        assert_eq!(o.quiet_turns() as u64, expected["quiet_turns"].as_u64().unwrap(), "{name}");
        let ships: Vec<serde_json::Value> = o
            .ships()
            .iter()
            .map(|s| {
                let mut ship = serde_json::json!({
                    "seat": s.seat, "ship": s.ship, "square": s.square, "primary": s.primary,
                    "tertiary": s.tertiary,
                });
                if let Some(colour) = &s.secondary {
                    ship["secondary"] = colour.as_str().into();
                }
                ship
            })
            .collect();
        assert_eq!(serde_json::Value::Array(ships), expected["ships"], "{name}");
        let result = match o.result() {
            None => serde_json::Value::Null,
            Some(outcome) => {
                let mut result = serde_json::json!({ "kind": outcome.kind });
                if let Some(seat) = outcome.seat {
                    result["seat"] = seat.into();
                }
                if let Some(by) = outcome.by {
                    result["by"] = by.into();
                }
                if outcome.provisional {
                    result["provisional"] = true.into();
                }
                result
            }
        };
        assert_eq!(result, expected["result"], "{name}");
        played += 1;
    }
    assert_eq!(played, 16);
}
