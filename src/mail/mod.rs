//! Orders in texts: blocks between two lines of words.
//!
//! A block is TOML, read token by token, so that whatever mail does to blanks and line
//! ends costs nothing. The reader folds what mail is known to change (quotes, dashes, the
//! marks of replies) before it reads; each folding has one target, and its sources never
//! occur in a genuine block. It never guesses: what it reads is only an order if the
//! signature says so.
//!
//! Known gaps: MIME is not unpacked here; a text, or a mail saved as plain text, is read.

mod read;
mod reading;
mod write;

pub use read::{BEGIN, Block, END, blocks};
pub use reading::Reading;
pub use write::block;
