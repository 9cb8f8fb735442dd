//! The options of a game: the size of the field, its terrain, how ranges are read.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field::{Field, MOST_FILES, MOST_RANKS, Square};
use super::position::Reach;
use crate::document::{Node, Table, Value, read, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::frame::chosen_number;
use crate::log::Header;

/// The fewest files of a field (TR-3).
const FEWEST_FILES: u64 = 15;
/// The fewest ranks of a field (TR-3).
const FEWEST_RANKS: u64 = 25;
/// The most quiet turns that a game can ask for.
const MOST_QUIET_TURNS: u64 = 1000;
/// The most days that a step may take.
const MOST_DAYS: u64 = 365;

/// The options of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// How many files the field has: 15 to 26 (TR-3).
    #[schemars(range(min = 15, max = 26))]
    pub width: u64,
    /// How many ranks it has: 25 to 99 (TR-3).
    #[schemars(range(min = 25, max = 99))]
    pub length: u64,
    /// How ranges are read (TR-9).
    pub reach: Reach,
    /// After how many quiet turns the draw may be claimed; 0 for never. At most 1000 (TR-17).
    #[schemars(range(max = 1000))]
    pub quiet_turns: u64,
    /// The squares with asteroids (TR-18).
    pub asteroids: Vec<String>,
    /// The pairs of squares that wormholes join (TR-18).
    pub wormholes: Vec<[String; 2]>,
    /// The days that a step may take; 0 for any number. At most 365.
    #[schemars(range(max = 365))]
    pub days_per_step: u64,
}

const KNOWN: [&str; 7] =
    ["width", "length", "reach", "quiet_turns", "asteroids", "wormholes", "days_per_step"];

/// Reads the options of a header.
///
/// # Errors
/// A wrong type or key.
pub(super) fn options(header: &Header) -> Checked<Options> {
    read(header.options())
}

fn within(what: &str, value: u64, least: u64, most: u64, rule: Option<&'static str>) -> Checked<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let mut fault =
        Fault::new(Code::BadHeader, format!("{what} = {value} is not between {least} and {most}"));
    fault.rule = rule;
    Err(fault.about(what))
}

impl Options {
    /// Checks all values and makes the field.
    ///
    /// # Errors
    /// `bad-header` with the ruling; `about` names the option.
    pub(super) fn field(&self) -> Checked<Field> {
        within("width", self.width, FEWEST_FILES, MOST_FILES.into(), Some("TR-3"))?;
        within("length", self.length, FEWEST_RANKS, MOST_RANKS.into(), Some("TR-3"))?;
        within("quiet_turns", self.quiet_turns, 0, MOST_QUIET_TURNS, Some("TR-17"))?;
        within("days_per_step", self.days_per_step, 0, MOST_DAYS, None)?;
        let size = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        let mut field = Field::open(size(self.width), size(self.length));
        let mut listed = BTreeSet::new();
        let mut terrain = |field: &Field, word: &str, path: String| {
            let bad = |why: String| Fault::new(Code::BadHeader, why).rule("TR-18").about(path.clone());
            let square: Square =
                word.parse().map_err(|()| bad(format!("{word:?} in the terrain is no square, like c5")))?;
            if !field.contains(square) {
                return Err(bad(format!("{square} in the terrain is not on this board")));
            }
            let ranks = [field.deployment_ranks(true), field.deployment_ranks(false)].concat();
            if ranks.contains(&square.rank) {
                return Err(bad(format!("{square} in the terrain lies on a deployment rank")));
            }
            if !listed.insert(square) {
                return Err(bad(format!("{square} is listed twice in the terrain")));
            }
            Ok(square)
        };
        for (place, word) in self.asteroids.iter().enumerate() {
            let square = terrain(&field, word, format!("asteroids.{place}"))?;
            field.add_asteroid(square);
        }
        for (place, [one, other]) in self.wormholes.iter().enumerate() {
            let one = terrain(&field, one, format!("wormholes.{place}.0"))?;
            let other = terrain(&field, other, format!("wormholes.{place}.1"))?;
            field.add_wormhole(one, other);
        }
        Ok(field)
    }
}

/// The options of a new game: the defaults, with what was chosen.
///
/// # Errors
/// An unknown option or value.
pub(super) fn new_options(title: &str, chosen: &BTreeMap<String, String>) -> Checked<Table> {
    if let Some(unknown) = chosen.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(Fault::new(Code::Unclear, format!("{title} has no option {unknown:?}"))
            .help(format!("its options are: {}", KNOWN.join(", "))));
    }
    let reach = match chosen.get("reach") {
        None => Reach::Between,
        Some(word) => Reach::ALL.into_iter().find(|reach| reach.as_str() == word).ok_or_else(|| {
            Fault::new(Code::Unclear, format!("reach = {word:?} is neither between nor distance"))
                .rule("TR-9")
        })?,
    };
    let listed = |key: &str| -> Vec<&str> {
        let words = chosen.get(key).into_iter().flat_map(|text| text.split(','));
        words.map(str::trim).filter(|word| !word.is_empty()).collect()
    };
    let wormholes = listed("wormholes").into_iter().map(|pair| match pair.split_once('-') {
        Some((one, other)) => Ok([one.to_owned(), other.to_owned()]),
        None => Err(Fault::new(Code::Unclear, format!("{pair:?} is no pair of squares"))
            .rule("TR-18")
            .help("write wormholes=c4-k20, several with commas between")),
    });
    let options = Options {
        width: chosen_number(chosen, "width", FEWEST_FILES)?,
        length: chosen_number(chosen, "length", FEWEST_RANKS)?,
        reach,
        quiet_turns: chosen_number(chosen, "quiet_turns", 20)?,
        asteroids: listed("asteroids").into_iter().map(str::to_owned).collect(),
        wormholes: wormholes.collect::<Checked<_>>()?,
        days_per_step: chosen_number(chosen, "days_per_step", 7)?,
    };
    options.field().map_err(|fault| Fault { code: Code::Unclear, ..fault })?;
    match tree(&options)?.value {
        Value::Table(table) => Ok(table),
        _ => Err(Fault::new(Code::Internal, "options are a table")),
    }
}

/// A fault with its place in the header's options.
pub(super) fn in_header(options: &Node, fault: Fault) -> Fault {
    let span =
        fault.path.as_deref().map_or_else(|| options.span.clone(), |path| options.nearest(path).span.clone());
    fault.at(span)
}
