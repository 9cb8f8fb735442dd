//! Every rule that the program cites by its number exists in the rule texts, and every kind of
//! event that a game can tell of has its rules.

#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the way to say no")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sealed_orders::document::Table;
use sealed_orders::games::{Event, all, is_ruling};

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

fn source(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(below)
}

/// Every number of a ruling that stands in a text: in code, in comments, in sentences.
fn cited(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| is_ruling(word)).collect()
}

#[test]
fn every_rule_that_is_cited_exists() {
    // The two letters that a game's rulings begin with say which book is meant.
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in rust_files(&source("")) {
        let text = fs::read_to_string(&file).unwrap();
        // What tests name on purpose, to see it missing, is no citation.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for number in cited(code) {
            let letters = number.split('-').next().unwrap();
            let book = all().iter().map(|game| game.rulebook()).find(|book| {
                book.rulings().first().is_some_and(|first| first.starts_with(&format!("{letters}-")))
            });
            let book = book.unwrap_or_else(|| panic!("{}: no book has {number}", file.display()));
            assert!(book.rule(number).is_some(), "{}: {number} is no rule of {}", file.display(), book.file);
            seen.entry(letters.to_owned()).or_default().insert(number.to_owned());
        }
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["SB", "TR"], "a game's rules are cited nowhere");
    for (letters, numbers) in seen {
        assert!(numbers.len() > 12, "{letters}: the test has lost sight of the code: {numbers:?}");
    }
}

/// The kinds of events that a folder tells of: the first word of each call that makes one.
fn kinds(folder: &str) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    for file in rust_files(&source(folder)) {
        let text: &'static str = fs::read_to_string(&file).unwrap().leak();
        for call in ["event(", "told("] {
            for (before, after) in text.match_indices(call).map(|(at, _)| text.split_at(at)) {
                if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.')) {
                    continue;
                }
                let argument = after.split_once('(').unwrap().1.trim_start();
                if let Some((kind, _)) = argument.strip_prefix('"').and_then(|it| it.split_once('"')) {
                    kinds.insert(kind);
                }
            }
        }
        // A seat leaves in one of several ways: each is a pair of its kind and its sentence.
        for (before, after) in text.match_indices("(\"").map(|(at, _)| text.split_at(at)) {
            if before.ends_with(char::is_whitespace)
                && let Some((kind, rest)) = after.split_at(2).1.split_once('"')
                && rest.starts_with(", format!")
            {
                kinds.insert(kind);
            }
        }
    }
    kinds
}

#[test]
fn every_kind_of_event_has_its_rules() {
    let common = kinds("games/frame");
    assert_eq!(
        common.iter().copied().collect::<Vec<_>>(),
        ["deployed", "forfeit", "proven", "resign", "ruling", "sealed", "void"],
        "what all games tell of; a new kind needs its rules in each game's `rules_of`"
    );
    for game in all() {
        let own = kinds(&format!("games/{}", game.word().replace('-', "_")));
        assert!(own.len() > 6, "{}: the test has lost sight of the code: {own:?}", game.word());
        for kind in own.union(&common) {
            let mut facts = Table::default();
            facts.push("fire", vec![Table::default().into()]);
            for facts in [Table::default(), facts] {
                let event = Event { kind, told: Vec::new(), facts };
                let rules = game.rules_of(&event);
                assert!(!rules.is_empty(), "{}: no rules decide the event {kind:?}", game.word());
                for number in rules {
                    assert!(
                        game.rulebook().rule(number).is_some(),
                        "{}: {kind}: {number} is no rule",
                        game.word()
                    );
                }
            }
        }
    }
}
