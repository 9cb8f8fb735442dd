//! A frame as the house knows it: a state of any game.

use std::sync::Arc;

use super::action::{Bare, Decision, Seal};
use super::rules::{Effects, OwnSecrets, Rules};
use super::words::{game_over, leaves, names, not_of_this_step};
use super::{Frame, Move, Stage, action_of};
use crate::crypto::{Promise, Tag, nonce_promise};
use crate::document::{Node, Table, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::{
    Closed, Composed, Ending, FleetSheet, Keyholder, Legal, Outcome, Phase, Slot, Standing, State, Suggestion,
};
use crate::ident::{Fresh, SeatIndex};
use crate::log::Verified;
use crate::scene::Scene;

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
                if self.void.is_some() {
                    // Nobody will answer that attack any more.
                    table.take("attack");
                }
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
            Stage::Playing(game) if self.void.is_none() => game.remarks(),
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
                consequences: vec![
                    match self.stage {
                        Stage::Sealing => "You resign before the battle: the game is void.",
                        Stage::Deploying => "You resign before you began; the others play on.",
                        _ => "You resign: your ships leave the board and you are out.",
                    }
                    .to_owned(),
                ],
            });
        }
        match &self.stage {
            Stage::Playing(game) => game.compose(&self.own(by)?, words),
            Stage::Sealing => {
                Err(Fault::new(Code::WrongPhase, "the fleets are being sealed; no order can be given yet")
                    .help("seal a fleet with `sealed seal --random` or `sealed seal --fleet FLEET.toml`"))
            }
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
            let mut slot = |name: &str, commitment, opened| {
                slots.push(Slot { seat, name: name.to_owned(), commitment, opened });
            };
            slot("fleet", seal.fleet, opened.map(|opened| opened.fleet.clone()));
            slot("nonce 0", seal.dice, opened.map(|opened| opened.nonce.clone()));
            if let Some(opened) = opened {
                slot("nonce 1", opened.next, None);
            }
        }
        slots
    }
}
