//! Explanations: one step, or one order, for a referee who does not know the game.
//!
//! A report tells players what happened. An explanation tells a third person why: by which
//! rules, in the rules' own words; where each value comes from; and with which commands of
//! `openssl` and `sha256sum` that can be checked. It judges nobody. Everything is found out
//! as [`facts`], which are then told as text, or printed as they are for programs.

mod checks;
pub mod facts;
mod order;
mod origin;
mod step;
mod text;
mod text_of_order;

pub use order::{Asked, explain_order};
pub use step::{explain_step, find_step};
pub use text::step_text;
pub use text_of_order::order_text;
