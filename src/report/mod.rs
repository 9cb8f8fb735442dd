//! Reports: what a player reads.
//!
//! A report is plain text of at most 72 columns, ASCII but for what players say to each
//! other. It needs no game's help: games tell their events and draw their board.

mod bundle;
mod text;

pub use bundle::bundle;
pub use text::{Viewer, WIDTH, chart_text, deadline, report, since_when, story, wrap};
