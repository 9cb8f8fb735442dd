//! The arbiter's entries: what may be entered now, made ready, and what would come of it.

use super::adjudicate::{Verdict, adjudicate};
use super::replay::Replay;
use super::waiting::Waiting;
use crate::crypto::Identity;
use crate::document::Table;
use crate::fault::{Checked, Code, Fault};
use crate::games::{Composed, Phase, RuledResult, Standing, capital};
use crate::ident::{Seat, SeatIndex, Time};
use crate::log::{Card, Entry, Header, Verified, printable, tidy_press};

/// What the arbiter of a game may enter at its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powers {
    /// The seats that may be forfeited: those whose order is awaited and is not in.
    pub forfeits: Vec<SeatIndex>,
    /// The results that may be ruled.
    pub rulings: Vec<RuledResult>,
}

impl Powers {
    /// What the arbiter may enter now. Whether it should is not for a program to say.
    #[must_use]
    pub fn of(replay: &Replay) -> Self {
        let is_final = replay.ending().is_some_and(|ending| !ending.provisional);
        let rulings = match replay.counted().phase() {
            Phase::Over => Vec::new(),
            _ if is_final => Vec::new(),
            Phase::Seal | Phase::Deploy | Phase::Audit => vec![RuledResult::Void],
            _ => vec![RuledResult::Void, RuledResult::Draw],
        };
        Self { forfeits: replay.missing(), rulings }
    }
}

/// The arbiter of a game, if the identity is the arbiter's.
///
/// # Errors
/// `no-such-thing`: the game has no arbiter, or it is somebody else.
pub fn arbiter_of<'a>(header: &'a Header, identity: &Identity) -> Checked<&'a Card> {
    let Some(arbiter) = header.arbiter() else {
        let why = "this game has no arbiter: nobody can forfeit a seat or end the game by a ruling";
        return Err(Fault::new(Code::NoSuchThing, why)
            .help("the players can agree on a draw (`sealed order`, or `sealed respond`, with `--draw`) or resign (`sealed order resign`)"));
    };
    if arbiter.key == identity.public() {
        return Ok(arbiter);
    }
    let fault = match header.seat_of(&identity.public()) {
        Some(seat) => Fault::new(
            Code::NoSuchThing,
            format!("your key plays {seat}; only the arbiter enters forfeits and rulings"),
        )
        .help(format!(
            "write to the arbiter, {} ({}); to give up yourself, type `sealed order resign`",
            arbiter.name, arbiter.mail
        )),
        None => Fault::new(
            Code::NoSuchThing,
            format!("your key ({}) is not the arbiter's of this game", identity.public().fingerprint()),
        )
        .help(format!(
            "the arbiter is {}, with the key {}; name another identity with `--key FILE`",
            arbiter.name,
            arbiter.key.fingerprint()
        )),
    };
    Err(fault)
}

/// Makes the forfeit of a seat ready.
///
/// # Errors
/// The seat is not of this game, its order is in, or the reason will not do. Whether the
/// seat is awaited at all is judged when the entry is signed.
pub fn forfeit(replay: &Replay, seat: &Seat, reason: &str, now: Time) -> Checked<Composed> {
    let header = replay.header();
    let index = header.index(seat).ok_or_else(|| {
        let seats: Vec<&str> = header.players().iter().map(|player| player.seat.as_str()).collect();
        Fault::new(Code::NotThisSeat, format!("{seat} is no seat of this game"))
            .help(format!("its seats are: {}", seats.join(", ")))
    })?;
    check_not_in(replay, index)?;
    let mut details = Table::default();
    details.push("seat", seat.as_str());
    details.push("reason", tidied(reason)?);
    let phase = replay.state().phase();
    let is_final = replay.ending().is_some_and(|ending| !ending.provisional);
    let fate = match phase {
        Phase::Seal => {
            "is out before the battle, and the game is void once the step closes: not everybody sealed a fleet."
        }
        Phase::Deploy => {
            "is out before the battle. Who opens a fleet plays on: if that is only one, it has won at once; if it is nobody, the game is void."
        }
        Phase::Audit if is_final => {
            "is struck out: what it has sealed stays sealed. The result is final already and does not change."
        }
        Phase::Audit => {
            "is struck out: what it has sealed stays sealed, and it can neither win nor share a draw any more."
        }
        _ => "is out, as if it had resigned, and its ships leave the board.",
    };
    let becomes = format!("{} {fate}", capital(seat.as_str()));
    let unseen = if phase == Phase::Audit {
        format!(
            "If {seat}'s audit is in already in somebody's copy, or comes there together with this, the audit counts."
        )
    } else {
        format!(
            "If {seat} has sent an order for this step that you have not seen, it is dropped, with everything built on it."
        )
    };
    let consequences = vec![becomes, time_left(replay, now), unseen];
    Ok(Composed::new("forfeit", details.into(), consequences))
}

/// Makes a ruling ready.
///
/// # Errors
/// The result is final, or the reason will not do. Whether such a ruling is for this phase
/// is judged when the entry is signed.
pub fn rule(replay: &Replay, result: RuledResult, reason: &str) -> Checked<Composed> {
    if let Some(ending) = replay.ending().filter(|ending| !ending.provisional) {
        let told = ending.told(replay.header());
        return Err(Fault::new(
            Code::GameOver,
            format!("the result is final, so nothing is ruled any more: {told}"),
        )
        .help("nothing is left to be ruled; `sealed show` tells the result"));
    }
    let mut details = Table::default();
    details.push("result", result.as_str());
    details.push("reason", tidied(reason)?);
    let mut consequences = vec![match result {
        RuledResult::Void => "The game ends now and does not count: it is void, by the arbiter.".to_owned(),
        RuledResult::Draw => "The game ends now as a draw of all who are still in.".to_owned(),
    }];
    consequences.push(match replay.state().phase() {
        Phase::Audit => {
            "What was opened after the end stays open; the result that it led to falls.".to_owned()
        }
        _ => "An order for this step that you have not seen is dropped, with everything built on it."
            .to_owned(),
    });
    Ok(Composed::new("ruling", details.into(), consequences))
}

/// Says in plain words what an entry of the arbiter leads to in the copy at hand.
///
/// # Errors
/// Others would not take the entry.
pub fn prospect(replay: &Replay, entry: &Verified) -> Checked<Vec<String>> {
    let header = replay.header();
    let file: Vec<Entry> = replay.entries().cloned().collect();
    let taken = adjudicate(header, &file, &[entry.clone().into()])?;
    if let Some(Verdict::Refused(fault) | Verdict::Waiting(fault)) = taken.verdicts.first() {
        return Err(fault.clone());
    }
    let after = &taken.replay;
    let missing: Vec<&str> = after.missing().iter().map(|seat| header.seat(*seat).as_str()).collect();
    let mut lines = Vec::new();
    for order in taken.dropped.iter().filter_map(Entry::order).map(Verified::order) {
        lines.push(format!("Dropped, although it is in: the [{}] of {}.", order.action, order.seat));
    }
    if after.step() == replay.step() {
        lines.push(format!(
            "The step stays open until {} has sent an order, or is forfeited too.",
            missing.join(" and ")
        ));
        return Ok(lines);
    }
    lines.push("With this the step closes, and every report says:".to_owned());
    let events = after.steps().last().into_iter().flat_map(|step| &step.events);
    lines.extend(events.flat_map(|event| event.told.iter()).map(|line| format!("| {}", line.trim_start())));
    if let Some(ending) = after.ending().map(|ending| ending.told(header)) {
        let sentence = ending.trim_end_matches('.');
        if !lines.iter().any(|line| line.contains(sentence)) {
            lines.push(format!("| {ending}"));
        }
    }
    if !missing.is_empty() {
        lines.push(format!("Then awaited: {} ({}).", missing.join(", "), after.counted().phase().awaits()));
    }
    Ok(lines)
}

/// Refuses to forfeit a seat whose place in the open step is taken.
fn check_not_in(replay: &Replay, seat: SeatIndex) -> Checked<()> {
    let name = replay.header().seat(seat);
    let taken = replay.open().iter().find(|legal| {
        matches!(legal.standing(), Standing::Awaited(other) | Standing::InPlaceOf(other) | Standing::Proven(other) if other == seat)
    });
    let Some(legal) = taken else { return Ok(()) };
    Err(if matches!(legal.standing(), Standing::InPlaceOf(_)) {
        Fault::new(Code::NotAwaited, format!("{name} is forfeited in this step already"))
            .help("a signed entry cannot be changed; to mail it again, type: sealed forfeit --again")
    } else {
        Fault::new(
            Code::NotAwaited,
            format!("the {} for this step is in, so {name} cannot be forfeited now", legal.entry().told()),
        )
        .help("only a seat whose order is missing can be forfeited; `sealed show` says which")
    })
}

/// Whether a forfeit would come before its time.
fn time_left(replay: &Replay, now: Time) -> String {
    let waiting = Waiting::of(replay);
    match (waiting.until, waiting.overdue(now)) {
        (Some(until), Some(overdue)) => {
            format!("The time for this step ran out on {} ({} ago).", until.for_people(), overdue.how_long())
        }
        (Some(until), None) => {
            format!("The time for this step has NOT run out: it lasts until {}.", until.for_people())
        }
        (None, _) => format!(
            "This game sets NO time for a step (days_per_step = 0); the order has been awaited since {}.",
            waiting.since.for_people()
        ),
    }
}

/// A reason as it is written: the quotes and dashes that programs like to put in made plain,
/// and runs of blanks one blank, as mail programs leave them.
fn tidied(reason: &str) -> Checked<String> {
    let tidy = tidy_press(reason).split_whitespace().collect::<Vec<_>>().join(" ");
    printable("the reason", &tidy, 1, 500).map_err(|fault| {
        fault.help("give it in 1 to 500 characters of plain ASCII, like --reason \"No word for a month\"")
    })?;
    Ok(tidy)
}
