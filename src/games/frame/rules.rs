//! What a game brings to the frame: its own rules.

use std::fmt::Debug;
use std::sync::Arc;

use super::action::{Decision, DiceOpening};
use crate::crypto::{Promise, Rolled, nonce_promise};
use crate::document::{Node, Table};
use crate::fault::{Checked, Code, Fault};
use crate::games::{
    Chart, Composed, Ending, Event, FleetSheet, Grounds, Phase, Script, Slot, Suggestion, Weighed,
};
use crate::ident::{BySeat, Commitment, Nonce, Seat, SeatIndex};
use crate::log::Header;
use crate::scene::Scene;

/// What a game's step leads to.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What happened.
    pub events: Vec<Event>,
    /// The dice that were rolled.
    pub rolls: Vec<Rolled>,
}

/// The rulings of a game that the frame's own refusals name.
#[derive(Clone, Copy, Debug)]
pub struct Cites {
    /// Fleets are sealed, then opened.
    pub sealing: &'static str,
    /// A seat leaves.
    pub leaving: &'static str,
    /// A draw is agreed.
    pub agreement: &'static str,
}

/// A game's own rules, from the first move on; also the position they have led to.
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// A fleet, opened and checked.
    type Fleet: Clone + Debug + Send + Sync;
    /// The game's own actions.
    type Action: Clone + Debug + Send + Sync;

    /// The action that draws a die or moves: for the sentence that says what is awaited.
    const ACTIONS: &'static [&'static str];
    /// The rulings that the frame names.
    const CITES: Cites;
    /// With which orders a draw can be offered, as advice.
    const OFFERS: &'static str;
    /// What opening a fleet means, in a sentence.
    const DEPLOYING: &'static str;
    /// Whether a fleet has to be kept until it is opened, because the key does not find it again.
    const KEEPS_FLEET: bool;

    /// Checks the options and the seats.
    ///
    /// # Errors
    /// An option that the rules do not have, or too many seats.
    fn check_header(header: &Header) -> Checked<()>;

    /// Checks the fleet that a `[deploy]` opens.
    ///
    /// # Errors
    /// The rule that it breaks; `about` paths begin with `fleet`.
    fn check_fleet(header: &Header, seat: SeatIndex, fleet: &Node) -> Checked<Self::Fleet>;

    /// Begins with the fleets of the seats that deployed (one at least) and their nonces.
    fn begin(
        header: &Arc<Header>,
        fleets: BySeat<Option<Self::Fleet>>,
        nonces: Vec<(Seat, Nonce)>,
    ) -> (Self, Effects);

    /// Which kind of order is awaited.
    fn phase(&self) -> Phase;
    /// The seats that are awaited, in the header's order.
    fn awaited(&self) -> Vec<SeatIndex>;
    /// The seats that are still in.
    fn still_in(&self) -> Vec<SeatIndex>;
    /// Whether a seat that is not awaited gives this action as a claim (it is judged like any other).
    fn is_claim(&self, seat: SeatIndex, action: &Self::Action) -> bool;
    /// The share of the dice that an action opens, which the frame holds against what was sealed.
    fn dice(_: &Self::Action) -> Option<&DiceOpening> {
        None
    }

    /// Reads an action of the game; nothing when the game has none of that name.
    ///
    /// # Errors
    /// A wrong value in the action's table.
    fn understand(action: &str, details: &Node) -> Checked<Option<Self::Action>>;
    /// Whether a draw may be offered with an action.
    fn carries_offer(action: &Self::Action) -> bool;
    /// Judges an action of a seat that is awaited or claims.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    fn judge(&self, seat: SeatIndex, action: &Self::Action) -> Checked<()>;
    /// Closes a step. All orders are legal.
    fn close(&mut self, orders: &[(SeatIndex, Decision<Self::Action>)]) -> Effects;
    /// Counts the orders that count before their step closes.
    fn count(&mut self, _: &[(SeatIndex, Decision<Self::Action>)]) {}
    /// Ends the game as a draw between all who are still in.
    fn draw(&mut self, why: &'static str) -> Event;
    /// What the events of the step that closes this position rest on.
    fn grounds(&self, _: &[Event]) -> Grounds {
        Grounds::default()
    }
    /// The result, once there is one.
    fn ending(&self) -> Option<Ending>;

    /// The game's own part of `[position]`; what is awaited only if the game goes on.
    fn position(&self, goes_on: bool) -> Table;
    /// The board.
    fn scene(&self) -> Scene;
    /// The board before anybody stands on it.
    fn empty_scene(header: &Header) -> Scene;
    /// All sides' ships.
    fn sheets(&self, own: Option<&OwnSecrets<'_>>) -> Vec<FleetSheet>;
    /// Words on where the game stands.
    fn remarks(&self) -> Vec<String>;
    /// Legal orders that need a decision.
    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion>;
    /// What a seat that has to decide wants to know.
    fn outlook(&self, _: SeatIndex) -> Vec<Chart> {
        Vec::new()
    }
    /// A legal order drawn from random bytes; nothing where a suggestion will do.
    fn sample(&self, _: SeatIndex, _: &[u8; 32]) -> Option<Script> {
        None
    }
    /// Looks at an order without signing it; nothing where composing it says as much.
    fn weigh(&self, _: SeatIndex, _: &Script) -> Option<Weighed> {
        None
    }
    /// A text to begin a long order from.
    ///
    /// # Errors
    /// No order is awaited from the seat.
    fn template(&self, _: SeatIndex) -> Checked<Option<String>> {
        Ok(None)
    }
    /// Makes an order ready from what a player wrote.
    ///
    /// # Errors
    /// It is not understood, or would not be legal.
    fn compose(&self, own: &OwnSecrets<'_>, script: &Script) -> Checked<Composed>;
    /// Makes the order ready that needs no decision.
    ///
    /// # Errors
    /// Nothing of the kind is awaited.
    fn respond(&self, own: &OwnSecrets<'_>) -> Checked<Composed>;
    /// The table that `[deploy]` opens, from a fleet file's tree and the seat's secrets.
    ///
    /// # Errors
    /// The fleet breaks the rules.
    fn fleet_table(own: &OwnSecrets<'_>, file: &Node) -> Checked<Node>;
    /// What a fleet is, in words, for its player to read before sealing it.
    fn fleet_told(_: &Node) -> Vec<String> {
        Vec::new()
    }
    /// The table that `[deploy]` opens, found again from the key and the commitment alone.
    ///
    /// # Errors
    /// It cannot be found again.
    fn recover_fleet(_: &OwnSecrets<'_>, _: &Commitment) -> Checked<Node> {
        Err(Fault::new(
            Code::NoSuchThing,
            "this computer's journal does not hold the fleet that you sealed, and the key alone does not find it again",
        )
        .help("name the fleet file that you sealed: `sealed deploy --fleet FLEET.toml`"))
    }
    /// A fleet file drawn from random bytes.
    ///
    /// # Errors
    /// `internal` only.
    fn random_fleet(header: &Header, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node>;
    /// The game's commitments beyond those of the frame.
    fn commitments(&self) -> Vec<Slot> {
        Vec::new()
    }
    /// The promise of an opening for one of them.
    ///
    /// # Errors
    /// The table names no slot of this game.
    fn promise(&self, opening: &Node) -> Checked<(SeatIndex, String, Promise)> {
        Err(Fault::new(Code::WrongValue, "this opens neither a fleet nor a share of the dice")
            .help("an opening has the keys seat, fleet, salt; or seat, index, nonce")
            .at(opening.span.clone()))
    }
}

/// A keyholder with the secrets that the key gives in this game.
#[derive(Debug)]
pub struct OwnSecrets<'a> {
    /// The game.
    pub header: &'a Header,
    /// The seat.
    pub seat: SeatIndex,
    /// Its secrets.
    pub secrets: crate::crypto::Secrets,
    /// The number of its newest nonce, once the fleets are open.
    pub newest_nonce: Option<u64>,
}

impl OwnSecrets<'_> {
    /// Opens the newest nonce and seals the next one.
    ///
    /// # Errors
    /// `internal` before the seat has sealed any.
    pub fn open_dice(&self) -> Checked<DiceOpening> {
        let index = self.newest_nonce.ok_or_else(|| Fault::new(Code::Internal, "no nonce is sealed"))?;
        let next = self.secrets.nonce(index + 1).open_nonce();
        let name = self.header.seat(self.seat);
        Ok(DiceOpening {
            nonce: self.secrets.nonce(index).open_nonce(),
            next: nonce_promise(&self.header.id(), name, index + 1, &next).commitment(),
        })
    }
}
