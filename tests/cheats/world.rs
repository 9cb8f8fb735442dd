//! A random game between honest players and one cheater: how it is played, and what an
//! attempt may not change.

use std::collections::{BTreeMap, BTreeSet};

use sealed_orders::document::{Node, Table, Value};
use sealed_orders::fault::Stage;
use sealed_orders::games::{Outcome, Phase};
use sealed_orders::ident::{Fresh, GameId, Head};
use sealed_orders::log::{Draft, Entry, SignedEntry, SignedOrder, Verified, write_game_file};
use sealed_orders::mail::Reading;
use sealed_orders::turn::dispute::{Content, Dispute, Exhibit, Kind, dispute};
use sealed_orders::turn::{Extras, Replay, Verdict, adjudicate, position};

use super::club::Club;
use super::dice::Dice;
use super::oracle::shield_bashers::board::Board;
use super::{Expected, forks, orders};

/// How many cheats are tried at a step.
const TRIES: usize = 4;
/// How often one cheat is tried in one game: the games are to differ, not the tries.
const MOST_TRIES: u64 = 8;
/// The same for cheats that a whole branch of the game is played for.
const MOST_FORKS: u64 = 4;
/// After so many steps the players begin to resign, so that every game ends.
const LONG: u64 = 60;
const SERIES: u64 = 4;

/// A copy of the game.
pub struct Copy {
    pub entries: Vec<Entry>,
    pub replay: Replay,
}

impl Copy {
    pub fn of(club: &Club, entries: &[Entry]) -> Copy {
        let mut copy = Copy { entries: Vec::new(), replay: Replay::begin(club.header.clone()).unwrap() };
        copy.take(club, entries);
        copy
    }

    /// Takes entries in, and says what became of each.
    pub fn take(&mut self, club: &Club, new: &[Entry]) -> Vec<Verdict> {
        let taken = adjudicate(&club.header, &self.entries, new).unwrap();
        self.entries = taken.replay.entries().cloned().collect();
        self.replay = taken.replay;
        taken.verdicts
    }

    pub fn written(&self) -> String {
        write_game_file(self.replay.header(), &position(&self.replay).into(), self.replay.entries())
    }

    pub fn awaited(&self, club: &Club) -> Vec<String> {
        self.replay.missing().into_iter().map(|seat| club.header.seat(seat).to_string()).collect()
    }

    /// Whether a seat has lost for good: it is out, or another has won.
    pub fn has_lost(&self, club: &Club, seat: &str) -> bool {
        let index = club.index(seat);
        let table = self.replay.counted().position();
        let is_out = texts(&table, "out").iter().any(|out| out == seat);
        match self.replay.ending().map(|ending| ending.outcome) {
            Some(Outcome::Win(winner)) => winner != index,
            Some(Outcome::None) => true,
            // Who has not even sealed a fleet has no game to lose.
            Some(Outcome::Void(by)) => by == seat,
            Some(Outcome::Draw) | None => is_out,
        }
    }
}

pub fn texts(table: &Table, key: &str) -> Vec<String> {
    match table.get(key).map(|node| &node.value) {
        Some(Value::List(list)) => list.iter().filter_map(Node::as_text).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// A ship as the position tells of it.
#[derive(Clone, Debug)]
pub struct Ship {
    pub seat: String,
    pub id: String,
    pub square: String,
}

pub struct World<'a> {
    pub club: Club,
    pub dice: Dice,
    pub seats: Vec<String>,
    pub cheater: String,
    pub copy: Copy,
    pub board: Option<Board>,
    pub fresh: Fresh,
    /// Refused orders, which come again with the honest ones of the step.
    noise: Vec<Entry>,
    /// Whether the cheater is found out: then nobody honest resigns any more.
    pub found_out: bool,
    expected: &'a BTreeMap<String, Expected>,
    pub tally: BTreeMap<String, u64>,
}

impl<'a> World<'a> {
    pub fn new(number: u64, expected: &'a BTreeMap<String, Expected>) -> World<'a> {
        let mut dice = Dice::new(SERIES, number);
        let mut chosen = BTreeMap::new();
        let (rules, seats, board) = if number % 2 == 1 {
            // Asteroids, so that sight is blocked often enough.
            let rocks: Vec<String> = ["d", "f", "h", "j", "l"]
                .iter()
                .flat_map(|file| [format!("{file}11"), format!("{file}14")])
                .collect();
            chosen.insert("asteroids".to_owned(), rocks.join(","));
            ("tresurion/1", 2, None)
        } else {
            let (board, most) = *dice.pick(&[("full", 4), ("half", 2), ("wedges3", 3)]);
            let seats = 2 + dice.below(most - 1);
            chosen.insert("board".to_owned(), board.to_owned());
            chosen.insert("first".to_owned(), "red".to_owned());
            ("shield-bashers/1", seats, Some(Board::new(board)))
        };
        let seats: Vec<&str> = ["red", "blue", "green", "gold"].into_iter().take(seats).collect();
        let club = Club::with(rules, &seats, dice.bytes(), &chosen);
        let cheater = (*dice.pick(&seats)).to_owned();
        World {
            copy: Copy::of(&club, &[]),
            fresh: Fresh::new(dice.bytes()),
            seats: seats.into_iter().map(str::to_owned).collect(),
            club,
            dice,
            cheater,
            board,
            noise: Vec::new(),
            found_out: false,
            expected,
            tally: BTreeMap::new(),
        }
    }

    /// Plays the game out, and cheats at every step.
    pub fn play(mut self) -> BTreeMap<String, u64> {
        while !self.is_over() {
            // Some can be tried in this phase alone, and it comes once a game.
            let times = if self.phase() == Phase::Deploy { 5 } else { 1 };
            for _ in 0..times {
                self.cheat();
            }
            self.step();
            assert!(self.copy.replay.step() < 600, "the game does not end");
        }
        self.cheat();
        self.count(if self.copy.has_lost(&self.club, &self.cheater.clone()) {
            "the cheater lost"
        } else {
            "the cheater did not lose"
        });
        self.tally
    }

    pub fn count(&mut self, what: &str) {
        *self.tally.entry(what.to_owned()).or_default() += 1;
    }

    pub fn is_over(&self) -> bool {
        self.copy.replay.missing().is_empty()
    }

    pub fn phase(&self) -> Phase {
        self.copy.replay.state().phase()
    }

    pub fn is_awaited(&self) -> bool {
        self.copy.awaited(&self.club).contains(&self.cheater)
    }

    /// One of those who are honest.
    pub fn victim(&mut self) -> String {
        let others: Vec<String> = self.seats.iter().filter(|seat| **seat != self.cheater).cloned().collect();
        self.dice.pick(&others).clone()
    }

    pub fn ships(&self) -> Vec<Ship> {
        let table = self.copy.replay.state().position();
        let Some(Value::List(list)) = table.get("ships").map(|node| &node.value) else { return Vec::new() };
        let text = |ship: &Node, keys: [&str; 2]| {
            let table = ship.as_table().unwrap();
            keys.iter().find_map(|key| table.get(key).and_then(Node::as_text)).map(str::to_owned)
        };
        list.iter()
            .filter_map(|ship| {
                Some(Ship {
                    seat: text(ship, ["seat", "seat"])?,
                    id: text(ship, ["ship", "id"])?,
                    square: text(ship, ["square", "at"])?,
                })
            })
            .collect()
    }

    /// What an honest player would do now.
    pub fn honest(&mut self, copy: &Copy, seat: &str) -> Verified {
        let club = &self.club;
        let replay = &copy.replay;
        let may_resign = !self.found_out || seat == self.cheater;
        match replay.state().phase() {
            Phase::Seal => {
                let fresh = if seat == self.cheater { self.fresh } else { Fresh::new(self.dice.bytes()) };
                club.seal_at(replay, seat, &self.dice.bytes(), fresh)
            }
            Phase::Round if may_resign && replay.step() > LONG / 2 => {
                club.order_at(replay, seat, "resign", &Extras::default(), 0)
            }
            Phase::Round => club.round_at(replay, seat, &self.dice.bytes()),
            Phase::Move if may_resign && replay.step() > LONG && self.dice.chance(300) => {
                club.order_at(replay, seat, "resign", &Extras::default(), 0)
            }
            Phase::Move | Phase::AnswerClaim => {
                let words = self.decision(copy, seat);
                self.club.order_at(replay, seat, &words, &Extras::default(), 0)
            }
            _ => club.respond_at(replay, seat),
        }
    }

    /// The words of one legal decision: an attack, where one can be made, or a way towards one.
    fn decision(&mut self, copy: &Copy, seat: &str) -> String {
        let mut all = copy.replay.state().suggestions(self.club.index(seat));
        all.retain(|found| found.words[0] != "resign");
        let attacks: Vec<_> = all.iter().filter(|found| !found.remark.is_empty()).cloned().collect();
        let list = if attacks.is_empty() || self.dice.chance(150) { &all } else { &attacks };
        self.dice.pick(list).words.join(" ")
    }

    /// Plays a step: all that is awaited, with what was refused before among it.
    fn step(&mut self) {
        let copy = Copy::of(&self.club, &self.copy.entries);
        let mut mail: Vec<Entry> = Vec::new();
        for seat in copy.awaited(&self.club) {
            mail.push(self.honest(&copy, &seat).into());
        }
        let mut plain = Copy::of(&self.club, &self.copy.entries);
        plain.take(&self.club, &mail);
        mail.append(&mut self.noise);
        self.dice.shuffle(&mut mail);
        self.copy.take(&self.club, &mail);
        assert_eq!(self.copy.written(), plain.written(), "what was refused before has changed something");
    }

    /// Tries a few cheats, those first that were tried least.
    fn cheat(&mut self) {
        let mut all: Vec<(&'static str, orders::Make)> = orders::ALL.to_vec();
        self.dice.shuffle(&mut all);
        all.sort_by_key(|(name, _)| self.tally.get(*name).copied().unwrap_or(0));
        all.retain(|(name, _)| self.tally.get(*name).copied().unwrap_or(0) < MOST_TRIES);
        let mut tried = 0;
        for (name, make) in all {
            if let Some(text) = make(self) {
                self.attempt(name, &text);
                tried += 1;
            }
            if tried == TRIES {
                break;
            }
        }
        let mut all: Vec<(&'static str, forks::Make)> = forks::ALL.to_vec();
        self.dice.shuffle(&mut all);
        all.sort_by_key(|(name, _)| self.tally.get(*name).copied().unwrap_or(0));
        all.retain(|(name, _)| self.tally.get(*name).copied().unwrap_or(0) < MOST_FORKS);
        if let Some((name, _)) = all.into_iter().find(|(_, make)| make(self)) {
            self.count(name);
        }
    }

    pub fn expected(&self, name: &str) -> Expected {
        self.expected[name].clone()
    }

    /// A cheat by one order, which must be stopped by its own check and leave nothing behind.
    fn attempt(&mut self, name: &str, text: &str) {
        let expected = self.expected(name);
        let before = self.copy.written();
        let fault = match Reading::of_text(text) {
            Err(fault) => fault,
            Ok(Reading::Entry(signed)) => match signed.verify(&self.club.header) {
                Err(fault) => fault,
                Ok(entry) => {
                    self.noise.push(entry.clone());
                    match &self.copy.take(&self.club, std::slice::from_ref(&entry))[..] {
                        [Verdict::Refused(fault) | Verdict::Waiting(fault)] => fault.clone(),
                        other => panic!("{name} is taken: {other:?}\n{text}"),
                    }
                }
            },
            Ok(_) => panic!("{name} is no order:\n{text}"),
        };
        let check = match fault.code.stage() {
            Stage::Understood => "understood",
            Stage::Verified => "genuine",
            Stage::Placed => "in place",
            Stage::Legal => "legal",
            Stage::World => "readable",
        };
        assert_eq!(
            (check, fault.code.as_str()),
            (&*expected.check, &*expected.code),
            "{name}: {fault:?}\n{text}"
        );
        assert_eq!(self.copy.written(), before, "{name} has changed an honest copy");
        // What a referee is told does not depend on how often it is tried.
        if !self.tally.contains_key(name) {
            let found = settle(&[("honest.toml", &before), ("cheat.toml", text)]);
            assert_eq!(found.verdict().as_str(), expected.verdict, "{name}: {found:#?}\n{text}");
            assert_eq!(accused(&found), BTreeSet::new(), "{name}: a refused order accuses nobody");
            let blamed = found.findings.iter().filter(|finding| finding.kind == Kind::WrongOpening);
            for finding in blamed {
                assert_eq!(finding.seat.as_ref().map(|seat| seat.as_str()), Some(&*self.cheater), "{name}");
            }
        }
        self.count(name);
    }

    // ---- signing ----

    /// Signs any table with the cheater's key, in anybody's name, for any place.
    pub fn signed(&self, place: &Place, action: &str, details: Node) -> SignedOrder {
        self.draft(place, action, details).sign(self.club.key(&self.cheater)).unwrap()
    }

    pub fn draft(&self, place: &Place, action: &str, details: Node) -> Draft {
        Draft {
            game: place.game,
            after: place.after,
            step: place.step,
            seat: place.seat.parse().unwrap(),
            time: "2026-12-02T08:00:00Z".parse().unwrap(),
            press: place.press.clone(),
            draw: place.draw,
            action: action.to_owned(),
            details,
        }
    }

    /// The open step, for an order in the cheater's name.
    pub fn here(&self) -> Place {
        Place {
            game: self.club.header.id(),
            after: self.copy.replay.head(),
            step: self.copy.replay.step(),
            seat: self.cheater.clone(),
            draw: false,
            press: None,
        }
    }

    /// The order that an honest player would give in the cheater's place.
    pub fn good(&mut self) -> Option<Verified> {
        if !self.is_awaited() {
            return None;
        }
        let copy = Copy::of(&self.club, &self.copy.entries);
        let seat = self.cheater.clone();
        Some(self.honest(&copy, &seat))
    }
}

/// Where an order says that it belongs.
#[derive(Clone)]
pub struct Place {
    pub game: GameId,
    pub after: Head,
    pub step: u64,
    pub seat: String,
    pub draw: bool,
    pub press: Option<String>,
}

/// Settles a quarrel over texts.
pub fn settle(files: &[(&str, &str)]) -> Dispute {
    let exhibit = |(name, text): &(&str, &str)| {
        let content = Reading::of_text(text).map(|reading| match reading {
            Reading::Game(file) => Content::Game(file),
            Reading::Proof(file) => Content::Proof(file),
            Reading::Entry(entry) => Content::Entries(vec![Ok(entry)]),
            Reading::Blocks(blocks) => Content::Entries(
                blocks.into_iter().map(|block| block.order.map(SignedEntry::Order)).collect(),
            ),
        });
        Exhibit { name: (*name).to_owned(), content }
    };
    dispute(files.iter().map(exhibit).collect()).unwrap()
}

/// Who is shown to have signed two orders.
pub fn accused(dispute: &Dispute) -> BTreeSet<String> {
    dispute
        .findings
        .iter()
        .filter(|finding| matches!(finding.kind, Kind::TwoOrders | Kind::ProofEntered))
        .filter_map(|finding| finding.seat.as_ref().map(ToString::to_string))
        .collect()
}
