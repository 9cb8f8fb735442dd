//! Orders: drafted, signed, understood, verified.

use std::sync::Arc;

use serde::Deserialize;

use super::header::{Header, sorted_for_writing};
use super::press::check_press;
use crate::crypto::{Identity, Signature, Tag, hash, preimage, verify};
use crate::document::{Node, Table, Value, read, read_part, toml_text, tree};
use crate::fault::{Checked, Code, Fault, Span};
use crate::ident::{GameId, Head, OrderDigest, Seat, Time};

/// Everything of an order but its action.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    game: GameId,
    after: Head,
    step: u64,
    seat: Seat,
    time: Time,
    press: Option<String>,
    draw: Option<bool>,
}

const ENVELOPE: [&str; 7] = ["game", "after", "step", "seat", "time", "press", "draw"];

/// The order of keys in a written order; those not named follow by the alphabet.
fn rank(key: &str) -> usize {
    const FIRST: [&str; 18] = [
        "game",
        "after",
        "step",
        "seat",
        "time",
        "press",
        "draw",
        "ship",
        "layer",
        "to",
        "at",
        "square",
        "primary",
        "secondary",
        "tertiary",
        "fresh",
        "salt",
        "fleet",
    ];
    // A salt stands behind its colour, wherever that is.
    if key == "colour" {
        return 15;
    }
    FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len())
}

/// An order as its sender means it, before it is signed: what the digest is taken of.
#[derive(Clone, Debug)]
pub struct Order {
    /// The game that it belongs to.
    pub game: GameId,
    /// The head that it answers.
    pub after: Head,
    /// How many steps had closed at that head.
    pub step: u64,
    /// Who gives it.
    pub seat: Seat,
    /// When it was written, by the sender's clock; no rule reads it.
    pub time: Time,
    /// What is said to all.
    pub press: Option<String>,
    /// Whether it offers or accepts a draw.
    pub draw: bool,
    /// The name of its one action, like `move`.
    pub action: String,
    /// The whole order as a tree, its action under the action's name.
    node: Node,
}

impl Order {
    /// The action's table.
    #[must_use]
    pub fn details(&self) -> &Node {
        self.node.nearest(&self.action)
    }

    /// Where a value stood in the text it was read from; for the nearest part that is there.
    #[must_use]
    pub fn place(&self, path: &str) -> Span {
        self.node.nearest(path).span.clone()
    }

    /// The bytes that are hashed and signed.
    #[must_use]
    pub fn preimage(&self) -> Vec<u8> {
        preimage(Tag::Order, &self.node)
    }
}

/// What is needed to make an order.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The game.
    pub game: GameId,
    /// The head to answer.
    pub after: Head,
    /// How many steps have closed.
    pub step: u64,
    /// Who gives the order.
    pub seat: Seat,
    /// When.
    pub time: Time,
    /// What is said to all, tidied.
    pub press: Option<String>,
    /// Whether a draw is offered.
    pub draw: bool,
    /// The action's name.
    pub action: String,
    /// The action's table.
    pub details: Node,
}

impl Draft {
    /// Signs the order.
    ///
    /// # Errors
    /// The press or another value will not do.
    pub fn sign(self, identity: &Identity) -> Checked<SignedOrder> {
        let mut table = Table::default();
        table.push("game", tree(&self.game)?);
        table.push("after", tree(&self.after)?);
        table.push("step", self.step);
        table.push("seat", self.seat.as_str());
        table.push("time", self.time);
        if let Some(press) = self.press.filter(|press| !press.is_empty()) {
            table.push("press", press);
        }
        if self.draw {
            table.push("draw", true);
        }
        table.push(self.action, self.details);
        let unsigned = preimage(Tag::Order, &Node::from(table.clone()));
        table.push("signature", tree(&identity.sign(&unsigned))?);
        SignedOrder::of_node(table.into())
    }
}

/// An order that was understood. That its signature is genuine is not known yet.
#[derive(Clone, Debug)]
pub struct SignedOrder {
    order: Arc<Order>,
    signature: Signature,
    span: Span,
}

impl SignedOrder {
    /// Reads an order of a document's tree.
    ///
    /// # Errors
    /// A key that no order has, a missing one, no action or more than one, a wrong value.
    pub fn read(node: &Node) -> Checked<Self> {
        Self::of_node(node.clone())
    }

    /// As [`SignedOrder::read`], for a tree that is not needed any more.
    ///
    /// # Errors
    /// As there.
    pub fn of_node(node: Node) -> Checked<Self> {
        let (envelope, signature, action) = Self::understand(&node)?;
        let span = node.span.clone();
        let mut body = node;
        if let Value::Table(table) = &mut body.value {
            table.take("signature");
        }
        let order = Order {
            game: envelope.game,
            after: envelope.after,
            step: envelope.step,
            seat: envelope.seat,
            time: envelope.time,
            press: envelope.press,
            draw: envelope.draw.unwrap_or(false),
            action,
            node: body,
        };
        Ok(Self { order: Arc::new(order), signature, span })
    }

    /// The envelope, the signature and the name of the one action.
    fn understand(node: &Node) -> Checked<(Envelope, Signature, String)> {
        let span = node.span.clone();
        let Some(table) = node.as_table() else {
            return Err(Fault::new(
                Code::WrongValue,
                format!("here stands {} where an order is needed", node.value.kind()),
            )
            .at(span));
        };
        let mut signature = None;
        let mut actions = Vec::new();
        for entry in &table.entries {
            if &*entry.key == "signature" {
                signature = Some(&entry.node);
            } else if ENVELOPE.contains(&&*entry.key) {
                // Read below, all together.
            } else if matches!(entry.node.value, Value::Table(_)) {
                actions.push(entry);
            } else {
                return Err(Fault::new(
                    Code::UnknownKey,
                    format!("the key {:?} is not known here", entry.key),
                )
                .help(format!("the keys known here are: {}, one action, signature", ENVELOPE.join(", ")))
                .at(entry.key_span.clone()));
            }
        }
        let envelope: Envelope = read_part(node, &ENVELOPE)?;
        let [action] = actions.as_slice() else {
            return Err(match actions.as_slice() {
                [] => Fault::new(Code::NoAction, "the order has no action")
                    .help("an order has exactly one, like [move]; it may have been cut off on its way"),
                [first, second, ..] => Fault::new(
                    Code::TwoActions,
                    format!("the order has two actions, [{}] and [{}]", first.key, second.key),
                )
                .help("an order has exactly one")
                .at(second.key_span.clone()),
                [_] => Fault::new(Code::Internal, "one action was counted as none"),
            }
            .at(span));
        };
        let signature = signature.ok_or_else(|| {
            Fault::new(Code::MissingKey, "the order has no [signature]")
                .help("it was not signed, or was cut off on its way; compose it with `sealed order`")
                .at(span.clone())
        })?;
        if envelope.draw == Some(false) {
            return Err(Fault::new(
                Code::WrongValue,
                "draw = false is not written; an order that offers no draw has no such key",
            )
            .at(node.nearest("draw").span.clone()));
        }
        if let Some(press) = &envelope.press {
            check_press(press).map_err(|fault| fault.at(node.nearest("press").span.clone()))?;
        }
        Ok((envelope, read(signature)?, action.key.to_string()))
    }

    /// What the order says.
    #[must_use]
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The signature as it came.
    #[must_use]
    pub const fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Where the order stood in its text.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// The digest of the order without its signature.
    #[must_use]
    pub fn digest(&self) -> OrderDigest {
        OrderDigest::new(hash(&self.order.preimage()))
    }

    /// The order as a tree in the order in which it is written.
    #[must_use]
    pub fn written(&self) -> Node {
        written(&self.order, &self.signature)
    }

    /// Checks that the order is of this game and really signed by the seat it names.
    ///
    /// # Errors
    /// `wrong-game`, `not-a-seat`, `damaged` (not even the check digits fit) or
    /// `wrong-signature` (whole, but not signed by this key).
    pub fn verify(self, header: &Header) -> Checked<Verified> {
        let order = &self.order;
        if order.game != header.id() {
            return Err(Fault::new(
                Code::WrongGame,
                format!("this order is of the game {}; this game is {}", order.game, header.id()),
            )
            .help("look for the game file that begins with that id")
            .at(order.place("game")));
        }
        let Some(key) = header.key(&order.seat) else {
            let known: Vec<_> = header.players().iter().map(|player| player.seat.as_str()).collect();
            let fault = if order.seat.is_arbiter() {
                Fault::new(Code::NotThisSeat, "this game has no arbiter")
            } else {
                Fault::new(Code::NotThisSeat, format!("{} is no seat of this game", order.seat))
                    .help(format!("its seats are: {}", known.join(", ")))
            };
            return Err(fault.at(order.place("seat")));
        };
        let preimage = order.preimage();
        let digest = OrderDigest::new(hash(&preimage));
        if !verify(key, &preimage, &self.signature) {
            let stood = self.order.node.span.clone();
            let fault = if self.signature.check == digest.check_digits() {
                Fault::new(
                    Code::WrongSignature,
                    format!(
                        "the order came through whole, but it is not signed with the key of {}",
                        order.seat
                    ),
                )
                .help(format!("ask {} whether they wrote it, and with which key", order.seat))
            } else {
                Fault::new(
                    Code::Damaged,
                    format!("the order was changed after it was signed: its check digits are {}, those of what arrived {}", self.signature.check, digest.check_digits()),
                )
                .help(format!("ask {} to send the order file itself, as an attachment; if it says the same, somebody forged it", order.seat))
            };
            return Err(fault.at(stood));
        }
        let signature = Signature { check: digest.check_digits(), ..self.signature };
        Ok(Verified(Arc::new(Inner { order: self.order, signature, digest })))
    }

    /// The order as TOML text, as it stands in an order file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.written().as_table().map(|table| toml_text(table, "")).unwrap_or_default()
    }
}

#[derive(Debug)]
struct Inner {
    order: Arc<Order>,
    signature: Signature,
    digest: OrderDigest,
}

/// An order that its seat really signed. Whether it is allowed is not known yet.
#[derive(Clone, Debug)]
pub struct Verified(Arc<Inner>);

impl Verified {
    /// What the order says.
    #[must_use]
    pub fn order(&self) -> &Order {
        &self.0.order
    }

    /// The digest of the order without its signature.
    #[must_use]
    pub fn digest(&self) -> OrderDigest {
        self.0.digest
    }

    /// The signature, with its check digits put right.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.0.signature
    }

    /// Of two signatures over one body, the order with the smaller: the one that a file keeps.
    #[must_use]
    pub fn with_smaller_signature(&self, other: &Self) -> Self {
        let halves = |order: &Self| (*order.signature().r.as_bytes(), *order.signature().s.as_bytes());
        if halves(other) < halves(self) { other.clone() } else { self.clone() }
    }

    /// Whether two orders say the same but for time and press: no contradiction between them.
    #[must_use]
    pub fn same_decision(&self, other: &Self) -> bool {
        let (a, b) = (self.order(), other.order());
        a.seat == b.seat
            && a.after == b.after
            && a.draw == b.draw
            && a.action == b.action
            && a.details() == b.details()
    }

    /// The order as a tree in the order in which it is written.
    #[must_use]
    pub fn written(&self) -> Node {
        written(&self.0.order, &self.0.signature)
    }

    /// The order as TOML text, as it stands in an order file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.written().as_table().map(|table| toml_text(table, "")).unwrap_or_default()
    }
}

fn written(order: &Order, signature: &Signature) -> Node {
    let mut node = sorted_for_writing(&order.node, &rank);
    if let (Value::Table(table), Ok(signature)) = (&mut node.value, tree(signature)) {
        table.push("signature", signature);
    }
    node
}
