//! A game as far as its orders go.

use std::sync::Arc;

use super::adjudicate::confirm_proofs;
use crate::crypto::Rolled;
use crate::fault::{Checked, Code, Fault};
use crate::games::{Ending, Event, Legal, Phase, Slot, Standing, State, by_rules};
use crate::ident::{Head, OrderDigest, SeatIndex};
use crate::log::{Entry, GameFile, Header, SignedEntry, Verified, close_step};

/// A step that closed.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number: how many closed before it.
    pub number: u64,
    /// The head that its orders answer.
    pub after: Head,
    /// The head that it made.
    pub head: Head,
    /// What was awaited.
    pub phase: Phase,
    /// Its orders, and the proofs in their places, in the order in which the chain has them.
    pub orders: Vec<Legal>,
    /// What happened.
    pub events: Vec<Event>,
    /// The dice that were rolled.
    pub rolls: Vec<Rolled>,
    /// The shares of the dice that were opened.
    pub opened: Vec<Slot>,
}

/// A game as far as its orders go: closed steps, and the open one.
#[derive(Debug)]
pub struct Replay {
    header: Arc<Header>,
    steps: Vec<Step>,
    head: Head,
    state: Box<dyn State>,
    open: Vec<Legal>,
}

/// The legal orders at one head, put together.
#[derive(Clone, Debug)]
pub enum Gathered {
    /// They close the step.
    Complete(Vec<Legal>),
    /// More are awaited.
    Open(Vec<Legal>),
}

/// Puts the orders at one head together: in the header's seat order, the arbiter's forfeit
/// in the place of the seat's order, a ruling last (protocol, "Steps and heads").
///
/// # Errors
/// `out-of-place`: two orders of one seat, a claim beside anything, a ruling beside what it drops.
pub fn gather(state: &dyn State, mut orders: Vec<Legal>) -> Checked<Gathered> {
    orders.sort_by_key(|legal| match legal.standing() {
        Standing::Awaited(seat)
        | Standing::InPlaceOf(seat)
        | Standing::Proven(seat)
        | Standing::Claim(seat) => (false, Some(seat)),
        Standing::Ruling => (true, None),
    });
    let out_of_place = |legal: &Legal, why: String| {
        let fault = Fault::new(Code::OutOfPlace, why);
        match legal.entry().span() {
            Some(span) => fault.at(span),
            None => fault,
        }
    };
    let mut before: Option<SeatIndex> = None;
    for legal in &orders {
        let seat = match legal.standing() {
            Standing::Awaited(seat)
            | Standing::InPlaceOf(seat)
            | Standing::Proven(seat)
            | Standing::Claim(seat) => seat,
            Standing::Ruling => continue,
        };
        if before == Some(seat) {
            return Err(out_of_place(
                legal,
                format!("two entries stand in one seat's place; the second is the {}", legal.entry().told()),
            ));
        }
        before = Some(seat);
    }
    let is = |wanted: fn(Standing) -> bool| orders.iter().filter(|legal| wanted(legal.standing())).count();
    let rulings = is(|standing| standing == Standing::Ruling);
    let claims = is(|standing| matches!(standing, Standing::Claim(_)));
    if let Some(last) = orders.last() {
        if claims > 0 && orders.len() > 1 {
            return Err(out_of_place(last, "a claim by a seat that is out closes its step alone".to_owned()));
        }
        if rulings > 1 {
            return Err(out_of_place(last, "two rulings stand after one head".to_owned()));
        }
        if rulings == 1 && orders.len() > 1 && state.phase() != Phase::Audit {
            return Err(out_of_place(
                last,
                "a ruling drops the other orders of its step, so none may stand beside it".to_owned(),
            ));
        }
    }
    if rulings == 1 && is_decided(state, &orders) {
        let ruling = orders.iter().find(|legal| legal.standing() == Standing::Ruling);
        let fault = Fault::new(
            Code::GameOver,
            "the result is final with the audits that are in; nothing is ruled any more",
        );
        return Err(match ruling.and_then(|legal| legal.entry().span()) {
            Some(span) => fault.at(span),
            None => fault,
        });
    }
    let awaited = state.awaited();
    let complete = rulings + claims > 0 || (!awaited.is_empty() && orders.len() == awaited.len());
    Ok(if complete { Gathered::Complete(orders) } else { Gathered::Open(orders) })
}

/// Whether the result is final with those orders of the open step that count already.
pub(super) fn is_decided(state: &dyn State, open: &[Legal]) -> bool {
    let early: Vec<Legal> =
        open.iter().filter(|legal| legal.standing() != Standing::Ruling).cloned().collect();
    state.counting(&early).ending().is_some_and(|ending| !ending.provisional)
}

/// An entry that answers a head where another number of steps has closed.
pub(super) fn wrong_step(entry: &Entry, closed: u64) -> Fault {
    match entry {
        Entry::Order(order) => {
            let said = order.order();
            Fault::new(
                Code::WrongStep,
                format!(
                    "the order says step {}, but at the head that it answers {closed} steps have closed",
                    said.step
                ),
            )
            .help(format!("ask {} to compose it again", said.seat))
            .at(said.place("step"))
        }
        Entry::Proof(proof) => {
            let why = format!("the proof says step {}, but {closed} have closed here", proof.step());
            Fault::new(Code::WrongStep, why).help("enter it again with `sealed proof enter`")
        }
    }
}

impl Replay {
    /// A game in which nothing was ordered yet.
    ///
    /// # Errors
    /// The rules are unknown, or the header does not fit them.
    pub fn begin(header: Arc<Header>) -> Checked<Self> {
        let state = by_rules(header.rules())?.begin(&header)?;
        Ok(Self { head: Head::first(header.id()), header, steps: Vec::new(), state, open: Vec::new() })
    }

    /// The same game before anything was ordered.
    ///
    /// # Errors
    /// `internal`: the header was good before.
    pub fn at_the_beginning(&self) -> Checked<Self> {
        Self::begin(Arc::clone(&self.header))
    }

    /// Replays a game file, strictly: every entry must be genuine, legal, and in its place.
    ///
    /// # Errors
    /// The first entry that does not hold, with its place in the file.
    pub fn of_file(file: &GameFile) -> Checked<Self> {
        Self::of_entries(Arc::new(file.header.clone()), file.entries.clone(), u64::MAX)
    }

    /// As [`Replay::of_file`], but only up to where `steps` steps have closed.
    ///
    /// # Errors
    /// The first entry that does not hold.
    pub fn of_file_until(file: &GameFile, steps: u64) -> Checked<Self> {
        let before = file.entries.iter().filter(|signed| signed.step() < steps).cloned().collect();
        Self::of_entries(Arc::new(file.header.clone()), before, steps)
    }

    fn of_entries(header: Arc<Header>, entries: Vec<SignedEntry>, until: u64) -> Checked<Self> {
        let mut replay = Self::begin(header)?;
        let mut entries = entries.into_iter().peekable();
        while let Some(first) = entries.next() {
            if replay.step() >= until {
                break;
            }
            let after = first.after();
            let mut run = vec![first];
            while let Some(next) = entries.next_if(|next| next.after() == after) {
                run.push(next);
            }
            replay.take_run(run)?;
            if !replay.open.is_empty()
                && let Some(next) = entries.peek()
            {
                let span = next.place_of_head();
                return Err(Fault::new(
                    Code::OutOfPlace,
                    format!(
                        "this entry comes after step {}, which is still open: orders are missing before it",
                        replay.step()
                    ),
                )
                .help("ask the others for their copy of the game file, and apply that")
                .at(span));
            }
        }
        confirm_proofs(&replay)?;
        Ok(replay)
    }

    fn take_run(&mut self, run: Vec<SignedEntry>) -> Checked<()> {
        let mut legal = Vec::with_capacity(run.len());
        for signed in run {
            let whole = signed.span();
            let entry = signed.verify(&self.header).map_err(|fault| fault.at(whole.clone()))?;
            self.check_place(&entry).map_err(|fault| fault.at(whole.clone()))?;
            let judged = match &entry {
                Entry::Order(order) => self.state.judge(order),
                Entry::Proof(proof) => self.state.judge_proof(proof),
            };
            legal.push(judged.map_err(|fault| fault.at(whole))?);
        }
        match gather(&*self.state, legal)? {
            Gathered::Complete(orders) => self.close(orders),
            Gathered::Open(orders) => {
                self.open = orders;
                Ok(())
            }
        }
    }

    /// Checks that an entry answers this head and step.
    fn check_place(&self, entry: &Entry) -> Checked<()> {
        let after = entry.after();
        if after != self.head {
            let known = self.steps.iter().any(|step| step.after == after);
            let what = if known {
                "a head that has been passed"
            } else {
                "a head that the entries before it do not lead to"
            };
            let fault = Fault::new(
                Code::OutOfPlace,
                format!("this entry answers {what}: {after}; the head here is {}", self.head),
            )
            .help("the file was changed, or entries are missing; ask the others for their copies");
            return Err(match entry.order() {
                Some(order) => fault.at(order.order().place("after")),
                None => fault,
            });
        }
        match entry {
            Entry::Order(order) => self.check_step(order),
            Entry::Proof(proof) if proof.step() != self.step() => {
                let why =
                    format!("the proof says step {}, but {} have closed here", proof.step(), self.step());
                Err(Fault::new(Code::WrongStep, why).help("enter it again with `sealed proof enter`"))
            }
            Entry::Proof(_) => Ok(()),
        }
    }

    /// Checks that an order that answers this head has its number.
    pub(super) fn check_step(&self, verified: &Verified) -> Checked<()> {
        if verified.order().step == self.step() {
            return Ok(());
        }
        Err(wrong_step(&verified.clone().into(), self.step()))
    }

    /// Closes the open step with its complete orders.
    pub(super) fn close(&mut self, orders: Vec<Legal>) -> Checked<()> {
        let digests: Vec<OrderDigest> = orders.iter().flat_map(|legal| legal.entry().digests()).collect();
        let closed = self.state.close(&orders)?;
        let head = close_step(&self.head, &digests);
        self.steps.push(Step {
            number: self.step(),
            after: self.head,
            head,
            phase: self.state.phase(),
            orders,
            events: closed.events,
            rolls: closed.rolls,
            opened: closed.opened,
        });
        self.head = head;
        self.state = closed.state;
        self.open = Vec::new();
        Ok(())
    }

    /// Leaves the step open with these orders in.
    pub(super) fn leave_open(&mut self, orders: Vec<Legal>) {
        self.open = orders;
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The steps that closed.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many steps have closed.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The head.
    #[must_use]
    pub const fn head(&self) -> Head {
        self.head
    }

    /// The position between steps: what the closed ones have led to.
    #[must_use]
    pub fn state(&self) -> &dyn State {
        &*self.state
    }

    /// The position with what counts of the open step counted.
    #[must_use]
    pub fn counted(&self) -> Box<dyn State> {
        self.state.counting(&self.open)
    }

    /// The orders of the open step that are in.
    #[must_use]
    pub fn open(&self) -> &[Legal] {
        &self.open
    }

    /// The seats whose order is still missing.
    #[must_use]
    pub fn missing(&self) -> Vec<SeatIndex> {
        let is_in = |seat: SeatIndex| {
            self.open.iter().any(|legal| {
                matches!(
                    legal.standing(),
                    Standing::Awaited(other) | Standing::InPlaceOf(other) | Standing::Proven(other) if other == seat
                )
            })
        };
        self.state.awaited().into_iter().filter(|seat| !is_in(*seat)).collect()
    }

    /// The result, once there is one.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.counted().ending()
    }

    /// All entries, in the order in which a game file has them.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.steps.iter().flat_map(|step| &step.orders).chain(&self.open).map(Legal::entry)
    }

    /// All entries that are orders, in the order in which a game file has them.
    pub fn orders(&self) -> impl Iterator<Item = &Verified> {
        self.entries().filter_map(Entry::order)
    }

    /// Every commitment of the game, with what opened it.
    #[must_use]
    pub fn commitments(&self) -> Vec<Slot> {
        let opened = self.steps.iter().flat_map(|step| step.opened.iter().cloned());
        let mut slots: Vec<Slot> = opened.chain(self.counted().commitments()).collect();
        // What all games have first, each seat's fleet before its shares of the dice; then what
        // only this game has.
        slots.sort_by_key(|slot| match slot.name.split(' ').next() {
            Some("fleet") => (0, slot.seat, 0),
            Some("nonce") => (0, slot.seat, 1),
            _ => (1, slot.seat, 0),
        });
        slots
    }

    /// All dice with the number of their step.
    pub fn rolls(&self) -> impl Iterator<Item = (u64, &Rolled)> {
        self.steps.iter().flat_map(|step| step.rolls.iter().map(|rolled| (step.number, rolled)))
    }
}
