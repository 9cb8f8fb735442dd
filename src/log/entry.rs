//! Entries of a game file: orders and proofs.

use super::header::Header;
use super::order::{SignedOrder, Verified};
use super::proof::{PROOF, ProofEntry, Proven};
use crate::document::{Node, Value};
use crate::fault::{Checked, Span};
use crate::ident::{Head, OrderDigest};

/// An entry that was understood. That it proves what it claims is not known yet.
#[derive(Clone, Debug)]
pub enum SignedEntry {
    /// An order of a seat or of the arbiter.
    Order(SignedOrder),
    /// A proof of equivocation.
    Proof(Box<ProofEntry>),
}

impl SignedEntry {
    /// Reads an entry of a document's tree: a proof, if it has a table of that name.
    ///
    /// # Errors
    /// What is wrong with the order or the proof.
    pub fn of_node(node: Node) -> Checked<Self> {
        let proof = node.as_table().and_then(|table| table.get(PROOF));
        if proof.is_some_and(|proof| matches!(proof.value, Value::Table(_))) {
            return ProofEntry::read(&node).map(|proof| Self::Proof(Box::new(proof)));
        }
        SignedOrder::of_node(node).map(Self::Order)
    }

    /// The head that the entry answers.
    #[must_use]
    pub fn after(&self) -> Head {
        match self {
            Self::Order(order) => order.order().after,
            Self::Proof(proof) => proof.after(),
        }
    }

    /// How many steps had closed there.
    #[must_use]
    pub fn step(&self) -> u64 {
        match self {
            Self::Order(order) => order.order().step,
            Self::Proof(proof) => proof.step(),
        }
    }

    /// Where the entry stood in its text.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Order(order) => order.span(),
            Self::Proof(proof) => proof.span(),
        }
    }

    /// Where the head that it answers stood in its text.
    #[must_use]
    pub fn place_of_head(&self) -> Span {
        match self {
            Self::Order(order) => order.order().place("after"),
            Self::Proof(proof) => proof.span(),
        }
    }

    /// Checks that the entry is of this game and really signed by those whom it names.
    ///
    /// # Errors
    /// As [`SignedOrder::verify`] and [`ProofEntry::verify`].
    pub fn verify(self, header: &Header) -> Checked<Entry> {
        match self {
            Self::Order(order) => order.verify(header).map(Entry::Order),
            Self::Proof(proof) => proof.verify(header).map(Entry::Proof),
        }
    }
}

/// An entry that proves what it claims. Whether it is allowed is not known yet.
#[derive(Clone, Debug)]
pub enum Entry {
    /// An order that its seat, or the arbiter, really signed.
    Order(Verified),
    /// A proof whose orders really contradict each other.
    Proof(Proven),
}

impl Entry {
    /// The head that the entry answers.
    #[must_use]
    pub fn after(&self) -> Head {
        match self {
            Self::Order(order) => order.order().after,
            Self::Proof(proof) => proof.after(),
        }
    }

    /// How many steps had closed there.
    #[must_use]
    pub fn step(&self) -> u64 {
        match self {
            Self::Order(order) => order.order().step,
            Self::Proof(proof) => proof.step(),
        }
    }

    /// What the entry counts as in its step: an order's digest, or the two of a proof.
    #[must_use]
    pub fn digests(&self) -> Vec<OrderDigest> {
        match self {
            Self::Order(order) => vec![order.digest()],
            Self::Proof(proof) => proof.digests().to_vec(),
        }
    }

    /// What tells it from every other entry: where it stands, and its digests.
    #[must_use]
    pub fn identity(&self) -> (Head, Vec<OrderDigest>) {
        (self.after(), self.digests())
    }

    /// The order, if it is one.
    #[must_use]
    pub const fn order(&self) -> Option<&Verified> {
        match self {
            Self::Order(order) => Some(order),
            Self::Proof(_) => None,
        }
    }

    /// The proof, if it is one.
    #[must_use]
    pub const fn proof(&self) -> Option<&Proven> {
        match self {
            Self::Order(_) => None,
            Self::Proof(proof) => Some(proof),
        }
    }

    /// What it is, in a few words: `[move] of red`, `[proof] against red`.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Order(order) => format!("[{}] of {}", order.order().action, order.order().seat),
            Self::Proof(proof) => format!("[proof] against {}", proof.seat()),
        }
    }

    /// Where the entry's own part stood in the text it was read from; nothing for a proof,
    /// whose orders have places of their own.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.order().map(|order| order.order().place(&order.order().action))
    }

    /// The entry as a tree in the order in which it is written.
    #[must_use]
    pub fn written(&self) -> Node {
        match self {
            Self::Order(order) => order.written(),
            Self::Proof(proof) => proof.written(),
        }
    }
}

impl From<Verified> for Entry {
    fn from(order: Verified) -> Self {
        Self::Order(order)
    }
}

impl From<Proven> for Entry {
    fn from(proof: Proven) -> Self {
        Self::Proof(proof)
    }
}
