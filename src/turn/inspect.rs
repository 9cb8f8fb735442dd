//! Looking at a game at an earlier step, and at an order without taking it in.

use super::replay::Replay;
use crate::fault::{Checked, Fault};
use crate::games::Legal;
use crate::log::Verified;

/// What a genuine order is at the head that it answers.
#[derive(Debug)]
pub enum Inspected {
    /// The chain does not hold that head.
    UnknownHead,
    /// It is judged at that head.
    At {
        /// The game as it was there, the open step's orders left out.
        replay: Box<Replay>,
        /// Whether it may stand there.
        judged: Checked<Legal>,
    },
}

impl Replay {
    /// The game as it was when so many steps had closed; nothing if there were not so many.
    ///
    /// # Errors
    /// `internal`: the steps were good before.
    pub fn until(&self, steps: u64) -> Checked<Option<Self>> {
        let mut earlier = self.at_the_beginning()?;
        let wanted = usize::try_from(steps).unwrap_or(usize::MAX);
        let Some(closed) = self.steps().get(..wanted) else { return Ok(None) };
        for step in closed {
            earlier.close(step.orders.clone())?;
        }
        Ok(Some(earlier))
    }

    /// Judges an order at the head that it answers, wherever in the chain that is. Nothing
    /// changes, and whether other orders go before it there is not asked.
    ///
    /// # Errors
    /// `internal`: the steps were good before.
    pub fn inspect(&self, order: &Verified) -> Checked<Inspected> {
        let after = order.order().after;
        let step = if self.head() == after {
            self.step()
        } else {
            match self.steps().iter().find(|step| step.after == after) {
                Some(step) => step.number,
                None => return Ok(Inspected::UnknownHead),
            }
        };
        let Some(replay) = self.until(step)? else { return Ok(Inspected::UnknownHead) };
        let judged = replay.check_step(order).and_then(|()| replay.state().judge(order));
        let judged = judged.map_err(|fault: Fault| {
            let said = order.order();
            fault.at(said.place(&said.action))
        });
        Ok(Inspected::At { replay: Box::new(replay), judged })
    }
}
