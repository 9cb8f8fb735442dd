//! A club with its games: keys, copies, and every way to give, forge or lose an order.

use std::collections::BTreeMap;
use std::sync::Arc;

use sealed_orders::crypto::{Identity, Promise, Tag};
use sealed_orders::document::{Node, Table, Value};
use sealed_orders::games::{self, Composed, Keyholder, Phase, Script};
use sealed_orders::ident::{Fresh, GameNonce, Head, Seat, SeatIndex, Time};
use sealed_orders::log::{Card, Draft, Entry, Header, Player, Verified, close_step, write_game_file};
use sealed_orders::turn::{Extras, Replay, adjudicate, position, sign};
use zeroize::Zeroizing;

/// One game of the club: its header and all keys.
pub struct Club {
    pub header: Arc<Header>,
    identities: BTreeMap<String, Identity>,
    /// Fleets that no key finds again, by their seats.
    kept: std::cell::RefCell<BTreeMap<String, Node>>,
}

/// A key of the club that belongs to nobody of its games.
pub fn stranger() -> Identity {
    Identity::from_seed(&Zeroizing::new([99; 32]))
}

fn identity_of(number: u8) -> Identity {
    Identity::from_seed(&Zeroizing::new([number; 32]))
}

impl Club {
    /// A game with these seats and an arbiter; `number` tells two games apart.
    pub fn new(rules: &str, seats: &[&str], number: u8) -> Self {
        let chosen = match rules {
            "shield-bashers/1" => BTreeMap::from([("first".to_owned(), seats[0].to_owned())]),
            _ => BTreeMap::new(),
        };
        Self::with(rules, seats, [number; 32], &chosen)
    }

    /// The same with options of its own.
    pub fn with(rules: &str, seats: &[&str], nonce: [u8; 32], chosen: &BTreeMap<String, String>) -> Self {
        let game = games::by_rules(rules).unwrap();
        let mut identities = BTreeMap::new();
        let mut players = Vec::new();
        for (place, seat) in seats.iter().enumerate() {
            let identity = identity_of(u8::try_from(place + 1).unwrap());
            players.push(Player {
                seat: seat.parse().unwrap(),
                name: format!("Player of {seat}"),
                mail: format!("{seat}@example.org"),
                key: identity.public(),
            });
            identities.insert((*seat).to_owned(), identity);
        }
        let arbiter = identity_of(50);
        let card = Card {
            name: "Arbiter".to_owned(),
            mail: "arbiter@example.org".to_owned(),
            key: arbiter.public(),
        };
        identities.insert(Seat::ARBITER.to_owned(), arbiter);
        let header = Header::new(
            rules,
            "Club game",
            "2026-12-01T10:00:00Z".parse().unwrap(),
            GameNonce::new(nonce),
            game.options(seats.len(), chosen).unwrap(),
            players,
            Some(card),
        )
        .unwrap();
        Self { header: Arc::new(header), identities, kept: std::cell::RefCell::default() }
    }

    pub fn key(&self, seat: &str) -> &Identity {
        &self.identities[seat]
    }

    pub fn index(&self, seat: &str) -> SeatIndex {
        self.header.index(&seat.parse().unwrap()).unwrap()
    }

    /// The game that entries make.
    pub fn replay(&self, entries: &[Entry]) -> Replay {
        adjudicate(&self.header, &[], entries).unwrap().replay
    }

    /// The entries as a game file with its position.
    pub fn file(&self, entries: &[Entry]) -> String {
        let replay = self.replay(entries);
        assert_eq!(replay.entries().count(), entries.len(), "a copy holds what was put into it");
        write_game_file(&self.header, &position(&replay).into(), replay.entries())
    }

    /// A game file whose position tells of `told` and whose entries are these, as they are.
    pub fn file_as_it_is(&self, entries: &[Entry], told: &[Entry]) -> String {
        write_game_file(&self.header, &position(&self.replay(told)).into(), entries)
    }

    fn with_key<T>(&self, seat: &str, use_key: impl FnOnce(Keyholder<'_>) -> T) -> T {
        let kept = self.kept.borrow().get(seat).cloned();
        use_key(Keyholder { seat: self.index(seat), identity: self.key(seat), kept: kept.as_ref() })
    }

    fn signed(
        &self,
        replay: &Replay,
        seat: &str,
        composed: Composed,
        extras: &Extras,
        minutes: i64,
    ) -> Verified {
        if let Some(fleet) = &composed.kept {
            self.kept.borrow_mut().insert(seat.to_owned(), fleet.clone());
        }
        let time = Time::from_unix_seconds(1_796_120_000 + 60 * minutes).unwrap();
        self.with_key(seat, |by| sign(replay, by, composed, extras, time)).unwrap()
    }

    /// An order of a few words.
    pub fn order(&self, entries: &[Entry], seat: &str, words: &str) -> Verified {
        self.order_said(entries, seat, words, None, 0)
    }

    /// The same with press, some minutes later.
    pub fn order_said(
        &self,
        entries: &[Entry],
        seat: &str,
        words: &str,
        press: Option<&str>,
        minutes: i64,
    ) -> Verified {
        let extras = Extras { press: press.map(str::to_owned), draw: false };
        self.order_at(&self.replay(entries), seat, words, &extras, minutes)
    }

    /// The same in a game that was replayed already.
    pub fn order_at(
        &self,
        replay: &Replay,
        seat: &str,
        words: &str,
        extras: &Extras,
        minutes: i64,
    ) -> Verified {
        let composed = self.with_key(seat, |by| replay.state().compose(by, &Script::read(words))).unwrap();
        self.signed(replay, seat, composed, extras, minutes)
    }

    /// The order that needs no decision.
    pub fn respond(&self, entries: &[Entry], seat: &str) -> Verified {
        self.respond_at(&self.replay(entries), seat)
    }

    /// The same in a game that was replayed already.
    pub fn respond_at(&self, replay: &Replay, seat: &str) -> Verified {
        let composed = self.with_key(seat, |by| replay.state().respond(by)).unwrap();
        self.signed(replay, seat, composed, &Extras::default(), 0)
    }

    /// A sealed fleet, drawn from a number.
    pub fn seal(&self, entries: &[Entry], seat: &str, number: u8) -> Verified {
        self.seal_at(&self.replay(entries), seat, &[number; 32], Fresh::new([number; 16]))
    }

    /// The same in a game that was replayed already, from random bytes.
    pub fn seal_at(&self, replay: &Replay, seat: &str, entropy: &[u8; 32], fresh: Fresh) -> Verified {
        let fleet = replay.state().random_fleet(self.index(seat), entropy).unwrap();
        let composed = self.with_key(seat, |by| replay.state().seal(by, &fleet, fresh)).unwrap();
        self.signed(replay, seat, composed, &Extras::default(), 0)
    }

    /// A round of Tresurion, from random bytes.
    pub fn round_at(&self, replay: &Replay, seat: &str, entropy: &[u8; 32]) -> Verified {
        let script = replay.state().sample(self.index(seat), entropy).unwrap();
        let composed = self.with_key(seat, |by| replay.state().compose(by, &script)).unwrap();
        self.signed(replay, seat, composed, &Extras::default(), 0)
    }

    /// Any table signed by any key, wherever it says that it belongs.
    pub fn forge(
        &self,
        key: &Identity,
        seat: &str,
        after: Head,
        step: u64,
        action: &str,
        details: Table,
    ) -> sealed_orders::log::SignedOrder {
        Draft {
            game: self.header.id(),
            after,
            step,
            seat: seat.parse().unwrap(),
            time: "2026-12-02T08:00:00Z".parse().unwrap(),
            press: None,
            draw: false,
            action: action.to_owned(),
            details: details.into(),
        }
        .sign(key)
        .unwrap()
    }

    /// An entry of the arbiter.
    pub fn arbiter(&self, entries: &[Entry], action: &str, facts: &[(&str, &str)]) -> Verified {
        let replay = self.replay(entries);
        let mut details = Table::default();
        for (key, value) in facts {
            details.push(*key, *value);
        }
        let key = self.key(Seat::ARBITER);
        self.forge(key, Seat::ARBITER, replay.head(), replay.step(), action, details)
            .verify(&self.header)
            .unwrap()
    }

    pub fn forfeit(&self, entries: &[Entry], seat: &str) -> Verified {
        self.arbiter(entries, "forfeit", &[("seat", seat), ("reason", "The time has passed.")])
    }

    /// Who is awaited, by name.
    pub fn awaited(&self, entries: &[Entry]) -> Vec<String> {
        let replay = self.replay(entries);
        replay.missing().into_iter().map(|seat| self.header.seat(seat).to_string()).collect()
    }

    /// The words of all legal orders of a seat but resigning: first those that attack nobody.
    pub fn choices(&self, entries: &[Entry], seat: &str) -> Vec<String> {
        let replay = self.replay(entries);
        let mut all = replay.state().suggestions(self.index(seat));
        all.retain(|choice| choice.words.first().is_none_or(|word| word != "resign" && word != "claim-draw"));
        all.sort_by_key(|choice| !choice.remark.is_empty());
        all.into_iter().map(|choice| choice.words.join(" ")).collect()
    }

    /// One awaited order of a seat: its `number`-th choice, where there is something to choose.
    pub fn any_order(&self, entries: &[Entry], seat: &str, number: usize) -> Verified {
        let replay = self.replay(entries);
        match replay.state().phase() {
            Phase::Seal => self.seal(entries, seat, u8::try_from(number + 1).unwrap()),
            Phase::Round => self.round_at(&replay, seat, &[u8::try_from(number).unwrap(); 32]),
            Phase::Move | Phase::AnswerClaim => {
                let choices = self.choices(entries, seat);
                self.order(entries, seat, &choices[number % choices.len()])
            }
            _ => self.respond(entries, seat),
        }
    }

    /// Plays on until so many more steps have closed.
    pub fn play(&self, entries: &mut Vec<Entry>, steps: u64, choice: usize) {
        let until = self.replay(entries).step() + steps;
        while self.replay(entries).step() < until {
            let awaited = self.awaited(entries);
            assert!(!awaited.is_empty(), "the game is over too early");
            for seat in awaited {
                let order = self.any_order(entries, &seat, choice);
                entries.push(order.into());
            }
        }
    }

    /// The game with all fleets open.
    pub fn deployed(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (number, seat) in self.awaited(&[]).iter().enumerate() {
            let order = self.seal(&entries, seat, u8::try_from(number + 1).unwrap());
            entries.push(order.into());
        }
        self.play(&mut entries, 1, 0);
        entries
    }
}

/// Entries with some more behind them.
pub fn with(entries: &[Entry], more: &[&Verified]) -> Vec<Entry> {
    entries.iter().cloned().chain(more.iter().map(|order| Entry::from((*order).clone()))).collect()
}

/// A way to a standoff of red and blue, while green and gold resign; from a number.
pub fn try_standoff(club: &Club, seed: u64) -> Option<Vec<Entry>> {
    let mut entries = club.deployed();
    let replay = club.replay(&entries);
    let (mut state, mut head, mut step) = (replay.state().copy(), replay.head(), replay.step());
    let mut random = seed;
    for _ in 0..150 {
        let table = state.position();
        let ships = ships_of(&table);
        let one_each = ships.len() == 2;
        let quiet = matches!(table.get("quiet_turns").map(|node| &node.value), Some(Value::Integer(12..)));
        if state.ending().is_some() {
            return None;
        }
        if one_each && quiet {
            return Some(entries);
        }
        let seat = club.header.seat(state.awaited()[0]).to_string();
        let composed = club.with_key(&seat, |by| {
            if state.phase() == Phase::Defend {
                return state.respond(by).unwrap();
            }
            if seat == "green" || seat == "gold" {
                return state.compose(by, &Script::read("resign")).unwrap();
            }
            let others: Vec<&String> =
                ships.iter().filter(|(owner, _)| *owner != seat).map(|(_, square)| square).collect();
            let of = |square: &str| (i32::from(square.as_bytes()[0]), i32::from(square.as_bytes()[1]));
            let far = |square: &str| {
                let (x, y) = of(square);
                let apart = |other: &&String| {
                    let (u, v) = of(other);
                    (x - u).abs().max((y - v).abs())
                };
                others.iter().map(apart).min().unwrap()
            };
            let mut moves: Vec<_> = state
                .suggestions(by.seat)
                .into_iter()
                .filter(|found| found.words[0] == "move" && (!one_each || found.remark.is_empty()))
                .collect();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let shift = usize::try_from(random >> 33).unwrap() % moves.len();
            moves.rotate_left(shift);
            // While they fight they draw near; a stable sort leaves ties as the numbers have them.
            if !one_each && !random.is_multiple_of(5) {
                moves.sort_by_key(|found| far(&found.words[2]));
            }
            state.compose(by, &Script::from(moves[0].words.as_slice())).unwrap()
        });
        let Value::Table(details) = composed.details.value else { panic!("an action is a table") };
        let order = club.forge(club.key(&seat), &seat, head, step, composed.action, details);
        let order = order.verify(&club.header).unwrap();
        state = state.close(&[state.judge(&order).unwrap()]).unwrap().state;
        head = close_step(&head, &[order.digest()]);
        step += 1;
        entries.push(order.into());
    }
    None
}

/// The ships of a position: owner and square.
fn ships_of(position: &Table) -> Vec<(String, String)> {
    let Some(Value::List(ships)) = position.get("ships").map(|node| &node.value) else { return Vec::new() };
    let text = |ship: &Node, key: &str| {
        ship.as_table().unwrap().get(key).map(|node| node.as_text().unwrap().to_owned())
    };
    ships.iter().filter_map(|ship| Some((text(ship, "seat")?, text(ship, "square")?))).collect()
}

/// A game in which red has sealed the same colour in two secondaries, signed as it should be,
/// and played until both were open.
pub fn two_whites() -> (Club, Vec<Entry>) {
    let club = Club::new("shield-bashers/1", &["red", "blue"], 11);
    let red: Seat = "red".parse().unwrap();
    let id = club.header.id();
    // An honest game first: it shows what the honest fleet would have been.
    let honest = club.deployed();
    let deploys = honest
        .iter()
        .filter_map(Entry::order)
        .find(|order| order.order().action == "deploy" && order.order().seat == red);
    let Value::Table(mut deploy) = deploys.unwrap().order().details().value.clone() else {
        panic!("a table")
    };
    let state = club.replay(&honest);
    let secrets = club.key("red").secrets(&id, &red, &Fresh::new([1; 16]));
    let promise = |ship: &str, colour: &str| {
        let mut opening = Table::default();
        opening.push("seat", "red");
        opening.push("ship", ship);
        opening.push("layer", "secondary");
        opening.push("colour", colour);
        opening.push("salt", secrets.salt(&format!("secondary {ship}")).open_salt().to_string());
        state.state().promise(&opening.into()).unwrap().2.commitment().to_string()
    };
    let Value::Table(mut fleet) = deploy.take("fleet").unwrap().node.value else { panic!("a table") };
    for name in ["frigate", "destroyer", "cruiser"] {
        let Value::Table(mut ship) = fleet.take(name).unwrap().node.value else { panic!("a table") };
        ship.take("secondary").unwrap();
        ship.push("secondary", promise(name, "white"));
        fleet.push(name, ship);
    }
    let salt: String = deploy.get("salt").unwrap().as_text().unwrap().to_owned();
    let sealed = Promise::new(
        Tag::Fleet,
        &id,
        &red,
        [("fleet", fleet.clone().into()), ("salt", salt.as_str().into())],
    );
    deploy.push("fleet", fleet);
    let mut entries = Vec::new();
    for (number, seat) in ["red", "blue"].iter().enumerate() {
        let honest = club.seal(&[], seat, u8::try_from(number + 1).unwrap());
        let Value::Table(mut seal) = honest.order().details().value.clone() else { panic!("a table") };
        if *seat == "red" {
            seal.take("fleet").unwrap();
            seal.push("fleet", sealed.commitment().to_string());
        }
        let order = club.forge(club.key(seat), seat, Head::first(id), 0, "seal", seal);
        entries.push(Entry::from(order.verify(&club.header).unwrap()));
    }
    let replay = club.replay(&entries);
    let order = club.forge(club.key("red"), "red", replay.head(), 1, "deploy", deploy);
    let blue = club.respond(&entries, "blue");
    entries.push(order.verify(&club.header).unwrap().into());
    entries.push(blue.into());
    // They fight: of all choices those that attack come last.
    for turn in 0..200_usize {
        let replay = club.replay(&entries);
        if replay.steps().iter().flat_map(|step| &step.events).any(|event| event.kind == "caught") {
            return (club, entries);
        }
        let seat = club.awaited(&entries).remove(0);
        let choices = match replay.state().phase() {
            Phase::Move => club.choices(&entries, &seat).len(),
            _ => 1,
        };
        let choice = if turn % 3 == 0 { (turn * 7 + 3) % choices } else { choices - 1 };
        let order = club.any_order(&entries, &seat, choice);
        entries.push(order.into());
    }
    panic!("red was never caught");
}
