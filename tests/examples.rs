//! The folder `examples`: every file is what the program makes, and says what it should.
//!
//! `SEALED_UPDATE=1` writes the files anew.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

mod example_games;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};

use example_games::{Example, all, examples, has, updating};
use sealed_orders::crypto::Identity;
use sealed_orders::demo::play;
use sealed_orders::document::{self, Table, toml_text};
use sealed_orders::games::Keyholder;
use sealed_orders::ident::{Fresh, SeatIndex};
use sealed_orders::log::{Card, GameFile, Order, Verified, write_game_file};
use sealed_orders::report::WIDTH;
use sealed_orders::turn::{Replay, compare_position, position};
use zeroize::Zeroizing;

/// Every file below a folder, by its path with `/`.
fn files_below(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(&here).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let parts = path.strip_prefix(folder).unwrap().components();
                let parts: Vec<_> =
                    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
                found.insert(parts.join("/"), path);
            }
        }
    }
    found
}

/// The orders that people may look at: the first defence that opens a tertiary and the attack
/// before it; of Tresurion the last roll and the round before it.
fn shown_orders(replay: &Replay) -> [Order; 2] {
    let orders: Vec<&Order> = replay.orders().map(Verified::order).collect();
    let place = orders
        .iter()
        .position(|order| order.action == "defend" && has(order.details(), "tertiary"))
        .or_else(|| orders.iter().rposition(|order| order.action == "roll"))
        .expect("the game has a defence that opens a tertiary, or a roll");
    [orders[place - 1].clone(), orders[place].clone()]
}

/// The opening of a secondary by an attack, as a file for `sealed commitment`.
fn opening_file(replay: &Replay) -> String {
    let attack = replay
        .orders()
        .map(Verified::order)
        .find(|order| order.action == "move" && has(order.details(), "secondary"))
        .expect("the game has an attack that opens a secondary");
    let details = attack.details().as_table().unwrap();
    let secondary = details.get("secondary").unwrap().as_table().unwrap();
    let mut opening = Table::default();
    opening.push("seat", attack.seat.as_str());
    opening.push("ship", details.get("ship").unwrap().clone());
    opening.push("layer", "secondary");
    opening.push("colour", secondary.get("colour").unwrap().clone());
    opening.push("salt", secondary.get("salt").unwrap().clone());
    format!(
        "#:schema ../../schemas/{}-opening.schema.json\n\
         # What {} opened with the attack of step {}. Does it match what was sealed?\n\
         #   sealed commitment opening.toml\n\n{}",
        sealed_orders::games::by_rules(replay.header().rules()).unwrap().word(),
        attack.seat,
        attack.step,
        toml_text(&opening, "")
    )
}

/// The files that an example's folder holds: what `sealed demo` leaves, but of the mails
/// only an attack and a defence.
fn wanted(example: &Example) -> BTreeMap<String, String> {
    let files = play(&example.plan).unwrap();
    let game = files.iter().find(|file| file.path.ends_with(".game.toml")).unwrap();
    let replay = Replay::of_file(&GameFile::parse(&game.bytes).unwrap()).unwrap();
    let shown = shown_orders(&replay).map(|order| format!("out/step-{:03}-{}.", order.step, order.seat));
    let mut wanted: BTreeMap<String, String> = files
        .into_iter()
        .filter(|file| {
            !file.path.starts_with("out/") || shown.iter().any(|name| file.path.starts_with(name.as_str()))
        })
        .map(|file| (file.path, file.bytes))
        .collect();
    if example.folder == all()[0].folder {
        wanted.insert("opening.toml".to_owned(), opening_file(&replay));
    }
    wanted
}

/// Writes the folders anew when that is asked for: once, before any test looks at them.
fn up_to_date() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        for example in all().iter().filter(|_| updating()) {
            for path in files_below(&example.path()).into_values() {
                fs::remove_file(path).unwrap();
            }
            for (name, text) in &wanted(example) {
                let path = example.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
    });
}

#[test]
fn the_folders_hold_what_the_demo_plays() {
    up_to_date();
    for example in all() {
        let wanted = wanted(&example);
        let found = files_below(&example.path());
        let names = |files: Vec<&String>| files.into_iter().cloned().collect::<Vec<_>>();
        assert_eq!(names(found.keys().collect()), names(wanted.keys().collect()), "{}", example.folder);
        for (name, path) in found {
            let text = fs::read_to_string(path).unwrap();
            assert!(text == wanted[&name], "{}/{name} is not what the demo makes", example.folder);
        }
    }
}

#[test]
fn every_game_replays_and_is_written_again_the_same() {
    up_to_date();
    for example in all() {
        let text = example.game_text();
        let file = GameFile::parse(&text).unwrap();
        let replay = Replay::of_file(&file).unwrap();
        assert_eq!(compare_position(&replay, file.position.as_ref().unwrap()), Ok(vec![]));
        let again = write_game_file(replay.header(), &position(&replay).into(), replay.entries());
        assert!(again == text, "{} is written differently", example.folder);
        assert!(replay.ending().is_some_and(|ending| !ending.provisional), "{}", example.folder);
    }
}

/// Runs `sealed` with no identity of anybody's and a fixed time.
fn sealed(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sealed"))
        .args(words)
        .args(["--now", "2027-01-01T00:00:00Z"])
        .env_clear()
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn sealed_verifies_every_game() {
    up_to_date();
    for example in all() {
        // Named, and found as the only game of its folder.
        for words in [vec!["verify"], vec!["verify", example.game_path().to_str().unwrap()]] {
            let output = sealed(&example.path(), &words);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{}: {text}", example.folder);
            assert!(text.lines().next().unwrap().ends_with(": good."), "{text}");
        }
    }
}

#[test]
fn reports_are_plain_and_narrow() {
    up_to_date();
    for example in all() {
        let press: Vec<String> =
            example.replay().orders().filter_map(|order| order.order().press.clone()).collect();
        for seat in example.replay().header().players() {
            let report =
                fs::read_to_string(example.path().join(format!("reports/{}.txt", seat.seat))).unwrap();
            for line in report.lines() {
                let is_press = press.iter().any(|said| line.contains(said.as_str()));
                assert!(line.is_ascii() || is_press, "{}/{}: {line:?}", example.folder, seat.seat);
                assert!(line.chars().count() <= WIDTH, "{}/{}: {line:?}", example.folder, seat.seat);
            }
        }
    }
}

/// What the smallest example is there to show.
#[test]
fn the_smallest_example_has_everything() {
    up_to_date();
    let replay = all()[0].replay();
    let events: Vec<_> = replay.steps().iter().flat_map(|step| &step.events).collect();
    let won_by = |role: &str| {
        let text = |event: &sealed_orders::games::Event, key: &str| {
            event.facts.get(key).unwrap().as_text().unwrap().to_owned()
        };
        events.iter().any(|event| event.kind == "combat" && text(event, "winner") == text(event, role))
    };
    assert!(won_by("attacker") && won_by("defender"));
    for kind in ["debt", "audit", "win"] {
        assert!(events.iter().any(|event| event.kind == kind), "{kind}");
    }
    assert!(replay.orders().any(|order| order.order().press.is_some()));
    let smallest = all().iter().map(|example| example.game_text().len()).min();
    assert_eq!(smallest, Some(all()[0].game_text().len()));
}

/// The first line of a file that people write by hand names its schema, which is there.
fn check_schema_line(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let schema = text.lines().next().unwrap().strip_prefix("#:schema ").unwrap();
    assert!(path.parent().unwrap().join(schema).is_file(), "{}: {schema}", path.display());
    text
}

#[test]
fn files_written_by_hand_are_good() {
    up_to_date();
    let smallest = &all()[0];

    let card = check_schema_line(&examples().join("cards/anna.card.toml"));
    let card: Card = document::read(&document::parse(&card).unwrap()).unwrap();
    assert_eq!(smallest.replay().header().players()[0].key, card.key);

    // The fleet can be sealed by the first seat, on the boards that begin in the corner a1.
    let fleet = check_schema_line(&examples().join("fleets/careful.fleet.toml"));
    let fleet = document::parse(&fleet).unwrap();
    let identity = Identity::from_seed(&Zeroizing::new([7; 32]));
    let by = Keyholder { seat: SeatIndex::FIRST, identity: &identity, kept: None };
    let of_corners = |example: &&Example| ["two-players", "four-players"].contains(&example.folder);
    for example in all().iter().filter(of_corners) {
        let table = Replay::begin(Arc::clone(example.replay().header())).unwrap();
        table.state().seal(by, &fleet, Fresh::new([1; 16])).unwrap();
    }

    // Those of Tresurion by either seat, turned round where that is needed.
    for name in ["swarm", "line", "five-dreadnoughts"] {
        let fleet = check_schema_line(&examples().join(format!("fleets/{name}.fleet.toml")));
        let fleet = document::parse(&fleet).unwrap();
        for example in all().iter().filter(|example| example.folder.starts_with("tresurion")) {
            let table = Replay::begin(Arc::clone(example.replay().header())).unwrap();
            for seat in table.state().awaited() {
                let by = Keyholder { seat, identity: &identity, kept: None };
                table.state().seal(by, &fleet, Fresh::new([1; 16])).unwrap();
            }
        }
    }

    check_schema_line(&smallest.path().join("opening.toml"));
    let output = sealed(&smallest.path(), &["commitment", "opening.toml"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("It matches"), "{text}");
}
