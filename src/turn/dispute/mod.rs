//! Who is right, from files alone: any number of files that claim to be of one game.
//!
//! 1. Everything in the files is verified, whatever else is wrong with them (`exhibit`).
//! 2. Every head that the genuine entries lead to is found (`tree`), and where a seat has
//!    signed two orders that contradict each other (`forks`).
//! 3. All of it together, with the proofs, gives the game that stands, by the same rules by
//!    which `apply` takes orders in.
//! 4. Each file is held against that game (`held`): each difference is a [`Finding`] of a
//!    closed list, and the gravest is the verdict.
//!
//! A dispute states what was signed and what follows by the rules. It states no motive, and
//! never counts against anybody what a third person could have done: a file that was cut
//! off, a bad signature, a second signature over one body, an order that is missing.

mod exhibit;
mod forks;
mod held;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::adjudicate::adjudicate;
use super::replay::Replay;
use super::tree::Tree;
use crate::fault::{Checked, Fault, Stage};
use crate::ident::{GameId, Head, Seat};
use crate::log::{Entry, Header, Proven};

pub use exhibit::{Content, Exhibit};
use exhibit::{Evidence, gather_evidence};
use forks::forks;
use held::Held;

/// What a finding says; the gravest first. The text of a kind never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The files are of more than one game.
    DifferentGames,
    /// A seat signed two different orders where it may sign one.
    TwoOrders,
    /// An opening does not match what was sealed.
    WrongOpening,
    /// A file or an entry is not what it claims to be, or not allowed.
    Invalid,
    /// The arbiter entered two things that exclude each other.
    ArbiterContradicts,
    /// A proof that one file has took the place of an order.
    ProofEntered,
    /// An entry of the arbiter takes the place of an order.
    ArbiterEntry,
    /// A claim of a draw yields to another entry.
    ClaimYielded,
    /// A seat wrote one decision down twice, with other words or at another time.
    WrittenTwice,
    /// It cannot be decided from these files.
    Undecided,
    /// A copy lacks entries that others have.
    Behind,
    /// All copies are the same game.
    Same,
}

impl Kind {
    /// All kinds, the gravest first.
    pub const ALL: [Self; 12] = [
        Self::DifferentGames,
        Self::TwoOrders,
        Self::WrongOpening,
        Self::Invalid,
        Self::ArbiterContradicts,
        Self::ProofEntered,
        Self::ArbiterEntry,
        Self::ClaimYielded,
        Self::WrittenTwice,
        Self::Undecided,
        Self::Behind,
        Self::Same,
    ];

    /// The code as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DifferentGames => "different-games",
            Self::TwoOrders => "two-orders",
            Self::WrongOpening => "wrong-opening",
            Self::Invalid => "invalid",
            Self::ArbiterContradicts => "arbiter-contradicts",
            Self::ProofEntered => "proof-entered",
            Self::ArbiterEntry => "arbiter-entry",
            Self::ClaimYielded => "claim-yielded",
            Self::WrittenTwice => "written-twice",
            Self::Undecided => "undecided",
            Self::Behind => "behind",
            Self::Same => "same",
        }
    }
}

type Rank = (Kind, Option<u64>, Option<GameId>, Option<Seat>, Vec<String>, BTreeSet<String>);

/// One thing that was found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// Of which game, where that is known.
    pub game: Option<GameId>,
    /// The files that it was found in.
    pub files: BTreeSet<String>,
    /// The number of the step that it is about.
    pub step: Option<u64>,
    /// Who signed what it is about. Only [`Kind::TwoOrders`] holds anything against a seat.
    pub seat: Option<Seat>,
    /// What is said of it: the first sentence alone is enough, further ones explain.
    pub told: Vec<String>,
    /// The entries that it is about, to be shown side by side.
    pub entries: Vec<Entry>,
    /// Why an entry or a file will not do.
    pub fault: Option<Fault>,
    /// How many entries a copy lacks.
    pub lacks: Option<u64>,
    /// Who can decide or mend what these files do not.
    pub who: Option<String>,
    /// The proof, where two orders were signed.
    pub proof: Option<Proven>,
}

impl Finding {
    fn new(kind: Kind, told: impl Into<String>) -> Self {
        Self {
            kind,
            game: None,
            files: BTreeSet::new(),
            step: None,
            seat: None,
            told: vec![told.into()],
            entries: Vec::new(),
            fault: None,
            lacks: None,
            who: None,
            proof: None,
        }
    }

    fn more(mut self, sentence: impl Into<String>) -> Self {
        self.told.push(sentence.into());
        self
    }

    fn of(mut self, game: GameId) -> Self {
        self.game = Some(game);
        self
    }

    fn in_files<'a>(mut self, files: impl IntoIterator<Item = &'a String>) -> Self {
        self.files.extend(files.into_iter().cloned());
        self
    }

    fn because(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    fn about(mut self, entry: &Entry) -> Self {
        self.step = Some(entry.step());
        self.seat = entry.order().map(|order| order.order().seat.clone());
        self.entries.push(entry.clone());
        self
    }

    fn decided_by(mut self, who: impl Into<String>) -> Self {
        self.who = Some(who.into());
        self
    }

    /// Which check failed, where one did: `understood`, `genuine`, `in place` or `legal`.
    #[must_use]
    pub fn check(&self) -> Option<&'static str> {
        self.fault.as_ref().map(|fault| match fault.code.stage() {
            Stage::Understood => "understood",
            Stage::Verified => "genuine",
            Stage::Placed => "in place",
            Stage::Legal => "legal",
            Stage::World => "readable",
        })
    }

    /// What findings are sorted by: never the order of the files.
    fn rank(&self) -> Rank {
        (self.kind, self.step, self.game, self.seat.clone(), self.told.clone(), self.files.clone())
    }
}

/// One copy of a game, by itself.
#[derive(Clone, Debug)]
pub struct Copy {
    /// The name of its file.
    pub name: String,
    /// How many steps have closed in it; nothing where it does not hold.
    pub step: Option<u64>,
    /// Its head.
    pub head: Option<Head>,
    /// How many entries it has.
    pub entries: usize,
}

/// What the files say of one game.
#[derive(Debug)]
pub struct Standing {
    /// The game.
    pub header: Arc<Header>,
    /// The copies of it, by their names.
    pub copies: Vec<Copy>,
    /// The last head that all copies that hold have in common, and its step.
    pub common: Option<(u64, Head)>,
    /// The game that stands, of everything that is known; with the proofs of this dispute in
    /// their places.
    pub stands: Replay,
    /// The same without proofs that no file has entered: what a copy can be made of.
    pub merged: Replay,
}

/// Everything that was found.
#[derive(Debug)]
pub struct Dispute {
    /// All findings, the gravest first; there is at least one.
    pub findings: Vec<Finding>,
    /// The games, by their ids.
    pub games: Vec<Standing>,
}

impl Dispute {
    /// The verdict: the gravest finding.
    #[must_use]
    pub fn verdict(&self) -> Kind {
        self.findings.first().map_or(Kind::Same, |finding| finding.kind)
    }
}

/// Settles a dispute. The order of the files does not matter.
///
/// # Errors
/// A header does not fit its rules.
pub fn dispute(exhibits: Vec<Exhibit>) -> Checked<Dispute> {
    let (evidence, mut findings) = gather_evidence(exhibits);
    let named: BTreeMap<GameId, &BTreeSet<String>> =
        evidence.iter().map(|(id, evidence)| (*id, &evidence.files)).collect();
    if named.len() > 1 {
        let mut finding =
            Finding::new(Kind::DifferentGames, format!("The files are of {} different games.", named.len()));
        for (id, files) in &named {
            let name = evidence.get(id).and_then(|evidence| evidence.header.as_ref()).map_or_else(
                || "a game whose file is not here".to_owned(),
                |header| format!("{:?}", header.name()),
            );
            let list: Vec<&str> = files.iter().map(String::as_str).collect();
            finding = finding.more(format!("{id} is {name}: {}.", list.join(", "))).in_files(*files);
        }
        findings.push(finding.more(
            "An order counts in its own game alone; that it turns up here holds nothing against its signer.",
        ));
    }
    let mut games = Vec::new();
    for (id, evidence) in evidence {
        match &evidence.header {
            Some(header) => {
                let header = Arc::clone(header);
                games.push(judge_game(&header, &evidence, &mut findings)?);
            }
            None => findings.push(
                Finding::new(Kind::Undecided, format!("No file here has the header of the game {id}."))
                    .of(id)
                    .in_files(&evidence.files)
                    .decided_by("whoever has the game file can judge its orders"),
            ),
        }
    }
    if findings.is_empty() {
        let copies: Vec<&Copy> = games.iter().flat_map(|game| &game.copies).collect();
        let told = match copies.as_slice() {
            [one] => format!("{} holds, and nothing here contradicts it.", one.name),
            [_, _] => "Both copies are the same game, entry by entry.".to_owned(),
            _ => format!("All {} copies are the same game, entry by entry.", copies.len()),
        };
        let names: Vec<String> = copies.iter().map(|copy| copy.name.clone()).collect();
        findings.push(Finding::new(Kind::Same, told).in_files(&names));
    }
    findings.sort_by_key(Finding::rank);
    Ok(Dispute { findings, games })
}

fn judge_game(header: &Arc<Header>, evidence: &Evidence, findings: &mut Vec<Finding>) -> Checked<Standing> {
    let known = evidence.entries();
    let tree = Tree::grow(header, &evidence.orders_too())?;
    let all_forks = forks(&tree);
    let proofs: Vec<Entry> = all_forks.iter().map(|fork| fork.proof.clone().into()).collect();
    let (in_files, loose) = (evidence.filed(), evidence.loose());
    let with_proofs: Vec<Entry> = loose.iter().chain(&proofs).cloned().collect();
    let taken = adjudicate(header, &in_files, &with_proofs)?;
    let refusals = with_proofs.iter().map(Entry::identity).zip(taken.verdicts).collect();
    let stands = taken.replay;
    let merged = adjudicate(header, &in_files, &loose)?.replay;
    let held =
        Held { header, tree: &tree, stands: &stands, refusals: &refusals, evidence, forks: &all_forks };
    let found = held.findings(&known);
    findings.extend(found);
    let copies = evidence.copies();
    let common = evidence.common_head();
    Ok(Standing { header: Arc::clone(header), copies, common, stands, merged })
}
