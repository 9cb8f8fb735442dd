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

#[test]
fn the_walk_through_is_a_whole_game() {
    let root = tempfile::tempdir().unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_sealed")).parent().unwrap();
    let mut outputs = Vec::new();
    for name in ["anna", "bert"] {
        fs::create_dir_all(root.path().join(name)).unwrap();
    }
    for (number, line) in blocks(&readme(), "walk").iter().enumerate() {
        let (name, command) = line.split_once("$ ").unwrap_or_else(|| panic!("no prompt in {line:?}"));
        let home = root.path().join("homes").join(name);
        fs::create_dir_all(&home).unwrap();
        let done = Command::new("sh")
            .args(["-c", command])
            .current_dir(root.path().join(name))
            .env_clear()
            .env("HOME", &home)
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
                let text = fs::read_to_string(&file).unwrap();
                assert!(!text.contains(&secret), "{} holds {name}'s key", file.display());
            }
        }
    }
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
