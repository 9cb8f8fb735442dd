//! The README's walk-through, run as it is written: two people, two homes, nothing but
//! files between them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "in a test a panic is the way to say no"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The lines of the fenced blocks that follow a marker.
fn blocks(readme: &str, marker: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for part in readme.split(&format!("<!-- {marker} -->\n```console\n")).skip(1) {
        lines.extend(part.split("\n```").next().unwrap().lines().map(str::to_owned));
    }
    assert!(!lines.is_empty(), "the README has no block marked {marker}");
    lines
}

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Runs lines like `anna$ sealed verify`, each in the folder of who types it; what each said.
fn type_in(root: &Path, lines: &[String]) -> Vec<(String, String)> {
    let binary = Path::new(env!("CARGO_BIN_EXE_sealed")).parent().unwrap();
    for name in ["anna", "bert", "gesa"] {
        fs::create_dir_all(root.join(name)).unwrap();
        fs::create_dir_all(root.join("homes").join(name)).unwrap();
    }
    let mut outputs = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let (name, command) = line.split_once("$ ").unwrap_or_else(|| panic!("no prompt in {line:?}"));
        let done = Command::new("sh")
            .args(["-c", command])
            .current_dir(root.join(name))
            .env_clear()
            .env("HOME", root.join("homes").join(name))
            .env("PATH", format!("{}:/usr/bin:/bin", binary.display()))
            .output()
            .unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(
            done.status.success(),
            "line {number}, {line}\n{said}{}",
            String::from_utf8_lossy(&done.stderr)
        );
        outputs.push((line.clone(), said));
    }
    outputs
}

/// The text of a file that the README shows.
fn shown_file(readme: &str, name: &str) -> String {
    let after = readme.split(&format!("<!-- file {name} -->\n```")).nth(1).unwrap();
    let (_, text) = after.split_once('\n').unwrap();
    text.split("```").next().unwrap().to_owned()
}

/// The other game as the README tells it. It says that Anna has the first round, which the dice
/// decide: games are begun until she has.
#[test]
fn the_other_game_goes_as_it_is_told() {
    let readme = readme();
    let lines = blocks(&readme, "tresurion");
    let (before, after) = lines.split_at(lines.iter().position(|line| line == "anna$ sealed show").unwrap());
    let cards: Vec<String> = blocks(&readme, "walk").into_iter().take(3).collect();
    for _ in 0..40 {
        let root = tempfile::tempdir().unwrap();
        type_in(root.path(), &cards);
        for name in ["anna.fleet.toml", "round.txt"] {
            fs::write(root.path().join("anna").join(name), shown_file(&readme, name)).unwrap();
        }
        type_in(root.path(), before);
        if type_in(root.path(), &["anna$ sealed".to_owned()])[0].1.contains("your move (round)") {
            let outputs = type_in(root.path(), after);
            assert!(outputs.last().unwrap().1.contains("initiative 2 red 1"), "{outputs:?}");
            return;
        }
    }
    panic!("in 40 games Anna never had the first round");
}

#[test]
fn the_walk_through_is_a_whole_game() {
    let root = tempfile::tempdir().unwrap();
    let outputs = type_in(root.path(), &blocks(&readme(), "walk"));
    let said = |start: &str| {
        let (_, said) = outputs.iter().rev().find(|(line, _)| line.starts_with(start)).unwrap();
        said.clone()
    };
    assert!(said("anna$ sealed verify").contains("Red has won."), "{}", said("anna$ sealed verify"));
    assert!(said("bert$ sealed show").contains("red says:\n      | Have at you."));
    assert!(said("anna$ sealed show").contains("sealed order move cruiser"));
    // No secret left either home: the identities are where they belong, and nowhere else.
    for name in ["anna", "bert"] {
        let pem = fs::read_to_string(
            root.path().join("homes").join(name).join(".config/sealed-orders/identity.pem"),
        )
        .unwrap();
        let secret = pem.lines().nth(1).unwrap().to_owned();
        for folder in ["anna", "bert"] {
            for file in walk(&root.path().join(folder)) {
                let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
                assert!(!text.contains(&secret), "{} holds {name}'s key", file.display());
            }
        }
    }
}

/// An arbiter's work, told and done.
#[test]
fn the_arbiter_ends_a_wait_as_it_is_told() {
    let root = tempfile::tempdir().unwrap();
    let readme = readme();
    let cards: Vec<String> = blocks(&readme, "walk").into_iter().take(3).collect();
    type_in(root.path(), &cards);
    let outputs = type_in(root.path(), &blocks(&readme, "arbiter"));
    let said = |start: &str| {
        let (_, said) = outputs.iter().rev().find(|(line, _)| line.starts_with(start)).unwrap();
        said.clone()
    };
    assert!(said("gesa$ sealed status").contains("1 game: 1 overdue"), "{}", said("gesa$ sealed status"));
    assert!(
        said("gesa$ sealed show").contains("sealed forfeit blue --reason"),
        "{}",
        said("gesa$ sealed show")
    );
    assert!(said("gesa$ sealed forfeit").contains("The time for this step ran out"));
    assert!(said("anna$ sealed apply").contains("[forfeit]: accepted"));
    assert!(
        said("anna$ sealed show").contains("The game is void, by blue."),
        "{}",
        said("anna$ sealed show")
    );
}

#[test]
fn the_main_job_runs_as_written() {
    let lines = blocks(&readme(), "main job");
    let [line] = lines.as_slice() else { panic!("one command is promised, there are {lines:?}") };
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("target");
    fs::create_dir_all(&target).unwrap();
    // The same command, with the program that was built for the tests and a target folder of its own.
    let command = line
        .strip_prefix("$ cargo run --release --quiet -- ")
        .unwrap_or_else(|| panic!("another command: {line}"))
        .replace("target/", &format!("{}/", target.display()));
    let done = Command::new("sh")
        .args(["-c", &format!("{} {command}", env!("CARGO_BIN_EXE_sealed"))])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("HOME", root.path())
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.matches(": accepted").count(), 2, "{said}");
    assert!(said.contains("Combat:"), "{said}");
    assert!(said.contains("Report for blue"), "{said}");
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}
