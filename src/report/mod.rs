//! Reports: what a player reads.
//!
//! A report is plain text of at most 72 columns, ASCII but for what players say to each
//! other. It needs no game's help: games tell their events and draw their board.

mod bundle;
mod dispute;
mod text;

pub use bundle::bundle;
pub use dispute::dispute_text;
pub(crate) use text::{Page, chart};
pub use text::{Viewer, WIDTH, arbiter_commands, chart_text, report, story, wrap};
