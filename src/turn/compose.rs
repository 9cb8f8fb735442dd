//! Making a signed order of what a state has made ready.

use super::replay::Replay;
use crate::crypto::Identity;
use crate::fault::{Checked, Code, Fault};
use crate::games::{Composed, Keyholder};
use crate::ident::{Seat, SeatIndex, Time};
use crate::log::{Draft, Verified, tidy_press};

/// What a player adds to an order of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// What is said to all; it is tidied before it is signed.
    pub press: Option<String>,
    /// Whether a draw is offered.
    pub draw: bool,
}

/// Signs a composed order for the open step of a game and judges it once more, as everybody
/// else will.
///
/// # Errors
/// The press will not do, or the order is not legal: then nothing was signed that anybody sees.
pub fn sign(
    replay: &Replay,
    by: Keyholder<'_>,
    composed: Composed,
    extras: &Extras,
    time: Time,
) -> Checked<Verified> {
    sign_as(replay, replay.header().seat(by.seat), by.identity, composed, extras, time)
}

/// As [`sign`], for whoever may write in a game: a seat, or the arbiter.
///
/// # Errors
/// As [`sign`].
pub fn sign_as(
    replay: &Replay,
    writer: &Seat,
    identity: &Identity,
    composed: Composed,
    extras: &Extras,
    time: Time,
) -> Checked<Verified> {
    let header = replay.header();
    let draft = Draft {
        game: header.id(),
        after: replay.head(),
        step: replay.step(),
        seat: writer.clone(),
        time,
        press: extras.press.as_deref().map(tidy_press),
        draw: extras.draw,
        action: composed.action.to_owned(),
        details: composed.details,
    };
    let verified = draft.sign(identity)?.verify(header)?;
    replay.state().judge(&verified)?;
    Ok(verified)
}

/// The seat that an identity plays in a game.
///
/// # Errors
/// `no-such-thing`: the key is none of this game's.
pub fn seat_of(replay: &Replay, identity: &Identity) -> Checked<SeatIndex> {
    let header = replay.header();
    let seat = header.seat_of(&identity.public());
    if seat.as_ref().is_some_and(Seat::is_arbiter) {
        let why = "your key is the arbiter's of this game; an arbiter gives no orders of a player";
        return Err(Fault::new(Code::NoSuchThing, why)
            .help("an arbiter ends a wait with `sealed forfeit SEAT --reason TEXT`, or the game with `sealed rule void --reason TEXT` or `sealed rule draw --reason TEXT`"));
    }
    seat.and_then(|seat| header.index(&seat)).ok_or_else(|| {
        let keys: Vec<_> = header
            .players()
            .iter()
            .map(|player| format!("{} {}", player.seat, player.key.fingerprint()))
            .collect();
        Fault::new(
            Code::NoSuchThing,
            format!("your key ({}) plays no seat of this game", identity.public().fingerprint()),
        )
        .help(format!(
            "the keys of this game are: {}; name another identity with `--key FILE`",
            keys.join("; ")
        ))
    })
}
