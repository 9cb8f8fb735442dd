//! Shield Bashers: ships whose secondary and tertiary shields stay sealed until combat.
//!
//! The way of an order here: `action` reads it, `judge` refuses it or not, `play` lets it
//! take effect, `ending` says how the game came out; `narrate` and `show` tell of it.
//! `secret` is the part that only the seat's own key can do.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::frame::{
    Bare, Cites, Decision, Deploy, Effects, FRAME_ACTIONS, Forfeit, Frame, OwnSecrets, Rules, Ruling, Seal,
    chosen_number, no_seat,
};
use super::{
    Chart, Composed, Ending, Event, FleetSheet, Game, Grounds, Phase, Rulebook, Script, Slot, State,
    Suggestion,
};
use crate::crypto::{Promise, Roll, roll};
use crate::document::{Node, Table, Value, read, tree};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{BySeat, Commitment, Nonce, Salt, Seat, SeatIndex};
use crate::log::Header;
use crate::scene::Scene;

mod action;
mod board;
mod combat;
mod ending;
mod explain;
mod fleet;
mod judge;
mod narrate;
mod play;
mod position;
mod secret;
mod shield;
mod show;

pub use action::{Action, Audit, AuditedShield, Defend, FinalBattle, LostShield, Move};
pub use board::{Board, BoardKind, Square};
pub use combat::{Colour, Need};
pub use fleet::{ByClass, Class, DeployedFleet, DeployedShip, PlannedFleet, PlannedShip, Ship};
pub use position::{Attack, Base, Course, Position, Side};
pub use shield::{Layer, OpenShield, Opening, SealedShield, Shield, ShieldSlot};

/// The most seats that any board has corners for.
const MOST_SEATS: usize = 6;

/// The options of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The board (SB-7).
    pub board: BoardKind,
    /// `roll`, or the seat that begins (SB-10).
    pub first: String,
    /// Whether reports list what has been seen (SB-4).
    pub memory_aid: bool,
    /// The days that a step may take; 0 for any number. At most 365.
    #[schemars(range(max = 365))]
    pub days_per_step: u64,
}

/// The options of a header.
///
/// # Errors
/// A wrong value.
fn options(header: &Header) -> Checked<Options> {
    read(header.options())
}

/// The game, as the house knows it.
#[derive(Clone, Copy, Debug)]
pub struct ShieldBashers;

impl Game for ShieldBashers {
    fn rules(&self) -> &'static str {
        "shield-bashers/1"
    }

    fn word(&self) -> &'static str {
        "shield-bashers"
    }

    fn title(&self) -> &'static str {
        "Shield Bashers"
    }

    fn actions(&self) -> Vec<&'static str> {
        FRAME_ACTIONS.into_iter().chain(Action::NAMES).collect()
    }

    fn begin(&self, header: &Arc<Header>) -> Checked<Box<dyn State>> {
        Frame::<Position>::begin(header)
    }

    fn options(&self, seats: usize, chosen: &BTreeMap<String, String>) -> Checked<Table> {
        const KNOWN: [&str; 4] = ["board", "first", "memory_aid", "days_per_step"];
        if let Some(unknown) = chosen.keys().find(|key| !KNOWN.contains(&key.as_str())) {
            return Err(Fault::new(Code::Unclear, format!("{} has no option {unknown:?}", self.title()))
                .help(format!("its options are: {}", KNOWN.join(", "))));
        }
        let board = match chosen.get("board") {
            None => BoardKind::for_seats(seats),
            Some(word) => BoardKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
                let known: Vec<_> = BoardKind::ALL.iter().map(|kind| kind.as_str()).collect();
                Fault::new(Code::Unclear, format!("{word:?} is no board"))
                    .rule("SB-7")
                    .help(format!("boards are: {}", known.join(", ")))
            })?,
        };
        let memory_aid = match chosen.get("memory_aid").map(String::as_str) {
            None | Some("true") => true,
            Some("false") => false,
            Some(other) => {
                return Err(Fault::new(
                    Code::Unclear,
                    format!("memory_aid = {other:?} is neither true nor false"),
                )
                .rule("SB-4"));
            }
        };
        let options = Options {
            board,
            first: chosen.get("first").cloned().unwrap_or_else(|| "roll".to_owned()),
            memory_aid,
            days_per_step: chosen_number(chosen, "days_per_step", 7)?,
        };
        match tree(&options)?.value {
            Value::Table(table) => Ok(table),
            _ => Err(Fault::new(Code::Internal, "options are a table")),
        }
    }

    fn ship_list(&self) -> Chart {
        let row = |class: Class, moves: &str| vec![class.as_str().to_owned(), moves.to_owned()];
        Chart {
            title: "The ships of a fleet".to_owned(),
            columns: vec!["ship", "moves and attacks"],
            rows: vec![
                row(Class::Frigate, "one square straight"),
                row(Class::Destroyer, "one square diagonally"),
                row(Class::Cruiser, "one square in any direction"),
            ],
            notes: vec![
                "Each ship has a primary, a secondary and a tertiary shield; each of the three layers has one white, one grey, one black.".to_owned(),
            ],
        }
    }

    fn is_fleet_file(&self, file: &Node) -> bool {
        file.as_table()
            .is_some_and(|table| Class::ALL.iter().any(|class| table.get(class.as_str()).is_some()))
    }

    fn check_fleet_alone(&self, file: &Node) -> Checked<Vec<String>> {
        fleet::check_colours(file)?;
        Ok(vec!["Three ships, and each layer has one white, one grey and one black. Their squares depend on the game's board and your seat.".to_owned()])
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
            ("opening", generator.subschema_for::<ShieldOpening>()),
            ("seal", generator.subschema_for::<Seal>()),
            ("deploy", generator.subschema_for::<Deploy<DeployedFleet>>()),
            ("resign", generator.subschema_for::<Bare>()),
            ("forfeit", generator.subschema_for::<Forfeit>()),
            ("ruling", generator.subschema_for::<Ruling>()),
            ("move", generator.subschema_for::<Move>()),
            ("defend", generator.subschema_for::<Defend>()),
            ("final-battle", generator.subschema_for::<FinalBattle>()),
            ("claim-draw", generator.subschema_for::<Bare>()),
            ("accept-draw", generator.subschema_for::<Bare>()),
            ("audit", generator.subschema_for::<Audit>()),
        ])
    }
}

impl Rules for Position {
    type Fleet = fleet::Fleet;
    type Action = Action;

    const ACTIONS: &'static [&'static str] = &Action::NAMES;
    const CITES: Cites = Cites { sealing: "SB-5", leaving: "SB-17", agreement: "SB-21" };
    const OFFERS: &'static str = "leave the offer out, or make it with a move, a defence or a final battle";
    const DEPLOYING: &'static str =
        "Opens your fleet for all: where each ship stands, and the primary shields.";
    const KEEPS_FLEET: bool = false;

    fn check_header(header: &Header) -> Checked<()> {
        let options = options(header)?;
        let seats = header.seat_count();
        let stood = |path: &str| header.options().nearest(path).span.clone();
        if seats > MOST_SEATS {
            return Err(Fault::new(
                Code::BadHeader,
                format!("{seats} seats; the game is for 2 to {MOST_SEATS}"),
            )
            .rule("SB-7"));
        }
        if options.board.corner_count() < seats {
            return Err(Fault::new(
                Code::BadHeader,
                format!(
                    "the board {:?} has {} corners for {seats} seats",
                    options.board.as_str(),
                    options.board.corner_count()
                ),
            )
            .rule("SB-7")
            .help(format!("choose the board {:?}", BoardKind::for_seats(seats).as_str()))
            .at(stood("board")));
        }
        let named = options.first.parse::<Seat>().ok().and_then(|seat| header.index(&seat));
        if options.first != "roll" && named.is_none() {
            return Err(Fault::new(
                Code::BadHeader,
                format!("first = {:?} is neither \"roll\" nor a seat", options.first),
            )
            .rule("SB-10")
            .help("write \"roll\", or the name of the seat that begins")
            .at(stood("first")));
        }
        if options.days_per_step > 365 {
            return Err(Fault::new(
                Code::BadHeader,
                format!("days_per_step = {} is more than 365", options.days_per_step),
            )
            .at(stood("days_per_step")));
        }
        Ok(())
    }

    fn check_fleet(header: &Header, seat: SeatIndex, node: &Node) -> Checked<Self::Fleet> {
        let board = Board::new(options(header)?.board);
        let corner = board
            .corner(seat.place(), header.seat_count())
            .ok_or_else(|| Fault::new(Code::Internal, "the board has too few corners"))?;
        fleet::check_deployed(&board, corner, node)
    }

    fn begin(
        header: &Arc<Header>,
        fleets: BySeat<Option<Self::Fleet>>,
        nonces: Vec<(Seat, Nonce)>,
    ) -> (Self, Effects) {
        // The header was checked when the game began.
        let options = options(header).unwrap_or_else(|_| Options {
            board: BoardKind::for_seats(header.seat_count()),
            first: "roll".to_owned(),
            memory_aid: true,
            days_per_step: 0,
        });
        let deployed: Vec<SeatIndex> =
            fleets.iter().filter(|(_, fleet)| fleet.is_some()).map(|(seat, _)| seat).collect();
        let sides = header.by_seat(|seat| Side {
            fleet: fleets[seat].clone(),
            is_in: fleets[seat].is_some(),
            struck_out: false,
        });
        let out = fleets.iter().filter(|(_, fleet)| fleet.is_none()).map(|(seat, _)| seat).collect();
        let mut effects = Effects::default();
        let mut mover = deployed.first().copied().unwrap_or(SeatIndex::FIRST);
        let mut drawn = None;
        if deployed.len() > 1 {
            let named = options.first.parse::<Seat>().ok().and_then(|seat| header.index(&seat));
            if let Some(named) = named {
                // A named first seat that has left gives way to the next clockwise.
                let from_named = std::iter::once(named).chain(fleets.clockwise_from(named));
                mover = from_named.into_iter().find(|seat| deployed.contains(seat)).unwrap_or(mover);
            } else {
                let sides = u32::try_from(deployed.len()).unwrap_or(1);
                let rolled = roll(&header.id(), Roll { label: "first".to_owned(), sides, nonces });
                let place = usize::try_from(rolled.value).unwrap_or(1).saturating_sub(1);
                mover = deployed.get(place).copied().unwrap_or(mover);
                drawn = Some((rolled.value, sides));
                effects.rolls.push(rolled);
            }
        }
        let mut position = Self {
            header: Arc::clone(header),
            board: Arc::new(Board::new(options.board)),
            memory_aid: options.memory_aid,
            sides,
            course: Course::Move { mover },
            quiet_turns: 0,
            out,
            caught: Vec::new(),
        };
        if deployed.len() > 1 {
            effects.events.push(narrate::first_player(&position, mover, drawn));
        }
        position.look_for_winner(&mut effects.events);
        (position, effects)
    }

    fn phase(&self) -> Phase {
        match self.course {
            Course::Move { .. } => Phase::Move,
            Course::Defend(_) => Phase::Defend,
            Course::AnswerClaim { .. } => Phase::AnswerClaim,
            Course::Audit(_) => Phase::Audit,
            Course::Over(_) => Phase::Over,
        }
    }

    fn awaited(&self) -> Vec<SeatIndex> {
        match &self.course {
            Course::Move { mover } | Course::AnswerClaim { mover } => vec![*mover],
            Course::Defend(attack) => vec![attack.defender],
            Course::Audit(_) => self.sides.seats().filter(|seat| !self.sealed(*seat).is_empty()).collect(),
            Course::Over(_) => Vec::new(),
        }
    }

    fn still_in(&self) -> Vec<SeatIndex> {
        Position::still_in(self)
    }

    fn is_claim(&self, seat: SeatIndex, action: &Action) -> bool {
        *action == Action::ClaimDraw && !self.sides[seat].is_in
    }

    fn understand(action: &str, details: &Node) -> Checked<Option<Action>> {
        Action::read(action, details)
    }

    fn carries_offer(action: &Action) -> bool {
        action.carries_offer()
    }

    fn judge(&self, seat: SeatIndex, action: &Action) -> Checked<()> {
        self.judge_action(seat, action)
    }

    fn close(&mut self, orders: &[(SeatIndex, Decision<Action>)]) -> Effects {
        Effects { events: self.take(orders), rolls: Vec::new() }
    }

    fn count(&mut self, orders: &[(SeatIndex, Decision<Action>)]) {
        if matches!(self.course, Course::Audit(_)) {
            for (seat, decision) in orders {
                self.take_audit(*seat, decision, &mut Vec::new());
            }
        }
    }

    fn draw(&mut self, why: &'static str) -> Event {
        self.end_as_draw(why)
    }

    fn grounds(&self, events: &[Event]) -> Grounds {
        self.grounds_of(events)
    }

    fn ending(&self) -> Option<Ending> {
        self.result()
    }

    fn position(&self, goes_on: bool) -> Table {
        self.table(goes_on)
    }

    fn scene(&self) -> Scene {
        Position::scene(self)
    }

    fn empty_scene(header: &Header) -> Scene {
        let Ok(options) = options(header) else { return Scene::default() };
        let position = Self {
            header: Arc::new(header.clone()),
            board: Arc::new(Board::new(options.board)),
            memory_aid: options.memory_aid,
            sides: header.by_seat(|_| Side { fleet: None, is_in: true, struck_out: false }),
            course: Course::Over(Base::Draw(Vec::new())),
            quiet_turns: 0,
            out: Vec::new(),
            caught: Vec::new(),
        };
        position.scene()
    }

    fn sheets(&self, own: Option<&OwnSecrets<'_>>) -> Vec<FleetSheet> {
        self.fleet_sheets(own)
    }

    fn remarks(&self) -> Vec<String> {
        Position::remarks(self)
    }

    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion> {
        self.legal_words(seat)
    }

    fn compose(&self, own: &OwnSecrets<'_>, script: &Script) -> Checked<Composed> {
        self.compose_words(own, &script.words())
    }

    fn respond(&self, own: &OwnSecrets<'_>) -> Checked<Composed> {
        self.compose_response(own)
    }

    fn fleet_table(own: &OwnSecrets<'_>, file: &Node) -> Checked<Node> {
        secret::fleet_table(own, file)
    }

    fn recover_fleet(own: &OwnSecrets<'_>, sealed: &Commitment) -> Checked<Node> {
        secret::recover_fleet(own, sealed)
    }

    fn random_fleet(header: &Header, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node> {
        secret::random_fleet(header, seat, entropy)
    }

    fn commitments(&self) -> Vec<Slot> {
        self.slots()
    }

    fn promise(&self, opening: &Node) -> Checked<(SeatIndex, String, Promise)> {
        let opening: ShieldOpening = read(opening)?;
        let seat = self
            .header
            .index(&opening.seat)
            .ok_or_else(|| no_seat(&self.header, &opening.seat).about("seat"))?;
        let promise = self.promise(
            seat,
            opening.ship,
            opening.layer,
            &Opening { colour: opening.colour, salt: opening.salt },
        );
        let name = format!("{} {}", opening.layer.as_str(), opening.ship);
        if self.slots().iter().any(|slot| slot.seat == seat && slot.name == name) {
            return Ok((seat, name, promise));
        }
        Err(Fault::new(Code::NoSuchThing, format!("{} never deployed a {}", opening.seat, opening.ship)))
    }
}

/// A game that stands at a position set up by hand: for studies, and for cases of the rules
/// that a whole game would take long to reach. No chain leads there.
#[must_use]
pub fn study(position: Position) -> Box<dyn State> {
    let header = Arc::clone(&position.header);
    let unsealed = header.by_seat(|_| None);
    Frame::<Position>::study(&header, position, &unsealed)
}

/// An opening by itself, as `sealed commitment` takes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShieldOpening {
    /// Whose shield.
    pub seat: Seat,
    /// Which ship's.
    pub ship: Class,
    /// Which layer.
    pub layer: Layer,
    /// Its colour.
    pub colour: Colour,
    /// Its salt.
    pub salt: Salt,
}
