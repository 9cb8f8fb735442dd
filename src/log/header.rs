//! A game's header: fixed when the game is made, hashed once, its digest the game's name.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::crypto::{SoundKey, Tag, hash, preimage};
use crate::document::{Entry, Node, Table, Value, read, tree};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{BySeat, GameId, GameNonce, PublicKey, Seat, SeatIndex, Time};

/// The only protocol that this program speaks.
pub const FORMAT: &str = "sealed-orders/1";

/// One seat and who sits there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The seat's name.
    pub seat: Seat,
    /// The player's name: 1 to 64 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,64}$"))]
    pub name: String,
    /// The player's mail address: 3 to 254 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{3,254}$"))]
    pub mail: String,
    /// The player's ed25519 public key.
    pub key: PublicKey,
}

/// A person as a card file names them: a player before a seat is given, or the arbiter, who
/// enters forfeits and rulings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The person's name: 1 to 64 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,64}$"))]
    pub name: String,
    /// The mail address: 3 to 254 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{3,254}$"))]
    pub mail: String,
    /// The ed25519 public key.
    pub key: PublicKey,
}

/// The header without its options, which belong to the game's rules.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    format: String,
    rules: String,
    name: String,
    created: Time,
    nonce: GameNonce,
    seats: Vec<Player>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arbiter: Option<Card>,
}

/// A header that was checked, with its digest.
#[derive(Clone, Debug)]
pub struct Header {
    plain: Plain,
    options: Node,
    node: Node,
    id: GameId,
    keys: BySeat<SoundKey>,
    arbiter_key: Option<SoundKey>,
}

impl Header {
    /// Reads and checks a header. The options are only required to be a table: the game's
    /// rules check them when the game begins.
    ///
    /// # Errors
    /// A wrong value, an unsound or repeated key, a repeated or reserved seat name.
    pub fn read(node: &Node) -> Checked<Self> {
        let Some(table) = node.as_table() else {
            return Err(Fault::new(
                Code::WrongValue,
                format!("here stands {} where the table [game] is needed", node.value.kind()),
            )
            .at(node.span.clone()));
        };
        let mut rest = table.clone();
        let options = rest.take("options").ok_or_else(|| {
            Fault::new(Code::MissingKey, "the table [game.options] is missing").at(node.span.clone())
        })?;
        let mut plain_node = Node { span: node.span.clone(), value: Value::Table(rest) };
        let plain: Plain = read(&plain_node)?;
        if options.node.as_table().is_none() {
            return Err(Fault::new(Code::WrongValue, "options is no table").at(options.key_span));
        }
        if let Value::Table(rest) = &mut plain_node.value {
            rest.entries.push(options.clone());
        }
        let (keys, arbiter_key) = check(&plain).map_err(|fault| {
            let span = fault.path.as_deref().map_or(&node.span, |path| &node.nearest(path).span).clone();
            fault.at(span)
        })?;
        let id = GameId::new(hash(&preimage(Tag::Game, &plain_node)));
        Ok(Self { plain, options: options.node, node: plain_node, id, keys, arbiter_key })
    }

    /// Makes the header of a new game.
    ///
    /// # Errors
    /// As for [`Header::read`].
    pub fn new(
        rules: &str,
        name: &str,
        created: Time,
        nonce: GameNonce,
        options: Table,
        seats: Vec<Player>,
        arbiter: Option<Card>,
    ) -> Checked<Self> {
        let plain = Plain {
            format: FORMAT.to_owned(),
            rules: rules.to_owned(),
            name: name.to_owned(),
            created,
            nonce,
            seats,
            arbiter,
        };
        let mut node = tree(&plain)?;
        if let Value::Table(table) = &mut node.value {
            table.push("options", options);
        }
        Self::read(&node)
    }

    /// The digest of the header: the game's name for ever.
    #[must_use]
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// The bytes whose digest is the game id.
    #[must_use]
    pub fn preimage(&self) -> Vec<u8> {
        preimage(Tag::Game, &self.node)
    }

    /// Which rules are played, with their version.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.plain.rules
    }

    /// The game's name for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.plain.name
    }

    /// When the game was made.
    #[must_use]
    pub const fn created(&self) -> Time {
        self.plain.created
    }

    /// The options of the game's rules.
    #[must_use]
    pub const fn options(&self) -> &Node {
        &self.options
    }

    /// The players, clockwise.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.plain.seats
    }

    /// How many seats there are.
    #[must_use]
    pub fn seat_count(&self) -> usize {
        self.plain.seats.len()
    }

    /// The arbiter, where there is one.
    #[must_use]
    pub const fn arbiter(&self) -> Option<&Card> {
        self.plain.arbiter.as_ref()
    }

    /// The place of a seat in the header's order.
    #[must_use]
    pub fn index(&self, seat: &Seat) -> Option<SeatIndex> {
        self.keys.seats().zip(self.players()).find(|(_, player)| player.seat == *seat).map(|(index, _)| index)
    }

    /// The name of the seat at a place.
    #[must_use]
    pub fn seat(&self, index: SeatIndex) -> &Seat {
        // A SeatIndex comes from this header, so the fallback is never reached.
        self.players()
            .get(index.place())
            .or(self.players().first())
            .map_or_else(|| unreachable_seat(), |player| &player.seat)
    }

    /// One value for each seat of this header.
    pub fn by_seat<T>(&self, make: impl FnMut(SeatIndex) -> T) -> BySeat<T> {
        BySeat::from_fn(self.seat_count(), make)
    }

    /// The key that signs for a seat, or for the arbiter.
    #[must_use]
    pub fn key(&self, seat: &Seat) -> Option<&SoundKey> {
        if seat.is_arbiter() {
            return self.arbiter_key.as_ref();
        }
        self.index(seat).map(|index| &self.keys[index])
    }

    /// The seat (or the arbiter) that a key signs for.
    #[must_use]
    pub fn seat_of(&self, key: &PublicKey) -> Option<Seat> {
        let player =
            self.players().iter().find(|player| player.key == *key).map(|player| player.seat.clone());
        player.or_else(|| self.arbiter().filter(|arbiter| arbiter.key == *key).map(|_| Seat::arbiter()))
    }

    /// The header as a tree in the order in which it is written: `[game]`, `[game.options]`,
    /// `[[game.seats]]`, `[game.arbiter]`.
    #[must_use]
    pub const fn node(&self) -> &Node {
        &self.node
    }

    /// The days that a step may take, 0 for any number (option `days_per_step`).
    #[must_use]
    pub fn days_per_step(&self) -> u64 {
        match self.options.as_table().and_then(|table| table.get("days_per_step")).map(|node| &node.value) {
            Some(Value::Integer(days)) => *days,
            _ => 0,
        }
    }
}

fn unreachable_seat() -> &'static Seat {
    static NOBODY: std::sync::OnceLock<Seat> = std::sync::OnceLock::new();
    NOBODY.get_or_init(Seat::arbiter)
}

/// Whether a text is `least` to `most` printable ASCII characters.
///
/// # Errors
/// Says what is wrong with it.
pub fn printable(what: &str, text: &str, least: usize, most: usize) -> Checked<()> {
    if let Some(odd) = text.chars().find(|c| !matches!(c, ' '..='~')) {
        return Err(Fault::new(
            Code::WrongValue,
            format!("{what} holds U+{:04X}; only printable ASCII passes every mail program", u32::from(odd)),
        )
        .help("write it with the letters, digits and signs of ASCII"));
    }
    if !(least..=most).contains(&text.len()) {
        return Err(Fault::new(
            Code::WrongValue,
            format!("{what} has {} characters; it needs {least} to {most}", text.len()),
        ));
    }
    Ok(())
}

fn check(plain: &Plain) -> Checked<(BySeat<SoundKey>, Option<SoundKey>)> {
    if plain.format != FORMAT {
        return Err(Fault::new(
            Code::BadHeader,
            format!("the format is {:?}; this program reads {FORMAT:?}", plain.format),
        )
        .help("get the version of the program that made this game")
        .about("format"));
    }
    printable("the game's name", &plain.name, 1, 64).map_err(|fault| fault.about("name"))?;
    if plain.seats.len() < 2 {
        return Err(Fault::new(Code::BadHeader, "a game needs two seats at least").about("seats"));
    }
    let mut seats: BTreeSet<&Seat> = BTreeSet::new();
    let mut owners: BTreeMap<PublicKey, String> = BTreeMap::new();
    let mut keys = Vec::new();
    for (place, player) in plain.seats.iter().enumerate() {
        let about = |fault: Fault, what: &str| fault.about(format!("seats.{place}.{what}"));
        if player.seat.is_arbiter() || player.seat.as_str() == "roll" {
            let fault = Fault::new(
                Code::BadHeader,
                format!("{:?} cannot be the name of a seat", player.seat.as_str()),
            );
            return Err(about(fault.help("choose another name"), "seat"));
        }
        if !seats.insert(&player.seat) {
            let fault = Fault::new(Code::BadHeader, format!("two seats are named {}", player.seat));
            return Err(about(fault, "seat"));
        }
        person(&player.seat, &player.name, &player.mail).map_err(|fault| about(fault, "name"))?;
        keys.push(
            owned_key(&player.key, player.seat.as_str(), &mut owners).map_err(|fault| about(fault, "key"))?,
        );
    }
    let arbiter_key = match &plain.arbiter {
        None => None,
        Some(arbiter) => {
            person(&Seat::arbiter(), &arbiter.name, &arbiter.mail)
                .map_err(|fault| fault.about("arbiter.name"))?;
            Some(
                owned_key(&arbiter.key, Seat::ARBITER, &mut owners)
                    .map_err(|fault| fault.about("arbiter.key"))?,
            )
        }
    };
    Ok((BySeat::from_vec(keys), arbiter_key))
}

fn person(seat: &Seat, name: &str, mail: &str) -> Checked<()> {
    printable(&format!("the name of {seat}"), name, 1, 64)?;
    printable(&format!("the mail address of {seat}"), mail, 3, 254)
}

fn owned_key(key: &PublicKey, owner: &str, owners: &mut BTreeMap<PublicKey, String>) -> Checked<SoundKey> {
    if let Some(other) = owners.insert(*key, owner.to_owned()) {
        return Err(Fault::new(Code::BadKey, format!("{owner} has the same key as {other}"))
            .help("each seat, and the arbiter, needs a key of its own"));
    }
    SoundKey::check(key).map_err(|why| {
        Fault::new(Code::BadKey, format!("the key of {owner} will not do: {why}"))
            .help("ask for a key made with `sealed key new`")
    })
}

/// A table with its entries sorted for writing; used where a tree came from outside.
#[must_use]
pub(super) fn sorted_for_writing(node: &Node, rank: &dyn Fn(&str) -> usize) -> Node {
    let value = match &node.value {
        Value::Table(table) => {
            let mut entries: Vec<Entry> = table
                .entries
                .iter()
                .map(|entry| Entry { node: sorted_for_writing(&entry.node, rank), ..entry.clone() })
                .collect();
            entries.sort_by(|a, b| rank(&a.key).cmp(&rank(&b.key)).then_with(|| a.key.cmp(&b.key)));
            Value::Table(Table { entries })
        }
        Value::List(list) => Value::List(list.iter().map(|item| sorted_for_writing(item, rank)).collect()),
        other => other.clone(),
    };
    Node { span: node.span.clone(), value }
}
