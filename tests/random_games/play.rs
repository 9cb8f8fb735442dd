//! One game, step by step, in the engine and in the oracle at once.

use sealed_orders::crypto::{Tag, die_from_key, hash, preimage};
use sealed_orders::document::{Node, Table};
use sealed_orders::games::shield_bashers::ShieldBashers;
use sealed_orders::games::{Composed, Game as _, Legal, State};
use sealed_orders::ident::Head;
use sealed_orders::log::{Verified, close_step};
use sealed_orders::turn::{Gathered, gather};

use super::compare;
use super::counts::Counts;
use super::dice::Dice;
use super::oracle::shield_bashers::{Action, Oracle, Order};
use super::party::{Honesty, Party, Person, Temper, seat_party};
use super::writing::{Place, details, sign};

/// An order in both languages.
#[derive(Clone)]
pub struct Entry {
    pub order: Order,
    pub verified: Verified,
}

pub struct Play {
    pub dice: Dice,
    pub temper: Temper,
    pub party: Party,
    pub oracle: Oracle,
    pub state: Box<dyn State>,
    pub head: Head,
    /// The orders of each step that closed, as the chain has them.
    pub closed: Vec<Vec<Verified>>,
    /// The orders of the step that never closes.
    pub open: Vec<Entry>,
    /// Genuine orders that do not stand: what yields, what is illegal, what was built on either.
    pub beside: Vec<Verified>,
    /// The same, but it would stand if a file had it before the rest came: forfeits for seats whose
    /// audit is in (protocol, section 18).
    pub beside_at_once: Vec<Verified>,
    /// What the oracle allows the mover to decide.
    pub decisions: Vec<Order>,
    pub clock: i64,
    pub counts: Counts,
}

impl Play {
    pub fn new(mut dice: Dice) -> Play {
        let mut counts = Counts::default();
        let temper = Temper::random(&mut dice);
        let party = seat_party(&mut dice, &temper, &mut counts);
        let state = ShieldBashers.begin(&party.header).unwrap();
        Play {
            oracle: Oracle::new(party.setup.clone()),
            head: Head::first(party.header.id()),
            state,
            dice,
            temper,
            party,
            closed: Vec::new(),
            open: Vec::new(),
            beside: Vec::new(),
            beside_at_once: Vec::new(),
            decisions: Vec::new(),
            clock: 1_800_000_100,
            counts,
        }
    }

    /// Plays until nothing more comes.
    pub fn play_out(&mut self) {
        let mut left_open = false;
        while self.oracle.phase() != "over" && !left_open {
            compare::same(&self.party.header, &*self.state, &self.oracle);
            self.compare_decisions();
            self.try_what_is_not_allowed();
            match self.oracle.phase() {
                "seal" | "deploy" => self.early_step(),
                "audit" => left_open = self.audit_step(),
                _ => self.step_of_play(),
            }
            assert!(self.closed.len() < 3000, "the game does not end");
        }
        compare::same(&self.party.header, &*self.state, &self.oracle);
        if !left_open {
            self.try_what_is_not_allowed();
        }
        self.count_the_end(left_open);
    }

    // ---- who ----

    pub fn person(&self, seat: &str) -> &Person {
        self.party.people.iter().find(|person| person.seat == seat).unwrap()
    }

    pub fn has_arbiter(&self) -> bool {
        self.party.arbiter.is_some()
    }

    // ---- orders ----

    pub fn place(&mut self) -> Place {
        self.clock += 1 + self.dice.below(5000) as i64;
        let press = match self.dice.below(8) {
            0 => Some("Have at you.".to_owned()),
            1 => Some("Na\u{ef}ve \"grey\" \\ \u{1f680} = '''x'''".to_owned()),
            _ => None,
        };
        Place { after: self.head, step: self.closed.len() as u64, time: self.clock, press }
    }

    /// Signs an order of the oracle at this head; nothing where it cannot be written.
    pub fn write(&mut self, order: &Order) -> Option<Verified> {
        let (action, table) = details(&self.party, &self.oracle, order)?;
        let place = self.place();
        Some(self.write_at(&place, order, action, table))
    }

    pub fn write_at(&self, place: &Place, order: &Order, action: &str, table: Node) -> Verified {
        let identity = match order.seat.as_str() {
            "arbiter" => &self.party.arbiter.as_ref().expect("an arbiter").1,
            seat => &self.person(seat).identity,
        };
        sign(&self.party, identity, &order.seat, place, order.draw, action, table)
            .unwrap_or_else(|fault| panic!("{order:?} cannot be written: {fault:?}"))
    }

    /// An order that both hold to be legal.
    pub fn entry(&mut self, order: Order) -> Entry {
        self.oracle.judge(&order).unwrap_or_else(|why| panic!("{order:?}: {why}"));
        let verified = self.write(&order).expect("a legal order can be written");
        if let Err(fault) = self.state.judge(&verified) {
            panic!("the engine refuses {order:?}: {fault:?}");
        }
        Entry { order, verified }
    }

    /// What the engine composes for a decision must be what was written by hand.
    pub fn compare_composed(&self, order: &Order, composed: sealed_orders::fault::Checked<Composed>) {
        let composed = composed.unwrap_or_else(|fault| panic!("{order:?} is not composed: {fault:?}"));
        let (action, table) = details(&self.party, &self.oracle, order).unwrap();
        assert_eq!((composed.action, &composed.details), (action, &table), "{order:?}");
    }

    // ---- steps ----

    /// Closes the step in both. The entries may stand in any order.
    pub fn close(&mut self, mut entries: Vec<Entry>) {
        let seats = self.oracle.setup.seats.clone();
        let place = |order: &Order| match order.action {
            Action::Ruling { .. } => seats.len(),
            _ => seats.iter().position(|seat| seat == order.place()).unwrap(),
        };
        let mut arrived: Vec<Legal> =
            entries.iter().map(|entry| self.state.judge(&entry.verified).unwrap()).collect();
        self.dice.shuffle(&mut arrived);
        let Gathered::Complete(legal) = gather(&*self.state, arrived).unwrap() else {
            panic!("the step of {entries:?} is still open", entries = orders_of(&entries));
        };
        entries.sort_by_key(|entry| place(&entry.order));
        let digests: Vec<_> = entries.iter().map(|entry| entry.verified.digest()).collect();
        let gathered: Vec<_> = legal.iter().map(|legal| legal.order().unwrap().digest()).collect();
        assert_eq!(gathered, digests, "the orders of a step stand in header order, a ruling last");

        let closed = self.state.close(&legal).unwrap();
        let orders = orders_of(&entries);
        let sides = self.oracle.first_roll_sides(&orders);
        let roll = sides.map(|sides| {
            let [rolled] = closed.rolls.as_slice() else { panic!("one die is rolled") };
            assert_eq!(rolled.roll.sides as usize, sides);
            let die = self.die_for_first(&orders, sides);
            assert_eq!(rolled.value as usize, die, "the die for the first player");
            die
        });
        assert_eq!(closed.rolls.len(), usize::from(roll.is_some()));
        let before = self.oracle.clone();
        self.oracle.close(&orders, roll).unwrap_or_else(|why| panic!("{orders:?}: {why}"));
        self.head = close_step(&self.head, &digests);
        self.state = closed.state;
        self.closed.push(entries.into_iter().map(|entry| entry.verified).collect());
        self.count_step(&before, &orders);
    }

    /// The die by the text of the protocol (section 10), from the nonces of those who deployed.
    fn die_for_first(&self, orders: &[Order], sides: usize) -> usize {
        let mut nonces = Table::default();
        for order in orders {
            if matches!(order.action, Action::Deploy(_)) {
                let person = self.person(&order.seat);
                nonces.push(order.seat.as_str(), person.secrets.nonce(0).open_nonce().to_string());
            }
        }
        let mut roll = Table::default();
        roll.push("game", self.party.header.id().to_string());
        roll.push("label", "first");
        roll.push("nonces", nonces);
        die_from_key(&hash(&preimage(Tag::Roll, &roll.into())), sides as u32) as usize
    }

    /// The steps in which all seats seal, and then all open.
    fn early_step(&mut self) {
        if self.rules_now() {
            return;
        }
        let sealing = self.oracle.phase() == "seal";
        let mut seats = self.oracle.awaits();
        self.dice.shuffle(&mut seats);
        let mut entries = Vec::new();
        for seat in seats {
            let fleet = self.person(&seat).fleet.clone();
            let honesty = self.person(&seat).honesty;
            let own = if sealing { Action::Seal } else { Action::Deploy(fleet) };
            let own = Order::new(&seat, own);
            let broken = honesty == Honesty::Broken && !sealing;
            if broken {
                self.refused_by_both(&own, "SB-01/06 a fleet that may not be deployed is refused");
            } else {
                self.compare_early(&seat, &own, honesty);
            }
            let forfeits = self.has_arbiter() && self.dice.chance(self.temper.forfeit);
            let leaving = if sealing { self.temper.leave_at_seal } else { self.temper.leave_at_deploy };
            let leaves = self.dice.chance(leaving);
            entries.push(if forfeits || (broken && self.has_arbiter() && self.dice.chance(500)) {
                let late = if broken { Order::new(&seat, Action::Resign) } else { own };
                self.forfeit(&seat, late)
            } else if leaves || broken {
                self.entry(Order::new(&seat, Action::Resign))
            } else {
                self.entry(own)
            });
        }
        self.close(entries);
    }

    fn compare_early(&self, seat: &str, own: &Order, honesty: Honesty) {
        let person = self.person(seat);
        let (by, file) = (person.keyholder(), person.fleet_file());
        if own.action == Action::Seal {
            let composed = self.state.seal(by, &file, person.fresh);
            match honesty {
                Honesty::Honest => self.compare_composed(own, composed),
                // The composer keeps its own player honest.
                Honesty::Cheat | Honesty::Broken => assert!(composed.is_err(), "{file:?}"),
            }
        } else if honesty == Honesty::Honest {
            self.compare_composed(own, self.state.respond(by));
        }
    }

    /// A seat is forfeited; its own order may come too late.
    pub fn forfeit(&mut self, seat: &str, late: Order) -> Entry {
        if self.dice.chance(400) && self.oracle.phase() != "audit" {
            let late = self.entry(late);
            self.beside.push(late.verified);
            self.counts.add("arrival: an own order too late for a forfeit");
        }
        self.entry(Order::new("arbiter", Action::Forfeit { seat: seat.to_owned() }))
    }

    /// The arbiter may end the game now, whatever else came in.
    pub fn rules_now(&mut self) -> bool {
        if !self.has_arbiter() || !self.dice.chance(self.temper.ruling) {
            return false;
        }
        let result = if self.dice.chance(500) { "draw" } else { "void" };
        let ruling = Order::new("arbiter", Action::Ruling { result: result.to_owned() });
        if self.oracle.judge(&ruling).is_err() {
            self.refused_by_both(&ruling, "refused: a ruling that has no place");
            return false;
        }
        if let Some(seat) = self.oracle.awaits().first().cloned()
            && self.dice.chance(500)
        {
            let late = self.entry(Order::new(&seat, Action::Resign));
            self.beside.push(late.verified);
            self.counts.add("arrival: an own order beside a ruling");
        }
        let ruling = self.entry(ruling);
        self.close(vec![ruling]);
        true
    }

    /// The audit; whether it stays open for ever.
    fn audit_step(&mut self) -> bool {
        let mut seats = self.oracle.awaits();
        self.dice.shuffle(&mut seats);
        let mut entries: Vec<Entry> = Vec::new();
        let mut missing = false;
        for seat in seats {
            let so_far = orders_of(&entries);
            let provisional = self.oracle.result_with(&so_far).is_some_and(|outcome| outcome.provisional);
            if self.has_arbiter() && provisional && self.dice.chance(self.temper.ruling.max(40)) {
                let ruling = Order::new("arbiter", Action::Ruling { result: "void".to_owned() });
                let ruling = self.entry(ruling);
                entries.push(ruling);
                self.close(entries);
                return false;
            }
            let audit = Order::new(&seat, Action::Audit { opens: self.oracle.sealed(&seat) });
            self.compare_composed(&audit, self.state.respond(self.person(&seat).keyholder()));
            if !self.dice.chance(self.temper.withhold_audit) {
                let entry = self.entry(audit);
                if self.has_arbiter() && self.dice.chance(100) {
                    let order = Order::new("arbiter", Action::Forfeit { seat: seat.clone() });
                    let late = self.entry(order);
                    self.beside_at_once.push(late.verified);
                    self.counts.add("arrival: a forfeit beside an audit that is in");
                }
                entries.push(entry);
            } else if self.has_arbiter() {
                let order = Order::new("arbiter", Action::Forfeit { seat: seat.clone() });
                let entry = self.entry(order);
                entries.push(entry);
            } else {
                missing = true;
                continue;
            }
            self.compare_partial_audit(&entries);
        }
        if missing {
            self.open = entries;
        } else {
            self.close(entries);
        }
        missing
    }

    /// What is in counts, although the step is open.
    fn compare_partial_audit(&mut self, entries: &[Entry]) {
        let mut arrived: Vec<Legal> =
            entries.iter().map(|entry| self.state.judge(&entry.verified).unwrap()).collect();
        self.dice.shuffle(&mut arrived);
        let Gathered::Open(open) = gather(&*self.state, arrived).unwrap() else { return };
        let counted = self.state.counting(&open);
        let orders = orders_of(entries);
        let expected = self.oracle.with_audits(&orders);
        let header = &self.party.header;
        assert_eq!(expected.result(), self.oracle.result_with(&orders));
        compare::same(header, &*counted, &expected);
        self.counts.add("SB-23 a result with some audits in");
        if self.has_arbiter() {
            let ruling = Order::new("arbiter", Action::Ruling { result: "void".to_owned() });
            let verified = self.write(&ruling).unwrap();
            let wanted = self.oracle.judge_with(&orders, &ruling);
            assert_eq!(counted.judge(&verified).is_ok(), wanted.is_ok(), "{wanted:?}");
        }
    }

    fn count_the_end(&mut self, left_open: bool) {
        if left_open {
            self.counts.add("end: the audit stays open");
        }
        let audits = orders_of(&self.open);
        let end = self.oracle.end.clone().expect("an end");
        let oracle = self.oracle.with_audits(&audits);
        self.counts.add(&super::endings::final_result(&oracle, &end));
        self.counts.add_many("steps", self.closed.len() as u64);
    }

    fn count_step(&mut self, before: &Oracle, orders: &[Order]) {
        super::endings::count_step(&mut self.counts, before, &self.oracle, orders);
    }
}

pub fn orders_of(entries: &[Entry]) -> Vec<Order> {
    entries.iter().map(|entry| entry.order.clone()).collect()
}
