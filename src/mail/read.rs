//! Finding blocks in a text, and reading them.

use crate::document::{Entry, Node, Table, Value};
use crate::fault::{Checked, Code, Fault, Span};
use crate::ident::{LARGEST_INTEGER, Time};
use crate::log::SignedOrder;

/// The words before a block.
pub const BEGIN: &str = "BEGIN SEALED ORDER";
/// The words after a block.
pub const END: &str = "END SEALED ORDER";

/// How deep tables and lists may stand inside each other, as in a file.
const DEEPEST: usize = 16;

/// One block that was found, and what it says.
#[derive(Debug)]
pub struct Block {
    /// Where it stands in the text.
    pub span: Span,
    /// The order, or why it is none.
    pub order: Checked<SignedOrder>,
}

/// Finds every block of a text.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let letters = fold(text);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = find(&letters, BEGIN, from) {
        let start = begin + BEGIN.chars().count();
        let next_begin = find(&letters, BEGIN, start);
        let end = find(&letters, END, start).filter(|end| next_begin.is_none_or(|next| *end < next));
        let at = |place: usize| letters.get(place).map_or(text.len(), |letter| letter.at);
        let Some(end) = end else {
            let fault = Fault::new(
                Code::CutBlock,
                "the block begins here, but its end is missing: the text was cut off",
            )
            .help("ask the sender to send the order file itself, as an attachment")
            .at(at(begin)..at(start));
            found.push(Block { span: at(begin)..at(start), order: Err(fault) });
            from = start;
            continue;
        };
        let span = at(begin)..at(end + END.chars().count());
        let inside = letters.get(start..end).unwrap_or_default();
        let order = Reader::new(inside, at(end)).document().and_then(|mut node| {
            node.span = span.clone();
            SignedOrder::read(&node)
        });
        found.push(Block { span, order });
        from = end + END.chars().count();
    }
    found
}

/// A letter of the folded text, and where it stood.
#[derive(Clone, Copy, Debug)]
struct Letter {
    c: char,
    at: usize,
}

/// Folds a text: every run of blanks and line ends to one blank, the marks of quoted
/// replies away, typographic quotes and dashes to plain ones, invisible characters away.
fn fold(text: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len());
    let mut at_line_start = true;
    for (at, c) in text.char_indices() {
        let blank = |letters: &mut Vec<Letter>| {
            if letters.last().is_none_or(|last| last.c != ' ') {
                letters.push(Letter { c: ' ', at });
            }
        };
        match c {
            '\n' | '\r' => {
                at_line_start = true;
                blank(&mut letters);
            }
            ' ' | '\t' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                blank(&mut letters);
            }
            '>' | '|' if at_line_start => {}
            '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}' => {}
            _ => {
                at_line_start = false;
                let c = match c {
                    '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ff02}' => '"',
                    '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{ff07}' => '\'',
                    '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
                    c => c,
                };
                letters.push(Letter { c, at });
            }
        }
    }
    letters
}

fn find(letters: &[Letter], words: &str, from: usize) -> Option<usize> {
    let words: Vec<char> = words.chars().collect();
    let rest = letters.get(from..)?;
    rest.windows(words.len())
        .position(|window| window.iter().map(|letter| letter.c).eq(words.iter().copied()))
        .map(|place| from + place)
}

/// Reads the tokens of one block.
struct Reader<'a> {
    letters: &'a [Letter],
    place: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    const fn new(letters: &'a [Letter], end: usize) -> Self {
        Self { letters, place: 0, end }
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.place).map(|letter| letter.c)
    }

    fn here(&self) -> usize {
        self.letters.get(self.place).map_or(self.end, |letter| letter.at)
    }

    fn skip_blanks(&mut self) {
        while self.peek() == Some(' ') {
            self.place += 1;
        }
    }

    fn fault(&self, what: &str) -> Fault {
        let at = self.here();
        let seen = self.peek().map_or_else(|| "the end of the block".to_owned(), |c| format!("{c:?}"));
        Fault::new(
            Code::CutBlock,
            format!("the block cannot be read: here stands {seen} where {what} is needed"),
        )
        .help("the text was changed on its way; ask the sender for the order file itself, as an attachment")
        .at(at..at + 1)
    }

    fn expect(&mut self, wanted: char) -> Checked<()> {
        self.skip_blanks();
        if self.peek() == Some(wanted) {
            self.place += 1;
            Ok(())
        } else {
            Err(self.fault(&format!("{wanted:?}")))
        }
    }

    /// A whole block: keys and values, then tables under their headings.
    fn document(&mut self) -> Checked<Node> {
        let mut top = Table::default();
        let mut path: Vec<(String, Span)> = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some('[') => {
                    self.place += 1;
                    path = self.path()?;
                    self.expect(']')?;
                    if path.len() >= DEEPEST {
                        return Err(self.fault("a shorter heading"));
                    }
                    // The heading of a table that stands already is a second one.
                    insert(&mut top, &path, None)?;
                }
                Some(_) => {
                    let key = self.key()?;
                    self.expect('=')?;
                    let value = self.value(path.len() + 1)?;
                    let mut whole = path.clone();
                    whole.push(key);
                    insert(&mut top, &whole, Some(value))?;
                }
            }
        }
        Ok(Value::Table(top).into())
    }

    fn path(&mut self) -> Checked<Vec<(String, Span)>> {
        let mut path = vec![self.key()?];
        loop {
            self.skip_blanks();
            if self.peek() != Some('.') {
                return Ok(path);
            }
            self.place += 1;
            path.push(self.key()?);
        }
    }

    /// A bare key; telephones like to capitalise the first letter of a line.
    fn key(&mut self) -> Checked<(String, Span)> {
        self.skip_blanks();
        let from = self.here();
        let mut key = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
            key.push(c.to_ascii_lowercase());
            self.place += 1;
        }
        if key.is_empty() {
            return Err(self.fault("a key"));
        }
        Ok((key, from..self.here()))
    }

    fn value(&mut self, depth: usize) -> Checked<Node> {
        self.skip_blanks();
        let from = self.here();
        if depth > DEEPEST {
            return Err(Fault::new(
                Code::TooDeep,
                "the block holds more tables in each other than any order",
            )
            .at(from..from + 1));
        }
        let value = match self.peek() {
            Some('"') => Value::Text(self.string()?),
            Some('[') => Value::List(self.list(depth)?),
            Some('{') => Value::Table(self.inline_table(depth)?),
            Some(c) if c.is_ascii_alphanumeric() => self.word()?,
            _ => return Err(self.fault("a value")),
        };
        Ok(Node { span: from..self.here(), value })
    }

    fn string(&mut self) -> Checked<String> {
        self.place += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else { return Err(self.fault("the closing quote")) };
            self.place += 1;
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Checked<char> {
        let letter = self.peek();
        self.place += 1;
        let digits = match letter {
            Some('"') => return Ok('"'),
            Some('\\') => return Ok('\\'),
            Some('u') => 4,
            Some('U') => 8,
            _ => return Err(self.fault("an escape that orders have")),
        };
        let mut number = 0_u32;
        for _ in 0..digits {
            let digit = self.peek().and_then(|c| c.to_digit(16)).ok_or_else(|| self.fault("a hex digit"))?;
            number = number.saturating_mul(16).saturating_add(digit);
            self.place += 1;
        }
        char::from_u32(number).ok_or_else(|| self.fault("a character"))
    }

    fn list(&mut self, depth: usize) -> Checked<Vec<Node>> {
        self.place += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blanks();
            if self.peek() == Some(']') {
                self.place += 1;
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
            if self.peek() == Some(',') {
                self.place += 1;
            } else if self.peek() != Some(']') {
                return Err(self.fault("',' or ']'"));
            }
        }
    }

    fn inline_table(&mut self, depth: usize) -> Checked<Table> {
        self.place += 1;
        let mut table = Table::default();
        loop {
            self.skip_blanks();
            if self.peek() == Some('}') {
                self.place += 1;
                return Ok(table);
            }
            let key = self.key()?;
            self.expect('=')?;
            let value = self.value(depth + 1)?;
            insert(&mut table, &[key], Some(value))?;
            self.skip_blanks();
            if self.peek() == Some(',') {
                self.place += 1;
            } else if self.peek() != Some('}') {
                return Err(self.fault("',' or '}'"));
            }
        }
    }

    /// A value without quotes: a boolean, an integer, a time.
    fn word(&mut self) -> Checked<Value> {
        let from = self.here();
        let mut word = String::new();
        while let Some(c) =
            self.peek().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '+' | '.' | '_'))
        {
            word.push(c);
            self.place += 1;
        }
        match word.as_str() {
            "true" => return Ok(Value::Boolean(true)),
            "false" => return Ok(Value::Boolean(false)),
            _ => {}
        }
        if word.bytes().all(|c| c.is_ascii_digit()) {
            return word
                .parse()
                .ok()
                .filter(|number| *number <= LARGEST_INTEGER)
                .map(Value::Integer)
                .ok_or_else(|| {
                    Fault::new(Code::NumberTooLarge, format!("{word} is larger than {LARGEST_INTEGER}"))
                        .at(from..self.here())
                });
        }
        word.parse::<Time>().map(Value::Time).map_err(|_| {
            Fault::new(
                Code::WrongValue,
                format!("{word:?} is neither a number nor a time like 2026-11-30T05:48:16Z; were its quotes lost on the way?"),
            )
            .at(from..self.here())
        })
    }
}

/// Puts a value (or an empty table) under a path, making the tables between.
fn insert(table: &mut Table, path: &[(String, Span)], value: Option<Node>) -> Checked<()> {
    let Some(((key, span), rest)) = path.split_first() else { return Ok(()) };
    let twice = || {
        Fault::new(Code::DuplicateKey, format!("the key {key:?} stands twice in the block"))
            .help("two orders may have run into each other; ask the sender for the order file itself")
            .at(span.clone())
    };
    let known = table.entries.iter_mut().find(|entry| *entry.key == **key);
    if rest.is_empty() {
        return match (known, value) {
            (Some(_), _) => Err(twice()),
            (None, value) => {
                let node = value
                    .unwrap_or_else(|| Node { span: span.clone(), value: Value::Table(Table::default()) });
                table.entries.push(Entry { key: key.as_str().into(), key_span: span.clone(), node });
                Ok(())
            }
        };
    }
    match known {
        Some(Entry { node: Node { value: Value::Table(inner), .. }, .. }) => insert(inner, rest, value),
        Some(_) => Err(twice()),
        None => {
            let mut inner = Table::default();
            insert(&mut inner, rest, value)?;
            let node = Node { span: span.clone(), value: Value::Table(inner) };
            table.entries.push(Entry { key: key.as_str().into(), key_span: span.clone(), node });
            Ok(())
        }
    }
}
