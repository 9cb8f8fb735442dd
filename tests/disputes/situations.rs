//! What cheats and accidents leave behind: the files of every situation that
//! `tests/cases/disputes.toml` has a verdict for.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use sealed_orders::document::{Table, Value};
use sealed_orders::log::{Entry, SignedEntry, SignedOrder, Verified};

use crate::File;
use crate::club::{Club, stranger, with};

const THREE: [&str; 3] = ["red", "blue", "green"];

type Situations = BTreeMap<&'static str, Vec<File>>;

/// A running game of three with a few quiet moves made; red is to move.
pub struct Running {
    pub club: Club,
    pub entries: Vec<Entry>,
}

impl Running {
    pub fn new() -> Self {
        let club = Club::new("shield-bashers/1", &THREE, 1);
        let mut entries = club.deployed();
        club.play(&mut entries, 3, 1);
        assert_eq!(club.awaited(&entries), ["red"]);
        Self { club, entries }
    }

    /// Two different moves of the seat that is awaited.
    pub fn two_moves(&self, entries: &[Entry]) -> (Verified, Verified) {
        let seat = self.club.awaited(entries).remove(0);
        (self.club.any_order(entries, &seat, 0), self.club.any_order(entries, &seat, 2))
    }

    /// The next awaited order after some entries.
    pub fn next(&self, entries: &[Entry]) -> Verified {
        let seat = self.club.awaited(entries).remove(0);
        self.club.any_order(entries, &seat, 1)
    }
}

/// Four seats; green and gold have resigned, red and blue have a ship each, and twelve turns
/// were quiet: the draw may be claimed.
pub fn standoff() -> (Club, Vec<Entry>) {
    static WAY: OnceLock<Vec<Entry>> = OnceLock::new();
    let club = Club::new("shield-bashers/1", &["red", "green", "blue", "gold"], 4);
    let way = WAY.get_or_init(|| {
        (0..400).find_map(|seed| crate::club::try_standoff(&club, seed)).expect("a standoff")
    });
    (club, way.clone())
}

/// Two seats; one has resigned, so both owe the audit.
pub fn audit() -> (Club, Vec<Entry>) {
    let club = Club::new("shield-bashers/1", &["red", "blue"], 6);
    let mut entries = club.deployed();
    club.play(&mut entries, 4, 0);
    let resigns = club.order(&entries, "red", "resign");
    entries.push(resigns.into());
    assert_eq!(club.awaited(&entries), ["red", "blue"]);
    (club, entries)
}

fn file(name: &str, text: impl Into<String>) -> File {
    (name.to_owned(), text.into())
}

/// A copy's text with something changed that must be there.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "nothing to change: {from}\n{text}");
    text.replacen(from, to, 1)
}

/// An order's action as a table, to be changed.
fn details_of(order: &Verified) -> Table {
    match &order.order().details().value {
        Value::Table(table) => table.clone(),
        _ => panic!("an action is a table"),
    }
}

/// The same order with its action changed, signed again by the same seat.
pub fn resigned(club: &Club, order: &Verified, change: impl FnOnce(&mut Table)) -> SignedOrder {
    let said = order.order();
    let mut details = details_of(order);
    change(&mut details);
    let seat = said.seat.as_str();
    club.forge(club.key(seat), seat, said.after, said.step, &said.action, details)
}

fn replace(table: &mut Table, key: &str, value: &str) {
    table.take(key).unwrap_or_else(|| panic!("no {key}"));
    table.push(key, value);
}

pub fn all() -> Situations {
    let mut all = Situations::new();
    for part in [peace(), forks(), claims(), arbiters(), forgeries(), openings(), proofs()] {
        for (name, files) in part {
            assert!(all.insert(name, files).is_none(), "{name} twice");
        }
    }
    all
}

fn peace() -> Situations {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, _) = running.two_moves(entries);
    let ahead = with(entries, &[&one]);
    let further = {
        let mut further = ahead.clone();
        club.play(&mut further, 2, 0);
        further
    };
    let text = club.file(entries);
    let swapped = {
        let mut swapped = entries.clone();
        swapped[..3].reverse();
        swapped[3..6].rotate_left(1);
        club.file_as_it_is(&swapped, entries)
    };
    let start = Club::new("shield-bashers/1", &THREE, 7);
    let (red, blue) = (start.seal(&[], "red", 1), start.seal(&[], "blue", 2));
    let far = running.next(&further);
    let other = Club::new("shield-bashers/1", &THREE, 8);
    let tresurion = Club::new("tresurion/1", &["red", "blue"], 9);
    let tresurion_entries = tresurion.deployed();
    BTreeMap::from([
        ("same-copies", vec![file("a", text.clone()), file("b", text.clone())]),
        ("same-of-three", vec![file("a", text.clone()), file("b", text.clone()), file("c", text.clone())]),
        ("same-one-file", vec![file("a", text.clone())]),
        ("same-orders-of-a-step-swapped", vec![file("a", text.clone()), file("b", swapped)]),
        ("same-order-again-by-itself", vec![file("a", club.file(&ahead)), file("order", one.to_toml())]),
        ("stale-backup", vec![file("a", club.file(&further)), file("b", text.clone())]),
        (
            "tail-dropped-position-left",
            vec![file("a", club.file(&further)), file("b", club.file_as_it_is(entries, &further))],
        ),
        ("order-not-applied-yet", vec![file("a", text.clone()), file("order", one.to_toml())]),
        (
            "each-has-an-order-of-the-open-step",
            vec![file("a", start.file(&with(&[], &[&red]))), file("b", start.file(&with(&[], &[&blue])))],
        ),
        (
            "three-copies-of-three-ages",
            vec![file("a", club.file(&further)), file("b", club.file(&ahead)), file("c", text.clone())],
        ),
        ("order-of-an-unknown-head", vec![file("a", text.clone()), file("order", far.to_toml())]),
        ("order-without-a-game", vec![file("order", one.to_toml())]),
        ("two-games", vec![file("a", text.clone()), file("b", other.file(&other.deployed()))]),
        (
            "two-games-of-two-rules",
            vec![file("a", text.clone()), file("b", tresurion.file(&tresurion_entries))],
        ),
        ("order-of-another-game", vec![file("a", text), file("order", other.seal(&[], "red", 1).to_toml())]),
    ])
}

#[allow(clippy::too_many_lines, reason = "one list of situations")]
fn forks() -> Situations {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let (on_one, on_other) = (with(entries, &[&one]), with(entries, &[&other]));
    let built_on_one = with(&on_one, &[&running.next(&on_one)]);
    let built_on_other = with(&on_other, &[&running.next(&on_other)]);
    let forfeit = club.forfeit(&on_other, "blue");
    let by_arbiter = with(&on_other, &[&forfeit]);
    let further = {
        let mut further = built_on_one.clone();
        club.play(&mut further, 6, 1);
        further
    };
    let blue_forks = {
        let (one, other) = running.two_moves(&on_one);
        let one = with(&on_one, &[&one]);
        (with(&one, &[&running.next(&one)]), with(&on_one, &[&other]))
    };
    let third = club.any_order(entries, "red", 4);
    let offering = {
        let said = one.order();
        let table = details_of(&one);
        let draft = sealed_orders::log::Draft {
            game: said.game,
            after: said.after,
            step: said.step,
            seat: said.seat.clone(),
            time: said.time,
            press: None,
            draw: true,
            action: said.action.clone(),
            details: table.into(),
        };
        draft.sign(club.key("red")).unwrap().verify(&club.header).unwrap()
    };
    let again_later = club.order_said(entries, "red", &words(&one), None, 30);
    let with_words = club.order_said(entries, "red", &words(&one), Some("Have at you."), 0);
    let start = Club::new("shield-bashers/1", &THREE, 7);
    let (first_fleet, second_fleet) = (start.seal(&[], "red", 1), start.seal(&[], "red", 5));
    let sealed = {
        let mut sealed = Vec::new();
        start.play(&mut sealed, 1, 0);
        sealed
    };
    let (deploys, resigns) = (start.respond(&sealed, "green"), start.order(&sealed, "green", "resign"));
    let duel = Club::new("tresurion/1", &["red", "blue"], 9);
    let duel_entries = duel.deployed();
    let first = duel.awaited(&duel_entries).remove(0);
    let (round, other_round) =
        (duel.any_order(&duel_entries, &first, 1), duel.any_order(&duel_entries, &first, 2));
    BTreeMap::from([
        ("fork-answered-by-nobody", vec![file("a", club.file(&on_one)), file("b", club.file(&on_other))]),
        (
            "fork-with-one-branch-answered",
            vec![file("a", club.file(&built_on_one)), file("b", club.file(&on_other))],
        ),
        (
            "fork-with-both-answered-by-the-same",
            vec![file("a", club.file(&built_on_one)), file("b", club.file(&built_on_other))],
        ),
        (
            "fork-with-both-answered-by-different-writers",
            vec![file("a", club.file(&built_on_one)), file("b", club.file(&by_arbiter))],
        ),
        (
            "fork-as-two-order-files",
            vec![file("a", club.file(entries)), file("one", one.to_toml()), file("other", other.to_toml())],
        ),
        ("rollback", vec![file("a", club.file(&further)), file("b", club.file(&on_other))]),
        (
            "restored-backup-without-journal",
            vec![file("a", club.file(&further)), file("order", other.to_toml())],
        ),
        (
            "fork-by-two-seats",
            vec![
                file("a", club.file(&blue_forks.0)),
                file("b", club.file(&blue_forks.1)),
                file("c", club.file(&on_other)),
            ],
        ),
        (
            "three-orders-for-one-step",
            vec![
                file("a", club.file(&on_one)),
                file("b", club.file(&on_other)),
                file("order", third.to_toml()),
            ],
        ),
        (
            "same-move-with-and-without-a-draw",
            vec![file("a", club.file(&on_one)), file("order", offering.to_toml())],
        ),
        (
            "second-machine-same-move",
            vec![file("a", club.file(&on_one)), file("order", again_later.to_toml())],
        ),
        (
            "same-move-with-other-words",
            vec![file("a", club.file(&built_on_one)), file("b", club.file(&with(entries, &[&with_words])))],
        ),
        (
            "two-fleets-sealed",
            vec![file("a", start.file(&with(&[], &[&first_fleet]))), file("order", second_fleet.to_toml())],
        ),
        (
            "deployed-and-resigned",
            vec![
                file("a", start.file(&with(&sealed, &[&deploys]))),
                file("b", start.file(&with(&sealed, &[&resigns]))),
            ],
        ),
        (
            "two-rounds-of-tresurion",
            vec![
                file("a", duel.file(&with(&duel_entries, &[&round]))),
                file("b", duel.file(&with(&duel_entries, &[&other_round]))),
            ],
        ),
    ])
}

/// The words of a move that was signed.
fn words(order: &Verified) -> String {
    let details = order.order().details();
    let text = |key: &str| details.nearest(key).as_text().unwrap_or_else(|| panic!("no {key}")).to_owned();
    format!("{} {} {}", order.order().action, text("ship"), text("to"))
}

fn claims() -> Situations {
    let (club, entries) = standoff();
    let mover = club.awaited(&entries).remove(0);
    let (green, gold) =
        (club.order(&entries, "green", "claim-draw"), club.order(&entries, "gold", "claim-draw"));
    let battle = club.order(&entries, &mover, "final-battle");
    let quiet = club.any_order(&entries, &mover, 0);
    let claimed = with(&entries, &[&green]);
    let answer = club.order(&claimed, &mover, "accept-draw");
    let answered = with(&claimed, &[&answer]);
    let forfeited = with(&claimed, &[&club.forfeit(&claimed, &mover)]);
    BTreeMap::from([
        (
            "late-claim-against-a-final-battle",
            vec![file("a", club.file(&with(&entries, &[&battle]))), file("b", club.file(&claimed))],
        ),
        (
            "late-claim-against-a-quiet-move",
            vec![file("a", club.file(&with(&entries, &[&quiet]))), file("order", green.to_toml())],
        ),
        ("two-claims-at-one-head", vec![file("a", club.file(&claimed)), file("order", gold.to_toml())]),
        ("claim-answered-already", vec![file("a", club.file(&answered)), file("order", gold.to_toml())]),
        (
            "claim-answered-and-moved-too",
            vec![file("a", club.file(&answered)), file("order", battle.to_toml())],
        ),
        (
            "claim-with-the-arbiter-behind-it",
            vec![file("a", club.file(&forfeited)), file("order", battle.to_toml())],
        ),
    ])
}

fn arbiters() -> Situations {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, _) = running.two_moves(entries);
    let moved = with(entries, &[&one]);
    let built = {
        let mut built = moved.clone();
        club.play(&mut built, 3, 0);
        built
    };
    let forfeit = club.forfeit(entries, "red");
    let forfeited = with(entries, &[&forfeit]);
    let other_reason = club.arbiter(entries, "forfeit", &[("seat", "red"), ("reason", "Another reason.")]);
    let on_void = running.two_moves(&moved);
    let void = club.arbiter(entries, "ruling", &[("result", "void"), ("reason", "A quarrel.")]);
    let draw = club.arbiter(entries, "ruling", &[("result", "draw"), ("reason", "A quarrel.")]);
    let ruled = with(entries, &[&void]);
    let later = {
        let mut later = moved.clone();
        later.push(club.forfeit(&moved, "blue").into());
        later
    };
    let forged = {
        let mut facts = Table::default();
        facts.push("seat", "red");
        facts.push("reason", "The time has passed.");
        let at = club.replay(entries);
        club.forge(club.key("blue"), "arbiter", at.head(), at.step(), "forfeit", facts)
    };
    let (duel, owed) = audit();
    let early = duel.forfeit(&owed[..4], &duel.awaited(&owed[..4])[0]);
    let audited = duel.respond(&owed, "blue");
    let struck = duel.forfeit(&owed, "blue");
    let ended = with(&owed, &[&audited, &duel.respond(&owed, "red")]);
    let late_ruling = {
        let mut facts = Table::default();
        facts.push("result", "void");
        facts.push("reason", "Too late.");
        let at = duel.replay(&ended);
        duel.forge(duel.key("arbiter"), "arbiter", at.head(), at.step(), "ruling", facts)
    };
    BTreeMap::from([
        ("forfeit-against-a-late-move", vec![file("a", club.file(&forfeited)), file("order", one.to_toml())]),
        (
            "forfeit-against-a-move-with-others-on-it",
            vec![file("a", club.file(&built)), file("b", club.file(&forfeited))],
        ),
        (
            "two-orders-on-a-branch-that-is-void",
            vec![
                file("a", club.file(&forfeited)),
                file("b", club.file(&with(&moved, &[&on_void.0]))),
                file("order", on_void.1.to_toml()),
            ],
        ),
        ("ruling-against-a-late-move", vec![file("a", club.file(&ruled)), file("b", club.file(&moved))]),
        ("ruling-against-a-forfeit", vec![file("a", club.file(&forfeited)), file("order", void.to_toml())]),
        (
            "two-forfeits-of-one-seat",
            vec![
                file("a", club.file(entries)),
                file("one", forfeit.to_toml()),
                file("other", other_reason.to_toml()),
            ],
        ),
        (
            "two-rulings",
            vec![file("a", club.file(entries)), file("one", void.to_toml()), file("other", draw.to_toml())],
        ),
        ("forged-arbiter", vec![file("a", club.file(entries)), file("order", forged.to_toml())]),
        (
            "forged-arbiter-in-a-copy",
            vec![
                file("a", club.file(entries)),
                file("b", format!("{}\n[[order]]\n{}", club.file(entries), in_a_copy(&forged))),
            ],
        ),
        ("old-forfeit-again", vec![file("a", club.file(&later)), file("order", forfeit.to_toml())]),
        (
            "forfeit-that-stands-again",
            vec![file("a", club.file(&forfeited)), file("order", forfeit.to_toml())],
        ),
        (
            "forfeit-against-an-audit",
            vec![file("a", duel.file(&with(&owed, &[&audited]))), file("order", struck.to_toml())],
        ),
        ("old-forfeit-after-the-end", vec![file("a", duel.file(&ended)), file("order", early.to_toml())]),
        ("ruling-after-the-end", vec![file("a", duel.file(&ended)), file("order", late_ruling.to_toml())]),
    ])
}

/// An order as it stands in a copy of the game.
fn in_a_copy(order: &SignedOrder) -> String {
    sealed_orders::document::toml_text(order.written().as_table().unwrap(), "order")
}

/// The last entry of a copy in its text, from its heading on.
fn last_entry(text: &str) -> &str {
    &text[text.rfind("[[order]]").unwrap()..]
}

fn forgeries() -> Situations {
    let running = Running::new();
    let Running { club, entries } = &running;
    let text = club.file(entries);
    let spoken = club.order_said(entries, "red", &club.choices(entries, "red")[0], Some("Have at you."), 0);
    let spoken_text = club.file(&with(entries, &[&spoken]));
    let other = Club::new("shield-bashers/1", &THREE, 8);
    let foreign = {
        let mut foreign = other.deployed();
        other.play(&mut foreign, 4, 0);
        other.file(&foreign)
    };
    let transplanted = {
        let entry =
            changed(last_entry(&foreign), &other.header.id().to_string(), &club.header.id().to_string());
        format!("{text}\n{entry}")
    };
    let relabelled = {
        let replay = club.replay(entries);
        let old = replay.steps().last().unwrap();
        let entry = changed(last_entry(&text), &old.after.to_string(), &replay.head().to_string());
        format!(
            "{text}\n{}",
            changed(&entry, &format!("step = {}", old.number), &format!("step = {}", replay.step()))
        )
    };
    let without_middle = {
        let mut without = entries.clone();
        without.remove(6);
        club.file_as_it_is(&without, entries)
    };
    let at = club.replay(entries);
    let mut elsewhere = Table::default();
    elsewhere.push("ship", "frigate");
    elsewhere.push("to", "h8");
    let illegal = club.forge(club.key("red"), "red", at.head(), at.step(), "move", elsewhere);
    let resign = |key, seat: &str, step| club.forge(key, seat, at.head(), step, "resign", Table::default());
    let stranger = stranger();
    let two = |text: String| vec![file("a", club.file(entries)), file("b", text)];
    let loose = |order: &SignedOrder| vec![file("a", club.file(entries)), file("order", order.to_toml())];
    BTreeMap::from([
        ("entry-of-another-game-transplanted", two(transplanted)),
        ("old-entry-moved-to-the-end", two(relabelled)),
        ("old-entry-copied-to-the-end", two(format!("{text}\n{}", last_entry(&text)))),
        ("entry-in-the-middle-dropped", two(without_middle)),
        (
            "position-of-another-head",
            two(changed(
                &text,
                &format!("head = \"{}\"", at.head()),
                &format!("head = \"{}\"", "0".repeat(64)),
            )),
        ),
        ("position-with-another-board", two(changed(&text, "quiet_turns = 3", "quiet_turns = 11"))),
        (
            "press-changed",
            vec![
                file("a", spoken_text.clone()),
                file("b", changed(&spoken_text, "Have at you.", "I resign.")),
            ],
        ),
        (
            "time-changed",
            vec![
                file("a", spoken_text.clone()),
                file("b", {
                    let at = spoken_text.rfind("time = ").unwrap();
                    let (before, after) = spoken_text.split_at(at);
                    format!("{before}{}", changed(after, "2026", "2025"))
                }),
            ],
        ),
        ("header-changed", two(changed(&text, "name = \"Club game\"", "name = \"Club Game\""))),
        ("illegal-move", loose(&illegal)),
        ("order-out-of-turn", loose(&resign(club.key("blue"), "blue", at.step()))),
        ("order-with-another-step", loose(&resign(club.key("red"), "red", at.step() + 1))),
        ("signed-by-another-seat", loose(&resign(club.key("blue"), "red", at.step()))),
        ("signed-by-a-stranger", loose(&resign(&stranger, "red", at.step()))),
        ("text-cut-in-the-middle", two(text[..text.len() - 200].to_owned())),
        ("prose", two("Dear all, I attack the frigate. Yours, Anna\n".to_owned())),
    ])
}

fn openings() -> Situations {
    let start = Club::new("shield-bashers/1", &THREE, 7);
    let mut sealed = Vec::new();
    start.play(&mut sealed, 1, 0);
    let deploys = start.respond(&sealed, "red");
    let other_salt = resigned(&start, &deploys, |table| replace(table, "salt", &"7".repeat(64)));
    let duel = Club::new("tresurion/1", &["red", "blue"], 9);
    let entries = duel.deployed();
    let first = duel.awaited(&entries).remove(0);
    let round = duel.any_order(&entries, &first, 1);
    let other_nonce = resigned(&duel, &round, |table| {
        let Value::Table(mut dice) = table.take("dice").unwrap().node.value else {
            panic!("dice is a table")
        };
        replace(&mut dice, "nonce", &"5".repeat(64));
        table.push("dice", dice);
    });
    let (audited, owed) = audit();
    let audit = audited.respond(&owed, "red");
    let other_colour = resigned(&audited, &audit, |table| {
        let Some(Value::List(mut shields)) = table.take("shields").map(|entry| entry.node.value) else {
            panic!("an audit has shields")
        };
        if let Some(Value::Table(first)) = shields.first_mut().map(|node| &mut node.value) {
            let colour = match first.get("colour").and_then(|node| node.as_text()) {
                Some("white") => "black",
                _ => "white",
            };
            replace(first, "colour", colour);
        }
        table.push("shields", shields);
    });
    let in_copy = |club: &Club, entries: &[Entry], order: &SignedOrder| {
        format!("{}\n[[order]]\n{}", club.file(entries), in_a_copy(order))
    };
    let (whites, caught) = crate::club::two_whites();
    BTreeMap::from([
        ("wrong-salt", vec![file("a", start.file(&sealed)), file("order", other_salt.to_toml())]),
        (
            "wrong-salt-in-a-copy",
            vec![file("a", start.file(&sealed)), file("b", in_copy(&start, &sealed, &other_salt))],
        ),
        (
            "wrong-share-of-the-dice",
            vec![file("a", duel.file(&entries)), file("order", other_nonce.to_toml())],
        ),
        (
            "wrong-colour-in-the-audit",
            vec![file("a", audited.file(&owed)), file("order", other_colour.to_toml())],
        ),
        ("two-whites-sealed", vec![file("a", whites.file(&caught)), file("b", whites.file(&caught))]),
    ])
}

fn proofs() -> Situations {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let proof = sealed_orders::log::Proven::new(one.clone(), other.clone(), None).unwrap();
    let file_of_proof = sealed_orders::log::write_proof_file(&club.header, &proof, entries.iter());
    let on_one = with(entries, &[&one]);
    let proven: Vec<Entry> = entries.iter().cloned().chain([Entry::from(proof)]).collect();
    let proven_text = club.file(&proven);
    assert!(SignedEntry::of_node(sealed_orders::document::parse(&file_of_proof).unwrap()).is_err());
    BTreeMap::from([
        ("proof-entered-by-one", vec![file("a", proven_text.clone()), file("b", club.file(&on_one))]),
        ("proof-entered-by-all", vec![file("a", proven_text.clone()), file("b", proven_text)]),
        ("proof-file-and-a-copy", vec![file("a", club.file(&on_one)), file("proof", file_of_proof.clone())]),
        ("proof-file-alone", vec![file("proof", file_of_proof)]),
    ])
}
