//! TOML text to a tree, within limits.

use std::collections::BTreeSet;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{Entry, Node, Table, Value};
use super::strict;
use crate::fault::{Checked, Code, Fault, Span};
use crate::ident::{LARGEST_INTEGER, Time};

/// The largest file that is read, in bytes: 8 MiB. A game of ten thousand orders fits.
pub const LARGEST_FILE: usize = 8 * 1024 * 1024;

/// How deep lists and tables may stand inside each other.
const DEEPEST: usize = 16;

/// The text of a file, if it is one and not too large.
///
/// # Errors
/// `too-large`, or `not-text` with the place of the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Checked<&str> {
    if bytes.len() > LARGEST_FILE {
        return Err(Fault::new(Code::TooLarge, "the file is larger than 8 MiB; no document of a game is")
            .help("check that this is the file you mean"));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        Fault::new(Code::NotText, format!("byte {} of the file is not UTF-8 text", error.valid_up_to() + 1))
            .help("ask the sender for the file again; programs that rewrite text may have changed it")
    })
}

/// Reads a TOML 1.0 document.
///
/// # Errors
/// Every fault has its place in `text`: no TOML, a duplicate key, too deep, a float or a
/// number out of range, a time in another spelling.
pub fn parse(text: &str) -> Checked<Node> {
    if text.len() > LARGEST_FILE {
        return utf8(text.as_bytes()).map(|_| Table::default().into());
    }
    if text.starts_with('\u{feff}') {
        return Err(Fault::new(
            Code::NotToml,
            "the file begins with a byte order mark, which TOML 1.0 does not have",
        )
        .help("save it again as plain UTF-8, without BOM")
        .at(0..3));
    }
    strict::only_toml_1_0(text)?;
    let document = DeTable::parse(text).map_err(|error| not_toml(&error))?;
    let span = document.span();
    let table = Tree { text, keys: BTreeSet::new() }.table(document.into_inner(), 1)?;
    Ok(Node { span, value: Value::Table(table) })
}

fn not_toml(error: &toml::de::Error) -> Fault {
    let message = error.message();
    let fault = if message.contains("duplicate key") {
        Fault::new(Code::DuplicateKey, "this key stands twice; which one holds nobody could say")
            .help("remove one of the two")
    } else if message.contains("recurs") {
        too_deep()
    } else {
        Fault::new(Code::NotToml, format!("this is not TOML: {}", message.lines().next().unwrap_or("")))
            .help("if the text came by mail, ask for the file itself or save the whole mail")
    };
    match error.span() {
        Some(span) => fault.at(span),
        None => fault,
    }
}

fn too_deep() -> Fault {
    Fault::new(
        Code::TooDeep,
        format!("tables or lists stand more than {DEEPEST} deep inside each other; no document needs that"),
    )
    .help("check that this is the file you mean")
}

/// A tree in the making.
struct Tree<'a> {
    text: &'a str,
    keys: BTreeSet<Arc<str>>,
}

impl Tree<'_> {
    /// The one copy of a key.
    fn key(&mut self, key: &str) -> Arc<str> {
        if let Some(known) = self.keys.get(key) {
            return Arc::clone(known);
        }
        let new: Arc<str> = key.into();
        self.keys.insert(Arc::clone(&new));
        new
    }

    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Checked<Table> {
        if depth > DEEPEST {
            return Err(too_deep());
        }
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let key_span = key.span();
            let node = self.node(value, depth).map_err(|fault| fault.at(key_span.clone()))?;
            entries.push(Entry { key: self.key(&key.into_inner()), key_span, node });
        }
        // The parser keeps keys sorted; people see them in the order of the text.
        entries.sort_by_key(|entry| entry.key_span.start);
        Ok(Table { entries })
    }

    fn node(&mut self, value: Spanned<DeValue<'_>>, depth: usize) -> Checked<Node> {
        let span = value.span();
        let value = match value.into_inner() {
            DeValue::String(string) => Value::Text(string.into_owned()),
            DeValue::Boolean(flag) => Value::Boolean(flag),
            DeValue::Integer(integer) => Value::Integer(
                within(integer.as_str(), integer.radix()).ok_or_else(|| number(self.text, &span))?,
            ),
            DeValue::Float(_) => return Err(number(self.text, &span)),
            DeValue::Datetime(_) => {
                let spelling = self.text.get(span.clone()).unwrap_or_default();
                Value::Time(
                    spelling
                        .parse::<Time>()
                        .map_err(|why| Fault::new(Code::WrongValue, why).at(span.clone()))?,
                )
            }
            DeValue::Array(array) => {
                if depth >= DEEPEST {
                    return Err(too_deep().at(span));
                }
                let list: Checked<Vec<_>> =
                    array.into_iter().map(|item| self.node(item, depth + 1)).collect();
                Value::List(list?)
            }
            DeValue::Table(inner) => {
                Value::Table(self.table(inner, depth + 1).map_err(|fault| fault.at(span.clone()))?)
            }
        };
        Ok(Node { span, value })
    }
}

fn within(digits: &str, radix: u32) -> Option<u64> {
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let number = u64::from_str_radix(digits, radix).ok()?;
    (number <= LARGEST_INTEGER).then_some(number)
}

fn number(text: &str, span: &Span) -> Fault {
    let seen: String = text.get(span.clone()).unwrap_or_default().chars().take(40).collect();
    Fault::new(Code::NumberTooLarge, format!("{seen} is not a whole number from 0 to {LARGEST_INTEGER}"))
        .at(span.clone())
}
