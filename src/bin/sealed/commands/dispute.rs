//! `sealed dispute`: who is right, from the files alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use sealed_orders::document::utf8;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::log::{Entry, write_proof_file};
use sealed_orders::mail::Reading;
use sealed_orders::report::dispute_text;
use sealed_orders::store::{self, Lock};
use sealed_orders::turn::dispute::{Content, Dispute, Exhibit, Finding, Kind, dispute};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Outcome, to_json};
use crate::table;

/// Find out who is right, from any number of files that claim to be of one game.
///
/// FILE is a copy of the game, an order file, a proof file, or a text with order blocks. All
/// of them are verified, and one verdict comes first: same, behind, written-twice,
/// claim-yielded, arbiter-entry, proof-entered, arbiter-contradicts, invalid, wrong-opening,
/// two-orders, different-games or undecided. The order of the files does not matter. The
/// exit code is 0 for "same", else 1.
#[derive(Debug, Args)]
pub(crate) struct DisputeArgs {
    /// The files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the proof here, where a seat signed two orders.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Whose proof to write, where it is possible to prove it of several.
    #[arg(long, value_name = "SEAT", requires = "proof")]
    seat: Option<String>,
    /// Write here the game that the files make together.
    #[arg(long, value_name = "OUT")]
    merge: Option<PathBuf>,
}

pub(crate) fn run(args: &DisputeArgs) -> Result<Outcome, Failure> {
    let mut seen = BTreeSet::new();
    let named = args.files.iter().filter(|path| seen.insert((*path).clone()));
    let exhibits: Vec<Exhibit> = named.map(|path| exhibit(path)).collect::<Result<_, _>>()?;
    let dispute = dispute(exhibits)?;
    let mut text = dispute_text(&dispute);
    let mut json = dispute_json(&dispute);
    if let Some(path) = &args.proof {
        write_proof(&dispute, args.seat.as_deref(), path)?;
        let _ = writeln!(text, "\nThe proof is in {}.", path.display());
        insert(&mut json, "proof", path);
    }
    if let Some(path) = &args.merge {
        write_merged(&dispute, path)?;
        let _ = writeln!(text, "\nThe merged game is in {}.", path.display());
        insert(&mut json, "merged", path);
    }
    Ok(Outcome { text, json, refused: dispute.verdict() != Kind::Same })
}

fn insert(json: &mut Value, key: &str, path: &Path) {
    if let Some(json) = json.as_object_mut() {
        json.insert(key.to_owned(), json!(path.display().to_string()));
    }
}

/// Reads one file. That it cannot be understood is something to be found, not a failure.
fn exhibit(path: &Path) -> Result<Exhibit, Failure> {
    let name = path.display().to_string();
    let bytes = if path.as_os_str() == "-" {
        store::read_limited(std::io::stdin().lock(), "standard input")?
    } else {
        store::read(path)?
    };
    let content = utf8(&bytes).and_then(Reading::of_text).map(|reading| match reading {
        Reading::Game(file) => Content::Game(file),
        Reading::Proof(file) => Content::Proof(file),
        Reading::Entry(entry) => Content::Entries(vec![Ok(entry)]),
        Reading::Blocks(blocks) => Content::Entries(
            blocks.into_iter().map(|block| block.order.map(sealed_orders::log::SignedEntry::Order)).collect(),
        ),
    });
    Ok(Exhibit { name, content })
}

fn write_proof(dispute: &Dispute, seat: Option<&str>, path: &Path) -> Result<(), Failure> {
    let proofs: Vec<&Finding> = dispute
        .findings
        .iter()
        .filter(|finding| finding.proof.is_some())
        .filter(|finding| seat.is_none_or(|seat| finding.seat.as_ref().is_some_and(|of| of.as_str() == seat)))
        .collect();
    let finding = match proofs.as_slice() {
        [] => {
            return Err(Fault::new(
                Code::NoProof,
                "nobody is shown to have signed two orders, so no proof is written",
            )
            .into());
        }
        [one] => one,
        several => {
            let seats: BTreeSet<&str> = several
                .iter()
                .filter_map(|finding| finding.seat.as_ref())
                .map(sealed_orders::ident::Seat::as_str)
                .collect();
            // Of several against one seat the first is enough.
            if seats.len() > 1 {
                let list: Vec<&str> = seats.into_iter().collect();
                let fault =
                    Fault::new(Code::Unclear, format!("there are proofs against {}", list.join(" and ")));
                return Err(fault.help("say whose to write: --seat SEAT").into());
            }
            several.first().ok_or_else(|| Fault::new(Code::Internal, "a list of several is empty"))?
        }
    };
    let game = dispute.games.iter().find(|game| Some(game.header.id()) == finding.game);
    let (Some(game), Some(proof)) = (game, &finding.proof) else {
        return Err(Fault::new(Code::Internal, "a proof of no game").into());
    };
    let steps = game.stands.steps().iter().filter(|step| step.number < proof.fork_step());
    let before: Vec<&Entry> =
        steps.flat_map(|step| &step.orders).map(sealed_orders::games::Legal::entry).collect();
    let _lock = Lock::take(path)?;
    must_be_new(path)?;
    store::write(path, write_proof_file(&game.header, proof, before).as_bytes())?;
    Ok(())
}

/// What a dispute writes never takes the place of a file that may be evidence.
fn must_be_new(path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let fault = Fault::new(Code::Exists, format!("{} exists already and is not overwritten", path.display()));
    Err(fault.help("name a file that does not exist yet").into())
}

fn write_merged(dispute: &Dispute, path: &Path) -> Result<(), Failure> {
    let refuse = |why: &str, help: &str| -> Result<(), Failure> {
        Err(Fault::new(Code::Unclear, why.to_owned()).help(help.to_owned()).into())
    };
    let [game] = dispute.games.as_slice() else {
        return refuse(
            "the files are not of one game, so they cannot be merged",
            "name the files of one game only",
        );
    };
    if dispute.findings.iter().any(|finding| finding.kind == Kind::TwoOrders) {
        return refuse(
            "a seat has signed two orders, so the files cannot simply be merged",
            "write the proof with --proof FILE, and enter it with `sealed proof enter FILE`",
        );
    }
    let _lock = Lock::take(path)?;
    must_be_new(path)?;
    store::write(path, table::game_text(&game.merged).as_bytes())?;
    Ok(())
}

fn dispute_json(dispute: &Dispute) -> Value {
    let findings: Vec<Value> = dispute.findings.iter().map(finding_json).collect();
    let games: Vec<Value> = dispute
        .games
        .iter()
        .map(|game| {
            let copies: Vec<Value> = game
                .copies
                .iter()
                .map(|copy| {
                    json!({
                        "file": copy.name, "holds": copy.head.is_some(), "step": copy.step,
                        "head": copy.head.map(|head| head.to_string()), "entries": copy.entries,
                    })
                })
                .collect();
            let stands = &game.stands;
            let awaits: Vec<String> =
                stands.missing().into_iter().map(|seat| game.header.seat(seat).to_string()).collect();
            json!({
                "id": game.header.id().to_string(), "name": game.header.name(), "copies": copies,
                "common": game.common.map(|(step, head)| json!({ "step": step, "head": head.to_string() })),
                "stands": {
                    "step": stands.step(), "head": stands.head().to_string(), "awaits": awaits,
                    "phase": stands.counted().phase().as_str(),
                    "result": stands.ending().map(|ending| ending.told(&game.header)),
                },
            })
        })
        .collect();
    json!({ "verdict": dispute.verdict().as_str(), "findings": findings, "games": games })
}

fn finding_json(finding: &Finding) -> Value {
    let entries: Vec<Value> = finding
        .entries
        .iter()
        .map(|entry| {
            let digests: Vec<String> = entry.digests().iter().map(ToString::to_string).collect();
            json!({ "digests": digests, "entry": to_json(&entry.written()) })
        })
        .collect();
    json!({
        "kind": finding.kind.as_str(), "game": finding.game.map(|game| game.to_string()),
        "files": finding.files, "step": finding.step,
        "seat": finding.seat.as_ref().map(sealed_orders::ident::Seat::as_str),
        "told": finding.told, "check": finding.check(),
        "code": finding.fault.as_ref().map(|fault| fault.code.as_str()),
        "rule": finding.fault.as_ref().and_then(|fault| fault.rule),
        "lacks": finding.lacks, "who": finding.who, "entries": entries,
    })
}
