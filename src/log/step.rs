//! Steps: the links of the chain.

use crate::crypto::{Tag, hash, preimage};
use crate::document::{Node, Table};
use crate::ident::{Head, OrderDigest};

/// The bytes whose digest is the head after a step: the head before it and the digests of
/// its orders, in the header's seat order.
#[must_use]
pub fn step_preimage(after: &Head, orders: &[OrderDigest]) -> Vec<u8> {
    let mut value = Table::default();
    value.push("after", after.to_string());
    value.push("orders", orders.iter().map(|order| Node::from(order.to_string())).collect::<Vec<_>>());
    preimage(Tag::Step, &Node::from(value))
}

/// The head after a step.
#[must_use]
pub fn close_step(after: &Head, orders: &[OrderDigest]) -> Head {
    Head::new(hash(&step_preimage(after, orders)))
}
