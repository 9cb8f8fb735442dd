//! The sentences of all refusals of a game, word for word: a snapshot of what a player reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sealed_orders::document;
use sealed_orders::fault::Fault;

/// Holds refusals (where each came up, and what it says) against the file of a game's refusals.
/// Each sentence stands there once, as the first that brings it about has it; `varies` says
/// which words may differ in two that are one. With `WRITE_REFUSALS` the file is written anew.
pub fn hold_against(path: &Path, heading: &str, refusals: &[(String, Fault)], varies: impl Fn(&str) -> bool) {
    let pattern = |text: &str| pattern(text, &varies);
    let mut seen = BTreeSet::new();
    let mut blocks = vec![heading.to_owned()];
    for (from, fault) in refusals {
        let help = fault.help.as_deref().unwrap_or_default();
        if seen.insert((fault.code, pattern(&fault.message), fault.rule, pattern(help))) {
            blocks.push(written(from, fault));
        }
    }
    let text = blocks.join("\n");
    if std::env::var_os("WRITE_REFUSALS").is_some() {
        fs::write(path, &text).unwrap();
    }
    let wanted = fs::read_to_string(path).unwrap();
    println!("{} refusals, {} different sentences", refusals.len(), seen.len());
    if text != wanted {
        let wanted: Vec<&str> = wanted.split("\n\n").collect();
        let found: Vec<&str> = text.split("\n\n").collect();
        let gone: Vec<_> = wanted.iter().filter(|block| !found.contains(block)).collect();
        let new: Vec<_> = found.iter().filter(|block| !wanted.contains(block)).collect();
        panic!("{} differs; only there: {gone:#?}; only in the engine: {new:#?}", path.display());
    }
}

/// One refusal as it stands in the snapshot. Digests depend on the keys of the tests, so
/// they are not shown.
fn written(from: &str, fault: &Fault) -> String {
    let mut text = format!("# {from}\n[[refusal]]\ncode = {}\n", document::toml_string(fault.code.as_str()));
    text.push_str(&format!("says = {}\n", document::toml_string(&without_digests(&fault.message))));
    if let Some(rule) = fault.rule {
        text.push_str(&format!("rule = {}\n", document::toml_string(rule)));
    }
    if let Some(help) = &fault.help {
        text.push_str(&format!("help = {}\n", document::toml_string(&without_digests(help))));
    }
    text
}

fn without_digests(text: &str) -> String {
    let is_digest = |word: &str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    text.split(' ')
        .map(|word| {
            let bare = word.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
            if is_digest(bare) { word.replace(bare, "<64 hex>") } else { word.to_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A sentence without the words that vary: two that differ in nothing else are one.
fn pattern(text: &str, varies: impl Fn(&str) -> bool) -> String {
    let varies = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        varies(word.trim_end_matches("'s"))
    };
    let mut words: Vec<&str> = text.split(' ').map(|word| if varies(word) { "_" } else { word }).collect();
    words.dedup_by(|a, b| *a == "_" && *b == "_");
    words.join(" ")
}
