//! Proofs of equivocation: two orders of one seat that contradict each other.
//!
//! A proof needs no signature: the two orders in it bear one each. Two orders contradict
//! each other in one of two ways (protocol, "Equivocation and proofs"):
//!
//! 1. Both answer one head, and differ in more than time and press.
//! 2. One answers a head, and the other the head that another seat's claim made of it: the
//!    seat moved where it had accepted that the step closed by the claim. Here the claim is
//!    the chain between them, and stands in the proof.
//!
//! That both orders were legal where they stand only a game can say.

use std::sync::Arc;

use super::header::Header;
use super::order::{SignedOrder, Verified};
use super::step::close_step;
use crate::document::{Node, Table, Value, read_part, toml_text};
use crate::fault::{Checked, Code, Fault, Span};
use crate::ident::{GameId, Head, OrderDigest, Seat};

/// The name of the table that makes an entry a proof.
pub(super) const PROOF: &str = "proof";
const PLACE: [&str; 3] = ["game", "after", "step"];
const LISTS: [&str; 3] = ["orders", "claim", "built"];

/// Where an entry of the game file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    game: GameId,
    after: Head,
    step: u64,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Accused {
    seat: Seat,
}

/// What a `[proof]` table holds: whole orders, which are understood and not verified yet.
#[derive(Clone, Debug)]
pub struct Accusation {
    seat: Seat,
    pair: [SignedOrder; 2],
    claim: Option<SignedOrder>,
    built: Vec<SignedOrder>,
    span: Span,
}

impl Accusation {
    /// Reads the table `[proof]`: `seat`, `orders`, and where they are needed `claim` and `built`.
    ///
    /// # Errors
    /// A key that no proof has, a missing one, not two orders, or what is wrong with an order.
    pub fn read(node: &Node) -> Checked<Self> {
        let span = node.span.clone();
        let table = node.as_table().ok_or_else(|| {
            Fault::new(Code::WrongValue, "proof is no table, which begins with [proof]").at(span.clone())
        })?;
        known_keys(table, &["seat", "orders", "claim", "built"])?;
        let Accused { seat } = read_part(node, &["seat"])?;
        let of_list = |key: &str| -> Checked<Vec<SignedOrder>> {
            match table.get(key).map(|node| (&node.value, &node.span)) {
                None => Ok(Vec::new()),
                Some((Value::List(list), _)) => list.iter().map(SignedOrder::read).collect(),
                Some((_, span)) => {
                    Err(Fault::new(Code::WrongValue, format!("{key} is no list of orders")).at(span.clone()))
                }
            }
        };
        let orders = of_list("orders")?;
        let pair: [SignedOrder; 2] = orders.try_into().map_err(|orders: Vec<_>| {
            Fault::new(Code::WrongValue, format!("a proof has two orders; here are {}", orders.len()))
                .at(node.nearest("orders").span.clone())
        })?;
        let claim = table.get("claim").map(SignedOrder::read).transpose()?;
        Ok(Self { seat, pair, claim, built: of_list("built")?, span })
    }

    /// Checks every order of the proof, and that the two contradict each other.
    ///
    /// # Errors
    /// What is wrong with an order, or `no-proof`: the two orders prove nothing.
    pub fn verify(self, header: &Header) -> Checked<Proven> {
        let span = self.span;
        let verified = |signed: SignedOrder| {
            let whole = signed.span();
            signed.verify(header).map_err(|fault| fault.at(whole))
        };
        let [one, other] = self.pair;
        let claim = self.claim.map(verified).transpose()?;
        let built = self.built.into_iter().map(verified).collect::<Checked<Vec<_>>>()?;
        let proven = Proven::new(verified(one)?, verified(other)?, claim)
            .map_err(|fault| fault.at(span.clone()))?
            .with_built(built);
        if *proven.seat() != self.seat {
            return Err(Fault::new(
                Code::NoProof,
                format!("the proof names {}, but its orders are signed by {}", self.seat, proven.seat()),
            )
            .at(span));
        }
        Ok(proven)
    }
}

fn known_keys(table: &Table, known: &[&str]) -> Checked<()> {
    match table.entries.iter().find(|entry| !known.contains(&&*entry.key)) {
        Some(entry) => {
            Err(Fault::new(Code::UnknownKey, format!("the key {:?} is not known in a proof", entry.key))
                .help(format!("the keys known here are: {}; a proof is not signed", known.join(", ")))
                .at(entry.key_span.clone()))
        }
        None => Ok(()),
    }
}

/// A `[proof]` entry of a game file that was understood: its orders are not verified yet.
#[derive(Clone, Debug)]
pub struct ProofEntry {
    place: Place,
    accusation: Accusation,
    span: Span,
}

impl ProofEntry {
    /// Reads an entry with exactly `game`, `after`, `step` and `[proof]`.
    ///
    /// # Errors
    /// A key that no proof has, a missing one, or what is wrong with an order.
    pub fn read(node: &Node) -> Checked<Self> {
        if let Some(table) = node.as_table() {
            known_keys(table, &["game", "after", "step", PROOF])?;
        }
        let place: Place = read_part(node, &PLACE)?;
        let accusation = Accusation::read(node.nearest(PROOF))?;
        Ok(Self { place, accusation, span: node.span.clone() })
    }

    /// The game that it is of.
    #[must_use]
    pub const fn game(&self) -> GameId {
        self.place.game
    }

    /// The head that the entry answers.
    #[must_use]
    pub const fn after(&self) -> Head {
        self.place.after
    }

    /// How many steps had closed there.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.place.step
    }

    /// Where the entry stood in its text.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// Checks the proof, and that it is of this game.
    ///
    /// # Errors
    /// `wrong-game`, what is wrong with an order, or `no-proof`.
    pub fn verify(self, header: &Header) -> Checked<Proven> {
        if self.place.game != header.id() {
            return Err(Fault::new(
                Code::WrongGame,
                format!("this proof is of the game {}; this game is {}", self.place.game, header.id()),
            )
            .at(self.span));
        }
        Ok(self.accusation.verify(header)?.placed(self.place.after, self.place.step))
    }
}

#[derive(Debug)]
struct Inner {
    game: GameId,
    /// The two orders, the smaller digest first.
    pair: [Verified; 2],
    claim: Option<Verified>,
    built: Vec<Verified>,
    after: Head,
    step: u64,
}

/// Two genuine orders of one seat that contradict each other. Whether both were legal where
/// they stand is not known yet.
#[derive(Clone, Debug)]
pub struct Proven(Arc<Inner>);

impl Proven {
    /// Makes a proof of two orders, placed where the branches part. `claim` is the claim
    /// between them, where they do not answer the same head.
    ///
    /// # Errors
    /// `no-proof`: they do not contradict each other.
    pub fn new(one: Verified, other: Verified, claim: Option<Verified>) -> Checked<Self> {
        let (a, b) = (one.order(), other.order());
        let nothing = |why: String| Err(Fault::new(Code::NoProof, why));
        if a.seat != b.seat {
            return nothing(format!("the orders are of two seats, {} and {}", a.seat, b.seat));
        }
        if a.seat.is_arbiter() {
            return nothing("the orders are the arbiter's, who decides and does not play".to_owned());
        }
        let is_claim_between = |claim: &Verified| {
            let made = close_step(&claim.order().after, &[claim.digest()]);
            let at = claim.order().after;
            claim.order().seat != a.seat
                && ((a.after == at && b.after == made) || (b.after == at && a.after == made))
        };
        match &claim {
            None if a.after != b.after => {
                return nothing(format!(
                    "the orders answer two heads, {} and {}, and no claim leads from one to the other",
                    a.after.by_eye(),
                    b.after.by_eye()
                ));
            }
            None if one.same_decision(&other) => {
                return nothing("the two orders decide the same; only time or press differ".to_owned());
            }
            Some(claim) if !is_claim_between(claim) => {
                return nothing("the claim does not lead from one order's head to the other's".to_owned());
            }
            _ => {}
        }
        let game = a.game;
        let first = claim.as_ref().unwrap_or(&one).order();
        let (after, step) = (first.after, first.step);
        let mut pair = [one, other];
        pair.sort_by_key(Verified::digest);
        Ok(Self(Arc::new(Inner { game, pair, claim, built: Vec::new(), after, step })))
    }

    /// The same proof with the orders that show that others have built on both branches.
    #[must_use]
    pub fn with_built(&self, mut built: Vec<Verified>) -> Self {
        built.sort_by_key(|order| (order.order().step, order.digest()));
        built.dedup_by_key(|order| order.digest());
        Self(Arc::new(Inner { built, ..self.parts() }))
    }

    /// The same proof as it stands at a head.
    #[must_use]
    pub fn placed(&self, after: Head, step: u64) -> Self {
        Self(Arc::new(Inner { after, step, ..self.parts() }))
    }

    fn parts(&self) -> Inner {
        let Inner { game, pair, claim, built, after, step } = &*self.0;
        Inner {
            game: *game,
            pair: pair.clone(),
            claim: claim.clone(),
            built: built.clone(),
            after: *after,
            step: *step,
        }
    }

    /// Whom it convicts.
    #[must_use]
    pub fn seat(&self) -> &Seat {
        let [one, _] = &self.0.pair;
        &one.order().seat
    }

    /// The two orders, the smaller digest first.
    #[must_use]
    pub fn pair(&self) -> &[Verified; 2] {
        &self.0.pair
    }

    /// The claim between the two orders, where they do not answer the same head.
    #[must_use]
    pub fn claim(&self) -> Option<&Verified> {
        self.0.claim.as_ref()
    }

    /// The orders that show that others have built on more than one branch.
    #[must_use]
    pub fn built(&self) -> &[Verified] {
        &self.0.built
    }

    /// The head where the branches part.
    #[must_use]
    pub fn fork(&self) -> Head {
        let [one, _] = &self.0.pair;
        self.claim().unwrap_or(one).order().after
    }

    /// How many steps had closed where the branches part.
    #[must_use]
    pub fn fork_step(&self) -> u64 {
        let [one, _] = &self.0.pair;
        self.claim().unwrap_or(one).order().step
    }

    /// The head that the entry answers.
    #[must_use]
    pub fn after(&self) -> Head {
        self.0.after
    }

    /// How many steps had closed there.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.0.step
    }

    /// What it counts as in its step: the two digests, ascending.
    #[must_use]
    pub fn digests(&self) -> [OrderDigest; 2] {
        let [one, other] = &self.0.pair;
        [one.digest(), other.digest()]
    }

    /// Every order that the proof holds.
    pub fn orders(&self) -> impl Iterator<Item = &Verified> {
        self.0.pair.iter().chain(&self.0.claim).chain(&self.0.built)
    }

    /// The table `[proof]` as it is written.
    #[must_use]
    pub fn accusation(&self) -> Table {
        let list = |orders: &[Verified]| orders.iter().map(Verified::written).collect::<Vec<Node>>();
        let [orders, claim, built] = LISTS;
        let mut table = Table::default();
        table.push("seat", self.seat().as_str());
        table.push(orders, list(&self.0.pair));
        if let Some(order) = self.claim() {
            table.push(claim, order.written());
        }
        if !self.0.built.is_empty() {
            table.push(built, list(&self.0.built));
        }
        table
    }

    /// The entry as a tree in the order in which it is written.
    #[must_use]
    pub fn written(&self) -> Node {
        let mut table = Table::default();
        table.push("game", self.0.game.to_string());
        table.push("after", self.0.after.to_string());
        table.push("step", self.0.step);
        table.push(PROOF, self.accusation());
        table.into()
    }

    /// The entry as TOML text.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.written().as_table().map(|table| toml_text(table, "")).unwrap_or_default()
    }
}
