//! Whole games between made-up players: for examples, and for people who want to look.
//!
//! Everything follows from a number: keys, fleets, moves, times. So the same plan gives the
//! same files, byte for byte. The keys are known to everybody and good for nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::crypto::Identity;
use crate::document::{Node, toml_text, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::{self, Composed, Keyholder, Phase, Script, Suggestion};
use crate::ident::{BySeat, Fresh, GameNonce, Seat, SeatIndex, Time};
use crate::log::{Card, Header, Player, Verified, write_game_file};
use crate::mail;
use crate::report::{Viewer, report};
use crate::turn::{Extras, Replay, adjudicate, position, sign};

/// Which game to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The word for the game.
    pub game: String,
    /// The game's name; its file is named after it.
    pub name: String,
    /// Another number, another game.
    pub seed: u64,
    /// How many play: 2 to 6.
    pub seats: usize,
    /// Options of the game.
    pub options: BTreeMap<String, String>,
    /// Whether the game has an arbiter, who has nothing to do in it.
    pub arbiter: bool,
    /// After how many steps the players tire and agree on a draw.
    pub patience: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            game: games::all().first().map(|game| game.word().to_owned()).unwrap_or_default(),
            name: "demo".to_owned(),
            seed: 1,
            seats: 2,
            options: BTreeMap::new(),
            arbiter: false,
            patience: 400,
        }
    }
}

/// A file of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoFile {
    /// Its path below the game's folder, with `/`.
    pub path: String,
    /// What is in it.
    pub bytes: String,
    /// Whether only its owner may read it.
    pub private: bool,
}

const PLAYERS: [(&str, &str); 6] = [
    ("red", "Anna"),
    ("blue", "Bert"),
    ("green", "Clara"),
    ("yellow", "David"),
    ("violet", "Emma"),
    ("orange", "Felix"),
];

const PRESS: [&str; 6] = [
    "Have at you.",
    "Is it my turn already?",
    "A fine evening for a battle.",
    "Nobody saw that, did they?",
    "I have seen better shields on a bicycle.",
    "Greetings from the dark side of the moon.",
];

/// Everything random of a game, from its number.
struct Chance(ChaCha20Rng);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(ChaCha20Rng::from_seed(Sha256::digest(format!("sealed-orders demo {seed}")).into()))
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// 0 to `limit` - 1; the small favour of low numbers does not matter here.
    fn below(&mut self, limit: usize) -> usize {
        let word = usize::try_from(self.0.next_u32()).unwrap_or(0);
        word % limit.max(1)
    }
}

/// Plays a whole game and returns every file that it leaves.
///
/// # Errors
/// The plan names an unknown game, too many seats, or an option that the game does not have.
pub fn play(plan: &Plan) -> Checked<Vec<DemoFile>> {
    let mut chance = Chance::new(plan.seed);
    let cast = PLAYERS.get(..plan.seats).filter(|cast| cast.len() >= 2).ok_or_else(|| {
        Fault::new(Code::Unclear, format!("{} cannot play; 2 to {} can", plan.seats, PLAYERS.len()))
    })?;
    let game = games::all()
        .iter()
        .find(|game| game.word() == plan.game)
        .ok_or_else(|| Fault::new(Code::Unclear, format!("{:?} is no game", plan.game)))?;
    let mut files = Vec::new();
    let mut identities = Vec::new();
    let mut players = Vec::new();
    for (seat, name) in cast {
        let identity = Identity::from_seed(&Zeroizing::new(chance.bytes()));
        let card = person(seat, name, &identity, &mut files)?;
        players.push(Player {
            seat: seat.parse().map_err(|why: String| Fault::new(Code::Internal, why))?,
            name: card.name,
            mail: card.mail,
            key: card.key,
        });
        identities.push(identity);
    }
    // Drawn apart, so that with and without an arbiter the same game is played.
    let arbiter = plan.arbiter.then(|| {
        let seed = Sha256::digest(format!("sealed-orders demo arbiter {}", plan.seed)).into();
        person(Seat::ARBITER, "Gesa", &Identity::from_seed(&Zeroizing::new(seed)), &mut files)
    });
    let created = Time::from_unix_seconds(1_796_025_600).map_err(|why| Fault::new(Code::Internal, why))?;
    let options = game.options(plan.seats, &plan.options)?;
    let header = Header::new(
        game.rules(),
        &plan.name,
        created,
        GameNonce::new(chance.bytes()),
        options,
        players,
        arbiter.transpose()?,
    )?;
    let mut table = Replay::begin(Arc::new(header))?;
    let mut orders: Vec<Verified> = Vec::new();
    let mut kept: BySeat<Option<Node>> = table.header().by_seat(|_| None);
    let mut now = created;
    while table.counted().phase() != Phase::Over {
        for seat in table.missing() {
            let keeps = kept[seat].clone();
            let by = Keyholder {
                seat,
                identity: identities
                    .get(seat.place())
                    .ok_or_else(|| Fault::new(Code::Internal, "no such seat"))?,
                kept: keeps.as_ref(),
            };
            let (composed, extras) = decide(&table, by, plan, &mut chance, &mut files)?;
            if composed.kept.is_some() {
                kept[seat].clone_from(&composed.kept);
            }
            let hours = i64::try_from(chance.below(20) + 1).unwrap_or(1) * 3600;
            let seconds = i64::try_from(chance.below(3600)).unwrap_or(0);
            now = Time::from_unix_seconds(now.unix_seconds() + hours + seconds).unwrap_or(now);
            let order = sign(&table, by, composed, &extras, now)?;
            let name = format!("out/step-{:03}-{}", order.order().step, order.order().seat);
            files.push(file(format!("{name}.order.toml"), order.to_toml(), false));
            files.push(file(format!("{name}.txt"), mail::block(&order), false));
            orders.push(order);
        }
        table = adjudicate(table.header(), &[], &orders)?.replay;
    }
    let text = write_game_file(table.header(), &Node::from(position(&table)), table.entries());
    files.push(file(format!("{}.game.toml", plan.name), text, false));
    for (seat, _) in cast {
        let index = seat.parse().ok().and_then(|seat| table.header().index(&seat));
        let viewer = index.map_or(Viewer::Anybody, Viewer::Seat);
        files.push(file(format!("reports/{seat}.txt"), report(&table, &viewer, None, None), false));
    }
    if plan.arbiter {
        let text = report(&table, &Viewer::Arbiter, None, None);
        files.push(file(format!("reports/{}.txt", Seat::ARBITER), text, false));
    }
    Ok(files)
}

/// The card of a made-up person, with the files of the identity.
fn person(seat: &str, name: &str, identity: &Identity, files: &mut Vec<DemoFile>) -> Checked<Card> {
    let card = Card { name: name.to_owned(), mail: format!("{seat}@example.org"), key: identity.public() };
    let pem = identity.to_pem().map_err(|why| Fault::new(Code::Internal, why))?;
    files.push(file(format!("keys/{seat}.example.pem"), pem.to_string(), true));
    files.push(file(format!("{seat}.card.toml"), toml_of(&tree(&card)?), false));
    Ok(card)
}

const fn file(path: String, bytes: String, private: bool) -> DemoFile {
    DemoFile { path, bytes, private }
}

fn toml_of(node: &Node) -> String {
    node.as_table().map(|table| toml_text(table, "")).unwrap_or_default()
}

/// What a made-up player does: attacks when it can, mostly.
fn decide(
    table: &Replay,
    by: Keyholder<'_>,
    plan: &Plan,
    chance: &mut Chance,
    files: &mut Vec<DemoFile>,
) -> Checked<(Composed, Extras)> {
    let state = table.state();
    let mut extras = Extras::default();
    if chance.below(8) == 0 {
        extras.press = PRESS.get(chance.below(PRESS.len())).map(|press| (*press).to_owned());
    }
    if state.phase() == Phase::Seal {
        let fleet = state.random_fleet(by.seat, &chance.bytes())?;
        let name = table.header().seat(by.seat);
        files.push(file(format!("fleets/{name}.fleet.toml"), toml_of(&fleet), false));
        return Ok((state.seal(by, &fleet, Fresh::new(chance.bytes()))?, extras));
    }
    if state.phase() == Phase::Round {
        let round = state.sample(by.seat, &chance.bytes()).unwrap_or_default();
        extras.draw = table.step() >= plan.patience;
        return Ok((state.compose(by, &round)?, extras));
    }
    let choices = choices(table, by.seat);
    if choices.is_empty() {
        return Ok((state.respond(by)?, extras));
    }
    let attacks: Vec<&Suggestion> = choices.iter().filter(|choice| !choice.remark.is_empty()).collect();
    let among: Vec<&Suggestion> =
        if attacks.is_empty() || chance.below(4) == 0 { choices.iter().collect() } else { attacks };
    let words = among.get(chance.below(among.len())).map(|choice| choice.words.clone()).unwrap_or_default();
    let composed = state.compose(by, &Script::from(words.as_slice()))?;
    // Tired players agree on a draw, where the order can carry the offer.
    extras.draw = table.step() >= plan.patience && words.first().is_some_and(|word| word == "move");
    Ok((composed, extras))
}

fn choices(table: &Replay, seat: SeatIndex) -> Vec<Suggestion> {
    table.state().suggestions(seat)
}
