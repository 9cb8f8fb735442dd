//! A tree to a typed document, by serde, keeping the place of every fault.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

use super::node::{Entry, Node, Value};
use crate::fault::{Checked, Code, Fault, Span};
use crate::ident::Time;

/// Makes a typed document of a tree.
///
/// # Errors
/// `unknown-key`, `missing-key`, `wrong-value`, each with its place.
pub fn read<'a, T: Deserialize<'a>>(node: &'a Node) -> Checked<T> {
    T::deserialize(Reader(node)).map_err(|error| error.0)
}

/// Makes a typed value of those entries of a table that have one of some keys.
///
/// # Errors
/// As for [`read`].
pub fn read_part<'a, T: Deserialize<'a>>(node: &'a Node, keys: &'a [&'a str]) -> Checked<T> {
    let entries = node.as_table().map(|table| table.entries.as_slice()).unwrap_or_default();
    let rest = entries.iter().filter(|entry| keys.contains(&&*entry.key));
    T::deserialize(MapAccessDeserializer::new(Entries { rest, value: None }))
        .map_err(|error| error.0.at(node.span.clone()))
}

struct Reader<'a>(&'a Node);

/// A fault on its way out through serde.
#[derive(Debug)]
struct Misread(Fault);

impl Misread {
    fn at(self, span: &Span) -> Self {
        Self(self.0.at(span.clone()))
    }

    fn length(seen: usize, wanted: &str) -> Self {
        Self(Fault::new(Code::WrongValue, format!("here stands a list of {seen} where {wanted} is needed")))
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Fault::new(Code::WrongValue, message.to_string()))
    }

    fn invalid_type(seen: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        let wanted = match wanted.to_string().as_str() {
            "u64" | "usize" => "a whole number".to_owned(),
            other => other.to_owned(),
        };
        Self(Fault::new(Code::WrongValue, format!("here stands {seen} where {wanted} is needed")))
    }

    fn invalid_length(seen: usize, wanted: &dyn de::Expected) -> Self {
        Self::length(seen, &wanted.to_string().replace("an array of length", "a list of"))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Self(
            Fault::new(Code::UnknownKey, format!("the key {field:?} is not known here"))
                .help(format!("the keys known here are: {known}")),
        )
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        Self(Fault::new(Code::WrongValue, format!("{variant:?} is not one of: {}", known.join(", "))))
    }

    fn missing_field(field: &'static str) -> Self {
        Self(
            Fault::new(Code::MissingKey, format!("the key {field:?} is missing here"))
                .help("the text may have been cut off on its way"),
        )
    }
}

impl<'de> Reader<'de> {
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match &self.0.value {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_u64(*number),
            Value::Boolean(flag) => visitor.visit_bool(*flag),
            Value::Time(_) => Err(de::Error::invalid_type(de::Unexpected::Other("a date-time"), &visitor)),
            Value::List(list) => {
                let mut items = Items(list.iter());
                let read = visitor.visit_seq(&mut items)?;
                // A pair takes two and looks no further.
                match items.0.next() {
                    None => Ok(read),
                    Some(node) => {
                        let (many, taken) = (list.len(), list.len() - items.0.len() - 1);
                        Err(Misread::length(many, &format!("a list of {taken}")).at(&node.span))
                    }
                }
            }
            Value::Table(table) => visitor.visit_map(Entries { rest: table.entries.iter(), value: None }),
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let span = &self.0.span;
        self.visit(visitor).map_err(|error| error.at(span))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let span = &self.0.span;
        let read = match (&self.0.value, name) {
            (Value::Time(time), Time::MARKER) => visitor.visit_str(&time.to_string()),
            (Value::Text(_), Time::MARKER) => {
                Err(de::Error::invalid_type(de::Unexpected::Other("a string in quotes"), &visitor))
            }
            (_, Time::MARKER) => self.visit(visitor),
            _ => visitor.visit_newtype_struct(self),
        };
        read.map_err(|error| error.at(span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let span = &self.0.span;
        let read = match &self.0.value {
            Value::Text(text) => {
                let plain: StrDeserializer<'_, Misread> = text.as_str().into_deserializer();
                plain.deserialize_enum(name, variants, visitor)
            }
            _ => self.visit(visitor),
        };
        read.map_err(|error| error.at(span))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misread> {
        let Some(node) = self.0.next() else { return Ok(None) };
        seed.deserialize(Reader(node)).map(Some).map_err(|error| error.at(&node.span))
    }
}

struct Entries<'a, I> {
    rest: I,
    value: Option<&'a Node>,
}

impl<'de, I: Iterator<Item = &'de Entry>> MapAccess<'de> for Entries<'de, I> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misread> {
        let Some(entry) = self.rest.next() else { return Ok(None) };
        self.value = Some(&entry.node);
        let key: StrDeserializer<'_, Misread> = (&*entry.key).into_deserializer();
        seed.deserialize(key).map(Some).map_err(|error| error.at(&entry.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misread> {
        match self.value.take() {
            // A type that is made of a string finds its fault only here.
            Some(node) => seed.deserialize(Reader(node)).map_err(|error| error.at(&node.span)),
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }
}
