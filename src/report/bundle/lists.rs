//! What was opened, what was rolled, how the steps hang together.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::signed_orders;
use crate::games::Legal;
use crate::ident::{Commitment, Head, to_hex};
use crate::log::Header;
use crate::turn::Replay;

/// A commitment that was opened.
pub(super) struct Opening {
    /// Whose and which, like `red.secondary-cruiser`. No seat has a dot in its name.
    pub(super) name: String,
    /// The bytes that open it.
    pub(super) preimage: Vec<u8>,
    commitment: Commitment,
    /// The order in which the commitment stands.
    sealed_in: String,
}

/// What was opened, by name.
pub(super) fn openings(replay: &Replay) -> Vec<Opening> {
    let header = replay.header();
    let shares = shares_sealed_in(replay);
    let mut openings: Vec<Opening> = Vec::new();
    for slot in replay.commitments() {
        let Some(preimage) = slot.opened else { continue };
        let seat = header.seat(slot.seat);
        let name = format!("{seat}.{}", slot.name.replace(' ', "-"));
        // A fleet is sealed in step 0. What else a game has was sealed within the fleet, so it
        // stands in the order that opened that.
        let sealed_in = match shares.get(&name) {
            Some(order) => order.clone(),
            None if slot.name == "fleet" => format!("000-{seat}"),
            None => format!("001-{seat}"),
        };
        openings.push(Opening { name, preimage, commitment: slot.commitment, sealed_in });
    }
    openings.sort_by(|a, b| a.name.cmp(&b.name));
    openings
}

/// The order in which each share of the dice was sealed, by the name of its opening.
fn shares_sealed_in(replay: &Replay) -> BTreeMap<String, String> {
    let mut next: BTreeMap<String, u64> = BTreeMap::new();
    let mut sealed = BTreeMap::new();
    for legal in super::entries(replay) {
        let Some(said) = legal.order().map(crate::log::Verified::order) else { continue };
        let dice = said.details().as_table().and_then(|action| action.get("dice"));
        if dice.is_none() {
            continue;
        }
        let seat = said.seat.to_string();
        let number = next.entry(seat.clone()).or_default();
        for signed in signed_orders(replay.header(), legal) {
            sealed.insert(format!("{seat}.nonce-{number}"), signed.name);
        }
        *number += 1;
    }
    sealed
}

/// The list of what was opened.
pub(super) fn openings_text(replay: &Replay) -> String {
    openings(replay).iter().fold(String::new(), |mut text, opening| {
        let _ = writeln!(text, "{}  {}  sealed in {}", opening.commitment, opening.name, opening.sealed_in);
        text
    })
}

/// A die that was rolled.
pub(super) struct Die {
    /// Its step and its number in it, like `001-01`.
    pub(super) name: String,
    /// The bytes whose digest is its key.
    pub(super) preimage: Vec<u8>,
    line: String,
}

/// The dice, as they were rolled.
pub(super) fn dice(replay: &Replay) -> Vec<Die> {
    let game = replay.header().id();
    let mut dice = Vec::new();
    for step in replay.steps() {
        for (place, rolled) in step.rolls.iter().enumerate() {
            let name = format!("{:03}-{:02}", step.number, place + 1);
            let line = format!(
                "{}  {name}  {} of {}  {}",
                to_hex(&rolled.key),
                rolled.value,
                rolled.roll.sides,
                rolled.roll.label
            );
            dice.push(Die { name, preimage: rolled.roll.preimage(&game), line });
        }
    }
    dice
}

/// The list of the dice.
pub(super) fn dice_text(replay: &Replay) -> String {
    dice(replay).iter().fold(String::new(), |text, die| text + &die.line + "\n")
}

/// The list of the steps: what each answers, its orders, and the head that they make.
pub(super) fn steps_text(replay: &Replay) -> String {
    let header = replay.header();
    let mut text = String::new();
    for step in replay.steps() {
        begin(&mut text, step.number, &step.after);
        for legal in &step.orders {
            orders(&mut text, header, legal);
        }
        let _ = writeln!(text, "  head   {}", step.head);
    }
    if !replay.open().is_empty() {
        begin(&mut text, replay.step(), &replay.head());
        for legal in replay.open() {
            orders(&mut text, header, legal);
        }
        text.push_str("  open\n");
    }
    text
}

fn begin(text: &mut String, number: u64, after: &Head) {
    let _ = writeln!(text, "step {number}\n  after  {after}");
}

fn orders(text: &mut String, header: &Header, legal: &Legal) {
    for signed in signed_orders(header, legal) {
        let _ = writeln!(text, "  order  {}  {}", signed.order.digest(), signed.name);
    }
}
