//! The rules of Shield Bashers as cases that a rule expert can read, run against the engine.
//!
//! - `tests/cases/shield-bashers/*.toml`: one case a file (how to read them: the README there).
//!   What is expected comes from `docs/rules/shield-bashers.md`, never from the engine.
//! - `tests/cases/refusals.toml`: the exact sentences of all refusals: a snapshot. With
//!   `WRITE_REFUSALS=1` in the environment the file is written anew; review the difference.
//! - The tables of combats are read from the rules document itself.
//! - Which of several entries at one head stands is tested here in Rust, on a whole game.

#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::indexing_slicing, clippy::panic)]

mod refusals;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sealed_orders::crypto::{self, Identity, Promise, Tag};
use sealed_orders::document::{self, Node, Table};
use sealed_orders::fault::Fault;
use sealed_orders::games::shield_bashers::{
    Board, BoardKind, ByClass, Class, Colour, Course, Layer, Need, Opening, Position, SealedShield, Shield,
    ShieldBashers, ShieldSlot, Ship, Side, study,
};
use sealed_orders::games::{Ending, Game, Keyholder, Legal, Outcome, Phase, Script, State};
use sealed_orders::ident::{Fresh, GameNonce, Head, Nonce, Salt, Seat, SeatIndex, Time};
use sealed_orders::log::{
    Card, Draft, Entry, GameFile, Header, Player, Verified, close_step, write_game_file,
};
use sealed_orders::turn::{Adjudication, Gathered, Replay, Verdict, adjudicate, gather, position};
use serde::Deserialize;
use zeroize::Zeroizing;

// ---------------------------------------------------------------------------------------
// What a case file holds.

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    rule: String,
    title: String,
    before: Before,
    #[serde(default)]
    order: Vec<Row>,
    after: Option<After>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    /// The whole game from the header on; else a position in play.
    #[serde(default)]
    whole: bool,
    board: String,
    seats: Vec<String>,
    first: Option<String>,
    mover: Option<String>,
    #[serde(default)]
    quiet_turns: u64,
    #[serde(default)]
    out: Vec<String>,
    #[serde(default)]
    caught: Vec<String>,
    /// Seats that left before they deployed.
    #[serde(default)]
    never_deployed: Vec<String>,
    #[serde(default)]
    ships: Vec<String>,
    memory_aid: Option<bool>,
    days_per_step: Option<u64>,
    /// The header itself is refused.
    refusal: Option<String>,
    rule: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    seat: String,
    words: String,
    #[serde(default)]
    opens: Vec<String>,
    #[serde(default)]
    draw: bool,
    /// What differs in a `deploy` from what was sealed: `fleet`, `salt` or `nonce`.
    changed: Option<String>,
    /// Refused with this code; else the order is accepted.
    refusal: Option<String>,
    /// The rule that the refusal names.
    rule: Option<String>,
    /// The phase and who is awaited after this order, like `defend blue`.
    then: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    phase: String,
    awaits: Vec<String>,
    quiet_turns: Option<u64>,
    #[serde(default)]
    out: Vec<String>,
    #[serde(default)]
    caught: Vec<String>,
    /// All ships on the board.
    ships: Option<Vec<String>>,
    result: Option<String>,
    /// Who offers a draw.
    #[serde(default)]
    offers: Vec<String>,
    /// Sentences, or parts of them, that were told.
    #[serde(default)]
    told: Vec<String>,
    #[serde(default)]
    not_told: Vec<String>,
    /// Rows of the lists that everybody may see.
    #[serde(default)]
    shown: Vec<String>,
}

// ---------------------------------------------------------------------------------------
// Building a game from a case.

/// A ship with its true colours.
#[derive(Clone, Debug)]
struct TrueShip {
    /// Empty: not on the board.
    square: String,
    primary: Colour,
    secondary: Colour,
    tertiary: Colour,
    open: bool,
    lost: bool,
    owed: bool,
}

type TrueFleet = BTreeMap<&'static str, TrueShip>;

fn colour(word: &str) -> Colour {
    Colour::ALL
        .into_iter()
        .find(|colour| colour.as_str() == word)
        .unwrap_or_else(|| panic!("colour {word:?}"))
}

fn class(word: &str) -> Class {
    Class::from_word(word).unwrap_or_else(|| panic!("ship {word:?}"))
}

fn board_kind(word: &str) -> BoardKind {
    BoardKind::ALL.into_iter().find(|kind| kind.as_str() == word).unwrap_or_else(|| panic!("board {word:?}"))
}

/// Bytes that stand for randomness: the same in every run.
fn bytes(what: &str) -> [u8; 32] {
    crypto::hash(what.as_bytes())
}

fn identity(seat: &str) -> Identity {
    Identity::from_seed(&Zeroizing::new(bytes(&format!("identity {seat}"))))
}

fn salt(seat: &str, class: Class, layer: Layer) -> Salt {
    Salt::new(bytes(&format!("salt {seat} {class} {}", layer.as_str())))
}

/// Reads the rows of ships. A ship that has no row was destroyed earlier: it gets the
/// colours that are left, all of them open.
fn true_fleets(seats: &[String], rows: &[String]) -> BTreeMap<String, TrueFleet> {
    let mut fleets: BTreeMap<String, TrueFleet> =
        seats.iter().map(|seat| (seat.clone(), TrueFleet::new())).collect();
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [seat, ship, square, colours, marks @ ..] = words.as_slice() else { panic!("ship {row:?}") };
        let colours: Vec<Colour> = colours.split('/').map(colour).collect();
        let [primary, secondary, tertiary] = colours[..] else { panic!("three colours in {row:?}") };
        for mark in marks {
            assert!(["open", "lost", "owed"].contains(mark), "{mark:?} in {row:?}");
        }
        let ship = fleets.get_mut(*seat).unwrap_or_else(|| panic!("seat in {row:?}")).insert(
            class(ship).as_str(),
            TrueShip {
                square: if *square == "gone" { String::new() } else { (*square).to_owned() },
                primary,
                secondary,
                tertiary,
                open: marks.contains(&"open"),
                lost: marks.contains(&"lost") || marks.contains(&"owed"),
                owed: marks.contains(&"owed"),
            },
        );
        assert!(ship.is_none(), "two rows for one ship: {row:?}");
    }
    for fleet in fleets.values_mut() {
        for class in Class::ALL {
            let left = |of: fn(&TrueShip) -> Colour| {
                let is_free = |colour: &Colour| !fleet.values().any(|ship| of(ship) == *colour);
                Colour::ALL.into_iter().find(is_free).unwrap_or(Colour::White)
            };
            let ship = TrueShip {
                square: String::new(),
                primary: left(|ship| ship.primary),
                secondary: left(|ship| ship.secondary),
                tertiary: left(|ship| ship.tertiary),
                open: true,
                lost: true,
                owed: false,
            };
            fleet.entry(class.as_str()).or_insert(ship);
        }
    }
    fleets
}

fn header(before: &Before) -> Result<Arc<Header>, Fault> {
    let mut options = Table::default();
    options.push("board", before.board.as_str());
    let first = if before.whole { None } else { before.mover.as_deref() };
    options.push("first", before.first.as_deref().or(first).unwrap_or("roll"));
    options.push("memory_aid", before.memory_aid.unwrap_or(true));
    options.push("days_per_step", before.days_per_step.unwrap_or(7));
    let players = before.seats.iter().map(|seat| Player {
        seat: seat.parse().unwrap(),
        name: seat.to_uppercase(),
        mail: format!("{seat}@example.org"),
        key: identity(seat).public(),
    });
    let arbiter = Card {
        name: "Arbiter".to_owned(),
        mail: "arbiter@example.org".to_owned(),
        key: identity("arbiter").public(),
    };
    let created: Time = "2026-11-30T05:48:16Z".parse().unwrap();
    let nonce = GameNonce::new(bytes("nonce of the game"));
    let header =
        Header::new("shield-bashers/1", "A case", created, nonce, options, players.collect(), Some(arbiter))?;
    Ok(Arc::new(header))
}

fn seat_index(header: &Header, seat: &str) -> SeatIndex {
    header.index(&seat.parse().unwrap()).unwrap_or_else(|| panic!("{seat} is no seat"))
}

/// The engine's position for a case that begins in play.
fn set_up(header: &Arc<Header>, before: &Before, fleets: &BTreeMap<String, TrueFleet>) -> Position {
    let board = Arc::new(Board::new(board_kind(&before.board)));
    let indices = |seats: &[String]| seats.iter().map(|seat| seat_index(header, seat)).collect::<Vec<_>>();
    let game = header.id();
    let sides = header.by_seat(|index| {
        let seat = header.seat(index);
        let fleet = ByClass::try_from_fn(|class| {
            let ship = &fleets[seat.as_str()][class.as_str()];
            let shield = |layer, colour, open: bool| {
                let opening = Opening { colour, salt: salt(seat.as_str(), class, layer) };
                let slot = ShieldSlot { game: &game, seat, class, layer };
                let sealed = SealedShield::new(slot.promise(&opening).commitment());
                if open { Shield::Open(sealed.open(slot, &opening).unwrap()) } else { Shield::Sealed(sealed) }
            };
            let at = (!ship.square.is_empty()).then(|| {
                board.find(&ship.square).unwrap_or_else(|| panic!("{:?} is no square", ship.square))
            });
            Ok::<_, ()>(Ship {
                primary: ship.primary,
                secondary: shield(Layer::Secondary, ship.secondary, ship.open),
                tertiary: shield(Layer::Tertiary, ship.tertiary, ship.lost && !ship.owed),
                keeps_tertiary: !ship.lost,
                at,
            })
        });
        let deployed = !before.never_deployed.iter().any(|other| other == seat.as_str());
        let is_out = !deployed || before.out.iter().any(|other| other == seat.as_str());
        Side { fleet: fleet.ok().filter(|_| deployed), is_in: !is_out, struck_out: false }
    });
    Position {
        header: Arc::clone(header),
        board,
        memory_aid: before.memory_aid.unwrap_or(true),
        sides,
        course: Course::Move { mover: seat_index(header, before.mover.as_deref().expect("a mover")) },
        quiet_turns: before.quiet_turns,
        out: indices(&before.never_deployed).into_iter().chain(indices(&before.out)).collect(),
        caught: indices(&before.caught),
    }
}

// ---------------------------------------------------------------------------------------
// Orders: tables made by hand from the true colours.

fn nonce_of(seat: &str, index: u64) -> Nonce {
    Nonce::new(bytes(&format!("nonce {seat} {index}")))
}

/// The table that `deploy` opens.
fn fleet_table(header: &Header, seat: &str, fleet: &TrueFleet) -> Table {
    let (game, name) = (header.id(), seat.parse::<Seat>().unwrap());
    let mut table = Table::default();
    for class in Class::ALL {
        let ship = &fleet[class.as_str()];
        let sealed = |layer, colour| {
            let slot = ShieldSlot { game: &game, seat: &name, class, layer };
            slot.promise(&Opening { colour, salt: salt(seat, class, layer) }).commitment().to_string()
        };
        let mut row = Table::default();
        row.push("square", ship.square.as_str());
        row.push("primary", ship.primary.as_str());
        row.push("secondary", sealed(Layer::Secondary, ship.secondary));
        row.push("tertiary", sealed(Layer::Tertiary, ship.tertiary));
        table.push(class.as_str(), row);
    }
    table
}

fn fleet_salt(seat: &str) -> Salt {
    Salt::new(bytes(&format!("salt {seat} fleet")))
}

/// `{ colour, salt }`, with `ship` and `layer` where the place in the order does not say them.
fn opening(seat: &str, fleet: &TrueFleet, ship: &str, layer: Layer, rest: &[&str], keys: &[&str]) -> Table {
    let true_ship = &fleet[class(ship).as_str()];
    let mut shown = match layer {
        Layer::Secondary => true_ship.secondary,
        Layer::Tertiary => true_ship.tertiary,
    };
    let mut salt = salt(seat, class(ship), layer);
    match rest {
        [] => {}
        ["as", other] => shown = colour(other),
        ["wrong", "salt"] => salt = Salt::new(bytes("another salt")),
        other => panic!("{other:?} in an opening"),
    }
    let mut table = Table::default();
    if keys.contains(&"ship") {
        table.push("ship", ship);
    }
    if keys.contains(&"layer") {
        table.push("layer", layer.as_str());
    }
    table.push("colour", shown.as_str());
    table.push("salt", salt.to_string());
    table
}

/// The action and its table that a row of a case means.
fn action(header: &Header, row: &Row, fleet: Option<&TrueFleet>) -> (String, Table) {
    let words: Vec<&str> = row.words.split_whitespace().collect();
    let mut table = Table::default();
    let (game, seat): (_, Seat) = (header.id(), row.seat.parse().unwrap());
    match words.as_slice() {
        ["move", ship, to] => {
            table.push("ship", *ship);
            table.push("to", *to);
        }
        ["forfeit", seat] => {
            table.push("seat", *seat);
            table.push("reason", "no answer in time");
        }
        ["ruling", result] => {
            table.push("result", *result);
            table.push("reason", "the table fell over");
        }
        ["seal"] => {
            let fleet = fleet_table(header, &row.seat, fleet.unwrap());
            let salt = fleet_salt(&row.seat).to_string();
            let parts = [("fleet", fleet.into()), ("salt", salt.into())];
            table.push("fresh", "00112233445566778899aabbccddeeff");
            table.push("fleet", Promise::new(Tag::Fleet, &game, &seat, parts).commitment().to_string());
            let nonce = crypto::nonce_promise(&game, &seat, 0, &nonce_of(&row.seat, 0));
            table.push("dice", nonce.commitment().to_string());
        }
        ["deploy"] => {
            let mut fleet = fleet.unwrap().clone();
            let (mut salt, mut nonce) = (fleet_salt(&row.seat), nonce_of(&row.seat, 0));
            match row.changed.as_deref() {
                None => {}
                Some("fleet") => {
                    // Another secondary than the sealed one in the frigate.
                    let ship = fleet.get_mut("frigate").unwrap();
                    ship.secondary =
                        if ship.secondary == Colour::White { Colour::Grey } else { Colour::White };
                }
                Some("salt") => salt = Salt::new(bytes("another salt")),
                Some("nonce") => nonce = nonce_of(&row.seat, 7),
                Some(other) => panic!("changed = {other:?}"),
            }
            let mut dice = Table::default();
            dice.push("nonce", nonce.to_string());
            let next = crypto::nonce_promise(&game, &seat, 1, &nonce_of(&row.seat, 1));
            dice.push("next", next.commitment().to_string());
            table.push("salt", salt.to_string());
            table.push("fleet", fleet_table(header, &row.seat, &fleet));
            table.push("dice", dice);
        }
        [_] => {}
        other => panic!("words {other:?}"),
    }
    let mut lost: Vec<Node> = Vec::new();
    let mut shields: Vec<Node> = Vec::new();
    let mut has_lost = false;
    let all: Vec<String> = ["secondary", "tertiary"]
        .iter()
        .flat_map(|layer| Class::ALL.iter().map(move |class| format!("{class} {layer}")))
        .collect();
    let opens = if row.opens == ["all"] { &all } else { &row.opens };
    for item in opens {
        let parts: Vec<&str> = item.split_whitespace().collect();
        let fleet = fleet.expect("a fleet to open");
        match parts.as_slice() {
            ["lost", "none"] => has_lost = true,
            ["lost", ship, rest @ ..] => {
                has_lost = true;
                lost.push(opening(&row.seat, fleet, ship, Layer::Tertiary, rest, &["ship"]).into());
            }
            [ship, word, rest @ ..] => {
                let layer = Layer::ALL.into_iter().find(|layer| layer.as_str() == *word).expect("a layer");
                if words == ["audit"] {
                    shields.push(opening(&row.seat, fleet, ship, layer, rest, &["ship", "layer"]).into());
                } else {
                    table.push(*word, opening(&row.seat, fleet, ship, layer, rest, &[]));
                }
            }
            _ => panic!("opens {item:?}"),
        }
    }
    if has_lost {
        table.push("lost", lost);
    }
    if words == ["audit"] {
        table.push("shields", shields);
    }
    (words[0].to_owned(), table)
}

// ---------------------------------------------------------------------------------------
// Running a case.

struct Run {
    header: Arc<Header>,
    fleets: BTreeMap<String, TrueFleet>,
    state: Box<dyn State>,
    head: Head,
    step: u64,
    open: Vec<Legal>,
    told: Vec<String>,
}

impl Run {
    fn begin(before: &Before) -> Result<Self, Fault> {
        let header = header(before)?;
        let fleets = true_fleets(&before.seats, &before.ships);
        let state = if before.whole {
            ShieldBashers.begin(&header)?
        } else {
            study(set_up(&header, before, &fleets))
        };
        let head = Head::first(header.id());
        Ok(Self { header, fleets, state, head, step: 0, open: Vec::new(), told: Vec::new() })
    }

    fn give(&mut self, row: &Row) -> Result<(), Fault> {
        let (action, details) = action(&self.header, row, self.fleets.get(&row.seat));
        let draft = Draft {
            game: self.header.id(),
            after: self.head,
            step: self.step,
            seat: row.seat.parse().unwrap(),
            time: "2026-12-01T08:00:00Z".parse().unwrap(),
            press: None,
            draw: row.draw,
            action,
            details: details.into(),
        };
        let verified = draft.sign(&identity(&row.seat))?.verify(&self.header)?;
        let legal = self.state.judge(&verified)?;
        let mut orders = self.open.clone();
        orders.push(legal);
        match gather(&*self.state, orders)? {
            Gathered::Open(orders) => self.open = orders,
            Gathered::Complete(orders) => {
                let digests: Vec<_> = orders.iter().map(|legal| legal.order().unwrap().digest()).collect();
                let closed = self.state.close(&orders)?;
                self.told.extend(closed.events.into_iter().flat_map(|event| event.told));
                self.head = close_step(&self.head, &digests);
                self.step += 1;
                self.state = closed.state;
                self.open.clear();
            }
        }
        Ok(())
    }

    /// Whether a report would tell the seat of this order.
    fn suggests(&self, row: &Row) -> bool {
        let seat = row.seat.parse().ok().and_then(|seat| self.header.index(&seat));
        seat.is_some_and(|seat| {
            let suggested = self.counted().suggestions(seat);
            suggested.iter().any(|suggestion| suggestion.words.join(" ") == row.words)
        })
    }

    fn counted(&self) -> Box<dyn State> {
        self.state.counting(&self.open)
    }

    fn awaits(&self) -> Vec<String> {
        let given: Vec<String> =
            self.open.iter().map(|legal| legal.order().unwrap().order().seat.to_string()).collect();
        // A forfeit stands for the seat that it names.
        let forfeited: Vec<String> = self
            .open
            .iter()
            .filter_map(|legal| legal.order().unwrap().order().details().as_table()?.get("seat")?.as_text())
            .map(str::to_owned)
            .collect();
        let awaited = self.state.awaited().into_iter().map(|seat| self.header.seat(seat).to_string());
        awaited.filter(|seat| !given.contains(seat) && !forfeited.contains(seat)).collect()
    }

    fn stands(&self) -> String {
        let mut words = vec![self.counted().phase().as_str().to_owned()];
        words.extend(self.awaits());
        words.join(" ")
    }
}

fn words(table: &Table, key: &str) -> Vec<String> {
    let Some(node) = table.get(key) else { return Vec::new() };
    let document::Value::List(list) = &node.value else { panic!("{key} is no list") };
    list.iter().map(|node| node.as_text().unwrap().to_owned()).collect()
}

/// The ships of a position in the words of a case: `red cruiser d4 grey lost`.
fn ships_of(table: &Table) -> Vec<String> {
    let Some(document::Value::List(list)) = table.get("ships").map(|node| &node.value) else {
        return Vec::new();
    };
    list.iter()
        .map(|row| {
            let row = row.as_table().unwrap();
            let text = |key: &str| row.get(key).and_then(Node::as_text);
            let mut words: Vec<&str> =
                ["seat", "ship", "square"].iter().filter_map(|key| text(key)).collect();
            words.extend(text("secondary"));
            match row.get("tertiary").map(|node| &node.value) {
                Some(document::Value::Boolean(true)) => {}
                Some(document::Value::Boolean(false)) => words.push("lost"),
                other => panic!("tertiary is {other:?}"),
            }
            words.join(" ")
        })
        .collect()
}

fn result_of(header: &Header, ending: Option<Ending>) -> Option<String> {
    ending.map(|ending| {
        let result = match ending.outcome {
            Outcome::Win(seat) => format!("win {}", header.seat(seat)),
            Outcome::Draw => "draw".to_owned(),
            Outcome::Void(by) => format!("void by {by}"),
            Outcome::None => "none".to_owned(),
        };
        if ending.provisional { format!("{result} provisional") } else { result }
    })
}

/// Who is awaited; `@die blue green` means the one of these that the told die names.
fn awaited_after(after: &After, told: &[String]) -> Vec<String> {
    let [line] = after.awaits.as_slice() else { return after.awaits.clone() };
    let Some(seats) = line.strip_prefix("@die ") else { return after.awaits.clone() };
    let shows = told.iter().find_map(|line| line.split_once(" shows ")).expect("a die is told").1;
    let value: usize = shows.split(':').next().unwrap().parse().unwrap();
    vec![seats.split(' ').nth(value - 1).expect("a side for each").to_owned()]
}

fn sorted(list: &[String]) -> Vec<String> {
    let mut list = list.to_vec();
    list.sort();
    list
}

/// Compares, and writes down what differs.
fn same<T: PartialEq + std::fmt::Debug>(wrong: &mut Vec<String>, what: &str, wanted: &T, found: &T) {
    if wanted != found {
        wrong.push(format!("{what}: by the rules {wanted:?}, the engine has {found:?}"));
    }
}

/// Runs one case; returns what is wrong, and all refusals with their names.
fn run(case: &Case) -> (Vec<String>, Vec<(String, Fault)>) {
    let mut wrong = Vec::new();
    let mut refusals = Vec::new();
    let mut check =
        |wrong: &mut Vec<String>, name: String, code: &str, rule: Option<&str>, found: Result<(), Fault>| {
            match found {
                Ok(()) => wrong.push(format!("{name}: it was to be refused ({code}), but was accepted")),
                Err(fault) => {
                    same(wrong, &format!("{name}: code"), &code, &fault.code.as_str());
                    same(wrong, &format!("{name}: rule"), &rule, &fault.rule);
                    refusals.push((name, fault));
                }
            }
        };
    let begun = Run::begin(&case.before);
    if let Some(code) = &case.before.refusal {
        check(&mut wrong, "header".to_owned(), code, case.before.rule.as_deref(), begun.map(|_| ()));
        return (wrong, refusals);
    }
    let mut run = match begun {
        Ok(run) => run,
        Err(fault) => return (vec![format!("it cannot begin: {fault}")], refusals),
    };
    for (place, row) in case.order.iter().enumerate() {
        let name = format!("order {} ({} {})", place + 1, row.seat, row.words);
        let stood = run.stands();
        let suggested = run.suggests(row);
        let given = run.give(row);
        if row.words == "claim-draw" && !row.draw {
            // A report tells a player of a claim exactly when the claim would be accepted.
            same(&mut wrong, &format!("{name}: suggested"), &given.is_ok(), &suggested);
        }
        if let Some(code) = &row.refusal {
            check(&mut wrong, name.clone(), code, row.rule.as_deref(), given);
            same(&mut wrong, &format!("{name}: a refusal changes nothing"), &stood, &run.stands());
        } else if let Err(fault) = given {
            wrong.push(format!("{name}: it was to be accepted, but: [{}] {fault}", fault.code));
            break;
        }
        if let Some(then) = &row.then {
            same(&mut wrong, &format!("{name}: then"), then, &run.stands());
        }
    }
    let Some(after) = &case.after else {
        wrong.push("[after] is missing".to_owned());
        return (wrong, refusals);
    };
    let counted = run.counted();
    let table = counted.position();
    same(&mut wrong, "phase", &after.phase.as_str(), &counted.phase().as_str());
    same(&mut wrong, "awaits", &awaited_after(after, &run.told), &run.awaits());
    same(&mut wrong, "result", &after.result, &result_of(&run.header, counted.ending()));
    same(&mut wrong, "out", &after.out, &words(&table, "out"));
    same(&mut wrong, "caught", &after.caught, &words(&table, "caught"));
    same(&mut wrong, "offers", &after.offers, &words(&table, "draw_offered_by"));
    if let Some(quiet) = after.quiet_turns {
        let found = match table.get("quiet_turns").map(|node| &node.value) {
            Some(document::Value::Integer(number)) => *number,
            _ => 0,
        };
        same(&mut wrong, "quiet_turns", &quiet, &found);
    }
    if let Some(ships) = &after.ships {
        same(&mut wrong, "ships", &sorted(ships), &sorted(&ships_of(&table)));
    }
    for told in &after.told {
        if !run.told.iter().any(|line| line.contains(told.as_str())) {
            wrong.push(format!("not told: {told:?}; told was {:#?}", run.told));
        }
    }
    for told in &after.not_told {
        if run.told.iter().any(|line| line.contains(told.as_str())) {
            wrong.push(format!("told, but it should not be: {told:?}"));
        }
    }
    let shown: Vec<String> = counted
        .sheets(None)
        .into_iter()
        .flat_map(|sheet| {
            let seat = run.header.seat(sheet.seat).to_string();
            sheet.rows.into_iter().map(move |row| format!("{seat} {}", row.join(" | ")))
        })
        .collect();
    for row in &after.shown {
        if !shown.contains(row) {
            wrong.push(format!("not shown: {row:?}; shown is {shown:#?}"));
        }
    }
    (wrong, refusals)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// All case files by name; a file that cannot be read is a fault of the whole.
fn all_cases() -> BTreeMap<String, Case> {
    let mut cases = BTreeMap::new();
    for entry in fs::read_dir(folder().join("shield-bashers")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".toml") else { continue };
        let text = fs::read_to_string(&path).unwrap();
        let case = document::parse(&text)
            .and_then(|node| document::read(&node))
            .unwrap_or_else(|fault| panic!("{name}.toml cannot be read: {fault} at {:?}", fault.span));
        cases.insert(name.to_owned(), case);
    }
    assert!(!cases.is_empty(), "no case was found");
    cases
}

#[test]
fn every_case() {
    let cases = all_cases();
    let mut failed = Vec::new();
    for (name, case) in &cases {
        // A panic in one case must not hide the others.
        let ran = std::panic::catch_unwind(|| run(case).0);
        let wrong = ran.unwrap_or_else(|_| vec!["it panicked; the message is above".to_owned()]);
        if !wrong.is_empty() {
            failed.push(format!("{name} ({}: {})\n    {}", case.rule, case.title, wrong.join("\n    ")));
        }
    }
    println!("{} cases ran, {} failed", cases.len(), failed.len());
    assert!(failed.is_empty(), "{} of {} cases failed:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn every_ruling_has_a_case() {
    let cases = all_cases();
    let missing: Vec<String> = (1..=23)
        .map(|number| format!("SB-{number}"))
        .filter(|rule| !cases.values().any(|case| case.rule == *rule))
        .collect();
    assert!(missing.is_empty(), "no case for: {}", missing.join(", "));
}

// ---------------------------------------------------------------------------------------
// The tables of the rules document.

/// The cells of the rows of a document's table that begins with a heading row.
fn table_of_rules(heading: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules/shield-bashers.md");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<String>> = text
        .lines()
        .skip_while(|line| !line.starts_with(heading))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert!(!rows.is_empty(), "the rules have no table {heading:?}");
    rows
}

/// All 81 combats, by the table of A.6.
#[test]
fn the_combat_table_of_the_rules() {
    let mut seen = 0;
    for row in table_of_rules("| Attacker's primary | Defender's primary |") {
        let [attacker, defenders, _, lighter, same, darker] = &row[..] else { panic!("{row:?}") };
        for defender in defenders.replace(", ", " ").replace(" or ", " ").split(' ') {
            let need = Need::row(colour(attacker), colour(defender));
            for ours in Colour::ALL {
                for theirs in Colour::ALL {
                    // White, grey, black: from light to dark (SB-13).
                    let shade = |colour: Colour| {
                        ["white", "grey", "black"].iter().position(|c| *c == colour.as_str())
                    };
                    let cell = match shade(ours).cmp(&shade(theirs)) {
                        std::cmp::Ordering::Less => lighter,
                        std::cmp::Ordering::Equal => same,
                        std::cmp::Ordering::Greater => darker,
                    };
                    let wins = need.won_by_attacker(ours, theirs);
                    assert_eq!(wins, cell == "win", "{attacker} {ours} against {defender} {theirs}");
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 81);
}

/// The nine examples of A.6, played: Red attacks, Blue defends.
#[test]
fn the_nine_examples_of_the_rules() {
    let rows = table_of_rules("| No. | Red: primary, secondary |");
    assert_eq!(rows.len(), 9);
    for row in rows {
        let [number, red, blue, _, found, result] = &row[..] else { panic!("{row:?}") };
        let wins = result.starts_with("Red wins");
        let destroyed = result.contains("destroyed");
        // Blue's ship with the grey primary is the destroyer that lost its tertiary earlier.
        let marks = if blue.starts_with("grey") { "lost" } else { "" };
        let colours = |pair: &str| format!("{}/white", pair.replace(", ", "/"));
        let mut opens = vec!["destroyer secondary".to_owned()];
        if wins && !destroyed {
            opens.push("destroyer tertiary".to_owned());
        }
        let order = |seat: &str, words: &str, opens: Vec<String>| Row {
            seat: seat.to_owned(),
            words: words.to_owned(),
            opens,
            draw: false,
            changed: None,
            refusal: None,
            rule: None,
            then: None,
        };
        let (d4, lost) = (if destroyed { "e4" } else { "d4" }, if wins { "" } else { " lost" });
        let red_secondary = red.split(", ").nth(1).unwrap();
        let blue_secondary = blue.split(", ").nth(1).unwrap();
        let mut ships = vec![format!("red cruiser {d4} {red_secondary}{lost}"), "blue frigate h8".to_owned()];
        if !destroyed {
            let lost = if wins || !marks.is_empty() { " lost" } else { "" };
            ships.push(format!("blue destroyer e4 {blue_secondary}{lost}"));
        }
        let case = Case {
            rule: "SB-13".to_owned(),
            title: format!("example {number}"),
            before: Before {
                whole: false,
                board: "full".to_owned(),
                seats: vec!["red".to_owned(), "blue".to_owned()],
                first: None,
                mover: Some("red".to_owned()),
                quiet_turns: 0,
                out: vec![],
                caught: vec![],
                never_deployed: vec![],
                ships: vec![
                    format!("red cruiser d4 {}", colours(red)),
                    format!("blue destroyer e4 {} {marks}", colours(blue)),
                    // It only stands there, so that Blue is not out when it loses the destroyer.
                    "blue frigate h8 black/white/grey".to_owned(),
                ],
                memory_aid: None,
                days_per_step: None,
                refusal: None,
                rule: None,
            },
            order: vec![
                order("red", "move cruiser e4", vec!["cruiser secondary".to_owned()]),
                order("blue", "defend", opens),
            ],
            after: Some(After {
                phase: "move".to_owned(),
                awaits: vec!["blue".to_owned()],
                quiet_turns: Some(0),
                out: vec![],
                caught: vec![],
                ships: Some(ships),
                result: None,
                offers: vec![],
                told: vec![
                    match found.as_str() {
                        "the same" => format!("is the same as {blue_secondary}: "),
                        other => format!("is {other} than {blue_secondary}: "),
                    },
                    result_told(wins, destroyed).to_owned(),
                ],
                not_told: vec![],
                shown: vec![],
            }),
        };
        let (wrong, _) = run(&case);
        assert!(wrong.is_empty(), "example {number}: {wrong:#?}");
    }
}

fn result_told(wins: bool, destroyed: bool) -> &'static str {
    match (wins, destroyed) {
        (true, true) => "Blue's destroyer is destroyed, and red's cruiser enters e4.",
        (true, false) => "Blue's destroyer loses its tertiary shield.",
        _ => "Red's cruiser loses its tertiary shield.",
    }
}

// ---------------------------------------------------------------------------------------
// The sentences of all refusals.

/// Whether a word may differ in two sentences that are one: seats, ships, colours, squares.
fn varies(word: &str) -> bool {
    let is_square = word.len() < 4 && word.ends_with(|c: char| c.is_ascii_digit());
    is_square
        || Class::from_word(word).is_some()
        || Colour::ALL.iter().any(|colour| colour.as_str() == word)
        || ["red", "blue", "green", "gold", "none"].contains(&word)
        || (word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit()))
}

#[test]
fn every_refusal_sentence() {
    let mut refusals: Vec<(String, Fault)> = Vec::new();
    for (name, case) in all_cases() {
        let found = std::panic::catch_unwind(|| run(&case).1).unwrap_or_default();
        refusals.extend(found.into_iter().map(|(order, fault)| (format!("{name}: {order}"), fault)));
    }
    refusals.extend(composing_refusals());
    let heading = "# Every refusal of the rules, word for word: what a player reads. Each stands once, as the\n\
         # first case brings it about. Written by tests/cases.rs with WRITE_REFUSALS=1.\n";
    refusals::hold_against(&folder().join("refusals.toml"), heading, &refusals, varies);
}

/// A whole game, played by the seats' own keys.
struct Match {
    replay: Replay,
    orders: Vec<Verified>,
}

impl Match {
    fn begin(board: &str, seats: &[&str]) -> Self {
        let before = Before {
            whole: true,
            board: board.to_owned(),
            seats: seats.iter().map(|seat| (*seat).to_owned()).collect(),
            first: Some(seats[0].to_owned()),
            mover: None,
            quiet_turns: 0,
            out: vec![],
            caught: vec![],
            never_deployed: vec![],
            ships: vec![],
            memory_aid: None,
            days_per_step: None,
            refusal: None,
            rule: None,
        };
        let replay = Replay::begin(header(&before).unwrap()).unwrap();
        Self { replay, orders: Vec::new() }
    }

    fn seat(&self, seat: &str) -> SeatIndex {
        seat_index(self.replay.header(), seat)
    }

    /// Signs an action of a seat, or of the arbiter, at the newest head.
    fn signed(&self, seat: &str, action: &str, details: Node) -> Verified {
        let draft = Draft {
            game: self.replay.header().id(),
            after: self.replay.head(),
            step: self.replay.step(),
            seat: seat.parse().unwrap(),
            time: "2026-12-01T08:00:00Z".parse().unwrap(),
            press: None,
            draw: false,
            action: action.to_owned(),
            details,
        };
        draft.sign(&identity(seat)).unwrap().verify(self.replay.header()).unwrap()
    }

    /// An order in words; `respond` and `seal` for those that need none.
    fn compose(&self, seat: &str, words: &str) -> Result<Verified, Fault> {
        let (state, identity) = (self.replay.state(), identity(seat));
        let by = Keyholder { seat: self.seat(seat), identity: &identity, kept: None };
        let composed = match words {
            "seal" => {
                let fleet = state.random_fleet(by.seat, &bytes(&format!("fleet {seat}")))?;
                state.seal(by, &fleet, "00112233445566778899aabbccddeeff".parse::<Fresh>().unwrap())?
            }
            "respond" => state.respond(by)?,
            _ => state.compose(by, &Script::read(words))?,
        };
        Ok(self.signed(seat, composed.action, composed.details))
    }

    fn by_arbiter(&self, words: &str) -> Verified {
        let row = Row {
            seat: "arbiter".to_owned(),
            words: words.to_owned(),
            opens: vec![],
            draw: false,
            changed: None,
            refusal: None,
            rule: None,
            then: None,
        };
        let (action, details) = action(self.replay.header(), &row, None);
        self.signed("arbiter", &action, details.into())
    }

    fn adjudicate(&self, new: &[Verified]) -> Adjudication {
        adjudicate(self.replay.header(), &self.orders, new).unwrap()
    }

    /// Takes orders in; all must be accepted.
    fn take(&mut self, new: &[Verified]) {
        let taken = self.adjudicate(new);
        assert!(taken.verdicts.iter().all(|verdict| *verdict == Verdict::Accepted), "{:?}", taken.verdicts);
        self.orders.extend_from_slice(new);
        self.replay = taken.replay;
    }

    fn give(&mut self, seat: &str, words: &str) {
        let order = self.compose(seat, words).unwrap_or_else(|fault| panic!("{seat} {words}: {fault}"));
        self.take(&[order]);
    }

    fn mover(&self) -> String {
        self.replay.header().seat(self.replay.state().awaited()[0]).to_string()
    }
}

/// Four seats; two resign in play, two fight until they have one ship each, and then 12 turns
/// are quiet: everybody may claim the draw. The game is searched for once, always the same way.
fn standoff() -> Match {
    static ORDERS: OnceLock<Vec<Verified>> = OnceLock::new();
    let orders = ORDERS.get_or_init(|| (0..400).find_map(try_standoff).expect("a way to the standoff"));
    let mut game = Match::begin("full", &STANDOFF);
    game.take(orders);
    game
}

const STANDOFF: [&str; 4] = ["red", "green", "blue", "gold"];

fn try_standoff(seed: u64) -> Option<Vec<Verified>> {
    let mut game = Match::begin("full", &STANDOFF);
    for words in ["seal", "respond"] {
        let orders: Vec<_> = STANDOFF.iter().map(|seat| game.compose(seat, words).unwrap()).collect();
        game.take(&orders);
    }
    // Taking orders in replays the whole chain; so the steps, which await one order each now,
    // are closed here.
    let mut state = game.replay.state().copy();
    let (mut head, mut step) = (game.replay.head(), game.replay.step());
    let mut random = seed;
    for _ in 0..150 {
        let table = state.position();
        let ships = ships_of(&table);
        let one_each = ships.len() == 2;
        let quiet =
            matches!(table.get("quiet_turns").map(|node| &node.value), Some(document::Value::Integer(12..)));
        if state.ending().is_some() {
            return None;
        }
        if one_each && quiet {
            return Some(game.orders);
        }
        let seat = game.replay.header().seat(state.awaited()[0]).to_string();
        let identity = identity(&seat);
        let by = Keyholder { seat: game.seat(&seat), identity: &identity, kept: None };
        let composed = if state.phase() == Phase::Defend {
            state.respond(by).unwrap()
        } else if seat == "green" || seat == "gold" {
            state.compose(by, &Script::read("resign")).unwrap()
        } else {
            let others: Vec<String> = ships
                .iter()
                .filter(|ship| !ship.starts_with(&seat))
                .map(|ship| ship.split(' ').nth(2).unwrap().to_owned())
                .collect();
            let far = |square: &str| {
                let of = |square: &str| (i32::from(square.as_bytes()[0]), i32::from(square.as_bytes()[1]));
                let (x, y) = of(square);
                let apart = |other: &String| {
                    let (u, v) = of(other);
                    (x - u).abs().max((y - v).abs())
                };
                others.iter().map(apart).min().unwrap()
            };
            let mut moves: Vec<_> = state
                .suggestions(by.seat)
                .into_iter()
                .filter(|found| found.words[0] == "move" && (!one_each || found.remark.is_empty()))
                .collect();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let shift = (random >> 33) as usize % moves.len();
            moves.rotate_left(shift);
            // While they fight they draw near; a stable sort leaves ties as the dice have them.
            if !one_each && !random.is_multiple_of(5) {
                moves.sort_by_key(|found| far(&found.words[2]));
            }
            state.compose(by, &Script::from(moves[0].words.as_slice())).unwrap()
        };
        let draft = Draft {
            game: game.replay.header().id(),
            after: head,
            step,
            seat: seat.parse().unwrap(),
            time: "2026-12-01T08:00:00Z".parse().unwrap(),
            press: None,
            draw: false,
            action: composed.action.to_owned(),
            details: composed.details,
        };
        let order = draft.sign(&identity).unwrap().verify(game.replay.header()).unwrap();
        let closed = state.close(&[state.judge(&order).unwrap()]).unwrap();
        head = close_step(&head, &[order.digest()]);
        step += 1;
        state = closed.state;
        game.orders.push(order);
    }
    None
}

/// Which of two entries at one head stands, whichever comes first, and also when the one that
/// yields is in the file already.
fn stands_before(game: &Match, stands: &Verified, yields: &Verified, what: &str) {
    let check = |taken: &Adjudication, place: usize, what: &str| {
        assert!(
            taken.replay.orders().any(|order| order.digest() == stands.digest()),
            "{what}: what goes before does not stand"
        );
        assert!(
            !taken.replay.orders().any(|order| order.digest() == yields.digest()),
            "{what}: what yields still stands"
        );
        assert_eq!(taken.verdicts[place], Verdict::Accepted, "{what}");
    };
    let both = [stands.clone(), yields.clone()];
    check(&game.adjudicate(&both), 0, what);
    let both = [yields.clone(), stands.clone()];
    let taken = game.adjudicate(&both);
    check(&taken, 1, what);
    assert!(
        matches!(&taken.verdicts[0], Verdict::Refused(fault) if fault.code.as_str() == "yielded"),
        "{what}: {:?}",
        taken.verdicts[0]
    );
    let mut filed = game.orders.clone();
    filed.push(yields.clone());
    let taken = adjudicate(game.replay.header(), &filed, std::slice::from_ref(stands)).unwrap();
    check(&taken, 0, what);
    assert_eq!(taken.dropped.len(), 1, "{what}: one order of the file is dropped");
}

#[test]
fn what_goes_before_what_at_one_head() {
    let game = standoff();
    assert_eq!(game.replay.state().phase(), Phase::Move);
    let mover = game.mover();
    let state = game.replay.state();
    let quiet = state
        .suggestions(game.seat(&mover))
        .into_iter()
        .find(|found| found.words[0] == "move" && found.remark.is_empty())
        .unwrap();
    let own = game.compose(&mover, &quiet.words.join(" ")).unwrap();
    let claim = |seat: &str| game.signed(seat, "claim-draw", Table::default().into());
    let (forfeit, ruling) = (game.by_arbiter(&format!("forfeit {mover}")), game.by_arbiter("ruling draw"));
    stands_before(&game, &own, &claim("green"), "the mover's order before a claim");
    stands_before(&game, &claim("green"), &claim("gold"), "the earlier seat's claim before the later's");
    stands_before(&game, &forfeit, &own, "a forfeit before the seat's own order");
    stands_before(&game, &forfeit, &claim("green"), "a forfeit before a claim");
    stands_before(&game, &ruling, &own, "a ruling before the seat's own order");
    stands_before(&game, &ruling, &forfeit, "a ruling before a forfeit");
}

#[test]
fn in_the_audit_what_is_in_stands() {
    let mut game = standoff();
    let mover = game.mover();
    game.give(&mover, "claim-draw");
    assert_eq!(game.replay.state().phase(), Phase::Audit);
    let audit = game.compose("gold", "respond").unwrap();
    let forfeit = game.by_arbiter("forfeit gold");
    let seat = game.seat("gold");
    for new in [[audit.clone(), forfeit.clone()], [forfeit.clone(), audit.clone()]] {
        let taken = game.adjudicate(&new);
        assert_eq!(
            taken.replay.open()[0].order().unwrap().digest(),
            audit.digest(),
            "together: the audit counts"
        );
    }
    // Of the two, the one that is in stays.
    for (stands, late) in [(&audit, &forfeit), (&forfeit, &audit)] {
        let mut filed = game.orders.clone();
        filed.push(stands.clone());
        let taken = adjudicate(game.replay.header(), &filed, std::slice::from_ref(late)).unwrap();
        assert_eq!(taken.replay.open()[0].order().unwrap().digest(), stands.digest());
        assert!(matches!(taken.verdicts[0], Verdict::Refused(_)), "{:?}", taken.verdicts);
        assert!(taken.dropped.is_empty() && !taken.replay.missing().contains(&seat));
    }
    // A ruling closes the audit step; the audits that are in are links of the chain before it.
    let ruling = game.by_arbiter("ruling void");
    let taken = game.adjudicate(&[ruling.clone(), audit.clone()]);
    assert_eq!(taken.verdicts, [Verdict::Accepted, Verdict::Accepted]);
    let digests = [audit.digest(), ruling.digest()];
    assert_eq!(taken.replay.head(), close_step(&game.replay.head(), &digests));
    assert_eq!(result_of(game.replay.header(), taken.replay.ending()).as_deref(), Some("void by arbiter"));
    // In whatever order the audits come in, the head is the same: that of the header's order.
    let seats: Vec<String> = game
        .replay
        .state()
        .awaited()
        .into_iter()
        .map(|seat| game.replay.header().seat(seat).to_string())
        .collect();
    let mut audits: Vec<Verified> = seats.iter().map(|seat| game.compose(seat, "respond").unwrap()).collect();
    let digests: Vec<_> = audits.iter().map(Verified::digest).collect();
    audits.reverse();
    let taken = game.adjudicate(&audits);
    assert_eq!(taken.replay.head(), close_step(&game.replay.head(), &digests));
    assert_eq!(taken.replay.state().phase(), Phase::Over);
    assert_eq!(result_of(game.replay.header(), taken.replay.ending()).as_deref(), Some("draw"));
}

#[test]
fn a_seat_that_signs_twice_gets_neither() {
    let game = standoff();
    let mover = game.mover();
    let state = game.replay.state();
    let moves: Vec<Verified> = state
        .suggestions(game.seat(&mover))
        .into_iter()
        .filter(|found| found.words[0] == "move" && found.remark.is_empty())
        .map(|found| game.compose(&mover, &found.words.join(" ")).unwrap())
        .collect();
    let taken = game.adjudicate(&moves[..2]);
    for verdict in &taken.verdicts {
        assert!(
            matches!(verdict, Verdict::Refused(fault) if fault.code.as_str() == "two-orders"),
            "{verdict:?}"
        );
    }
    assert_eq!(taken.replay.head(), game.replay.head());
    // The one that the file has stands.
    let mut filed = game.orders.clone();
    filed.push(moves[0].clone());
    let taken = adjudicate(game.replay.header(), &filed, &moves[1..2]).unwrap();
    assert_eq!(taken.replay.step(), game.replay.step() + 1);
    assert!(matches!(&taken.verdicts[0], Verdict::Refused(fault) if fault.code.as_str() == "two-orders"));
}

/// The strict reading of a file: in a step any order of entries, else each in its place.
#[test]
fn what_a_game_file_may_hold() {
    let game = standoff();
    let replayed = |orders: &[Verified]| {
        let entries: Vec<Entry> = orders.iter().cloned().map(Entry::from).collect();
        let text = write_game_file(game.replay.header(), &position(&game.replay).into(), &entries);
        Replay::of_file(&GameFile::parse(&text).unwrap())
    };
    let mut orders = game.orders.clone();
    orders[..4].reverse();
    orders[4..8].swap(1, 2);
    assert_eq!(replayed(&orders).unwrap().head(), game.replay.head());
    let code = |orders: &[Verified]| replayed(orders).map(|_| ()).unwrap_err().code.as_str();
    let mut missing = game.orders.clone();
    missing.remove(9);
    assert_eq!(code(&missing), "out-of-place", "an entry in the middle is missing");
    let mut early = game.orders.clone();
    early.remove(5);
    assert_eq!(code(&early), "out-of-place", "a step is not complete, and others follow");
    // The number of the step must fit the head.
    let mover = game.mover();
    let draft = Draft {
        game: game.replay.header().id(),
        after: game.replay.head(),
        step: game.replay.step() + 1,
        seat: mover.parse().unwrap(),
        time: "2026-12-01T08:00:00Z".parse().unwrap(),
        press: None,
        draw: false,
        action: "resign".to_owned(),
        details: Table::default().into(),
    };
    let order = draft.sign(&identity(&mover)).unwrap().verify(game.replay.header()).unwrap();
    let taken = game.adjudicate(std::slice::from_ref(&order));
    assert!(matches!(&taken.verdicts[0], Verdict::Refused(fault) if fault.code.as_str() == "wrong-step"));
}

/// What a player is told while an order is made: refusals that come before any order is there.
fn composing_refusals() -> Vec<(String, Fault)> {
    let mut found: Vec<(String, Fault)> = Vec::new();
    for (key, value) in
        [("colour", "red"), ("board", "round"), ("memory_aid", "perhaps"), ("days_per_step", "many")]
    {
        let chosen = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let fault = ShieldBashers.options(2, &chosen).map(|_| ()).expect_err(key);
        found.push((format!("an option of a new game: {key}={value}"), fault));
    }
    let mut say = |what: &str, tried: Result<Verified, Fault>| {
        let fault = tried.map(|_| ()).expect_err(what);
        found.push((what.to_owned(), fault));
    };
    let mut game = Match::begin("half", &["red", "blue"]);
    say("composing: a move while fleets are sealed", game.compose("red", "move cruiser b2"));
    say("composing: a response while fleets are sealed", game.compose("red", "respond"));
    let fleet = |text: &str| document::parse(text).unwrap();
    let plain = "[frigate]\nsquare = 'a2'\nprimary = 'white'\nsecondary = 'white'\ntertiary = 'white'\n\
                 [destroyer]\nsquare = 'b1'\nprimary = 'grey'\nsecondary = 'grey'\ntertiary = 'grey'\n\
                 [cruiser]\nsquare = 'a1'\nprimary = 'black'\nsecondary = 'black'\ntertiary = 'black'\n";
    let red = identity("red");
    let by = Keyholder { seat: game.seat("red"), identity: &red, kept: None };
    let fresh: Fresh = "00112233445566778899aabbccddeeff".parse().unwrap();
    let seal = |text: &str| game.replay.state().seal(by, &fleet(text), fresh);
    assert!(seal(plain).is_ok());
    for (what, from, to) in [
        ("two primaries of one colour", "primary = 'grey'", "primary = 'white'"),
        ("two secondaries of one colour", "secondary = 'grey'", "secondary = 'black'"),
        ("two tertiaries of one colour", "tertiary = 'black'", "tertiary = 'grey'"),
        ("the cruiser off its corner", "square = 'a1'", "square = 'b2'"),
        ("the frigate not beside the cruiser", "square = 'a2'", "square = 'b2'"),
        ("frigate and destroyer on one square", "square = 'b1'", "square = 'a2'"),
        ("no square", "square = 'b1'", "square = 'z9'"),
        ("no colour", "primary = 'grey'", "primary = 'pink'"),
    ] {
        let fault = seal(&plain.replace(from, to)).map(|_| ()).expect_err(what);
        found.push((format!("a fleet file: {what}"), fault));
    }
    let mut say = |what: &str, tried: Result<Verified, Fault>| {
        let fault = tried.map(|_| ()).expect_err(what);
        found.push((what.to_owned(), fault));
    };
    let orders = [game.compose("red", "seal").unwrap(), game.compose("blue", "seal").unwrap()];
    game.take(&orders);
    say("composing: a move while fleets are opened", game.compose("red", "move cruiser b2"));
    let stranger = identity("nobody");
    let strange = Keyholder { seat: game.seat("red"), identity: &stranger, kept: None };
    let fault = game.replay.state().respond(strange).map(|_| ()).expect_err("a strange key");
    say("composing: opening a fleet with another key", Err(fault));
    let orders = [game.compose("red", "respond").unwrap(), game.compose("blue", "respond").unwrap()];
    game.take(&orders);
    say("composing: no ship", game.compose("red", "move barge b2"));
    say("composing: no square named", game.compose("red", "move cruiser"));
    say("composing: no order", game.compose("red", "dance wildly"));
    say("composing: resign with more words", game.compose("red", "resign at once"));
    say("composing: not in turn", game.compose("blue", "move cruiser c7"));
    say("composing: a response while a move is awaited", game.compose("red", "respond"));
    say("composing: sealing again", game.compose("red", "seal"));
    game.give("red", "resign");
    for seat in ["red", "blue"] {
        say("composing: a move after the end", game.compose(seat, "move cruiser b2"));
    }
    let strange = Keyholder { seat: game.seat("red"), identity: &stranger, kept: None };
    let fault = game.replay.state().respond(strange).map(|_| ()).expect_err("a strange key");
    say("composing: an audit with another key", Err(fault));
    let orders = [game.compose("red", "respond").unwrap(), game.compose("blue", "respond").unwrap()];
    game.take(&orders);
    say("composing: after all is over", game.compose("red", "move cruiser b2"));
    found
}
