//! Where a proof of equivocation belongs (protocol, "Equivocation and proofs").
//!
//! From the head where the branches of a proven seat part, and wherever it is awaited after
//! that, its orders stand only as far as others have built on them: an order of another
//! seat, or of the arbiter, behind one decision of the seat and behind no other. Is that so
//! for exactly one decision, then that one stands. Else the proof takes the place of the
//! seat's order. So the place depends on what is known alone, never on what came first.

use std::collections::{BTreeMap, BTreeSet};

use super::precedence::{Follower, Variant};
use super::replay::Replay;
use super::tree::{At, MOST_HEADS};
use crate::fault::{Checked, Code, Fault};
use crate::games::{Legal, Standing, State};
use crate::ident::{Head, OrderDigest, Seat, SeatIndex};
use crate::log::{GameFile, ProofFile, Proven, Verified};

/// Checks that both orders of a proof, and the claim between them, were legal at a replay's
/// head, where its branches part.
///
/// # Errors
/// What is wrong with one of them.
pub(super) fn check_fork(replay: &Replay, proof: &Proven) -> Checked<()> {
    let [one, other] = proof.pair();
    let Some(claim) = proof.claim() else {
        awaited_order(replay.state(), replay.step(), one)?;
        return awaited_order(replay.state(), replay.step(), other);
    };
    let (here, later) = if one.order().after == replay.head() { (one, other) } else { (other, one) };
    awaited_order(replay.state(), replay.step(), here)?;
    replay.check_step(claim)?;
    let claimed = replay.state().judge(claim)?;
    if !matches!(claimed.standing(), Standing::Claim(_)) {
        let why = "the claim in the proof is no claim by a seat that is out";
        return Err(Fault::new(Code::NoProof, why));
    }
    let closed = replay.state().close(&[claimed])?;
    awaited_order(&*closed.state, replay.step() + 1, later)
}

/// Checks a proof file by itself: every entry up to the head where the branches part, and that
/// both orders were legal there.
///
/// # Errors
/// What is wrong with an entry or an order, or `no-proof`.
pub fn check_proof_file(file: &ProofFile) -> Checked<Proven> {
    let header = file.header.clone();
    let game = GameFile { header, position: None, entries: file.entries.clone() };
    let replay = Replay::of_file(&game)?;
    let proof = file.accusation.clone().verify(&file.header)?;
    if proof.fork() != replay.head() {
        let why = format!(
            "the two orders part at the head {}, and the entries before them lead to {}",
            proof.fork().by_eye(),
            replay.head().by_eye()
        );
        return Err(Fault::new(Code::NoProof, why)
            .help("a proof file holds every entry up to that head, and no more; ask for it again"));
    }
    check_fork(&replay, &proof)?;
    Ok(proof)
}

fn awaited_order(state: &dyn State, step: u64, order: &Verified) -> Checked<()> {
    let wrong_step = order.order().step != step;
    let judged = state.judge(order)?;
    if wrong_step || !matches!(judged.standing(), Standing::Awaited(_)) {
        let why = format!("the order of {} in the proof was not awaited where it stands", order.order().seat);
        return Err(Fault::new(Code::NoProof, why));
    }
    Ok(())
}

/// What stands at a head where a proven seat is awaited.
pub(super) enum Ruled {
    /// The variants of the one decision that others have built on.
    Decision(Vec<Variant>),
    /// The claim of this seat, on which others have built alone.
    Claim(SeatIndex),
    /// The proof.
    Proof(Proven),
}

/// A decision of a proven seat, or a claim that went past it, and who has built on it.
struct Branch {
    first: OrderDigest,
    orders: Vec<Variant>,
    claimed_by: Option<SeatIndex>,
    /// Each seat that has written behind it, with the orders that lead there and its own.
    builders: BTreeMap<Seat, Vec<Verified>>,
}

/// The branches that part at a replay's head.
pub(super) struct Fork<'a> {
    pub(super) replay: &'a Replay,
    pub(super) followers: &'a dyn Fn(&Head) -> Vec<Follower>,
    /// Everything that is legal at the head.
    pub(super) legal: &'a [Variant],
}

impl Fork<'_> {
    /// What stands of a proven seat here.
    pub(super) fn ruled(&self, seat: SeatIndex, proof: &Proven) -> Ruled {
        let mut branches = self.branches(seat);
        let everybody: Vec<(OrderDigest, Seat)> = branches
            .iter()
            .flat_map(|branch| branch.builders.keys().map(|builder| (branch.first, builder.clone())))
            .collect();
        for branch in &mut branches {
            // Who wrote behind two branches has built on neither: else two who work together
            // could undo what others have built.
            branch.builders.retain(|builder, _| {
                !everybody.iter().any(|(first, other)| *first != branch.first && other == builder)
            });
        }
        branches.retain(|branch| !branch.builders.is_empty());
        branches.sort_by_key(|branch| branch.first);
        match branches.as_slice() {
            [Branch { claimed_by: Some(claimer), .. }] => Ruled::Claim(*claimer),
            [Branch { orders, .. }] => Ruled::Decision(orders.clone()),
            _ => Ruled::Proof(proof.with_built(evidence(proof, &branches))),
        }
    }

    /// The decisions of a seat and the claims beside them, with all who wrote behind them.
    fn branches(&self, seat: SeatIndex) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        for variant in self.legal {
            let claimed_by = match variant.legal.standing() {
                Standing::Awaited(other) if other == seat => None,
                Standing::Claim(claimer) => Some(claimer),
                _ => continue,
            };
            let Some(order) = variant.legal.order() else { continue };
            let same = |branch: &&mut Branch| {
                let first = branch.orders.first().and_then(|variant| variant.legal.order());
                first.is_some_and(|first| first.same_decision(order))
            };
            if let Some(branch) = branches.iter_mut().find(same) {
                branch.first = branch.first.min(order.digest());
                branch.orders.push(variant.clone());
            } else {
                let orders = vec![variant.clone()];
                branches.push(Branch {
                    first: order.digest(),
                    orders,
                    claimed_by,
                    builders: BTreeMap::new(),
                });
            }
        }
        let alone = branches.len() == 1;
        for branch in &mut branches {
            branch.builders = self.builders(seat, branch, alone);
        }
        branches
    }

    /// Who has written behind a branch: every seat but its own, head by head. With `any` the
    /// first one will do.
    fn builders(&self, seat: SeatIndex, branch: &Branch, any: bool) -> BTreeMap<Seat, Vec<Verified>> {
        let name = self.replay.header().seat(seat);
        let others: Vec<Legal> = self
            .legal
            .iter()
            .map(|variant| &variant.legal)
            .filter(|legal| matches!(legal.standing(), Standing::Awaited(other) | Standing::InPlaceOf(other) if other != seat))
            .cloned()
            .collect();
        let mine = branch.orders.iter().map(|variant| variant.legal.clone());
        let legal = mine.chain(if branch.claimed_by.is_some() { Vec::new() } else { others }).collect();
        let here = At::of(self.replay);
        let mut builders = BTreeMap::new();
        let mut level: BTreeMap<Head, (At, Vec<Verified>)> = here.closings(legal, &[]);
        let mut seen = 0;
        while !level.is_empty() && seen < MOST_HEADS {
            let mut next = BTreeMap::new();
            for (at, path) in level.into_values() {
                seen += 1;
                let legal = self.legal_at(&at);
                for order in legal.iter().filter_map(Legal::order) {
                    let writer = &order.order().seat;
                    if writer != name && !builders.contains_key(writer) {
                        let witness = path.iter().chain([order]).cloned().collect();
                        builders.insert(writer.clone(), witness);
                    }
                }
                if any && !builders.is_empty() {
                    return builders;
                }
                next.extend(at.closings(legal, &path));
            }
            level = next;
        }
        builders
    }

    /// The known orders that are legal at a head, by their digests.
    fn legal_at(&self, at: &At) -> Vec<Legal> {
        let mut legal: Vec<(OrderDigest, Legal)> = (self.followers)(&at.head)
            .into_iter()
            .filter(|next| next.order.order().step == at.step)
            .filter_map(|next| Some((next.order.digest(), at.state.judge(&next.order).ok()?)))
            .collect();
        legal.sort_by_key(|(digest, _)| *digest);
        legal.into_iter().map(|(_, legal)| legal).collect()
    }
}

/// The orders that show that others have built on the first two branches, without those
/// that the proof has anyway.
fn evidence(proof: &Proven, branches: &[Branch]) -> Vec<Verified> {
    let [one, other, ..] = branches else { return Vec::new() };
    let known: BTreeSet<OrderDigest> =
        proof.pair().iter().chain(proof.claim()).map(Verified::digest).collect();
    [one, other]
        .into_iter()
        .filter_map(|branch| branch.builders.values().next())
        .flatten()
        .filter(|order| !known.contains(&order.digest()))
        .cloned()
        .collect()
}
