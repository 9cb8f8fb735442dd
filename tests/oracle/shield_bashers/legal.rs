//! All legal orders, by trying everything.

use super::combat::COLOURS;
use super::{Action, Opening, Oracle, Order, SHIPS, TrueShip};

impl Oracle {
    /// Every legal order of the seat ("arbiter" too: forfeits and rulings) at the open step, without
    /// draw offers: everything conceivable, filtered with `judge`. Of fleets to deploy only those are
    /// tried whose secondaries and tertiaries keep SB-1.
    pub fn legal_orders(&self, seat: &str) -> Vec<Order> {
        let mut legal = Vec::new();
        for action in self.conceivable_without_openings() {
            let bare = Order::new(seat, action);
            // What an order must open is one exact list (P-7), so no other is tried.
            if self.judge_all_but_openings(&bare).is_err() {
                continue;
            }
            match &bare.action {
                Action::Deploy(fleet) => {
                    for honest in honest_colours(fleet) {
                        legal.push(Order::new(seat, Action::Deploy(honest)));
                    }
                }
                action => {
                    let due = self.due_openings(&bare);
                    legal.push(Order::new(seat, with_openings(action, &due)));
                }
            }
        }
        legal.retain(|order| self.judge(order).is_ok());
        legal
    }

    fn conceivable_without_openings(&self) -> Vec<Action> {
        let mut all = vec![Action::Seal, Action::Resign, Action::ClaimDraw, Action::AcceptDraw];
        all.push(Action::Defend { opens: vec![] });
        all.push(Action::FinalBattle { opens: vec![] });
        all.push(Action::Audit { opens: vec![] });
        for ship in SHIPS {
            for cell in &self.board.cells {
                let (ship, to) = (ship.to_string(), cell.name.clone());
                all.push(Action::Move { ship, to, opens: vec![] });
            }
        }
        for seat in &self.setup.seats {
            all.push(Action::Forfeit { seat: seat.clone() });
        }
        for result in ["draw", "void"] {
            all.push(Action::Ruling { result: result.to_string() });
        }
        if self.phase == "deploy" {
            all.extend(self.conceivable_fleets());
        }
        all
    }

    /// Every seat's corner region (the corner and all that touches it), every ship on every square of
    /// it, in every primary; the sealed layers are filled in later.
    fn conceivable_fleets(&self) -> Vec<Action> {
        let mut fleets = Vec::new();
        for corner in &self.board.corners {
            let mut squares = vec![corner.clone()];
            squares.extend(self.board.straight_neighbours(corner));
            squares.extend(self.board.diagonal_neighbours(corner));
            for f in &squares {
                for d in &squares {
                    for c in &squares {
                        for primaries in every_three_colours() {
                            let mut fleet = Vec::new();
                            for (i, square) in [f, d, c].into_iter().enumerate() {
                                fleet.push(TrueShip {
                                    ship: SHIPS[i].to_string(),
                                    square: square.clone(),
                                    primary: primaries[i].clone(),
                                    secondary: COLOURS[i].to_string(),
                                    tertiary: COLOURS[i].to_string(),
                                });
                            }
                            fleets.push(Action::Deploy(fleet));
                        }
                    }
                }
            }
        }
        fleets
    }
}

fn with_openings(action: &Action, opens: &[Opening]) -> Action {
    let opens = opens.to_vec();
    match action.clone() {
        Action::Move { ship, to, .. } => Action::Move { ship, to, opens },
        Action::Defend { .. } => Action::Defend { opens },
        Action::FinalBattle { .. } => Action::FinalBattle { opens },
        Action::Audit { .. } => Action::Audit { opens },
        other => other,
    }
}

fn every_three_colours() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for a in COLOURS {
        for b in COLOURS {
            for c in COLOURS {
                all.push(vec![a.to_string(), b.to_string(), c.to_string()]);
            }
        }
    }
    all
}

/// SB-1: one white, one grey, one black.
fn is_nest(colours: &[String]) -> bool {
    COLOURS.iter().all(|colour| colours.iter().any(|c| c == colour))
}

/// The fleet with its sealed layers in all 6 x 6 ways that keep SB-1.
fn honest_colours(fleet: &[TrueShip]) -> Vec<Vec<TrueShip>> {
    let mut all = Vec::new();
    for secondaries in every_three_colours().into_iter().filter(|c| is_nest(c)) {
        for tertiaries in every_three_colours().into_iter().filter(|c| is_nest(c)) {
            let mut honest = fleet.to_vec();
            for (i, ship) in honest.iter_mut().enumerate() {
                ship.secondary = secondaries[i].clone();
                ship.tertiary = tertiaries[i].clone();
            }
            all.push(honest);
        }
    }
    all
}
