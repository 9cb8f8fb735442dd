//! The rules of Tresurion as cases that a rule expert can read, run against the engine.
//!
//! - `tests/cases/tresurion/*.toml`: one case a file (how to read them: the README there). What
//!   is expected comes from `docs/rules/tresurion.md`, never from the engine.
//! - `tests/cases/refusals-tresurion.toml`: the exact sentences of all refusals: a snapshot.
//!   With `WRITE_REFUSALS=1` in the environment the file is written anew; review the difference.
//! - The tables and the drawings of the rules document are read from the document itself.

#![allow(clippy::pedantic, clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::indexing_slicing, clippy::panic)]

mod refusals;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sealed_orders::crypto::{self, Identity, Promise, Roll, Rolled, Tag};
use sealed_orders::document::{self, Node, Table};
use sealed_orders::fault::Fault;
use sealed_orders::games::tresurion::{
    Class, Course, Field, Position, Reach, Ship, Square, Standing, Tresurion, hits, position_of, study,
    to_destroy, to_hit,
};
use sealed_orders::games::{Composed, Ending, Game, Keyholder, Legal, Outcome, Phase, Script, State};
use sealed_orders::ident::{Fresh, GameNonce, Head, Nonce, Salt, Seat, SeatIndex, Time};
use sealed_orders::log::{Card, Draft, Header, Player, Verified, close_step};
use sealed_orders::turn::{Gathered, gather};
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

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    /// The whole game from the header on; else a position in play.
    #[serde(default)]
    whole: bool,
    /// Red and blue, if no others are named.
    #[serde(default)]
    seats: Vec<String>,
    width: Option<u64>,
    length: Option<u64>,
    reach: Option<String>,
    /// The option; the count is `quiet`.
    quiet_turns: Option<u64>,
    #[serde(default)]
    asteroids: Vec<String>,
    /// Pairs like `c4-k20`.
    #[serde(default)]
    wormholes: Vec<String>,
    days_per_step: Option<u64>,
    /// The turn's number.
    turn: Option<u64>,
    /// Who has its first round.
    first: Option<String>,
    /// Whose round it is now; the first one's, if nobody is named.
    round: Option<String>,
    /// Quiet turns in a row.
    #[serde(default)]
    quiet: u64,
    /// Whether damage has risen in this turn.
    #[serde(default)]
    damage_has_risen: bool,
    /// `red 333a h1`, `red 333a h1 damage 2`, `red 333a destroyed`.
    #[serde(default)]
    ships: Vec<String>,
    /// The header itself is refused.
    refusal: Option<String>,
    rule: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    seat: String,
    /// `round`, where there are lines; else `seal`, `deploy`, `roll`, `claim-draw`, `resign`;
    /// the arbiter's `forfeit SEAT` and `ruling RESULT`.
    words: Option<String>,
    /// A round, a line a ship.
    lines: Option<Vec<String>>,
    #[serde(default)]
    draw: bool,
    /// What differs from what was sealed: `fleet`, `salt` or `nonce`.
    changed: Option<String>,
    /// All dice that this order brings about, in their order, with the values that they are to
    /// have: `attack 1 red/333a blue/011a: 15`, or `...: 11-20`, or `...: same` (as the die before
    /// it), or `...: any`.
    dice: Option<Vec<String>>,
    /// Refused with this code; else the order is accepted.
    refusal: Option<String>,
    /// The rule that the refusal names.
    rule: Option<String>,
    /// How many faults looking at the round finds (`sealed try`).
    faults: Option<u64>,
    /// The phase and who is awaited after this order, like `roll blue`.
    then: Option<String>,
}

impl Row {
    fn words(&self) -> String {
        match (&self.words, &self.lines) {
            (Some(words), None) => words.clone(),
            (None, Some(_)) => "round".to_owned(),
            _ => panic!("an order has either `words` or `lines`"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    phase: String,
    awaits: Vec<String>,
    turn: Option<u64>,
    /// Who has the first round of the turn.
    first: Option<String>,
    quiet: Option<u64>,
    /// All ships on the board.
    ships: Option<Vec<String>>,
    /// The shots that await their roll: `333a at 011b`.
    fired: Option<Vec<String>>,
    result: Option<String>,
    /// Who offers a draw.
    #[serde(default)]
    offers: Vec<String>,
    /// Sentences, or parts of them, that were told.
    #[serde(default)]
    told: Vec<String>,
    #[serde(default)]
    not_told: Vec<String>,
    /// Rows of the lists of ships.
    #[serde(default)]
    shown: Vec<String>,
}

// ---------------------------------------------------------------------------------------
// Building a game from a case.

/// Bytes that stand for randomness: the same in every run.
fn bytes(what: &str) -> [u8; 32] {
    crypto::hash(what.as_bytes())
}

fn identity(seat: &str) -> Identity {
    Identity::from_seed(&Zeroizing::new(bytes(&format!("identity {seat}"))))
}

/// Of a seat's nonce several are tried, until the dice fall as a case wants them.
fn nonce_of(seat: &str, index: u64, attempt: u64) -> Nonce {
    Nonce::new(bytes(&format!("nonce {seat} {index} {attempt}")))
}

fn fleet_salt(seat: &str) -> Salt {
    Salt::new(bytes(&format!("salt {seat} fleet")))
}

fn list(words: &[String]) -> Node {
    words.iter().map(|word| Node::from(word.as_str())).collect::<Vec<_>>().into()
}

fn seats_of(before: &Before) -> Vec<String> {
    if before.seats.is_empty() { vec!["red".to_owned(), "blue".to_owned()] } else { before.seats.clone() }
}

fn header(before: &Before) -> Result<Arc<Header>, Fault> {
    let mut options = Table::default();
    options.push("width", before.width.unwrap_or(15));
    options.push("length", before.length.unwrap_or(25));
    options.push("reach", before.reach.as_deref().unwrap_or("between"));
    options.push("quiet_turns", before.quiet_turns.unwrap_or(20));
    options.push("asteroids", list(&before.asteroids));
    let pairs = before.wormholes.iter().map(|pair| {
        let ends: Vec<String> = pair.split('-').map(str::to_owned).collect();
        list(&ends)
    });
    options.push("wormholes", pairs.collect::<Vec<_>>());
    options.push("days_per_step", before.days_per_step.unwrap_or(7));
    let players = seats_of(before).into_iter().map(|seat| Player {
        seat: seat.parse().unwrap(),
        name: seat.to_uppercase(),
        mail: format!("{seat}@example.org"),
        key: identity(&seat).public(),
    });
    let arbiter = Card {
        name: "Arbiter".to_owned(),
        mail: "arbiter@example.org".to_owned(),
        key: identity("arbiter").public(),
    };
    let created: Time = "2026-11-30T05:48:16Z".parse().unwrap();
    let nonce = GameNonce::new(bytes("nonce of the game"));
    let header =
        Header::new("tresurion/1", "A case", created, nonce, options, players.collect(), Some(arbiter))?;
    Ok(Arc::new(header))
}

fn seat_index(header: &Header, seat: &str) -> SeatIndex {
    header.index(&seat.parse().unwrap()).unwrap_or_else(|| panic!("{seat} is no seat"))
}

/// The engine's position for a case that begins in play.
fn set_up(header: &Arc<Header>, before: &Before) -> Position {
    let fleets = header.by_seat(|index| {
        let name = header.seat(index).as_str();
        let mut fleet = Vec::new();
        for row in &before.ships {
            let words: Vec<&str> = row.split_whitespace().collect();
            assert!(words[0] == "red" || words[0] == "blue", "the seat in {row:?}");
            let (at, damage) = match &words[2..] {
                ["destroyed"] => (None, Class::of(&words[1][..3]).unwrap().row().shield),
                [at] => (Some(at.parse().unwrap()), 0),
                [at, "damage", damage] => (Some(at.parse().unwrap()), damage.parse().unwrap()),
                _ => panic!("ship {row:?}"),
            };
            if words[0] == name {
                let id = words[1].parse().unwrap_or_else(|()| panic!("the ship in {row:?}"));
                fleet.push(Ship { id, at, damage });
            }
        }
        fleet.sort_by_key(|ship| ship.id);
        Some(fleet)
    });
    let mut position = position_of(header, fleets);
    let first = before.first.as_deref().unwrap_or("red");
    let seat = seat_index(header, before.round.as_deref().unwrap_or(first));
    position.turn = before.turn.unwrap_or(1);
    position.first = seat_index(header, first);
    position.course = Course::Round { seat, is_second: seat != position.first };
    position.quiet_turns = before.quiet;
    position.damage_rose = before.damage_has_risen;
    position
}

// ---------------------------------------------------------------------------------------
// Orders: tables made by hand.

/// The table that `deploy` opens: the ships in the order of the case.
fn fleet_table(before: &Before, seat: &str) -> Table {
    let rows: Vec<Node> = before
        .ships
        .iter()
        .map(|row| row.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words[0] == seat)
        .map(|words| {
            let [_, id, at] = words[..] else { panic!("a ship to deploy: {words:?}") };
            let mut row = Table::default();
            row.push("id", id);
            row.push("at", at);
            row.into()
        })
        .collect();
    let mut table = Table::default();
    table.push("ships", rows);
    table
}

/// The same ships as a fleet file, unless two have one name.
fn fleet_file(before: &Before, seat: &str) -> Option<Node> {
    let mut table = Table::default();
    let mut seen = BTreeSet::new();
    for row in &before.ships {
        let words: Vec<&str> = row.split_whitespace().collect();
        if words[0] == seat {
            if !seen.insert(words[1]) {
                return None;
            }
            table.push(words[1], words[2]);
        }
    }
    Some(table.into())
}

fn pair(keys: [&'static str; 2], values: [&str; 2]) -> Node {
    let mut table = Table::default();
    for (key, value) in keys.into_iter().zip(values) {
        table.push(key, value);
    }
    table.into()
}

/// The lists of a round, read from its lines without the engine's help.
fn round_table(lines: &[String]) -> Table {
    let (mut moves, mut fire) = (Vec::new(), Vec::new());
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["hold"] => {}
            [ship, "fires", at] => fire.push(pair(["ship", "at"], [ship, at])),
            [ship, to] => moves.push(pair(["ship", "to"], [ship, to])),
            [ship, to, "fires", at] => {
                moves.push(pair(["ship", "to"], [ship, to]));
                fire.push(pair(["ship", "at"], [ship, at]));
            }
            _ => panic!("the line {line:?}"),
        }
    }
    let mut table = Table::default();
    table.push("moves", moves);
    table.push("fire", fire);
    table
}

// ---------------------------------------------------------------------------------------
// Dice.

/// A die that a case names: its label, and the values that it may have.
struct Wanted {
    label: String,
    least: u32,
    most: u32,
    /// It is to show what the die before it shows.
    is_same: bool,
}

impl Wanted {
    fn read(text: &str) -> Self {
        let (label, value) = text.rsplit_once(": ").unwrap_or_else(|| panic!("no value in {text:?}"));
        let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{text:?} is no number"));
        let (least, most) = match value.split_once('-') {
            _ if value == "any" || value == "same" => (1, u32::MAX),
            Some((least, most)) => (number(least), number(most)),
            None => (number(value), number(value)),
        };
        Self { label: label.to_owned(), least, most, is_same: value == "same" }
    }

    /// The protocol's sides: ten for damage, else twenty.
    fn sides(&self) -> u32 {
        if self.label.starts_with("damage ") { 10 } else { 20 }
    }

    fn fits(&self, value: u32, before: u32) -> bool {
        (self.least..=self.most).contains(&value) && (!self.is_same || value == before)
    }
}

/// Which attempt at a seat's nonce makes all dice fall as they are wanted.
fn attempt_for(
    header: &Header,
    wanted: &[Wanted],
    other: &(String, Nonce),
    seat: &str,
    index: u64,
) -> Option<u64> {
    let blank = Nonce::new([0xAB; 32]);
    // The bytes that are hashed, before and behind the place of the nonce that is sought.
    let parts: Vec<(Vec<u8>, Vec<u8>, &Wanted)> = wanted
        .iter()
        .map(|die| {
            let nonces = vec![(other.0.parse().unwrap(), other.1), (seat.parse().unwrap(), blank)];
            let roll = Roll { label: die.label.clone(), sides: die.sides(), nonces };
            let text = String::from_utf8(roll.preimage(&header.id())).unwrap();
            let (front, back) = text.split_once(&blank.to_string()).expect("the nonce is hashed");
            (front.as_bytes().to_vec(), back.as_bytes().to_vec(), die)
        })
        .collect();
    let mut whole = Vec::new();
    (0..4_000_000).find(|attempt| {
        let nonce = nonce_of(seat, index, *attempt).to_string();
        let mut before = 0;
        parts.iter().all(|(front, back, die)| {
            whole.clear();
            whole.extend_from_slice(front);
            whole.extend_from_slice(nonce.as_bytes());
            whole.extend_from_slice(back);
            let value = crypto::die_from_key(&crypto::hash(&whole), die.sides());
            die.fits(value, std::mem::replace(&mut before, value))
        })
    })
}

// ---------------------------------------------------------------------------------------
// Running a case.

/// The attempts at nonces that were found, by seat and index.
type Attempts = BTreeMap<(String, u64), u64>;

struct Run<'a> {
    before: &'a Before,
    header: Arc<Header>,
    state: Box<dyn State>,
    head: Head,
    step: u64,
    open: Vec<Legal>,
    told: Vec<String>,
    attempts: &'a Attempts,
    /// The index of each seat's newest sealed nonce.
    newest: BTreeMap<String, u64>,
    /// The nonce that was opened last, and by whom.
    last_opened: Option<(String, Nonce)>,
}

impl<'a> Run<'a> {
    fn begin(before: &'a Before, attempts: &'a Attempts) -> Result<Self, Fault> {
        let header = header(before)?;
        let first = u64::from(!before.whole);
        let newest = seats_of(before).into_iter().map(|seat| (seat, first)).collect();
        let nonce = |seat: &str, index| {
            nonce_of(seat, index, attempts.get(&(seat.to_owned(), index)).copied().unwrap_or(0))
        };
        let state = if before.whole {
            Tresurion.begin(&header)?
        } else {
            // It must be a header that the game takes.
            Tresurion.begin(&header)?;
            let sealed = header.by_seat(|index| {
                let seat = header.seat(index);
                Some(crypto::nonce_promise(&header.id(), seat, 1, &nonce(seat.as_str(), 1)).commitment())
            });
            study(set_up(&header, before), &sealed)
        };
        let head = Head::first(header.id());
        Ok(Self {
            before,
            header,
            state,
            head,
            step: 0,
            open: Vec::new(),
            told: Vec::new(),
            attempts,
            newest,
            last_opened: None,
        })
    }

    fn nonce(&self, seat: &str, index: u64) -> Nonce {
        nonce_of(seat, index, self.attempts.get(&(seat.to_owned(), index)).copied().unwrap_or(0))
    }

    /// `dice = { nonce, next }` of an order of a seat.
    fn dice(&self, row: &Row) -> (Nonce, Table) {
        let seat = row.seat.as_str();
        let index = self.newest.get(seat).copied().unwrap_or(0);
        let nonce = match row.changed.as_deref() {
            Some("nonce") => Nonce::new(bytes("another nonce")),
            _ => self.nonce(seat, index),
        };
        let name: Seat = seat.parse().unwrap();
        let next = crypto::nonce_promise(&self.header.id(), &name, index + 1, &self.nonce(seat, index + 1));
        let mut dice = Table::default();
        dice.push("nonce", nonce.to_string());
        dice.push("next", next.commitment().to_string());
        (nonce, dice)
    }

    /// The action and its table that a row of a case means, and the nonce that it opens.
    fn action(&self, row: &Row) -> (String, Table, Option<Nonce>) {
        let all = row.words();
        let words: Vec<&str> = all.split_whitespace().collect();
        let mut table = Table::default();
        let mut opened = None;
        let (game, seat): (_, Seat) = (self.header.id(), row.seat.parse().unwrap());
        match words.as_slice() {
            ["forfeit", seat] => {
                table.push("seat", *seat);
                table.push("reason", "no answer in time");
            }
            ["ruling", result] => {
                table.push("result", *result);
                table.push("reason", "the table fell over");
            }
            ["seal"] => {
                let fleet = fleet_table(self.before, &row.seat);
                let salt = fleet_salt(&row.seat).to_string();
                let parts = [("fleet", fleet.into()), ("salt", salt.into())];
                table.push("fresh", "00112233445566778899aabbccddeeff");
                table.push("fleet", Promise::new(Tag::Fleet, &game, &seat, parts).commitment().to_string());
                let nonce = crypto::nonce_promise(&game, &seat, 0, &self.nonce(&row.seat, 0));
                table.push("dice", nonce.commitment().to_string());
            }
            ["deploy"] => {
                let mut fleet = fleet_table(self.before, &row.seat);
                let mut salt = fleet_salt(&row.seat);
                match row.changed.as_deref() {
                    None | Some("nonce") => {}
                    Some("fleet") => fleet = Table::default(),
                    Some("salt") => salt = Salt::new(bytes("another salt")),
                    Some(other) => panic!("changed = {other:?}"),
                }
                let (nonce, dice) = self.dice(row);
                table.push("salt", salt.to_string());
                table.push("fleet", fleet);
                table.push("dice", dice);
                opened = Some(nonce);
            }
            ["round"] | ["roll"] => {
                if let Some(lines) = &row.lines {
                    table = round_table(lines);
                }
                let (nonce, dice) = self.dice(row);
                table.push("dice", dice);
                opened = Some(nonce);
            }
            [_] => {}
            other => panic!("words {other:?}"),
        }
        (words[0].to_owned(), table, opened)
    }

    /// An order as its seat signs it, and the nonce that it opens.
    fn signed(&self, row: &Row) -> Result<(Verified, Option<Nonce>), Fault> {
        let (action, details, opened) = self.action(row);
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
        Ok((draft.sign(&identity(&row.seat))?.verify(&self.header)?, opened))
    }

    /// Gives an order; the dice that it brought about.
    fn give(&mut self, row: &Row) -> Result<Vec<Rolled>, Fault> {
        let (verified, opened) = self.signed(row)?;
        let legal = self.state.judge(&verified)?;
        let mut orders = self.open.clone();
        orders.push(legal);
        let mut rolls = Vec::new();
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
                rolls = closed.rolls;
            }
        }
        if let Some(nonce) = opened {
            *self.newest.get_mut(&row.seat).unwrap() += 1;
            self.last_opened = Some((row.seat.clone(), nonce));
        }
        Ok(rolls)
    }

    fn key<'k>(&self, seat: &str, identity: &'k Identity) -> Option<Keyholder<'k>> {
        let seat = self.header.index(&seat.parse().ok()?)?;
        Some(Keyholder { seat, identity, kept: None })
    }

    /// Whether a report would tell the seat of this order.
    fn suggests(&self, row: &Row) -> bool {
        let seat = row.seat.parse().ok().and_then(|seat| self.header.index(&seat));
        seat.is_some_and(|seat| {
            let suggested = self.state.suggestions(seat);
            suggested.iter().any(|suggestion| suggestion.words.join(" ") == row.words())
        })
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
        let mut words = vec![self.state.phase().as_str().to_owned()];
        words.extend(self.awaits());
        words.join(" ")
    }

    /// Looking at a round must find what judging it finds: the same faults, or none.
    fn check_weighed(&self, row: &Row, judged: Option<&Fault>) -> Vec<String> {
        let Some(lines) = &row.lines else { return Vec::new() };
        let mut wrong = Vec::new();
        let by_seat = identity(&row.seat);
        let Some(by) = self.key(&row.seat, &by_seat) else { return wrong };
        if self.state.phase() != Phase::Round || !self.state.awaited().contains(&by.seat) {
            return wrong;
        }
        let faults = self.state.weigh(by, &Script::read(&lines.join("\n"))).faults;
        let is_illegal = judged.is_some_and(|fault| fault.code.as_str() == "illegal-move");
        if let Some(fault) = judged.filter(|_| is_illegal) {
            if !faults.iter().any(|found| found.code == fault.code && found.rule == fault.rule) {
                wrong.push(format!("looking at the round does not find that fault, but {faults:?}"));
            }
        } else if !faults.is_empty() {
            wrong.push(format!("looking at the round finds {faults:?}"));
        }
        if let Some(count) = row.faults {
            same(&mut wrong, "faults found by looking at it", &count, &(faults.len() as u64));
        }
        wrong
    }
}

/// The ships of a position in the words of a case: `red 333a d4 damage 2`.
fn ships_of(table: &Table) -> Vec<String> {
    let Some(document::Value::List(list)) = table.get("ships").map(|node| &node.value) else {
        return Vec::new();
    };
    list.iter()
        .map(|row| {
            let row = row.as_table().unwrap();
            let text = |key: &str| row.get(key).and_then(Node::as_text).unwrap().to_owned();
            let mut words = vec![text("seat"), text("id"), text("at")];
            match number(row, "damage").expect("a damage") {
                0 => {}
                damage => words.push(format!("damage {damage}")),
            }
            words.join(" ")
        })
        .collect()
}

fn fired_of(table: &Table) -> Vec<String> {
    let Some(document::Value::List(list)) = table.get("fired").map(|node| &node.value) else {
        return Vec::new();
    };
    list.iter()
        .map(|row| {
            let text =
                |key: &str| row.as_table().unwrap().get(key).and_then(Node::as_text).unwrap().to_owned();
            format!("{} at {}", text("ship"), text("at"))
        })
        .collect()
}

fn number(table: &Table, key: &str) -> Option<u64> {
    match table.get(key).map(|node| &node.value) {
        Some(document::Value::Integer(number)) => Some(*number),
        _ => None,
    }
}

fn result_of(header: &Header, ending: Option<Ending>) -> Option<String> {
    ending.map(|ending| {
        assert!(!ending.provisional, "in this game every result is final");
        match ending.outcome {
            Outcome::Win(seat) => format!("win {}", header.seat(seat)),
            Outcome::Draw => "draw".to_owned(),
            Outcome::Void(by) => format!("void by {by}"),
            Outcome::None => "none".to_owned(),
        }
    })
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

/// What running a case found: what is wrong, and all refusals with their names.
#[derive(Clone, Default)]
struct Found {
    wrong: Vec<String>,
    refusals: Vec<(String, Fault)>,
}

impl Found {
    fn refused(&mut self, name: &str, code: &str, rule: Option<&str>, found: Option<Fault>) {
        match found {
            None => self.wrong.push(format!("{name}: it was to be refused ({code}), but was accepted")),
            Some(fault) => {
                same(&mut self.wrong, &format!("{name}: code"), &code, &fault.code.as_str());
                same(&mut self.wrong, &format!("{name}: rule"), &rule, &fault.rule);
                self.refusals.push((name.to_owned(), fault));
            }
        }
    }
}

/// Runs one case. Where it names dice, it is begun anew with the nonce that gives them.
fn run(case: &Case) -> Found {
    let mut attempts = Attempts::new();
    loop {
        match run_with(case, &attempts) {
            Ok(found) => return found,
            Err((key, attempt)) => {
                assert!(attempts.insert(key, attempt).is_none(), "a nonce is sought twice");
            }
        }
    }
}

fn run_with(case: &Case, attempts: &Attempts) -> Result<Found, ((String, u64), u64)> {
    let mut found = Found::default();
    let begun = Run::begin(&case.before, attempts);
    if let Some(code) = &case.before.refusal {
        found.refused("header", code, case.before.rule.as_deref(), begun.err());
        return Ok(found);
    }
    let mut run = match begun {
        Ok(run) => run,
        Err(fault) => {
            found.wrong.push(format!("it cannot begin: {fault}"));
            return Ok(found);
        }
    };
    for (place, row) in case.order.iter().enumerate() {
        let words = row.words();
        let name = format!("order {} ({} {words})", place + 1, row.seat);
        let wanted: Vec<Wanted> = row.dice.iter().flatten().map(|text| Wanted::read(text)).collect();
        if !wanted.is_empty() {
            let key = (row.seat.clone(), run.newest[&row.seat]);
            if !attempts.contains_key(&key) {
                let other = run.last_opened.clone().expect("a nonce that was opened before");
                let attempt = attempt_for(&run.header, &wanted, &other, &key.0, key.1);
                return Err((key, attempt.unwrap_or_else(|| panic!("{name}: no nonce gives these dice"))));
            }
        }
        let stood = (run.stands(), run.state.position());
        let suggested = run.suggests(row);
        if words == "seal" {
            // What a fleet file is told on sealing must agree with what deploying it is told.
            let by_seat = identity(&row.seat);
            let by = run.key(&row.seat, &by_seat).unwrap();
            let fresh: Fresh = "00112233445566778899aabbccddeeff".parse().unwrap();
            let deployed = case
                .order
                .iter()
                .find(|other| other.seat == row.seat && other.words() == "deploy" && other.refusal.is_none());
            if let (Some(file), Some(_)) = (fleet_file(&case.before, &row.seat), deployed)
                && let Err(fault) = run.state.seal(by, &file, fresh)
            {
                found.wrong.push(format!("{name}: as a fleet file it is refused: {fault}"));
            }
        }
        let weighed = {
            let order = run.signed(row).map(|(order, _)| order);
            let fault = order.and_then(|order| run.state.judge(&order)).err();
            run.check_weighed(row, fault.as_ref())
        };
        found.wrong.extend(weighed.into_iter().map(|line| format!("{name}: {line}")));
        let given = run.give(row);
        if words == "claim-draw" && !row.draw {
            // A report tells a player of a claim exactly when the claim would be accepted.
            same(&mut found.wrong, &format!("{name}: suggested"), &given.is_ok(), &suggested);
        }
        if let Some(code) = &row.refusal {
            found.refused(&name, code, row.rule.as_deref(), given.err());
            let stands = (run.stands(), run.state.position());
            same(&mut found.wrong, &format!("{name}: a refusal changes nothing"), &stood.0, &stands.0);
            same(
                &mut found.wrong,
                &format!("{name}: a refusal changes nothing"),
                &ships_of(&stood.1),
                &ships_of(&stands.1),
            );
        } else {
            match given {
                Err(fault) => {
                    found.wrong.push(format!("{name}: it was to be accepted, but: [{}] {fault}", fault.code));
                    break;
                }
                Ok(rolls) if row.dice.is_some() => {
                    let labels: Vec<&str> = wanted.iter().map(|die| die.label.as_str()).collect();
                    let rolled: Vec<&str> = rolls.iter().map(|die| die.roll.label.as_str()).collect();
                    same(&mut found.wrong, &format!("{name}: dice"), &labels, &rolled);
                    let mut before = 0;
                    for (die, rolled) in wanted.iter().zip(&rolls) {
                        same(
                            &mut found.wrong,
                            &format!("{name}: sides of {}", die.label),
                            &die.sides(),
                            &rolled.roll.sides,
                        );
                        if !die.fits(rolled.value, std::mem::replace(&mut before, rolled.value)) {
                            found.wrong.push(format!("{name}: {} shows {}", die.label, rolled.value));
                        }
                    }
                }
                Ok(_) => {}
            }
        }
        if let Some(then) = &row.then {
            same(&mut found.wrong, &format!("{name}: then"), then, &run.stands());
        }
    }
    match &case.after {
        None => found.wrong.push("[after] is missing".to_owned()),
        Some(after) => check_after(&mut found.wrong, after, &run),
    }
    Ok(found)
}

fn check_after(wrong: &mut Vec<String>, after: &After, run: &Run<'_>) {
    let table = run.state.position();
    let text = |key: &str| table.get(key).and_then(Node::as_text).map(str::to_owned);
    same(wrong, "phase", &after.phase.as_str(), &run.state.phase().as_str());
    same(wrong, "awaits", &after.awaits, &run.awaits());
    same(wrong, "result", &after.result, &result_of(&run.header, run.state.ending()));
    let offers: Vec<String> = match table.get("draw_offered_by").map(|node| &node.value) {
        Some(document::Value::List(list)) => {
            list.iter().map(|node| node.as_text().unwrap().to_owned()).collect()
        }
        _ => Vec::new(),
    };
    same(wrong, "offers", &after.offers, &offers);
    if after.turn.is_some() {
        same(wrong, "turn", &after.turn, &number(&table, "turn"));
    }
    if after.first.is_some() {
        same(wrong, "first", &after.first, &text("first"));
    }
    if after.quiet.is_some() {
        same(wrong, "quiet", &after.quiet, &number(&table, "quiet_turns"));
    }
    if let Some(ships) = &after.ships {
        same(wrong, "ships", &sorted(ships), &sorted(&ships_of(&table)));
    }
    if let Some(fired) = &after.fired {
        same(wrong, "fired", fired, &fired_of(&table));
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
    let shown: Vec<String> = run
        .state
        .sheets(None)
        .into_iter()
        .flat_map(|sheet| {
            let seat = run.header.seat(sheet.seat).to_string();
            sheet.rows.into_iter().map(move |row| format!("{seat} {}", row[1..].join(" | ")))
        })
        .collect();
    for row in &after.shown {
        if !shown.contains(row) {
            wrong.push(format!("not shown: {row:?}; shown is {shown:#?}"));
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// All case files by name; a file that cannot be read is a fault of the whole.
fn all_cases() -> BTreeMap<String, Case> {
    let mut cases = BTreeMap::new();
    for entry in fs::read_dir(folder().join("tresurion")).unwrap() {
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

/// What running each case found, with its ruling and title; they are run once for all tests.
fn all_found() -> &'static BTreeMap<String, (String, Found)> {
    static FOUND: OnceLock<BTreeMap<String, (String, Found)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        all_cases()
            .into_iter()
            .map(|(name, case)| {
                // A panic in one case must not hide the others.
                let found = std::panic::catch_unwind(|| run(&case)).unwrap_or_else(|_| Found {
                    wrong: vec!["it panicked; the message is above".to_owned()],
                    refusals: Vec::new(),
                });
                (name, (format!("{}: {}", case.rule, case.title), found))
            })
            .collect()
    })
}

#[test]
fn every_case() {
    let mut failed = Vec::new();
    for (name, (title, found)) in all_found() {
        if !found.wrong.is_empty() {
            failed.push(format!("{name} ({title})\n    {}", found.wrong.join("\n    ")));
        }
    }
    let count = all_found().len();
    println!("{count} cases ran, {} failed", failed.len());
    assert!(failed.is_empty(), "{} of {count} cases failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_ruling_has_a_case() {
    let cases = all_cases();
    let missing: Vec<String> = (1..=18)
        .map(|number| format!("TR-{number}"))
        .filter(|rule| !cases.values().any(|case| case.rule == *rule))
        .collect();
    assert!(missing.is_empty(), "no case for: {}", missing.join(", "));
    for (name, case) in cases {
        let number: u32 = case.rule.strip_prefix("TR-").unwrap().parse().unwrap();
        assert!(name.starts_with(&format!("tr-{number:02}-")), "{name} is about {}", case.rule);
    }
}

// ---------------------------------------------------------------------------------------
// The tables and drawings of the rules document.

fn rules() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules/tresurion.md")).unwrap()
}

/// The cells of the rows of a document's table that begins with a heading row.
fn table_of_rules(heading: &str) -> Vec<Vec<String>> {
    let text = rules();
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

/// The nineteen classes of A.2; and TR-2's formulas agree with them.
#[test]
fn the_classes_of_the_rules() {
    let rows = table_of_rules("| UCN | Class |");
    let classes: Vec<Class> = Class::all().collect();
    assert_eq!((rows.len(), classes.len()), (19, 19));
    for (cells, class) in rows.iter().zip(classes) {
        let row = class.row();
        let found = [
            row.ucn.to_owned(),
            row.name.to_owned(),
            row.shield.to_string(),
            row.rate.to_string(),
            class.power(),
            row.range.to_string(),
        ];
        assert_eq!(cells.as_slice(), found.as_slice());
        let digits: Vec<u32> = row.ucn.chars().map(|digit| digit.to_digit(10).unwrap()).collect();
        let (sum, largest) = (digits.iter().sum::<u32>(), *digits.iter().max().unwrap());
        assert_eq!(
            [row.shield, row.rate, row.bonus, row.range],
            [sum, 10 - sum, sum - largest, sum - largest]
        );
    }
    assert_eq!(Tresurion.ship_list().rows, rows, "the list of classes that players see");
}

/// How far each range reaches, by the table of A.6.
#[test]
fn the_ranges_of_the_rules() {
    let mut seen = 0;
    for row in table_of_rules("| Range | Classes | Largest distance") {
        let [range, classes, between, distance] = &row[..] else { panic!("{row:?}") };
        for ucn in classes.split(", ") {
            let class = Class::of(ucn).unwrap_or_else(|| panic!("{ucn}"));
            assert_eq!(class.row().range.to_string(), *range, "{ucn}");
            assert_eq!(Reach::Between.largest_distance(class).to_string(), *between, "{ucn}");
            assert_eq!(Reach::Distance.largest_distance(class).to_string(), *distance, "{ucn}");
            seen += 1;
        }
    }
    assert_eq!(seen, 19);
}

/// What hits each class, by the table of A.8.
#[test]
fn the_chances_of_the_rules() {
    let mut seen = 0;
    for row in table_of_rules("| Movement rate of the target | Target classes |") {
        let [rate, classes, faces, chance] = &row[..] else { panic!("{row:?}") };
        let least: u32 = faces.split([',', ' ']).next().unwrap().parse().unwrap();
        for ucn in classes.split(", ") {
            let class = Class::of(ucn).unwrap_or_else(|| panic!("{ucn}"));
            assert_eq!(class.row().rate.to_string(), *rate, "{ucn}");
            for die in 1..=20 {
                assert_eq!(hits(die, class), die >= least, "{die} at {ucn}");
            }
            assert_eq!(to_hit(class).percent(), chance.replace(" in 100", "%"), "{ucn}");
            seen += 1;
        }
    }
    assert_eq!(seen, 19);
}

/// The chances to destroy that players are shown, by throwing all dice there are: A.8 and A.9.
#[test]
fn the_chances_to_destroy() {
    let class = |ucn: &str| Class::of(ucn).unwrap();
    // What a shot does, die by die; nothing for a miss.
    let throws = |shooter: Class, target: Class| {
        let mut throws = Vec::new();
        for attack in 1..=20_u32 {
            for damage in 1..=10_u32 {
                let is_hit = attack >= target.row().rate + 10;
                throws.push(if is_hit { damage + shooter.row().bonus } else { 0 });
            }
        }
        throws
    };
    for (one, other, target, damage) in [
        ("333", "333", "222", 0),
        ("333", "011", "222", 5),
        ("011", "001", "122", 1),
        ("001", "001", "001", 0),
        ("233", "222", "333", 8),
        ("122", "111", "133", 3),
    ] {
        let (one, other, target) = (class(one), class(other), class(target));
        let shield = target.row().shield;
        let is_destroyed = |sum: u32| damage + sum.saturating_sub(shield) >= shield;
        let alone = throws(one, target).into_iter().filter(|sum| is_destroyed(*sum)).count() as u128;
        let both = throws(one, target)
            .into_iter()
            .flat_map(|first| throws(other, target).into_iter().map(move |second| first + second))
            .filter(|sum| is_destroyed(*sum))
            .count() as u128;
        let chance = to_destroy(&[one], target, damage);
        assert_eq!(chance.of * 200, alone * chance.all, "{one} at {target}");
        let chance = to_destroy(&[one, other], target, damage);
        assert_eq!(chance.of * 40_000, both * chance.all, "{one} and {other} at {target}");
    }
}

/// A drawing of the rules behind a heading: the signs by their squares.
fn drawing(heading: &str) -> BTreeMap<Square, char> {
    let text = rules();
    let mut lines = text.lines().skip_while(|line| *line != heading).skip_while(|line| {
        let mut words = line.split_whitespace();
        words.next().is_none()
            || !line.split_whitespace().all(|word| word.len() == 1 && ("a"..="z").contains(&word))
    });
    let files: Vec<&str> =
        lines.next().unwrap_or_else(|| panic!("no drawing behind {heading}")).split_whitespace().collect();
    let mut signs = BTreeMap::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let rank = words.next().unwrap();
        for (file, sign) in files.iter().zip(words) {
            signs.insert(format!("{file}{rank}").parse().unwrap(), sign.chars().next().unwrap());
        }
    }
    assert!(signs.len() >= 20, "the drawing behind {heading}");
    signs
}

fn only(signs: &BTreeMap<Square, char>, sign: char) -> Square {
    let found: Vec<&Square> = signs.iter().filter(|(_, other)| **other == sign).map(|(at, _)| at).collect();
    assert_eq!(found.len(), 1, "{sign}");
    *found[0]
}

/// Where the ship of A.5's example may end: on the squares that are marked, or stay.
#[test]
fn the_drawing_of_ways() {
    let signs = drawing("### Example: ways between ships");
    let field = Field::open(15, 25);
    let from = only(&signs, 'R');
    let reached = field.reach(from, 2, |square| match signs.get(&square) {
        Some('R' | 'r') => Standing::Friend,
        Some('B') => Standing::Enemy,
        _ => Standing::Empty,
    });
    let mut wanted: BTreeSet<Square> =
        signs.iter().filter(|(_, sign)| **sign == '+').map(|(at, _)| *at).collect();
    wanted.insert(from);
    assert_eq!(reached.into_keys().collect::<BTreeSet<_>>(), wanted);
}

/// Of all squares of the drawings of A.7 just those that are marked `x` block, in either
/// direction.
#[test]
fn the_drawings_of_sight() {
    let field = Field::open(15, 25);
    for heading in [
        "### Example: a ship beside the line",
        "### Example: a corner that is touched",
        "### Example: a long line",
    ] {
        let signs = drawing(heading);
        let (one, other) = (only(&signs, 'A'), only(&signs, 'T'));
        for (square, sign) in &signs {
            for (from, to) in [(one, other), (other, one)] {
                let blocking = field.blockers(from, to, |place| place == *square);
                assert_eq!(!blocking.is_empty(), *sign == 'x', "{heading}: {square} from {from} to {to}");
            }
        }
    }
}

// ---------------------------------------------------------------------------------------
// The sentences of all refusals.

/// Whether a word may differ in two sentences that are one: seats, ships, squares, numbers.
fn varies(word: &str) -> bool {
    word.parse::<Square>().is_ok()
        || word.starts_with(|c: char| c.is_ascii_digit())
        || ["red", "blue", "Red", "Blue", "and"].contains(&word)
}

#[test]
fn every_refusal_sentence() {
    let mut refusals: Vec<(String, Fault)> = Vec::new();
    for (name, (_, found)) in all_found() {
        refusals
            .extend(found.refusals.iter().map(|(order, fault)| (format!("{name}: {order}"), fault.clone())));
    }
    refusals.extend(composing_refusals());
    let heading = "# Every refusal of the rules of Tresurion, word for word: what a player reads. Each stands\n\
         # once, as the first case brings it about. Written by tests/cases_tresurion.rs with\n\
         # WRITE_REFUSALS=1.\n";
    refusals::hold_against(&folder().join("refusals-tresurion.toml"), heading, &refusals, varies);
}

/// A whole game, composed with the seats' own keys.
struct Match {
    header: Arc<Header>,
    state: Box<dyn State>,
    head: Head,
    step: u64,
    kept: BTreeMap<String, Node>,
}

impl Match {
    fn begin(before: &Before) -> Self {
        let header = header(before).unwrap();
        let state = Tresurion.begin(&header).unwrap();
        Self { head: Head::first(header.id()), header, state, step: 0, kept: BTreeMap::new() }
    }

    fn with_key<T>(&self, seat: &str, what: impl FnOnce(&dyn State, Keyholder<'_>) -> T) -> T {
        let identity = identity(seat);
        let seat_index = seat_index(&self.header, seat);
        what(&*self.state, Keyholder { seat: seat_index, identity: &identity, kept: self.kept.get(seat) })
    }

    fn compose(&self, seat: &str, words: &str) -> Result<Composed, Fault> {
        self.with_key(seat, |state, by| match words {
            "respond" => state.respond(by),
            _ => state.compose(by, &Script::read(words)),
        })
    }

    fn seal(&self, seat: &str, file: &Node) -> Result<Composed, Fault> {
        let fresh: Fresh = "00112233445566778899aabbccddeeff".parse().unwrap();
        self.with_key(seat, |state, by| state.seal(by, file, fresh))
    }

    /// Closes a step with what seats have composed.
    fn close(&mut self, orders: Vec<(&str, Composed)>) {
        let mut legal = Vec::new();
        for (seat, composed) in orders {
            if let Some(kept) = composed.kept {
                self.kept.insert(seat.to_owned(), kept);
            }
            let draft = Draft {
                game: self.header.id(),
                after: self.head,
                step: self.step,
                seat: seat.parse().unwrap(),
                time: "2026-12-01T08:00:00Z".parse().unwrap(),
                press: None,
                draw: false,
                action: composed.action.to_owned(),
                details: composed.details,
            };
            let order = draft.sign(&identity(seat)).unwrap().verify(&self.header).unwrap();
            legal.push(self.state.judge(&order).unwrap());
        }
        let digests: Vec<_> = legal.iter().map(|legal| legal.order().unwrap().digest()).collect();
        self.state = self.state.close(&legal).unwrap().state;
        self.head = close_step(&self.head, &digests);
        self.step += 1;
    }

    fn give(&mut self, seat: &str, words: &str) {
        let composed = self.compose(seat, words).unwrap_or_else(|fault| panic!("{seat} {words}: {fault}"));
        self.close(vec![(seat, composed)]);
    }
}

const RED_FILE: &str = "333a = 'h1'\n222a = 'g1'\n111a = 'i2'\n123a = 'f1'\n123b = 'j1'\n";
const BLUE_FILE: &str = "333a = 'h25'\n222a = 'g25'\n111a = 'i24'\n123a = 'f25'\n123b = 'j25'\n";

/// One fleet file serves either seat: it is turned round for the other end.
#[test]
fn a_fleet_file_serves_either_end() {
    let game = Match::begin(&Before::default());
    for (seat, file, square) in [
        ("red", RED_FILE, "h1"),
        ("red", BLUE_FILE, "h1"),
        ("blue", RED_FILE, "h25"),
        ("blue", BLUE_FILE, "h25"),
    ] {
        let kept = game.seal(seat, &document::parse(file).unwrap()).unwrap().kept.unwrap();
        let text = document::canonical(&kept);
        let ship = format!("{{\"at\":\"{square}\",\"id\":\"333a\"}}");
        assert!(text.contains(&ship), "{seat}: {text}");
    }
}

/// What a player is told while an order is made: refusals that come before any order is there.
fn composing_refusals() -> Vec<(String, Fault)> {
    let mut found: Vec<(String, Fault)> = Vec::new();
    for (key, value) in [
        ("colour", "red"),
        ("reach", "far"),
        ("width", "many"),
        ("width", "14"),
        ("length", "100"),
        ("quiet_turns", "1001"),
        ("days_per_step", "366"),
        ("asteroids", "c2"),
        ("asteroids", "c5,c5"),
        ("asteroids", "p5"),
        ("asteroids", "5c"),
        ("wormholes", "c4"),
        ("wormholes", "c4-c4"),
    ] {
        let chosen = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let fault = Tresurion.options(2, &chosen).map(|_| ()).expect_err(key);
        found.push((format!("an option of a new game: {key}={value}"), fault));
    }
    let mut say = |what: &str, tried: Result<(), Fault>| {
        found.push((what.to_owned(), tried.expect_err(what)));
    };
    let plain = |tried: Result<Composed, Fault>| tried.map(|_| ());
    let mut game = Match::begin(&Before::default());
    say("composing: a round while fleets are sealed", plain(game.compose("red", "333a h2")));
    say("composing: a response while fleets are sealed", plain(game.compose("red", "respond")));
    let file = |text: &str| document::parse(text).unwrap();
    assert!(game.seal("red", &file(RED_FILE)).is_ok());
    for (what, from, to) in [
        ("a class that there is not", "123b", "321a"),
        ("a ship without its letter", "123b", "123"),
        ("a letter left out", "123b", "123c"),
        ("a piece missing", "123b", "023a"),
        ("a piece over", "123b = 'j1'", "123b = 'j1'\n001a = 'k1'"),
        ("one piece for another", "123b", "113a"),
        ("outside the two ranks", "'j1'", "'j3'"),
        ("off the board", "'j1'", "'p1'"),
        ("no square", "'j1'", "'j01'"),
        ("two on one square", "'j1'", "'f1'"),
    ] {
        let fault = game.seal("red", &file(&RED_FILE.replace(from, to)));
        say(&format!("a fleet file: {what}"), plain(fault));
    }
    for (what, from, to) in [
        ("no square", "'j1'", "'j01'"),
        ("two on one square", "'j1'", "'f1'"),
        ("on three ranks", "'j1'", "'j3'"),
    ] {
        let tried = Tresurion.check_fleet_alone(&file(&RED_FILE.replace(from, to)));
        say(&format!("a fleet file alone: {what}"), tried.map(|_| ()));
    }
    let sealed = [("red", RED_FILE), ("blue", BLUE_FILE)].map(|(seat, text)| {
        let sealed = game.seal(seat, &file(text)).unwrap();
        (seat, sealed)
    });
    game.close(sealed.into());
    say("composing: a round while fleets are opened", plain(game.compose("red", "333a h2")));
    say("composing: sealing again", plain(game.seal("red", &file(RED_FILE))));
    let kept = game.kept.insert("red".to_owned(), file(&RED_FILE.replace("'i2'", "'k2'"))).unwrap();
    say("composing: opening another fleet", plain(game.compose("red", "respond")));
    game.kept.remove("red");
    say("composing: opening without the fleet", plain(game.compose("red", "respond")));
    game.kept.insert("red".to_owned(), kept);
    let opened = ["red", "blue"].map(|seat| (seat, game.compose(seat, "respond").unwrap()));
    game.close(opened.into());
    let first = game.header.seat(game.state.awaited()[0]).to_string();
    let other = if first == "red" { "blue" } else { "red" };
    for words in [
        "",
        "dance",
        "333a",
        "333a h2 h3",
        "333a fires",
        "333a flies h2",
        "hold the line firmly",
        "resign at once",
        "claim-draw",
        "claim-draw now",
        "999a h2",
        "333b h2",
        "333a z9",
        "333a h02",
        "respond",
    ] {
        say(&format!("composing: {words:?}"), plain(game.compose(&first, words)));
    }
    say("composing: not in turn", plain(game.compose(other, "hold")));
    say("composing: a response not in turn", plain(game.compose(other, "respond")));
    let template =
        |game: &Match, seat: &str| game.with_key(seat, |state, by| state.template(by.seat)).map(|_| ());
    say("a template not in turn", template(&game, other));
    game.give(&first, "hold");
    game.give(other, "hold");
    say("composing: a round where a roll is awaited", plain(game.compose(&first, "hold")));
    say("composing: a claim where a roll is awaited", plain(game.compose(&first, "claim-draw")));
    say("composing: a round while the other owes a roll", plain(game.compose(other, "hold")));
    say("composing: a response while the other owes a roll", plain(game.compose(other, "respond")));
    game.give(&first, "resign");
    say("composing: a round after the end", plain(game.compose(&first, "hold")));
    say("composing: a response after the end", plain(game.compose(&first, "respond")));
    say("a template after the end", template(&game, &first));
    found
}
