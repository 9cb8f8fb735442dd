//! From an order in the oracle's words to a signed one, by hand: nothing here asks the engine
//! what an order should hold. Where the engine composes the same order, the two are compared.

use sealed_orders::crypto::{Identity, Promise, Tag, nonce_promise};
use sealed_orders::document::{Node, Table};
use sealed_orders::fault::Checked;
use sealed_orders::games::shield_bashers::{Class, Colour, Layer, Opening as Opened, ShieldSlot};
use sealed_orders::ident::{GameId, Head, Salt, Seat, Time};
use sealed_orders::log::{Draft, Verified};

use super::oracle::shield_bashers::{Action, Opening, Oracle, Order, SHIPS, TrueShip};
use super::party::{Party, Person};

pub fn class(word: &str) -> Class {
    Class::ALL[SHIPS.iter().position(|ship| *ship == word).unwrap()]
}

pub fn colour(word: &str) -> Colour {
    Colour::ALL.into_iter().find(|colour| colour.as_str() == word).unwrap()
}

fn table<const N: usize>(entries: [(&str, Node); N]) -> Node {
    let mut table = Table::default();
    for (key, node) in entries {
        table.push(key, node);
    }
    table.into()
}

impl Person {
    pub fn salt(&self, ship: &str, layer: &str) -> Salt {
        self.secrets.salt(&format!("{layer} {ship}")).open_salt()
    }

    fn true_colour(&self, ship: &str, layer: &str) -> &str {
        let ship = self.fleet.iter().find(|s| s.ship == ship).unwrap();
        if layer == "secondary" { &ship.secondary } else { &ship.tertiary }
    }

    fn commitment(&self, game: &GameId, ship: &str, layer: &str) -> String {
        let which = if layer == "secondary" { Layer::Secondary } else { Layer::Tertiary };
        let slot = ShieldSlot { game, seat: &self.name, class: class(ship), layer: which };
        let opened = Opened { colour: colour(self.true_colour(ship, layer)), salt: self.salt(ship, layer) };
        slot.promise(&opened).commitment().to_string()
    }

    /// `{ colour, salt }`
    fn opening(&self, (ship, layer): &Opening) -> Node {
        table([
            ("colour", self.true_colour(ship, layer).into()),
            ("salt", self.salt(ship, layer).to_string().into()),
        ])
    }

    /// `{ ship, layer, colour, salt }`, without the layer in a list of lost tertiaries.
    fn listed(&self, opening: &Opening, with_layer: bool) -> Node {
        let (ship, layer) = opening;
        let mut entry = Table::default();
        entry.push("ship", ship.as_str());
        if with_layer {
            entry.push("layer", layer.as_str());
        }
        entry.push("colour", self.true_colour(ship, layer));
        entry.push("salt", self.salt(ship, layer).to_string());
        entry.into()
    }

    /// The table `fleet` of `[deploy]`.
    pub fn fleet_table(&self, game: &GameId) -> Node {
        let mut fleet = Table::default();
        for TrueShip { ship, square, primary, .. } in &self.fleet {
            fleet.push(
                ship.as_str(),
                table([
                    ("square", square.as_str().into()),
                    ("primary", primary.as_str().into()),
                    ("secondary", self.commitment(game, ship, "secondary").into()),
                    ("tertiary", self.commitment(game, ship, "tertiary").into()),
                ]),
            );
        }
        fleet.into()
    }

    /// A fleet file, for the engine's own composer.
    pub fn fleet_file(&self) -> Node {
        let mut fleet = Table::default();
        for TrueShip { ship, square, primary, secondary, tertiary } in &self.fleet {
            fleet.push(
                ship.as_str(),
                table([
                    ("square", square.as_str().into()),
                    ("primary", primary.as_str().into()),
                    ("secondary", secondary.as_str().into()),
                    ("tertiary", tertiary.as_str().into()),
                ]),
            );
        }
        fleet.into()
    }

    fn seal(&self, game: &GameId) -> Node {
        let salt = self.secrets.salt("fleet").open_salt().to_string();
        let parts = [("fleet", self.fleet_table(game)), ("salt", salt.into())];
        let fleet = Promise::new(Tag::Fleet, game, &self.name, parts).commitment();
        table([
            ("fresh", self.fresh.to_string().into()),
            ("fleet", fleet.to_string().into()),
            ("dice", self.nonce_commitment(game, 0).into()),
        ])
    }

    fn nonce_commitment(&self, game: &GameId, index: u64) -> String {
        let nonce = self.secrets.nonce(index).open_nonce();
        nonce_promise(game, &self.name, index, &nonce).commitment().to_string()
    }

    fn deploy(&self, game: &GameId) -> Node {
        let dice = table([
            ("nonce", self.secrets.nonce(0).open_nonce().to_string().into()),
            ("next", self.nonce_commitment(game, 1).into()),
        ]);
        table([
            ("salt", self.secrets.salt("fleet").open_salt().to_string().into()),
            ("fleet", self.fleet_table(game)),
            ("dice", dice),
        ])
    }
}

/// The list `lost`, or nothing where it is empty (protocol, section 13.4).
fn push_lost(details: &mut Table, person: &Person, lost: &[Opening]) -> Option<()> {
    if lost.iter().any(|(_, layer)| layer != "tertiary") {
        return None;
    }
    if !lost.is_empty() {
        let list: Vec<Node> = lost.iter().map(|opening| person.listed(opening, false)).collect();
        details.push("lost", list);
    }
    Some(())
}

/// The action's name and table; nothing where the order's openings have no place in the table
/// of such an action, so that nobody could write them.
pub fn details(party: &Party, oracle: &Oracle, order: &Order) -> Option<(&'static str, Node)> {
    let game = party.header.id();
    let person = party.people.iter().find(|person| person.seat == order.seat);
    let reason = || ("reason", Node::from("It is late."));
    let empty = || Node::from(Table::default());
    let mut details = Table::default();
    Some(match &order.action {
        Action::Seal => ("seal", person?.seal(&game)),
        Action::Deploy(_) => ("deploy", person?.deploy(&game)),
        Action::Resign => ("resign", empty()),
        Action::ClaimDraw => ("claim-draw", empty()),
        Action::AcceptDraw => ("accept-draw", empty()),
        Action::Forfeit { seat } => ("forfeit", table([("seat", seat.as_str().into()), reason()])),
        Action::Ruling { result } => ("ruling", table([("result", result.as_str().into()), reason()])),
        Action::Proof { .. } => return None,
        Action::Move { opens, .. } | Action::FinalBattle { opens } => {
            let mut name = "final-battle";
            if let Action::Move { ship, to, .. } = &order.action {
                name = "move";
                details.push("ship", ship.as_str());
                details.push("to", to.as_str());
            }
            let mut lost = opens.as_slice();
            if let Some((first, rest)) = opens.split_first()
                && first.1 == "secondary"
            {
                details.push("secondary", person?.opening(first));
                lost = rest;
            }
            if !lost.is_empty() {
                push_lost(&mut details, person?, lost)?;
            }
            (name, details.into())
        }
        Action::Defend { opens } => {
            let (first, mut lost) = opens.split_first()?;
            if first.1 != "secondary" {
                return None;
            }
            details.push("secondary", person?.opening(first));
            // The attacked ship's tertiary is lost now if it is there still, and owed if not.
            let target = oracle.attack().map(|attack| (&attack.defender, &attack.defending_ship));
            if let (Some((seat, ship)), Some((second, rest))) = (target, lost.split_first())
                && *second == (ship.clone(), "tertiary".to_owned())
                && oracle.has_tertiary(seat, ship)
            {
                details.push("tertiary", person?.opening(second));
                lost = rest;
            }
            push_lost(&mut details, person?, lost)?;
            ("defend", details.into())
        }
        Action::Audit { opens } => {
            let list: Vec<Node> = match person {
                Some(person) => opens.iter().map(|opening| person.listed(opening, true)).collect(),
                None => Vec::new(),
            };
            details.push("shields", list);
            ("audit", details.into())
        }
    })
}

/// Where in the game an order is written, and when.
#[derive(Clone)]
pub struct Place {
    pub after: Head,
    pub step: u64,
    pub time: i64,
    pub press: Option<String>,
}

/// Signs an order of any content; whoever reads it may refuse it already.
pub fn sign(
    party: &Party,
    identity: &Identity,
    seat: &str,
    place: &Place,
    draw: bool,
    action: &str,
    details: Node,
) -> Checked<Verified> {
    let seat: Seat = seat.parse().unwrap();
    let draft = Draft {
        game: party.header.id(),
        after: place.after,
        step: place.step,
        seat,
        time: Time::from_unix_seconds(place.time).unwrap(),
        press: place.press.clone(),
        draw,
        action: action.to_owned(),
        details,
    };
    draft.sign(identity)?.verify(&party.header)
}
