//! For whom a game waits, since when, and until when.
//!
//! No rule reads a clock: a deadline is for reports, and has force only through the
//! arbiter's signed entries (protocol, "Clock and arbiter"). "Now" is always an input.

use super::replay::Replay;
use crate::games::Legal;
use crate::ident::{SeatIndex, Time};
use crate::log::Entry;

const DAY: i64 = 86_400;

/// For whom a game waits, since when, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The seats whose order is missing, in the header's order; nobody, once it is over.
    pub seats: Vec<SeatIndex>,
    /// When the last step closed, by what its orders say, or when the game was made.
    pub since: Time,
    /// The deadline; nothing where the game sets none, or nothing is awaited.
    pub until: Option<Time>,
}

/// How long a deadline has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// The deadline that passed.
    pub since: Time,
    /// Whole days since then.
    pub days: u64,
}

impl Waiting {
    /// For whom a game waits.
    #[must_use]
    pub fn of(replay: &Replay) -> Self {
        let last = replay.steps().last();
        let entries = last.into_iter().flat_map(|step| &step.orders).map(Legal::entry);
        // A proof has no time of its own: its orders have.
        let orders = entries.flat_map(|entry| match entry {
            Entry::Order(order) => vec![order],
            Entry::Proof(proof) => proof.pair().iter().collect(),
        });
        let since = orders.map(|order| order.order().time).max().unwrap_or_else(|| replay.header().created());
        let seats = replay.missing();
        let days = replay.header().days_per_step();
        let until = (days > 0 && !seats.is_empty()).then(|| since.after_days(days));
        Self { seats, since, until }
    }

    /// How long the deadline has passed; nothing while there is time.
    #[must_use]
    pub fn overdue(&self, now: Time) -> Option<Overdue> {
        let since = self.until.filter(|until| now > *until)?;
        let days = now.unix_seconds().saturating_sub(since.unix_seconds()) / DAY;
        Some(Overdue { since, days: u64::try_from(days).unwrap_or(0) })
    }
}

impl Overdue {
    /// How long, in words: `3 days`.
    #[must_use]
    pub fn how_long(&self) -> String {
        match self.days {
            0 => "less than a day".to_owned(),
            1 => "1 day".to_owned(),
            days => format!("{days} days"),
        }
    }
}
