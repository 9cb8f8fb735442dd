//! Quarrels: what files that cheats and accidents leave behind are judged to be.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "in a test a panic is the way to say no"
)]

#[path = "disputes/club.rs"]
mod club;
#[path = "disputes/proofs.rs"]
mod proofs;
#[path = "disputes/situations.rs"]
mod situations;

use std::collections::{BTreeMap, BTreeSet};

use sealed_orders::document;
use sealed_orders::mail::Reading;
use sealed_orders::report::dispute_text;
use sealed_orders::turn::dispute::{Content, Dispute, Exhibit, Kind, dispute};
use serde::Deserialize;

/// One file of a quarrel: its name and its text.
type File = (String, String);

/// What is expected of a situation, as it stands in `tests/cases/disputes.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: String,
    /// What happened, for people.
    story: String,
    verdict: String,
    /// Who is shown to have signed two orders; nobody else may be named.
    #[serde(default)]
    accused: Vec<String>,
    /// Which check failed.
    check: Option<String>,
    /// The code of what failed.
    code: Option<String>,
    /// By how many entries the copies are behind, by their names.
    #[serde(default)]
    lacks: BTreeMap<String, u64>,
    /// How the step of the quarrel closes: `first`, `second`, `proof`.
    stands: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    situation: Vec<Expected>,
}

fn exhibit((name, text): &File) -> Exhibit {
    let content = Reading::of_text(text).map(|reading| match reading {
        Reading::Game(file) => Content::Game(file),
        Reading::Proof(file) => Content::Proof(file),
        Reading::Entry(entry) => Content::Entries(vec![Ok(entry)]),
        Reading::Blocks(blocks) => Content::Entries(
            blocks.into_iter().map(|block| block.order.map(sealed_orders::log::SignedEntry::Order)).collect(),
        ),
    });
    Exhibit { name: name.clone(), content }
}

fn settle(files: &[File]) -> Dispute {
    dispute(files.iter().map(exhibit).collect()).unwrap()
}

fn permutations(files: &[File]) -> Vec<Vec<File>> {
    if files.len() < 2 {
        return vec![files.to_vec()];
    }
    (0..files.len())
        .flat_map(|first| {
            let mut rest = files.to_vec();
            let one = rest.remove(first);
            permutations(&rest).into_iter().map(move |mut tail| {
                tail.insert(0, one.clone());
                tail
            })
        })
        .collect()
}

fn accused(dispute: &Dispute) -> BTreeSet<String> {
    dispute
        .findings
        .iter()
        .filter(|finding| matches!(finding.kind, Kind::TwoOrders | Kind::ProofEntered))
        .filter_map(|finding| finding.seat.as_ref().map(ToString::to_string))
        .collect()
}

fn hold(expected: &Expected, files: &[File]) -> Result<(), String> {
    let found = settle(files);
    let text = dispute_text(&found);
    let say = |what: String| Err(format!("{}: {what}\n{text}", expected.name));
    if found.verdict().as_str() != expected.verdict {
        return say(format!("the verdict is {}, not {}", found.verdict().as_str(), expected.verdict));
    }
    let wanted: BTreeSet<String> = expected.accused.iter().cloned().collect();
    if accused(&found) != wanted {
        return say(format!("accused: {:?}, not {wanted:?}", accused(&found)));
    }
    let first = &found.findings[0];
    if let Some(check) = &expected.check
        && first.check() != Some(check)
    {
        return say(format!("the check is {:?}, not {check}", first.check()));
    }
    if let Some(code) = &expected.code
        && first.fault.as_ref().map(|fault| fault.code.as_str()) != Some(code)
    {
        return say(format!("the code is not {code}"));
    }
    let behind: BTreeMap<String, u64> = found
        .findings
        .iter()
        .filter(|finding| finding.kind == Kind::Behind)
        .map(|finding| (finding.files.first().cloned().unwrap_or_default(), finding.lacks.unwrap_or(0)))
        .collect();
    if (expected.verdict == "behind" || !expected.lacks.is_empty()) && behind != expected.lacks {
        return say(format!("behind are {behind:?}"));
    }
    if let Some(stands) = &expected.stands {
        let sentence = match stands.as_str() {
            "proof" => "neither stands",
            "one" => "so it stands",
            other => return say(format!("{other:?} is no way to stand")),
        };
        if !first.told.iter().any(|line| line.contains(sentence)) {
            return say(format!("nothing says {sentence:?}"));
        }
    }
    for files in permutations(files) {
        let again = dispute_text(&settle(&files));
        if again != text {
            return say(format!("another order of the files tells:\n{again}"));
        }
    }
    if text.lines().any(|line| line.chars().count() > 72) {
        return say("a line is too wide".to_owned());
    }
    Ok(())
}

#[test]
fn every_situation_has_its_verdict() {
    let tree = document::parse(include_str!("cases/disputes.toml")).unwrap();
    let cases: Cases = document::read(&tree).unwrap();
    let mut made = situations::all();
    let only = std::env::var("SEALED_CASE").ok();
    let mut faults = Vec::new();
    assert!(cases.situation.len() >= 40, "only {} situations", cases.situation.len());
    for expected in &cases.situation {
        assert!(!expected.story.is_empty(), "{} needs a story", expected.name);
        let files =
            made.remove(expected.name.as_str()).unwrap_or_else(|| panic!("nothing makes {}", expected.name));
        if only.as_ref().is_some_and(|only| *only != expected.name) {
            continue;
        }
        if only.is_some() {
            println!("{}", dispute_text(&settle(&files)));
        }
        if let Err(fault) = hold(expected, &files) {
            faults.push(fault);
        }
    }
    assert!(made.is_empty(), "no verdict is expected of: {:?}", made.keys());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.situation.len(), faults.join("\n\n"));
}

/// Dropping the last k entries, for every k, is told as "behind" with k, once the other file is
/// known: with the position as it was, with none, and with one that was written anew.
#[test]
fn every_dropped_tail_is_behind() {
    for (rules, seats) in
        [("shield-bashers/1", &["red", "blue", "green"][..]), ("tresurion/1", &["red", "blue"])]
    {
        let club = club::Club::new(rules, seats, 1);
        let mut entries = club.deployed();
        club.play(&mut entries, 9, 3);
        let whole = ("whole.toml".to_owned(), club.file(&entries));
        let all = entries.len();
        for dropped in 1..=all {
            let kept = &entries[..all - dropped];
            let written = club.file(kept);
            let as_it_was = club.file_as_it_is(kept, &entries);
            let without = {
                let begin = written.find("\n[position]").unwrap();
                let end = written.find("\n[[order]]").unwrap_or(written.len());
                format!("{}{}", &written[..begin], &written[end..])
            };
            for cut in [written, as_it_was, without] {
                let found = settle(&[("cut.toml".to_owned(), cut), whole.clone()]);
                let lacks: Vec<_> =
                    found.findings.iter().map(|finding| (finding.kind, finding.lacks)).collect();
                assert_eq!(
                    lacks,
                    [(Kind::Behind, Some(dropped as u64))],
                    "{rules}, {dropped} of {all} dropped\n{}",
                    dispute_text(&found)
                );
            }
        }
    }
}

/// A referee finds every verdict in the page that is written for referees, the gravest first.
#[test]
fn every_verdict_is_explained() {
    let page = include_str!("../docs/DISPUTES.md");
    let rows: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(rows, kinds);
    let mut graver_first = Kind::ALL.to_vec();
    graver_first.sort();
    assert_eq!(graver_first, Kind::ALL);
    // Each is the verdict of some situation.
    let tree = document::parse(include_str!("cases/disputes.toml")).unwrap();
    let cases: Cases = document::read(&tree).unwrap();
    for kind in kinds {
        assert!(cases.situation.iter().any(|case| case.verdict == kind), "no situation is judged {kind}");
    }
}
