//! The house keeps its rooms: imports go down only, and no game is named outside its folder.

#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the way to say no")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms each room may look into. `crate::` paths are held against this table.
const MAY_IMPORT: [(&str, &[&str]); 14] = [
    ("ident", &[]),
    ("fault", &[]),
    ("document", &["fault", "ident"]),
    ("crypto", &["document", "fault", "ident"]),
    ("log", &["crypto", "document", "fault", "ident"]),
    ("scene", &["ident", "log"]),
    ("games", &["crypto", "document", "fault", "ident", "log", "scene"]),
    ("turn", &["crypto", "document", "fault", "games", "ident", "log"]),
    ("explain", &["crypto", "document", "fault", "games", "ident", "log", "report", "turn"]),
    ("report", &["crypto", "document", "fault", "games", "ident", "log", "scene", "turn"]),
    ("mail", &["document", "fault", "ident", "log"]),
    ("store", &["document", "fault"]),
    ("schema", &["crypto", "document", "fault", "games", "ident", "log"]),
    ("demo", &["crypto", "document", "fault", "games", "ident", "log", "mail", "report", "turn"]),
];

/// Names of games, in every spelling.
const GAMES: [&str; 6] =
    ["shield-bashers", "shield_bashers", "shieldbashers", "shield bashers", "tresurion", "bashers"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The room that a file of the library belongs to; none for `lib.rs` and the binary.
fn room(file: &Path) -> Option<String> {
    let below = file.strip_prefix(source()).unwrap();
    let first = below.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    let room = first.trim_end_matches(".rs").to_owned();
    (room != "lib" && room != "bin").then_some(room)
}

#[test]
fn imports_go_down_only() {
    let table: BTreeMap<&str, &[&str]> = MAY_IMPORT.into_iter().collect();
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for file in rust_files(&source()) {
        let Some(room) = room(&file) else { continue };
        let allowed = table.get(room.as_str()).unwrap_or_else(|| panic!("{room} is in no table"));
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for path in line.split("crate::").skip(1) {
                let other: String =
                    path.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                seen.insert(room.clone());
                if other != room && !allowed.contains(&other.as_str()) {
                    faults.push(format!("{}:{}: {room} looks into {other}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen.len() > 8, "the test has lost sight of the code: {seen:?}");
}

#[test]
fn no_game_is_named_outside_its_folder() {
    let mut faults = Vec::new();
    let mut inside = 0;
    for file in rust_files(&source()) {
        let in_games = room(&file).as_deref() == Some("games");
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let lower = line.to_lowercase();
            if GAMES.iter().any(|name| lower.contains(name)) {
                if in_games {
                    inside += 1;
                } else {
                    faults.push(format!("{}:{}: {line}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(inside > 0, "the test has lost sight of the games");
}

/// The core has no clock, no entropy, no environment, no terminal and no disk.
#[test]
fn the_core_is_pure() {
    const WORLD: [&str; 9] = [
        "std::env",
        "std::fs",
        "std::net",
        "std::process",
        "SystemTime",
        "Instant::now",
        "getrandom",
        "println!",
        "stdin",
    ];
    let mut faults = Vec::new();
    for file in rust_files(&source()) {
        if room(&file).is_none_or(|room| room == "store") {
            continue;
        }
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap();
            if WORLD.iter().any(|word| code.contains(word))
                || code.contains("HashMap")
                || code.contains("HashSet")
            {
                faults.push(format!("{}:{}: {line}", file.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Entropy enters at one place.
#[test]
fn entropy_has_one_door() {
    let mut doors = Vec::new();
    for file in rust_files(&source()) {
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            if line.contains("getrandom::") {
                doors.push(format!("{}:{}", file.display(), number + 1));
            }
        }
    }
    assert_eq!(doors.len(), 1, "{doors:?}");
}
