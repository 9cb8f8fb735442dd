//! The folder `schemas` holds exactly what the types say. `SEALED_UPDATE=1` writes it anew.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

mod example_games;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use example_games::updating;
use sealed_orders::schema;
use serde_json::Value;

#[test]
fn the_folder_holds_the_schemas_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let all = schema::all();
    if updating() {
        fs::create_dir_all(&folder).unwrap();
        for (name, schema) in &all {
            fs::write(folder.join(name), schema::text(schema)).unwrap();
        }
    }
    let found: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let wanted: BTreeSet<String> = all.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(wanted.len(), all.len(), "two schemas of one name");
    assert_eq!(found, wanted, "a stray or a missing file in schemas/");
    for (name, schema) in &all {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(text == schema::text(schema), "schemas/{name} is not what the types say");
        assert!(text.is_ascii(), "{name}");
    }
}

/// Walks through every schema in a schema.
fn every(schema: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match schema {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|inner| every(inner, visit));
        }
        Value::Array(list) => list.iter().for_each(|inner| every(inner, visit)),
        _ => {}
    }
}

#[test]
fn every_schema_is_closed_and_says_what_it_is() {
    for (name, schema) in schema::all() {
        for key in ["$schema", "$id", "title", "description"] {
            assert!(schema[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
        }
        assert_eq!(schema["$id"], name.as_str());
        every(&schema, &mut |part| {
            // A table names its keys and lets no other in. Only [position] does, and the
            // parts of a schema that add to a table described elsewhere have no type.
            if part.get("type") == Some(&"object".into()) && part.contains_key("properties") {
                let others = &part["additionalProperties"];
                let is_position = *others == serde_json::json!({ "$ref": "#/$defs/value" });
                assert!(*others == Value::Bool(false) || is_position, "{name}: {part:?}");
            }
            // There is no null in any document, and no number that JavaScript cannot hold.
            assert!(part.get("type") != Some(&"null".into()), "{name}: {part:?}");
            if part.get("type") == Some(&"integer".into()) {
                assert!(part["maximum"].as_u64().unwrap() < 1 << 53, "{name}: {part:?}");
                assert!(part["minimum"].as_u64().is_some(), "{name}: {part:?}");
            }
            if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
                assert!(
                    schema.pointer(reference.strip_prefix('#').unwrap()).is_some(),
                    "{name}: {reference}"
                );
            }
        });
    }
}
