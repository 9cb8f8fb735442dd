//! What an explanation says, before it is told: the same for people and for programs.

use serde::Serialize;
use serde_json::Value;

use crate::games::{Chart, Rule};

/// One step that closed.
#[derive(Clone, Debug, Serialize)]
pub struct StepFacts {
    /// The game's name.
    pub game: String,
    /// What people call the game that is played.
    pub title: &'static str,
    /// The game id.
    pub id: String,
    /// The step's number.
    pub step: u64,
    /// The head that its orders answer.
    pub after: String,
    /// The head that it made.
    pub head: String,
    /// The phase that it closed.
    pub phase: &'static str,
    /// What was awaited, in words.
    pub awaited: &'static str,
    /// From whom.
    pub awaited_from: Vec<String>,
    /// The board before it, drawn in lines; none before play begins.
    pub board: Vec<String>,
    /// What was known of the ships then, a table a seat.
    pub fleets: Vec<Chart>,
    /// The entries that closed it.
    pub orders: Vec<OrderFacts>,
    /// The proofs among them.
    pub proofs: Vec<ProofFacts>,
    /// What happened, in order.
    pub events: Vec<EventFacts>,
    /// The numbers behind it, in tables.
    pub charts: Vec<Chart>,
    /// What was opened in the step.
    pub openings: Vec<Opening>,
    /// What was opened before and counted here.
    pub earlier: Vec<Opening>,
    /// What was sealed in the step.
    pub seals: Vec<SealFacts>,
    /// The shares of entropy that the dice were rolled from.
    pub nonces: Vec<NonceFacts>,
    /// The dice.
    pub dice: Vec<DieFacts>,
    /// Every rule that decided something, in its own words.
    pub rules: Vec<Rule>,
    /// The commands that check it.
    pub checks: Vec<Check>,
}

/// A proof in the place of a seat's order.
#[derive(Clone, Debug, Serialize)]
pub struct ProofFacts {
    /// Whose place it takes.
    pub seat: String,
    /// The two orders that contradict each other.
    pub orders: Vec<OrderFacts>,
}

/// One signed entry of a game.
#[derive(Clone, Debug, Serialize)]
pub struct OrderFacts {
    /// Who signed: a seat, or `arbiter`.
    pub seat: String,
    /// The person's name in the header.
    pub name: String,
    /// The public key that the header has for it.
    pub key: String,
    /// Its first digits, for comparing by eye.
    pub fingerprint: String,
    /// The action.
    pub action: String,
    /// The step that it says.
    pub step: u64,
    /// The head that it answers.
    pub after: String,
    /// Its digest.
    pub digest: String,
    /// When it was written, by its sender's clock.
    pub time: String,
    /// The same for people.
    #[serde(skip)]
    pub time_told: String,
    /// Whether it offers a draw.
    pub draw: bool,
    /// What it says to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub press: Option<String>,
    /// The reason that it gives: entries of the arbiter have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whose place an entry of the arbiter takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_of: Option<String>,
}

/// One thing that happened.
#[derive(Clone, Debug, Serialize)]
pub struct EventFacts {
    /// Its kind.
    pub kind: &'static str,
    /// The telling.
    pub told: Vec<String>,
    /// The same as values.
    pub facts: Value,
    /// The numbers of the rules that decided it.
    pub rules: Vec<&'static str>,
}

/// A place in the game: which order, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The step.
    pub step: u64,
    /// Who signed the order.
    pub seat: String,
    /// Its action.
    pub action: String,
    /// Its digest.
    pub order: String,
    /// The key in it, like `deploy.fleet.cruiser.secondary`.
    pub at: String,
}

/// Something sealed that is open.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// Whose.
    pub seat: String,
    /// What, like `secondary cruiser`.
    pub slot: String,
    /// What it turned out to be.
    pub value: Value,
    /// The same in words.
    #[serde(skip)]
    pub told: String,
    /// The salt, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// What had been sealed.
    pub commitment: String,
    /// Where it was sealed.
    pub sealed: Option<Place>,
    /// Where it was opened.
    pub opened: Option<Place>,
    /// The bytes whose digest the commitment is.
    pub preimage: String,
}

/// A commitment that a step brought.
#[derive(Clone, Debug, Serialize)]
pub struct SealFacts {
    /// Whose.
    pub seat: String,
    /// Of what.
    pub slot: String,
    /// The commitment.
    pub commitment: String,
    /// In which step it has been opened since.
    pub opened_in: Option<u64>,
}

/// A share of the entropy behind dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NonceFacts {
    /// Whose.
    pub seat: String,
    /// The nonce.
    pub nonce: String,
    /// Where it was opened.
    pub opened: Option<Place>,
}

/// A die.
#[derive(Clone, Debug, Serialize)]
pub struct DieFacts {
    /// Which.
    pub label: String,
    /// How many sides it has.
    pub sides: u32,
    /// What it shows.
    pub value: u32,
    /// Its key.
    pub key: String,
    /// The words of the keystream: those that are skipped, then the one that counts.
    pub words: Vec<u32>,
    /// The bytes whose digest the key is.
    pub preimage: String,
}

/// Commands for a shell, and what they print.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What they check.
    pub what: String,
    /// The lines to type.
    pub lines: Vec<String>,
    /// The lines that they print.
    pub prints: Vec<String>,
}

/// How far an order has come: one question of the protocol.
#[derive(Clone, Debug, Serialize)]
pub struct StageFacts {
    /// `understood`, `verified`, `placed` or `legal`.
    pub stage: &'static str,
    /// What it is called for people.
    #[serde(skip)]
    pub told: &'static str,
    /// The answer.
    pub answer: Answer,
    /// What is asked, in the protocol's words.
    pub question: String,
}

/// The answer to such a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The order passes.
    Yes,
    /// It does not.
    No,
    /// The file does not hold what would be needed to say.
    CannotBeSaid,
    /// An earlier question was answered with no.
    NotAsked,
}

/// Why an order is not taken.
#[derive(Clone, Debug, Serialize)]
pub struct FaultFacts {
    /// The code.
    pub code: &'static str,
    /// What was seen.
    pub message: String,
    /// What the code means.
    pub meaning: &'static str,
    /// What to do.
    pub help: String,
    /// The rule behind it, in its own words.
    pub rule: Option<Rule>,
    /// The line in the text, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// That line.
    pub source: Option<String>,
}

/// A legal order.
#[derive(Clone, Debug, Serialize)]
pub struct LegalFacts {
    /// Whose.
    pub seat: String,
    /// What to type.
    pub command: String,
    /// What it would be.
    pub remark: String,
}

/// The position that an order answers.
#[derive(Clone, Debug, Serialize)]
pub struct PositionFacts {
    /// How many steps have closed there.
    pub step: u64,
    /// Its head.
    pub head: String,
    /// Whether it is the newest of this file.
    pub newest: bool,
    /// What is awaited there.
    pub phase: &'static str,
    /// The same in words.
    pub awaited: &'static str,
    /// From whom.
    pub awaited_from: Vec<String>,
    /// What would be legal there: orders that need a decision, as they are typed.
    pub legal: Vec<LegalFacts>,
    /// Further tables on what is possible there.
    pub charts: Vec<Chart>,
}

/// One order that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct OrderLookedAt {
    /// The text it came with.
    pub from: String,
    /// What it is, in a few words.
    pub what: String,
    /// What it says, as far as that was understood.
    pub order: Option<OrderFacts>,
    /// The questions of the protocol, in order.
    pub stages: Vec<StageFacts>,
    /// `accepted`, `known`, `waiting` or `refused`.
    pub verdict: &'static str,
    /// The verdict in a sentence.
    pub verdict_told: String,
    /// Why it is not taken.
    pub fault: Option<FaultFacts>,
    /// The position that it answers, if this file has it.
    pub position: Option<PositionFacts>,
    /// From whom entries that are missing can come.
    pub missing_from: Vec<String>,
    /// What is not known, in a sentence.
    pub missing_told: Option<String>,
}
