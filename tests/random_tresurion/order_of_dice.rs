//! Every decision stands before the dice that it meets can be known.
//!
//! A die is known to whoever has both of its nonces. What is checked of every roll of a game, in
//! step s:
//!
//! 1. All dice of the step are of the same two nonces, one of each seat. Each nonce is opened by
//!    exactly one order of the whole game, and is in the dice of no other step. The later one is
//!    opened in step s itself: until then nobody can have known a die of the step.
//! 2. Each nonce was promised (in `seal`, or as `next`) by an order of its seat in an earlier step
//!    than the one that opens it, and the promise is that of this very nonce: nobody picks a nonce
//!    when it is time to open it.
//! 3. Turn 1's initiative: both fleets and both first nonces were sealed in step 0, each seat's in
//!    one order, and both are opened in step 1. What is opened is what was sealed, so neither fleet
//!    can have been chosen with a nonce of the other in sight.
//! 4. All other dice: the shots stand in the round of step r = s - 1, which opens its own seat's
//!    nonce in the same order. BOTH nonces were promised in steps before r: so the round's seat
//!    did not have the other's nonce when it named its targets, and the other seat did not know
//!    the targets when it fixed its nonce. No order of a step up to r holds that nonce.
//! 5. The roll answers the head that the round made: its signature covers the round. And it
//!    decides nothing: there is nothing in it but the nonce and the next promise.
//! 6. The next turn's initiative is of the same two nonces, so nobody can steer it, by 4. What is
//!    decided after it answers the head that the roll made: who begins was known to both by then,
//!    and the die that says so was not known to anybody at any earlier decision.
//! 7. The dice that the round wants are the dice that are rolled: an attack for each shot, in the
//!    order of the list, before any initiative.

use std::collections::{BTreeMap, BTreeSet};

use sealed_orders::crypto::nonce_promise;
use sealed_orders::document::Node;
use sealed_orders::ident::{Nonce, Seat};
use sealed_orders::log::close_step;

use super::compare::{items, part, text};
use super::play::Play;

struct Opening {
    seat: Seat,
    nonce: Nonce,
    index: u64,
    promised_in: usize,
    opened_in: usize,
}

impl Play {
    fn openings(&self) -> BTreeMap<[u8; 32], Opening> {
        // Of each seat: the step, the index and the text of its newest promise.
        let mut promised: BTreeMap<Seat, (usize, u64, String)> = BTreeMap::new();
        let mut openings = BTreeMap::new();
        for (step, closed) in self.steps.iter().enumerate() {
            for order in &closed.orders {
                let seat = order.order().seat.clone();
                if order.order().action == "seal" {
                    let commitment = part(order, &["dice"]).unwrap().to_owned();
                    assert!(promised.insert(seat, (step, 0, commitment)).is_none());
                } else if let Some(nonce) = part(order, &["dice", "nonce"]) {
                    let nonce: Nonce = nonce.parse().unwrap();
                    let (promised_in, index, commitment) = promised.remove(&seat).unwrap();
                    let promise = nonce_promise(&self.party.header.id(), &seat, index, &nonce);
                    assert_eq!(promise.commitment().to_string(), commitment);
                    let next = part(order, &["dice", "next"]).unwrap().to_owned();
                    promised.insert(seat.clone(), (step, index + 1, next));
                    let opening = Opening { seat, nonce, index, promised_in, opened_in: step };
                    assert!(openings.insert(*nonce.as_bytes(), opening).is_none(), "opened twice");
                }
            }
        }
        openings
    }

    pub fn decisions_come_before_their_dice(&mut self) {
        let openings = self.openings();
        let mut used: BTreeSet<[u8; 32]> = BTreeSet::new();
        for (step, closed) in self.steps.iter().enumerate() {
            let Some(first) = closed.rolls.first() else { continue };
            // 1.
            let nonces = &first.roll.nonces;
            assert!(closed.rolls.iter().all(|rolled| rolled.roll.nonces == *nonces));
            assert_eq!(nonces.len(), 2);
            assert_ne!(nonces[0].0, nonces[1].0);
            let pair: Vec<&Opening> = nonces.iter().map(|(_, nonce)| &openings[nonce.as_bytes()]).collect();
            for (opening, (seat, nonce)) in pair.iter().zip(nonces) {
                assert_eq!((&opening.seat, opening.nonce), (seat, *nonce));
                assert!(used.insert(*nonce.as_bytes()), "in the dice of two steps");
                // 2.
                assert!(opening.promised_in < opening.opened_in);
            }
            assert_eq!(pair.iter().map(|opening| opening.opened_in).max(), Some(step));
            let labels: Vec<&str> = closed.rolls.iter().map(|rolled| rolled.roll.label.as_str()).collect();
            if step == 1 {
                // 3.
                for opening in &pair {
                    assert_eq!((opening.index, opening.promised_in, opening.opened_in), (0, 0, 1));
                }
                for order in &self.steps[0].orders {
                    assert_eq!(order.order().action, "seal");
                    assert!(part(order, &["fleet"]).is_some() && part(order, &["dice"]).is_some());
                }
                assert!(closed.orders.iter().all(|order| order.order().action == "deploy"));
                assert!(labels.iter().all(|label| label.starts_with("initiative 1 ")));
                self.counts.add("order of dice: the first initiative");
                continue;
            }
            // 4.
            let decided_in = step - 1;
            let [round] = self.steps[decided_in].orders.as_slice() else { panic!("one round a step") };
            let [roll] = closed.orders.as_slice() else { panic!("one roll a step") };
            assert_eq!((round.order().action.as_str(), roll.order().action.as_str()), ("round", "roll"));
            assert_ne!(round.order().seat, roll.order().seat);
            for opening in &pair {
                let is_own = opening.seat == round.order().seat;
                assert_eq!(opening.opened_in, if is_own { decided_in } else { step });
                assert!(opening.promised_in < decided_in);
                let order = if is_own { round } else { roll };
                assert_eq!(part(order, &["dice", "nonce"]).unwrap(), opening.nonce.to_string());
            }
            // 5.
            assert_eq!(roll.order().after, close_step(&round.order().after, &[round.digest()]));
            let keys = |node: &Node| {
                node.as_table()
                    .unwrap()
                    .entries
                    .iter()
                    .map(|entry| entry.key.to_string())
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(keys(roll.order().details()), BTreeSet::from(["dice".to_owned()]));
            let dice = roll.order().details().nearest("dice");
            assert_eq!(keys(dice), BTreeSet::from(["next".to_owned(), "nonce".to_owned()]));
            // 6.
            let made = close_step(&roll.order().after, &[roll.digest()]);
            let next = self.steps.get(step + 1).into_iter().flat_map(|closed| &closed.orders);
            assert!(next.into_iter().all(|order| order.order().after == made));
            // 7.
            let shots = items(round.order().details().as_table().unwrap(), "fire");
            let wanted = shots.iter().map(|shot| {
                let shot = shot.as_table().unwrap();
                let names = [(round, "ship"), (roll, "at")]
                    .map(|(order, key)| format!("{}/{}", order.order().seat, text(shot, key)));
                names.join(" ")
            });
            let attacks = labels.iter().filter(|label| label.starts_with("attack "));
            let attacks = attacks.map(|label| label.splitn(3, ' ').nth(2).unwrap().to_owned());
            assert_eq!(attacks.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
            let is_initiative = |label: &str| label.starts_with("initiative ");
            let from = labels.iter().position(|label| is_initiative(label)).unwrap_or(labels.len());
            assert!(labels[from..].iter().all(|label| is_initiative(label)));
            self.counts.add("order of dice: a roll");
            if from < labels.len() {
                self.counts.add("order of dice: a later initiative");
            }
        }
    }
}
