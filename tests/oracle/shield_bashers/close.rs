//! What a whole step does.

use super::{Action, Attack, End, Event, Oracle, Order, Placed, TrueShip};

impl Oracle {
    /// Closes the open step. `orders` is one of
    /// - one order (or forfeit, or proof) in the place of each awaited seat, in any order;
    /// - one claim-draw by a seat that is out, alone (P-5);
    /// - one ruling, with the audits that are in already (P-5).
    ///
    /// `first_roll` is the die of SB-10 where one is rolled (see `first_roll_sides`), from 1.
    pub fn close(&mut self, orders: &[Order], first_roll: Option<usize>) -> Result<(), String> {
        let wanted = self.first_roll_sides(orders);
        match (wanted, first_roll) {
            (None, None) => {}
            (Some(sides), Some(die)) if (1..=sides).contains(&die) => {}
            _ => {
                return Err(format!("P-8: first_roll {first_roll:?}, but sides {wanted:?}"));
            }
        }
        if orders.iter().any(|o| matches!(o.action, Action::Ruling { .. })) {
            return self.close_by_ruling(orders);
        }
        if let [claim] = orders
            && claim.action == Action::ClaimDraw
            && !self.awaits().contains(&claim.seat)
        {
            // P-7: "From a seat that is out (but was not caught): it is drawn unless the mover fights
            // now; the mover, awaited anew, answers".
            self.judge(claim)?;
            self.phase = "answer-claim".to_string();
            self.step += 1;
            return Ok(());
        }
        for order in orders {
            self.judge(order)?;
        }
        // P-5: "A step awaits one order from each of a set of seats. When all are in, it closes", in
        // the header's seat order.
        let mut in_order: Vec<Order> = Vec::new();
        for seat in self.awaits() {
            let mut his = orders.iter().filter(|o| o.place() == seat);
            match (his.next(), his.next()) {
                (Some(order), None) => in_order.push(order.clone()),
                _ => return Err(format!("P-5: the step awaits one order of {seat}")),
            }
        }
        if in_order.len() != orders.len() {
            return Err("P-5: an order of a seat that is not awaited".to_string());
        }
        match self.phase.as_str() {
            "seal" => self.close_seal(&in_order),
            "deploy" => self.close_deploy(&in_order, first_roll),
            "audit" => self.close_audit(&in_order),
            _ => self.close_in_play(&in_order[0]),
        }
        self.step += 1;
        Ok(())
    }

    /// P-8: the sides of the die `first` when these orders close the step: "die(number of seats that
    /// deployed)". None when none is rolled.
    pub fn first_roll_sides(&self, orders: &[Order]) -> Option<usize> {
        let deploys = orders.iter().filter(|o| matches!(o.action, Action::Deploy(_))).count();
        let rolled = self.phase == "deploy" && self.setup.first == "roll" && deploys >= 2;
        let ruled = orders.iter().any(|o| matches!(o.action, Action::Ruling { .. }));
        (rolled && !ruled).then_some(deploys)
    }

    /// P-7: "In the audit step it [orders] holds first the digests of the audits (and of forfeits in the
    /// place of audits) that are already in, in header order, and then the ruling's."
    fn close_by_ruling(&mut self, orders: &[Order]) -> Result<(), String> {
        let (ruling, audits_in) = orders.split_last().expect("a ruling");
        let Action::Ruling { result } = &ruling.action else {
            return Err("P-5: the ruling comes last".to_string());
        };
        for (i, audit) in audits_in.iter().enumerate() {
            if !matches!(audit.action, Action::Audit { .. } | Action::Forfeit { .. }) || self.phase != "audit"
            {
                return Err("P-7: only audits and forfeits in their place stand before a ruling".to_string());
            }
            if audits_in[..i].iter().any(|other| other.place() == audit.place()) {
                return Err("P-14: two entries in one seat's place".to_string());
            }
            self.judge(audit)?;
        }
        self.judge_with(audits_in, ruling)?;
        *self = self.with_audits(audits_in);
        match result.as_str() {
            "void" => self.end = Some(End::Void { by: "arbiter".to_string() }),
            _ => self.end = Some(End::Draw { sharers: self.seats_in() }),
        }
        self.attack = None;
        self.after_the_end();
        self.step += 1;
        Ok(())
    }

    /// Step 0. P-7: "In step 0 the game is then void, by the first such seat in the header's order."
    fn close_seal(&mut self, in_order: &[Order]) {
        let gone = self.leave_before_the_start(in_order);
        match gone.first() {
            Some(first) => {
                self.end = Some(End::Void { by: first.clone() });
                self.after_the_end();
            }
            None => self.phase = "deploy".to_string(),
        }
    }

    /// Step 1. P-7: "In step 1 such seats are out before they began (in the header's order): the
    /// others play on; a single one left has won; with none left the game is void by the first."
    fn close_deploy(&mut self, in_order: &[Order], first_roll: Option<usize>) {
        let gone = self.leave_before_the_start(in_order);
        for order in in_order {
            if let Action::Deploy(fleet) = &order.action {
                self.deploy(&order.seat, fleet);
            }
        }
        let here = self.seats_in();
        match here.len() {
            0 => self.end = Some(End::Void { by: gone[0].clone() }),
            1 => self.end = Some(End::Win { seat: here[0].clone() }),
            _ => {}
        }
        if self.end.is_some() {
            self.after_the_end();
            return;
        }
        self.mover = match first_roll {
            // P-8: "the seat that begins, counted in the header's order", among those that deployed.
            Some(die) => here[die - 1].clone(),
            // P-8: "A named first seat that has left gives way to the next clockwise."
            None if here.contains(&self.setup.first) => self.setup.first.clone(),
            None => self.next_clockwise(&self.setup.first),
        };
        self.phase = "move".to_string();
    }

    fn leave_before_the_start(&mut self, in_order: &[Order]) -> Vec<String> {
        let mut gone = Vec::new();
        for order in in_order {
            let seat = order.place().to_string();
            match order.action {
                Action::Resign | Action::Forfeit { .. } => {}
                // P-5: "out as if it had forfeited, and counts as caught".
                Action::Proof { .. } => self.log.push(Event::Caught { seat: seat.clone() }),
                _ => continue,
            }
            self.log.push(Event::WentOut { seat: seat.clone() });
            gone.push(seat);
        }
        gone
    }

    fn deploy(&mut self, seat: &str, fleet: &[TrueShip]) {
        self.fleets.insert(seat.to_string(), fleet.to_vec());
        for ship in fleet {
            self.on_board.push(Placed {
                seat: seat.to_string(),
                ship: ship.ship.clone(),
                square: ship.square.clone(),
            });
        }
    }

    /// A step of play: one order. P-7: "An order is first judged whole, as if its openings repeated
    /// no colour; then all its openings are compared; then a seat caught by them is expelled; else it
    /// takes effect."
    fn close_in_play(&mut self, order: &Order) {
        let seat = order.place().to_string();
        match &order.action {
            Action::Resign | Action::Forfeit { .. } => self.leave(&seat),
            Action::Proof { .. } => {
                self.log.push(Event::Caught { seat: seat.clone() });
                self.leave(&seat);
            }
            // SB-20, and SB-23: "Sharers are the seats still in."
            Action::ClaimDraw | Action::AcceptDraw => {
                self.end = Some(End::Draw { sharers: self.seats_in() });
            }
            Action::Move { opens, .. } | Action::Defend { opens } | Action::FinalBattle { opens } => {
                self.open(&seat, opens);
                if self.has_opened_a_colour_twice(&seat) {
                    self.log.push(Event::Caught { seat: seat.clone() });
                    self.leave(&seat);
                } else {
                    self.log.push(Event::Ordered { seat: seat.clone(), draw: order.draw });
                    self.take_effect(&seat, &order.action);
                }
            }
            other => panic!("judge lets no {other:?} through here"),
        }
        // SB-16: "The last seat with ships wins."
        let here = self.seats_in();
        if self.end.is_none() && here.len() == 1 {
            self.end = Some(End::Win { seat: here[0].clone() });
        }
        // SB-21 and P-7: "When a step closes without deciding the game and every seat still in stands
        // so, the game is drawn at once, even with a defence awaited."
        let offers = self.offers();
        if self.end.is_none() && here.iter().all(|seat| offers.contains(seat)) {
            self.end = Some(End::Draw { sharers: here });
        }
        if self.end.is_some() {
            self.attack = None;
            self.after_the_end();
        }
    }

    fn take_effect(&mut self, seat: &str, action: &Action) {
        match action {
            Action::Move { ship, to, .. } => match self.at(to).cloned() {
                None => {
                    self.put(seat, ship, to);
                    self.turn_over();
                }
                Some(enemy) => {
                    self.attack = Some(Attack {
                        attacker: seat.to_string(),
                        attacking_ship: ship.clone(),
                        defender: enemy.seat,
                        defending_ship: enemy.ship,
                        final_battle: false,
                    });
                    self.await_defence_or_fight();
                }
            },
            Action::FinalBattle { .. } => {
                let own = self.on_board.iter().find(|p| p.seat == seat).expect("his").clone();
                let enemy = self.on_board.iter().find(|p| p.seat != seat).expect("other").clone();
                self.attack = Some(Attack {
                    attacker: seat.to_string(),
                    attacking_ship: own.ship,
                    defender: enemy.seat,
                    defending_ship: enemy.ship,
                    final_battle: true,
                });
                self.await_defence_or_fight();
            }
            Action::Defend { .. } => self.fight(),
            other => panic!("no effect of {other:?}"),
        }
    }

    /// P-7: defend is "awaited from the defender when its secondary is still sealed. [...] When both
    /// secondaries are open, no defend is awaited: the attack resolves at once".
    fn await_defence_or_fight(&mut self) {
        let attack = self.attack.clone().expect("an attack");
        match self.is_open(&attack.defender, &attack.defending_ship, "secondary") {
            true => self.fight(),
            false => self.phase = "defend".to_string(),
        }
    }

    /// Both secondaries are open: the table decides.
    fn fight(&mut self) {
        let attack = self.attack.take().expect("an attack");
        let attacker_wins = self.attacker_would_win(&attack);
        let (loser, its_ship) = match attacker_wins {
            true => (attack.defender.clone(), attack.defending_ship.clone()),
            false => (attack.attacker.clone(), attack.attacking_ship.clone()),
        };
        let square = self.placed(&loser, &its_ship).expect("it stands").square.clone();
        self.log.push(Event::CombatDecided);
        // SB-14: "its tertiary is lost; with none left, the ship is destroyed". SB-19: "the loser is
        // destroyed whatever tertiary it has".
        if self.has_tertiary(&loser, &its_ship) && !attack.final_battle {
            self.log.push(Event::TertiaryLost { seat: loser, ship: its_ship });
        } else {
            self.remove(&loser, &its_ship);
            // SB-16: "A seat without ships is out."
            if !self.seats_in().contains(&loser) {
                self.log.push(Event::WentOut { seat: loser });
            }
            // SB-15: "Only a destroyed defender's square is entered." SB-19: "the winner stays where
            // it stands."
            if attacker_wins && !attack.final_battle {
                self.put(&attack.attacker, &attack.attacking_ship, &square);
            }
        }
        self.turn_over();
    }

    /// SB-17: "A seat that resigns, forfeits or is expelled loses its ships at once. If it owed a
    /// defence, the attacker enters the empty square (not in a final battle) and its turn is over; one
    /// that goes out while it is to move ends its turn".
    fn leave(&mut self, seat: &str) {
        let ships: Vec<Placed> = self.on_board.iter().filter(|p| p.seat == seat).cloned().collect();
        for placed in &ships {
            self.remove(seat, &placed.ship);
        }
        self.log.push(Event::WentOut { seat: seat.to_string() });
        if let Some(attack) = self.attack.take()
            && !attack.final_battle
        {
            assert_eq!(attack.defender, seat, "only the defender is awaited then");
            let attacked = ships.iter().find(|p| p.ship == attack.defending_ship).expect("it");
            self.put(&attack.attacker, &attack.attacking_ship, &attacked.square);
        }
        self.turn_over();
    }

    /// SB-10: "Play goes clockwise over the seats still in."
    fn turn_over(&mut self) {
        self.log.push(Event::TurnOver);
        self.mover = self.next_clockwise(&self.mover);
        self.phase = "move".to_string();
    }

    /// The next seat after this one (which may be out) that is still in. The header lists the seats
    /// clockwise (P-3).
    fn next_clockwise(&self, seat: &str) -> String {
        let n = self.setup.seats.len();
        let i = self.setup.seats.iter().position(|s| s == seat).expect("a seat");
        for k in 1..=n {
            let candidate = &self.setup.seats[(i + k) % n];
            if self.seats_in().contains(candidate) {
                return candidate.clone();
            }
        }
        panic!("somebody is in")
    }

    /// SB-23: "After the end all sealed shields are opened." P-7: "A void game has no audit."
    fn after_the_end(&mut self) {
        self.phase = "audit".to_string();
        let void = matches!(self.end, Some(End::Void { .. }));
        if void || self.awaits().is_empty() {
            self.phase = "over".to_string();
        }
    }

    fn close_audit(&mut self, in_order: &[Order]) {
        for order in in_order {
            let seat = order.place().to_string();
            match &order.action {
                Action::Audit { opens } => self.audit(&seat, opens),
                Action::Forfeit { .. } => self.log.push(Event::StruckOut { seat }),
                Action::Proof { .. } => self.catch_in_audit(&seat),
                other => panic!("judge lets no {other:?} through here"),
            }
        }
        self.phase = "over".to_string();
    }

    /// SB-23: "A seat caught in its audit". Nothing leaves the board any more.
    fn audit(&mut self, seat: &str, opens: &[(String, String)]) {
        self.open(seat, opens);
        if self.has_opened_a_colour_twice(seat) {
            self.catch_in_audit(seat);
        }
    }

    fn catch_in_audit(&mut self, seat: &str) {
        if !self.caught().contains(&seat.to_string()) {
            self.log.push(Event::Caught { seat: seat.to_string() });
        }
    }

    /// The same game with these audits (and forfeits in their place) of the open step in; the step
    /// stays open and awaits the others. P-13.7: "Each audit counts as soon as it is in, before the
    /// step closes", and "the result at any moment, with all audits and forfeits that are in". (Whom
    /// such a forfeit struck out is still in the list of `awaits`: its shields stay sealed.)
    pub fn with_audits(&self, audits_in: &[Order]) -> Oracle {
        let mut so_far = self.clone();
        for seat in &self.setup.seats {
            for order in audits_in.iter().filter(|order| order.place() == seat) {
                match &order.action {
                    Action::Audit { opens } => so_far.audit(seat, opens),
                    Action::Forfeit { .. } => so_far.log.push(Event::StruckOut { seat: seat.clone() }),
                    _ => {}
                }
            }
        }
        so_far
    }

    // ---- hands ----

    fn open(&mut self, seat: &str, opens: &[(String, String)]) {
        for (ship, layer) in opens {
            self.log.push(Event::Opened { seat: seat.to_string(), ship: ship.clone(), layer: layer.clone() });
        }
    }

    fn put(&mut self, seat: &str, ship: &str, square: &str) {
        assert!(self.at(square).is_none(), "one ship a square");
        for placed in &mut self.on_board {
            if placed.seat == seat && placed.ship == ship {
                placed.square = square.to_string();
            }
        }
    }

    fn remove(&mut self, seat: &str, ship: &str) {
        self.on_board.retain(|p| !(p.seat == seat && p.ship == ship));
        self.log.push(Event::ShipLeft { seat: seat.to_string(), ship: ship.to_string() });
    }
}
