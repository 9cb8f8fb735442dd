//! The signing journal: what an identity has signed, so that it never contradicts itself.
//!
//! A forked game file could make a player sign two different orders at one head, or open
//! one nonce for two rolls. The journal remembers every order before anybody sees it, and
//! says what may be signed next.

use serde::{Deserialize, Serialize};

use super::order::SignedOrder;
use crate::document::{Node, Table, Value, heading, parse, read, toml_text, tree};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{GameId, Head, PublicKey, Seat};

/// A game that was taken up without a journal of its past, at a head the players agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adopted {
    /// The game.
    pub game: GameId,
    /// The head.
    pub head: Head,
}

/// A fleet that was sealed and that no key finds again. It is secret until it is opened.
#[derive(Clone)]
pub struct KeptFleet {
    game: GameId,
    seat: Seat,
    fleet: Node,
}

impl std::fmt::Debug for KeptFleet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeptFleet({} in {}, kept)", self.seat, self.game)
    }
}

/// What one identity has signed.
#[derive(Clone, Debug)]
pub struct Journal {
    key: PublicKey,
    adopted: Vec<Adopted>,
    orders: Vec<SignedOrder>,
    fleets: Vec<KeptFleet>,
}

/// What an identity wants to sign.
#[derive(Clone, Copy, Debug)]
pub struct Intent<'a> {
    /// The game.
    pub game: GameId,
    /// The head to be answered.
    pub after: Head,
    /// How many steps have closed there.
    pub step: u64,
    /// The action.
    pub action: &'a str,
    /// Its table.
    pub details: &'a Node,
    /// Whether it offers a draw.
    pub draw: bool,
}

/// What became of an order that was signed before, in the copy of the game at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stands, or the same decision does.
    Stands,
    /// Its branch is void: the arbiter or a better order took precedence.
    Void,
    /// It stands nowhere here, and nothing says why.
    Lost,
}

impl Journal {
    /// An empty journal.
    #[must_use]
    pub const fn new(key: PublicKey) -> Self {
        Self { key, adopted: Vec::new(), orders: Vec::new(), fleets: Vec::new() }
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// The file is no journal of this key.
    pub fn parse(text: &str, key: PublicKey) -> Checked<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Plain {
            key: PublicKey,
            #[serde(default)]
            adopted: Vec<Adopted>,
        }
        let mut node = parse(text)?;
        let mut orders = Vec::new();
        if let Value::Table(table) = &mut node.value
            && let Some(entry) = table.take("order")
        {
            let Value::List(list) = &entry.node.value else {
                return Err(Fault::new(Code::WrongValue, "orders stand under [[order]]").at(entry.key_span));
            };
            orders = list.iter().map(SignedOrder::read).collect::<Checked<_>>()?;
        }
        let mut fleets = Vec::new();
        if let Value::Table(table) = &mut node.value
            && let Some(entry) = table.take("fleet")
        {
            let Value::List(list) = &entry.node.value else {
                return Err(Fault::new(Code::WrongValue, "fleets stand under [[fleet]]").at(entry.key_span));
            };
            fleets = list.iter().map(read_fleet).collect::<Checked<_>>()?;
        }
        let plain: Plain = read(&node)?;
        if plain.key != key {
            return Err(Fault::new(Code::BadIdentity, "this journal is of another key")
                .at(node.nearest("key").span.clone()));
        }
        Ok(Self { key, adopted: plain.adopted, orders, fleets })
    }

    /// Writes the journal.
    ///
    /// # Errors
    /// `internal` only.
    pub fn to_toml(&self) -> Checked<String> {
        let mut top = Table::default();
        top.push("key", tree(&self.key)?);
        let mut text = toml_text(&top, "");
        let adopted = self.adopted.iter().map(|adopted| Ok(("adopted", tree(adopted)?)));
        let orders = self.orders.iter().map(|order| Ok(("order", order.written())));
        let fleets = self.fleets.iter().map(|kept| Ok(("fleet", kept.written())));
        for part in adopted.chain(fleets).chain(orders) {
            let (path, node) = part?;
            if let Some(table) = node.as_table() {
                text.push('\n');
                text.push_str(&heading(path, true));
                text.push_str(&toml_text(table, path));
            }
        }
        Ok(text)
    }

    /// Takes a game up at a head that the players have compared.
    pub fn adopt(&mut self, game: GameId, head: Head) {
        self.adopted.push(Adopted { game, head });
    }

    /// Notes an order. It has to be on disk before anybody sees the order.
    pub fn note(&mut self, order: SignedOrder) {
        self.orders.push(order);
    }

    /// Keeps a fleet that was sealed. It has to be on disk before anybody sees the order.
    pub fn keep_fleet(&mut self, game: GameId, seat: &Seat, fleet: Node) {
        self.fleets.push(KeptFleet { game, seat: seat.clone(), fleet });
    }

    /// The fleet that was sealed for a seat of a game, as it will be opened.
    #[must_use]
    pub fn kept_fleet(&self, game: GameId, seat: &Seat) -> Option<&Node> {
        self.fleets.iter().rev().find(|kept| kept.game == game && kept.seat == *seat).map(|kept| &kept.fleet)
    }

    /// All orders, in the order in which they were signed.
    pub fn all(&self) -> impl Iterator<Item = &SignedOrder> {
        self.orders.iter()
    }

    /// The orders that were signed in a game.
    pub fn of_game(&self, game: GameId) -> impl Iterator<Item = &SignedOrder> {
        self.orders.iter().filter(move |signed| signed.order().game == game)
    }

    /// Says whether an order may be signed; if it was signed before, that one is given back.
    ///
    /// `fate` tells what became of an earlier order in the copy at hand, `on_chain` whether
    /// a head is one of its heads.
    ///
    /// # Errors
    /// `journal-forbids`, with the reason.
    pub fn permit(
        &self,
        intent: &Intent<'_>,
        fate: impl Fn(&SignedOrder) -> Fate,
        on_chain: impl Fn(&Head) -> bool,
    ) -> Checked<Option<SignedOrder>> {
        let adopted: Vec<&Adopted> =
            self.adopted.iter().filter(|adopted| adopted.game == intent.game).collect();
        if self.of_game(intent.game).next().is_none() && adopted.is_empty() && intent.step > 0 {
            return Err(Fault::new(
                Code::JournalForbids,
                "this computer has no journal of what you signed in this game, so a changed copy could make you sign twice",
            )
            .help(format!(
                "ask the others for the first digits of their head; if they are {}, add: --head {}",
                intent.after.by_eye(),
                intent.after.to_string().get(..8).unwrap_or_default()
            )));
        }
        if let Some(adopted) = adopted.iter().find(|adopted| !on_chain(&adopted.head)) {
            return Err(Fault::new(
                Code::JournalForbids,
                format!(
                    "you took this game up at the head {}, which this copy does not have",
                    adopted.head.by_eye()
                ),
            )
            .help("ask the others for their copy of the game file, and apply that"));
        }
        let mut same = None;
        for signed in self.of_game(intent.game) {
            let order = signed.order();
            let is_same = order.action == intent.action
                && order.details() == intent.details
                && order.draw == intent.draw;
            if order.after == intent.after {
                if is_same {
                    same = Some(signed.clone());
                    continue;
                }
                if order.seat.is_arbiter() {
                    if may_stand_beside(signed, intent) {
                        continue;
                    }
                    return Err(other_entry(signed, intent));
                }
                return Err(Fault::new(
                    Code::JournalForbids,
                    format!(
                        "you have signed another order for this step already: [{}] on {}",
                        order.action,
                        order.time.for_people()
                    ),
                )
                .help("a signed order cannot be changed; send that one with `sealed order --again`"));
            }
            // Whatever this copy says of the later entry: it may be a backup from before it.
            if order.seat.is_arbiter() && intent.step < order.step {
                return Err(Fault::new(
                    Code::JournalForbids,
                    format!(
                        "you entered a [{}] in step {} on {}, and this copy of the game is only at step {}: an arbiter enters nothing after a head that is older than that of its own latest entry (protocol, section 7)",
                        order.action,
                        order.step,
                        order.time.for_people(),
                        intent.step
                    ),
                )
                .help("this copy is old: ask the players for theirs, and apply it and the file of your latest entry"));
            }
            if opens_same_nonce(order.details(), intent.details) {
                return Err(Fault::new(
                    Code::JournalForbids,
                    "this order would open a nonce that you have opened at another head; whoever has both could foresee dice",
                )
                .help("ask the others (or the arbiter) which copy of the game holds"));
            }
            if fate(signed) == Fate::Lost {
                return Err(Fault::new(
                    Code::JournalForbids,
                    format!("in step {} you signed a [{}] that this copy of the game does not have: it is another branch", order.step, order.action),
                )
                .help("apply the order file that you sent then, or ask the others for their copy; do not sign on this one"));
            }
        }
        Ok(same)
    }

    /// The order that was signed for a head, to be sent again; of an arbiter's entries there
    /// the latest.
    #[must_use]
    pub fn signed_for(&self, game: GameId, after: &Head) -> Option<&SignedOrder> {
        self.of_game(game).filter(|signed| signed.order().after == *after).last()
    }
}

impl KeptFleet {
    fn written(&self) -> Node {
        let mut table = Table::default();
        table.push("game", self.game.to_string());
        table.push("seat", self.seat.as_str());
        table.push("fleet", self.fleet.clone());
        table.into()
    }
}

/// Reads `game`, `seat` and `fleet`; what a fleet looks like is for its game.
fn read_fleet(node: &Node) -> Checked<KeptFleet> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain {
        game: GameId,
        seat: Seat,
    }
    let mut rest = node.as_table().cloned().unwrap_or_default();
    let fleet = rest.take("fleet").ok_or_else(|| {
        Fault::new(Code::MissingKey, "the key \"fleet\" is missing here").at(node.span.clone())
    })?;
    let plain: Plain = read(&Node { span: node.span.clone(), value: Value::Table(rest) })?;
    Ok(KeptFleet { game: plain.game, seat: plain.seat, fleet: fleet.node })
}

/// Whether an arbiter's new entry has a place of its own beside an earlier one at the same
/// head: each forfeited seat is a decision of its own, and so is the ruling. After a ruling
/// nothing is left to be forfeited.
fn may_stand_beside(before: &SignedOrder, intent: &Intent<'_>) -> bool {
    let seat = |details: &Node| details.nearest("seat").as_text().map(str::to_owned);
    before.order().action == "forfeit"
        && (intent.action == "ruling" || seat(before.order().details()) != seat(intent.details))
}

/// The refusal of an arbiter's second entry for a place that it has filled.
fn other_entry(before: &SignedOrder, intent: &Intent<'_>) -> Fault {
    let said = before.order();
    let what = match said.details().nearest("seat").as_text() {
        Some(seat) if said.action == "forfeit" => format!("[forfeit] of {seat}"),
        _ => format!("[{}]", said.action),
    };
    let why = if said.action == intent.action {
        format!("you have signed another {what} for this step already, on {}", said.time.for_people())
    } else {
        format!(
            "you have signed a {what} for this step already, on {}, which ends the game",
            said.time.for_people()
        )
    };
    let again = if said.action == "ruling" { "rule" } else { "forfeit" };
    Fault::new(Code::JournalForbids, why)
        .help(format!("a signed entry cannot be changed; send that one with `sealed {again} --again`"))
}

fn opens_same_nonce(before: &Node, now: &Node) -> bool {
    let nonce = |details: &Node| {
        let dice = details.as_table().and_then(|table| table.get("dice"))?;
        dice.as_table().and_then(|table| table.get("nonce")).and_then(Node::as_text).map(str::to_owned)
    };
    nonce(before).is_some_and(|before| Some(before) == nonce(now))
}
