//! A typed document to a tree, by serde, keeping the order of its fields.

use std::fmt;

use serde::ser::{
    self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

use super::node::{Node, Table, Value};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{LARGEST_INTEGER, Time};

/// Makes a tree of a typed document; absent options leave no key.
///
/// # Errors
/// `internal` when a type holds what no document can: a float, null, a number out of range.
pub fn tree<T: Serialize + ?Sized>(document: &T) -> Checked<Node> {
    let node = document.serialize(Writer).map_err(|error| Fault::new(Code::Internal, error.0))?;
    node.ok_or_else(|| Fault::new(Code::Internal, "an absent value is no document"))
}

struct Writer;

#[derive(Debug)]
struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A value, or nothing for an absent option.
type Written = Option<Node>;

fn no<T>(what: &str) -> Result<T, Unwritable> {
    Err(Unwritable(format!("a document holds no {what}")))
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = Unwritable;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = Impossible<Written, Unwritable>;
    type SerializeTupleVariant = Impossible<Written, Unwritable>;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Impossible<Written, Unwritable>;

    fn serialize_bool(self, flag: bool) -> Result<Written, Unwritable> {
        Ok(Some(flag.into()))
    }
    fn serialize_u64(self, number: u64) -> Result<Written, Unwritable> {
        if number > LARGEST_INTEGER { no("integer above 2^53 - 1") } else { Ok(Some(number.into())) }
    }
    fn serialize_u8(self, number: u8) -> Result<Written, Unwritable> {
        self.serialize_u64(number.into())
    }
    fn serialize_u16(self, number: u16) -> Result<Written, Unwritable> {
        self.serialize_u64(number.into())
    }
    fn serialize_u32(self, number: u32) -> Result<Written, Unwritable> {
        self.serialize_u64(number.into())
    }
    fn serialize_i8(self, number: i8) -> Result<Written, Unwritable> {
        self.serialize_i64(number.into())
    }
    fn serialize_i16(self, number: i16) -> Result<Written, Unwritable> {
        self.serialize_i64(number.into())
    }
    fn serialize_i32(self, number: i32) -> Result<Written, Unwritable> {
        self.serialize_i64(number.into())
    }
    fn serialize_i64(self, number: i64) -> Result<Written, Unwritable> {
        u64::try_from(number).map_or_else(|_| no("negative integer"), |number| self.serialize_u64(number))
    }
    fn serialize_f32(self, _: f32) -> Result<Written, Unwritable> {
        no("float")
    }
    fn serialize_f64(self, _: f64) -> Result<Written, Unwritable> {
        no("float")
    }
    fn serialize_char(self, c: char) -> Result<Written, Unwritable> {
        Ok(Some(c.to_string().into()))
    }
    fn serialize_str(self, text: &str) -> Result<Written, Unwritable> {
        Ok(Some(text.into()))
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<Written, Unwritable> {
        no("raw bytes")
    }
    fn serialize_none(self) -> Result<Written, Unwritable> {
        Ok(None)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, Unwritable> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<Written, Unwritable> {
        Ok(None)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, Unwritable> {
        Ok(Some(Table::default().into()))
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Written, Unwritable> {
        Ok(Some(variant.into()))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written, Unwritable> {
        let written = value.serialize(self)?;
        if name != Time::MARKER {
            return Ok(written);
        }
        match written.as_ref().and_then(Node::as_text).map(str::parse::<Time>) {
            Some(Ok(time)) => Ok(Some(time.into())),
            _ => no("time in another spelling"),
        }
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, Unwritable> {
        let mut fields = Fields::default();
        SerializeStruct::serialize_field(&mut fields, variant, value)?;
        SerializeStruct::end(fields)
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<List, Unwritable> {
        Ok(List(Vec::new()))
    }
    fn serialize_tuple(self, _: usize) -> Result<List, Unwritable> {
        Ok(List(Vec::new()))
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unwritable> {
        no("tuple")
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        no("tuple")
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Fields, Unwritable> {
        Ok(Fields::default())
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields, Unwritable> {
        Ok(Fields::default())
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        no("enum with fields")
    }
}

struct List(Vec<Node>);

impl SerializeSeq for List {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.0.extend(value.serialize(Writer)?);
        Ok(())
    }
    fn end(self) -> Result<Written, Unwritable> {
        Ok(Some(self.0.into()))
    }
}

/// A pair is written as a list of two.
impl SerializeTuple for List {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        SerializeSeq::serialize_element(self, value)
    }
    fn end(self) -> Result<Written, Unwritable> {
        SerializeSeq::end(self)
    }
}

#[derive(Default)]
struct Fields {
    table: Table,
    key: Option<String>,
}

impl SerializeStruct for Fields {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        if let Some(node) = value.serialize(Writer)? {
            self.table.push(key, node);
        }
        Ok(())
    }
    fn end(self) -> Result<Written, Unwritable> {
        Ok(Some(Value::Table(self.table).into()))
    }
}

impl SerializeMap for Fields {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        let key = key.serialize(Writer)?;
        self.key = key.as_ref().and_then(Node::as_text).map(str::to_owned);
        if self.key.is_some() { Ok(()) } else { no("key that is not a string") }
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        let Some(key) = self.key.take() else { return no("value without a key") };
        if let Some(node) = value.serialize(Writer)? {
            self.table.push(key, node);
        }
        Ok(())
    }
    fn end(self) -> Result<Written, Unwritable> {
        Ok(Some(Value::Table(self.table).into()))
    }
}
