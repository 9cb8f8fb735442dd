//! Explanations of whole games: what they claim is held against the files, and the commands
//! that they print are run.
//!
//! The second part needs a POSIX shell, sha256sum and openssl 3; where one of them is missing
//! it says so and passes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

mod example_games;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sealed_orders::crypto::{Identity, hash};
use sealed_orders::explain::facts::Answer;
use sealed_orders::explain::{Asked, explain_order, explain_step, find_step, order_text, step_text};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::{Keyholder, Script};
use sealed_orders::ident::to_hex;
use sealed_orders::log::{Entry, GameFile, Proven};
use sealed_orders::report::WIDTH;
use sealed_orders::turn::{Extras, Replay, Verdict, adjudicate, sign};

/// The examples, and games of the vectors, in which arbiters, claims and catches occur.
fn games() -> Vec<PathBuf> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/games");
    let mut games: Vec<PathBuf> = fs::read_dir(vectors)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".game.toml"))
        .collect();
    games.sort();
    games.extend(example_games::all().iter().map(example_games::Example::game_path));
    assert!(games.len() > 20, "the test has lost sight of the games");
    games
}

fn replay(path: &Path) -> Replay {
    let text = fs::read_to_string(path).unwrap();
    Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap()
}

/// Whether a text stands in an order of the file below this step, by its text alone.
fn stands(file: &str, order_check: &str, value: &str) -> bool {
    let entries = file.split("[[order]]").skip(1);
    entries.filter(|entry| entry.contains(&format!("check = \"{order_check}\""))).any(|it| it.contains(value))
}

#[test]
fn every_step_of_every_game_is_explained_from_what_the_file_holds() {
    let mut kinds = BTreeSet::new();
    for path in games() {
        let file = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let replay = replay(&path);
        for step in replay.steps() {
            let what = format!("{name}, step {}", step.number);
            let facts = explain_step(&replay, step, "a.game.toml").unwrap();
            assert_eq!((facts.after, facts.head), (step.after.to_string(), step.head.to_string()));
            let signed: BTreeSet<&str> = facts.orders.iter().map(|order| order.digest.as_str()).collect();
            assert_eq!(signed.len(), step.orders.len(), "{what}");
            let quoted: BTreeSet<&str> = facts.rules.iter().map(|rule| rule.number.as_str()).collect();
            for event in &facts.events {
                kinds.insert(event.kind);
                assert!(!event.rules.is_empty(), "{what}: {event:?}");
                assert!(event.rules.iter().all(|rule| quoted.contains(rule)), "{what}: {event:?}");
            }
            for opening in facts.openings.iter().chain(&facts.earlier) {
                assert_eq!(to_hex(&hash(opening.preimage.as_bytes())), opening.commitment, "{what}");
                let sealed = opening.sealed.as_ref().unwrap_or_else(|| panic!("{what}: {opening:?}"));
                let opened = opening.opened.as_ref().unwrap_or_else(|| panic!("{what}: {opening:?}"));
                assert!(sealed.step < opened.step, "{what}: {opening:?}");
                assert_eq!((&sealed.seat, &opened.seat), (&opening.seat, &opening.seat), "{what}");
                let secret = opening.salt.as_deref().or_else(|| opening.value["nonce"].as_str()).unwrap();
                assert!(stands(&file, &sealed.order[..8], &opening.commitment), "{what}: {opening:?}");
                assert!(stands(&file, &opened.order[..8], secret), "{what}: {opening:?}");
            }
            assert!(
                facts.openings.iter().all(|opening| {
                    opening.opened.as_ref().is_some_and(|place| place.step == step.number)
                })
            );
            assert!(
                facts
                    .earlier
                    .iter()
                    .all(|opening| { opening.opened.as_ref().is_some_and(|place| place.step < step.number) })
            );
            assert_eq!(facts.dice.len(), step.rolls.len(), "{what}");
            for die in &facts.dice {
                assert_eq!(to_hex(&hash(die.preimage.as_bytes())), die.key, "{what}");
                assert_eq!(die.words.last().unwrap() % die.sides + 1, die.value, "{what}");
                assert!(facts.nonces.iter().all(|nonce| die.preimage.contains(&nonce.nonce)), "{what}");
            }
            // A combat rests on two secondaries, wherever they were opened.
            let combats = facts.events.iter().filter(|event| event.kind == "combat").count();
            let secondaries = facts.openings.iter().chain(&facts.earlier);
            let known = secondaries.filter(|opening| opening.slot.starts_with("secondary ")).count();
            assert!(known >= 2 * combats, "{what}: {known} colours are told of");
        }
    }
    // What the games exercise together: none of these was passed over.
    for kind in ["combat", "debt", "caught", "forfeit", "ruling", "claim", "shot", "damage", "initiative"] {
        assert!(kinds.contains(kind), "no game has {kind}: {kinds:?}");
    }
}

/// Only a line that a shell takes with a path in it may be wider.
#[test]
fn explanations_fit_a_page() {
    for path in games() {
        let replay = replay(&path);
        for step in replay.steps() {
            let text = step_text(&explain_step(&replay, step, "a.game.toml").unwrap());
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{}: {line}", path.display());
            }
            assert!(text.is_ascii() || !replay.header().name().is_ascii() || text.contains("  | "), "{text}");
        }
    }
}

#[test]
fn a_step_is_found_by_its_number_and_by_its_head() {
    let replay = example_games::all()[0].replay();
    let number = |word: &str| find_step(&replay, Some(word)).map(|step| step.number);
    let last = replay.step() - 1;
    assert_eq!(find_step(&replay, None).unwrap().number, last);
    assert_eq!(number("0"), Ok(0));
    assert_eq!(number(&last.to_string()), Ok(last));
    for step in replay.steps() {
        assert_eq!(number(&step.head.to_string()), Ok(step.number));
        assert_eq!(number(&step.head.by_eye()), Ok(step.number));
    }
    for wrong in
        [&replay.step().to_string(), "99", "", "xyz", "0000000000", "abc", &replay.header().id().to_string()]
    {
        assert!(number(wrong).is_err(), "{wrong}");
    }
    let empty = Replay::begin(replay.header().clone()).unwrap();
    assert!(find_step(&empty, None).is_err());
}

/// A folder of the command's cases: a game, and the keys of its two made-up players.
fn case(name: &str) -> (Replay, Identity) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/_base").join(name);
    let key = fs::read_to_string(folder.join("keys/red.example.pem")).unwrap();
    (replay(&folder.join("demo.game.toml")), Identity::from_pem(&key).unwrap())
}

/// Red signs two moves for one step. The proof takes the place of its order, and the step is
/// explained by both.
#[test]
fn a_proof_is_told_with_its_two_orders() {
    let (game, identity) = case("attack");
    let header = game.header();
    let seat = header.index(&"red".parse().unwrap()).unwrap();
    let by = Keyholder { seat, identity: &identity, kept: None };
    let order = |square: &str| {
        let words = ["move", "cruiser", square].map(str::to_owned);
        let composed = game.state().compose(by, &Script::from(words.as_slice())).unwrap();
        let time = "2026-12-08T18:00:00Z".parse().unwrap();
        sign(&game, by, composed, &Extras::default(), time).unwrap()
    };
    let (one, other) = (order("d4"), order("c4"));
    let proof = Proven::new(one.clone(), other.clone(), None).unwrap();
    let entries: Vec<Entry> = game.entries().cloned().collect();
    let taken = adjudicate(header, &entries, &[Entry::from(proof.clone())]).unwrap();
    assert_eq!(taken.verdicts, [Verdict::Accepted]);

    let step = taken.replay.steps().iter().find(|step| step.number == 18).unwrap();
    let facts = explain_step(&taken.replay, step, "a.game.toml").unwrap();
    assert!(facts.orders.is_empty());
    let [told] = facts.proofs.as_slice() else { panic!("{:?}", facts.proofs) };
    let digests: BTreeSet<String> = told.orders.iter().map(|order| order.digest.clone()).collect();
    assert_eq!(told.seat, "red");
    assert_eq!(digests, BTreeSet::from([one.digest().to_string(), other.digest().to_string()]));
    assert!(
        facts.events.iter().any(|event| event.rules.contains(&"protocol 8, proof")),
        "{:?}",
        facts.events
    );
    let text = step_text(&facts);
    assert!(text.contains("In the place of red's order stands a proof."), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    // Both digests make the head, and both signatures are checked.
    let lines: Vec<&str> = facts.checks.iter().flat_map(|check| &check.lines).map(String::as_str).collect();
    for digest in &digests {
        assert!(lines.iter().any(|line| line.starts_with("  ") && line.contains(digest)), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with(&format!("signed {}", &digest[..16]))), "{lines:?}");
    }

    // The proof as something that came, and as what the game holds already.
    let asked = |chains: &[&Replay], verdict| {
        let entry = Entry::from(proof.clone());
        let asked = Asked { from: "proof.toml", text: "", entry: Ok(&entry), claimed: None, verdict };
        explain_order(chains, &asked).unwrap()
    };
    let new = asked(&[&game, &taken.replay], Some(&Verdict::Accepted));
    assert_eq!((new.what.as_str(), new.verdict), ("[proof] against red", "accepted"));
    assert!(order_text(&new).starts_with("proof.toml: [proof] against red\n"), "{}", order_text(&new));
    assert_eq!(asked(&[&taken.replay], Some(&Verdict::Known)).verdict, "known");
    let fault = Fault::new(Code::NotAwaited, "nothing is awaited from red");
    let early = asked(&[&game], Some(&Verdict::Waiting(fault)));
    assert_eq!((early.verdict, early.stages[2].answer), ("waiting", Answer::CannotBeSaid));
}

/// The block of a text that is to be pasted: what it prints is what it says behind `#>`.
#[test]
fn the_commands_print_what_is_said() {
    let answers = |words: &[&str]| {
        Command::new(words[0]).args(&words[1..]).output().is_ok_and(|output| output.status.success())
    };
    if !(answers(&["sh", "-c", "true"])
        && answers(&["sha256sum", "--version"])
        && answers(&["od", "--version"])
        && answers(&["openssl", "version"]))
    {
        println!("not checked: sh, sha256sum, od (both of the GNU coreutils) and openssl are needed");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_sealed"));
    let mut folders = vec![program.parent().unwrap().to_path_buf()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/games");
    let examples = example_games::examples();
    let cases = [
        (examples.join("two-players/friday-night.game.toml"), &["0", "1", "15", "16", "26"][..]),
        (examples.join("tresurion/sector.game.toml"), &["1", "7", "8"]),
        (examples.join("four-players/four-corners.game.toml"), &["1"]),
        (vectors.join("sb3-forfeit.game.toml"), &[]),
    ];
    let mut checked = 0;
    for (game, steps) in cases {
        // A name that a shell would take apart.
        let folder = tempfile::tempdir().unwrap();
        fs::copy(&game, folder.path().join("Anna's game.game.toml")).unwrap();
        let all: Vec<String> = match steps {
            [] => replay(&game)
                .steps()
                .iter()
                .filter(|step| {
                    step.orders
                        .iter()
                        .any(|legal| legal.order().is_some_and(|it| it.order().seat.is_arbiter()))
                })
                .map(|step| step.number.to_string())
                .collect(),
            some => some.iter().map(|step| (*step).to_owned()).collect(),
        };
        assert!(!all.is_empty(), "{}", game.display());
        for step in all {
            let told = Command::new(program)
                .args(["explain", "Anna's game.game.toml", &step])
                .current_dir(folder.path())
                .env_clear()
                .output()
                .unwrap();
            let told = String::from_utf8(told.stdout).unwrap();
            let block = &told[told.find("# the game, and").unwrap()..];
            let wanted: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("#> ")).collect();
            let printed = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{block}")])
                .current_dir(folder.path())
                .env_clear()
                .env("PATH", std::env::join_paths(&folders).unwrap())
                .env("TMPDIR", folder.path())
                .output()
                .unwrap();
            let printed = String::from_utf8(printed.stdout).unwrap();
            assert_eq!(printed.lines().collect::<Vec<_>>(), wanted, "{} {step}", game.display());
            checked += wanted.len();
        }
    }
    assert!(checked > 100, "only {checked} lines were compared");
}
