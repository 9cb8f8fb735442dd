//! The frame that all games share: sealing, deploying, resigning, draws by agreement, the
//! arbiter's forfeits and rulings. A game's own part is its [`Rules`].
//!
//! Phases: seal (all seats), deploy (all seats), then the game's own, then over.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Closed, Composed, Ending, Event, FleetSheet, Keyholder, Legal, Outcome, Phase, Slot, Standing, State,
    Suggestion,
};
use crate::crypto::{Promise, Rolled, Tag, nonce_promise};
use crate::document::{Node, Table, read, tree};
use crate::fault::{Checked, Code, Fault};
use crate::ident::{BySeat, Commitment, Fresh, Nonce, Salt, Seat, SeatIndex};
use crate::log::{Header, Verified, printable};
use crate::scene::Scene;

/// `[seal]`: a fleet and the first share of entropy, sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// New randomness, so that no two sealings share a secret.
    pub fresh: Fresh,
    /// The commitment of the fleet.
    pub fleet: Commitment,
    /// The commitment of nonce 0.
    pub dice: Commitment,
}

/// `dice` in an action: opens the seat's newest nonce and seals the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceOpening {
    /// The nonce that is opened.
    pub nonce: Nonce,
    /// The commitment of the one after it.
    pub next: Commitment,
}

/// An action whose table is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bare {}

/// `[forfeit]`: the arbiter ends a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Whose order it takes the place of.
    pub seat: Seat,
    /// Why: 1 to 500 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,500}$"))]
    pub reason: String,
}

/// `[ruling]`: the arbiter ends the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// How it ends.
    pub result: RuledResult,
    /// Why: 1 to 500 printable ASCII characters.
    #[schemars(regex(pattern = r"^[ -~]{1,500}$"))]
    pub reason: String,
}

/// What an arbiter may rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuledResult {
    /// The game does not count.
    Void,
    /// The game is drawn.
    Draw,
}

/// A seat's order, as a game takes it.
#[derive(Clone, Debug)]
pub enum Decision<A> {
    /// An action of the game.
    Act(A),
    /// The seat resigns.
    Resign,
    /// The arbiter forfeits it.
    Forfeit,
}

/// What an order does, in the frame's view.
#[derive(Clone, Debug)]
enum Move<R: Rules> {
    Seal(Seal),
    Deploy { fleet: R::Fleet, opened: OpenedFleet, dice: DiceOpening },
    Decide(Decision<R::Action>),
    Rule(Ruling),
}

/// A fleet that was opened, for who wants to hash it again.
#[derive(Clone, Debug)]
struct OpenedFleet {
    preimage: Vec<u8>,
}

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

#[derive(Clone, Debug)]
enum Stage<R: Rules> {
    Sealing,
    Deploying,
    Playing(R),
    /// Nobody ever played: who left.
    Abandoned(Vec<SeatIndex>),
}

/// A game of any rules, at some position.
#[derive(Clone, Debug)]
pub struct Frame<R: Rules> {
    header: Arc<Header>,
    stage: Stage<R>,
    /// By whom the game is void, once it is.
    void: Option<String>,
    seals: BySeat<Option<Seal>>,
    opened: BySeat<Option<(Vec<u8>, Vec<u8>)>>,
    offers: BySeat<bool>,
}

/// The actions of the frame.
pub const FRAME_ACTIONS: [&str; 5] = ["seal", "deploy", "resign", "forfeit", "ruling"];

/// `[deploy]` as it is written; what a fleet looks like is for the game's rules.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deploy<F> {
    /// The salt of the fleet's commitment.
    pub salt: Salt,
    /// The fleet.
    pub fleet: F,
    /// The opening of nonce 0.
    pub dice: DiceOpening,
}

impl<R: Rules> Frame<R> {
    /// Begins a game.
    ///
    /// # Errors
    /// The header's options or seats do not fit the rules.
    pub fn begin(header: &Arc<Header>) -> Checked<Box<dyn State>> {
        R::check_header(header)?;
        Ok(Box::new(Self {
            header: Arc::clone(header),
            stage: Stage::Sealing,
            void: None,
            seals: header.by_seat(|_| None),
            opened: header.by_seat(|_| None),
            offers: header.by_seat(|_| false),
        }))
    }

    /// A game in the midst of play that no chain leads to: for studies and for cases of the
    /// rules.
    pub(super) fn study(header: &Arc<Header>, game: R) -> Box<dyn State> {
        Box::new(Self {
            header: Arc::clone(header),
            stage: Stage::Playing(game),
            void: None,
            seals: header.by_seat(|_| None),
            opened: header.by_seat(|_| None),
            offers: header.by_seat(|_| false),
        })
    }

    fn seat_name(&self, seat: SeatIndex) -> String {
        self.header.seat(seat).to_string()
    }

    fn understand(&self, order: &Verified) -> Checked<(Standing, Move<R>)> {
        let said = order.order();
        let about = |fault: Fault| match fault.span {
            Some(_) => fault,
            None => {
                let path = fault.path.clone().unwrap_or_default();
                fault.at(said.place(&format!("{}.{path}", said.action)))
            }
        };
        let details = said.details();
        if said.seat.is_arbiter() {
            return self.understand_arbiter(order).map_err(about);
        }
        let Some(seat) = self.header.index(&said.seat) else {
            return Err(Fault::new(Code::NotThisSeat, format!("{} is no seat of this game", said.seat)));
        };
        let act = match said.action.as_str() {
            "seal" => Move::Seal(read(details)?),
            "deploy" => self.understand_deploy(seat, details).map_err(about)?,
            "resign" => {
                let Bare {} = read(details)?;
                Move::Decide(Decision::Resign)
            }
            "forfeit" | "ruling" => {
                return Err(about(
                    Fault::new(
                        Code::UnknownAction,
                        format!("[{}] is for the arbiter; {} cannot enter it", said.action, said.seat),
                    )
                    .help("to give up, use `sealed order resign`"),
                ));
            }
            name => match R::understand(name, details)? {
                Some(action) => {
                    if matches!(self.stage, Stage::Playing(_)) || said.action == "audit" {
                        Move::Decide(Decision::Act(action))
                    } else {
                        return Err(about(self.not_now(name)));
                    }
                }
                None => {
                    let known = FRAME_ACTIONS.iter().take(3).chain(R::ACTIONS).copied().collect::<Vec<_>>();
                    return Err(about(
                        Fault::new(Code::UnknownAction, format!("this game has no action [{name}]"))
                            .help(format!("its actions are: {}", known.join(", "))),
                    ));
                }
            },
        };
        let standing = match &act {
            Move::Decide(Decision::Act(action)) if self.is_claim(seat, action) => Standing::Claim(seat),
            _ => Standing::Awaited(seat),
        };
        Ok((standing, act))
    }

    fn is_claim(&self, seat: SeatIndex, action: &R::Action) -> bool {
        match &self.stage {
            Stage::Playing(game) => !game.awaited().contains(&seat) && game.is_claim(seat, action),
            _ => false,
        }
    }

    fn understand_arbiter(&self, order: &Verified) -> Checked<(Standing, Move<R>)> {
        let said = order.order();
        if said.draw {
            return Err(Fault::new(Code::NoDrawHere, "the arbiter offers no draws")
                .help("a ruling can end the game as a draw"));
        }
        match said.action.as_str() {
            "forfeit" => {
                let forfeit: Forfeit = read(said.details())?;
                printable("the reason", &forfeit.reason, 1, 500).map_err(|fault| fault.about("reason"))?;
                let seat = self.header.index(&forfeit.seat).ok_or_else(|| {
                    Fault::new(Code::NotThisSeat, format!("{} is no seat of this game", forfeit.seat))
                        .about("seat")
                })?;
                Ok((Standing::InPlaceOf(seat), Move::Decide(Decision::Forfeit)))
            }
            "ruling" => {
                let ruling: Ruling = read(said.details())?;
                printable("the reason", &ruling.reason, 1, 500).map_err(|fault| fault.about("reason"))?;
                Ok((Standing::Ruling, Move::Rule(ruling)))
            }
            other => Err(Fault::new(Code::UnknownAction, format!("the arbiter has no action [{other}]"))
                .help("the arbiter's actions are: forfeit, ruling")),
        }
    }

    fn understand_deploy(&self, seat: SeatIndex, details: &Node) -> Checked<Move<R>> {
        let Some(table) = details.as_table() else {
            return Err(Fault::new(Code::WrongValue, "[deploy] is no table"));
        };
        let mut rest = table.clone();
        let fleet = rest
            .take("fleet")
            .ok_or_else(|| Fault::new(Code::MissingKey, "the key \"fleet\" is missing here"))?;
        // What is left must be exactly the salt and the dice.
        rest.push("fleet", Table::default());
        let plain: Deploy<Bare> =
            read(&Node { span: details.span.clone(), value: crate::document::Value::Table(rest) })?;
        if !matches!(self.stage, Stage::Deploying) {
            return Err(self.not_now("deploy"));
        }
        let name = self.header.seat(seat);
        let promise = Promise::new(
            Tag::Fleet,
            &self.header.id(),
            name,
            [("fleet", fleet.node.clone()), ("salt", plain.salt.to_string().into())],
        );
        let sealed = self.seals[seat].as_ref().map(|seal| seal.fleet);
        if sealed != Some(promise.commitment()) {
            return Err(does_not_match("the fleet", sealed, promise.commitment())
                .rule("SB-5")
                .about("fleet"));
        }
        let nonce = nonce_promise(&self.header.id(), name, 0, &plain.dice.nonce);
        let sealed = self.seals[seat].as_ref().map(|seal| seal.dice);
        if sealed != Some(nonce.commitment()) {
            return Err(does_not_match("nonce 0", sealed, nonce.commitment()).about("dice.nonce"));
        }
        let checked = R::check_fleet(&self.header, seat, &fleet.node)?;
        Ok(Move::Deploy {
            fleet: checked,
            opened: OpenedFleet { preimage: promise.preimage() },
            dice: plain.dice,
        })
    }

    fn not_now(&self, action: &str) -> Fault {
        let awaited = match self.stage {
            Stage::Sealing => "[seal]".to_owned(),
            Stage::Deploying => "[deploy]".to_owned(),
            Stage::Playing(ref game) => format!("an order of the phase \"{}\"", game.phase()),
            Stage::Abandoned(_) => return game_over(),
        };
        Fault::new(
            Code::WrongPhase,
            format!("[{action}] does not belong here; {awaited} is awaited now (or [resign])"),
        )
        .help("look at what is awaited with `sealed show`")
    }

    fn check_place(&self, standing: Standing, act: &Move<R>, draw: bool) -> Checked<()> {
        let over = self.phase() == Phase::Over;
        if over {
            return Err(game_over());
        }
        let awaited = self.awaited();
        match standing {
            Standing::Awaited(seat) | Standing::InPlaceOf(seat) if !awaited.contains(&seat) => {
                let now = names(&self.header, &awaited);
                let fault = if standing == Standing::InPlaceOf(seat) {
                    Fault::new(
                        Code::NotAwaited,
                        format!("nothing is awaited from {}, so it cannot forfeit now", self.seat_name(seat)),
                    )
                } else {
                    Fault::new(
                        Code::NotAwaited,
                        format!("nothing is awaited from {} now", self.seat_name(seat)),
                    )
                };
                return Err(fault.help(format!("awaited now: {now}")));
            }
            _ => {}
        }
        let fits = match (&self.stage, act) {
            (Stage::Sealing, Move::Seal(_)) | (Stage::Deploying, Move::Deploy { .. }) => true,
            (Stage::Sealing | Stage::Deploying, Move::Decide(Decision::Resign | Decision::Forfeit)) => true,
            (Stage::Playing(game), Move::Decide(Decision::Resign)) => {
                if game.phase() == Phase::Audit {
                    return Err(Fault::new(
                        Code::WrongPhase,
                        "the game has ended; nobody can resign any more",
                    )
                    .rule("SB-17")
                    .help("answer with `sealed respond`, which opens what is still sealed"));
                }
                true
            }
            (Stage::Playing(_), Move::Decide(_)) => true,
            (_, Move::Rule(ruling)) => {
                let in_play = !matches!(self.phase(), Phase::Seal | Phase::Deploy | Phase::Audit);
                if ruling.result == RuledResult::Draw && !in_play {
                    return Err(Fault::new(
                        Code::WrongPhase,
                        "a draw can be ruled only while the game is played",
                    )
                    .help("outside play a ruling can only be \"void\"")
                    .about("result"));
                }
                if self.ending().is_some_and(|ending| !ending.provisional) {
                    return Err(game_over());
                }
                true
            }
            (_, Move::Seal(_)) | (_, Move::Deploy { .. }) | (_, Move::Decide(_)) => false,
        };
        if !fits {
            let name = match act {
                Move::Seal(_) => "seal",
                Move::Deploy { .. } => "deploy",
                Move::Decide(_) => "this action",
                Move::Rule(_) => "ruling",
            };
            return Err(self.not_now(name));
        }
        let carries = matches!(act, Move::Decide(Decision::Act(action)) if R::carries_offer(action));
        if draw && !carries {
            return Err(Fault::new(Code::NoDrawHere, "a draw cannot be offered with this order")
                .rule("SB-21")
                .help("leave the offer out, or make it with a move"));
        }
        Ok(())
    }

    fn lapse_or_agree(
        &mut self,
        before: &[SeatIndex],
        orders: &[(SeatIndex, Decision<R::Action>, bool)],
        effects: &mut Effects,
    ) {
        let Stage::Playing(game) = &mut self.stage else { return };
        if game.ending().is_some() {
            return;
        }
        for (seat, decision, draw) in orders {
            if matches!(decision, Decision::Act(action) if R::carries_offer(action)) {
                self.offers[*seat] = *draw;
            }
        }
        let now = game.still_in();
        if now != before {
            self.offers = self.header.by_seat(|_| false);
        } else if now.iter().all(|seat| self.offers[*seat]) {
            effects.events.push(game.draw("all who are still in agree"));
        }
    }

    fn decisions(orders: &[Legal]) -> Checked<Vec<(SeatIndex, Decision<R::Action>, bool)>> {
        let mut decisions = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (
                    Standing::Awaited(seat) | Standing::InPlaceOf(seat) | Standing::Claim(seat),
                    Move::Decide(decision),
                ) => {
                    decisions.push((seat, decision.clone(), legal.verified.order().draw));
                }
                (Standing::Ruling, Move::Rule(_)) => {}
                _ => return Err(not_of_this_step()),
            }
        }
        Ok(decisions)
    }

    fn close_sealing(&mut self, orders: &[Legal]) -> Checked<Effects> {
        let mut effects = Effects::default();
        let mut left = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (Standing::Awaited(seat), Move::Seal(seal)) => self.seals[seat] = Some(seal.clone()),
                (standing @ (Standing::Awaited(seat) | Standing::InPlaceOf(seat)), Move::Decide(_)) => {
                    left.push(seat);
                    effects.events.push(leaves(self.header.seat(seat), standing));
                }
                _ => return Err(not_of_this_step()),
            }
        }
        if let Some(first) = left.first() {
            let by = self.seat_name(*first);
            effects.events.push(told(
                "void",
                vec![format!("The game is void, by {by}: not everybody sealed a fleet.")],
            ));
            self.void = Some(by);
            self.stage = Stage::Abandoned(left);
        } else {
            effects
                .events
                .push(told("sealed", vec!["All fleets are sealed. Now they are opened.".to_owned()]));
            self.stage = Stage::Deploying;
        }
        Ok(effects)
    }

    fn close_deploying(&mut self, orders: &[Legal]) -> Checked<Effects> {
        let mut fleets: BySeat<Option<R::Fleet>> = self.header.by_seat(|_| None);
        let mut nonces = Vec::new();
        let mut events = Vec::new();
        let mut left = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (Standing::Awaited(seat), Move::Deploy { fleet, opened, dice }) => {
                    let name = self.header.seat(seat).clone();
                    let nonce = nonce_promise(&self.header.id(), &name, 0, &dice.nonce);
                    self.opened[seat] = Some((opened.preimage.clone(), nonce.preimage()));
                    fleets[seat] = Some(fleet.clone());
                    nonces.push((name, dice.nonce));
                }
                (standing @ (Standing::Awaited(seat) | Standing::InPlaceOf(seat)), Move::Decide(_)) => {
                    left.push(seat);
                    events.push(leaves(self.header.seat(seat), standing));
                }
                _ => return Err(not_of_this_step()),
            }
        }
        if nonces.is_empty() {
            let by = left.first().map(|seat| self.seat_name(*seat)).unwrap_or_default();
            events.push(told("void", vec![format!("The game is void, by {by}: nobody deployed.")]));
            self.void = Some(by);
            self.stage = Stage::Abandoned(left);
            return Ok(Effects { events, rolls: Vec::new() });
        }
        events.push(told("deployed", vec!["The fleets are open.".to_owned()]));
        let (game, effects) = R::begin(&self.header, fleets, nonces);
        events.extend(effects.events);
        self.stage = Stage::Playing(game);
        Ok(Effects { events, rolls: effects.rolls })
    }

    fn close_ruled(&mut self, orders: &[Legal], ruling: &Ruling) -> Checked<Effects> {
        let mut events = Vec::new();
        let audits: Vec<_> =
            Self::decisions(orders)?.into_iter().map(|(seat, decision, _)| (seat, decision)).collect();
        if let Stage::Playing(game) = &mut self.stage {
            game.count(&audits);
        }
        let result = match ruling.result {
            RuledResult::Void => "void",
            RuledResult::Draw => "drawn",
        };
        events.push(told(
            "ruling",
            vec![
                format!("The arbiter rules: the game is {result}."),
                format!("The reason: {}", ruling.reason),
            ],
        ));
        match (&mut self.stage, ruling.result) {
            (Stage::Playing(game), RuledResult::Draw) => {
                let _ = game.draw("the arbiter has ruled so");
            }
            _ => self.void = Some(Seat::ARBITER.to_owned()),
        }
        Ok(Effects { events, rolls: Vec::new() })
    }

    fn own<'a>(&'a self, by: Keyholder<'_>) -> Checked<OwnSecrets<'a>> {
        let fresh = self.seals[by.seat].as_ref().map(|seal| seal.fresh).ok_or_else(|| {
            Fault::new(Code::WrongPhase, "you have not sealed a fleet yet")
                .help("seal one with `sealed seal --random` or `sealed seal --fleet FLEET.toml`")
        })?;
        Ok(self.own_with(by, &fresh))
    }

    fn own_with<'a>(&'a self, by: Keyholder<'_>, fresh: &Fresh) -> OwnSecrets<'a> {
        let secrets = by.identity.secrets(&self.header.id(), self.header.seat(by.seat), fresh);
        OwnSecrets { header: &self.header, seat: by.seat, secrets }
    }

    fn frame_slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (seat, seal) in self.seals.iter() {
            let Some(seal) = seal else { continue };
            let opened = self.opened[seat].as_ref();
            slots.push(Slot {
                seat,
                name: "fleet".to_owned(),
                commitment: seal.fleet,
                opened: opened.map(|(fleet, _)| fleet.clone()),
            });
            slots.push(Slot {
                seat,
                name: "nonce 0".to_owned(),
                commitment: seal.dice,
                opened: opened.map(|(_, nonce)| nonce.clone()),
            });
        }
        slots
    }
}

impl<R: Rules> State for Frame<R> {
    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn phase(&self) -> Phase {
        match &self.stage {
            _ if self.void.is_some() => Phase::Over,
            Stage::Sealing => Phase::Seal,
            Stage::Deploying => Phase::Deploy,
            Stage::Playing(game) => game.phase(),
            Stage::Abandoned(_) => Phase::Over,
        }
    }

    fn awaited(&self) -> Vec<SeatIndex> {
        match &self.stage {
            _ if self.void.is_some() => Vec::new(),
            Stage::Sealing | Stage::Deploying => self.seals.seats().collect(),
            Stage::Playing(game) => game.awaited(),
            Stage::Abandoned(_) => Vec::new(),
        }
    }

    fn judge(&self, order: &Verified) -> Checked<Legal> {
        let said = order.order();
        let placed = |fault: Fault| match (&fault.span, &fault.path) {
            (Some(_), _) => fault,
            (None, Some(path)) => {
                let span = said.place(&format!("{}.{path}", said.action));
                fault.at(span)
            }
            (None, None) => fault.at(said.place(&said.action)),
        };
        // Who is asked comes before what is said: a seat out of turn needs to hear that first.
        if self.phase() == Phase::Over {
            return Err(placed(game_over()));
        }
        let (standing, act) = self
            .understand(order)
            .map_err(|fault| match fault.code {
                Code::WrongPhase => self.out_of_turn(order).unwrap_or(fault),
                _ => fault,
            })
            .map_err(placed)?;
        self.check_place(standing, &act, said.draw).map_err(placed)?;
        if let (
            Stage::Playing(game),
            Move::Decide(Decision::Act(action)),
            Standing::Awaited(seat) | Standing::Claim(seat),
        ) = (&self.stage, &act, standing)
        {
            game.judge(seat, action).map_err(placed)?;
        }
        Ok(Legal { verified: order.clone(), standing, action: Arc::new(act) })
    }

    fn close(&self, orders: &[Legal]) -> Checked<Closed> {
        let mut next = self.clone();
        let ruling = orders.iter().find(|legal| legal.standing == Standing::Ruling);
        let effects = match (&mut next.stage, ruling) {
            (_, Some(legal)) => match action_of::<R>(legal)? {
                Move::Rule(ruling) => next.close_ruled(orders, &ruling.clone())?,
                _ => return Err(not_of_this_step()),
            },
            (Stage::Sealing, None) => next.close_sealing(orders)?,
            (Stage::Deploying, None) => next.close_deploying(orders)?,
            (Stage::Playing(game), None) => {
                let decisions = Self::decisions(orders)?;
                let before = game.still_in();
                let plain: Vec<_> =
                    decisions.iter().map(|(seat, decision, _)| (*seat, decision.clone())).collect();
                let mut effects = Effects::default();
                for legal in orders {
                    if let Standing::InPlaceOf(seat) = legal.standing {
                        effects.events.push(leaves(self.header.seat(seat), legal.standing));
                    }
                }
                let step = game.close(&plain);
                effects.events.extend(step.events);
                effects.rolls.extend(step.rolls);
                next.lapse_or_agree(&before, &decisions, &mut effects);
                effects
            }
            (Stage::Abandoned(_), None) => return Err(not_of_this_step()),
        };
        Ok(Closed { state: Box::new(next), events: effects.events, rolls: effects.rolls })
    }

    fn counting(&self, open: &[Legal]) -> Box<dyn State> {
        let mut counted = self.clone();
        if let (Stage::Playing(game), Ok(decisions)) = (&mut counted.stage, Self::decisions(open)) {
            let plain: Vec<_> = decisions.into_iter().map(|(seat, decision, _)| (seat, decision)).collect();
            game.count(&plain);
        }
        Box::new(counted)
    }

    fn ending(&self) -> Option<Ending> {
        if let Some(by) = &self.void {
            return Some(Ending { outcome: Outcome::Void(by.clone()), provisional: false });
        }
        match &self.stage {
            Stage::Playing(game) => game.ending(),
            _ => None,
        }
    }

    fn position(&self) -> Table {
        match &self.stage {
            Stage::Playing(game) => {
                let mut table = game.position();
                let offering: Vec<Node> = self
                    .offers
                    .iter()
                    .filter(|(_, offers)| **offers)
                    .map(|(seat, _)| Node::from(self.seat_name(seat)))
                    .collect();
                if !offering.is_empty() && self.ending().is_none() {
                    table.push("draw_offered_by", offering);
                }
                table
            }
            Stage::Abandoned(left) => {
                let mut table = Table::default();
                table.push(
                    "out",
                    left.iter().map(|seat| Node::from(self.seat_name(*seat))).collect::<Vec<_>>(),
                );
                table
            }
            Stage::Sealing | Stage::Deploying => Table::default(),
        }
    }

    fn scene(&self) -> Scene {
        match &self.stage {
            Stage::Playing(game) => game.scene(),
            _ => R::empty_scene(&self.header),
        }
    }

    fn sheets(&self, own: Option<Keyholder<'_>>) -> Vec<FleetSheet> {
        let Stage::Playing(game) = &self.stage else { return Vec::new() };
        let own = own.and_then(|by| self.own(by).ok());
        game.sheets(own.as_ref())
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = match &self.stage {
            Stage::Playing(game) => game.remarks(),
            _ => Vec::new(),
        };
        if self.ending().is_none() {
            let offering: Vec<_> =
                self.offers.iter().filter(|(_, offers)| **offers).map(|(seat, _)| seat).collect();
            if !offering.is_empty() {
                remarks.push(format!("A draw is offered by: {}.", names(&self.header, &offering)));
            }
        }
        remarks
    }

    fn suggestions(&self, seat: SeatIndex) -> Vec<Suggestion> {
        match &self.stage {
            Stage::Playing(game) if self.void.is_none() => game.suggestions(seat),
            _ => Vec::new(),
        }
    }

    fn compose(&self, by: Keyholder<'_>, words: &[String]) -> Checked<Composed> {
        if self.phase() == Phase::Over {
            return Err(game_over());
        }
        if words.first().map(String::as_str) == Some("resign") {
            if words.len() > 1 {
                return Err(Fault::new(Code::Unclear, "resign takes no further words"));
            }
            return Ok(Composed {
                action: "resign",
                details: tree(&Bare {})?,
                consequences: vec!["You resign: your ships leave the board and you are out.".to_owned()],
            });
        }
        match &self.stage {
            Stage::Playing(game) => game.compose(&self.own(by)?, words),
            Stage::Sealing => Err(self
                .not_now("order")
                .help("seal a fleet with `sealed seal --random` or `sealed seal --fleet FLEET.toml`")),
            Stage::Deploying => {
                Err(Fault::new(Code::WrongPhase, "the fleets are being opened; there is nothing to decide")
                    .help("open yours with `sealed respond`"))
            }
            Stage::Abandoned(_) => Err(game_over()),
        }
    }

    fn respond(&self, by: Keyholder<'_>) -> Checked<Composed> {
        if self.phase() == Phase::Over {
            return Err(game_over());
        }
        match &self.stage {
            Stage::Sealing => {
                Err(Fault::new(Code::WrongPhase, "a fleet is to be sealed, which is yours to decide")
                    .help("seal one with `sealed seal --random` or `sealed seal --fleet FLEET.toml`"))
            }
            Stage::Deploying => {
                let own = self.own(by)?;
                let seal = self.seals[by.seat].clone();
                let sealed = seal.map(|seal| seal.fleet).ok_or_else(not_of_this_step)?;
                let fleet = R::recover_fleet(&own, &sealed)?;
                let name = self.header.seat(by.seat);
                let next = nonce_promise(&self.header.id(), name, 1, &own.secrets.nonce(1).open_nonce());
                let mut dice = Table::default();
                dice.push("nonce", own.secrets.nonce(0).open_nonce().to_string());
                dice.push("next", next.commitment().to_string());
                let mut details = Table::default();
                details.push("salt", own.secrets.salt("fleet").open_salt().to_string());
                details.push("fleet", fleet);
                details.push("dice", dice);
                Ok(Composed {
                    action: "deploy",
                    details: details.into(),
                    consequences: vec![
                        "Opens your fleet for all: where each ship stands, and the primary shields."
                            .to_owned(),
                    ],
                })
            }
            Stage::Playing(game) => game.respond(&self.own(by)?),
            Stage::Abandoned(_) => Err(game_over()),
        }
    }

    fn seal(&self, by: Keyholder<'_>, fleet: &Node, fresh: Fresh) -> Checked<Composed> {
        if !matches!(self.stage, Stage::Sealing) {
            return Err(Fault::new(
                Code::WrongPhase,
                "fleets are sealed at the beginning only; this game is past that",
            )
            .rule("SB-5"));
        }
        let own = self.own_with(by, &fresh);
        let name = self.header.seat(by.seat);
        let table = R::fleet_table(&own, fleet)?;
        R::check_fleet(&self.header, by.seat, &table)?;
        let salt = own.secrets.salt("fleet").open_salt();
        let promise = Promise::new(
            Tag::Fleet,
            &self.header.id(),
            name,
            [("fleet", table), ("salt", salt.to_string().into())],
        );
        let nonce = nonce_promise(&self.header.id(), name, 0, &own.secrets.nonce(0).open_nonce());
        let seal = Seal { fresh, fleet: promise.commitment(), dice: nonce.commitment() };
        Ok(Composed {
            action: "seal",
            details: tree(&seal)?,
            consequences: vec!["Seals this fleet for the whole game. Nobody can see it yet, and you cannot change it any more.".to_owned()],
        })
    }

    fn random_fleet(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node> {
        R::random_fleet(&self.header, seat, entropy)
    }

    fn commitments(&self) -> Vec<Slot> {
        let mut slots = self.frame_slots();
        if let Stage::Playing(game) = &self.stage {
            slots.extend(game.commitments());
        }
        slots
    }

    fn promise(&self, opening: &Node) -> Checked<(Slot, Promise)> {
        match &self.stage {
            Stage::Playing(game) => game.promise(opening),
            _ => Err(Fault::new(Code::NoSuchThing, "no shield is known of yet; the fleets are not open")),
        }
    }
}

impl<R: Rules> Frame<R> {
    /// Says that a seat is not awaited at all, where that is the better answer.
    fn out_of_turn(&self, order: &Verified) -> Option<Fault> {
        let seat = self.header.index(&order.order().seat)?;
        let awaited = self.awaited();
        (!awaited.contains(&seat)).then(|| {
            Fault::new(Code::NotAwaited, format!("nothing is awaited from {} now", self.seat_name(seat)))
                .help(format!("awaited now: {}", names(&self.header, &awaited)))
        })
    }
}

fn action_of<R: Rules>(legal: &Legal) -> Checked<&Move<R>> {
    legal.action.downcast_ref::<Move<R>>().ok_or_else(not_of_this_step)
}

fn not_of_this_step() -> Fault {
    Fault::new(Code::Internal, "an order was taken for one of another step")
}

/// The refusal of anything after the end.
pub(super) fn game_over() -> Fault {
    Fault::new(Code::GameOver, "the game is over; nothing can be added to it any more")
        .help("for another game, make a new one with `sealed new`")
}

/// An opening that does not match, with both digests.
pub(super) fn does_not_match(what: &str, sealed: Option<Commitment>, opened: Commitment) -> Fault {
    let sealed = sealed.map_or_else(|| "nothing".to_owned(), |sealed| sealed.to_string());
    Fault::new(
        Code::WrongOpening,
        format!("the opening of {what} does not match what was sealed: sealed was {sealed}, this opens {opened}"),
    )
    .help("openings are composed by `sealed respond` and `sealed order`; check that the key is the one that sealed")
}

/// An event with nothing but its telling.
pub(super) fn told(kind: &'static str, lines: Vec<String>) -> Event {
    Event { kind, told: lines, facts: Table::default() }
}

/// A seat leaves by resigning or by the arbiter's word.
pub(super) fn leaves(seat: &Seat, standing: Standing) -> Event {
    let mut facts = Table::default();
    facts.push("seat", seat.as_str());
    let (kind, line) = match standing {
        Standing::InPlaceOf(_) => ("forfeit", format!("The arbiter forfeits {seat}.")),
        _ => ("resign", format!("{seat} resigns.")),
    };
    Event { kind, told: vec![line], facts }
}

/// Seats in words: `red and blue`, `nobody`.
#[must_use]
pub(super) fn names(header: &Header, seats: &[SeatIndex]) -> String {
    let names: Vec<_> = seats.iter().map(|seat| header.seat(*seat).as_str()).collect();
    match names.as_slice() {
        [] => "nobody".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Reads what was chosen on a command line into a typed option.
pub(super) fn chosen_number(chosen: &BTreeMap<String, String>, key: &str, default: u64) -> Checked<u64> {
    match chosen.get(key) {
        None => Ok(default),
        Some(text) => {
            text.parse().map_err(|_| Fault::new(Code::Unclear, format!("{key} = {text:?} is no number")))
        }
    }
}
