//! Which of the legal orders at one head stand (protocol, "Adding an order to a game").
//!
//! 1. Of one writer's orders for one place only one decision stands: two different ones
//!    contradict each other. Against a proven seat the branch that others built on stands,
//!    else the proof (`equivocation`).
//! 2. The arbiter comes before a proof, that before the awaited seat, and that before a claim.
//! 3. Of orders that differ only in time or press those stand that others built on, else
//!    the smaller digest.

use std::collections::{BTreeMap, BTreeSet};

use super::equivocation::{Fork, Ruled};
use super::replay::{Gathered, Replay, gather, is_decided};
use crate::fault::{Code, Fault};
use crate::games::{Legal, Phase, Standing};
use crate::ident::{Head, OrderDigest, Seat, SeatIndex};
use crate::log::{Entry, Proven, Verified, close_step};

/// A legal entry, and whether the game file has it already.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) legal: Legal,
    pub(super) in_file: bool,
}

/// An order that answers some head, and whether the game file has it.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) order: Verified,
    pub(super) in_file: bool,
}

impl Follower {
    fn seat(&self) -> &Seat {
        &self.order.order().seat
    }
}

/// Orders that may stand in one place: the variants of one decision.
type Place = Vec<Variant>;

/// Why an entry was passed over, by what it counts as in its step.
pub(super) type PassedOver = (Vec<OrderDigest>, Fault);

/// The seats against which a proof is known and not entered yet, with the one that counts.
pub(super) type Accused = BTreeMap<SeatIndex, Proven>;

/// Chooses at one head.
pub(super) struct Choice<'a> {
    replay: &'a Replay,
    followers: &'a dyn Fn(&Head) -> Vec<Follower>,
    accused: &'a Accused,
    refused: Vec<PassedOver>,
    /// Whose claim stands because others have built on it, and not on a proven mover's order.
    settled_claim: Option<SeatIndex>,
}

impl<'a> Choice<'a> {
    /// A choice at a replay's head; `followers` tells which known orders answer a head.
    pub(super) fn at(
        replay: &'a Replay,
        followers: &'a dyn Fn(&Head) -> Vec<Follower>,
        accused: &'a Accused,
    ) -> Self {
        Self { replay, followers, accused, refused: Vec::new(), settled_claim: None }
    }

    /// The entries that stand, and why the others do not.
    pub(super) fn make(mut self, legal: &[Variant]) -> (Vec<Legal>, Vec<PassedOver>) {
        let places = self.places(legal);
        let orders = self.among_variants(places);
        (orders, self.refused)
    }

    fn refuse(&mut self, variant: &Variant, fault: Fault) {
        let entry = variant.legal.entry();
        let fault = match entry.span() {
            Some(span) => fault.at(span),
            None => fault,
        };
        self.refused.push((entry.digests(), fault));
    }

    fn yield_to(&mut self, yields: &[Variant], stands: &[Variant]) {
        let Some(by) = stands.first() else { return };
        let whose = match by.legal.entry() {
            Entry::Order(by) if by.order().seat.is_arbiter() => {
                format!("the arbiter's [{}]", by.order().action)
            }
            entry => format!("the {}", entry.told()),
        };
        let sentence = format!("{whose} takes precedence at this head");
        for variant in yields {
            let fault = Fault::new(Code::Yielded, sentence.clone());
            self.refuse(variant, fault.help("nothing is to be done; the game goes on from there"));
        }
    }

    /// Sorts the legal orders by precedence into places, in the order of the chain.
    fn places(&mut self, legal: &[Variant]) -> Vec<Place> {
        let mut rulings = Vec::new();
        let mut forfeits: BTreeMap<SeatIndex, Place> = BTreeMap::new();
        let mut own: BTreeMap<SeatIndex, Place> = BTreeMap::new();
        let mut claims: BTreeMap<SeatIndex, Place> = BTreeMap::new();
        for variant in legal.iter().cloned() {
            match variant.legal.standing() {
                Standing::Ruling => rulings.push(variant),
                Standing::InPlaceOf(seat) => forfeits.entry(seat).or_default().push(variant),
                Standing::Awaited(seat) => own.entry(seat).or_default().push(variant),
                Standing::Claim(seat) => claims.entry(seat).or_default().push(variant),
                // Proofs are known apart from the orders.
                Standing::Proven(_) => {}
            }
        }
        let is_audit = self.replay.state().phase() == Phase::Audit;
        let ruling = self.one_decision(rulings);
        let mut seats: BTreeMap<SeatIndex, Place> = BTreeMap::new();
        for seat in self.replay.state().awaited() {
            let forfeit = self.one_decision(forfeits.remove(&seat).unwrap_or_default());
            let own = own.remove(&seat).unwrap_or_default();
            let order = match self.accused.get(&seat) {
                Some(proof) if forfeit.is_empty() => self.of_proven(seat, proof, own, legal),
                _ => self.one_decision(own),
            };
            let in_file = |place: &Place| place.iter().any(|variant| variant.in_file);
            // An audit that is in is never dropped; else the arbiter comes before the seat.
            let audit_stands = is_audit && !order.is_empty() && (in_file(&order) || !in_file(&forfeit));
            let (stands, yields) =
                if forfeit.is_empty() || audit_stands { (order, forfeit) } else { (forfeit, order) };
            self.yield_to(&yields, &stands);
            if !stands.is_empty() {
                seats.insert(seat, stands);
            }
        }
        if ruling.is_empty() {
            return self.claim_or_seats(seats, claims);
        }
        if is_audit {
            let early: Vec<Legal> =
                seats.values().filter_map(|place| place.first()).map(|first| first.legal.clone()).collect();
            if is_decided(self.replay.state(), &early) {
                for variant in &ruling {
                    let why = "the result is final with the audits that are in; nothing is ruled any more";
                    self.refuse(variant, Fault::new(Code::GameOver, why));
                }
                return self.claim_or_seats(seats, claims);
            }
        } else {
            for dropped in std::mem::take(&mut seats).values() {
                self.yield_to(dropped, &ruling);
            }
        }
        for claim in claims.values() {
            self.yield_to(claim, &ruling);
        }
        seats.into_values().chain([ruling]).collect()
    }

    /// What stands in the place of a seat against which a proof is known.
    fn of_proven(&mut self, seat: SeatIndex, proof: &Proven, own: Place, legal: &[Variant]) -> Place {
        let fork = Fork { replay: self.replay, followers: self.followers, legal };
        let (stands, yields) = match fork.ruled(seat, proof) {
            Ruled::Decision(stands) => {
                let is_one = |variant: &Variant| {
                    stands.iter().any(|one| one.legal.entry().identity() == variant.legal.entry().identity())
                };
                own.into_iter().partition(is_one)
            }
            Ruled::Claim(claimer) => {
                self.settled_claim = Some(claimer);
                (Vec::new(), own)
            }
            Ruled::Proof(proof) => {
                let placed = proof.placed(self.replay.head(), self.replay.step());
                match self.replay.state().judge_proof(&placed) {
                    Ok(legal) => (vec![Variant { legal, in_file: false }], own),
                    Err(_) => (Vec::new(), own),
                }
            }
        };
        for variant in &yields {
            let why = format!(
                "it is proven that {} signed two orders that contradict each other, and others have not built on this one alone",
                proof.seat()
            );
            let fault = Fault::new(Code::Yielded, why)
                .help("nothing is to be done; the game goes on from what stands");
            self.refuse(variant, fault);
        }
        stands
    }

    /// The legal orders that are known after these have closed the step. Only who builds
    /// with a legal order builds at all; else anybody could sway the choice.
    fn legal_followers(&self, orders: Vec<Legal>) -> Vec<Follower> {
        let digests: Vec<OrderDigest> = orders.iter().flat_map(|legal| legal.entry().digests()).collect();
        let known = (self.followers)(&close_step(&self.replay.head(), &digests));
        if known.is_empty() {
            return known;
        }
        let state = self.replay.state();
        let Ok(Gathered::Complete(orders)) = gather(state, orders) else { return Vec::new() };
        let Ok(closed) = state.close(&orders) else { return Vec::new() };
        let step = self.replay.step() + 1;
        let is_legal =
            |next: &Follower| next.order.order().step == step && closed.state.judge(&next.order).is_ok();
        known.into_iter().filter(is_legal).collect()
    }

    /// A claim closes a step alone, but yields to the awaited seat's order, unless
    /// something stands on it already.
    fn claim_or_seats(
        &mut self,
        seats: BTreeMap<SeatIndex, Place>,
        claims: BTreeMap<SeatIndex, Place>,
    ) -> Vec<Place> {
        if let Some(claimer) = self.settled_claim {
            return self.only_claim(claims, claimer);
        }
        let orders_in_file = seats.values().flatten().any(|variant| variant.in_file);
        let with = |wanted: &dyn Fn(&Variant, &Follower) -> bool| {
            let has = |variant: &Variant| {
                self.legal_followers(vec![variant.legal.clone()]).iter().any(|next| wanted(variant, next))
            };
            claims.iter().find(|(_, place)| place.iter().any(has)).map(|(seat, _)| *seat)
        };
        // The arbiter went on from it: the mover's order comes late, and accuses nobody.
        let by_arbiter = with(&|_, next| next.seat().is_arbiter());
        // The mover answered it in this file: another order of the mover contradicts that.
        let by_mover = with(&|claim, next| claim.in_file && next.in_file).filter(|_| !orders_in_file);
        let followed = with(&|_, _| true);
        // Where a proof is known, who has built on what was looked at already.
        let by_proof = self.replay.state().awaited().iter().any(|seat| self.accused.contains_key(seat));
        if let Some(settled) = by_arbiter.or(by_mover).filter(|_| !by_proof) {
            for variant in seats.values().flatten() {
                let Some(order) = variant.legal.order() else { continue };
                let seat = order.order().seat.clone();
                let fault = if by_arbiter.is_some() {
                    let why = format!(
                        "the draw was claimed at this head and the game went on; {seat}'s order comes too late"
                    );
                    Fault::new(Code::Yielded, why).help("nothing is to be done; the game goes on from there")
                } else {
                    let why = format!(
                        "{seat} has answered the claim that was made at this head, and has signed this order for the same head too"
                    );
                    Fault::new(Code::TwoOrders, why)
                        .help("keep this order and the game file: together they prove it")
                };
                self.refuse(variant, fault);
            }
            return self.only_claim(claims, settled);
        }
        if !seats.is_empty() {
            let stands: Place = seats.values().flatten().cloned().collect();
            for claim in claims.values() {
                self.yield_to(claim, &stands);
            }
            return seats.into_values().collect();
        }
        match followed.or_else(|| claims.keys().next().copied()) {
            Some(seat) => self.only_claim(claims, seat),
            None => Vec::new(),
        }
    }

    fn only_claim(&mut self, mut claims: BTreeMap<SeatIndex, Place>, seat: SeatIndex) -> Vec<Place> {
        let stands = claims.remove(&seat).unwrap_or_default();
        for other in claims.values() {
            self.yield_to(other, &stands);
        }
        let stands = self.one_decision(stands);
        if stands.is_empty() { Vec::new() } else { vec![stands] }
    }

    /// Keeps the variants of one decision; two different ones contradict each other: then
    /// the one in the file stands, else none.
    fn one_decision(&mut self, variants: Place) -> Place {
        let Some(first) = variants.iter().find(|variant| variant.in_file).or(variants.first()) else {
            return variants;
        };
        let settled = first.in_file;
        let Some(first) = first.legal.order().cloned() else { return variants };
        let is_same =
            |variant: &Variant| variant.legal.order().is_some_and(|order| order.same_decision(&first));
        let (same, other): (Place, Place) = variants.into_iter().partition(is_same);
        if other.is_empty() {
            return same;
        }
        let seat = &first.order().seat;
        for variant in other.iter().chain(same.iter().filter(|_| !settled)) {
            let fault =
                Fault::new(Code::TwoOrders, format!("{seat} has signed two different orders for this step"))
                    .help("keep both orders: together they prove it. Talk to the others before you go on");
            self.refuse(variant, fault);
        }
        if settled { same } else { Vec::new() }
    }

    /// Chooses between orders that differ only in time or press.
    fn among_variants(&mut self, mut places: Vec<Place>) -> Vec<Legal> {
        for place in &mut places {
            place.sort_by_key(|variant| variant.legal.entry().digests());
        }
        let is_plain = places.iter().all(|place| place.len() < 2);
        let built_on = if is_plain { None } else { self.built_on(&places) };
        let mut orders = Vec::new();
        for (number, place) in places.into_iter().enumerate() {
            let wanted = built_on.as_ref().and_then(|chosen| chosen.get(number).copied()).unwrap_or(0);
            for (number, variant) in place.into_iter().enumerate() {
                if number == wanted {
                    orders.push(variant.legal);
                } else {
                    let why =
                        "the same decision stands here already, written at another time or with other press";
                    self.refuse(&variant, Fault::new(Code::Yielded, why).help("nothing is to be done"));
                }
            }
        }
        orders
    }

    /// The first combination of variants, by their digests, after whose head another
    /// writer's order is known.
    fn built_on(&self, places: &[Place]) -> Option<Vec<usize>> {
        // More variants than this nobody signs by accident.
        const MOST_COMBINATIONS: usize = 4096;
        let writers: BTreeSet<Seat> = places
            .iter()
            .filter(|place| place.len() > 1)
            .filter_map(|place| place.first())
            .filter_map(|variant| variant.legal.order())
            .map(|order| order.order().seat.clone())
            .collect();
        let total = places.iter().try_fold(1_usize, |total, place| total.checked_mul(place.len()))?;
        (0..total.min(MOST_COMBINATIONS)).map(|number| combination(places, number)).find(|chosen| {
            let orders: Vec<Legal> = places
                .iter()
                .zip(chosen)
                .filter_map(|(place, number)| place.get(*number))
                .map(|variant| variant.legal.clone())
                .collect();
            let others = |next: &Follower| writers.len() > 1 || !writers.contains(next.seat());
            self.legal_followers(orders).iter().any(others)
        })
    }
}

/// One variant for each place; the numbers count up with the last place changing first.
fn combination(places: &[Place], number: usize) -> Vec<usize> {
    let mut rest = number;
    let mut chosen: Vec<usize> = places
        .iter()
        .rev()
        .map(|place| {
            let variant = rest % place.len().max(1);
            rest /= place.len().max(1);
            variant
        })
        .collect();
    chosen.reverse();
    chosen
}
