//! What a command prints.

use std::io::Write as _;
use std::process::ExitCode;

use sealed_orders::document::{Node, Value as Tree};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::store;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// What a command has to say, as text and for programs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) json: Value,
    /// Whether something was refused: exit code 1.
    pub(crate) refused: bool,
}

impl Outcome {
    pub(crate) fn new(text: impl Into<String>, json: Value) -> Self {
        Self { text: text.into(), json, refused: false }
    }

    pub(crate) fn print(&self, as_json: bool) -> ExitCode {
        let text = if as_json { format!("{}\n", self.json) } else { visible(&self.text) };
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            // A reader that went away (a closed pipe) is no failure of ours; a full disk is.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                let why = format!("what was to be said here cannot be written: {}", store::reason(&error));
                Failure::from(Fault::new(Code::CannotWrite, why)).print(false)
            }
            _ => ExitCode::from(u8::from(self.refused)),
        }
    }
}

/// Text without anything that a terminal would obey: controls but line ends, and the
/// characters that turn the direction of writing.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { '?' } else { c }).collect()
}

/// As [`visible`], but with the same number of bytes, so that places stay where they are.
pub(crate) fn visible_in_place(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) && c != '\t' && c != '\r' {
            safe.extend(std::iter::repeat_n('?', c.len_utf8()));
        } else {
            safe.push(c);
        }
    }
    safe
}

fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A tree for programs.
pub(crate) fn to_json(node: &Node) -> Value {
    match &node.value {
        Tree::Text(text) => json!(text),
        Tree::Integer(number) => json!(number),
        Tree::Boolean(flag) => json!(flag),
        Tree::Time(time) => json!(time.to_string()),
        Tree::List(list) => Value::Array(list.iter().map(to_json).collect()),
        Tree::Table(table) => Value::Object(
            table
                .entries
                .iter()
                .map(|entry| (entry.key.to_string(), to_json(&entry.node)))
                .collect::<Map<_, _>>(),
        ),
    }
}
