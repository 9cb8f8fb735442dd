//! What the orders do.

use super::board::Board;
use super::classes::{damage_of_hits, hit_damage, hits};
use super::fleet::legal_fleet;
use super::{Dice, End, Game, Options, Ship, Shot, other};
use std::rc::Rc;

impl Game {
    /// The game after both have deployed, with turn 1's initiative thrown. Fleets are lists of (id,
    /// square).
    pub fn begin(
        options: &Options,
        seats: [&str; 2],
        fleets: [&[(String, String)]; 2],
        dice: Dice,
    ) -> Result<Game, String> {
        let board = Board::new(options.width, options.length, &options.asteroids, &options.wormholes)?;
        assert!(["between", "distance"].contains(&options.reach.as_str()), "TR-9: reach");
        let mut ships = Vec::new();
        for seat in [0, 1] {
            legal_fleet(&board, seat, fleets[seat])?;
            for (id, at) in fleets[seat] {
                ships.push(Ship { seat, id: id.clone(), at: at.clone(), damage: 0 });
            }
        }
        ships.sort_by_key(|ship| (ship.seat, ship.id.clone()));
        let mut game = Game {
            options: options.clone(),
            board: Rc::new(board),
            seats: seats.map(str::to_string),
            ships,
            turn: 0,
            player_one: 0,
            round: 2,
            roll_awaited: false,
            pending: Vec::new(),
            quiet_turns: 0,
            damage_risen: false,
            offers: [false, false],
            end: None,
        };
        game.begin_turn(dice);
        Ok(game)
    }

    /// TR-5: "each rolls 1d20, the higher is player one; equal rolls again."
    fn begin_turn(&mut self, dice: Dice) {
        self.turn += 1;
        self.round = 1;
        self.damage_risen = false;
        let mut attempt = 1;
        loop {
            let mut thrown = [0, 0];
            for seat in [0, 1] {
                let label = format!("initiative {} {} {attempt}", self.turn, self.seats[seat]);
                thrown[seat] = throw(dice, &label, 20);
            }
            if thrown[0] > thrown[1] {
                self.player_one = 0;
                return;
            }
            if thrown[1] > thrown[0] {
                self.player_one = 1;
                return;
            }
            attempt += 1;
        }
    }

    /// The seat's round, with or without an offer of a draw. P-8: "A round's moves take effect at
    /// once, its shots with the `roll`."
    pub fn apply_round(
        &mut self,
        seat: usize,
        moves: &[(String, String)],
        fire: &[(String, String)],
        draw: bool,
    ) -> Result<(), String> {
        self.legal_round(seat, moves, fire)?;
        self.ships = self.after_moves(seat, moves)?.ships;
        for (ship, target) in fire {
            self.pending.push(Shot { ship: ship.clone(), target: target.clone() });
        }
        // P-8: "The first round of a turn that fires nothing needs no `roll`; the second always needs
        // one, since the next initiative is drawn from it".
        if self.round == 1 && fire.is_empty() {
            self.round = 2;
        } else {
            self.roll_awaited = true;
        }
        // P-7: `draw = true` "stands until that seat's next order of these kinds".
        self.offers[seat] = draw;
        self.close_step();
        Ok(())
    }

    /// The opponent's roll: the shots as listed, each its attack and, if it hits, its damage; then,
    /// after a turn's second round, the next turn's initiative.
    pub fn apply_roll(&mut self, seat: usize, dice: Dice) -> Result<(), String> {
        self.legal_roll(seat)?;
        let (firing, target_seat) = (other(seat), seat);
        // What each hit does: (target, damage).
        let mut all_hits: Vec<(String, u32)> = Vec::new();
        for Shot { ship, target } in &self.pending {
            let of = |seat: usize, id: &str| self.ship(seat, id).expect("a ship of the shot").class();
            let names = format!("{}/{ship} {}/{target}", self.seats[firing], self.seats[target_seat]);
            let die = throw(dice, &format!("attack {} {names}", self.turn), 20);
            if hits(die, &of(target_seat, target)) {
                let die = throw(dice, &format!("damage {} {names}", self.turn), 10);
                all_hits.push((target.clone(), hit_damage(die, &of(firing, ship))));
            }
        }
        for ship in self.ships.iter_mut().filter(|ship| ship.seat == target_seat) {
            let on_it: Vec<u32> = all_hits.iter().filter(|hit| hit.0 == ship.id).map(|hit| hit.1).collect();
            let damage = damage_of_hits(&on_it, &ship.class());
            ship.damage += damage;
            if damage > 0 {
                self.damage_risen = true;
            }
        }
        // TR-14: "At its shield rating or more the ship is destroyed, at the end of the damage phase".
        self.ships.retain(|ship| ship.damage < ship.class().shield);
        self.pending.clear();
        self.roll_awaited = false;
        if self.round == 2 {
            // TR-17: "a turn is quiet when no ship's damage rose; it counts once its closing roll is
            // in."
            self.quiet_turns = if self.damage_risen { 0 } else { self.quiet_turns + 1 };
        }
        // TR-16: "A side without ships has lost."
        if self.ships_of(target_seat).is_empty() {
            self.end = Some(End::Win { seat: firing });
        } else if self.round == 1 {
            self.round = 2;
        } else {
            // P-8: the next initiative "is not drawn when the shots have ended the game".
            self.begin_turn(dice);
        }
        self.close_step();
        Ok(())
    }

    /// TR-17, in place of a round.
    pub fn claim_draw(&mut self, seat: usize) -> Result<(), String> {
        self.legal_claim(seat)?;
        self.end = Some(End::Draw);
        Ok(())
    }

    /// Resigning, and the arbiter's forfeit. TR-16: "Resigning or forfeiting loses: the ships leave
    /// the board, shots that await their roll do not come in."
    pub fn resign(&mut self, seat: usize) -> Result<(), String> {
        self.legal_resignation(seat)?;
        self.ships.retain(|ship| ship.seat != seat);
        self.pending.clear();
        self.roll_awaited = false;
        // P-7: "When a seat goes out, all offers lapse".
        self.offers = [false, false];
        self.end = Some(End::Win { seat: other(seat) });
        Ok(())
    }

    /// P-7: "When a step closes without deciding the game and every seat still in stands so, the game
    /// is drawn at once, even with a defence or a roll awaited."
    fn close_step(&mut self) {
        if self.end.is_none() && self.offers == [true, true] {
            self.pending.clear();
            self.roll_awaited = false;
            self.end = Some(End::Draw);
        }
    }
}

fn throw(dice: &mut dyn FnMut(&str, u32) -> u32, label: &str, sides: u32) -> u32 {
    let value = dice(label, sides);
    assert!((1..=sides).contains(&value), "{label}: {value} on a die of {sides}");
    value
}
