//! The vectors of the independent implementation, reproduced value for value.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "in a test a panic is the way to say no"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sealed_orders::crypto::{self, Identity, Promise, Roll, Signature, SoundKey, Tag};
use sealed_orders::document::{self, Node, Table, Value as Tree};
use sealed_orders::games::shield_bashers::{Board, BoardKind, Colour, Need};
use sealed_orders::games::tresurion::{Class, Field, Reach, Square as FieldSquare, Standing, hits};
use sealed_orders::ident::{Fresh, GameId, Head, Nonce, OrderDigest, PublicKey, Seat, Time};
use sealed_orders::log::{GameFile, Header, SignedOrder, close_step};
use sealed_orders::turn::{Replay, Verdict, adjudicate, compare_position, position};
use serde_json::Value;
use zeroize::Zeroizing;

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

fn json(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(vectors().join(name)).unwrap()).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    let list = value[key].as_array().unwrap_or_else(|| panic!("{key} in {value}"));
    assert!(!list.is_empty(), "{key} is empty");
    list
}

/// JSON to a tree; a string in the spelling of a time becomes a time, as TOML has it.
fn tree(value: &Value) -> Node {
    match value {
        Value::String(text) => match text.parse::<Time>() {
            Ok(time) => Tree::Time(time).into(),
            Err(_) => Tree::Text(text.clone()).into(),
        },
        Value::Number(number) => Tree::Integer(number.as_u64().unwrap()).into(),
        Value::Bool(flag) => Tree::Boolean(*flag).into(),
        Value::Array(list) => Tree::List(list.iter().map(tree).collect()).into(),
        Value::Object(map) => {
            let mut table = Table::default();
            for (key, value) in map {
                table.push(key.as_str(), tree(value));
            }
            table.into()
        }
        Value::Null => panic!("null is no value"),
    }
}

fn seed(hex: &str) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(sealed_orders::ident::from_hex(hex).unwrap())
}

#[test]
fn header_digest_and_keys() {
    let all = json("protocol.json");
    let header = Header::read(&tree(&all["header"])).unwrap();
    assert_eq!(header.id().to_string(), text(&all, "game"));
    let keys = all["keys"].as_object().unwrap();
    assert!(!keys.is_empty());
    for (seat, pair) in keys {
        let identity = Identity::from_seed(&seed(text(pair, "seed")));
        assert_eq!(identity.public().to_string(), text(pair, "public"), "{seat}");
        assert!(SoundKey::check(&identity.public()).is_ok(), "{seat}");
    }
}

#[test]
fn derived_secrets() {
    let all = json("protocol.json");
    for secret in list(&all, "secrets") {
        let seat: Seat = text(secret, "seat").parse().unwrap();
        let game: GameId = text(secret, "game").parse().unwrap();
        let fresh: Fresh = text(secret, "fresh").parse().unwrap();
        let identity = Identity::from_seed(&seed(text(&all["keys"][seat.as_str()], "seed")));
        let secrets = identity.secrets(&game, &seat, &fresh);
        assert_eq!(sealed_orders::ident::to_hex(&*secrets.reveal()), text(secret, "secret"));
        let salts = secret["salts"].as_object().unwrap();
        assert!(!salts.is_empty());
        for (what, salt) in salts {
            assert_eq!(secrets.salt(what).open_salt().to_string(), salt.as_str().unwrap(), "{what}");
        }
    }
}

#[test]
fn commitments() {
    let all = json("protocol.json");
    let parts = |value: &Value| {
        let game: GameId = text(value, "game").parse().unwrap();
        let seat: Seat = text(value, "seat").parse().unwrap();
        (game, seat)
    };
    for shield in list(&all, "shields") {
        let (game, seat) = parts(shield);
        let keys = ["ship", "layer", "colour", "salt"];
        let promise = Promise::new(Tag::Shield, &game, &seat, keys.map(|key| (key, tree(&shield[key]))));
        assert_eq!(promise.commitment().to_string(), text(shield, "commitment"));
    }
    for nonce in list(&all, "nonces") {
        let (game, seat) = parts(nonce);
        let value: Nonce = text(nonce, "nonce").parse().unwrap();
        let promise = crypto::nonce_promise(&game, &seat, nonce["index"].as_u64().unwrap(), &value);
        assert_eq!(promise.commitment().to_string(), text(nonce, "commitment"));
    }
    for fleet in list(&all, "fleets") {
        let (game, seat) = parts(fleet);
        let promise =
            Promise::new(Tag::Fleet, &game, &seat, ["fleet", "salt"].map(|key| (key, tree(&fleet[key]))));
        assert_eq!(promise.commitment().to_string(), text(fleet, "commitment"));
    }
}

#[test]
fn orders_and_signatures() {
    let all = json("protocol.json");
    for order in list(&all, "orders") {
        let body = tree(&order["body"]);
        assert_eq!(document::canonical(&body), text(order, "canonical"));
        let preimage = crypto::preimage(Tag::Order, &body);
        assert_eq!(sealed_orders::ident::to_hex(&crypto::hash(&preimage)), text(order, "preimage_sha256"));
        let signature = Signature {
            check: OrderDigest::new(crypto::hash(&preimage)).check_digits(),
            r: text(&order["signature"], "r").parse().unwrap(),
            s: text(&order["signature"], "s").parse().unwrap(),
        };
        let key = SoundKey::check(&text(order, "public").parse::<PublicKey>().unwrap()).unwrap();
        assert!(crypto::verify(&key, &preimage, &signature));
        let identity = Identity::from_seed(&seed(text(&all["keys"][text(order, "seat")], "seed")));
        assert_eq!(identity.sign(&preimage), signature);
    }
}

#[test]
fn steps() {
    for step in list(&json("protocol.json"), "steps") {
        let after: Head = text(step, "after").parse().unwrap();
        let orders: Vec<OrderDigest> =
            list(step, "orders").iter().map(|order| order.as_str().unwrap().parse().unwrap()).collect();
        assert_eq!(close_step(&after, &orders).to_string(), text(step, "head"));
    }
}

#[test]
fn dice() {
    let all = json("protocol.json");
    for roll in list(&all, "rolls") {
        let game: GameId = text(roll, "game").parse().unwrap();
        let nonces = roll["nonces"].as_object().unwrap();
        let nonces = nonces
            .iter()
            .map(|(seat, nonce)| (seat.parse().unwrap(), nonce.as_str().unwrap().parse().unwrap()))
            .collect();
        let sides = u32::try_from(roll["sides"].as_u64().unwrap()).unwrap();
        let rolled = crypto::roll(&game, Roll { label: text(roll, "label").to_owned(), sides, nonces });
        assert_eq!(sealed_orders::ident::to_hex(&rolled.key), text(roll, "key"));
        assert_eq!(u64::from(rolled.value), roll["value"].as_u64().unwrap());
    }
    for rejection in list(&all, "rejection") {
        let key = sealed_orders::ident::from_hex(text(rejection, "key")).unwrap();
        let sides = u32::try_from(rejection["sides"].as_u64().unwrap()).unwrap();
        assert_eq!(u64::from(crypto::die_from_key(&key, sides)), rejection["value"].as_u64().unwrap());
    }
    for stream in list(&all, "keystream") {
        // A die of 2^32 - 1 sides rejects only the largest word, so it shows the first word.
        let key = sealed_orders::ident::from_hex(text(stream, "key")).unwrap();
        let first = list(stream, "words")[0].as_u64().unwrap();
        assert_eq!(u64::from(crypto::die_from_key(&key, u32::MAX)), first % u64::from(u32::MAX) + 1);
        let words: Vec<u64> = list(stream, "words").iter().map(|word| word.as_u64().unwrap()).collect();
        assert_eq!(keystream(&key, words.len()), words);
    }
}

fn keystream(key: &[u8; 32], count: usize) -> Vec<u64> {
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
    let mut stream = rand_chacha::ChaCha20Rng::from_seed(*key);
    (0..count).map(|_| u64::from(stream.next_u32())).collect()
}

#[test]
fn all_combats() {
    let colour = |word: &str| Colour::ALL.into_iter().find(|colour| colour.as_str() == word).unwrap();
    let all = json("shield-bashers.json");
    let combats = list(&all, "combat");
    assert_eq!(combats.len(), 81);
    for combat in combats {
        let of = |key| colour(text(combat, key));
        let need = Need::row(of("attacker_primary"), of("defender_primary"));
        let wins = need.won_by_attacker(of("attacker_secondary"), of("defender_secondary"));
        assert_eq!(if wins { "attacker" } else { "defender" }, text(combat, "winner"), "{combat}");
    }
}

#[test]
fn all_boards() {
    let all = json("shield-bashers.json");
    let boards = all["boards"].as_object().unwrap();
    assert_eq!(boards.len(), BoardKind::ALL.len());
    for kind in BoardKind::ALL {
        let board = Board::new(kind);
        let found: BTreeMap<String, [Vec<String>; 2]> = board
            .squares()
            .map(|square| {
                let sorted = |squares: &[_]| {
                    let mut names: Vec<String> = squares.iter().map(|square| board.name(*square)).collect();
                    names.sort();
                    names
                };
                (board.name(square), [sorted(board.straight(square)), sorted(board.diagonal(square))])
            })
            .collect();
        let wanted: BTreeMap<String, [Vec<String>; 2]> = boards[kind.as_str()]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, near)| {
                let names = |key: &str| {
                    let mut names: Vec<String> = near[key]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|name| name.as_str().unwrap().to_owned())
                        .collect();
                    names.sort();
                    names
                };
                (name.clone(), [names("straight"), names("diagonal")])
            })
            .collect();
        assert_eq!(found, wanted, "{}", kind.as_str());
    }
}

/// What a replay has come to, in the words of the expected files.
fn come_to(replay: &Replay) -> Value {
    let position: Value = serde_json::from_str(&document::canonical(&Node::from(position(replay)))).unwrap();
    let mut heads = vec![Head::first(replay.header().id()).to_string()];
    heads.extend(replay.steps().iter().map(|step| step.head.to_string()));
    let rolls: Vec<Value> = replay
        .rolls()
        .map(|(step, rolled)| {
            serde_json::json!({ "step": step, "label": rolled.roll.label, "sides": rolled.roll.sides, "value": rolled.value })
        })
        .collect();
    let mut come_to = serde_json::json!({
        "game": position["id"], "heads": heads, "step": position["step"], "awaits": position["awaits"],
        "phase": position["phase"], "result": position["result"], "rolls": rolls, "ships": position["ships"],
    });
    // What only one of the games has.
    let own: &[&str] = match replay.header().rules() {
        "tresurion/1" => &["turn"],
        _ => &["out", "quiet_turns", "caught"],
    };
    for key in own {
        come_to[*key] = position[*key].clone();
    }
    come_to
}

#[test]
fn whole_games() {
    let mut count = 0;
    for entry in fs::read_dir(vectors().join("games")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".game.toml") else { continue };
        let text = fs::read_to_string(&path).unwrap();
        let replay = Replay::of_file(&GameFile::parse(&text).unwrap())
            .unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
        let wanted = json(&format!("games/{name}.expected.json"));
        assert_eq!(come_to(&replay), wanted, "{name}");
        // Written by this program, it is the same game; written again, the same bytes.
        let written =
            sealed_orders::log::write_game_file(replay.header(), &position(&replay).into(), replay.entries());
        let again = GameFile::parse(&written).unwrap_or_else(|fault| panic!("{name}: {fault:?}\n{written}"));
        let replayed = Replay::of_file(&again).unwrap();
        assert_eq!(come_to(&replayed), wanted, "{name}");
        assert_eq!(compare_position(&replayed, again.position.as_ref().unwrap()), Ok(vec![]), "{name}");
        let rewritten = sealed_orders::log::write_game_file(
            replayed.header(),
            &position(&replayed).into(),
            replayed.entries(),
        );
        assert_eq!(written, rewritten, "{name}");
        count += 1;
    }
    assert_eq!(count, 19);
}

#[test]
fn refused_and_accepted_orders() {
    let manifest = fs::read_to_string(vectors().join("refused/manifest.tsv")).unwrap();
    let mut seen = 0;
    for line in manifest.lines() {
        let (name, wanted) = line.split_once('\t').unwrap();
        let read =
            |kind: &str| fs::read_to_string(vectors().join(format!("refused/{name}.{kind}.toml"))).unwrap();
        let file = GameFile::parse(&read("game")).unwrap();
        let header = Arc::new(file.header.clone());
        let known: Vec<_> = file.entries.into_iter().map(|signed| signed.verify(&header).unwrap()).collect();
        let order = document::parse(&read("order"))
            .and_then(|node| SignedOrder::read(&node))
            .and_then(|signed| signed.verify(&header));
        let accepted = match order {
            Err(_) => false,
            Ok(order) => {
                adjudicate(&header, &known, &[order.into()]).unwrap().verdicts == [Verdict::Accepted]
            }
        };
        assert_eq!(if accepted { "accept" } else { "refuse" }, wanted, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 25);
}

fn number(value: &Value, key: &str) -> u32 {
    u32::try_from(value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"))).unwrap()
}

#[test]
fn tresurion_classes() {
    let all = json("tresurion.json");
    let classes = list(&all, "classes");
    assert_eq!(classes.len(), 19);
    let found: Vec<Value> = Class::all()
        .map(|class| {
            let row = class.row();
            serde_json::json!({
                "ucn": row.ucn, "name": row.name, "shield": row.shield, "move": row.rate,
                "bonus": row.bonus, "range": row.range,
            })
        })
        .collect();
    assert_eq!(&found, classes);
    for target in list(&all, "to_hit") {
        let class = Class::of(text(target, "target")).unwrap();
        let hitting: Vec<u32> = (1..=20).filter(|die| hits(*die, class)).collect();
        assert_eq!(serde_json::json!(hitting), target["hits"], "{class}");
    }
    for range in list(&all, "range") {
        let class = Class::of(text(range, "ucn")).unwrap();
        assert_eq!(Reach::Between.largest_distance(class), number(range, "largest_distance"), "{class}");
    }
}

/// The table of the rules and the formulas of TR-2 say the same.
#[test]
fn tresurion_formulas() {
    for class in Class::all() {
        let row = class.row();
        let digits: Vec<u32> = row.ucn.chars().map(|digit| digit.to_digit(10).unwrap()).collect();
        let (sum, largest) = (digits.iter().sum::<u32>(), *digits.iter().max().unwrap());
        assert!(digits.is_sorted(), "{class}");
        assert_eq!(
            (row.shield, row.rate, row.bonus, row.range),
            (sum, 10 - sum, sum - largest, sum - largest),
            "{class}"
        );
    }
    // One to three pieces of three sizes: 3 + 6 + 10 classes.
    assert_eq!(Class::all().count(), 19);
}

fn squares(value: &Value, key: &str) -> Vec<FieldSquare> {
    let list = value[key].as_array().unwrap_or_else(|| panic!("{key} in {value}"));
    list.iter().map(|square| square.as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn tresurion_sight() {
    let all = json("tresurion.json");
    let cases = list(&all, "sight");
    assert_eq!(cases.len(), 150);
    let field = Field::open(15, 25);
    for case in cases {
        let (from, to) = (text(case, "from").parse().unwrap(), text(case, "to").parse().unwrap());
        let occupied = squares(case, "occupied");
        let mut blocking = field.blockers(from, to, |square| occupied.contains(&square));
        let mut wanted = squares(case, "blocked_by");
        blocking.sort();
        wanted.sort();
        assert_eq!(blocking, wanted, "{case}");
        assert_eq!(blocking.is_empty(), case["clear"].as_bool().unwrap(), "{case}");
    }
}

#[test]
fn tresurion_reach() {
    let all = json("tresurion.json");
    let cases = list(&all, "reach");
    assert_eq!(cases.len(), 60);
    for case in cases {
        let size = |key| u8::try_from(number(case, key)).unwrap();
        let field = Field::open(size("width"), size("length"));
        let (friends, enemies) = (squares(case, "friends"), squares(case, "enemies"));
        let standing = |square: FieldSquare| {
            if enemies.contains(&square) {
                Standing::Enemy
            } else if friends.contains(&square) {
                Standing::Friend
            } else {
                Standing::Empty
            }
        };
        let from: FieldSquare = text(case, "from").parse().unwrap();
        let rate = number(case, "move");
        let ends = field.reach(from, rate, standing);
        let found: BTreeMap<String, u32> =
            ends.iter().map(|(square, steps)| (square.to_string(), *steps)).collect();
        assert_eq!(serde_json::json!(found), case["ends"], "{from}");
        for square in field.squares().filter(|square| *square == from || standing(*square) == Standing::Empty)
        {
            assert_eq!(
                field.steps(from, square, rate, standing),
                ends.get(&square).copied(),
                "{from}-{square}"
            );
        }
    }
}
