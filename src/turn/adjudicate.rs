//! Taking orders into a game, from wherever they come and in whatever order.
//!
//! All orders, those of the file and the new ones, lie in one pool by the head that they
//! answer. From the game id on, the chain is found again: at each head the legal orders are
//! chosen by fixed rules, and if they close the step, the next head is reached. So the
//! outcome depends on which orders are known, never on which came first. Precedence at one
//! head: the arbiter, the awaited seat, a claim (protocol, "Steps and heads").
//!
//! Known gap: `[proof]` entries are not entered yet; of two contradicting orders of a seat
//! the one that the file has stands, and without one in the file none is taken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::replay::{Gathered, Replay, gather, is_decided};
use crate::crypto::Signature;
use crate::fault::{Checked, Code, Fault};
use crate::games::{Legal, Phase, Standing};
use crate::ident::{Head, OrderDigest, SeatIndex};
use crate::log::{Header, Verified, close_step};

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
        pool.is_final = as_filed.ending().is_some_and(|ending| !ending.provisional);
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
    /// Whether the file's own orders lead to a final result, after which nothing is ruled.
    is_final: bool,
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
        Self { by_head, faults: BTreeMap::new(), arbiters_latest, is_final: false }
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

    fn refuse(&mut self, order: &Verified, fault: Fault) {
        let said = order.order();
        let fault = fault.at(said.place(&said.action));
        self.faults.insert(order.digest(), fault);
    }

    /// The orders that stand at a replay's head; nothing when there is none.
    fn choose(&mut self, replay: &Replay) -> Option<Vec<Legal>> {
        let mut legal: Vec<(Legal, bool)> = Vec::new();
        let mut refused = Vec::new();
        for Candidate { verified, in_file } in self.by_head.get(&replay.head()).into_iter().flatten() {
            let is_new_of_arbiter = verified.order().seat.is_arbiter() && !in_file;
            let judged = if is_new_of_arbiter && self.is_final {
                Err(Fault::new(Code::GameOver, "the result is final; the arbiter can enter nothing any more"))
            } else if is_new_of_arbiter
                && self.arbiters_latest.is_some_and(|latest| verified.order().step < latest)
            {
                Err(Fault::new(
                    Code::Yielded,
                    "the arbiter has entered something later already, and may not go back behind that",
                ))
            } else {
                replay.check_step(verified).and_then(|()| replay.state().judge(verified))
            };
            match judged {
                Ok(judged) => legal.push((judged, *in_file)),
                Err(fault) => refused.push((verified.clone(), fault)),
            }
        }
        for (verified, fault) in refused {
            self.refuse(&verified, fault);
        }
        let slots = self.slots(replay, legal);
        let orders = self.among_variants(replay, slots);
        (!orders.is_empty()).then_some(orders)
    }

    /// Sorts the legal orders at one head by precedence into slots; each holds the variants
    /// of one decision.
    fn slots(&mut self, replay: &Replay, legal: Vec<(Legal, bool)>) -> Vec<Vec<(Legal, bool)>> {
        let mut rulings = Vec::new();
        let mut forfeits: BTreeMap<SeatIndex, Vec<(Legal, bool)>> = BTreeMap::new();
        let mut own: BTreeMap<SeatIndex, Vec<(Legal, bool)>> = BTreeMap::new();
        let mut claims: BTreeMap<SeatIndex, Vec<(Legal, bool)>> = BTreeMap::new();
        for (legal, in_file) in legal {
            match legal.standing() {
                Standing::Ruling => rulings.push((legal, in_file)),
                Standing::InPlaceOf(seat) => forfeits.entry(seat).or_default().push((legal, in_file)),
                Standing::Awaited(seat) => own.entry(seat).or_default().push((legal, in_file)),
                Standing::Claim(seat) => claims.entry(seat).or_default().push((legal, in_file)),
            }
        }
        let is_audit = replay.state().phase() == Phase::Audit;
        let ruling = self.one_decision(rulings);
        let mut seats: BTreeMap<SeatIndex, Vec<(Legal, bool)>> = BTreeMap::new();
        for seat in replay.state().awaited() {
            let forfeit = self.one_decision(forfeits.remove(&seat).unwrap_or_default());
            let order = self.one_decision(own.remove(&seat).unwrap_or_default());
            // An audit counts as soon as it is in and is never dropped; else the arbiter comes first.
            let (stands, yields) = if forfeit.is_empty() || (is_audit && !order.is_empty()) {
                (order, forfeit)
            } else {
                (forfeit, order)
            };
            self.yield_to(&yields, &stands);
            if !stands.is_empty() {
                seats.insert(seat, stands);
            }
        }
        let early: Vec<Legal> =
            seats.values().filter_map(|slot| slot.first()).map(|(legal, _)| legal.clone()).collect();
        if is_audit && !ruling.is_empty() && is_decided(replay.state(), &early) {
            for (legal, _) in &ruling {
                let fault = Fault::new(
                    Code::GameOver,
                    "the result is final with the audits that are in; nothing is ruled any more",
                );
                self.refuse(&legal.verified().clone(), fault);
            }
        } else if !ruling.is_empty() {
            if !is_audit {
                for dropped in std::mem::take(&mut seats).values() {
                    self.yield_to(dropped, &ruling);
                }
            }
            for claim in claims.values() {
                self.yield_to(claim, &ruling);
            }
            return seats.into_values().chain([ruling]).collect();
        }
        self.claim_or_seats(replay, seats, claims)
    }

    /// A claim closes a step alone, but yields to the awaited seat's order.
    fn claim_or_seats(
        &mut self,
        replay: &Replay,
        seats: BTreeMap<SeatIndex, Vec<(Legal, bool)>>,
        claims: BTreeMap<SeatIndex, Vec<(Legal, bool)>>,
    ) -> Vec<Vec<(Legal, bool)>> {
        let followed = |legal: &Legal, only_in_file: bool| {
            let head = close_step(&replay.head(), &[legal.verified().digest()]);
            let next = self.by_head.get(&head).into_iter().flatten();
            next.into_iter().any(|next| next.in_file || !only_in_file)
        };
        // A claim that something stands on already is settled: the mover, or the arbiter, went past it.
        let settled: Option<SeatIndex> = claims
            .iter()
            .find(|(_, variants)| variants.iter().any(|(legal, in_file)| *in_file && followed(legal, true)))
            .map(|(seat, _)| *seat);
        let answered: Option<SeatIndex> = claims
            .iter()
            .find(|(_, variants)| variants.iter().any(|(legal, _)| followed(legal, false)))
            .map(|(seat, _)| *seat);
        let orders_in_file = seats.values().flatten().any(|(_, in_file)| *in_file);
        if let (Some(settled), false) = (settled, orders_in_file) {
            for (legal, _) in seats.values().flatten() {
                let fault = Fault::new(
                    Code::TwoOrders,
                    format!("{} has answered the claim that was made at this head, so another order at the same head contradicts that", legal.verified().order().seat),
                )
                .help("keep both files: together they show it");
                self.refuse(&legal.verified().clone(), fault);
            }
            return self.only_claim(claims, settled);
        }
        if !seats.is_empty() {
            let stands: Vec<_> = seats.values().flatten().cloned().collect();
            for claim in claims.values() {
                self.yield_to(claim, &stands);
            }
            return seats.into_values().collect();
        }
        match answered.or_else(|| claims.keys().next().copied()) {
            Some(seat) => self.only_claim(claims, seat),
            None => Vec::new(),
        }
    }

    fn only_claim(
        &mut self,
        mut claims: BTreeMap<SeatIndex, Vec<(Legal, bool)>>,
        seat: SeatIndex,
    ) -> Vec<Vec<(Legal, bool)>> {
        let stands = claims.remove(&seat).unwrap_or_default();
        for other in claims.values() {
            self.yield_to(other, &stands);
        }
        let stands = self.one_decision(stands);
        if stands.is_empty() { Vec::new() } else { vec![stands] }
    }

    /// Keeps the variants of one decision; two different ones of one seat contradict each
    /// other: then the one in the file stands, else none.
    fn one_decision(&mut self, variants: Vec<(Legal, bool)>) -> Vec<(Legal, bool)> {
        let Some((first, _)) = variants.iter().find(|(_, in_file)| *in_file).or(variants.first()) else {
            return variants;
        };
        let first = first.verified().clone();
        let settled = variants.iter().any(|(_, in_file)| *in_file);
        let (same, other): (Vec<_>, Vec<_>) =
            variants.into_iter().partition(|(legal, _)| legal.verified().same_decision(&first));
        if other.is_empty() {
            return same;
        }
        let fault = || {
            Fault::new(
                Code::TwoOrders,
                format!("{} has signed two different orders for this step", first.order().seat),
            )
            .help("keep both orders: together they prove it. Talk to the others before you go on")
        };
        for (legal, _) in &other {
            self.refuse(&legal.verified().clone(), fault());
        }
        if settled {
            return same;
        }
        for (legal, _) in &same {
            self.refuse(&legal.verified().clone(), fault());
        }
        Vec::new()
    }

    fn yield_to(&mut self, yields: &[(Legal, bool)], stands: &[(Legal, bool)]) {
        let Some((by, _)) = stands.first() else { return };
        let by = by.verified().order();
        for (legal, _) in yields {
            let fault = Fault::new(
                Code::Yielded,
                format!("at this head the [{}] of {} takes precedence", by.action, by.seat),
            )
            .help("nothing is to be done; the game goes on from there");
            self.refuse(&legal.verified().clone(), fault);
        }
    }

    /// Chooses between orders that differ only in time or press: those that others built
    /// on, else the smaller digest.
    fn among_variants(&mut self, replay: &Replay, mut slots: Vec<Vec<(Legal, bool)>>) -> Vec<Legal> {
        for slot in &mut slots {
            slot.sort_by_key(|(legal, _)| legal.verified().digest());
        }
        let is_single = slots.iter().all(|slot| slot.len() < 2);
        let chosen = if is_single { None } else { self.built_on(replay, &slots) };
        let mut orders = Vec::new();
        for (place, slot) in slots.into_iter().enumerate() {
            let wanted = chosen.as_ref().and_then(|chosen| chosen.get(place).copied()).unwrap_or(0);
            for (number, (legal, _)) in slot.into_iter().enumerate() {
                if number == wanted {
                    orders.push(legal);
                } else {
                    let fault = Fault::new(
                        Code::Yielded,
                        "the same decision stands here already, written at another time or with other press",
                    )
                    .help("nothing is to be done");
                    self.refuse(&legal.verified().clone(), fault);
                }
            }
        }
        orders
    }

    /// The combination of variants after whose head another seat's order is known: first
    /// one of orders that the file has, else the first by digests.
    fn built_on(&self, replay: &Replay, slots: &[Vec<(Legal, bool)>]) -> Option<Vec<usize>> {
        const MOST_COMBINATIONS: usize = 256;
        let total: usize = slots.iter().map(Vec::len).product();
        let mut found: Option<Vec<usize>> = None;
        for number in 0..total.min(MOST_COMBINATIONS) {
            let mut rest = number;
            let combination: Vec<usize> = slots
                .iter()
                .rev()
                .map(|slot| {
                    let place = rest % slot.len();
                    rest /= slot.len();
                    place
                })
                .collect();
            let combination: Vec<usize> = combination.into_iter().rev().collect();
            let chosen: Vec<&(Legal, bool)> =
                slots.iter().zip(&combination).filter_map(|(slot, place)| slot.get(*place)).collect();
            let digests: Vec<OrderDigest> =
                chosen.iter().map(|(legal, _)| legal.verified().digest()).collect();
            let head = close_step(&replay.head(), &digests);
            let writers: BTreeSet<_> = slots
                .iter()
                .filter(|slot| slot.len() > 1)
                .filter_map(|slot| slot.first())
                .map(|(legal, _)| legal.verified().order().seat.clone())
                .collect();
            let followers = self.by_head.get(&head).into_iter().flatten();
            let others_follow = followers
                .into_iter()
                .any(|next| writers.len() > 1 || !writers.contains(&next.verified.order().seat));
            if others_follow {
                if chosen.iter().all(|(_, in_file)| *in_file) {
                    return Some(combination);
                }
                found.get_or_insert(combination);
            }
        }
        found
    }

    /// What is to be said of an order that is not on the chain.
    fn verdict(&self, replay: &Replay, order: &Verified) -> Verdict {
        let said = order.order();
        if let Some(fault) = self.faults.get(&order.digest()) {
            return Verdict::Refused(fault.clone());
        }
        let span = said.place("after");
        if replay.steps().iter().any(|step| step.after == said.after) || said.after == replay.head() {
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
            let from = if awaited.is_empty() { said.seat.to_string() } else { awaited.join(" or ") };
            return Verdict::Waiting(
                Fault::new(
                    Code::UnknownHead,
                    format!("{missing}; it is for step {}, and here {} have closed", said.step, replay.step()),
                )
                .help(format!("it is kept and tried again; ask {from} for the orders before it, or {} for the game file", said.seat))
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
