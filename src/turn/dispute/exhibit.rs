//! The files of a dispute: what is genuine in them, whatever else is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Copy, Finding, Kind};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{GameId, Head, OrderDigest};
use crate::log::{Entry, GameFile, Header, ProofFile, SignedEntry, Verified};
use crate::turn::position::{Difference, compare_position};
use crate::turn::replay::Replay;

/// One file of a dispute.
#[derive(Debug)]
pub struct Exhibit {
    /// What it is called.
    pub name: String,
    /// What it holds, or why it could not be understood.
    pub content: Checked<Content>,
}

/// What a file of a dispute holds.
#[derive(Debug)]
pub enum Content {
    /// A game file.
    Game(Box<GameFile>),
    /// A proof file.
    Proof(Box<ProofFile>),
    /// Orders or proofs by themselves, each or why it is none.
    Entries(Vec<Checked<SignedEntry>>),
}

/// What a file's own `[position]` says against its entries.
#[derive(Debug)]
pub(super) enum Position {
    Fits,
    /// It names another game, head or step.
    Elsewhere {
        head: Option<Head>,
        fault: Fault,
    },
    /// Other values differ.
    Edited(Vec<Difference>),
}

/// A copy of the game.
#[derive(Debug)]
pub(super) struct Filed {
    pub(super) name: String,
    pub(super) replay: Checked<Replay>,
    pub(super) position: Position,
    entries: usize,
}

/// A genuine entry, and the files that have it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) entry: Entry,
    /// The copies that have it.
    pub(super) filed_in: BTreeSet<String>,
    /// The files that have it by itself.
    pub(super) loose_in: BTreeSet<String>,
}

impl Found {
    pub(super) fn files(&self) -> impl Iterator<Item = &String> {
        self.filed_in.union(&self.loose_in)
    }
}

/// Everything that the files hold of one game.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) header: Option<Arc<Header>>,
    pub(super) files: BTreeSet<String>,
    pub(super) filed: Vec<Filed>,
    found: BTreeMap<(Head, Vec<OrderDigest>), Found>,
}

impl Evidence {
    fn add(&mut self, entry: &Entry, file: &str, is_copy: bool) {
        let found = self.found.entry(entry.identity()).or_insert_with(|| Found {
            entry: entry.clone(),
            filed_in: BTreeSet::new(),
            loose_in: BTreeSet::new(),
        });
        if let (Entry::Order(known), Entry::Order(order)) = (&found.entry, entry) {
            found.entry = known.with_smaller_signature(order).into();
        }
        let files = if is_copy { &mut found.filed_in } else { &mut found.loose_in };
        files.insert(file.to_owned());
    }

    /// Every genuine entry.
    pub(super) fn entries(&self) -> Vec<&Found> {
        self.found.values().collect()
    }

    /// Every genuine entry, and every order that stands in a proof.
    pub(super) fn orders_too(&self) -> Vec<Entry> {
        let inside = |entry: &Entry| {
            entry
                .proof()
                .into_iter()
                .flat_map(|proof| proof.orders().cloned())
                .map(Entry::from)
                .collect::<Vec<_>>()
        };
        self.found
            .values()
            .flat_map(|found| std::iter::once(found.entry.clone()).chain(inside(&found.entry)))
            .collect()
    }

    /// The entries of the copies.
    pub(super) fn filed(&self) -> Vec<Entry> {
        self.found
            .values()
            .filter(|found| !found.filed_in.is_empty())
            .map(|found| found.entry.clone())
            .collect()
    }

    /// The entries that no copy has.
    pub(super) fn loose(&self) -> Vec<Entry> {
        self.found
            .values()
            .filter(|found| found.filed_in.is_empty())
            .map(|found| found.entry.clone())
            .collect()
    }

    /// The copies whose entries hold, with their replays.
    pub(super) fn good(&self) -> impl Iterator<Item = (&Filed, &Replay)> {
        self.filed.iter().filter_map(|filed| filed.replay.as_ref().ok().map(|replay| (filed, replay)))
    }

    pub(super) fn copies(&self) -> Vec<Copy> {
        self.filed
            .iter()
            .map(|filed| {
                let replay = filed.replay.as_ref().ok();
                Copy {
                    name: filed.name.clone(),
                    step: replay.map(Replay::step),
                    head: replay.map(Replay::head),
                    entries: filed.entries,
                }
            })
            .collect()
    }

    /// The last head that all copies that hold have in common.
    pub(super) fn common_head(&self) -> Option<(u64, Head)> {
        let mut chains = self.good().map(|(_, replay)| heads(replay));
        let mut common = chains.next()?;
        for chain in chains {
            let same = common.iter().zip(&chain).take_while(|(one, other)| one == other).count();
            common.truncate(same);
        }
        common.into_iter().enumerate().next_back().map(|(step, head)| (step as u64, head))
    }
}

/// Every head of a game, from the game id on.
pub(super) fn heads(replay: &Replay) -> Vec<Head> {
    std::iter::once(Head::first(replay.header().id()))
        .chain(replay.steps().iter().map(|step| step.head))
        .collect()
}

/// Verifies everything, and sorts it by game. What cannot be used is a finding at once.
pub(super) fn gather_evidence(mut exhibits: Vec<Exhibit>) -> (BTreeMap<GameId, Evidence>, Vec<Finding>) {
    exhibits.sort_by(|one, other| one.name.cmp(&other.name));
    let mut evidence: BTreeMap<GameId, Evidence> = BTreeMap::new();
    let mut findings = Vec::new();
    // Headers first: orders are verified against them.
    for exhibit in &exhibits {
        let header = match &exhibit.content {
            Ok(Content::Game(file)) => &file.header,
            Ok(Content::Proof(file)) => &file.header,
            _ => continue,
        };
        let game = evidence.entry(header.id()).or_default();
        game.files.insert(exhibit.name.clone());
        game.header.get_or_insert_with(|| Arc::new(header.clone()));
    }
    for Exhibit { name, content } in exhibits {
        match content {
            Err(fault) => findings.push(unreadable(&name, fault)),
            Ok(Content::Game(file)) => add_copy(&name, *file, &mut evidence, &mut findings),
            Ok(Content::Proof(file)) => add_proof(&name, *file, &mut evidence, &mut findings),
            Ok(Content::Entries(entries)) => {
                for signed in entries {
                    match signed {
                        Ok(signed) => add_loose(&name, signed, &mut evidence, &mut findings),
                        Err(fault) => findings.push(unreadable(&name, fault)),
                    }
                }
            }
        }
    }
    (evidence, findings)
}

fn unreadable(name: &str, fault: Fault) -> Finding {
    let mut finding = Finding::new(Kind::Invalid, format!("{name} cannot be understood: {}.", fault.message));
    finding.files.insert(name.to_owned());
    finding
        .because(fault)
        .more("It may have been cut off or changed on its way; that holds nothing against anybody.")
        .decided_by("whoever sent it can send it again")
}

/// An entry whose signature, or whose proof, does not hold.
fn not_genuine(name: &str, game: GameId, what: &str, step: u64, fault: Fault) -> Finding {
    let mut finding = Finding::new(
        Kind::Invalid,
        format!("In {name} the {what} of step {step} is not genuine: {}.", fault.message),
    );
    finding.step = Some(step);
    finding.files.insert(name.to_owned());
    let who = match fault.code {
        Code::WrongSignature => {
            "the seat that it names can say whether they wrote it; anybody could have made it"
        }
        _ => "whoever sent the file can send it again; anybody on the way could have changed it",
    };
    finding.of(game).because(fault).decided_by(who)
}

fn told(entry: &SignedEntry) -> String {
    match entry {
        SignedEntry::Order(order) => format!("[{}] of {}", order.order().action, order.order().seat),
        SignedEntry::Proof(_) => "[proof]".to_owned(),
    }
}

fn add_copy(
    name: &str,
    file: GameFile,
    evidence: &mut BTreeMap<GameId, Evidence>,
    findings: &mut Vec<Finding>,
) {
    let id = file.header.id();
    let replay = Replay::of_file(&file);
    let position = match (&file.position, &replay) {
        (Some(written), Ok(replay)) => match compare_position(replay, written) {
            Ok(differences) if differences.is_empty() => Position::Fits,
            Ok(differences) => Position::Edited(differences),
            Err(fault) => {
                let head = written.nearest("head").value.clone();
                let head = match head {
                    crate::document::Value::Text(text) => text.parse().ok(),
                    _ => None,
                };
                Position::Elsewhere { head, fault }
            }
        },
        _ => Position::Fits,
    };
    let entries = file.entries.len();
    let mut bad = false;
    for signed in file.entries {
        let (what, step) = (told(&signed), signed.step());
        match signed.verify(&file.header) {
            Ok(entry) => evidence.entry(id).or_default().add(&entry, name, true),
            Err(fault) => {
                bad = true;
                findings.push(not_genuine(name, id, &what, step, fault));
            }
        }
    }
    let game = evidence.entry(id).or_default();
    if let (Err(fault), false) = (&replay, bad) {
        findings.push(does_not_hold(name, id, fault.clone()));
    }
    game.filed.push(Filed { name: name.to_owned(), replay, position, entries });
}

/// A copy whose entries are all genuine, and do not make a game.
fn does_not_hold(name: &str, game: GameId, fault: Fault) -> Finding {
    let (kind, told) = match fault.code {
        Code::WrongOpening => (
            Kind::WrongOpening,
            format!("In {name} an opening does not match what was sealed: {}.", fault.message),
        ),
        _ => (Kind::Invalid, format!("{name} does not hold: {}.", fault.message)),
    };
    let mut finding = Finding::new(kind, told);
    finding.files.insert(name.to_owned());
    let who = match fault.code.stage() {
        crate::fault::Stage::Placed => {
            "the others' copies: entries were left out or put in, which anybody can do to a file"
        }
        _ => "nobody has to: the rules refuse it, and the game stands without it",
    };
    finding.of(game).because(fault).decided_by(who)
}

fn add_proof(
    name: &str,
    file: ProofFile,
    evidence: &mut BTreeMap<GameId, Evidence>,
    findings: &mut Vec<Finding>,
) {
    let id = file.header.id();
    for signed in file.entries {
        let (what, step) = (told(&signed), signed.step());
        match signed.verify(&file.header) {
            Ok(entry) => evidence.entry(id).or_default().add(&entry, name, false),
            Err(fault) => findings.push(not_genuine(name, id, &what, step, fault)),
        }
    }
    match file.accusation.verify(&file.header) {
        // Its orders are looked at like any others; that somebody calls them a proof adds nothing.
        Ok(proof) => {
            for order in proof.orders() {
                evidence.entry(id).or_default().add(&order.clone().into(), name, false);
            }
        }
        Err(fault) => {
            let mut finding =
                Finding::new(Kind::Invalid, format!("{name} proves nothing: {}.", fault.message));
            finding.files.insert(name.to_owned());
            findings.push(finding.of(id).because(fault));
        }
    }
}

fn add_loose(
    name: &str,
    signed: SignedEntry,
    evidence: &mut BTreeMap<GameId, Evidence>,
    findings: &mut Vec<Finding>,
) {
    let id = match &signed {
        SignedEntry::Order(order) => order.order().game,
        SignedEntry::Proof(proof) => proof.game(),
    };
    let game = evidence.entry(id).or_default();
    game.files.insert(name.to_owned());
    let Some(header) = game.header.clone() else { return };
    let (what, step) = (told(&signed), signed.step());
    match signed.verify(&header) {
        Ok(Entry::Proof(proof)) => {
            for order in proof.orders().cloned().map(Verified::into) {
                game.add(&order, name, false);
            }
        }
        Ok(entry) => game.add(&entry, name, false),
        Err(fault) => findings.push(not_genuine(name, id, &what, step, fault)),
    }
}
