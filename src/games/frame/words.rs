//! Sentences that several places say.

use std::collections::BTreeMap;

use crate::document::{Node, Table};
use crate::fault::{Checked, Code, Fault};
use crate::games::{Event, Standing};
use crate::ident::{Commitment, Seat, SeatIndex};
use crate::log::Header;

pub(in crate::games) fn not_of_this_step() -> Fault {
    Fault::new(Code::Internal, "an order was taken for one of another step")
}

/// A seat that the game does not have.
pub(in crate::games) fn no_seat(header: &Header, seat: &Seat) -> Fault {
    let all: Vec<SeatIndex> = header.by_seat(|_| ()).seats().collect();
    Fault::new(Code::NotThisSeat, format!("{seat} is no seat of this game"))
        .help(format!("its seats are: {}", names(header, &all)))
}

/// The refusal of anything after the end.
pub(in crate::games) fn game_over() -> Fault {
    Fault::new(Code::GameOver, "the game is over; nothing can be added to it any more")
        .help("for another game, make a new one with `sealed new`")
}

/// An opening that does not match, with both digests.
pub(in crate::games) fn does_not_match(what: &str, sealed: Option<Commitment>, opened: Commitment) -> Fault {
    let sealed = sealed.map_or_else(|| "nothing".to_owned(), |sealed| sealed.to_string());
    Fault::new(
        Code::WrongOpening,
        format!("the opening of {what} does not match what was sealed: sealed was {sealed}, this opens {opened}"),
    )
    .help("openings are composed by `sealed respond` and `sealed order`; check that the key is the one that sealed")
}

/// An event with nothing but its telling.
pub(in crate::games) fn told(kind: &'static str, lines: Vec<String>) -> Event {
    event(kind, lines, [])
}

/// An event, told for people and noted for programs.
pub(in crate::games) fn event(
    kind: &'static str,
    told: Vec<String>,
    facts: impl IntoIterator<Item = (&'static str, Node)>,
) -> Event {
    Event { kind, told, facts: facts_table(facts) }
}

/// Facts by their keys.
pub(in crate::games) fn facts_table(facts: impl IntoIterator<Item = (&'static str, Node)>) -> Table {
    let mut table = Table::default();
    for (key, value) in facts {
        table.push(key, value);
    }
    table
}

/// A seat leaves by resigning, by the arbiter's word or by a proof.
pub(in crate::games) fn leaves(seat: &Seat, standing: Standing) -> Event {
    let mut facts = Table::default();
    facts.push("seat", seat.as_str());
    let (kind, line) = match standing {
        Standing::InPlaceOf(_) => ("forfeit", format!("The arbiter forfeits {seat}.")),
        Standing::Proven(_) => {
            ("proven", format!("It is proven that {seat} signed two orders that contradict each other."))
        }
        _ => ("resign", format!("{} resigns.", capital(seat.as_str()))),
    };
    Event { kind, told: vec![line], facts }
}

/// A word as a sentence begins with it.
#[must_use]
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Seats in words: `red and blue`, `nobody`.
#[must_use]
pub(in crate::games) fn names(header: &Header, seats: &[SeatIndex]) -> String {
    let names: Vec<_> = seats.iter().map(|seat| header.seat(*seat).as_str()).collect();
    match names.as_slice() {
        [] => "nobody".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Reads what was chosen on a command line into a typed option.
pub(in crate::games) fn chosen_number(
    chosen: &BTreeMap<String, String>,
    key: &str,
    default: u64,
) -> Checked<u64> {
    match chosen.get(key) {
        None => Ok(default),
        Some(text) => {
            text.parse().map_err(|_| Fault::new(Code::Unclear, format!("{key} = {text:?} is no number")))
        }
    }
}
