//! The frame that all games share: sealing, deploying, resigning, draws by agreement, the
//! arbiter's forfeits and rulings. A game's own part is its [`Rules`].
//!
//! Phases: seal (all seats), deploy (all seats), then the game's own, then over.

use std::sync::Arc;

use super::{Legal, State};
use crate::fault::Checked;
use crate::ident::{BySeat, Commitment, SeatIndex};
use crate::log::Header;

mod action;
mod close;
mod judge;
mod rules;
mod state;
mod words;

pub use action::{
    Bare, Decision, Deploy, DiceOpening, FRAME_ACTIONS, FleetOpening, Forfeit, NonceOpening, RuledResult,
    Ruling, Seal,
};
pub use rules::{Cites, Effects, OwnSecrets, Rules};
pub(crate) use words::capital;
use words::not_of_this_step;
pub(in crate::games) use words::{
    chosen_number, does_not_match, event, facts_table, game_over, leaves, names, no_seat,
};

/// What an order does, in the frame's view.
#[derive(Clone, Debug)]
enum Move<R: Rules> {
    Seal(Seal),
    Deploy { fleet: R::Fleet, opened: OpenedFleet, dice: DiceOpening },
    Decide(Decision<R::Action>),
    Rule(Ruling),
}

/// A seat, what it decided, and whether it offers a draw.
type Decided<R> = (SeatIndex, Decision<<R as Rules>::Action>, bool);

/// A seat's newest share of the dice, still sealed.
#[derive(Clone, Copy, Debug)]
struct NewestNonce {
    /// Its number, from 0.
    index: u64,
    commitment: Commitment,
}

/// A fleet that was opened, for who wants to hash it again.
#[derive(Clone, Debug)]
struct OpenedFleet {
    preimage: Vec<u8>,
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
    seals: Arc<BySeat<Option<Seal>>>,
    /// The bytes behind the commitments of the fleets that are open.
    opened: Arc<BySeat<Option<Vec<u8>>>>,
    nonces: BySeat<Option<NewestNonce>>,
    offers: BySeat<bool>,
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
            seals: Arc::new(header.by_seat(|_| None)),
            opened: Arc::new(header.by_seat(|_| None)),
            nonces: header.by_seat(|_| None),
            offers: header.by_seat(|_| false),
        }))
    }

    /// A game in the midst of play that no chain leads to: for studies and for cases of the
    /// rules. Each seat's nonce 1 may be sealed, as it is when both fleets have been opened.
    pub(super) fn study(
        header: &Arc<Header>,
        game: R,
        sealed: &BySeat<Option<Commitment>>,
    ) -> Box<dyn State> {
        let newest = |commitment| NewestNonce { index: 1, commitment };
        Box::new(Self {
            header: Arc::clone(header),
            stage: Stage::Playing(game),
            void: None,
            seals: Arc::new(header.by_seat(|_| None)),
            opened: Arc::new(header.by_seat(|_| None)),
            nonces: header.by_seat(|seat| sealed[seat].map(newest)),
            offers: header.by_seat(|_| false),
        })
    }

    fn seat_name(&self, seat: SeatIndex) -> String {
        self.header.seat(seat).to_string()
    }
}

fn action_of<R: Rules>(legal: &Legal) -> Checked<&Move<R>> {
    legal.action.downcast_ref::<Move<R>>().ok_or_else(not_of_this_step)
}
