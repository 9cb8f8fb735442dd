//! The names of things: seats, heads, digests, keys, times.
//!
//! Every identifier of the protocol is a type of its own, so that a head cannot be
//! handed over where an order digest is meant. All of them read exactly one spelling
//! (lowercase hex, `2026-11-30T05:48:16Z`) and write the same one again.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The largest integer that the protocol knows: 2^53 - 1, the largest one that every
/// JSON reader keeps exact (RFC 8785, RFC 7493).
pub const LARGEST_INTEGER: u64 = (1 << 53) - 1;

/// Writes bytes as lowercase hex digits.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(if half < 10 { b'0' + half } else { b'a' + half - 10 });
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// Reads exactly `N` bytes from `2 * N` lowercase hex digits.
///
/// # Errors
/// Says what is wrong in words for people: wrong length, uppercase, no hex digit.
pub fn from_hex<const N: usize>(text: &str) -> Result<[u8; N], String> {
    const fn digit(c: u8) -> Option<u8> {
        match c {
            b'0'..=b'9' => Some(c - b'0'),
            b'a'..=b'f' => Some(c - b'a' + 10),
            _ => None,
        }
    }
    let mut bytes = [0_u8; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let mut sound = pairs.len() == N && rest.is_empty();
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        match (digit(*high), digit(*low)) {
            (Some(high), Some(low)) => *byte = high << 4 | low,
            _ => sound = false,
        }
    }
    if sound { Ok(bytes) } else { Err(not_hex(text, N * 2)) }
}

fn not_hex(text: &str, wanted: usize) -> String {
    if let Some(odd) = text.chars().find(|c: &char| !c.is_ascii_hexdigit()) {
        format!("{odd:?} is not a hex digit; {wanted} lowercase hex digits are needed")
    } else if text.len() != wanted {
        format!("{} hex digits where {wanted} are needed", text.len())
    } else {
        "uppercase hex digits; write them in lowercase".to_owned()
    }
}

macro_rules! hex_type {
    ($(#[$meta:meta])* $name:ident, $bytes:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $bytes]);

        impl $name {
            /// Wraps raw bytes.
            #[must_use]
            pub const fn new(bytes: [u8; $bytes]) -> Self { Self(bytes) }
            /// The raw bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] { &self.0 }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&to_hex(&self.0)) }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> { from_hex(text).map(Self) }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": format!("^[0-9a-f]{{{}}}$", $bytes * 2),
                })
            }
        }
    };
}

hex_type!(
    /// The digest of a game's header: the game's name for ever.
    GameId, 32
);
hex_type!(
    /// A point in a game's chain: the game id, or the digest of the step that closed last.
    Head, 32
);
hex_type!(
    /// The digest of an order without its signature.
    OrderDigest, 32
);
hex_type!(
    /// A promise: the digest of something that is opened later.
    Commitment, 32
);
hex_type!(
    /// The random bytes that keep a commitment from being guessed. Opened, it is public.
    Salt, 32
);
hex_type!(
    /// One seat's share of the entropy behind dice. Opened, it is public.
    Nonce, 32
);
hex_type!(
    /// An ed25519 public key as it is written. Whether it is a sound one is for `crypto`.
    PublicKey, 32
);
hex_type!(
    /// The random value that tells two games of the same players apart.
    GameNonce, 32
);
hex_type!(
    /// New randomness that a `[seal]` publishes, so that no two sealings share a secret.
    Fresh, 16
);
hex_type!(
    /// One half, `r` or `s`, of an ed25519 signature (RFC 8032).
    SignatureHalf, 32
);
hex_type!(
    /// The first eight digits of an order digest: advice that tells damage from a wrong key.
    CheckDigits, 4
);

impl Head {
    /// The head of a game in which nothing has closed yet.
    #[must_use]
    pub const fn first(game: GameId) -> Self {
        Self(game.0)
    }

    /// The first sixteen digits in fours, for two players who compare by eye.
    #[must_use]
    pub fn by_eye(&self) -> String {
        let digits = self.to_string();
        digits.as_bytes().chunks(4).take(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
    }
}

impl PublicKey {
    /// The first sixteen digits in fours, for people who compare keys over the telephone.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        Head(self.0).by_eye()
    }
}

impl OrderDigest {
    /// The digits that a signature's `check` advises.
    #[must_use]
    pub fn check_digits(&self) -> CheckDigits {
        let [a, b, c, d, ..] = self.0;
        CheckDigits([a, b, c, d])
    }
}

/// A seat at the table, or the arbiter: `[a-z][a-z0-9-]{0,15}`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(String);

impl Seat {
    /// The seat name that only a game's arbiter signs as.
    pub const ARBITER: &'static str = "arbiter";

    /// The arbiter, who signs like a seat but sits at none.
    #[must_use]
    pub fn arbiter() -> Self {
        Self(Self::ARBITER.to_owned())
    }

    /// Whether this is the arbiter.
    #[must_use]
    pub fn is_arbiter(&self) -> bool {
        self.0 == Self::ARBITER
    }

    /// The name as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat({})", self.0)
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut letters = text.bytes();
        let starts_well = letters.next().is_some_and(|c| c.is_ascii_lowercase());
        let goes_on_well = letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-');
        if starts_well && goes_on_well && text.len() <= 16 {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!(
                "{text:?} is no seat name; a seat is 1 to 16 of a-z, 0-9 and -, and begins with a letter"
            ))
        }
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Seat {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-z][a-z0-9-]{0,15}$" })
    }
}

/// A whole second in UTC, written exactly like `2026-11-30T05:48:16Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(DateTime<Utc>);

impl Time {
    /// The name under which a time passes through serde, so that a TOML writer can tell
    /// it from a string and write a native date-time.
    pub const MARKER: &'static str = "sealed_orders::Time";

    /// Reads `2026-11-30T05:48:16Z`: digits where there are digits, the signs where they are.
    fn from_spelling(text: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'Z'] =
            text
        else {
            return None;
        };
        let number = |digits: &[&u8]| -> Option<u32> {
            digits.iter().try_fold(0, |sum, digit| Some(sum * 10 + char::from(**digit).to_digit(10)?))
        };
        let year = i32::try_from(number(&[y1, y2, y3, y4])?).ok().filter(|year| *year >= 1)?;
        let day = NaiveDate::from_ymd_opt(year, number(&[m1, m2])?, number(&[d1, d2])?)?;
        let time = day.and_hms_opt(number(&[h1, h2])?, number(&[n1, n2])?, number(&[s1, s2])?)?;
        Some(Self(time.and_utc()))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// A year before 0001 or after 9999 has no spelling here.
    pub fn from_unix_seconds(seconds: i64) -> Result<Self, String> {
        DateTime::from_timestamp(seconds, 0)
            .filter(|time| (1..=9999).contains(&time.year()))
            .map(Self)
            .ok_or_else(|| format!("{seconds} seconds since 1970 is not a time in the years 1 to 9999"))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.0.timestamp()
    }

    /// The same time `days` days later, or the last time there is.
    #[must_use]
    pub fn after_days(self, days: u64) -> Self {
        let seconds = i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(86_400);
        Self::from_unix_seconds(self.unix_seconds().saturating_add(seconds)).unwrap_or(self)
    }

    /// For people: `30 Nov 2026, 05:48 UTC`.
    #[must_use]
    pub fn for_people(self) -> String {
        self.0.format("%-d %b %Y, %H:%M UTC").to_string()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, time) = (self.0.date_naive(), self.0.time());
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            day.year(),
            day.month(),
            day.day(),
            time.hour(),
            time.minute(),
            time.second()
        )
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Time({self})")
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A second spelling of the same instant would be a second digest, so there is one;
        // a leap second is no instant that every reader knows.
        Self::from_spelling(text.as_bytes()).ok_or_else(|| {
            format!("{text:?} is not a time; write whole seconds in UTC, like 2026-11-30T05:48:16Z")
        })
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Self::MARKER, &self.to_string())
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsWritten;
        impl de::Visitor<'_> for AsWritten {
            type Value = Time;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time like 2026-11-30T05:48:16Z, without quotes")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_newtype_struct(Self::MARKER, AsWritten)
    }
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A TOML date-time in whole seconds, UTC.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
        })
    }
}

/// A seat by its place in the header, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatIndex(usize);

impl SeatIndex {
    /// The first seat, which every game has.
    pub const FIRST: Self = Self(0);

    /// The place in the header's list, from 0.
    #[must_use]
    pub const fn place(self) -> usize {
        self.0
    }
}

/// One value for each seat of a game, in the header's order: a total map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BySeat<T>(Vec<T>);

impl<T> BySeat<T> {
    /// One value for each of `seats` seats.
    pub fn from_fn(seats: usize, make: impl FnMut(SeatIndex) -> T) -> Self {
        Self((0..seats).map(SeatIndex).map(make).collect())
    }

    /// One value a seat, already in the header's order.
    #[must_use]
    pub fn from_vec(values: Vec<T>) -> Self {
        Self(values)
    }

    /// How many seats there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no seat at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The seats, in the header's order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = SeatIndex> + use<T> {
        (0..self.0.len()).map(SeatIndex)
    }

    /// Seats with their values, in the header's order.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (SeatIndex, &T)> {
        self.0.iter().enumerate().map(|(i, value)| (SeatIndex(i), value))
    }

    /// Seats with their values to be changed, in the header's order.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (SeatIndex, &mut T)> {
        self.0.iter_mut().enumerate().map(|(i, value)| (SeatIndex(i), value))
    }

    /// The seats clockwise from the one after `seat` round to `seat` itself.
    pub fn clockwise_from(&self, seat: SeatIndex) -> impl Iterator<Item = SeatIndex> + use<T> {
        let seats = self.0.len().max(1);
        (1..=seats).map(move |distance| SeatIndex((seat.0 + distance) % seats))
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "a SeatIndex comes only from a BySeat of the same header, so it is within"
)]
mod total {
    use super::{BySeat, SeatIndex};

    impl<T> std::ops::Index<SeatIndex> for BySeat<T> {
        type Output = T;
        fn index(&self, seat: SeatIndex) -> &T {
            &self.0[seat.0]
        }
    }

    impl<T> std::ops::IndexMut<SeatIndex> for BySeat<T> {
        fn index_mut(&mut self, seat: SeatIndex) -> &mut T {
            &mut self.0[seat.0]
        }
    }
}
