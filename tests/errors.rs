//! `docs/ERRORS.md` names every reason for a refusal, and says what to do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use std::collections::BTreeSet;

use sealed_orders::fault::Code;

/// The rows of the tables: code, when, what to do.
fn rows(text: &str) -> Vec<[&str; 3]> {
    text.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [code, when, what] = cells.as_slice() else { panic!("not three cells: {line}") };
            [code.trim_matches('`'), when, what]
        })
        .collect()
}

#[test]
fn every_code_is_explained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ERRORS.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = rows(&text);
    let documented: Vec<&str> = rows.iter().map(|[code, ..]| *code).collect();
    let printed: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(documented, printed, "the same codes in the same order");
    let unique: BTreeSet<&str> = printed.iter().copied().collect();
    assert_eq!(unique.len(), printed.len(), "a code stands for one thing only");
    for (code, [_, when, what]) in Code::ALL.iter().zip(&rows) {
        assert!(
            when.starts_with(code.meaning()),
            "{code}: {when:?} does not begin with {:?}",
            code.meaning()
        );
        assert!(what.ends_with('.'), "{code}: nothing is said of what to do");
    }
}

#[test]
fn codes_are_spelt_alike() {
    for code in Code::ALL {
        let text = code.as_str();
        assert_eq!(text, code.to_string());
        assert!(text.bytes().all(|c| c.is_ascii_lowercase() || c == b'-'), "{text}");
        assert!(!text.starts_with('-') && !text.ends_with('-'), "{text}");
    }
}
