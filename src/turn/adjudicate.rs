//! Taking orders into a game, from wherever they come and in whatever order.
//!
//! All orders, those of the file and the new ones, lie in one pool by the head that they
//! answer. From the game id on, the chain is found again: at each head the legal orders are
//! chosen by fixed rules (`precedence`), and if they close the step, the next head is reached. So the
//! outcome depends on which orders are known, never on which came first. Precedence at one
//! head: the arbiter, the awaited seat, a claim (protocol, "Steps and heads").
//!
//! Known gap: `[proof]` entries are not entered yet; of two contradicting orders of a seat
//! the one that the file has stands, and without one in the file none is taken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::precedence::{Choice, Follower, Variant};
use super::replay::{Gathered, Replay, gather};
use crate::crypto::Signature;
use crate::fault::{Checked, Code, Fault};
use crate::games::Legal;
use crate::ident::{Head, OrderDigest};
use crate::log::{Header, Verified};

/// What became of one new order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is part of the game now.
    Accepted,
    /// It was part of the game already.
    Known,
    /// It is genuine, but orders that come before it are missing.
    Waiting(Fault),
    /// It is not taken.
    Refused(Fault),
}

/// A game with new orders taken in.
#[derive(Debug)]
pub struct Adjudication {
    /// The game.
    pub replay: Replay,
    /// What became of each new order, in the order in which they were given.
    pub verdicts: Vec<Verdict>,
    /// Orders of the file that no longer stand, because another entry takes precedence.
    pub dropped: Vec<Verified>,
}

struct Candidate {
    verified: Verified,
    in_file: bool,
}

/// Takes new orders into a game.
///
/// # Errors
/// The header does not fit its rules; a single order never makes it fail.
pub fn adjudicate(header: &Arc<Header>, file: &[Verified], new: &[Verified]) -> Checked<Adjudication> {
    let mut pool = Pool::new(file, new);
    if new.iter().any(|order| order.order().seat.is_arbiter()) {
        let as_filed = Pool::new(file, &[]).chain(header)?;
        let is_final = as_filed.ending().is_some_and(|ending| !ending.provisional);
        pool.final_head = is_final.then(|| as_filed.head());
    }
    let replay = pool.chain(header)?;
    let on_chain: BTreeSet<OrderDigest> = replay.orders().map(Verified::digest).collect();
    let known: BTreeSet<OrderDigest> = file.iter().map(Verified::digest).collect();
    let mut seen = BTreeSet::new();
    let verdicts = new
        .iter()
        .map(|order| {
            let digest = order.digest();
            let first_time = seen.insert(digest);
            match (on_chain.contains(&digest), known.contains(&digest) || !first_time) {
                (true, false) => Verdict::Accepted,
                (true, true) => Verdict::Known,
                // The same decision, written at another time or with other press.
                (false, _) if replay.orders().any(|stands| stands.same_decision(order)) => Verdict::Known,
                (false, _) => pool.verdict(&replay, order),
            }
        })
        .collect();
    let dropped = file.iter().filter(|order| !on_chain.contains(&order.digest())).cloned().collect();
    Ok(Adjudication { replay, verdicts, dropped })
}

struct Pool {
    by_head: BTreeMap<Head, Vec<Candidate>>,
    /// Why an order was passed over, by its digest.
    faults: BTreeMap<OrderDigest, Fault>,
    /// The number of the step of the arbiter's latest entry in the file.
    arbiters_latest: Option<u64>,
    /// The head of the file, once its own orders lead to a final result.
    final_head: Option<Head>,
}

fn signature_bytes(signature: &Signature) -> ([u8; 32], [u8; 32]) {
    (*signature.r.as_bytes(), *signature.s.as_bytes())
}

impl Pool {
    fn new(file: &[Verified], new: &[Verified]) -> Self {
        let mut by_digest: BTreeMap<OrderDigest, Candidate> = BTreeMap::new();
        for (order, in_file) in
            file.iter().map(|order| (order, true)).chain(new.iter().map(|order| (order, false)))
        {
            by_digest
                .entry(order.digest())
                .and_modify(|known| {
                    // Of two signatures over one body the smaller is kept.
                    if signature_bytes(order.signature()) < signature_bytes(known.verified.signature()) {
                        known.verified = order.clone();
                    }
                })
                .or_insert_with(|| Candidate { verified: order.clone(), in_file });
        }
        let mut by_head: BTreeMap<Head, Vec<Candidate>> = BTreeMap::new();
        for candidate in by_digest.into_values() {
            by_head.entry(candidate.verified.order().after).or_default().push(candidate);
        }
        let arbiters_latest = file
            .iter()
            .map(Verified::order)
            .filter(|order| order.seat.is_arbiter())
            .map(|order| order.step)
            .max();
        Self { by_head, faults: BTreeMap::new(), arbiters_latest, final_head: None }
    }

    /// Finds the chain: step by step from the game id on.
    fn chain(&mut self, header: &Arc<Header>) -> Checked<Replay> {
        let mut replay = Replay::begin(Arc::clone(header))?;
        while let Some(orders) = self.choose(&replay) {
            match gather(replay.state(), orders)? {
                Gathered::Complete(orders) => replay.close(orders)?,
                Gathered::Open(orders) => {
                    replay.leave_open(orders);
                    break;
                }
            }
        }
        Ok(replay)
    }

    /// The orders that stand at a replay's head; nothing when there is none.
    fn choose(&mut self, replay: &Replay) -> Option<Vec<Legal>> {
        let mut legal = Vec::new();
        let mut refused = Vec::new();
        for Candidate { verified, in_file } in self.by_head.get(&replay.head()).into_iter().flatten() {
            let judged = self
                .may_enter(verified, *in_file)
                .and_then(|()| replay.check_step(verified))
                .and_then(|()| replay.state().judge(verified));
            match judged {
                Ok(judged) => legal.push(Variant { legal: judged, in_file: *in_file }),
                Err(fault) => {
                    let said = verified.order();
                    refused.push((verified.digest(), fault.at(said.place(&said.action))));
                }
            }
        }
        let followers = |head: &Head| -> Vec<Follower> {
            let next = self.by_head.get(head).into_iter().flatten();
            next.map(|next| Follower { order: next.verified.clone(), in_file: next.in_file }).collect()
        };
        let (orders, passed_over) = Choice::at(replay, &followers).make(legal);
        self.faults.extend(refused.into_iter().chain(passed_over));
        (!orders.is_empty()).then_some(orders)
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
        match self.faults.get(&order.digest()) {
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
}
