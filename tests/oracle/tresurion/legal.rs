//! What a seat may do now.

use super::board::distance;
use super::classes::largest_distance;
use super::reach::ends;
use super::sight::blockers;
use super::{Game, Ship, other};
use std::collections::BTreeMap;

impl Game {
    /// May the seat play this round? Moves are (ship, to), shots are (ship, target). The error begins
    /// with the rule's number. TR-15: a round is refused whole, so nothing is changed here.
    pub fn legal_round(
        &self,
        seat: usize,
        moves: &[(String, String)],
        fire: &[(String, String)],
    ) -> Result<(), String> {
        self.is_awaited(seat, "round")?;
        // TR-6: "all moves, then all attacks".
        let moved = self.after_moves(seat, moves)?;
        for (i, (ship, target)) in fire.iter().enumerate() {
            // TR-11: "Each ship fires at most once, in its own side's round, at one target."
            if fire[..i].iter().any(|(before, _)| before == ship) {
                return Err(format!("TR-11: {ship} fires twice"));
            }
            moved.legal_shot(seat, ship, target)?;
        }
        Ok(())
    }

    /// The game with these moves made, one after another (TR-8), and nothing else done.
    pub fn after_moves(&self, seat: usize, moves: &[(String, String)]) -> Result<Game, String> {
        let mut game = self.clone();
        for (i, (id, to)) in moves.iter().enumerate() {
            // TR-8: "A ship may be listed once".
            if moves[..i].iter().any(|(before, _)| before == id) {
                return Err(format!("TR-8: {id} moves twice"));
            }
            game.legal_move(seat, id, to)?;
            let ship = game.ships.iter_mut().find(|ship| ship.seat == seat && ship.id == *id);
            ship.expect("a legal move is of a ship").at = to.clone();
        }
        Ok(game)
    }

    /// May this ship go there, as things are at this moment?
    pub fn legal_move(&self, seat: usize, id: &str, to: &str) -> Result<(), String> {
        let Some(ship) = self.ship(seat, id) else {
            return Err(format!("TR-8: {} has no ship {id:?}", self.seats[seat]));
        };
        if !self.board.has(to) {
            return Err(format!("TR-3: {to:?} is not on the board"));
        }
        if self.board.is_asteroid(to) {
            return Err(format!("TR-18: {to} is an asteroid"));
        }
        if self.ships.iter().any(|standing| standing.at == to && standing != ship) {
            return Err(format!("TR-8: {to} is not empty"));
        }
        if !self.ends_of(ship).contains_key(to) {
            return Err(format!("TR-8: {id} has no way to {to}"));
        }
        Ok(())
    }

    /// Where a ship's move may end as things are at this moment, with the steps it takes.
    pub fn ends_of(&self, ship: &Ship) -> BTreeMap<String, u32> {
        let mut friends = self.squares_of(ship.seat);
        friends.retain(|square| *square != ship.at);
        let enemies = self.squares_of(other(ship.seat));
        ends(&self.board, &ship.at, ship.class().movement, &friends, &enemies)
    }

    /// May this ship fire at that one from where they stand?
    pub fn legal_shot(&self, seat: usize, id: &str, target: &str) -> Result<(), String> {
        let Some(ship) = self.ship(seat, id) else {
            return Err(format!("TR-11: {} has no ship {id:?}", self.seats[seat]));
        };
        let Some(target) = self.ship(other(seat), target) else {
            return Err(format!("TR-11: {} has no ship {target:?}", self.seats[other(seat)]));
        };
        if distance(&ship.at, &target.at) > largest_distance(&ship.class(), &self.options.reach) {
            return Err(format!("TR-9: {id} at {} does not reach {}", ship.at, target.at));
        }
        let blocking = self.blocking(&ship.at, &target.at);
        if !blocking.is_empty() {
            return Err(format!("TR-10: {} hide {} from {}", blocking.join(", "), target.at, ship.at));
        }
        Ok(())
    }

    /// What stands between two squares: ships of both sides (TR-10) and asteroids (TR-18).
    pub fn blocking(&self, from: &str, to: &str) -> Vec<String> {
        let mut occupied: Vec<String> = self.ships.iter().map(|ship| ship.at.clone()).collect();
        occupied.extend(self.board.asteroids.iter().cloned());
        occupied.sort();
        blockers(from, to, &occupied)
    }

    /// Every shot (ship, target) that the seat has from where the ships stand.
    pub fn shots(&self, seat: usize) -> Vec<(String, String)> {
        let mut shots = Vec::new();
        for ship in self.ships_of(seat) {
            for target in self.ships_of(other(seat)) {
                if self.legal_shot(seat, &ship.id, &target.id).is_ok() {
                    shots.push((ship.id.clone(), target.id.clone()));
                }
            }
        }
        shots
    }

    pub fn legal_roll(&self, seat: usize) -> Result<(), String> {
        self.is_awaited(seat, "roll")
    }

    /// TR-17: "After so many quiet turns in a row either may claim the draw instead of its round,
    /// unless damage has risen in this turn."
    pub fn legal_claim(&self, seat: usize) -> Result<(), String> {
        self.is_awaited(seat, "round")?;
        if self.options.quiet_turns == 0 {
            return Err("TR-17: this game knows no such claim".to_string());
        }
        if self.quiet_turns < self.options.quiet_turns {
            return Err(format!("TR-17: only {} quiet turns", self.quiet_turns));
        }
        if self.damage_risen {
            return Err("TR-17: damage has risen in this turn".to_string());
        }
        Ok(())
    }

    /// P-7: "[resign] is possible wherever the seat is awaited, [...] but not after the end."
    pub fn legal_resignation(&self, seat: usize) -> Result<(), String> {
        match self.awaited() {
            None => Err("P-7: the game is over".to_string()),
            Some((awaited, _)) if awaited != seat => Err(format!("P-7: {} is not awaited", self.seats[seat])),
            Some(_) => Ok(()),
        }
    }

    fn is_awaited(&self, seat: usize, what: &str) -> Result<(), String> {
        match self.awaited() {
            Some(awaited) if awaited == (seat, what) => Ok(()),
            Some((awaited, instead)) => {
                Err(format!("TR-6: a {instead} of {} is awaited", self.seats[awaited]))
            }
            None => Err("TR-6: the game is over".to_string()),
        }
    }
}
