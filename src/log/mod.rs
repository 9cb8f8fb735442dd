//! What a game file records: the header, signed orders, and the chain that binds them.
//!
//! The stages of an order are types: [`SignedOrder`] is understood, [`Verified`] is really
//! signed by the seat it names in this game. Only [`SignedOrder::verify`] makes the second
//! of the first.

mod file;
mod header;
mod journal;
mod order;
mod press;
mod step;

pub use file::{GameFile, write_game_file};
pub use header::{Card, FORMAT, Header, Player, printable};
pub use journal::{Adopted, Fate, Intent, Journal};
pub use order::{Draft, Order, SignedOrder, Verified};
pub use press::{LONGEST_PRESS, check_press, tidy_press};
pub use step::{close_step, step_preimage};
