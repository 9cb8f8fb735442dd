//! One game, step by step, in the engine and in the oracle at once.
//!
//! The orders are written by hand: nothing here asks the engine what an order should hold.
//! Where the engine composes the same order, the two are compared.

use std::collections::VecDeque;

use sealed_orders::crypto::{Rolled, Tag, die_from_key, hash, preimage};
use sealed_orders::document::{Node, canonical};
use sealed_orders::fault::Checked;
use sealed_orders::games::tresurion::Tresurion;
use sealed_orders::games::{Composed, Game as _, Legal, Outcome, State};
use sealed_orders::ident::{Head, Seat, Time};
use sealed_orders::log::{Draft, Verified, close_step};
use sealed_orders::turn::{Gathered, gather};

use super::compare;
use super::counts::Counts;
use super::dice::Dice;
use super::oracle::tresurion::{Game, other};
use super::party::{Party, Temper, seat_party, table};
use super::rounds::Plan;

/// A step that closed: its orders and its dice.
pub struct Closed {
    pub orders: Vec<Verified>,
    pub rolls: Vec<Rolled>,
}

pub struct Play {
    pub dice: Dice,
    pub temper: Temper,
    pub party: Party,
    pub state: Box<dyn State>,
    /// From the deployment on.
    pub oracle: Option<Game>,
    /// What the arbiter has ruled.
    pub ruled: Option<Outcome>,
    pub head: Head,
    pub steps: Vec<Closed>,
    pub clock: i64,
    pub counts: Counts,
}

/// The engine's dice of a step, which the oracle asks for one by one.
pub struct Thrown<'a>(pub VecDeque<&'a Rolled>);

impl Thrown<'_> {
    pub fn throw(&mut self, label: &str, sides: u32) -> u32 {
        let rolled = self.0.pop_front().unwrap_or_else(|| panic!("the engine rolled no {label}"));
        assert_eq!((rolled.roll.label.as_str(), rolled.roll.sides), (label, sides));
        rolled.value
    }
}

impl Play {
    pub fn new(mut dice: Dice) -> Play {
        let mut counts = Counts::default();
        let party = seat_party(&mut dice, &mut counts);
        let temper = Temper::random(&mut dice);
        let state = Tresurion.begin(&party.header).unwrap();
        Play {
            head: Head::first(party.header.id()),
            dice,
            temper,
            party,
            state,
            oracle: None,
            ruled: None,
            steps: Vec::new(),
            clock: 1_800_000_100,
            counts,
        }
    }

    pub fn play_out(&mut self) {
        if !self.seal_step() || !self.deploy_step() {
            return;
        }
        self.same();
        while self.ruled.is_none() && self.game().awaited().is_some() {
            self.try_what_is_not_awaited();
            self.step_of_play();
            self.same();
            assert!(self.steps.len() < 2000, "the game does not end");
        }
        self.try_what_is_not_awaited();
        self.counts.add_many("steps", self.steps.len() as u64);
        self.counts.add_many("turns", u64::from(self.game().turn));
    }

    pub fn game(&self) -> &Game {
        self.oracle.as_ref().unwrap()
    }

    fn same(&self) {
        compare::same(&self.party.header, &*self.state, self.game(), self.ruled.as_ref());
    }

    // ---- orders ----

    /// An order of a seat (or of the arbiter) at this head, of any content.
    pub fn sign(&mut self, seat: Option<usize>, action: &str, details: Node, draw: bool) -> Verified {
        self.clock += 1 + self.dice.below(5000) as i64;
        let press = self.dice.chance(60).then(|| "Na\u{ef}ve \"grey\" \\ = '''x'''".to_owned());
        let (seat, identity) = match seat {
            Some(seat) => (self.party.sides[seat].name.clone(), &self.party.sides[seat].identity),
            None => (Seat::arbiter(), self.party.arbiter.as_ref().unwrap()),
        };
        let draft = Draft {
            game: self.party.header.id(),
            after: self.head,
            step: self.steps.len() as u64,
            seat,
            time: Time::from_unix_seconds(self.clock).unwrap(),
            press,
            draw,
            action: action.to_owned(),
            details,
        };
        draft.sign(identity).unwrap().verify(&self.party.header).unwrap()
    }

    pub fn forfeit(&mut self, seat: usize) -> Verified {
        let name = self.party.sides[seat].name.as_str();
        let details = table([("seat", name.into()), ("reason", "It is late.".into())]);
        self.sign(None, "forfeit", details, false)
    }

    pub fn ruling(&mut self, result: &str) -> Verified {
        let details = table([("result", result.into()), ("reason", "The server burns.".into())]);
        self.sign(None, "ruling", details, false)
    }

    pub fn same_composed(&self, action: &str, details: &Node, composed: Checked<Composed>) {
        let composed = composed.unwrap_or_else(|fault| panic!("[{action}]: {fault:?}"));
        assert_eq!(composed.action, action);
        assert_eq!(canonical(&composed.details), canonical(details));
    }

    /// What is signed and not legal: both say so.
    pub fn refused(&mut self, order: &Verified, why: &str) {
        match self.state.judge(order) {
            Ok(_) => panic!("the engine accepts what the oracle refuses ({why}): {order:?}"),
            Err(fault) => self.counts.add(&format!("refused: {}", fault.code.as_str())),
        }
    }

    /// Closes the step in the engine; its dice.
    pub fn close(&mut self, mut orders: Vec<Verified>) -> Vec<Rolled> {
        self.dice.shuffle(&mut orders);
        let legal: Vec<Legal> = orders
            .iter()
            .map(|order| self.state.judge(order).unwrap_or_else(|fault| panic!("{fault:?}: {order:?}")))
            .collect();
        let Gathered::Complete(legal) = gather(&*self.state, legal).unwrap() else {
            panic!("the step stays open")
        };
        let closed = self.state.close(&legal).unwrap();
        let orders: Vec<Verified> = legal.iter().map(|legal| legal.order().unwrap().clone()).collect();
        let digests: Vec<_> = orders.iter().map(Verified::digest).collect();
        let opening = orders.iter().filter(|order| compare::part(order, &["dice", "nonce"]).is_some());
        let opening: Vec<usize> =
            opening.map(|order| self.party.header.index(&order.order().seat).unwrap().place()).collect();
        assert_eq!(closed.opened.iter().map(|slot| slot.seat.place()).collect::<Vec<_>>(), opening);
        for seat in opening {
            self.party.sides[seat].opened += 1;
        }
        self.head = close_step(&self.head, &digests);
        self.state = closed.state;
        self.each_die_is_of_its_nonces(&closed.rolls);
        self.steps.push(Closed { orders, rolls: closed.rolls.clone() });
        closed.rolls
    }

    /// Protocol, section 10, said again.
    fn each_die_is_of_its_nonces(&self, rolls: &[Rolled]) {
        for rolled in rolls {
            let mut nonces = sealed_orders::document::Table::default();
            for (seat, nonce) in &rolled.roll.nonces {
                nonces.push(seat.as_str(), nonce.to_string());
            }
            let value = table([
                ("game", self.party.header.id().to_string().into()),
                ("label", rolled.roll.label.as_str().into()),
                ("nonces", nonces.into()),
            ]);
            let key = hash(&preimage(Tag::Roll, &value));
            assert_eq!((rolled.key, rolled.value), (key, die_from_key(&key, rolled.roll.sides)));
        }
    }

    // ---- steps ----

    fn step_of_play(&mut self) {
        let (seat, kind) = self.game().awaited().unwrap();
        if self.party.arbiter.is_some() {
            if self.dice.chance(self.temper.ruling) {
                return self.rule(kind);
            }
            if self.dice.chance(self.temper.forfeit) {
                let order = self.forfeit(seat);
                return self.goes_out(seat, order, kind, "is forfeited");
            }
        }
        if self.dice.chance(self.temper.resign) {
            let order = self.sign(Some(seat), "resign", table([]), false);
            return self.goes_out(seat, order, kind, "resigns");
        }
        if kind == "roll" {
            return self.roll(seat);
        }
        if self.game().legal_claim(seat).is_ok() {
            self.counts.add("TR-17 a draw could be claimed");
            if self.dice.chance(self.temper.claim) {
                let order = self.sign(Some(seat), "claim-draw", table([]), false);
                assert!(self.close(vec![order]).is_empty());
                let round = self.game().round;
                self.oracle.as_mut().unwrap().claim_draw(seat).unwrap();
                return self.counts.add(&format!("end: draw, claimed in round {round}"));
            }
        }
        let plan = self.choose_round(seat);
        self.round(seat, plan);
    }

    fn rule(&mut self, kind: &str) {
        let result = *self.dice.pick(&["draw", "void"]);
        let order = self.ruling(result);
        assert!(self.close(vec![order]).is_empty());
        self.ruled = Some(if result == "draw" { Outcome::Draw } else { Outcome::Void("arbiter".to_owned()) });
        self.counts.add(&format!("end: {result}, ruled with a {kind} awaited"));
    }

    fn goes_out(&mut self, seat: usize, order: Verified, kind: &str, how: &str) {
        let shots = if self.game().pending.is_empty() { "" } else { ", shots unrolled" };
        assert!(self.close(vec![order]).is_empty(), "no die of these shots is rolled (TR-16)");
        self.oracle.as_mut().unwrap().resign(seat).unwrap();
        self.counts.add(&format!("end: win, the other {how} in place of a {kind}{shots}"));
    }

    fn round(&mut self, seat: usize, plan: Plan) {
        let tired = self.steps.len() > self.temper.patience;
        let draw = self.dice.chance(if tired { 400 } else { self.temper.offer });
        let details = self.details(seat, &plan);
        let composed = self.state.compose(self.party.sides[seat].keyholder(), &plan.script());
        self.same_composed("round", &details, composed);
        let order = self.sign(Some(seat), "round", details, draw);
        assert!(self.close(vec![order]).is_empty(), "a round rolls nothing");
        let before = self.game().clone();
        self.oracle.as_mut().unwrap().apply_round(seat, &plan.moves, &plan.fire, draw).unwrap();
        self.count_round(&before, seat, &plan, draw);
    }

    fn roll(&mut self, seat: usize) {
        let details = table([("dice", self.party.sides[seat].dice(&self.party.header.id()))]);
        self.same_composed("roll", &details, self.state.respond(self.party.sides[seat].keyholder()));
        let offer = self.sign(Some(seat), "roll", details.clone(), true);
        self.refused(&offer, "P-7: no draw with a roll");
        let order = self.sign(Some(seat), "roll", details, false);
        let rolls = self.close(vec![order]);
        let before = self.game().clone();
        let mut thrown = Thrown(rolls.iter().collect());
        self.oracle
            .as_mut()
            .unwrap()
            .apply_roll(seat, &mut |label, sides| thrown.throw(label, sides))
            .unwrap();
        assert!(thrown.0.is_empty(), "the oracle wanted no {:?}", thrown.0);
        self.count_roll(&before, seat, &rolls);
    }

    /// Orders that are not awaited, or not in this phase.
    fn try_what_is_not_awaited(&mut self) {
        let over = self.ruled.is_some() || self.game().end.is_some();
        if !over && !self.dice.chance(200) {
            return;
        }
        for seat in [0, 1] {
            let dice = self.party.sides[seat].dice(&self.party.header.id());
            let awaited = if self.ruled.is_some() { None } else { self.game().awaited() };
            let is_awaited = awaited.is_some_and(|(awaited, _)| awaited == seat);
            if self.ruled.is_some() || self.game().legal_resignation(seat).is_err() {
                let order = self.sign(Some(seat), "resign", table([]), false);
                self.refused(&order, "P-7");
                if self.party.arbiter.is_some() {
                    let order = self.forfeit(seat);
                    self.refused(&order, "P-11");
                }
            }
            if self.ruled.is_some() || self.game().legal_claim(seat).is_err() {
                let order = self.sign(Some(seat), "claim-draw", table([]), false);
                self.refused(&order, "TR-17");
            }
            if self.ruled.is_some() || self.game().legal_roll(seat).is_err() {
                let order = self.sign(Some(seat), "roll", table([("dice", dice)]), false);
                self.refused(&order, "TR-6");
            }
            if awaited != Some((seat, "round")) {
                let details = self.details(seat, &Plan::default());
                let order = self.sign(Some(seat), "round", details, false);
                self.refused(&order, "TR-6");
            }
            if is_awaited {
                // A nonce that was opened before, and the one of the other seat.
                let side = &mut self.party.sides[seat];
                side.opened -= 1;
                let old = side.dice(&self.party.header.id());
                self.party.sides[seat].opened += 1;
                let foreign = self.party.sides[other(seat)].dice(&self.party.header.id());
                for dice in [old, foreign] {
                    let is_roll = awaited.unwrap().1 == "roll";
                    let order = if is_roll {
                        self.sign(Some(seat), "roll", table([("dice", dice)]), false)
                    } else {
                        let details = table([
                            ("moves", Vec::new().into()),
                            ("fire", Vec::new().into()),
                            ("dice", dice),
                        ]);
                        self.sign(Some(seat), "round", details, false)
                    };
                    self.refused(&order, "P-10");
                }
            }
        }
        if over && self.party.arbiter.is_some() {
            let order = self.ruling("void");
            self.refused(&order, "P-11");
        }
    }
}
