//! What a game file records: the header, signed orders, and the chain that binds them.
//!
//! An entry of a game file is an order or a proof. The stages of an order are types: [`SignedOrder`] is understood, [`Verified`] is really
//! signed by the seat it names in this game. Only [`SignedOrder::verify`] makes the second
//! of the first. So it is with a proof: [`ProofEntry`] is understood, [`Proven`] holds two
//! genuine orders that contradict each other.

mod entry;
mod file;
mod header;
mod journal;
mod order;
mod press;
mod proof;
mod proof_file;
mod step;

pub use entry::{Entry, SignedEntry};
pub use file::{GameFile, write_game_file};
pub use header::{Card, FORMAT, Header, Player, printable};
pub use journal::{Adopted, Fate, Intent, Journal};
pub use order::{Draft, Order, SignedOrder, Verified};
pub use press::{LONGEST_PRESS, check_press, tidy_press};
pub use proof::{Accusation, ProofEntry, Proven};
pub use proof_file::{ProofFile, write_proof_file};
pub use step::{close_step, step_preimage};
