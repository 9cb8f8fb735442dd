//! The spellings that TOML 1.1 added, refused.
//!
//! The TOML library reads 1.1. A file that only newer readers understand would let two
//! players quarrel over whether it is a file at all, so documents keep to TOML 1.0. Dates
//! are checked where they are read: they have one spelling anyway.

use crate::fault::{Checked, Code, Fault};

/// Looks through a TOML text for what TOML 1.0 does not have: a line break, a comment or a
/// last comma inside an inline table, and the escapes `\e` and `\x`.
///
/// # Errors
/// Names the first such spelling. A text that is no TOML at all may pass: the parser says so.
pub(super) fn only_toml_1_0(text: &str) -> Checked<()> {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, open: Vec::new(), comma: None };
    while let Some(byte) = scan.peek(0) {
        scan.step(byte)?;
    }
    Ok(())
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The brackets that are open: `{` or `[`.
    open: Vec<u8>,
    /// Where the last comma stood, if only blanks came after it.
    comma: Option<usize>,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn in_inline_table(&self) -> bool {
        self.open.last() == Some(&b'{')
    }

    fn newer(&self, what: &str, help: &str, from: usize, to: usize) -> Fault {
        Fault::new(Code::NotToml, format!("{what} is a spelling of TOML 1.1; these files keep to TOML 1.0"))
            .help(help)
            .at(from..to.min(self.bytes.len()))
    }

    fn step(&mut self, byte: u8) -> Checked<()> {
        let from = self.at;
        match byte {
            b'"' | b'\'' => {
                self.comma = None;
                return self.string(byte);
            }
            b'#' => {
                if self.in_inline_table() {
                    return Err(self.newer(
                        "a comment inside { }",
                        "put the comment on a line of its own",
                        from,
                        from + 1,
                    ));
                }
                while self.peek(0).is_some_and(|b| b != b'\n') {
                    self.at += 1;
                }
                return Ok(());
            }
            b'{' | b'[' => {
                self.open.push(byte);
                self.comma = None;
            }
            b'}' | b']' => {
                if byte == b'}'
                    && let Some(comma) = self.comma
                {
                    return Err(self.newer("a comma before }", "take the comma away", comma, comma + 1));
                }
                self.open.pop();
                self.comma = None;
            }
            b'\n' if self.in_inline_table() => {
                return Err(self.newer(
                    "a line break inside { }",
                    "write the whole { } on one line",
                    from,
                    from + 1,
                ));
            }
            b',' => self.comma = Some(from),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.comma = None,
        }
        self.at += 1;
        Ok(())
    }

    /// Passes over a string of any of the four kinds.
    fn string(&mut self, quote: u8) -> Checked<()> {
        let long = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if long { 3 } else { 1 };
        while let Some(byte) = self.peek(0) {
            if byte == b'\\' && quote == b'"' {
                if matches!(self.peek(1), Some(b'e' | b'x')) {
                    return Err(self.newer(
                        "this escape",
                        "write it as \\u and four hex digits",
                        self.at,
                        self.at + 2,
                    ));
                }
                self.at += 2;
            } else if byte == quote && !long {
                self.at += 1;
                return Ok(());
            } else if byte == quote && self.peek(1) == Some(quote) && self.peek(2) == Some(quote) {
                // Up to two quotes may stand right before the closing three.
                while self.peek(3) == Some(quote) {
                    self.at += 1;
                }
                self.at += 3;
                return Ok(());
            } else if byte == b'\n' && !long {
                // Not closed on its line: the parser will say so.
                return Ok(());
            } else {
                self.at += 1;
            }
        }
        Ok(())
    }
}
