//! The games, and what the rest of the house knows of a game.
//!
//! Everything outside this folder works with [`Game`] and [`State`] only. What all games
//! have in common (sealing, deploying, resigning, draws by agreement, the arbiter's
//! entries) is written once in `frame`; a game brings its own `frame::Rules`.
//!
//! A [`State`] is a position between steps. It judges an order without changing
//! ([`State::judge`]), which yields [`Legal`], a type that nothing else makes; and closing
//! a step ([`State::close`]) takes only legal orders.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::crypto::{Identity, Rolled};
use crate::document::{Node, Table};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{Fresh, SeatIndex};
use crate::log::{Entry, Header, Proven, Verified};
use crate::scene::Scene;

mod frame;
mod rulebook;
mod script;
pub mod shield_bashers;
pub mod tresurion;

pub use frame::RuledResult;
pub(crate) use frame::capital;
pub use rulebook::{PROTOCOL, Rule, Rulebook, is_ruling, passage};
pub use script::{Script, ScriptLine};

/// Which kind of order is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Fleets are sealed.
    Seal,
    /// Fleets are opened.
    Deploy,
    /// A player moves.
    Move,
    /// A player defends.
    Defend,
    /// A player gives a round.
    Round,
    /// A player opens entropy.
    Roll,
    /// A claim of a draw is answered.
    AnswerClaim,
    /// What is still sealed is opened.
    Audit,
    /// Nothing is awaited any more.
    Over,
}

impl Phase {
    /// The phase as it stands in `[position]`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Deploy => "deploy",
            Self::Move => "move",
            Self::Defend => "defend",
            Self::Round => "round",
            Self::Roll => "roll",
            Self::AnswerClaim => "answer-claim",
            Self::Audit => "audit",
            Self::Over => "over",
        }
    }
}

impl Phase {
    /// What the phase awaits, in words: `a move`.
    #[must_use]
    pub const fn awaits(self) -> &'static str {
        match self {
            Self::Seal => "a sealed fleet",
            Self::Deploy => "the opening of the fleet",
            Self::Move => "a move",
            Self::Defend => "a defence",
            Self::Round => "a round",
            Self::Roll => "a roll",
            Self::AnswerClaim => "an attack, or acceptance of the draw",
            Self::Audit => "the opening of all that is still sealed",
            Self::Over => "nothing",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a game came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A seat has won.
    Win(SeatIndex),
    /// The game is drawn.
    Draw,
    /// The game does not count; by a seat's name or `arbiter`.
    Void(String),
    /// Nobody has won.
    None,
}

/// A result, which may still rest on shields that are sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// How it came out.
    pub outcome: Outcome,
    /// Whether it may still change when seals are opened (SB-23).
    pub provisional: bool,
}

impl Ending {
    /// The result as a table: `kind`, `seat` or `by`, `provisional` where it is.
    #[must_use]
    pub fn table(&self, header: &Header) -> Table {
        let mut table = Table::default();
        let (kind, more) = match &self.outcome {
            Outcome::Win(seat) => ("win", Some(("seat", header.seat(*seat).to_string()))),
            Outcome::Draw => ("draw", None),
            Outcome::Void(by) => ("void", Some(("by", by.clone()))),
            Outcome::None => ("none", None),
        };
        table.push("kind", kind);
        if let Some((key, value)) = more {
            table.push(key, value);
        }
        if self.provisional {
            table.push("provisional", true);
        }
        table
    }

    /// The result in a sentence.
    #[must_use]
    pub fn told(&self, header: &Header) -> String {
        let result = match &self.outcome {
            Outcome::Win(seat) => format!("{} has won.", frame::capital(header.seat(*seat).as_str())),
            Outcome::Draw => "The game is drawn.".to_owned(),
            Outcome::Void(by) => format!("The game is void, by {by}."),
            Outcome::None => "Nobody has won.".to_owned(),
        };
        if self.provisional {
            format!("{result} This is provisional until the shields it rests on are open.")
        } else {
            result
        }
    }
}

/// Something that happened, told for people and noted for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What kind of thing, like `combat`: a word that stays.
    pub kind: &'static str,
    /// The telling: the first line says it, further lines explain. ASCII.
    pub told: Vec<String>,
    /// The same as values.
    pub facts: Table,
}

/// Where in a step a legal order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The order of a seat that is awaited.
    Awaited(SeatIndex),
    /// The arbiter's forfeit, in the place of this seat's order.
    InPlaceOf(SeatIndex),
    /// A proof against this seat, in the place of its order.
    Proven(SeatIndex),
    /// A claim by a seat that is not awaited; it yields to the awaited seat's order.
    Claim(SeatIndex),
    /// The arbiter's ruling, which closes the step.
    Ruling,
}

/// An entry that is allowed at one place of one game. Only [`State::judge`] and
/// [`State::judge_proof`] make it.
#[derive(Clone)]
pub struct Legal {
    entry: Entry,
    standing: Standing,
    action: Arc<dyn Any + Send + Sync>,
}

impl Legal {
    /// The verified entry.
    #[must_use]
    pub const fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The verified order, if the entry is one and no proof.
    #[must_use]
    pub const fn order(&self) -> Option<&Verified> {
        self.entry.order()
    }

    /// Where it stands in its step.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }
}

impl fmt::Debug for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Legal")
            .field("entry", &self.entry)
            .field("standing", &self.standing)
            .finish_non_exhaustive()
    }
}

/// What closing a step leads to.
#[derive(Debug)]
pub struct Closed {
    /// The position after it.
    pub state: Box<dyn State>,
    /// What happened.
    pub events: Vec<Event>,
    /// The dice that were rolled.
    pub rolls: Vec<Rolled>,
    /// The shares of the dice that were opened, in the header's order.
    pub opened: Vec<Slot>,
}

/// An order made ready: its action, and what signing it would mean.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The action's name.
    pub action: &'static str,
    /// The action's table, every opening in it.
    pub details: Node,
    /// What it does, for the player to read before signing.
    pub consequences: Vec<String>,
    /// What only the player may see before signing, like the fleet that is sealed.
    pub private: Vec<String>,
    /// A fleet that no key finds again: the journal has to keep it until it is opened.
    pub kept: Option<Node>,
}

impl Composed {
    /// An order of which nothing has to be kept.
    #[must_use]
    pub const fn new(action: &'static str, details: Node, consequences: Vec<String>) -> Self {
        Self { action, details, consequences, private: Vec::new(), kept: None }
    }
}

/// A table for people, like all targets in range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The head of the table.
    pub columns: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// What else is to be said.
    pub notes: Vec<String>,
}

/// What the events of a step rest on, for whoever checks them: see [`State::grounds`].
#[derive(Clone, Debug, Default)]
pub struct Grounds {
    /// The numbers that decided them, in tables.
    pub charts: Vec<Chart>,
    /// The shields and the like whose openings they rest on, in this step or before: the seat
    /// and the name of the [`Slot`].
    pub slots: Vec<(SeatIndex, String)>,
}

/// An order that was looked at and not signed.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// Everything that is wrong with it, with places in the script; nothing, if it is legal.
    pub faults: Vec<Fault>,
    /// What is to be said of it.
    pub told: Vec<String>,
    /// What it would lead to, in tables.
    pub charts: Vec<Chart>,
    /// The board as it would be.
    pub scene: Option<Scene>,
}

/// A legal order that a player could give now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The words after `sealed order`, like `move cruiser d4`.
    pub words: Vec<String>,
    /// What it would be, like `attacks blue's frigate`; may be empty.
    pub remark: String,
    /// Suggestions of one group share a line in a report, like all moves of one ship.
    pub group: String,
}

/// A list of one side's ships for a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetSheet {
    /// Whose.
    pub seat: SeatIndex,
    /// The head of the table.
    pub columns: Vec<&'static str>,
    /// A row a ship.
    pub rows: Vec<Vec<String>>,
    /// What else is to be said, like `out of the game`.
    pub remarks: Vec<String>,
}

/// Who looks, and with which key: for orders and for the player's own eyes.
#[derive(Clone, Copy, Debug)]
pub struct Keyholder<'a> {
    /// The seat.
    pub seat: SeatIndex,
    /// The key that signs for it.
    pub identity: &'a Identity,
    /// The fleet that it has sealed, where a journal keeps it: not every game's key finds it
    /// again.
    pub kept: Option<&'a Node>,
}

/// A position of a game between steps.
pub trait State: fmt::Debug + Send + Sync {
    /// A copy.
    fn copy(&self) -> Box<dyn State>;

    /// Which kind of order is awaited.
    fn phase(&self) -> Phase;

    /// The seats of which the open step awaits an order, in the header's order.
    fn awaited(&self) -> Vec<SeatIndex>;

    /// Judges one order for the open step. Nothing changes.
    ///
    /// # Errors
    /// Why the rules do not allow it, with the rule and what would be legal.
    fn judge(&self, order: &Verified) -> Checked<Legal>;

    /// Judges a proof for the open step, in the place of its seat's order. Whether it belongs
    /// here is not looked at: that depends on all that is known.
    ///
    /// # Errors
    /// Nothing is awaited from the seat.
    fn judge_proof(&self, proof: &Proven) -> Checked<Legal>;

    /// Closes the step with its orders: those of all awaited seats (or the forfeits and
    /// proofs in their places) in the header's order; or a claim alone; or audits and a ruling.
    ///
    /// # Errors
    /// `internal` if the orders are not those of this step.
    fn close(&self, orders: &[Legal]) -> Checked<Closed>;

    /// The position with those orders of the open step counted that count before it
    /// closes (SB-23's audits).
    fn counting(&self, open: &[Legal]) -> Box<dyn State>;

    /// What the events of the step that closes this position rest on: the numbers behind them,
    /// and what had to be open.
    fn grounds(&self, events: &[Event]) -> Grounds;

    /// The result, once there is one.
    fn ending(&self) -> Option<Ending>;

    /// The game's own part of `[position]`.
    fn position(&self) -> Table;

    /// The board.
    fn scene(&self) -> Scene;

    /// All sides' ships; with a key, the keyholder's sealed colours too.
    fn sheets(&self, own: Option<Keyholder<'_>>) -> Vec<FleetSheet>;

    /// Words on where the game stands, like the count of quiet turns.
    fn remarks(&self) -> Vec<String>;

    /// Legal orders of a seat that needs to decide, as words to type: all of them, where
    /// they can be counted.
    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion>;

    /// What a seat that has to decide wants to know, in tables.
    fn outlook(&self, seat: SeatIndex) -> Vec<Chart>;

    /// A legal order of a seat drawn from 32 random bytes: for demonstrations and tests.
    /// Nothing if no decision is awaited from it.
    fn sample(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Option<Script>;

    /// Looks at an order without signing it, and finds everything that is wrong with it.
    fn weigh(&self, by: Keyholder<'_>, script: &Script) -> Weighed;

    /// A text to begin a long order from; nothing where orders are a few words.
    ///
    /// # Errors
    /// No order is awaited from the seat.
    fn template(&self, seat: SeatIndex) -> Checked<Option<String>>;

    /// Makes the order ready that a script means: the words after `sealed order`, or a file.
    ///
    /// # Errors
    /// The script is not understood, or the order would not be legal.
    fn compose(&self, by: Keyholder<'_>, script: &Script) -> Checked<Composed>;

    /// Makes the order ready that is awaited from a seat and needs no decision: an opening
    /// of the fleet, a defence, a roll, an audit.
    ///
    /// # Errors
    /// Nothing of the kind is awaited.
    fn respond(&self, by: Keyholder<'_>) -> Checked<Composed>;

    /// Makes the sealing of a fleet ready. `fleet` is the fleet file's tree.
    ///
    /// # Errors
    /// The fleet breaks the rules, or no fleet is to be sealed now.
    fn seal(&self, by: Keyholder<'_>, fleet: &Node, fresh: Fresh) -> Checked<Composed>;

    /// A fleet drawn from 32 random bytes, as a fleet file's tree.
    ///
    /// # Errors
    /// `internal` only.
    fn random_fleet(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node>;

    /// The commitments of the position with the slots they fill and whether they are open.
    /// Shares of the dice that steps have opened before are not among them: see
    /// [`Closed::opened`].
    fn commitments(&self) -> Vec<Slot>;

    /// The promise that an opening would make, with the seat and the name of its slot, from
    /// a table with `seat`, the slot's own keys, the value and `salt`.
    ///
    /// # Errors
    /// The table names no slot of this game.
    fn promise(&self, opening: &Node) -> Checked<(SeatIndex, String, crate::crypto::Promise)>;
}

/// One commitment of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Whose.
    pub seat: SeatIndex,
    /// What it seals, like `secondary cruiser`.
    pub name: String,
    /// The commitment.
    pub commitment: crate::ident::Commitment,
    /// The bytes that opened it, once it is open.
    pub opened: Option<Vec<u8>>,
}

/// A game that can be played.
pub trait Game: Send + Sync {
    /// The rules and their version, as a header names them.
    fn rules(&self) -> &'static str;

    /// The word for it on the command line.
    fn word(&self) -> &'static str;

    /// What people call it.
    fn title(&self) -> &'static str;

    /// The names of its actions, those that all games share included.
    fn actions(&self) -> Vec<&'static str>;

    /// Checks the header's options and begins.
    ///
    /// # Errors
    /// An option that the rules do not have, or seats that they do not fit.
    fn begin(&self, header: &Arc<Header>) -> Checked<Box<dyn State>>;

    /// The options of a new game: the defaults for this many seats, with what was chosen.
    ///
    /// # Errors
    /// An unknown option or value.
    fn options(&self, seats: usize, chosen: &BTreeMap<String, String>) -> Checked<Table>;

    /// The ships that there are, as a table for who builds a fleet.
    fn ship_list(&self) -> Chart;

    /// Whether a file's tree looks like a fleet of this game.
    fn is_fleet_file(&self, file: &Node) -> bool;

    /// Checks a fleet file as far as that can be done without a game; says what it holds.
    ///
    /// # Errors
    /// The rule that the fleet breaks.
    fn check_fleet_alone(&self, file: &Node) -> Checked<Vec<String>>;

    /// The rules in words, for who wants to read what a number says.
    fn rulebook(&self) -> Rulebook;

    /// The rules that decide an event, by their numbers in [`Game::rulebook`].
    fn rules_of(&self, event: &Event) -> Vec<&'static str>;

    /// The JSON Schemas of what is this game's own: `options`, `fleet-file`, `opening` (as
    /// `sealed commitment` takes it), and one an action.
    fn schemas(&self, generator: &mut schemars::SchemaGenerator) -> BTreeMap<&'static str, schemars::Schema>;
}

/// All games, in the order in which they are listed.
#[must_use]
pub fn all() -> &'static [&'static dyn Game] {
    &[&shield_bashers::ShieldBashers, &tresurion::Tresurion]
}

/// The game that a header names.
///
/// # Errors
/// `unknown-rules`.
pub fn by_rules(rules: &str) -> Checked<&'static dyn Game> {
    all().iter().copied().find(|game| game.rules() == rules).ok_or_else(|| {
        let known: Vec<_> = all().iter().map(|game| game.rules()).collect();
        Fault::new(
            Code::UnknownRules,
            format!("the rules are {rules:?}; this program knows {}", known.join(", ")),
        )
        .help("get the version of the program that made this game")
    })
}
