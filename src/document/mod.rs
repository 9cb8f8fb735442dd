//! Bytes to typed documents and back.
//!
//! 1. [`parse()`] reads TOML 1.0 within fixed limits into a tree of [`Node`]s that remember
//!    where in the text they stood.
//! 2. [`read`] makes a typed document of a tree; a key that the type does not know, or one
//!    that is missing, is an error with its place.
//! 3. [`tree`] makes a tree of a typed document again.
//! 4. [`canonical()`] writes the one JSON text (RFC 8785) of a tree: the only thing that is
//!    ever hashed or signed.
//! 5. [`toml_text`] lays a tree out as TOML, always the same for the same tree.
//!
//! Invariants: integers are 0 to 2^53 - 1, there are no floats, a time has one spelling.

mod canonical;
mod decode;
mod encode;
mod layout;
mod node;
mod parse;
mod strict;

pub use canonical::canonical;
pub use decode::{read, read_part};
pub use encode::tree;
pub use layout::{heading, toml_inline, toml_string, toml_text};
pub use node::{Entry, Node, Table, Value};
pub use parse::{LARGEST_FILE, parse, utf8};
