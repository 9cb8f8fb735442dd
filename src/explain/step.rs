//! One step that closed: what was awaited, what came, what it did and by which rules.

use std::collections::BTreeSet;

use serde_json::Value;

use super::checks;
use super::facts::{DieFacts, EventFacts, Opening, OrderFacts, ProofFacts, SealFacts, StepFacts};
use super::origin;
use crate::crypto::words_from_key;
use crate::document::{Node, canonical};
use crate::fault::{Checked, Code, Fault};
use crate::games::{Chart, Event, Game, Grounds, Legal, Phase, Rule, Slot, Standing, by_rules, passage};
use crate::ident::{OrderDigest, SeatIndex, to_hex};
use crate::log::{Header, Order};
use crate::turn::{Replay, Step};

/// A number of more digits than this is the beginning of a head.
const LONGEST_NUMBER: usize = 7;

/// Fewer digits of a head than this say too little.
const FEWEST_DIGITS: usize = 4;

/// The step that is meant: by its number, or by the first digits of the head that it made;
/// the last one, if nothing is said.
///
/// # Errors
/// `no-such-thing`, `unclear`: no step is meant, or several are.
pub fn find_step<'a>(replay: &'a Replay, word: Option<&str>) -> Checked<&'a Step> {
    let steps = replay.steps();
    let closed = match steps.len() {
        0 => "no step has closed yet".to_owned(),
        1 => "one step has closed: 0".to_owned(),
        count => format!("{count} steps have closed: 0 to {}", count - 1),
    };
    let none = |why: String| Fault::new(Code::NoSuchThing, format!("{why}; {closed}"));
    let Some(word) = word else {
        return steps.last().ok_or_else(|| {
            Fault::new(Code::NoSuchThing, closed.clone()).help(
                "see what is awaited with `sealed show`; `sealed explain --order FILE` looks at an order",
            )
        });
    };
    let digits: String = word.chars().filter(|c| *c != ' ').collect();
    if digits.len() <= LONGEST_NUMBER
        && let Ok(number) = digits.parse::<u64>()
    {
        let found = usize::try_from(number).ok().and_then(|number| steps.get(number));
        return found.ok_or_else(|| {
            none(format!("there is no closed step {number}")).help(if steps.is_empty() {
                "see what is awaited with `sealed show`"
            } else {
                "name one of those, or a head's first digits"
            })
        });
    }
    let is_hex = digits.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    if digits.len() < FEWEST_DIGITS || !is_hex {
        return Err(Fault::new(Code::Unclear, format!("{word:?} is neither the number of a step nor the beginning of a head"))
            .help("give the number of a closed step, or four or more of the lowercase hex digits that a head begins with"));
    }
    let found: Vec<&Step> = steps.iter().filter(|step| step.head.to_string().starts_with(&digits)).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] if replay.header().id().to_string().starts_with(&digits) => {
            Err(none(format!("{word} is the game id, the head before step 0"))
                .help("to see what was done there, name step 0"))
        }
        [] => Err(none(format!("no step of this game made a head that begins with {word}"))
            .help("`sealed preimage --list GAME` lists all heads; another copy of the game may have it")),
        several => {
            let numbers: Vec<String> = several.iter().map(|step| step.number.to_string()).collect();
            Err(Fault::new(
                Code::Unclear,
                format!("several heads begin with {word}: those of the steps {}", numbers.join(", ")),
            )
            .help("give more digits"))
        }
    }
}

/// Explains a step that closed. `path` is the game file's, for the commands that check it.
///
/// # Errors
/// `internal`: the replay was good before.
pub fn explain_step(replay: &Replay, step: &Step, path: &str) -> Checked<StepFacts> {
    let header = replay.header();
    let game = by_rules(header.rules())?;
    let missing = || Fault::new(Code::Internal, "a closed step is not there");
    let before = replay.until(step.number)?.ok_or_else(missing)?;
    let after = replay.until(step.number + 1)?.ok_or_else(missing)?;
    let (old, new) = (before.commitments(), after.commitments());
    let Grounds { charts, slots } = before.state().grounds(&step.events);
    let openings: Vec<Opening> =
        opened_between(&old, &new).filter_map(|slot| origin::opening(replay, slot, step.number)).collect();
    let earlier = earlier(replay, &slots, &old, step.number);
    let awaited_from =
        before.state().awaited().into_iter().map(|seat| header.seat(seat).to_string()).collect();
    let events: Vec<EventFacts> = step.events.iter().map(|event| event_facts(game, event)).collect();
    let nonces = origin::nonces(replay, &step.rolls, step.number);
    let dice: Vec<DieFacts> = step
        .rolls
        .iter()
        .map(|rolled| DieFacts {
            label: rolled.roll.label.clone(),
            sides: rolled.roll.sides,
            value: rolled.value,
            key: to_hex(&rolled.key),
            words: words_from_key(&rolled.key, rolled.roll.sides),
            preimage: String::from_utf8_lossy(&rolled.roll.preimage(&header.id())).into_owned(),
        })
        .collect();
    let rules = quoted(game, &events, step, !dice.is_empty());
    let checks = checks::of_step(header, step, &openings, &dice, path);
    Ok(StepFacts {
        game: header.name().to_owned(),
        title: game.title(),
        id: header.id().to_string(),
        step: step.number,
        after: step.after.to_string(),
        head: step.head.to_string(),
        phase: step.phase.as_str(),
        awaited: step.phase.awaits(),
        awaited_from,
        board: board(&before),
        fleets: fleets(&before),
        orders: step.orders.iter().filter_map(|legal| entry_facts(header, legal)).collect(),
        proofs: step.orders.iter().filter_map(|legal| proof_facts(header, legal)).collect(),
        events,
        charts,
        openings,
        earlier,
        seals: seals(replay, &old, &new),
        nonces,
        dice,
        rules,
        checks,
    })
}

/// The board of a position in play.
fn board(before: &Replay) -> Vec<String> {
    let state = before.state();
    if matches!(state.phase(), Phase::Seal | Phase::Deploy) {
        return Vec::new();
    }
    state.scene().lines(before.header())
}

/// What is known of the ships of a position, a table a seat.
fn fleets(before: &Replay) -> Vec<Chart> {
    let sheets = before.state().sheets(None).into_iter();
    sheets
        .map(|sheet| Chart {
            title: std::iter::once(before.header().seat(sheet.seat).to_string())
                .chain(sheet.remarks)
                .collect::<Vec<_>>()
                .join(", "),
            columns: sheet.columns,
            rows: sheet.rows,
            notes: Vec::new(),
        })
        .filter(|chart| !chart.rows.is_empty())
        .collect()
}

fn entry_facts(header: &Header, legal: &Legal) -> Option<OrderFacts> {
    let order = legal.order()?;
    let mut facts = order_facts(header, order.order(), order.digest());
    if let Standing::InPlaceOf(seat) = legal.standing() {
        facts.in_place_of = Some(header.seat(seat).to_string());
    }
    Some(facts)
}

fn proof_facts(header: &Header, legal: &Legal) -> Option<ProofFacts> {
    let proof = legal.entry().proof()?;
    let orders = proof.pair().iter().map(|order| order_facts(header, order.order(), order.digest()));
    Some(ProofFacts { seat: proof.seat().to_string(), orders: orders.collect() })
}

/// What an order says of itself, with the name and key that the header has for its seat.
pub(super) fn order_facts(header: &Header, said: &Order, digest: OrderDigest) -> OrderFacts {
    let (name, key) = match header.index(&said.seat).and_then(|seat| header.players().get(seat.place())) {
        Some(player) => (player.name.clone(), Some(player.key)),
        None => match header.arbiter().filter(|_| said.seat.is_arbiter()) {
            Some(arbiter) => (arbiter.name.clone(), Some(arbiter.key)),
            None => (String::new(), None),
        },
    };
    OrderFacts {
        seat: said.seat.to_string(),
        name,
        key: key.map(|key| key.to_string()).unwrap_or_default(),
        fingerprint: key.map(|key| key.fingerprint()).unwrap_or_default(),
        action: said.action.clone(),
        step: said.step,
        after: said.after.to_string(),
        digest: digest.to_string(),
        time: said.time.to_string(),
        time_told: said.time.for_people(),
        draw: said.draw,
        press: said.press.clone(),
        reason: said
            .details()
            .as_table()
            .and_then(|details| details.get("reason")?.as_text())
            .map(str::to_owned),
        in_place_of: None,
    }
}

fn event_facts(game: &dyn Game, event: &Event) -> EventFacts {
    let facts = serde_json::from_str(&canonical(&Node::from(event.facts.clone()))).unwrap_or(Value::Null);
    EventFacts { kind: event.kind, told: event.told.clone(), facts, rules: game.rules_of(event) }
}

/// The rules that were cited, each once, in the order in which they decided something.
fn quoted(game: &dyn Game, events: &[EventFacts], step: &Step, has_dice: bool) -> Vec<Rule> {
    let cited = events.iter().flat_map(|event| event.rules.iter().copied());
    let is_claim = |legal: &Legal| matches!(legal.standing(), Standing::Claim(_));
    let claim = step.orders.iter().any(is_claim).then_some("protocol 7, claim");
    let die = has_dice.then_some("protocol 10, die");
    let mut seen = BTreeSet::new();
    let all = cited.chain(claim).chain(die).filter(|number| seen.insert(*number));
    all.filter_map(|number| game.rulebook().rule(number).or_else(|| passage(number))).collect()
}

fn same_slot(one: &Slot, other: &Slot) -> bool {
    one.seat == other.seat && one.name == other.name
}

/// What is open in the second list and was not in the first.
fn opened_between<'a>(old: &'a [Slot], new: &'a [Slot]) -> impl Iterator<Item = &'a Slot> {
    new.iter().filter(|slot| {
        slot.opened.is_some() && !old.iter().any(|known| same_slot(known, slot) && known.opened.is_some())
    })
}

/// What the step rests on that was open before it.
fn earlier(replay: &Replay, slots: &[(SeatIndex, String)], old: &[Slot], step: u64) -> Vec<Opening> {
    slots
        .iter()
        .filter_map(|(seat, name)| old.iter().find(|slot| slot.seat == *seat && slot.name == *name))
        .filter_map(|slot| origin::opening(replay, slot, step))
        .collect()
}

/// The commitments that are new, and whether they have been opened in the game since.
fn seals(replay: &Replay, old: &[Slot], new: &[Slot]) -> Vec<SealFacts> {
    let now = replay.commitments();
    new.iter()
        .filter(|slot| !old.iter().any(|known| same_slot(known, slot)))
        .map(|slot| {
            let opened = now.iter().find(|known| same_slot(known, slot) && known.opened.is_some());
            let opened = opened.and_then(|slot| origin::opening(replay, slot, u64::MAX));
            SealFacts {
                seat: replay.header().seat(slot.seat).to_string(),
                slot: slot.name.clone(),
                commitment: slot.commitment.to_string(),
                opened_in: opened.and_then(|opening| opening.opened).map(|place| place.step),
            }
        })
        .collect()
}
