//! The bundle: everything that a third person needs to judge a game, without this program.
//!
//! A bundle is a folder. The game file in it is laid out so that a shell can read it line by
//! line; from it alone `verify.sh` makes every other file again and compares. So each file
//! here is made a second time, by another hand, from the same lines: what differs is a defect
//! of one of the two, or somebody's forgery.

mod game;
mod lists;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::text::{Viewer, report};
use crate::crypto::hash;
use crate::fault::{Checked, Code, Fault};
use crate::games::{Legal, Standing};
use crate::ident::{Seat, to_hex};
use crate::log::{Header, Verified};
use crate::turn::Replay;

/// The script that checks a bundle.
const VERIFY: &str = include_str!("verify.sh");

/// The page for who has never heard of this program.
const README: &str = include_str!("README.txt");

/// The files of a bundle by their paths in it.
///
/// # Errors
/// `internal`, if a key cannot be encoded, which happens with none.
pub fn bundle(replay: &Replay) -> Checked<BTreeMap<String, Vec<u8>>> {
    let header = replay.header();
    let mut files = BTreeMap::new();
    files.insert("game.toml".to_owned(), game::game_file(replay).into_bytes());
    files.insert("header.json".to_owned(), header.preimage());
    for (seat, pem) in keys(header)? {
        files.insert(format!("keys/{seat}.pem"), pem.into_bytes());
    }
    for signed in entries(replay).flat_map(|legal| signed_orders(header, legal)) {
        let Signed { name, order } = signed;
        files.insert(format!("orders/{name}.json"), order.order().preimage());
        let signature = order.signature();
        let halves = [*signature.r.as_bytes(), *signature.s.as_bytes()].concat();
        files.insert(format!("orders/{name}.sig"), halves);
    }
    for opening in lists::openings(replay) {
        files.insert(format!("openings/{}.json", opening.name), opening.preimage);
    }
    for die in lists::dice(replay) {
        files.insert(format!("dice/{}.json", die.name), die.preimage);
    }
    files.insert("lists/steps.txt".to_owned(), lists::steps_text(replay).into_bytes());
    files.insert("lists/openings.txt".to_owned(), lists::openings_text(replay).into_bytes());
    files.insert("lists/dice.txt".to_owned(), lists::dice_text(replay).into_bytes());
    files.insert("story.txt".to_owned(), report(replay, &Viewer::Anybody, Some(0), None).into_bytes());
    files.insert("README.txt".to_owned(), readme(replay).into_bytes());
    files.insert("verify.sh".to_owned(), VERIFY.as_bytes().to_vec());
    let mut list = String::new();
    for (path, bytes) in &files {
        let _ = writeln!(list, "{}  {path}", to_hex(&hash(bytes)));
    }
    files.insert("lists/files.txt".to_owned(), list.into_bytes());
    Ok(files)
}

/// The public keys as PEM, in header order, the arbiter's last.
fn keys(header: &Header) -> Checked<Vec<(Seat, String)>> {
    let arbiter = header.arbiter().map(|_| Seat::arbiter());
    let seats = header.players().iter().map(|player| player.seat.clone()).chain(arbiter);
    let pem = |seat: Seat| {
        let key = header.key(&seat).ok_or("a seat of the header has no key")?;
        Ok((seat, key.to_pem()?))
    };
    seats.map(pem).collect::<Result<_, &str>>().map_err(|why| Fault::new(Code::Internal, why))
}

/// The entries of the chain, those of the open step last.
fn entries(replay: &Replay) -> impl Iterator<Item = &Legal> {
    replay.steps().iter().flat_map(|step| &step.orders).chain(replay.open())
}

/// One signed order, and the name of its files.
struct Signed<'a> {
    name: String,
    order: &'a Verified,
}

/// The signed orders of one entry of the chain. Each counts in its step as one digest.
///
/// An entry is one order; an entry that proves a contradiction will be two.
fn signed_orders<'a>(header: &Header, entry: &'a Legal) -> Vec<Signed<'a>> {
    // A proof has no order of its own; the command writes no bundle of a game that has one.
    let Some(order) = entry.order() else { return Vec::new() };
    let said = order.order();
    let mut name = format!("{:03}-{}", said.step, said.seat);
    // The arbiter may forfeit several seats in one step. No seat has a dot in its name.
    if let (true, Standing::InPlaceOf(seat)) = (said.seat.is_arbiter(), entry.standing()) {
        let _ = write!(name, ".{}", header.seat(seat));
    }
    vec![Signed { name, order }]
}

/// The page for people, with the names of this game in it.
fn readme(replay: &Replay) -> String {
    let header = replay.header();
    let first = entries(replay).flat_map(|legal| signed_orders(header, legal)).next();
    let (order, seat) = first.map_or_else(
        || ("000-SEAT".to_owned(), "SEAT".to_owned()),
        |signed| (signed.name, signed.order.order().seat.to_string()),
    );
    README
        .replace("{RULES}", header.rules())
        .replace("{ID}", &header.id().to_string())
        .replace("{HEAD}", &replay.head().to_string())
        .replace("{STEPS}", &replay.step().to_string())
        .replace("{ORDER}", &order)
        .replace("{SEAT}", &seat)
        .replace("{NAME}", header.name())
}
