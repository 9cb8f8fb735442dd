//! Who plays: seats with their keys and true fleets, and the header that they agree on.

use std::sync::Arc;

use sealed_orders::crypto::{Identity, Secrets};
use sealed_orders::document::Table;
use sealed_orders::games::Keyholder;
use sealed_orders::ident::{Fresh, GameNonce, Seat, SeatIndex, Time};
use sealed_orders::log::{Card, Header, Player};
use zeroize::Zeroizing;

use super::counts::Counts;
use super::dice::Dice;
use super::oracle::shield_bashers::board::Board;
use super::oracle::shield_bashers::combat::COLOURS;
use super::oracle::shield_bashers::{SHIPS, Setup, TrueShip};

/// What a seat seals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Honesty {
    Honest,
    /// A colour occurs twice in a sealed layer: legal to deploy, caught when it shows (SB-22).
    Cheat,
    /// The open part of the fleet breaks SB-1 or SB-6: it can be sealed, but never deployed.
    Broken,
}

pub struct Person {
    pub seat: String,
    pub name: Seat,
    pub index: SeatIndex,
    pub seed: [u8; 32],
    pub identity: Identity,
    pub fresh: Fresh,
    pub secrets: Secrets,
    pub honesty: Honesty,
    /// Frigate, destroyer, cruiser.
    pub fleet: Vec<TrueShip>,
}

impl Person {
    pub fn keyholder(&self) -> Keyholder<'_> {
        Keyholder { seat: self.index, identity: &self.identity, kept: None }
    }
}

pub struct Party {
    pub header: Arc<Header>,
    pub setup: Setup,
    pub people: Vec<Person>,
    pub arbiter: Option<([u8; 32], Identity)>,
}

/// How these people play, in chances per mille.
#[derive(Clone, Copy, Debug)]
pub struct Temper {
    /// To attack where an attack is possible.
    pub attack: usize,
    /// To go towards the enemy when not attacking.
    pub approach: usize,
    /// Whether the last two ships leave each other alone, for final battles and claims.
    pub calm_at_the_end: bool,
    /// Whether they stay near each other then, so that an attack can answer a claim.
    pub lurk: bool,
    /// To offer a draw with an order that may carry it.
    pub offer: usize,
    pub resign: usize,
    /// To resign instead of sealing, and instead of deploying.
    pub leave_at_seal: usize,
    pub leave_at_deploy: usize,
    pub forfeit: usize,
    pub ruling: usize,
    pub withhold_audit: usize,
    pub cheat: usize,
    pub broken: usize,
}

impl Temper {
    pub fn random(dice: &mut Dice) -> Temper {
        let rare = |dice: &mut Dice, often: usize, then: usize, else_: usize| {
            if dice.chance(often) { then } else { else_ }
        };
        Temper {
            attack: *dice.pick(&[700, 900, 1000]),
            approach: *dice.pick(&[600, 800, 900]),
            calm_at_the_end: dice.chance(800),
            lurk: dice.chance(350),
            offer: rare(dice, 120, 650, 15),
            resign: rare(dice, 100, 40, 3),
            leave_at_seal: rare(dice, 80, 150, 4),
            leave_at_deploy: rare(dice, 130, 500, 8),
            forfeit: rare(dice, 200, 30, 4),
            ruling: rare(dice, 120, 50, 2),
            withhold_audit: rare(dice, 150, 400, 20),
            cheat: rare(dice, 250, 500, 40),
            broken: rare(dice, 60, 300, 5),
        }
    }
}

pub const NAMES: [&str; 6] = ["red", "blue", "green", "gold-2", "x", "a-long-seat-name"];

pub fn seat_party(dice: &mut Dice, temper: &Temper, counts: &mut Counts) -> Party {
    let (board, corners) =
        *dice.pick(&[("full", 4), ("half", 2), ("wedges3", 3), ("wedges5", 5), ("wedges6", 6)]);
    // Small parties are quicker and show more of the end game; large ones must come up too.
    let seats = if dice.chance(250) { 2 } else { 2 + dice.below(corners - 1) };
    let mut names: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    dice.shuffle(&mut names);
    names.truncate(seats);
    let first = if dice.chance(500) { "roll".to_owned() } else { dice.pick(&names).clone() };
    let setup = Setup { board: board.to_owned(), seats: names, first };

    let seeds: Vec<[u8; 32]> = setup.seats.iter().map(|_| dice.bytes()).collect();
    let identities: Vec<Identity> =
        seeds.iter().map(|seed| Identity::from_seed(&Zeroizing::new(*seed))).collect();
    let arbiter = dice.chance(450).then(|| {
        let seed = dice.bytes();
        (seed, Identity::from_seed(&Zeroizing::new(seed)))
    });
    let mut options = Table::default();
    options.push("board", board);
    options.push("first", setup.first.as_str());
    options.push("memory_aid", dice.chance(500));
    options.push("days_per_step", dice.below(366) as u64);
    let players = setup
        .seats
        .iter()
        .zip(&identities)
        .map(|(seat, identity)| Player {
            seat: seat.parse().unwrap(),
            name: format!("Player \"{seat}\""),
            mail: format!("{seat}@example.org"),
            key: identity.public(),
        })
        .collect();
    let card = arbiter.as_ref().map(|(_, identity)| Card {
        name: "The Arbiter".to_owned(),
        mail: "arbiter@example.org".to_owned(),
        key: identity.public(),
    });
    let created = Time::from_unix_seconds(1_800_000_000).unwrap();
    let nonce = GameNonce::new(dice.bytes());
    let header =
        Header::new("shield-bashers/1", "A random game", created, nonce, options, players, card).unwrap();

    let drawn = Board::new(board);
    let people = identities
        .into_iter()
        .enumerate()
        .map(|(i, identity)| {
            let name: Seat = setup.seats[i].parse().unwrap();
            let fresh = Fresh::new(dice.bytes());
            let secrets = identity.secrets(&header.id(), &name, &fresh);
            let corner = drawn.corner_of_seat(i, seats);
            let (honesty, fleet) = random_fleet(dice, temper, &drawn, &corner);
            Person {
                seat: setup.seats[i].clone(),
                index: header.index(&name).unwrap(),
                name,
                seed: seeds[i],
                identity,
                fresh,
                secrets,
                honesty,
                fleet,
            }
        })
        .collect();
    counts.add(&format!("board: {board}"));
    counts.add(&format!("seats: {seats}"));
    counts.add(if arbiter.is_some() { "arbiter: yes" } else { "arbiter: no" });
    if corners > seats {
        counts.add("SB-08 more corners than seats");
    }
    Party { header: Arc::new(header), setup, people, arbiter }
}

fn nest(dice: &mut Dice) -> [String; 3] {
    let mut colours = COLOURS.map(str::to_owned);
    dice.shuffle(&mut colours);
    colours
}

fn random_fleet(dice: &mut Dice, temper: &Temper, board: &Board, corner: &str) -> (Honesty, Vec<TrueShip>) {
    let mut beside = board.straight_neighbours(corner);
    dice.shuffle(&mut beside);
    let mut squares = [beside[0].clone(), beside[1].clone(), corner.to_owned()];
    let (mut primaries, mut secondaries, mut tertiaries) = (nest(dice), nest(dice), nest(dice));
    let honesty = if dice.chance(temper.broken) {
        match dice.below(4) {
            0 => primaries[dice.below(2)] = primaries[2].clone(),
            1 => squares[0] = squares[1].clone(),
            2 => squares.swap(0, 2),
            _ => squares[1] = board.diagonal_neighbours(corner)[0].clone(),
        }
        Honesty::Broken
    } else if dice.chance(temper.cheat) {
        let which = dice.below(3);
        let three = dice.chance(200);
        for (i, layer) in [&mut secondaries, &mut tertiaries].into_iter().enumerate() {
            if which == i || which == 2 {
                let (one, other) = *dice.pick(&[(0, 1), (0, 2), (1, 2), (2, 0), (1, 0), (2, 1)]);
                layer[one] = layer[other].clone();
                if three {
                    let colour = layer[other].clone();
                    layer.fill(colour);
                }
            }
        }
        Honesty::Cheat
    } else {
        Honesty::Honest
    };
    let ship = |i: usize| TrueShip {
        ship: SHIPS[i].to_owned(),
        square: squares[i].clone(),
        primary: primaries[i].clone(),
        secondary: secondaries[i].clone(),
        tertiary: tertiaries[i].clone(),
    };
    (honesty, vec![ship(0), ship(1), ship(2)])
}
