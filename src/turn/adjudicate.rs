//! Taking orders into a game, from wherever they come and in whatever order.
//!
//! All orders, those of the file and the new ones, lie in one pool by the head that they
//! answer. From the game id on, the chain is found again: at each head the legal orders are
//! chosen by fixed rules (`precedence`), and if they close the step, the next head is reached. So the
//! outcome depends on which orders are known, never on which came first. Precedence at one
//! head: the arbiter, a proof, the awaited seat, a claim (protocol, "Steps and heads").
//!
//! A proof counts from the head on where its branches part: from there on it takes its
//! seat's place as soon as nobody else has built on that seat's order (`equivocation`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::equivocation::check_fork;
use super::precedence::{Accused, Choice, Follower, Variant};
use super::replay::{Gathered, Replay, gather};
use crate::fault::{Checked, Code, Fault};
use crate::games::{Legal, Standing};
use crate::ident::{Head, OrderDigest, SeatIndex};
use crate::log::{Entry, Header, Proven, Verified};

/// What became of one new entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is part of the game now.
    Accepted,
    /// It was part of the game already.
    Known,
    /// It is genuine, but orders that come before it are missing; or it is a proof whose seat
    /// is not awaited yet.
    Waiting(Fault),
    /// It is not taken.
    Refused(Fault),
}

/// A game with new orders taken in.
#[derive(Debug)]
pub struct Adjudication {
    /// The game.
    pub replay: Replay,
    /// What became of each new entry, in the order in which they were given.
    pub verdicts: Vec<Verdict>,
    /// Entries of the file that no longer stand, because another takes precedence.
    pub dropped: Vec<Entry>,
}

struct Candidate {
    verified: Verified,
    in_file: bool,
    /// Whether it is known by itself, and not only because a proof tells of it.
    alone: bool,
}

/// Takes new entries, orders and proofs, into a game.
///
/// # Errors
/// The header does not fit its rules; a single entry never makes it fail.
pub fn adjudicate<E: Clone + Into<Entry>>(
    header: &Arc<Header>,
    file: &[E],
    new: &[E],
) -> Checked<Adjudication> {
    let entries = |list: &[E]| list.iter().cloned().map(Into::into).collect::<Vec<Entry>>();
    let (file, new) = (entries(file), entries(new));
    let mut pool = Pool::new(&file, &new);
    if new.iter().filter_map(Entry::order).any(|order| order.order().seat.is_arbiter()) {
        let as_filed = Pool::new(&file, &[]).chain(header)?;
        let is_final = as_filed.ending().is_some_and(|ending| !ending.provisional);
        pool.final_head = is_final.then(|| as_filed.head());
    }
    let replay = pool.chain(header)?;
    let on_chain: BTreeSet<Vec<OrderDigest>> = replay.entries().map(Entry::digests).collect();
    let known: BTreeSet<Vec<OrderDigest>> = file.iter().map(Entry::digests).collect();
    let mut seen = BTreeSet::new();
    let verdicts = new
        .iter()
        .map(|entry| {
            let digests = entry.digests();
            let first_time = seen.insert(digests.clone());
            match (on_chain.contains(&digests), known.contains(&digests) || !first_time, entry) {
                (true, false, _) => Verdict::Accepted,
                (true, true, _) => Verdict::Known,
                // The same decision, written at another time or with other press.
                (false, _, Entry::Order(order))
                    if replay.orders().any(|stands| stands.same_decision(order)) =>
                {
                    Verdict::Known
                }
                (false, _, Entry::Order(order)) => pool.verdict(&replay, order),
                (false, _, Entry::Proof(proof)) => pool.verdict_on_proof(&replay, proof),
            }
        })
        .collect();
    // A proof stands wherever it belongs now, if anywhere.
    let dropped = file.iter().filter(|entry| !on_chain.contains(&entry.digests())).cloned().collect();
    Ok(Adjudication { replay, verdicts, dropped })
}

/// Checks that every proof of a replayed game file stands where it belongs: where taking the
/// file's own entries into an empty game would put it.
///
/// # Errors
/// `out-of-place`, or what is wrong with an order of the proof.
pub(super) fn confirm_proofs(replay: &Replay) -> Checked<()> {
    if !replay.entries().any(|entry| entry.proof().is_some()) {
        return Ok(());
    }
    let entries: Vec<Entry> = replay.entries().cloned().collect();
    let mut pool = Pool::new(&entries, &[]);
    let again = pool.chain(replay.header())?;
    let mut theirs = again.entries().map(Entry::identity);
    for entry in &entries {
        let Some(proof) = entry.proof() else { continue };
        if !theirs.by_ref().any(|other| other == entry.identity()) {
            let seat = proof.seat();
            return Err(pool.faults.remove(&entry.digests()).unwrap_or_else(|| {
                Fault::new(
                    Code::OutOfPlace,
                    format!(
                        "the proof against {seat} stands after step {}, where it does not belong",
                        proof.step()
                    ),
                )
                .help("take it out, and enter it again with `sealed proof enter`, which finds its place")
            }));
        }
    }
    Ok(())
}

struct Pool {
    by_head: BTreeMap<Head, Vec<Candidate>>,
    /// The proofs by the head where their branches part, those that count first.
    proofs: BTreeMap<Head, Vec<Proven>>,
    /// Why an entry was passed over, by what it counts as in its step.
    faults: BTreeMap<Vec<OrderDigest>, Fault>,
    /// The proofs that count and have not taken a place yet.
    accused: Accused,
    /// The seats whose place a proof has taken.
    convicted: BTreeSet<SeatIndex>,
    /// The number of the step of the arbiter's latest entry in the file.
    arbiters_latest: Option<u64>,
    /// The head of the file, once its own orders lead to a final result.
    final_head: Option<Head>,
}

impl Pool {
    fn new(file: &[Entry], new: &[Entry]) -> Self {
        let mut by_digest: BTreeMap<OrderDigest, Candidate> = BTreeMap::new();
        let all = file.iter().map(|entry| (entry, true)).chain(new.iter().map(|entry| (entry, false)));
        let mut proofs: BTreeMap<Head, Vec<Proven>> = BTreeMap::new();
        for (entry, in_file) in all {
            let (orders, in_file, alone): (Vec<&Verified>, bool, bool) = match entry {
                Entry::Order(order) => (vec![order], in_file, true),
                // What a proof tells of is known, and was never taken into the file as such.
                Entry::Proof(proof) => {
                    proofs.entry(proof.fork()).or_default().push(proof.clone());
                    (proof.orders().collect(), false, false)
                }
            };
            for order in orders {
                by_digest
                    .entry(order.digest())
                    .and_modify(|known| {
                        known.in_file |= in_file;
                        known.alone |= alone;
                        // Of two signatures over one body the smaller is kept.
                        known.verified = known.verified.with_smaller_signature(order);
                    })
                    .or_insert_with(|| Candidate { verified: order.clone(), in_file, alone });
            }
        }
        for known in proofs.values_mut() {
            known.sort_by_key(Proven::digests);
            known.dedup_by_key(|proof| proof.digests());
        }
        let mut by_head: BTreeMap<Head, Vec<Candidate>> = BTreeMap::new();
        for candidate in by_digest.into_values() {
            by_head.entry(candidate.verified.order().after).or_default().push(candidate);
        }
        let arbiters_latest = file
            .iter()
            .filter_map(Entry::order)
            .map(Verified::order)
            .filter(|order| order.seat.is_arbiter())
            .map(|order| order.step)
            .max();
        Self {
            by_head,
            proofs,
            faults: BTreeMap::new(),
            accused: Accused::new(),
            convicted: BTreeSet::new(),
            arbiters_latest,
            final_head: None,
        }
    }

    /// Finds the chain: step by step from the game id on.
    fn chain(&mut self, header: &Arc<Header>) -> Checked<Replay> {
        let mut replay = Replay::begin(Arc::clone(header))?;
        loop {
            self.accuse(&replay);
            let Some(entries) = self.choose(&replay) else { break };
            for legal in &entries {
                if let Standing::Proven(seat) = legal.standing() {
                    self.accused.remove(&seat);
                    self.convicted.insert(seat);
                }
            }
            match gather(replay.state(), entries)? {
                Gathered::Complete(entries) => replay.close(entries)?,
                Gathered::Open(entries) => {
                    replay.leave_open(entries);
                    break;
                }
            }
        }
        Ok(replay)
    }

    /// Lets the proofs count whose branches part at a replay's head. Of several against one
    /// seat the smallest pair of digests does.
    fn accuse(&mut self, replay: &Replay) {
        let (good, bad): (Vec<_>, Vec<_>) = self
            .proofs
            .get(&replay.head())
            .into_iter()
            .flatten()
            .map(|proof| (proof.clone(), check_fork(replay, proof)))
            .partition(|(_, checked)| checked.is_ok());
        for (proof, fault) in bad.into_iter().filter_map(|(proof, checked)| Some((proof, checked.err()?))) {
            self.faults.insert(proof.digests().to_vec(), fault);
            self.forget(&proof, &good.iter().map(|(proof, _)| proof).collect::<Vec<_>>());
        }
        for (proof, _) in &good {
            let Some(seat) = replay.header().index(proof.seat()) else { continue };
            if self.convicted.contains(&seat) {
                continue;
            }
            let counts = self.accused.entry(seat).or_insert_with(|| proof.clone());
            if proof.digests() < counts.digests() {
                *counts = proof.clone();
            }
        }
    }

    /// What only a proof tells of that proves nothing is not known: else a refused proof could
    /// bring orders into the game.
    fn forget(&mut self, bad: &Proven, good: &[&Proven]) {
        let still_told: BTreeSet<OrderDigest> =
            good.iter().flat_map(|proof| proof.orders()).map(Verified::digest).collect();
        for order in bad.orders() {
            if let Some(known) = self.by_head.get_mut(&order.order().after) {
                known.retain(|candidate| {
                    let digest = candidate.verified.digest();
                    candidate.alone || digest != order.digest() || still_told.contains(&digest)
                });
            }
        }
    }

    /// The entries that stand at a replay's head; nothing when there is none.
    fn choose(&mut self, replay: &Replay) -> Option<Vec<Legal>> {
        let mut legal = Vec::new();
        let mut refused = Vec::new();
        for Candidate { verified, in_file, .. } in self.by_head.get(&replay.head()).into_iter().flatten() {
            let judged = self
                .may_enter(verified, *in_file)
                .and_then(|()| replay.check_step(verified))
                .and_then(|()| replay.state().judge(verified));
            match judged {
                Ok(judged) => legal.push(Variant { legal: judged, in_file: *in_file }),
                Err(fault) => {
                    let said = verified.order();
                    refused.push((vec![verified.digest()], fault.at(said.place(&said.action))));
                }
            }
        }
        let followers = |head: &Head| -> Vec<Follower> {
            let next = self.by_head.get(head).into_iter().flatten();
            next.map(|next| Follower { order: next.verified.clone(), in_file: next.in_file }).collect()
        };
        let (entries, passed_over) = Choice::at(replay, &followers, &self.accused).make(&legal);
        self.faults.extend(refused.into_iter().chain(passed_over));
        (!entries.is_empty()).then_some(entries)
    }

    /// What the arbiter may not enter any more: anything behind its own latest entry, and
    /// after a final result anything but a forfeit that ends the wait of the audit.
    fn may_enter(&self, verified: &Verified, in_file: bool) -> Checked<()> {
        let order = verified.order();
        if in_file || !order.seat.is_arbiter() {
            return Ok(());
        }
        if self.final_head.is_some_and(|head| head != order.after || order.action != "forfeit") {
            return Err(Fault::new(
                Code::GameOver,
                "the result is final; the arbiter can enter nothing here any more",
            ));
        }
        if self.arbiters_latest.is_some_and(|latest| order.step < latest) {
            let why = "the arbiter has entered something later already, and may not go back behind that";
            return Err(Fault::new(Code::Yielded, why));
        }
        Ok(())
    }

    /// What is to be said of an order that is not on the chain.
    fn verdict(&self, replay: &Replay, order: &Verified) -> Verdict {
        let said = order.order();
        let span = said.place("after");
        let has_closed = replay.steps().iter().any(|step| step.after == said.after);
        match self.faults.get(&vec![order.digest()]) {
            // Of a step that has closed it is idle to say what was awaited there.
            Some(fault) if !(has_closed && fault.code == Code::NotAwaited) => {
                return Verdict::Refused(fault.clone());
            }
            _ => {}
        }
        if has_closed || said.after == replay.head() {
            return Verdict::Refused(
                Fault::new(
                    Code::StaleStep,
                    format!("the order answers step {}, which has closed", said.step),
                )
                .at(span),
            );
        }
        let missing =
            format!("the order answers the head {}, which this copy does not have", said.after.by_eye());
        if said.step > replay.step() {
            let awaited: Vec<_> =
                replay.missing().iter().map(|seat| replay.header().seat(*seat).to_string()).collect();
            let sender = said.seat.to_string();
            let from = if awaited.is_empty() { sender.clone() } else { awaited.join(" or ") };
            let file = if from == sender { String::new() } else { format!("{sender} ") };
            return Verdict::Waiting(
                Fault::new(
                    Code::UnknownHead,
                    format!("{missing}; it is for step {}, and here {} have closed", said.step, replay.step()),
                )
                .help(format!("`sealed apply` keeps it and tries it again; ask {from} for the orders before it, or {file}for the game file"))
                .at(span),
            );
        }
        Verdict::Refused(
            Fault::new(
                Code::UnknownHead,
                format!(
                    "{missing}, although step {} has been reached here: {}'s copy of the game is another",
                    said.step, said.seat
                ),
            )
            .help(format!("compare heads with {}, and apply each other's game files", said.seat))
            .at(span),
        )
    }

    /// What is to be said of a proof that is not on the chain.
    fn verdict_on_proof(&self, replay: &Replay, proof: &Proven) -> Verdict {
        let seat = proof.seat();
        if let Some(fault) = self.faults.get(proof.digests().as_slice()) {
            return Verdict::Refused(fault.clone());
        }
        let index = replay.header().index(seat);
        if index.is_some_and(|index| self.convicted.contains(&index)) {
            let fault = Fault::new(Code::Yielded, format!("another proof against {seat} stands already"));
            return Verdict::Refused(fault.help("nothing is to be done; one proof is enough"));
        }
        let reached =
            replay.head() == proof.fork() || replay.steps().iter().any(|step| step.after == proof.fork());
        if !reached {
            let fault = Fault::new(
                Code::UnknownHead,
                format!(
                    "the two orders of {seat} part at the head {}, to which this copy does not lead",
                    proof.fork().by_eye()
                ),
            );
            return if proof.fork_step() >= replay.step() {
                Verdict::Waiting(
                    fault.help("ask the others for their copies of the game file, and apply them"),
                )
            } else {
                Verdict::Refused(fault.help("orders on a branch that does not stand accuse nobody here"))
            };
        }
        if replay.state().awaited().is_empty() {
            let why = format!("the game is over, and nothing is awaited from {seat} any more");
            return Verdict::Refused(
                Fault::new(Code::NotAwaited, why)
                    .help("keep the proof; it is for the players to know, not for the game"),
            );
        }
        let why = format!(
            "others have built on one of the two orders, which therefore stands; the proof takes the place of the next order that is awaited from {seat}"
        );
        Verdict::Waiting(Fault::new(Code::NotAwaited, why).help("`sealed apply` keeps it and enters it then"))
    }
}
