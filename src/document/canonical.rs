//! Canonical JSON (RFC 8785, "JCS") for the values that the protocol allows.
//!
//! With neither floats nor null the standard comes down to: keys sorted by their UTF-16
//! code units, no blanks, and the shortest escapes in strings.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{Node, Value};

/// The canonical JSON text of a tree; times as strings in their one spelling.
#[must_use]
pub fn canonical(node: &Node) -> String {
    let mut json = String::with_capacity(512);
    write(node, &mut json);
    json
}

fn write(node: &Node, json: &mut String) {
    match &node.value {
        Value::Text(text) => write_string(text, json),
        // Writing to a String cannot fail.
        Value::Integer(number) => {
            let _ = write!(json, "{number}");
        }
        Value::Boolean(flag) => json.push_str(if *flag { "true" } else { "false" }),
        Value::Time(time) => write_string(&time.to_string(), json),
        Value::List(list) => {
            json.push('[');
            for (place, item) in list.iter().enumerate() {
                if place > 0 {
                    json.push(',');
                }
                write(item, json);
            }
            json.push(']');
        }
        Value::Table(table) => {
            let mut entries: Vec<_> = table.entries.iter().collect();
            entries.sort_by(|a, b| by_code_units(&a.key, &b.key));
            json.push('{');
            for (place, entry) in entries.into_iter().enumerate() {
                if place > 0 {
                    json.push(',');
                }
                write_string(&entry.key, json);
                json.push(':');
                write(&entry.node, json);
            }
            json.push('}');
        }
    }
}

/// RFC 8785, section 3.2.3: by UTF-16 code units, which differs from UTF-8 order above U+FFFF.
fn by_code_units(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// RFC 8785, section 3.2.2.2.
fn write_string(text: &str, json: &mut String) {
    json.push('"');
    // Nearly every string is digits and names, with nothing to escape.
    if !text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        json.push_str(text);
        json.push('"');
        return;
    }
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{9}' => json.push_str("\\t"),
            '\u{a}' => json.push_str("\\n"),
            '\u{c}' => json.push_str("\\f"),
            '\u{d}' => json.push_str("\\r"),
            '\u{0}'..='\u{1f}' => {
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            _ => json.push(c),
        }
    }
    json.push('"');
}
