//! Sealed Orders: an adjudicator for space-battle games played by mail, over weeks, by
//! people who may not trust each other and run no server.
//!
//! # The way of an order
//!
//! 1. Bytes become a tree with places ([`document::parse()`]), the tree an understood order
//!    ([`log::SignedOrder`]). A block in a mail takes the same way.
//! 2. The signature is checked against the game's header: [`log::Verified`].
//! 3. The position judges it: [`games::Legal`]. Nothing has changed yet.
//! 4. When all awaited orders are in, the step closes: [`games::Closed`] holds the next
//!    position and what happened, and the chain has a new head ([`log::close_step`]).
//! 5. The game file and the reports are written from that.
//!
//! Each stage is a type that only the stage before can make, so none can be skipped.
//! Everything in this library is pure, but for [`store`]: time, entropy and keys are arguments.

pub mod crypto;
pub mod demo;
pub mod document;
pub mod explain;
pub mod fault;
pub mod games;
pub mod ident;
pub mod log;
pub mod mail;
pub mod report;
pub mod scene;
pub mod schema;
pub mod store;
pub mod turn;
