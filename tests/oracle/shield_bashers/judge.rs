//! Is one order allowed at the open step? Errors begin with the number of the rule.

use super::combat::COLOURS;
use super::{Action, Opening, Oracle, Order, SHIPS, TrueShip};

impl Oracle {
    /// Is this one order allowed here, given the truth? "An order is first judged whole, as if its
    /// openings repeated no colour" (P-7): nothing about colours met twice is asked here.
    pub fn judge(&self, order: &Order) -> Result<(), String> {
        self.judge_all_but_openings(order)?;
        self.judge_openings(order)
    }

    /// The same, with these audits of the open step already in.
    pub fn judge_with(&self, audits_in: &[Order], order: &Order) -> Result<(), String> {
        self.with_audits(audits_in).judge(order)
    }

    pub fn judge_all_but_openings(&self, order: &Order) -> Result<(), String> {
        let seat = order.seat.as_str();
        let phase = self.phase.as_str();
        let awaited = self.awaits().contains(&order.seat);
        if phase == "over" {
            return no("SB-23", "the game is over");
        }
        // P-7: "draw = true goes with move, defend, final-battle".
        let may_offer =
            matches!(order.action, Action::Move { .. } | Action::Defend { .. } | Action::FinalBattle { .. });
        if order.draw && !may_offer {
            return no("P-7", "an offer goes with move, defend or final-battle only");
        }
        match &order.action {
            // P-9: "[ruling] result (result void, or in play also draw), which ends the game unless
            // its result is final".
            Action::Ruling { result } => {
                if seat != "arbiter" {
                    return no("P-9", "only the arbiter rules");
                }
                let in_play = ["move", "defend", "answer-claim"].contains(&phase);
                match result.as_str() {
                    "void" => {}
                    "draw" if in_play => {}
                    "draw" => return no("P-9", "a draw is ruled in play only"),
                    _ => return no("P-9", "a ruling is draw or void"),
                }
                match self.result() {
                    Some(outcome) if !outcome.provisional => no("P-9", "the result is final"),
                    _ => Ok(()),
                }
            }
            // P-9: "[forfeit] seat, for an awaited seat"; P-7: "possible after the end too".
            Action::Forfeit { seat: whose } => {
                if seat != "arbiter" {
                    return no("P-9", "only the arbiter forfeits a seat");
                }
                match self.awaits().contains(whose) {
                    true => Ok(()),
                    false => no("P-9", "that seat is not awaited"),
                }
            }
            // P-5: "A seat that is awaited no more loses nothing by a proof".
            Action::Proof { seat: whose } => {
                if seat != "proof" {
                    return no("P-5", "a proof is nobody's order");
                }
                match self.awaits().contains(whose) {
                    true => Ok(()),
                    false => no("P-5", "that seat is not awaited"),
                }
            }
            // SB-20: "Anyone else who ever took part and is out, but was not caught, may claim it too
            // while a move is awaited".
            Action::ClaimDraw if !awaited => {
                if phase != "move" {
                    return no("SB-20", "no move is awaited");
                }
                let out = self.deployed(seat) && self.out().contains(&order.seat);
                if !out {
                    return no("SB-20", "only one who took part and is out claims off turn");
                }
                if self.caught().contains(&order.seat) {
                    return no("SB-20", "one who was caught claims nothing");
                }
                self.judge_draw_claim()
            }
            _ if !awaited => no("P-5", "the seat is not awaited"),
            Action::Seal => match phase {
                "seal" => Ok(()),
                _ => no("P-7", "seal is step 0"),
            },
            Action::Deploy(fleet) => match phase {
                "deploy" => self.judge_fleet(seat, fleet),
                _ => no("P-7", "deploy is step 1"),
            },
            // SB-17: "Resigning is possible only when one is awaited"; P-7: "not after the end".
            Action::Resign => match phase {
                "audit" => no("P-7", "nobody resigns after the end"),
                _ => Ok(()),
            },
            Action::Move { ship, to, .. } => match phase {
                "move" => self.judge_step(seat, ship, to),
                // P-7: the mover "answers with an attack or a final-battle [...] or accept-draw".
                "answer-claim" => {
                    self.judge_step(seat, ship, to)?;
                    match self.at(to) {
                        Some(_) => Ok(()),
                        None => no("SB-20", "a claim is answered by a fight, not by a move"),
                    }
                }
                _ => no("P-7", "no move is awaited"),
            },
            Action::FinalBattle { .. } => match phase {
                // SB-19: "With two ships left, one each, and 10 quiet turns or more, the seat to move
                // may declare the final battle instead of moving, wherever the ships stand."
                "move" | "answer-claim" => {
                    if !self.two_ships_one_each() {
                        return no("SB-19", "not two ships left, one each");
                    }
                    match self.quiet_turns() >= 10 {
                        true => Ok(()),
                        false => no("SB-19", "fewer than 10 quiet turns"),
                    }
                }
                _ => no("P-7", "no move is awaited"),
            },
            Action::Defend { .. } => match phase {
                "defend" => Ok(()),
                _ => no("P-7", "no defence is awaited"),
            },
            // SB-20: "the seat to move may claim the draw instead of moving".
            Action::ClaimDraw => match phase {
                "move" => self.judge_draw_claim(),
                _ => no("SB-20", "no move is awaited"),
            },
            Action::AcceptDraw => match phase {
                "answer-claim" => Ok(()),
                _ => no("SB-20", "no claim waits for an answer"),
            },
            Action::Audit { .. } => match phase {
                "audit" => Ok(()),
                _ => no("SB-23", "the audit is after the end"),
            },
        }
    }

    /// Exactly the openings that belong to the order, in their order, and nothing else.
    pub fn judge_openings(&self, order: &Order) -> Result<(), String> {
        let carried = match &order.action {
            Action::Move { opens, .. }
            | Action::Defend { opens }
            | Action::FinalBattle { opens }
            | Action::Audit { opens } => opens.clone(),
            _ => Vec::new(),
        };
        let due = self.due_openings(order);
        match carried == due {
            true => Ok(()),
            false => no("P-7", &format!("it must open {due:?}, not {carried:?}")),
        }
    }

    /// What this order must open (whatever it does open), once the rest of it is in order.
    pub fn due_openings(&self, order: &Order) -> Vec<Opening> {
        let seat = order.seat.as_str();
        let mut due: Vec<Opening> = Vec::new();
        match &order.action {
            // P-7, move: "an attack when `to` holds an enemy ship; then `secondary` opens the
            // attacker's secondary; it is absent when that is open already, or when nothing is
            // attacked." And what it owes.
            Action::Move { ship, to, .. } => {
                if self.at(to).is_some() && !self.is_open(seat, ship, "secondary") {
                    due.push((ship.clone(), "secondary".to_string()));
                }
                due.extend(self.owed(seat));
            }
            // P-7: "as an attack by the mover's last ship on the other; `secondary` as in `move`".
            Action::FinalBattle { .. } => {
                let last = self.on_board.iter().find(|p| p.seat == seat).expect("a last ship");
                if !self.is_open(seat, &last.ship, "secondary") {
                    due.push((last.ship.clone(), "secondary".to_string()));
                }
                due.extend(self.owed(seat));
            }
            // P-7, defend: its secondary; "if the defender loses and still has its tertiary, the same
            // order carries `tertiary`"; "the defend that answers [a final battle] opens no tertiary".
            // And what it owes.
            Action::Defend { .. } => {
                let attack = self.attack.as_ref().expect("an attack");
                let ship = &attack.defending_ship;
                due.push((ship.clone(), "secondary".to_string()));
                let loses = self.attacker_would_win(attack);
                if loses && self.has_tertiary(seat, ship) && !attack.final_battle {
                    due.push((ship.clone(), "tertiary".to_string()));
                }
                due.extend(self.owed(seat));
            }
            // P-7, audit: "opens exactly all of them".
            Action::Audit { .. } => due.extend(self.sealed(seat)),
            _ => {}
        }
        due
    }

    /// SB-20: "With two ships left, one each, and 12 quiet turns or more".
    fn judge_draw_claim(&self) -> Result<(), String> {
        if !self.two_ships_one_each() {
            return no("SB-20", "not two ships left, one each");
        }
        match self.quiet_turns() >= 12 {
            true => Ok(()),
            false => no("SB-20", "fewer than 12 quiet turns"),
        }
    }

    /// SB-12: "An attack follows the ship's own movement pattern. A ship never enters or attacks its
    /// own side's square."
    fn judge_step(&self, seat: &str, ship: &str, to: &str) -> Result<(), String> {
        let Some(placed) = self.placed(seat, ship) else {
            return no("SB-12", "the seat has no such ship on the board");
        };
        if !self.board.has(to) {
            return no("SB-9", "there is no such square");
        }
        if !self.board.can_step(ship, &placed.square, to) {
            return no("SB-12", "the ship does not move so");
        }
        match self.at(to) {
            Some(other) if other.seat == seat => no("SB-12", "an own ship stands there"),
            _ => Ok(()),
        }
    }

    fn judge_fleet(&self, seat: &str, fleet: &[TrueShip]) -> Result<(), String> {
        let ships: Vec<&str> = fleet.iter().map(|s| s.ship.as_str()).collect();
        if ships != SHIPS {
            return no("P-7", "a fleet is a frigate, a destroyer, a cruiser");
        }
        for ship in fleet {
            for colour in [&ship.primary, &ship.secondary, &ship.tertiary] {
                if !COLOURS.contains(&colour.as_str()) {
                    return no("SB-1", "no such colour");
                }
            }
        }
        // SB-1: "the three primaries are one white, one grey, one black". The other layers are
        // sealed: nobody can judge them here.
        for colour in COLOURS {
            if fleet.iter().filter(|s| s.primary == colour).count() != 1 {
                return no("SB-1", "the primaries are one white, one grey, one black");
            }
        }
        // SB-6: "The cruiser stands in its seat's corner, frigate and destroyer on the corner's two
        // orthogonal neighbours".
        let corner = self.corner(seat);
        if fleet[2].square != corner {
            return no("SB-6", "the cruiser stands in the seat's corner");
        }
        let beside = self.board.straight_neighbours(&corner);
        if !beside.contains(&fleet[0].square) || !beside.contains(&fleet[1].square) {
            return no("SB-6", "frigate and destroyer stand beside the corner");
        }
        if fleet[0].square == fleet[1].square {
            return no("SB-6", "one on each side");
        }
        Ok(())
    }

    /// SB-8
    pub fn corner(&self, seat: &str) -> String {
        let n = self.setup.seats.len();
        let i = self.setup.seats.iter().position(|s| s == seat).expect("a seat");
        self.board.corner_of_seat(i, n)
    }
}

fn no(rule: &str, why: &str) -> Result<(), String> {
    Err(format!("{rule}: {why}"))
}
