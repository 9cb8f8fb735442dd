//! What a game brings to the frame: its own rules.

use std::fmt::Debug;
use std::sync::Arc;

use super::action::Decision;
use crate::crypto::{Promise, Rolled};
use crate::document::{Node, Table};
use crate::fault::Checked;
use crate::games::{Composed, Ending, Event, FleetSheet, Phase, Slot, Suggestion};
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

/// A game's own rules, from the first move on; also the position they have led to.
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// A fleet, opened and checked.
    type Fleet: Clone + Debug + Send + Sync;
    /// The game's own actions.
    type Action: Clone + Debug + Send + Sync;

    /// The action that draws a die or moves: for the sentence that says what is awaited.
    const ACTIONS: &'static [&'static str];

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
    fn count(&mut self, orders: &[(SeatIndex, Decision<Self::Action>)]);
    /// Ends the game as a draw between all who are still in.
    fn draw(&mut self, why: &'static str) -> Event;
    /// The result, once there is one.
    fn ending(&self) -> Option<Ending>;

    /// The game's own part of `[position]`.
    fn position(&self) -> Table;
    /// The board.
    fn scene(&self) -> Scene;
    /// The board before anybody stands on it.
    fn empty_scene(header: &Header) -> Scene;
    /// All sides' ships.
    fn sheets(&self, own: Option<&OwnSecrets<'_>>) -> Vec<FleetSheet>;
    /// Words on where the game stands.
    fn remarks(&self) -> Vec<String>;
    /// Every legal order that needs a decision.
    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion>;
    /// Makes an order ready from words.
    ///
    /// # Errors
    /// The words are not understood, or it would not be legal.
    fn compose(&self, own: &OwnSecrets<'_>, words: &[String]) -> Checked<Composed>;
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
    /// The table that `[deploy]` opens, found again from the key and the commitment alone.
    ///
    /// # Errors
    /// It cannot be found again.
    fn recover_fleet(own: &OwnSecrets<'_>, sealed: &Commitment) -> Checked<Node>;
    /// A fleet file drawn from random bytes.
    ///
    /// # Errors
    /// `internal` only.
    fn random_fleet(header: &Header, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node>;
    /// The game's commitments beyond those of the frame.
    fn commitments(&self) -> Vec<Slot>;
    /// The promise of an opening for one of them.
    ///
    /// # Errors
    /// The table names no slot of this game.
    fn promise(&self, opening: &Node) -> Checked<(Slot, Promise)>;
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
}
