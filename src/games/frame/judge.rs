//! What is allowed in the frame's view: who is asked, for what, and whether the openings of
//! a deployment hold.

use super::action::{Bare, Decision, Deploy, DiceOpening, FRAME_ACTIONS, Forfeit, RuledResult, Ruling};
use super::rules::Rules;
use super::words::{does_not_match, game_over, names, no_seat};
use super::{Frame, Move, OpenedFleet, Stage};
use crate::crypto::{Promise, Tag, nonce_promise};
use crate::document::{Node, Table, Value, read};
use crate::fault::{Checked, Code, Fault};
use crate::games::{Phase, Standing, State as _};
use crate::ident::SeatIndex;
use crate::log::{Verified, printable};

impl<R: Rules> Frame<R> {
    pub(super) fn understand(&self, order: &Verified) -> Checked<(Standing, Move<R>)> {
        let said = order.order();
        let about = |fault: Fault| {
            if fault.span.is_some() {
                fault
            } else {
                let path = fault.path.clone().unwrap_or_default();
                fault.at(said.place(&format!("{}.{path}", said.action)))
            }
        };
        let details = said.details();
        if said.seat.is_arbiter() {
            return self.understand_arbiter(order).map_err(about);
        }
        let Some(seat) = self.header.index(&said.seat) else {
            return Err(no_seat(&self.header, &said.seat));
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
            name => {
                if let Some(action) = R::understand(name, details)? {
                    if matches!(self.stage, Stage::Playing(_)) || said.action == "audit" {
                        Move::Decide(Decision::Act(action))
                    } else {
                        return Err(about(self.not_now(name)));
                    }
                } else {
                    let known = FRAME_ACTIONS.iter().take(3).chain(R::ACTIONS).copied().collect::<Vec<_>>();
                    return Err(about(
                        Fault::new(Code::UnknownAction, format!("this game has no action [{name}]"))
                            .help(format!("its actions are: {}", known.join(", "))),
                    ));
                }
            }
        };
        let standing = match &act {
            Move::Decide(Decision::Act(action)) if self.is_claim(seat, action) => Standing::Claim(seat),
            _ => Standing::Awaited(seat),
        };
        Ok((standing, act))
    }

    pub(super) fn is_claim(&self, seat: SeatIndex, action: &R::Action) -> bool {
        match &self.stage {
            Stage::Playing(game) => !game.awaited().contains(&seat) && game.is_claim(seat, action),
            _ => false,
        }
    }

    pub(super) fn understand_arbiter(&self, order: &Verified) -> Checked<(Standing, Move<R>)> {
        let said = order.order();
        if said.draw {
            return Err(Fault::new(Code::NoDrawHere, "the arbiter offers no draws")
                .help("a ruling can end the game as a draw"));
        }
        match said.action.as_str() {
            "forfeit" => {
                let forfeit: Forfeit = read(said.details())?;
                printable("the reason", &forfeit.reason, 1, 500).map_err(|fault| fault.about("reason"))?;
                let seat = self
                    .header
                    .index(&forfeit.seat)
                    .ok_or_else(|| no_seat(&self.header, &forfeit.seat).about("seat"))?;
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

    pub(super) fn understand_deploy(&self, seat: SeatIndex, details: &Node) -> Checked<Move<R>> {
        let Some(table) = details.as_table() else {
            return Err(Fault::new(Code::WrongValue, "[deploy] is no table"));
        };
        let mut rest = table.clone();
        let fleet = rest
            .take("fleet")
            .ok_or_else(|| Fault::new(Code::MissingKey, "the key \"fleet\" is missing here"))?;
        // What is left must be exactly the salt and the dice.
        rest.push("fleet", Table::default());
        let plain: Deploy<Bare> = read(&Node { span: details.span.clone(), value: Value::Table(rest) })?;
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
                .rule(R::CITES.sealing)
                .about("fleet"));
        }
        self.check_dice(seat, &plain.dice)?;
        let checked = R::check_fleet(&self.header, seat, &fleet.node).map_err(|fault| match fault.code {
            Code::IllegalFleet => {
                fault.help("a sealed fleet cannot be changed; all that is left is `sealed order resign`")
            }
            _ => fault,
        })?;
        Ok(Move::Deploy {
            fleet: checked,
            opened: OpenedFleet { preimage: promise.preimage() },
            dice: plain.dice,
        })
    }

    /// Holds an opened share of the dice against the seat's newest commitment.
    pub(super) fn check_dice(&self, seat: SeatIndex, dice: &DiceOpening) -> Checked<()> {
        let newest = self.nonces[seat];
        let index = newest.map_or(0, |newest| newest.index);
        let promise = nonce_promise(&self.header.id(), self.header.seat(seat), index, &dice.nonce);
        let sealed = newest.map(|newest| newest.commitment);
        if sealed == Some(promise.commitment()) {
            return Ok(());
        }
        let what = match index {
            0 => "the first share of the dice (nonce 0)".to_owned(),
            index => format!("the share of the dice that is due (nonce {index})"),
        };
        Err(does_not_match(&what, sealed, promise.commitment()).about("dice.nonce"))
    }

    /// An action that is not for this phase.
    pub(super) fn not_now(&self, action: &str) -> Fault {
        if self.phase() == Phase::Over {
            return game_over();
        }
        Fault::new(
            Code::WrongPhase,
            format!("[{action}] does not belong here; {} is awaited now", self.phase().awaits()),
        )
        .help("look at what is awaited with `sealed show`")
    }

    pub(super) fn check_place(&self, standing: Standing, act: &Move<R>, draw: bool) -> Checked<()> {
        let awaited = self.awaited();
        match standing {
            Standing::Awaited(seat) | Standing::InPlaceOf(seat) if !awaited.contains(&seat) => {
                let now = names(&self.header, &awaited);
                let fault = if standing == Standing::InPlaceOf(seat) {
                    Fault::new(
                        Code::NotAwaited,
                        format!(
                            "nothing is awaited from {}, so it cannot be forfeited now",
                            self.seat_name(seat)
                        ),
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
        match (&self.stage, act) {
            (_, Move::Rule(ruling)) => self.check_ruling(ruling)?,
            (Stage::Playing(game), Move::Decide(Decision::Resign)) if game.phase() == Phase::Audit => {
                return Err(Fault::new(Code::WrongPhase, "the game has ended; nobody can resign any more")
                    .rule(R::CITES.leaving)
                    .help("answer with `sealed respond`, which opens what is still sealed"));
            }
            (Stage::Sealing, Move::Seal(_))
            | (Stage::Deploying, Move::Deploy { .. })
            | (
                Stage::Sealing | Stage::Deploying,
                Move::Decide(Decision::Resign | Decision::Forfeit | Decision::Caught),
            )
            | (Stage::Playing(_), Move::Decide(_)) => {}
            (_, Move::Seal(_)) => return Err(self.not_now("seal")),
            (_, Move::Deploy { .. }) => return Err(self.not_now("deploy")),
            (_, Move::Decide(_)) => return Err(self.not_now("this action")),
        }
        let carries = matches!(act, Move::Decide(Decision::Act(action)) if R::carries_offer(action));
        if draw && !carries {
            return Err(Fault::new(Code::NoDrawHere, "a draw cannot be offered with this order")
                .rule(R::CITES.agreement)
                .help(R::OFFERS));
        }
        Ok(())
    }

    /// A ruling ends a game that is not decided for good; a draw only while it is played.
    fn check_ruling(&self, ruling: &Ruling) -> Checked<()> {
        let in_play = !matches!(self.phase(), Phase::Seal | Phase::Deploy | Phase::Audit);
        if ruling.result == RuledResult::Draw && !in_play {
            return Err(Fault::new(Code::WrongPhase, "a draw can be ruled only while the game is played")
                .help("outside play a ruling can only be \"void\"")
                .about("result"));
        }
        if self.ending().is_some_and(|ending| !ending.provisional) {
            return Err(game_over());
        }
        Ok(())
    }

    /// Says that a seat is not awaited at all, where that is the better answer.
    pub(super) fn out_of_turn(&self, order: &Verified) -> Option<Fault> {
        let seat = self.header.index(&order.order().seat)?;
        let awaited = self.awaited();
        (!awaited.contains(&seat)).then(|| {
            Fault::new(Code::NotAwaited, format!("nothing is awaited from {} now", self.seat_name(seat)))
                .help(format!("awaited now: {}", names(&self.header, &awaited)))
        })
    }
}
