//! Tresurion: two fleets built from pyramids, initiative, moves, lines of sight, dice.
//!
//! The way of an order here: `action` reads it, `judge` refuses it or not, `play` lets it
//! take effect; `narrate` and `show` tell of it. `plan` is how a player writes a round.
//! What everything stands on: `class` (the table), `fleet`, `field` (ways and sight), `odds`.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::frame::{
    Bare, Cites, Decision, Deploy, DiceOpening, Effects, FRAME_ACTIONS, FleetOpening, Forfeit, Frame,
    NonceOpening, OwnSecrets, Rules, Ruling, Seal,
};
use super::{
    Chart, Composed, Ending, Event, FleetSheet, Game, Grounds, Phase, Rulebook, Script, State, Suggestion,
    Weighed,
};
use crate::document::{Node, Table, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::Outcome;
use crate::ident::{BySeat, Commitment, Nonce, Seat, SeatIndex};
use crate::log::Header;
use crate::scene::Scene;

mod action;
mod class;
mod explain;
mod field;
mod fleet;
mod judge;
mod narrate;
mod odds;
mod options;
mod plan;
mod play;
mod position;
mod sample;
mod show;

pub use action::{Action, Rolling, Round, ShipMove, Shot};
pub use class::{Class, ClassRow};
pub use field::{Field, Square, Standing};
pub use fleet::{DeployedFleet, DeployedShip, Fleet, PlannedFleet, Ship, ShipId};
pub use judge::{Part, Survey};
pub use odds::{Chance, hits, to_destroy, to_hit};
pub use options::Options;
pub use position::{Aim, Course, Position, Reach, Stand};

/// How many play.
const SEATS: usize = 2;

/// The game, as the house knows it.
#[derive(Clone, Copy, Debug)]
pub struct Tresurion;

impl Game for Tresurion {
    fn rules(&self) -> &'static str {
        "tresurion/1"
    }

    fn word(&self) -> &'static str {
        "tresurion"
    }

    fn title(&self) -> &'static str {
        "Tresurion"
    }

    fn actions(&self) -> Vec<&'static str> {
        FRAME_ACTIONS.into_iter().chain(Action::NAMES).collect()
    }

    fn begin(&self, header: &Arc<Header>) -> Checked<Box<dyn State>> {
        Frame::<Position>::begin(header)
    }

    fn options(&self, _: usize, chosen: &BTreeMap<String, String>) -> Checked<Table> {
        options::new_options(self.title(), chosen)
    }

    fn ship_list(&self) -> Chart {
        let rows = Class::all().map(|class| {
            let row = class.row();
            vec![
                row.ucn.to_owned(),
                row.name.to_owned(),
                row.shield.to_string(),
                row.rate.to_string(),
                class.power(),
                row.range.to_string(),
            ]
        });
        Chart {
            title: "The classes of ships".to_owned(),
            columns: vec!["number", "class", "shield", "moves", "fire", "range"],
            rows: rows.collect(),
            notes: vec![
                "A number's digits are its pieces: 1 small, 2 medium, 3 large. A fleet uses five of each."
                    .to_owned(),
                "In a fleet file a letter tells ships of one class apart: 001a, 001b, ...".to_owned(),
            ],
        }
    }

    fn is_fleet_file(&self, file: &Node) -> bool {
        fleet::is_fleet_file(file)
    }

    fn check_fleet_alone(&self, file: &Node) -> Checked<Vec<String>> {
        let ships = fleet::check_alone(file)?;
        let names: Vec<String> = ships.iter().map(|(id, at)| format!("{id} {at}")).collect();
        Ok(vec![format!("{} ships of all fifteen pieces: {}.", ships.len(), names.join(", "))])
    }

    fn rulebook(&self) -> Rulebook {
        explain::RULEBOOK
    }

    fn rules_of(&self, event: &Event) -> Vec<&'static str> {
        explain::rules_of(event)
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> BTreeMap<&'static str, Schema> {
        BTreeMap::from([
            ("options", generator.subschema_for::<Options>()),
            ("fleet-file", generator.subschema_for::<PlannedFleet>()),
            ("opening", generator.subschema_for::<AnyOpening>()),
            ("seal", generator.subschema_for::<Seal>()),
            ("deploy", generator.subschema_for::<Deploy<DeployedFleet>>()),
            ("resign", generator.subschema_for::<Bare>()),
            ("forfeit", generator.subschema_for::<Forfeit>()),
            ("ruling", generator.subschema_for::<Ruling>()),
            ("round", generator.subschema_for::<Round>()),
            ("roll", generator.subschema_for::<Rolling>()),
            ("claim-draw", generator.subschema_for::<Bare>()),
        ])
    }
}

/// What `sealed commitment` takes for this game: a fleet or a nonce.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum AnyOpening {
    /// A fleet.
    Fleet(FleetOpening<DeployedFleet>),
    /// A share of the dice.
    Nonce(NonceOpening),
}

impl Position {
    fn of(header: &Arc<Header>, fleets: BySeat<Option<Fleet>>) -> Self {
        // The header was checked when the game began.
        let options = options::options(header).ok();
        let field = options.as_ref().and_then(|options| options.field().ok());
        Self {
            header: Arc::clone(header),
            field: Arc::new(field.unwrap_or_else(|| Field::open(15, 25))),
            reach: options.as_ref().map_or(Reach::Between, |options| options.reach),
            quiet_limit: options.map_or(0, |options| options.quiet_turns),
            fleets,
            turn: 1,
            first: SeatIndex::FIRST,
            course: Course::Round { seat: SeatIndex::FIRST, is_second: false },
            quiet_turns: 0,
            damage_rose: false,
        }
    }
}

impl Rules for Position {
    type Fleet = Fleet;
    type Action = Action;

    const ACTIONS: &'static [&'static str] = &Action::NAMES;
    const CITES: Cites = Cites { sealing: "TR-4", leaving: "TR-16", agreement: "TR-16" };
    const OFFERS: &'static str = "leave the offer out, or make it with a round";
    const DEPLOYING: &'static str = "Opens your fleet for all: every ship and where it stands.";
    const KEEPS_FLEET: bool = true;

    fn check_header(header: &Header) -> Checked<()> {
        if header.seat_count() != SEATS {
            let why = format!("{} seats; the game is for {SEATS}", header.seat_count());
            return Err(Fault::new(Code::BadHeader, why));
        }
        let placed = |fault| options::in_header(header.options(), fault);
        options::options(header)?.field().map(|_| ()).map_err(placed)
    }

    fn check_fleet(header: &Header, seat: SeatIndex, fleet: &Node) -> Checked<Fleet> {
        let field = options::options(header)?.field()?;
        fleet::check_deployed(&field, seat == SeatIndex::FIRST, fleet)
    }

    fn begin(
        header: &Arc<Header>,
        fleets: BySeat<Option<Fleet>>,
        nonces: Vec<(Seat, Nonce)>,
    ) -> (Self, Effects) {
        let mut effects = Effects::default();
        let mut position = Self::of(header, fleets);
        match position.with_ships().as_slice() {
            [winner] => {
                effects.events.push(narrate::alone(&position, *winner));
                position.first = *winner;
                position.course = Course::Over(Outcome::Win(*winner));
            }
            _ => position.roll_initiative(&nonces, &mut effects),
        }
        (position, effects)
    }

    fn phase(&self) -> Phase {
        match self.course {
            Course::Round { .. } => Phase::Round,
            Course::Roll { .. } => Phase::Roll,
            Course::Over(_) => Phase::Over,
        }
    }

    fn awaited(&self) -> Vec<SeatIndex> {
        match &self.course {
            Course::Round { seat, .. } => vec![*seat],
            Course::Roll { by, .. } => vec![self.other(*by)],
            Course::Over(_) => Vec::new(),
        }
    }

    fn still_in(&self) -> Vec<SeatIndex> {
        self.with_ships()
    }

    fn is_claim(&self, _: SeatIndex, _: &Action) -> bool {
        // Nobody is out while the game goes on, so nobody claims from outside.
        false
    }

    fn understand(action: &str, details: &Node) -> Checked<Option<Action>> {
        Action::read(action, details)
    }

    fn carries_offer(action: &Action) -> bool {
        matches!(action, Action::Round(_))
    }

    fn dice(action: &Action) -> Option<&DiceOpening> {
        action.dice()
    }

    fn judge(&self, seat: SeatIndex, action: &Action) -> Checked<()> {
        self.judge_action(seat, action)
    }

    fn close(&mut self, orders: &[(SeatIndex, Decision<Action>)]) -> Effects {
        self.take(orders)
    }

    fn draw(&mut self, why: &'static str) -> Event {
        self.end_as_draw(why)
    }

    fn grounds(&self, events: &[Event]) -> Grounds {
        self.grounds_of(events)
    }

    fn ending(&self) -> Option<Ending> {
        match &self.course {
            Course::Over(outcome) => Some(Ending { outcome: outcome.clone(), provisional: false }),
            _ => None,
        }
    }

    fn position(&self, goes_on: bool) -> Table {
        self.table(goes_on)
    }

    fn scene(&self) -> Scene {
        Self::scene(self)
    }

    fn empty_scene(header: &Header) -> Scene {
        Self::of(&Arc::new(header.clone()), header.by_seat(|_| None)).scene()
    }

    fn sheets(&self, _: Option<&OwnSecrets<'_>>) -> Vec<FleetSheet> {
        self.fleet_sheets()
    }

    fn remarks(&self) -> Vec<String> {
        Self::remarks(self)
    }

    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion> {
        self.legal_words(seat)
    }

    fn outlook(&self, seat: SeatIndex) -> Vec<Chart> {
        Self::outlook(self, seat)
    }

    fn sample(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Option<Script> {
        Self::sample(self, seat, entropy)
    }

    fn weigh(&self, seat: SeatIndex, script: &Script) -> Option<Weighed> {
        Some(self.weigh_plan(seat, script))
    }

    fn template(&self, seat: SeatIndex) -> Checked<Option<String>> {
        Self::template(self, seat).map(Some)
    }

    fn compose(&self, own: &OwnSecrets<'_>, script: &Script) -> Checked<Composed> {
        self.compose_script(own, script)
    }

    fn respond(&self, own: &OwnSecrets<'_>) -> Checked<Composed> {
        match &self.course {
            Course::Roll { by, shots, .. } if *by != own.seat => {
                let roll = Rolling { dice: own.open_dice()? };
                let line = match shots.len() {
                    0 => "Opens your share of the dice: the next initiative is rolled.".to_owned(),
                    1 => format!("Opens your share of the dice: {}'s shot is rolled.", self.name(*by)),
                    more => {
                        format!("Opens your share of the dice: {}'s {more} shots are rolled.", self.name(*by))
                    }
                };
                Ok(Composed::new("roll", tree(&roll)?, vec![line]))
            }
            Course::Round { seat, .. } if *seat == own.seat => {
                Err(Fault::new(Code::WrongPhase, "your round is awaited, which is yours to decide")
                    .help("begin with `sealed try --template`; give it with `sealed order`"))
            }
            Course::Over(_) => Err(super::frame::game_over()),
            _ => Err(Fault::new(Code::NotAwaited, "nothing is awaited from you now")
                .help(format!("awaited now: {}", super::frame::names(&self.header, &self.awaited())))),
        }
    }

    fn fleet_table(own: &OwnSecrets<'_>, file: &Node) -> Checked<Node> {
        let field = options::options(own.header)?.field()?;
        tree(&fleet::check_planned(&field, own.seat == SeatIndex::FIRST, file)?)
    }

    fn fleet_told(fleet: &Node) -> Vec<String> {
        let Ok(fleet) = crate::document::read::<DeployedFleet>(fleet) else { return Vec::new() };
        let words: Vec<String> = fleet.ships.iter().map(|ship| format!("{} {}", ship.id, ship.at)).collect();
        vec![format!("{} ships: {}.", words.len(), words.join(", "))]
    }

    fn random_fleet(header: &Header, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node> {
        let field = options::options(header)?.field()?;
        fleet::random_fleet(&field, seat == SeatIndex::FIRST, entropy)
    }
}

/// A game that stands at a position set up by hand: for studies, and for cases of the rules
/// that a whole game would take long to reach. No chain leads there. `sealed` are the seats'
/// commitments of their nonces 1, without which no round or roll can be given.
#[must_use]
pub fn study(position: Position, sealed: &BySeat<Option<Commitment>>) -> Box<dyn State> {
    let header = Arc::clone(&position.header);
    Frame::<Position>::study(&header, position, sealed)
}

/// The position with these fleets on a header's field, in the first round of the first turn.
#[must_use]
pub fn position_of(header: &Arc<Header>, fleets: BySeat<Option<Fleet>>) -> Position {
    Position::of(header, fleets)
}
