//! JSON Schemas of every kind of file: for editors, for other programs, for people who want
//! to know a file's shape without reading this code.
//!
//! A schema sees a document as JSON: a TOML date-time is a string there. It knows keys,
//! types, spellings and lengths, and nothing of what the protocol is really about: whether
//! a signature is genuine, an opening matches, a move is legal. What a schema refuses the
//! program refuses; what it lets pass may still be refused.
//!
//! Types are described where they are defined; here stand only the tables that no single
//! type describes (the header with its game's options, an order with its one action). The
//! schemas are kept in the folder `schemas`, and a test holds the two equal.

use std::collections::{BTreeMap, BTreeSet};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::crypto::Signature;
use crate::games::{self, Game};
use crate::ident::{GameId, GameNonce, Head, LARGEST_INTEGER, PublicKey, Seat, Time};
use crate::log::{Adopted, Card, FORMAT, LONGEST_PRESS, Player, check_press};

/// All schemas, by the names of their files.
///
/// The files of single games (fleets, openings) are named after the game.
#[must_use]
pub fn all() -> Vec<(String, Value)> {
    let mut files =
        vec![game_file(), order_file(), proof_file(), card_file(), journal_file(), waiting_file()];
    for game in games::all() {
        let (word, title) = (game.word(), game.title());
        files.extend(own_file(
            *game,
            "fleet-file",
            &format!("{word}-fleet.schema.json"),
            &format!("A fleet for {title}"),
            "What a player writes by hand and seals with `sealed seal`. Nobody else ever sees this file.",
        ));
        files.extend(own_file(
            *game,
            "opening",
            &format!("{word}-opening.schema.json"),
            &format!("An opening of {title}"),
            "What `sealed commitment` compares with what was sealed.",
        ));
    }
    files
}

/// A schema as it stands in its file.
#[must_use]
pub fn text(schema: &Value) -> String {
    // The alternate form of a JSON value is the indented one, and it cannot fail.
    format!("{schema:#}\n")
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_deserialize().into_generator()
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// A table with exactly these keys, those of `optional` possibly absent.
fn exactly(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = required.iter().map(|(key, _)| *key).collect();
    let properties: Map<String, Value> =
        required.iter().chain(optional).map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

/// Adds a description to a schema (2020-12 allows it beside a reference).
fn described(mut schema: Value, description: &str) -> Value {
    if let Value::Object(object) = &mut schema {
        object.insert("description".to_owned(), description.into());
    }
    schema
}

/// The tables of a game's actions, by their names. (Its other schemas are no actions.)
fn own_actions(game: &dyn Game, generator: &mut SchemaGenerator) -> BTreeMap<&'static str, Value> {
    let known = game.actions();
    let schemas = game.schemas(generator).into_iter();
    schemas.filter(|(key, _)| known.contains(key)).map(|(key, schema)| (key, schema.to_value())).collect()
}

/// Characters that press may not hold, as ranges for a regular expression; found by asking
/// the function that checks press, so that the two cannot drift apart.
///
/// Only up to U+FFFF: beyond it JavaScript and others spell characters in a pattern
/// differently. What is forbidden there (from U+E0001 on) only the program refuses.
fn forbidden_in_press() -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut buffer = [0; 4];
    for code in 0..=0xffff {
        let Some(c) = char::from_u32(code) else { continue };
        if check_press(c.encode_utf8(&mut buffer)).is_ok() {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => ranges.push((code, code)),
        }
    }
    let spelt = |(first, last): &(u32, u32)| {
        if first == last { format!("\\u{first:04x}") } else { format!("\\u{first:04x}-\\u{last:04x}") }
    };
    ranges.iter().map(spelt).collect()
}

fn press() -> Value {
    json!({
        "description": "A message to all, on one line.",
        "type": "string",
        "maxLength": LONGEST_PRESS,
        "pattern": format!("^[^{}]*$", forbidden_in_press()),
    })
}

/// Puts the definition of a game's orders beside the others; its name.
fn order_of(game: &dyn Game, generator: &mut SchemaGenerator) -> String {
    let actions = own_actions(game, generator).into_iter().map(|(action, details)| {
        let mut order = exactly(
            &[
                ("game", described(of::<GameId>(generator), "The game id.")),
                ("after", described(of::<Head>(generator), "The head that the order answers.")),
                (
                    "step",
                    json!({ "description": "How many steps had closed there.", "type": "integer", "minimum": 0 }),
                ),
                (
                    "seat",
                    described(of::<Seat>(generator), "A seat of the header, or arbiter where there is one."),
                ),
                ("time", described(of::<Time>(generator), "When it was written. No rule reads it.")),
                (action, details),
                ("signature", of::<Signature>(generator)),
            ],
            &[
                ("press", press()),
                (
                    "draw",
                    json!({
                        "description": "Offers or accepts a draw. Not every action can carry it; an order that offers none has no such key.",
                        "const": true,
                    }),
                ),
            ],
        );
        if let Value::Object(order) = &mut order {
            order.insert("title".to_owned(), format!("an order [{action}]").into());
        }
        order
    });
    let actions: Vec<Value> = actions.collect();
    let definition = json!({
        "description": format!(
            "An order of {}: who answers which head, exactly one action, a signature.",
            game.title()
        ),
        "oneOf": actions,
    });
    let name = format!("order-{}", game.word());
    generator.definitions_mut().insert(name.clone(), definition);
    name
}

/// The table `[proof]` about orders of this shape.
fn proof(order: &Value, generator: &mut SchemaGenerator) -> Value {
    described(
        exactly(
            &[
                ("seat", described(of::<Seat>(generator), "Who signed both orders.")),
                (
                    "orders",
                    json!({
                        "description": "The two orders that contradict each other.",
                        "type": "array", "items": order, "minItems": 2, "maxItems": 2,
                    }),
                ),
            ],
            &[
                (
                    "claim",
                    described(
                        order.clone(),
                        "The claim between them, where they do not answer the same head.",
                    ),
                ),
                (
                    "built",
                    json!({
                        "description": "Orders that show that others have built on both branches.",
                        "type": "array", "items": order,
                    }),
                ),
            ],
        ),
        "A seat signed two orders that contradict each other. It is not signed: it proves itself.",
    )
}

/// An entry of the game file: an order of this shape, or a proof about such orders.
fn entry(order: &Value, generator: &mut SchemaGenerator) -> Value {
    let proof = exactly(
        &[
            ("game", described(of::<GameId>(generator), "The game id.")),
            ("after", described(of::<Head>(generator), "The head that the proof answers.")),
            (
                "step",
                json!({ "description": "How many steps had closed there.", "type": "integer", "minimum": 0 }),
            ),
            ("proof", proof(order, generator)),
        ],
        &[],
    );
    json!({ "anyOf": [order, proof] })
}

/// An order of any game: alone it does not say which.
fn any_order(generator: &mut SchemaGenerator) -> Value {
    let orders: Vec<Value> = games::all().iter().map(|game| reference(&order_of(*game, generator))).collect();
    match orders.as_slice() {
        [one] => one.clone(),
        _ => json!({ "anyOf": orders }),
    }
}

fn header(generator: &mut SchemaGenerator) -> Value {
    let rules: Vec<&str> = games::all().iter().map(|game| game.rules()).collect();
    let printable = |most: u32| json!({ "type": "string", "pattern": format!("^[ -~]{{1,{most}}}$") });
    described(
        exactly(
            &[
                ("format", json!({ "description": "The protocol.", "const": FORMAT })),
                ("rules", json!({ "description": "The rules and their version.", "enum": rules })),
                ("name", described(printable(64), "What people call the game.")),
                ("created", described(of::<Time>(generator), "When it was made. No rule reads it.")),
                ("nonce", described(of::<GameNonce>(generator), "Random: no two games are the same.")),
                ("options", json!({ "description": "The options of the rules.", "type": "object" })),
                (
                    "seats",
                    json!({
                        "description": "The players, clockwise.",
                        "type": "array", "items": of::<Player>(generator), "minItems": 2, "maxItems": 6,
                    }),
                ),
            ],
            &[("arbiter", of::<Card>(generator))],
        ),
        "The header: fixed when the game is made. Its digest is the game id.",
    )
}

/// `[position]`: derived, so only `id`, `head` and `step` are held to anything.
fn position(generator: &mut SchemaGenerator) -> Value {
    let value = json!({
        "description": "Any value that the protocol knows: no float, no null, nothing negative.",
        "anyOf": [
            { "type": "string" },
            { "type": "boolean" },
            { "type": "integer", "minimum": 0 },
            { "type": "array", "items": reference("value") },
            { "type": "object", "additionalProperties": reference("value") },
        ],
    });
    generator.definitions_mut().insert("value".to_owned(), value);
    json!({
        "description": "Where the orders lead, for people. Derived from the rest of the file; of its keys only these three are checked.",
        "type": "object",
        "properties": {
            "id": described(of::<GameId>(generator), "The game id."),
            "head": described(of::<Head>(generator), "The newest head."),
            "step": { "description": "How many steps have closed.", "type": "integer", "minimum": 0 },
        },
        "required": ["id", "head", "step"],
        "additionalProperties": reference("value"),
    })
}

fn game_file() -> (String, Value) {
    let mut generator = generator();
    let mut schema = exactly(
        &[("game", header(&mut generator))],
        &[
            ("position", position(&mut generator)),
            (
                "order",
                json!({
                    "description": "All orders and proofs, in the order of the chain; those of the open step last.",
                    "type": "array",
                }),
            ),
        ],
    );
    // What options and orders look like depends on the rules that the header names.
    let games = games::all().iter().map(|game| {
        let options = game.schemas(&mut generator).remove("options").map(schemars::Schema::to_value);
        let order = reference(&order_of(*game, &mut generator));
        let rules = json!({ "required": ["rules"], "properties": { "rules": { "const": game.rules() } } });
        json!({
            "if": { "required": ["game"], "properties": { "game": rules } },
            "then": { "properties": {
                "game": { "properties": { "options": options } },
                "order": { "items": entry(&order, &mut generator) },
            } },
        })
    });
    let games: Vec<Value> = games.collect();
    if let Value::Object(schema) = &mut schema {
        schema.insert("allOf".to_owned(), games.into());
    }
    file(
        "game.schema.json",
        "A game of Sealed Orders",
        "The game file: header, position, orders. `sealed verify` says whether it holds.",
        schema,
        generator,
    )
}

fn order_file() -> (String, Value) {
    let mut generator = generator();
    let schema = any_order(&mut generator);
    file(
        "order.schema.json",
        "An order of a game of Sealed Orders",
        "An order file, as `sealed order` and the other signing commands write it.",
        schema,
        generator,
    )
}

fn proof_file() -> (String, Value) {
    let mut generator = generator();
    let order = any_order(&mut generator);
    let entries = entry(&order, &mut generator);
    let schema = exactly(
        &[("game", header(&mut generator)), ("proof", proof(&order, &mut generator))],
        &[(
            "order",
            json!({
                "description": "Every entry up to the head where the two orders part.",
                "type": "array", "items": entries,
            }),
        )],
    );
    file(
        "proof.schema.json",
        "A proof that a seat signed two orders",
        "What `sealed dispute --proof` writes and `sealed proof check` checks without any game file.",
        schema,
        generator,
    )
}

fn card_file() -> (String, Value) {
    let mut generator = generator();
    let schema = of::<Card>(&mut generator);
    file(
        "card.schema.json",
        "A player's card",
        "Who plays, and with which public key: what a player sends to whoever makes the game.",
        schema,
        generator,
    )
}

fn journal_file() -> (String, Value) {
    let mut generator = generator();
    let order = any_order(&mut generator);
    let adopted = of::<Adopted>(&mut generator);
    let kept = exactly(
        &[
            ("game", of::<GameId>(&mut generator)),
            ("seat", of::<Seat>(&mut generator)),
            ("fleet", json!({ "description": "As its game's deploy opens it.", "type": "object" })),
        ],
        &[],
    );
    let schema = exactly(
        &[("key", described(of::<PublicKey>(&mut generator), "Whose journal it is."))],
        &[
            (
                "adopted",
                json!({ "description": "Games taken up without a journal.", "type": "array", "items": adopted }),
            ),
            (
                "fleet",
                json!({ "description": "Sealed fleets that no key finds again: secret until they are opened.", "type": "array", "items": kept }),
            ),
            (
                "order",
                json!({ "description": "All that was signed, oldest first.", "type": "array", "items": order }),
            ),
        ],
    );
    file(
        "journal.schema.json",
        "A signing journal",
        "What one identity has signed, so that it never contradicts itself. Only the program writes it.",
        schema,
        generator,
    )
}

fn waiting_file() -> (String, Value) {
    let mut generator = generator();
    let order = any_order(&mut generator);
    let entry = entry(&order, &mut generator);
    let schema = exactly(&[("order", json!({ "type": "array", "items": entry, "minItems": 1 }))], &[]);
    file(
        "waiting.schema.json",
        "Entries that wait",
        "Orders that came before those that they answer, and proofs whose place has not come yet. `sealed apply` keeps them beside the game.",
        schema,
        generator,
    )
}

/// A file that only one game has.
fn own_file(
    game: &dyn Game,
    key: &str,
    name: &str,
    title: &str,
    description: &str,
) -> Option<(String, Value)> {
    let mut generator = generator();
    let schema = game.schemas(&mut generator).remove(key)?.to_value();
    Some(file(name, title, description, schema, generator))
}

/// Makes a schema whole: title and name, and the definitions that it really uses.
fn file(
    name: &str,
    title: &str,
    description: &str,
    schema: Value,
    mut generator: SchemaGenerator,
) -> (String, Value) {
    let mut definitions = generator.take_definitions(true);
    let mut root = match schema {
        Value::Object(object) => object,
        other => Map::from_iter([("const".to_owned(), other)]),
    };
    // A file whose whole shape is one definition shows it at the top.
    if let Some(name) = root.get("$ref").and_then(Value::as_str).and_then(defined)
        && let Some(Value::Object(definition)) = definitions.get(name).cloned()
    {
        root = definition;
    }
    let mut used = BTreeSet::new();
    mark(&Value::Object(root.clone()), &definitions, &mut used);
    definitions.retain(|name, _| used.contains(name));
    for (key, value) in [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("$id", name),
        ("title", title),
        ("description", description),
    ] {
        root.insert(key.to_owned(), value.into());
    }
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut root = Value::Object(root);
    tidy(&mut root);
    (name.to_owned(), root)
}

fn defined(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/$defs/")
}

/// Finds every definition that a schema uses.
fn mark(schema: &Value, definitions: &Map<String, Value>, used: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str).and_then(defined);
            if let Some(name) = name
                && used.insert(name.to_owned())
                && let Some(definition) = definitions.get(name)
            {
                mark(definition, definitions, used);
            }
            for inner in object.values() {
                mark(inner, definitions, used);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| mark(inner, definitions, used)),
        _ => {}
    }
}

/// Says what every document has in common and no type says: there is no null, an absent key
/// is absent; integers end at 2^53 - 1, whatever Rust's type for them is called.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [one] = types.as_slice() {
                    let one = one.clone();
                    object.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type") != Some(&json!("null")));
                if let [Value::Object(one)] = choices.as_slice() {
                    let one = one.clone();
                    object.remove("anyOf");
                    object.extend(one);
                }
            }
            if object.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                object.remove("format");
            }
            if object.get("type") == Some(&json!("integer")) {
                object.entry("maximum").or_insert_with(|| LARGEST_INTEGER.into());
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy),
        _ => {}
    }
}
