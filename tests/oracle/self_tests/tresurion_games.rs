//! The Tresurion games of the vectors, made by another implementation. Dice come from the nonces in the
//! orders (P-8) and must be, one after another, those that are expected.

use super::oracle::tresurion::{End, Game, Options};
use super::tools::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

type Pairs = Vec<(String, String)>;

/// An order of a game file, as far as the oracle cares.
#[derive(Clone, Debug, Default)]
struct Read {
    step: u64,
    seat: String,
    draw: bool,
    action: String,
    ships: Pairs,
    moves: Pairs,
    fire: Pairs,
    nonce: String,
}

/// The words in quotes on a line.
fn words(line: &str) -> Vec<String> {
    line.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// Reads the writer's plain layout line by line (this is no TOML reader).
fn read_game(name: &str) -> (String, Options, Vec<String>, Vec<Read>) {
    let mut game = String::new();
    let mut options = Options::usual();
    let mut seats = Vec::new();
    let mut orders: Vec<Read> = Vec::new();
    let (mut table, mut list) = (String::new(), String::new());
    for line in vectors(&format!("games/{name}.game.toml")).lines() {
        if line.starts_with('[') {
            table = line.trim_matches(|c| c == '[' || c == ']').to_string();
            if table == "order" {
                orders.push(Read::default());
            } else if let Some(rest) = table.strip_prefix("order.")
                && rest != "signature"
            {
                orders.last_mut().unwrap().action = rest.split('.').next().unwrap().to_string();
            }
            continue;
        }
        let words = words(line);
        if line.starts_with("  {") {
            let order = orders.last_mut().unwrap();
            let into = match list.as_str() {
                "ships" => &mut order.ships,
                "moves" => &mut order.moves,
                "fire" => &mut order.fire,
                other => panic!("{other}"),
            };
            into.push((words[0].clone(), words[1].clone()));
            continue;
        }
        let Some((key, value)) = line.split_once(" = ") else { continue };
        let number = || value.parse::<u32>().unwrap();
        match (table.as_str(), key) {
            ("game.options", "width") => options.width = number(),
            ("game.options", "length") => options.length = number(),
            ("game.options", "reach") => options.reach = words[0].clone(),
            ("game.options", "quiet_turns") => options.quiet_turns = number(),
            ("game.options", "asteroids" | "wormholes") => assert_eq!(value, "[]"),
            ("game.seats", "seat") => seats.push(words[0].clone()),
            ("order", "game") => game = words[0].clone(),
            ("order", "step") => orders.last_mut().unwrap().step = u64::from(number()),
            ("order", "seat") => orders.last_mut().unwrap().seat = words[0].clone(),
            ("order", "draw") => orders.last_mut().unwrap().draw = value == "true",
            (_, "ships" | "moves" | "fire") => list = key.to_string(),
            (_, "nonce") if table.ends_with(".dice") => {
                orders.last_mut().unwrap().nonce = words[0].clone();
            }
            _ => {}
        }
    }
    (game, options, seats, orders)
}

/// P-8: "key(label) = H("roll", { game, nonces, label })"; "words of the ChaCha20 keystream under that
/// key, skipping words >= floor(2^32 / n) * n; then word % n + 1".
fn die(game: &str, nonces: &[(&str, &str)], label: &str, sides: u32) -> u32 {
    let mut sorted = nonces.to_vec();
    sorted.sort();
    let mut inner = String::new();
    for (seat, nonce) in sorted {
        let comma = if inner.is_empty() { "" } else { "," };
        write!(inner, r#"{comma}"{seat}":"{nonce}""#).unwrap();
    }
    let value = format!(r#"{{"game":"{game}","label":"{label}","nonces":{{{inner}}}}}"#);
    let key: [u8; 32] = Sha256::digest(format!("sealed-orders/1 roll\n{value}")).into();
    let mut words = ChaCha20Rng::from_seed(key);
    let limit = (1_u64 << 32) / u64::from(sides) * u64::from(sides);
    loop {
        let word = words.next_u32();
        if u64::from(word) < limit {
            return word % sides + 1;
        }
    }
}

fn replay(name: &str) {
    let expected = json(&format!("games/{name}.expected.json"));
    let (id, options, seats, orders) = read_game(name);
    assert_eq!(id, expected["game"].as_str().unwrap());
    let mut rolls = Vec::new();
    let mut throw = |step: u64, nonces: &[(&str, &str)], label: &str, sides: u32| {
        let value = die(&id, nonces, label, sides);
        rolls.push(serde_json::json!({ "step": step, "label": label, "sides": sides, "value": value }));
        value
    };
    let actions: Vec<&str> = orders[..4].iter().map(|order| order.action.as_str()).collect();
    assert_eq!(actions, ["seal", "seal", "deploy", "deploy"], "{name}");
    let nonces: Vec<(&str, &str)> =
        orders[2..4].iter().map(|order| (order.seat.as_str(), order.nonce.as_str())).collect();
    let fleets = [orders[2].ships.as_slice(), orders[3].ships.as_slice()];
    let mut first = |label: &str, sides: u32| throw(1, &nonces, label, sides);
    let mut game = Game::begin(&options, [&seats[0], &seats[1]], fleets, &mut first).unwrap();

    for (i, order) in orders.iter().enumerate().skip(4) {
        let seat = seats.iter().position(|name| *name == order.seat).unwrap();
        let done = match order.action.as_str() {
            "round" => game.apply_round(seat, &order.moves, &order.fire, order.draw),
            "roll" => {
                let round = &orders[i - 1];
                assert_eq!(round.action, "round");
                let nonces = [(round.seat.as_str(), round.nonce.as_str()), (&order.seat, &order.nonce)];
                game.apply_roll(seat, &mut |label, sides| throw(order.step, &nonces, label, sides))
            }
            "claim-draw" => game.claim_draw(seat),
            "resign" => game.resign(seat),
            other => panic!("{other}"),
        };
        done.unwrap_or_else(|error| panic!("{name}, step {}: {error}", order.step));
        assert_eq!(order.step, i as u64 - 2, "{name}: one order a step from here on");
    }

    assert_eq!(serde_json::Value::Array(rolls), expected["rolls"], "{name}");
    assert_eq!(orders.last().unwrap().step + 1, expected["step"].as_u64().unwrap(), "{name}");
    assert_eq!(u64::from(game.turn), expected["turn"].as_u64().unwrap(), "{name}");
    let ships: Vec<serde_json::Value> = game
        .ships
        .iter()
        .map(|ship| {
            serde_json::json!({
                "seat": seats[ship.seat], "id": ship.id, "at": ship.at, "damage": ship.damage,
            })
        })
        .collect();
    assert_eq!(serde_json::Value::Array(ships), expected["ships"], "{name}");
    let (phase, awaits) = match game.awaited() {
        None => ("over", vec![]),
        Some((seat, phase)) => (phase, vec![seats[seat].clone()]),
    };
    assert_eq!(phase, expected["phase"].as_str().unwrap(), "{name}");
    assert_eq!(serde_json::json!(awaits), expected["awaits"], "{name}");
    let result = match game.end {
        None => serde_json::Value::Null,
        Some(End::Win { seat }) => serde_json::json!({ "kind": "win", "seat": seats[seat] }),
        Some(End::Draw) => serde_json::json!({ "kind": "draw" }),
    };
    assert_eq!(result, expected["result"], "{name}");
}

#[test]
fn the_tresurion_games_of_the_vectors() {
    let folder = format!("{}/tests/vectors/games", env!("CARGO_MANIFEST_DIR"));
    let mut played = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = file.strip_suffix(".game.toml").filter(|name| name.starts_with("tr")) {
            replay(name);
            played += 1;
        }
    }
    assert_eq!(played, 3);
}
