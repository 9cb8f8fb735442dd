//! The proof file: a proof of equivocation that anybody can check without either game file.

use super::entry::{Entry, SignedEntry};
use super::file::{entries_of, write_game};
use super::header::Header;
use super::proof::{Accusation, Proven};
use crate::document::{Value, heading, parse, toml_text};
use crate::fault::{Checked, Code, Fault};

/// A proof file that was understood: the header, the entries up to the head where the two
/// orders part, and the proof.
#[derive(Clone, Debug)]
pub struct ProofFile {
    /// The header.
    pub header: Header,
    /// The entries up to that head, in the order of the game file.
    pub entries: Vec<SignedEntry>,
    /// The proof.
    pub accusation: Accusation,
}

impl ProofFile {
    /// Reads a proof file.
    ///
    /// # Errors
    /// The first fault, with its place in `text`.
    pub fn parse(text: &str) -> Checked<Self> {
        let node = parse(text)?;
        let Value::Table(mut table) = node.value else {
            return Err(Fault::new(Code::Internal, "a document is always a table"));
        };
        let missing = |what: &str| {
            Fault::new(Code::MissingKey, format!("the file has no [{what}] table, so it is no proof file"))
                .help("a proof file is written by `sealed dispute --proof FILE`")
                .at(0..0)
        };
        let game = table.take("game").ok_or_else(|| missing("game"))?;
        let proof = table.take("proof").ok_or_else(|| missing("proof"))?;
        let entries = entries_of(table.take("order"))?;
        if let Some(entry) = table.entries.first() {
            return Err(Fault::new(Code::UnknownKey, format!("the key {:?} is not known here", entry.key))
                .help("a proof file has [game], [proof] and [[order]], nothing else")
                .at(entry.key_span.clone()));
        }
        Ok(Self { header: Header::read(&game.node)?, entries, accusation: Accusation::read(&proof.node)? })
    }
}

/// Writes a proof file: the header, the proof, and the entries before it.
#[must_use]
pub fn write_proof_file<'a>(
    header: &Header,
    proof: &Proven,
    before: impl IntoIterator<Item = &'a Entry>,
) -> String {
    let mut text = write_game(header);
    text.push('\n');
    text.push_str(&heading("proof", false));
    text.push_str(&toml_text(&proof.accusation(), "proof"));
    for entry in before {
        if let Some(table) = entry.written().as_table() {
            text.push('\n');
            text.push_str(&heading("order", true));
            text.push_str(&toml_text(table, "order"));
        }
    }
    text
}
