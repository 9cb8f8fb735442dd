//! Every position that known entries lead to: the chain that stands, and the branches beside
//! it. Nothing is chosen here.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::replay::{Gathered, Replay, gather};
use crate::fault::{Checked, Fault};
use crate::games::{Legal, Phase, Standing, State};
use crate::ident::{Head, OrderDigest, SeatIndex};
use crate::log::{Entry, Header, Verified, close_step};

/// How many ways to close one step are looked at. More nobody makes by accident.
const MOST_CLOSINGS: usize = 256;
/// How many heads are looked at.
pub(super) const MOST_HEADS: usize = 20_000;

/// A position at some head, on the chain or beside it.
pub(super) struct At {
    pub(super) state: Box<dyn State>,
    pub(super) head: Head,
    pub(super) step: u64,
}

impl At {
    /// The position of a replay.
    pub(super) fn of(replay: &Replay) -> Self {
        Self { state: replay.state().copy(), head: replay.head(), step: replay.step() }
    }

    /// Judges an entry that answers this head.
    pub(super) fn judge(&self, entry: &Entry) -> Checked<Legal> {
        if entry.step() != self.step {
            return Err(super::replay::wrong_step(entry, self.step));
        }
        match entry {
            Entry::Order(order) => self.state.judge(order),
            Entry::Proof(proof) => self.state.judge_proof(proof),
        }
    }

    /// Every position to which these legal entries lead, with all orders on the way there.
    pub(super) fn closings(
        &self,
        legal: Vec<Legal>,
        path: &[Verified],
    ) -> BTreeMap<Head, (Self, Vec<Verified>)> {
        let mut places: BTreeMap<SeatIndex, Vec<Legal>> = BTreeMap::new();
        let mut complete: Vec<Vec<Legal>> = Vec::new();
        for legal in legal {
            match legal.standing() {
                Standing::Awaited(seat) | Standing::InPlaceOf(seat) | Standing::Proven(seat) => {
                    places.entry(seat).or_default().push(legal);
                }
                Standing::Claim(_) => complete.push(vec![legal]),
                // A ruling ends the game: nothing is built on it.
                Standing::Ruling => {}
            }
        }
        if places.len() == self.state.awaited().len() {
            let mut combined: Vec<Vec<Legal>> = vec![Vec::new()];
            for place in places.values() {
                combined = combined
                    .iter()
                    .flat_map(|begun| {
                        place.iter().map(|legal| begun.iter().chain([legal]).cloned().collect::<Vec<_>>())
                    })
                    .take(MOST_CLOSINGS)
                    .collect();
            }
            complete.extend(combined);
        }
        let mut closings = BTreeMap::new();
        for entries in complete {
            let Ok(Gathered::Complete(entries)) = gather(&*self.state, entries) else { continue };
            let Ok(closed) = self.state.close(&entries) else { continue };
            let digests: Vec<OrderDigest> =
                entries.iter().flat_map(|legal| legal.entry().digests()).collect();
            let head = close_step(&self.head, &digests);
            let on_the_way = path.iter().chain(entries.iter().filter_map(Legal::order)).cloned().collect();
            closings.insert(head, (Self { state: closed.state, head, step: self.step + 1 }, on_the_way));
        }
        closings
    }
}

/// What is known at one head.
pub(super) struct Known {
    pub(super) step: u64,
    pub(super) phase: Phase,
    pub(super) legal: Vec<Legal>,
    pub(super) refused: Vec<(Entry, Fault)>,
}

/// Every head that entries lead to.
pub(super) struct Tree(BTreeMap<Head, Known>);

impl Tree {
    /// Follows entries from the game id on.
    ///
    /// # Errors
    /// The header does not fit its rules.
    pub(super) fn grow(header: &Arc<Header>, entries: &[Entry]) -> Checked<Self> {
        let mut by_head: BTreeMap<Head, BTreeMap<Vec<OrderDigest>, &Entry>> = BTreeMap::new();
        for entry in entries {
            by_head.entry(entry.after()).or_default().insert(entry.digests(), entry);
        }
        let mut tree = BTreeMap::new();
        let root = At::of(&Replay::begin(Arc::clone(header))?);
        let mut level = BTreeMap::from([(root.head, root)]);
        while !level.is_empty() && tree.len() < MOST_HEADS {
            let mut next = BTreeMap::new();
            for (head, at) in level {
                let (mut legal, mut refused) = (Vec::new(), Vec::new());
                for entry in by_head.get(&head).into_iter().flat_map(BTreeMap::values) {
                    match at.judge(entry) {
                        Ok(judged) => legal.push(judged),
                        Err(fault) => refused.push(((*entry).clone(), fault)),
                    }
                }
                next.extend(at.closings(legal.clone(), &[]).into_iter().map(|(head, (at, _))| (head, at)));
                let phase = at.state.phase();
                tree.insert(head, Known { step: at.step, phase, legal, refused });
            }
            level = next;
        }
        Ok(Self(tree))
    }

    /// What is known at a head.
    pub(super) fn at(&self, head: &Head) -> Option<&Known> {
        self.0.get(head)
    }

    /// All heads, with what is known there.
    pub(super) fn heads(&self) -> impl Iterator<Item = (&Head, &Known)> {
        self.0.iter()
    }
}
