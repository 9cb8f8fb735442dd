//! A tree as TOML text: always the same for the same tree.
//!
//! Values first, then tables under their headings, in the tree's own order. A list of
//! tables is written in place, one table a line, except where the caller writes headings
//! of its own (`[[order]]`).

use std::fmt::Write as _;

use super::node::{Node, Table, Value};

/// The TOML text of a table whose heading (if any) the caller has written; `path` is that
/// heading's path, `""` at the top.
#[must_use]
pub fn toml_text(table: &Table, path: &str) -> String {
    let mut text = String::new();
    write_table(table, path, &mut text);
    text
}

/// The heading line of a table: `[a.b]`, or `[[a.b]]` in a list of tables.
#[must_use]
pub fn heading(path: &str, in_list: bool) -> String {
    if in_list { format!("[[{path}]]\n") } else { format!("[{path}]\n") }
}

fn write_table(table: &Table, path: &str, text: &mut String) {
    for entry in &table.entries {
        if !matches!(entry.node.value, Value::Table(_)) {
            let _ = write!(text, "{} = ", toml_key(&entry.key));
            write_value(&entry.node, text, true);
            text.push('\n');
        }
    }
    for entry in &table.entries {
        if let Value::Table(inner) = &entry.node.value {
            let key = toml_key(&entry.key);
            let path = if path.is_empty() { key } else { format!("{path}.{key}") };
            if !text.is_empty() {
                text.push('\n');
            }
            // A table of nothing but tables needs no heading of its own.
            let only_tables = !inner.entries.is_empty()
                && inner.entries.iter().all(|e| matches!(e.node.value, Value::Table(_)));
            if only_tables {
                // The blank line before the first inner heading is there already.
                let mut below = String::new();
                write_table(inner, &path, &mut below);
                text.push_str(&below);
            } else {
                text.push_str(&heading(&path, false));
                write_table(inner, &path, text);
            }
        }
    }
}

/// The TOML text of one value on one line, whatever it is.
#[must_use]
pub fn toml_inline(node: &Node) -> String {
    let mut text = String::new();
    write_value(node, &mut text, false);
    text
}

fn write_value(node: &Node, text: &mut String, top: bool) {
    match &node.value {
        Value::Text(string) => text.push_str(&toml_string(string)),
        Value::Integer(number) => {
            let _ = write!(text, "{number}");
        }
        Value::Boolean(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Value::Time(time) => {
            let _ = write!(text, "{time}");
        }
        Value::List(list) => write_list(list, text, top),
        Value::Table(table) => {
            if table.entries.is_empty() {
                text.push_str("{}");
                return;
            }
            text.push_str("{ ");
            for (place, entry) in table.entries.iter().enumerate() {
                if place > 0 {
                    text.push_str(", ");
                }
                let _ = write!(text, "{} = ", toml_key(&entry.key));
                write_value(&entry.node, text, false);
            }
            text.push_str(" }");
        }
    }
}

/// Short values share a line; tables, and strings that draw something, have one each.
fn write_list(list: &[Node], text: &mut String, top: bool) {
    let a_line_each = top
        && list.iter().any(|item| match &item.value {
            Value::Table(_) => true,
            Value::Text(string) => string.len() > 20 || string.contains("  "),
            _ => false,
        });
    if a_line_each {
        text.push_str("[\n");
        for item in list {
            text.push_str("  ");
            write_value(item, text, false);
            text.push_str(",\n");
        }
        text.push(']');
    } else {
        text.push('[');
        for (place, item) in list.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            write_value(item, text, false);
        }
        text.push(']');
    }
}

fn toml_key(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_');
    if bare { key.to_owned() } else { toml_string(key) }
}

/// A string as a TOML basic string.
#[must_use]
pub fn toml_string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{c}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            c if u32::from(c) < 0x20 || c == '\u{7f}' => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
