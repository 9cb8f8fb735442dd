//! `sealed new`: a new game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::PossibleValuesParser;
use sealed_orders::crypto::SoundKey;
use sealed_orders::document::{self, read};
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games;
use sealed_orders::ident::{GameNonce, Seat};
use sealed_orders::log::{Card, Header, Player};
use sealed_orders::store;
use sealed_orders::turn::Replay;
use serde_json::json;

use crate::args::{option_and_value, seat_and_card};
use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{GAME_ENDING, game_text, read_text};
use crate::world::World;

/// Make a new game of the players whose cards you have.
///
/// Seats sit clockwise in the order in which you name them. Compare the first digits of
/// each key with its player, by another way than mail, before you begin.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Which game.
    #[arg(value_parser = words())]
    game: String,
    /// The game's name.
    #[arg(long)]
    name: String,
    /// A seat and the card of who sits there; once a seat.
    #[arg(long = "seat", value_name = "SEAT=CARD", value_parser = seat_and_card, required = true)]
    seats: Vec<(Seat, PathBuf)>,
    /// The card of an arbiter, who may end waits and games.
    #[arg(long, value_name = "CARD")]
    arbiter: Option<PathBuf>,
    /// An option of the game, like board=half.
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = option_and_value)]
    options: Vec<(String, String)>,
    /// The file to write; it must end in .game.toml and not exist yet.
    #[arg(short, long, value_name = "GAME")]
    output: PathBuf,
}

/// The words for the games.
fn words() -> PossibleValuesParser {
    PossibleValuesParser::new(games::all().iter().map(|game| game.word()))
}

fn read_card(path: &Path) -> Result<Card, Failure> {
    let text = read_text(path)?;
    let check = |node: &document::Node| {
        let card: Card = read(node)?;
        let unsound = |why| {
            Fault::new(Code::BadKey, format!("the key of {} will not do: {why}", card.name)).about("key")
        };
        SoundKey::check(&card.key)
            .map_err(unsound)
            .map_err(|fault| fault.at(node.nearest("key").span.clone()))?;
        Ok(card)
    };
    document::parse(&text)
        .and_then(|node| check(&node))
        .map_err(|fault| Failure::in_text(fault, &path.display().to_string(), &text))
}

pub(crate) fn run(world: &World, args: &NewArgs) -> Result<Outcome, Failure> {
    let game = games::all().iter().find(|game| game.word() == args.game).ok_or_else(|| {
        let known: Vec<_> = games::all().iter().map(|game| game.word()).collect();
        Fault::new(Code::Unclear, format!("{:?} is no game", args.game))
            .help(format!("games are: {}", known.join(", ")))
    })?;
    if !args.output.to_string_lossy().ends_with(GAME_ENDING) {
        let fault =
            Fault::new(Code::Unclear, format!("{} does not end in {GAME_ENDING}", args.output.display()));
        return Err(fault.help("the ending is how `sealed` finds the games of a folder").into());
    }
    let mut players = Vec::new();
    for (seat, path) in &args.seats {
        let Card { name, mail, key } = read_card(path)?;
        players.push(Player { seat: seat.clone(), name, mail, key });
    }
    let arbiter = args.arbiter.as_deref().map(read_card).transpose()?;
    let mut chosen = BTreeMap::new();
    for (key, value) in &args.options {
        if chosen.insert(key.clone(), value.clone()).is_some() {
            return Err(Fault::new(Code::Unclear, format!("the option {key} is set twice")).into());
        }
    }
    let options = game.options(players.len(), &chosen)?;
    let nonce = GameNonce::new(*World::entropy()?);
    let header = Header::new(game.rules(), &args.name, world.now()?, nonce, options, players, arbiter)?;
    let replay = Replay::begin(Arc::new(header))?;
    store::create(&args.output, game_text(&replay).as_bytes(), false)?;
    let header = replay.header();
    let mut text = format!("The game is in {}. Send that file to all players.\n", args.output.display());
    text.push_str("Compare the first digits of each key with its player, not by mail:\n");
    let mut keys = Vec::new();
    for player in header.players() {
        let _ = writeln!(text, "  {:<16} {}  {}", player.seat, player.key.fingerprint(), player.name);
        keys.push(json!({ "seat": player.seat.as_str(), "fingerprint": player.key.fingerprint() }));
    }
    if let Some(arbiter) = header.arbiter() {
        let _ = writeln!(text, "  {:<16} {}  {}", "arbiter", arbiter.key.fingerprint(), arbiter.name);
        keys.push(json!({ "seat": "arbiter", "fingerprint": arbiter.key.fingerprint() }));
    }
    let _ = writeln!(text, "The game's own first digits: {}", replay.head().by_eye());
    text.push_str("Then everybody seals a fleet: sealed seal --random (or --fleet FLEET.toml)\n");
    let json =
        json!({ "game": args.output.display().to_string(), "id": header.id().to_string(), "keys": keys });
    Ok(Outcome::new(text, json))
}
