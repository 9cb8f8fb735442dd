//! Where a value comes from: in which order a commitment was sealed, in which it was opened.

use serde_json::Value;

use super::facts::{NonceFacts, Opening, Place};
use crate::crypto::Rolled;
use crate::document::{Node, Value as Tree};
use crate::games::Slot;
use crate::ident::Seat;
use crate::log::Verified;
use crate::turn::Replay;

/// A hex string of this length is a digest, a salt or the like: too long for a sentence.
const DIGITS: usize = 64;

/// The path of a text in a tree, if it stands there.
fn path_of(node: &Node, wanted: &str) -> Option<Vec<String>> {
    match &node.value {
        Tree::Text(text) => (text == wanted).then(Vec::new),
        Tree::Table(table) => table.entries.iter().find_map(|entry| {
            let mut path = path_of(&entry.node, wanted)?;
            path.insert(0, entry.key.to_string());
            Some(path)
        }),
        Tree::List(list) => list.iter().enumerate().find_map(|(place, node)| {
            let mut path = path_of(node, wanted)?;
            path.insert(0, place.to_string());
            Some(path)
        }),
        _ => None,
    }
}

/// The first order of a seat that holds a text in its action, up to a step.
fn place_of(replay: &Replay, seat: &Seat, wanted: &str, last_step: u64) -> Option<Place> {
    replay.orders().take_while(|order| order.order().step <= last_step).find_map(|order: &Verified| {
        let said = order.order();
        if said.seat != *seat {
            return None;
        }
        let path = path_of(said.details(), wanted)?;
        Some(Place {
            step: said.step,
            seat: said.seat.to_string(),
            action: said.action.clone(),
            order: order.digest().to_string(),
            at: std::iter::once(said.action.clone()).chain(path).collect::<Vec<_>>().join("."),
        })
    })
}

/// A slot that is open, with its origin; as far as orders up to a step tell.
pub(super) fn opening(replay: &Replay, slot: &Slot, last_step: u64) -> Option<Opening> {
    let preimage = String::from_utf8(slot.opened.clone()?).ok()?;
    let (_, json) = preimage.split_once('\n')?;
    let Ok(Value::Object(mut parts)) = serde_json::from_str(json) else { return None };
    let seat = replay.header().seat(slot.seat);
    let word = |value: &Value| value.as_str().map(str::to_owned);
    let salt = parts.get("salt").and_then(word);
    let secret = salt.clone().or_else(|| parts.get("nonce").and_then(word))?;
    // What is left without the frame and the name of the slot is what was promised.
    let named: Vec<&str> = slot.name.split(' ').collect();
    for key in ["game", "seat", "salt", "index"] {
        parts.remove(key);
    }
    parts.retain(|_, value| value.as_str().is_none_or(|text| !named.contains(&text)));
    let told = parts.values().map(in_words).collect::<Vec<_>>().join(", ");
    let sealed = place_of(replay, seat, &slot.commitment.to_string(), last_step);
    let opened = place_of(replay, seat, &secret, last_step).map(|mut place| {
        // The salt stands beside the value: the table of both is meant.
        if let Some(above) = place.at.strip_suffix(".salt") {
            place.at = above.to_owned();
        }
        place
    });
    Some(Opening {
        seat: seat.to_string(),
        slot: slot.name.clone(),
        value: parts.into_iter().collect::<serde_json::Map<_, _>>().into(),
        told,
        salt,
        commitment: slot.commitment.to_string(),
        sealed,
        opened,
        preimage,
    })
}

/// A value in words: digests cut short, tables and lists in a row.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() == DIGITS => {
            format!("{}...", text.get(..8).unwrap_or_default())
        }
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Object(table) if table.values().all(Value::is_string) && table.len() == 2 => {
            table.values().map(in_words).collect::<Vec<_>>().join(" ")
        }
        Value::Object(table) => table
            .iter()
            .map(|(key, value)| match value {
                Value::Object(_) => format!("{key} ({})", in_words(value)),
                _ => format!("{key} {}", in_words(value)),
            })
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    }
}

/// The shares of entropy behind some dice, each once.
pub(super) fn nonces(replay: &Replay, rolls: &[Rolled], last_step: u64) -> Vec<NonceFacts> {
    let mut found: Vec<NonceFacts> = Vec::new();
    for (seat, nonce) in rolls.iter().flat_map(|rolled| &rolled.roll.nonces) {
        let nonce = nonce.to_string();
        if !found.iter().any(|known| known.nonce == nonce && known.seat == seat.as_str()) {
            let opened = place_of(replay, seat, &nonce, last_step);
            found.push(NonceFacts { seat: seat.to_string(), nonce, opened });
        }
    }
    found
}
