//! What a text that somebody sent holds: a game file, a proof file, an order file, or
//! blocks among prose.

use super::read::{BEGIN, Block, blocks};
use crate::document::parse;
use crate::fault::{Checked, Code, Fault};
use crate::log::{GameFile, ProofFile, SignedEntry};

/// A text that was understood. Nothing in it is verified yet.
#[derive(Debug)]
pub enum Reading {
    /// A game file.
    Game(Box<GameFile>),
    /// A proof file.
    Proof(Box<ProofFile>),
    /// An order file: an order, or an entry with a proof as it stands in a game file.
    Entry(SignedEntry),
    /// A text with blocks, each an order or why it is none. There is at least one.
    Blocks(Vec<Block>),
}

impl Reading {
    /// Reads any text.
    ///
    /// # Errors
    /// `no-block` for prose without an order, or what is wrong with the file.
    pub fn of_text(text: &str) -> Checked<Self> {
        if text.contains(BEGIN) || !looks_like_toml(text) {
            let blocks = blocks(text);
            if blocks.is_empty() {
                let fault =
                    Fault::new(Code::NoBlock, format!("the text holds no order: no line says {BEGIN}"));
                return Err(fault.help("save the whole mail as text, or ask for the order file"));
            }
            return Ok(Self::Blocks(blocks));
        }
        let node = parse(text)?;
        let has = |key: &str| node.as_table().is_some_and(|table| table.get(key).is_some());
        if !has("format") && has("after") {
            return SignedEntry::of_node(node).map(Self::Entry);
        }
        if has("proof") {
            return ProofFile::parse(text).map(|file| Self::Proof(Box::new(file)));
        }
        GameFile::parse(text).map(|file| Self::Game(Box::new(file)))
    }
}

/// Whether the first thing in a text is a key or a heading, and not somebody's prose.
fn looks_like_toml(text: &str) -> bool {
    // A byte order mark is refused where the text is read, not taken for prose.
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        line.starts_with('[')
            || line.split_once('=').is_some_and(|(key, _)| {
                let key = key.trim();
                !key.is_empty()
                    && key
                        .bytes()
                        .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.' | b'"'))
            })
    })
}
