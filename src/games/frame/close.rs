//! What closing a step does in the frame's view.

use std::sync::Arc;

use super::action::{Decision, DiceOpening, RuledResult, Ruling};
use super::rules::{Effects, Rules};
use super::words::{leaves, not_of_this_step, told};
use super::{Decided, Frame, Move, NewestNonce, Stage, action_of};
use crate::crypto::nonce_promise;
use crate::fault::Checked;
use crate::games::{Legal, Slot, Standing};
use crate::ident::{BySeat, Seat, SeatIndex};

impl<R: Rules> Frame<R> {
    pub(super) fn lapse_or_agree(
        &mut self,
        before: &[SeatIndex],
        orders: &[Decided<R>],
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

    pub(super) fn decisions(orders: &[Legal]) -> Checked<Vec<Decided<R>>> {
        let mut decisions = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (
                    Standing::Awaited(seat)
                    | Standing::InPlaceOf(seat)
                    | Standing::Proven(seat)
                    | Standing::Claim(seat),
                    Move::Decide(decision),
                ) => {
                    let draw = legal.order().is_some_and(|order| order.order().draw);
                    decisions.push((seat, decision.clone(), draw));
                }
                (Standing::Ruling, Move::Rule(_)) => {}
                _ => return Err(not_of_this_step()),
            }
        }
        Ok(decisions)
    }

    pub(super) fn close_sealing(&mut self, orders: &[Legal]) -> Checked<Effects> {
        let mut effects = Effects::default();
        let mut left = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (Standing::Awaited(seat), Move::Seal(seal)) => {
                    Arc::make_mut(&mut self.seals)[seat] = Some(seal.clone());
                    self.nonces[seat] = Some(NewestNonce { index: 0, commitment: seal.dice });
                }
                (
                    standing @ (Standing::Awaited(seat) | Standing::InPlaceOf(seat) | Standing::Proven(seat)),
                    Move::Decide(_),
                ) => {
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

    /// The share of the dice that an order opens: the next one takes its place.
    pub(super) fn open_nonce(&mut self, seat: SeatIndex, dice: &DiceOpening) -> Option<Slot> {
        let newest = self.nonces[seat]?;
        let promise = nonce_promise(&self.header.id(), self.header.seat(seat), newest.index, &dice.nonce);
        self.nonces[seat] = Some(NewestNonce { index: newest.index + 1, commitment: dice.next });
        Some(Slot {
            seat,
            name: format!("nonce {}", newest.index),
            commitment: newest.commitment,
            opened: Some(promise.preimage()),
        })
    }

    pub(super) fn close_deploying(&mut self, orders: &[Legal], slots: &mut Vec<Slot>) -> Checked<Effects> {
        let mut fleets: BySeat<Option<R::Fleet>> = self.header.by_seat(|_| None);
        let mut nonces = Vec::new();
        let mut events = Vec::new();
        let mut left = Vec::new();
        for legal in orders {
            match (legal.standing, action_of::<R>(legal)?) {
                (Standing::Awaited(seat), Move::Deploy { fleet, opened, dice }) => {
                    let name = self.header.seat(seat).clone();
                    slots.extend(self.open_nonce(seat, dice));
                    Arc::make_mut(&mut self.opened)[seat] = Some(opened.preimage.clone());
                    fleets[seat] = Some(fleet.clone());
                    nonces.push((name, dice.nonce));
                }
                (
                    standing @ (Standing::Awaited(seat) | Standing::InPlaceOf(seat) | Standing::Proven(seat)),
                    Move::Decide(_),
                ) => {
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

    pub(super) fn close_ruled(&mut self, orders: &[Legal], ruling: &Ruling) -> Checked<Effects> {
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
}
