//! The tree that every document is, between text and type.

use std::sync::Arc;

use crate::fault::Span;
use crate::ident::Time;

/// A value and the bytes of the text that it came from (empty when it was made here).
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stood.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What the protocol's documents are made of.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// 0 to 2^53 - 1.
    Integer(u64),
    /// True or false.
    Boolean(bool),
    /// A time in whole seconds, UTC.
    Time(Time),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// Keys with their values, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The entries; no key stands twice.
    pub entries: Vec<Entry>,
}

/// One key of a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key; the same few stand in every order, so that a document keeps each only once.
    pub key: Arc<str>,
    /// Where the key stood.
    pub key_span: Span,
    /// Its value.
    pub node: Node,
}

impl Value {
    /// What people call this kind of value.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Boolean(_) => "a boolean",
            Self::Time(_) => "a date-time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { span: 0..0, value }
    }
}

impl Node {
    /// The table that it is, if it is one.
    #[must_use]
    pub const fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The string that it is, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value under a path of keys and list places, like `move.lost.0.salt`; where the
    /// path breaks off, the last value on it.
    #[must_use]
    pub fn nearest(&self, path: &str) -> &Self {
        let mut here = self;
        for step in path.split('.') {
            let next = match &here.value {
                Value::Table(table) => table.get(step),
                Value::List(list) => step.parse::<usize>().ok().and_then(|place| list.get(place)),
                _ => None,
            };
            match next {
                Some(next) => here = next,
                None => break,
            }
        }
        here
    }
}

impl Table {
    /// The value under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| *entry.key == *key).map(|entry| &entry.node)
    }

    /// Adds a key at the end; the caller knows that it is new.
    pub fn push(&mut self, key: impl Into<Arc<str>>, node: impl Into<Node>) {
        self.entries.push(Entry { key: key.into(), key_span: 0..0, node: node.into() });
    }

    /// Takes a key out.
    pub fn take(&mut self, key: &str) -> Option<Entry> {
        let place = self.entries.iter().position(|entry| *entry.key == *key)?;
        Some(self.entries.remove(place))
    }
}

impl From<Table> for Node {
    fn from(table: Table) -> Self {
        Value::Table(table).into()
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned()).into()
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Value::Text(text).into()
    }
}

impl From<u64> for Node {
    fn from(number: u64) -> Self {
        Value::Integer(number).into()
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Value::Boolean(flag).into()
    }
}

impl From<Time> for Node {
    fn from(time: Time) -> Self {
        Value::Time(time).into()
    }
}

impl From<Vec<Node>> for Node {
    fn from(list: Vec<Node>) -> Self {
        Value::List(list).into()
    }
}

/// Equal when they say the same, wherever they stood; tables whatever the order of keys.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Time(a), Value::Time(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Node {}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        // Sorted, so that very long tables of somebody else's cost no more than they should.
        fn sorted(table: &Table) -> Vec<&Entry> {
            let mut entries: Vec<&Entry> = table.entries.iter().collect();
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            entries
        }
        self.entries.len() == other.entries.len()
            && sorted(self).iter().zip(sorted(other)).all(|(a, b)| a.key == b.key && a.node == b.node)
    }
}

impl Eq for Table {}
