//! Who plays, on which field, in which temper.

use std::sync::Arc;

use sealed_orders::crypto::{Identity, Promise, Tag, nonce_promise};
use sealed_orders::document::{Node, Table};
use sealed_orders::games::Keyholder;
use sealed_orders::ident::{Fresh, GameId, GameNonce, Seat, SeatIndex, Time};
use sealed_orders::log::{Card, Header, Player};
use zeroize::Zeroizing;

use super::counts::Counts;
use super::dice::Dice;
use super::oracle::tresurion::Options;
use super::oracle::tresurion::classes::CLASSES;

pub fn table<const N: usize>(entries: [(&str, Node); N]) -> Node {
    let mut table = Table::default();
    for (key, node) in entries {
        table.push(key, node);
    }
    table.into()
}

pub fn list(nodes: impl IntoIterator<Item = Node>) -> Node {
    nodes.into_iter().collect::<Vec<Node>>().into()
}

pub struct Side {
    pub name: Seat,
    pub index: SeatIndex,
    pub identity: Identity,
    pub fresh: Fresh,
    /// Ships with their squares, in the order in which they are deployed.
    pub fleet: Vec<(String, String)>,
    /// What the journal would keep, once it is sealed.
    pub kept: Option<Node>,
    /// How many of its nonces are open.
    pub opened: u64,
}

impl Side {
    pub fn keyholder(&self) -> Keyholder<'_> {
        Keyholder { seat: self.index, identity: &self.identity, kept: self.kept.as_ref() }
    }

    fn nonce_commitment(&self, game: &GameId, index: u64) -> String {
        let nonce = self.identity.secrets(game, &self.name, &self.fresh).nonce(index).open_nonce();
        nonce_promise(game, &self.name, index, &nonce).commitment().to_string()
    }

    /// The table `dice`, which opens the newest nonce.
    pub fn dice(&self, game: &GameId) -> Node {
        let nonce = self.identity.secrets(game, &self.name, &self.fresh).nonce(self.opened).open_nonce();
        table([
            ("nonce", nonce.to_string().into()),
            ("next", self.nonce_commitment(game, self.opened + 1).into()),
        ])
    }

    pub fn fleet_table(&self) -> Node {
        let ship =
            |(id, at): &(String, String)| table([("id", id.as_str().into()), ("at", at.as_str().into())]);
        table([("ships", list(self.fleet.iter().map(ship)))])
    }

    fn fleet_salt(&self, game: &GameId) -> String {
        self.identity.secrets(game, &self.name, &self.fresh).salt("fleet").open_salt().to_string()
    }

    /// The action `seal`, by hand.
    pub fn seal(&self, game: &GameId) -> Node {
        let parts = [("fleet", self.fleet_table()), ("salt", self.fleet_salt(game).into())];
        let fleet = Promise::new(Tag::Fleet, game, &self.name, parts).commitment();
        table([
            ("fresh", self.fresh.to_string().into()),
            ("fleet", fleet.to_string().into()),
            ("dice", self.nonce_commitment(game, 0).into()),
        ])
    }

    /// The action `deploy`, by hand.
    pub fn deploy(&self, game: &GameId) -> Node {
        table([
            ("salt", self.fleet_salt(game).into()),
            ("fleet", self.fleet_table()),
            ("dice", self.dice(game)),
        ])
    }
}

/// How these people play, in chances per mille.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// To hold their fire in a whole round.
    pub peace: usize,
    /// To move nobody in a round.
    pub hold: usize,
    pub claim: usize,
    pub offer: usize,
    /// From this step on they are tired, and offer draws more often.
    pub patience: usize,
    pub resign: usize,
    pub forfeit: usize,
    pub ruling: usize,
    /// To rule before play, in a phase.
    pub early_ruling: usize,
    pub leave_at_seal: usize,
    pub leave_at_deploy: usize,
    /// To play a round of single random moves instead of a sensible one.
    pub own_rounds: usize,
}

impl Temper {
    pub fn random(dice: &mut Dice) -> Temper {
        let calm = dice.chance(200);
        let quits = dice.chance(200);
        Temper {
            peace: if calm { *dice.pick(&[900, 980]) } else { *dice.pick(&[0, 0, 50]) },
            hold: if calm { 500 } else { 20 },
            claim: *dice.pick(if calm { &[50, 300, 1000] } else { &[0, 50, 300] }),
            offer: if dice.chance(150) { 300 } else { 10 },
            patience: *dice.pick(&[40, 150, 150]),
            resign: if quits { *dice.pick(&[20, 100]) } else { 1 },
            forfeit: if quits { *dice.pick(&[20, 100]) } else { 2 },
            ruling: if dice.chance(150) { 60 } else { 2 },
            early_ruling: if dice.chance(100) { 300 } else { 0 },
            leave_at_seal: if dice.chance(100) { 400 } else { 0 },
            leave_at_deploy: if dice.chance(120) { 600 } else { 0 },
            own_rounds: *dice.pick(&[100, 100, 500]),
        }
    }
}

pub struct Party {
    pub header: Arc<Header>,
    pub options: Options,
    pub sides: [Side; 2],
    pub arbiter: Option<Identity>,
}

pub fn square(file: usize, rank: usize) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn random_options(dice: &mut Dice, counts: &mut Counts) -> Options {
    let width = if dice.chance(600) { 15 } else { 15 + dice.below(12) };
    let length = match dice.below(20) {
        0 => 25 + dice.below(75),
        1..=4 => 26 + dice.below(6),
        _ => 25,
    };
    let mut squares: Vec<String> =
        (2..length - 2).flat_map(|rank| (0..width).map(move |file| square(file, rank))).collect();
    dice.shuffle(&mut squares);
    let terrain = dice.chance(500);
    let (rocks, holes) = if terrain { (dice.below(40), dice.below(6)) } else { (0, 0) };
    let asteroids = squares.split_off(squares.len() - rocks);
    let wormholes = (0..holes).map(|_| (squares.pop().unwrap(), squares.pop().unwrap())).collect();
    let reach = *dice.pick(&["between", "distance"]);
    counts.add(if terrain { "field: with terrain" } else { "field: open" });
    counts.add(&format!("reach: {reach}"));
    Options {
        width: width as u32,
        length: length as u32,
        reach: reach.to_owned(),
        quiet_turns: *dice.pick(&[0, 1, 1, 2, 3, 20]),
        asteroids,
        wormholes,
    }
}

fn options_table(options: &Options, days: u64) -> Table {
    let texts = |words: &[String]| list(words.iter().map(|word| Node::from(word.as_str())));
    let mut table = Table::default();
    table.push("width", u64::from(options.width));
    table.push("length", u64::from(options.length));
    table.push("reach", options.reach.as_str());
    table.push("quiet_turns", u64::from(options.quiet_turns));
    table.push("asteroids", texts(&options.asteroids));
    let pairs = options.wormholes.iter().map(|(one, other)| texts(&[one.clone(), other.clone()]));
    table.push("wormholes", list(pairs));
    table.push("days_per_step", days);
    table
}

/// All fifteen pieces, in ships of these sizes at first, on the two ranks of an end.
fn random_fleet(dice: &mut Dice, options: &Options, end: usize) -> Vec<(String, String)> {
    let most = *dice.pick(&[1, 2, 3, 3, 3, 3]);
    let mut pieces: Vec<char> = "111112222233333".chars().collect();
    dice.shuffle(&mut pieces);
    let ranks = if end == 0 { 0..2 } else { options.length as usize - 2..options.length as usize };
    let mut squares: Vec<String> =
        ranks.flat_map(|rank| (0..options.width as usize).map(move |file| square(file, rank))).collect();
    dice.shuffle(&mut squares);
    let mut fleet: Vec<(String, String)> = Vec::new();
    while !pieces.is_empty() {
        let full = dice.chance(600);
        let size = if full { most } else { 1 + dice.below(most) }.min(pieces.len());
        let mut digits: Vec<char> = pieces.split_off(pieces.len() - size);
        digits.sort_unstable();
        let ucn = format!("{:0>3}", digits.into_iter().collect::<String>());
        assert!(CLASSES.iter().any(|class| class.ucn == ucn));
        let same = fleet.iter().filter(|(id, _)| id.starts_with(&ucn)).count();
        fleet.push((format!("{ucn}{}", char::from(b'a' + same as u8)), squares.pop().unwrap()));
    }
    fleet
}

pub fn seat_party(dice: &mut Dice, counts: &mut Counts) -> Party {
    let options = random_options(dice, counts);
    let mut names =
        ["red", "blue", "x", "a-long-seat-name", "gold-2"].map(|name| name.parse::<Seat>().unwrap());
    dice.shuffle(&mut names);
    let identities = [0, 1].map(|_| Identity::from_seed(&Zeroizing::new(dice.bytes())));
    let arbiter = dice.chance(500).then(|| Identity::from_seed(&Zeroizing::new(dice.bytes())));
    counts.add(if arbiter.is_some() { "arbiter: yes" } else { "arbiter: no" });
    let players = [0, 1].map(|seat: usize| Player {
        seat: names[seat].clone(),
        name: format!("Player {}", names[seat]),
        mail: format!("{}@example.org", names[seat]),
        key: identities[seat].public(),
    });
    let card = arbiter.as_ref().map(|identity| Card {
        name: "The Arbiter".to_owned(),
        mail: "arbiter@example.org".to_owned(),
        key: identity.public(),
    });
    let header = Header::new(
        "tresurion/1",
        "A random game",
        Time::from_unix_seconds(1_800_000_000).unwrap(),
        GameNonce::new(dice.bytes()),
        options_table(&options, dice.below(366) as u64),
        players.to_vec(),
        card,
    )
    .unwrap();
    let mut seat = 0;
    let sides = identities.map(|identity| {
        let name = names[seat].clone();
        let index = header.index(&name).unwrap();
        assert_eq!(index.place(), seat);
        let fleet = random_fleet(dice, &options, seat);
        seat += 1;
        Side { name, index, identity, fresh: Fresh::new(dice.bytes()), fleet, kept: None, opened: 0 }
    });
    Party { header: Arc::new(header), options, sides, arbiter }
}
