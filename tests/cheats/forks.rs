//! Cheats by two orders that are legal both, and contradict each other.

use std::collections::BTreeSet;

use sealed_orders::games::Phase;
use sealed_orders::log::{Entry, GameFile, Verified};
use sealed_orders::turn::dispute::Kind;
use sealed_orders::turn::{Replay, Verdict};

use super::orders::{change, other_hex};
use super::world::{Copy, Place, World, accused, settle};

/// Tries a cheat beside the game that goes on; whether it could be tried now.
pub type Make = fn(&mut World<'_>) -> bool;

pub const ALL: &[(&str, Make)] = &[
    ("two-orders", two_orders),
    ("two-orders-one-answered", two_orders_one_answered),
    ("move-taken-back-late", move_taken_back_late),
    ("resignation-taken-back", resignation_taken_back),
    ("draw-offered-and-not", draw_offered_and_not),
    ("two-shares-of-the-dice", two_shares_of_the_dice),
    ("same-decision-other-words", same_decision_other_words),
    ("late-order-against-a-forfeit", late_order_against_a_forfeit),
];

fn verified(world: &World<'_>, place: &Place, order: &Verified) -> Verified {
    let said = order.order();
    world.signed(place, &said.action, said.details().clone()).verify(&world.club.header).unwrap()
}

/// Two different decisions for the open step; nothing where there is only one.
fn two_decisions(world: &mut World<'_>) -> Option<(Verified, Verified)> {
    let one = world.good()?;
    for _ in 0..8 {
        let other = world.good()?;
        if !other.same_decision(&one) {
            return Some((one, other));
        }
    }
    None
}

/// The others' orders for the open step.
fn of_others(world: &mut World<'_>, copy: &Copy) -> Vec<Entry> {
    let mut orders = Vec::new();
    for seat in copy.awaited(&world.club) {
        if seat != world.cheater {
            orders.push(world.honest(copy, &seat).into());
        }
    }
    orders
}

/// What everybody knows now is judged: the cheater alone is accused, and the proof puts the
/// cheater out, at once or when the cheater is awaited next.
fn convict(world: &mut World<'_>, name: &str, mut copy: Copy, beside: &[Verified]) -> Copy {
    let texts: Vec<String> = beside.iter().map(Verified::to_toml).collect();
    let written = copy.written();
    let mut files = vec![("honest.toml", written.as_str())];
    files.extend(texts.iter().map(|text| ("order.toml", text.as_str())));
    let found = settle(&files);
    let expected = world.expected(name);
    assert_eq!(found.verdict().as_str(), expected.verdict, "{name}: {found:#?}");
    assert_eq!(accused(&found), BTreeSet::from([world.cheater.clone()]), "{name}");
    let proof = found.findings.iter().find(|finding| finding.kind == Kind::TwoOrders);
    let proof = proof.and_then(|finding| finding.proof.clone()).expect("a proof");
    // Everything known comes again until the proof stands.
    let mut known: Vec<Entry> = beside.iter().cloned().map(Entry::from).collect();
    known.push(proof.into());
    let cheater = world.cheater.clone();
    world.found_out = true;
    for _ in 0..40 {
        world.dice.shuffle(&mut known);
        copy.take(&world.club, &known);
        if copy.has_lost(&world.club, &cheater) {
            break;
        }
        // The proof waits: the honest play on, and the cheater plays on as well.
        let mut mail = of_others(world, &copy);
        if copy.awaited(&world.club).contains(&cheater) {
            mail.push(world.honest(&copy, &cheater).into());
        }
        if mail.is_empty() {
            break;
        }
        known.append(&mut mail);
    }
    world.found_out = false;
    assert!(copy.has_lost(&world.club, &cheater), "{name}: the cheater goes on\n{}", copy.written());
    // An honest verifier who sees only the file agrees, to the byte.
    let text = copy.written();
    let replay =
        Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
    assert_eq!(replay.head(), copy.replay.head());
    for seat in world.seats.iter().filter(|seat| **seat != cheater) {
        let against = replay.entries().filter_map(Entry::proof).any(|proof| proof.seat().as_str() == seat);
        assert!(!against, "{name}: {seat} is blamed");
    }
    copy
}

/// Nobody honest loses what was built on an order that stood.
fn still_stands(name: &str, copy: &Copy, order: &Verified) {
    let stands = copy.replay.orders().any(|other| other.digest() == order.digest());
    assert!(stands, "{name}: what others built on does not stand any more");
}

/// Both come at once: neither stands.
fn both_at_once(world: &mut World<'_>, name: &str, one: &Verified, other: &Verified) {
    let mut copy = Copy::of(&world.club, &world.copy.entries);
    let mut both = [Entry::from(one.clone()), Entry::from(other.clone())];
    world.dice.shuffle(&mut both);
    let before = copy.replay.head();
    let code = world.expected(name).code;
    for verdict in copy.take(&world.club, &both) {
        let Verdict::Refused(fault) = verdict else { panic!("{name}: {verdict:?}") };
        assert_eq!(fault.code.as_str(), code, "{name}");
    }
    assert_eq!(copy.replay.head(), before);
    convict(world, name, copy, &[one.clone(), other.clone()]);
}

fn two_orders(world: &mut World<'_>) -> bool {
    let Some((one, other)) = two_decisions(world) else { return false };
    both_at_once(world, "two-orders", &one, &other);
    true
}

fn resignation_taken_back(world: &mut World<'_>) -> bool {
    let Some(one) = world.good() else { return false };
    if one.order().action == "resign" || world.phase() == Phase::Audit {
        return false;
    }
    let resign = world.signed(&world.here(), "resign", sealed_orders::document::Table::default().into());
    let resign = resign.verify(&world.club.header).unwrap();
    both_at_once(world, "resignation-taken-back", &one, &resign);
    true
}

fn draw_offered_and_not(world: &mut World<'_>) -> bool {
    let Some(one) = world.good() else { return false };
    if !matches!(one.order().action.as_str(), "move" | "defend" | "round") {
        return false;
    }
    let other = verified(world, &Place { draw: true, ..world.here() }, &one);
    both_at_once(world, "draw-offered-and-not", &one, &other);
    true
}

/// The same order with another share of the dice for the next time.
fn two_shares_of_the_dice(world: &mut World<'_>) -> bool {
    let Some(one) = world.good() else { return false };
    let mut details = one.order().details().clone();
    if !change(&mut details, "next", other_hex) {
        return false;
    }
    let other = world.signed(&world.here(), &one.order().action, details).verify(&world.club.header).unwrap();
    both_at_once(world, "two-shares-of-the-dice", &one, &other);
    true
}

/// The others go on from the first, and then the second comes.
fn two_orders_one_answered(world: &mut World<'_>) -> bool {
    let Some((one, other)) = two_decisions(world) else { return false };
    let name = "two-orders-one-answered";
    let mut copy = Copy::of(&world.club, &world.copy.entries);
    let mut first = of_others(world, &copy);
    first.push(one.clone().into());
    copy.take(&world.club, &first);
    let answers = of_others(world, &copy);
    if answers.is_empty() {
        return false;
    }
    copy.take(&world.club, &answers);
    let before = copy.written();
    let verdicts = copy.take(&world.club, &[other.clone().into()]);
    let [Verdict::Refused(fault)] = &verdicts[..] else { panic!("{name}: {verdicts:?}") };
    assert_eq!(fault.code.as_str(), world.expected(name).code, "{name}");
    assert_eq!(copy.written(), before, "{name}: what was answered stands");
    let copy = convict(world, name, copy, &[other]);
    still_stands(name, &copy, &one);
    true
}

/// Another decision for a step that has long closed, as if it had been made then.
fn move_taken_back_late(world: &mut World<'_>) -> bool {
    let name = "move-taken-back-late";
    let cheater = world.cheater.clone();
    let steps = world.copy.replay.steps();
    // Only while the cheater is in: there is nothing to be gained afterwards.
    if world.is_over() || world.copy.has_lost(&world.club, &cheater) {
        return false;
    }
    let decided: Vec<u64> = steps
        .iter()
        .filter(|step| matches!(step.phase, Phase::Move | Phase::Round))
        .filter(|step| {
            step.orders
                .iter()
                .filter_map(|legal| legal.order())
                .any(|order| order.order().seat.as_str() == cheater)
        })
        .map(|step| step.number)
        .collect();
    if decided.is_empty() {
        return false;
    }
    let number = *world.dice.pick(&decided);
    let old = world.copy.replay.orders().find(|order| order.order().step == number).cloned().unwrap();
    let earlier = world.copy.replay.until(number).unwrap().unwrap();
    let earlier = Copy { entries: earlier.entries().cloned().collect(), replay: earlier };
    let other = world.honest(&earlier, &cheater);
    if other.same_decision(&old) {
        return false;
    }
    let mut copy = Copy::of(&world.club, &world.copy.entries);
    let built = copy
        .replay
        .orders()
        .any(|order| order.order().step > number && order.order().seat.as_str() != cheater);
    if !built {
        return false;
    }
    let before = copy.written();
    let verdicts = copy.take(&world.club, &[other.clone().into()]);
    let [Verdict::Refused(fault)] = &verdicts[..] else { panic!("{name}: {verdicts:?}") };
    assert_eq!(fault.code.as_str(), world.expected(name).code, "{name}");
    assert_eq!(copy.written(), before, "{name}: the history stays as it was");
    let copy = convict(world, name, copy, &[other]);
    still_stands(name, &copy, &old);
    true
}

/// No cheat at all: nobody is accused, and either way the game is the same but for the words.
fn same_decision_other_words(world: &mut World<'_>) -> bool {
    let Some(one) = world.good() else { return false };
    let place = Place { press: Some("Have at you.".to_owned()), ..world.here() };
    let other = verified(world, &place, &one);
    let name = "same-decision-other-words";
    let mut copy = Copy::of(&world.club, &world.copy.entries);
    copy.take(&world.club, &[one.clone().into()]);
    let written = copy.written();
    let verdicts = copy.take(&world.club, &[other.clone().into()]);
    assert!(matches!(&verdicts[..], [Verdict::Accepted | Verdict::Known]), "{name}: {verdicts:?}");
    let found = settle(&[("honest.toml", &written), ("cheat.toml", &other.to_toml())]);
    assert_eq!(found.verdict().as_str(), world.expected(name).verdict, "{name}: {found:#?}");
    assert_eq!(accused(&found), BTreeSet::new(), "{name}");
    true
}

/// The arbiter forfeits the cheater, who then sends an order dated before that.
fn late_order_against_a_forfeit(world: &mut World<'_>) -> bool {
    let name = "late-order-against-a-forfeit";
    let Some(late) = world.good() else { return false };
    if world.phase() == Phase::Audit {
        return false;
    }
    let cheater = world.cheater.clone();
    let mut copy = Copy::of(&world.club, &world.copy.entries);
    let forfeit = world.club.forfeit(&world.copy.entries, &cheater);
    let mut mail = of_others(world, &copy);
    mail.push(forfeit.into());
    copy.take(&world.club, &mail);
    let before = copy.written();
    let verdicts = copy.take(&world.club, &[late.clone().into()]);
    let [Verdict::Refused(fault)] = &verdicts[..] else { panic!("{name}: {verdicts:?}") };
    assert_eq!(fault.code.as_str(), world.expected(name).code, "{name}");
    assert_eq!(copy.written(), before);
    assert!(copy.has_lost(&world.club, &cheater), "{name}: the cheater goes on");
    let found = settle(&[("honest.toml", &before), ("late.toml", &late.to_toml())]);
    assert_eq!(found.verdict().as_str(), world.expected(name).verdict, "{name}: {found:#?}");
    assert_eq!(accused(&found), BTreeSet::new(), "{name}");
    true
}
