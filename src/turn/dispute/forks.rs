//! Where a seat has signed two orders that contradict each other.

use std::collections::BTreeMap;

use crate::games::{Legal, Standing};
use crate::ident::{Head, SeatIndex};
use crate::log::{Proven, Verified, close_step};
use crate::turn::tree::{Known, Tree};

/// A head where two branches of one seat part.
#[derive(Debug)]
pub(super) struct Fork {
    pub(super) at: Head,
    pub(super) step: u64,
    pub(super) seat: SeatIndex,
    /// The smallest pair.
    pub(super) proof: Proven,
}

/// Every fork of a tree, at most one for a seat at a head.
pub(super) fn forks(tree: &Tree) -> Vec<Fork> {
    let mut forks = Vec::new();
    for (head, known) in tree.heads() {
        let mut decisions: BTreeMap<SeatIndex, Vec<&Verified>> = BTreeMap::new();
        for (seat, order) in awaited_orders(known) {
            let own = decisions.entry(seat).or_default();
            match own.iter_mut().find(|other| other.same_decision(order)) {
                Some(first) if order.digest() < first.digest() => *first = order,
                Some(_) => {}
                None => own.push(order),
            }
        }
        for (seat, mut orders) in decisions {
            orders.sort_by_key(|order| order.digest());
            let pair = match orders.as_slice() {
                [one, other, ..] => Proven::new((*one).clone(), (*other).clone(), None).ok(),
                [one] => past_a_claim(tree, head, known, seat, one),
                [] => None,
            };
            if let Some(proof) = pair {
                forks.push(Fork { at: *head, step: known.step, seat, proof });
            }
        }
    }
    forks.sort_by_key(|fork| (fork.step, fork.seat, fork.at));
    forks
}

fn awaited_orders(known: &Known) -> impl Iterator<Item = (SeatIndex, &Verified)> {
    known.legal.iter().filter_map(|legal| match legal.standing() {
        Standing::Awaited(seat) => legal.order().map(|order| (seat, order)),
        _ => None,
    })
}

/// The proof that a seat has both moved at a head and answered a claim that was made there.
fn past_a_claim(tree: &Tree, head: &Head, known: &Known, seat: SeatIndex, here: &Verified) -> Option<Proven> {
    let claims = known.legal.iter().filter(|legal| matches!(legal.standing(), Standing::Claim(_)));
    let proofs = claims.filter_map(Legal::order).flat_map(|claim| {
        let answered = tree.at(&close_step(head, &[claim.digest()]));
        let answers = answered.into_iter().flat_map(awaited_orders).filter(|(other, _)| *other == seat);
        answers
            .filter_map(|(_, answer)| Proven::new(here.clone(), answer.clone(), Some(claim.clone())).ok())
            .collect::<Vec<_>>()
    });
    proofs.min_by_key(Proven::digests)
}
