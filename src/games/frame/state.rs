//! A frame as the house knows it: a state of any game.

use std::sync::Arc;

use super::action::{Bare, Decision, FleetOpening, NonceOpening, Seal};
use super::rules::{Effects, OwnSecrets, Rules};
use super::words::{game_over, leaves, names, no_seat, not_of_this_step};
use super::{Frame, Move, NewestNonce, Stage, action_of};
use crate::crypto::{Promise, Tag, nonce_promise};
use crate::document::{Node, Table, Value, read, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::{
    Chart, Closed, Composed, Ending, Event, FleetSheet, Grounds, Keyholder, Legal, Outcome, Phase, Script,
    Slot, Standing, State, Suggestion, Weighed,
};
use crate::ident::{Commitment, Fresh, Salt, Seat, SeatIndex};
use crate::log::{Proven, Verified};
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
            if let Some(dice) = R::dice(action) {
                self.check_dice(seat, dice).map_err(placed)?;
            }
        }
        Ok(Legal { entry: order.clone().into(), standing, action: Arc::new(act) })
    }

    fn judge_proof(&self, proof: &Proven) -> Checked<Legal> {
        let seat = self.header.index(proof.seat()).ok_or_else(|| no_seat(&self.header, proof.seat()))?;
        if !self.awaited().contains(&seat) {
            let why = format!(
                "nothing is awaited from {} any more, so the proof changes nothing here",
                proof.seat()
            );
            return Err(Fault::new(Code::NotAwaited, why)
                .help("keep the proof; it is for the players to know, not for the game"));
        }
        let act = Move::<R>::Decide(Decision::Caught);
        Ok(Legal { entry: proof.clone().into(), standing: Standing::Proven(seat), action: Arc::new(act) })
    }

    fn close(&self, orders: &[Legal]) -> Checked<Closed> {
        let mut next = self.clone();
        let mut opened = Vec::new();
        let ruling = orders.iter().find(|legal| legal.standing == Standing::Ruling);
        let effects = match (&mut next.stage, ruling) {
            (_, Some(legal)) => match action_of::<R>(legal)? {
                Move::Rule(ruling) => next.close_ruled(orders, &ruling.clone())?,
                _ => return Err(not_of_this_step()),
            },
            (Stage::Sealing, None) => next.close_sealing(orders)?,
            (Stage::Deploying, None) => next.close_deploying(orders, &mut opened)?,
            (Stage::Playing(game), None) => {
                let decisions = Self::decisions(orders)?;
                let before = game.still_in();
                let plain: Vec<_> =
                    decisions.iter().map(|(seat, decision, _)| (*seat, decision.clone())).collect();
                let mut effects = Effects::default();
                for legal in orders {
                    if let Standing::InPlaceOf(seat) | Standing::Proven(seat) = legal.standing {
                        effects.events.push(leaves(self.header.seat(seat), legal.standing));
                    }
                }
                let step = game.close(&plain);
                effects.events.extend(step.events);
                effects.rolls.extend(step.rolls);
                next.lapse_or_agree(&before, &decisions, &mut effects);
                for (seat, decision, _) in &decisions {
                    if let Decision::Act(action) = decision
                        && let Some(dice) = R::dice(action)
                    {
                        opened.extend(next.open_nonce(*seat, dice));
                    }
                }
                effects
            }
            (Stage::Abandoned(_), None) => return Err(not_of_this_step()),
        };
        Ok(Closed { state: Box::new(next), events: effects.events, rolls: effects.rolls, opened })
    }

    fn counting(&self, open: &[Legal]) -> Box<dyn State> {
        let mut counted = self.clone();
        if let (Stage::Playing(game), Ok(decisions)) = (&mut counted.stage, Self::decisions(open)) {
            let plain: Vec<_> = decisions.into_iter().map(|(seat, decision, _)| (seat, decision)).collect();
            game.count(&plain);
        }
        Box::new(counted)
    }

    fn grounds(&self, events: &[Event]) -> Grounds {
        match &self.stage {
            Stage::Playing(game) => game.grounds(events),
            _ => Grounds::default(),
        }
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
                // Where an arbiter has ended the game, nobody will answer any more.
                let mut table = game.position(self.void.is_none());
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

    fn outlook(&self, seat: SeatIndex) -> Vec<Chart> {
        match &self.stage {
            Stage::Playing(game) if self.void.is_none() => game.outlook(seat),
            _ => Vec::new(),
        }
    }

    fn sample(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Option<Script> {
        match &self.stage {
            Stage::Playing(game) if self.void.is_none() => game.sample(seat, entropy),
            _ => None,
        }
    }

    fn weigh(&self, by: Keyholder<'_>, script: &Script) -> Weighed {
        let is_common = script.words().first().is_some_and(|word| ["resign", "claim-draw"].contains(word));
        if let Stage::Playing(game) = &self.stage
            && self.void.is_none()
            && !is_common
            && let Some(weighed) = game.weigh(by.seat, script)
        {
            return weighed;
        }
        match self.compose(by, script) {
            Ok(composed) => Weighed { told: composed.consequences, ..Weighed::default() },
            Err(fault) => Weighed { faults: vec![fault], ..Weighed::default() },
        }
    }

    fn template(&self, seat: SeatIndex) -> Checked<Option<String>> {
        match &self.stage {
            Stage::Playing(game) if self.void.is_none() => game.template(seat),
            Stage::Sealing | Stage::Deploying => Ok(None),
            _ => Err(game_over()),
        }
    }

    fn compose(&self, by: Keyholder<'_>, script: &Script) -> Checked<Composed> {
        if self.phase() == Phase::Over {
            return Err(game_over());
        }
        if script.words().first() == Some(&"resign") {
            if script.words().len() > 1 {
                return Err(Fault::new(Code::Unclear, "resign takes no further words"));
            }
            let meaning = match self.stage {
                Stage::Sealing => "You resign before the battle: the game is void.",
                Stage::Deploying if self.seals.len() == 2 => {
                    "You resign before you began; the other seat has won."
                }
                Stage::Deploying => "You resign before you began; the others play on.",
                _ => "You resign: your ships leave the board and you are out.",
            };
            return Ok(Composed::new("resign", tree(&Bare {})?, vec![meaning.to_owned()]));
        }
        match &self.stage {
            Stage::Playing(game) => game.compose(&self.own(by)?, script),
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
                let fleet = self.own_fleet(&own, by.kept, &sealed)?;
                let mut details = Table::default();
                details.push("salt", own.secrets.salt("fleet").open_salt().to_string());
                details.push("fleet", fleet);
                details.push("dice", tree(&own.open_dice()?)?);
                Ok(Composed::new("deploy", details.into(), vec![R::DEPLOYING.to_owned()]))
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
            .rule(R::CITES.sealing));
        }
        let own = self.own_with(by, &fresh);
        let name = self.header.seat(by.seat);
        let table = R::fleet_table(&own, fleet)?;
        R::check_fleet(&self.header, by.seat, &table)?;
        let promise = self.fleet_promise(by.seat, &table, &own.secrets.salt("fleet").open_salt());
        let nonce = nonce_promise(&self.header.id(), name, 0, &own.secrets.nonce(0).open_nonce());
        let seal = Seal { fresh, fleet: promise.commitment(), dice: nonce.commitment() };
        let consequences = vec![
            "Seals this fleet for the whole game. Nobody can see it yet, and you cannot change it any more."
                .to_owned(),
        ];
        let private = R::fleet_told(&table);
        let kept = R::KEEPS_FLEET.then_some(table);
        Ok(Composed { action: "seal", details: tree(&seal)?, consequences, private, kept })
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

    fn promise(&self, opening: &Node) -> Checked<(SeatIndex, String, Promise)> {
        let has = |key: &str| opening.as_table().is_some_and(|table| table.get(key).is_some());
        if has("fleet") {
            return self.promise_of_fleet(opening);
        }
        if has("nonce") {
            return self.promise_of_nonce(opening);
        }
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
        let newest_nonce = self.nonces[by.seat].map(|newest| newest.index);
        OwnSecrets { header: &self.header, seat: by.seat, secrets, newest_nonce }
    }

    fn fleet_promise(&self, seat: SeatIndex, fleet: &Node, salt: &Salt) -> Promise {
        Promise::new(
            Tag::Fleet,
            &self.header.id(),
            self.header.seat(seat),
            [("fleet", fleet.clone()), ("salt", salt.to_string().into())],
        )
    }

    /// The own fleet as it was sealed: the kept one, a fleet file, or found by the key alone.
    fn own_fleet(&self, own: &OwnSecrets<'_>, kept: Option<&Node>, sealed: &Commitment) -> Checked<Node> {
        let salt = own.secrets.salt("fleet").open_salt();
        let is_sealed = |table: &Node| self.fleet_promise(own.seat, table, &salt).commitment() == *sealed;
        let Some(kept) = kept else { return R::recover_fleet(own, sealed) };
        if is_sealed(kept) {
            return Ok(kept.clone());
        }
        match R::fleet_table(own, kept) {
            Ok(table) if is_sealed(&table) => Ok(table),
            _ => R::recover_fleet(own, sealed).map_err(|_| {
                Fault::new(Code::WrongOpening, "this is not the fleet that you sealed with this key")
                    .rule(R::CITES.sealing)
                    .help("name the very fleet file that you sealed, and the identity: `--key FILE`")
            }),
        }
    }

    fn promise_of_fleet(&self, opening: &Node) -> Checked<(SeatIndex, String, Promise)> {
        let mut rest = opening.as_table().cloned().unwrap_or_default();
        let fleet = rest.take("fleet").map_or_else(|| Table::default().into(), |entry| entry.node);
        rest.push("fleet", Table::default());
        let rest = Node { span: opening.span.clone(), value: Value::Table(rest) };
        let plain: FleetOpening<Bare> = read(&rest)?;
        let seat = self.seat_named(&plain.seat)?;
        let promise = self.fleet_promise(seat, &fleet, &plain.salt);
        Ok((seat, "fleet".to_owned(), promise))
    }

    fn promise_of_nonce(&self, opening: &Node) -> Checked<(SeatIndex, String, Promise)> {
        let plain: NonceOpening = read(opening)?;
        let seat = self.seat_named(&plain.seat)?;
        let promise = nonce_promise(&self.header.id(), &plain.seat, plain.index, &plain.nonce);
        Ok((seat, format!("nonce {}", plain.index), promise))
    }

    fn seat_named(&self, seat: &Seat) -> Checked<SeatIndex> {
        self.header.index(seat).ok_or_else(|| no_seat(&self.header, seat).about("seat"))
    }

    fn frame_slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (seat, seal) in self.seals.iter() {
            let Some(seal) = seal else { continue };
            let opened = self.opened[seat].clone();
            slots.push(Slot { seat, name: "fleet".to_owned(), commitment: seal.fleet, opened });
            if let Some(NewestNonce { index, commitment }) = self.nonces[seat] {
                slots.push(Slot { seat, name: format!("nonce {index}"), commitment, opened: None });
            }
        }
        slots
    }
}
