//! Fleets: what a player writes, what is sealed and opened, and what the rules ask of both.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::class::Class;
use super::field::{Field, Square};
use crate::document::{Node, Value, read, tree};
use crate::fault::{Checked, Code, Fault};

/// What a ship is called: its class and a letter, like `333a`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShipId {
    /// Its class.
    pub class: Class,
    /// Which of its class: 0 is a.
    pub number: u8,
}

impl fmt::Display for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.class, char::from(b'a' + self.number))
    }
}

impl fmt::Debug for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ShipId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (ucn, letter) = text.split_at_checked(3).ok_or(())?;
        let &[letter] = letter.as_bytes() else { return Err(()) };
        if !letter.is_ascii_lowercase() {
            return Err(());
        }
        Ok(Self { class: Class::of(ucn).ok_or(())?, number: letter - b'a' })
    }
}

/// A ship in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ship {
    /// What it is called.
    pub id: ShipId,
    /// Where it stands, while it is on the board.
    pub at: Option<Square>,
    /// The damage that it has taken.
    pub damage: u32,
}

/// A fleet in a game, by the ships' ids.
pub type Fleet = Vec<Ship>;

/// A ship as `[deploy]` opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeployedShip {
    /// Its class and letter, like `333a`.
    #[schemars(regex(pattern = r"^[0-3]{2}[1-3][a-e]$"))]
    pub id: String,
    /// Its square, like `h1`.
    #[schemars(regex(pattern = r"^[a-z][1-9][0-9]?$"))]
    pub at: String,
}

/// The fleet that a seat seals and opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeployedFleet {
    /// Its ships; within a class the letters are a, b, c, ... in the list's order.
    #[schemars(length(min = 5, max = 15))]
    pub ships: Vec<DeployedShip>,
}

/// A fleet file: a line a ship, like `333a = "h1"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlannedFleet(pub BTreeMap<String, String>);

impl JsonSchema for PlannedFleet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PlannedFleet".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": "A line a ship: its class and a letter, and the square where it is to stand.",
            "patternProperties": {
                "^[0-3]{2}[1-3][a-e]$": { "type": "string", "pattern": "^[a-z][1-9][0-9]?$" }
            },
            "additionalProperties": false,
            "minProperties": 5,
            "maxProperties": 15
        })
    }
}

/// The most ships that a fleet can have: each piece a ship of its own.
pub(super) const MOST_SHIPS: usize = 15;

/// How many pieces of each size a fleet has (TR-1).
const PIECES_A_SIZE: usize = 5;

const SIZES: [(u32, &str); 3] = [(1, "small"), (2, "medium"), (3, "large")];

fn illegal(rule: &'static str, why: String) -> Fault {
    Fault::new(Code::IllegalFleet, why).rule(rule)
}

/// Reads a ship's id.
///
/// # Errors
/// `illegal-fleet`: there is no such class.
fn known(id: &str) -> Checked<ShipId> {
    id.parse().map_err(|()| {
        illegal(
            "TR-2",
            format!("{id:?} is no ship: a ship is one of the 19 class numbers and a letter, like 333a"),
        )
        .help("`sealed fleet list` shows the classes")
    })
}

/// Holds the pieces of ships against the fifteen that there are (TR-1).
fn check_pieces(ships: &[ShipId]) -> Checked<()> {
    let counted = SIZES.map(|(size, word)| {
        let used = ships.iter().flat_map(|id| id.class.pieces()).filter(|piece| *piece == size).count();
        (word, used)
    });
    let number = |count: usize, word: &str| {
        let counted = match count {
            1 => "one".to_owned(),
            2 => "two".to_owned(),
            3 => "three".to_owned(),
            4 => "four".to_owned(),
            5 => "five".to_owned(),
            more => more.to_string(),
        };
        format!("{counted} {word} piece{}", if count == 1 { "" } else { "s" })
    };
    let mut wrong = Vec::new();
    for (word, used) in counted {
        if used > PIECES_A_SIZE {
            wrong.push(format!("{} over", number(used - PIECES_A_SIZE, word)));
        } else if used < PIECES_A_SIZE {
            wrong.push(format!("{} missing", number(PIECES_A_SIZE - used, word)));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(illegal(
        "TR-1",
        format!("the fleet does not use the fifteen pieces, five of each size: {}", wrong.join(", ")),
    )
    .help("each digit of a ship's number is a piece: 1 small, 2 medium, 3 large"))
}

fn check_square(field: &Field, is_first: bool, id: ShipId, at: &str) -> Checked<Square> {
    let ranks = field.deployment_ranks(is_first).map(|rank| rank + 1);
    let [one, other] = ranks;
    let wanted = format!("deploy it on rank {one} or {other}, files a to {}", last_file(field));
    match at.parse::<Square>() {
        Ok(square) if !field.contains(square) => {
            Err(illegal("TR-3", format!("{id} stands on {at}, which is not on this board")).help(wanted))
        }
        Ok(square) if !ranks.contains(&(square.rank + 1)) => {
            Err(illegal("TR-3", format!("{id} stands on {at}, outside its side's two ranks")).help(wanted))
        }
        Ok(square) => Ok(square),
        Err(()) => Err(illegal("TR-3", format!("{id} stands on {at:?}, which is no square")).help(wanted)),
    }
}

fn last_file(field: &Field) -> char {
    char::from(b'a' + field.width().saturating_sub(1))
}

/// Checks the fleet that a seat opens.
///
/// # Errors
/// `illegal-fleet` with the ruling, or a wrong value; paths begin with `fleet`.
pub fn check_deployed(field: &Field, is_first: bool, node: &Node) -> Checked<Fleet> {
    let fleet: DeployedFleet = read(node)?;
    let mut ids: Vec<ShipId> = Vec::new();
    let mut ships: Fleet = Vec::new();
    for (place, ship) in fleet.ships.iter().enumerate() {
        let about = |part: &str, fault: Fault| fault.about(format!("fleet.ships.{place}.{part}"));
        let id = known(&ship.id).map_err(|fault| about("id", fault))?;
        let before = ids.iter().filter(|other| other.class == id.class).count();
        if usize::from(id.number) != before {
            let next = ShipId { class: id.class, number: u8::try_from(before).unwrap_or(u8::MAX) };
            let why = format!(
                "{id} is listed where {next} would come: the ships of a class are a, b, c, ... in the list's order"
            );
            return Err(about("id", illegal("TR-2", why)));
        }
        let square = check_square(field, is_first, id, &ship.at).map_err(|fault| about("at", fault))?;
        if let Some(other) = ships.iter().find(|other| other.at == Some(square)) {
            let why = format!("{id} and {} stand on the same square {square}", other.id);
            return Err(about("at", illegal("TR-3", why)));
        }
        ids.push(id);
        ships.push(Ship { id, at: Some(square), damage: 0 });
    }
    check_pieces(&ids).map_err(|fault| fault.about("fleet.ships"))?;
    ships.sort_by_key(|ship| ship.id);
    Ok(ships)
}

/// Reads a fleet file and checks all but its squares: the ships by their ids, and where each
/// is to stand as it is written.
fn check_written(node: &Node) -> Checked<Vec<(ShipId, String)>> {
    let PlannedFleet(file) = read(node)?;
    let mut ships = Vec::new();
    for (id, at) in &file {
        ships.push((known(id).map_err(|fault| placed(node, id, fault))?, at.clone()));
    }
    ships.sort_by_key(|(id, _)| *id);
    for (id, _) in &ships {
        let before = ships.iter().filter(|(other, _)| other.class == id.class && other < id).count();
        if usize::from(id.number) != before {
            let missing = ShipId { class: id.class, number: u8::try_from(before).unwrap_or(u8::MAX) };
            let why =
                format!("{id} is in the fleet, but no {missing}: the ships of a class are a, b, c, ...");
            return Err(placed(node, &id.to_string(), illegal("TR-2", why)));
        }
    }
    check_pieces(&ships.iter().map(|(id, _)| *id).collect::<Vec<_>>())?;
    Ok(ships)
}

/// A fault with its place in a fleet file: the line of a ship.
fn placed(node: &Node, id: &str, fault: Fault) -> Fault {
    let span = node.nearest(id).span.clone();
    fault.at(span)
}

/// Checks a fleet file, and says how the fleet deploys.
///
/// A fleet that is written for the other end of the board is turned round by half a turn, so
/// that one file serves either seat.
///
/// # Errors
/// `illegal-fleet` with the ruling.
pub fn check_planned(field: &Field, is_first: bool, node: &Node) -> Checked<DeployedFleet> {
    let written = check_written(node)?;
    let squares: Vec<Option<Square>> = written.iter().map(|(_, at)| at.parse().ok()).collect();
    let other_end = field.deployment_ranks(!is_first);
    let is_for_other_end = squares.iter().all(|square| {
        square.is_some_and(|square| field.contains(square) && other_end.contains(&square.rank))
    });
    let mut taken: BTreeMap<Square, ShipId> = BTreeMap::new();
    let mut ships = Vec::new();
    for (id, at) in written {
        let square = match at.parse() {
            Ok(square) if is_for_other_end => field.turned(square),
            _ => check_square(field, is_first, id, &at)
                .map_err(|fault| placed(node, &id.to_string(), fault))?,
        };
        if let Some(other) = taken.insert(square, id) {
            let why = format!("{other} and {id} stand on the same square {at}");
            return Err(placed(node, &id.to_string(), illegal("TR-3", why)));
        }
        ships.push(DeployedShip { id: id.to_string(), at: square.to_string() });
    }
    Ok(DeployedFleet { ships })
}

/// Checks a fleet file without a game: the fifteen pieces, and that the ships stand on two
/// ranks, one a square.
///
/// # Errors
/// `illegal-fleet` with the ruling.
pub fn check_alone(node: &Node) -> Checked<Vec<(ShipId, Square)>> {
    let written = check_written(node)?;
    let mut found: Vec<(ShipId, Square)> = Vec::new();
    for (id, at) in written {
        let about = |why: String| placed(node, &id.to_string(), illegal("TR-3", why));
        let square: Square =
            at.parse().map_err(|()| about(format!("{id} stands on {at:?}, which is no square")))?;
        if let Some((other, _)) = found.iter().find(|(_, taken)| *taken == square) {
            return Err(about(format!("{other} and {id} stand on the same square {at}")));
        }
        found.push((id, square));
    }
    let lowest = found.iter().map(|(_, square)| square.rank).min().unwrap_or(0);
    if let Some((id, square)) = found.iter().find(|(_, square)| square.rank > lowest + 1) {
        let why = format!(
            "{id} stands on {square}; all ships stand on two neighbouring ranks, and another is on rank {}",
            lowest + 1
        );
        return Err(placed(node, &id.to_string(), illegal("TR-3", why)));
    }
    Ok(found)
}

/// Whether a tree looks like a fleet file of this game.
#[must_use]
pub fn is_fleet_file(node: &Node) -> bool {
    matches!(&node.value, Value::Table(table) if table.entries.iter().any(|entry| entry.key.parse::<ShipId>().is_ok()))
}

/// A fleet file drawn from random bytes: the pieces shuffled and cut into ships, the ships
/// set down anywhere on the side's two ranks.
pub(super) fn random_fleet(field: &Field, is_first: bool, entropy: &[u8; 32]) -> Checked<Node> {
    let mut stream = ChaCha20Rng::from_seed(*entropy);
    let mut below = |limit: usize| {
        let limit = u32::try_from(limit.max(1)).unwrap_or(1);
        loop {
            let word = stream.next_u32();
            if word < u32::MAX / limit * limit {
                return (word % limit) as usize;
            }
        }
    };
    let mut pieces: Vec<u32> =
        SIZES.iter().flat_map(|(size, _)| std::iter::repeat_n(*size, PIECES_A_SIZE)).collect();
    let mut squares: Vec<Square> = field
        .deployment_ranks(is_first)
        .into_iter()
        .flat_map(|rank| (0..field.width()).map(move |file| Square { file, rank }))
        .collect();
    let mut fleet: BTreeMap<String, String> = BTreeMap::new();
    let mut count: BTreeMap<Class, u8> = BTreeMap::new();
    while !pieces.is_empty() {
        let size = (below(3) + 1).min(pieces.len());
        let mut digits: Vec<u32> = (0..size).map(|_| pieces.swap_remove(below(pieces.len()))).collect();
        digits.sort_unstable();
        let digits: String = digits.iter().map(u32::to_string).collect();
        let class = Class::of(&format!("{digits:0>3}"))
            .ok_or_else(|| Fault::new(Code::Internal, "pieces that make no class"))?;
        let number = count.entry(class).or_insert(0);
        let id = ShipId { class, number: *number };
        *number += 1;
        fleet.insert(id.to_string(), squares.swap_remove(below(squares.len())).to_string());
    }
    tree(&PlannedFleet(fleet))
}
