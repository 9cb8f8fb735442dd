//! Rounds drawn from random bytes: for demonstrations and tests.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

use super::field::Square;
use super::fleet::ShipId;
use super::position::{Course, Position};
use crate::games::Script;
use crate::ident::SeatIndex;

/// How often, in this many cases, a ship goes anywhere instead of towards the enemy.
const WANDERS_ONCE_IN: usize = 6;

struct Chance(ChaCha20Rng);

impl Chance {
    /// 0 to `limit` - 1; the small favour of low numbers does not matter here.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap_or(0) % limit.max(1)
    }
}

impl Position {
    /// A legal round: most ships close in on the nearest enemy as far as they can fire at it,
    /// and most that can fire do so.
    pub(super) fn sample(&self, seat: SeatIndex, entropy: &[u8; 32]) -> Option<Script> {
        let Course::Round { seat: mover, .. } = self.course else { return None };
        if mover != seat {
            return None;
        }
        let mut chance = Chance(ChaCha20Rng::from_seed(*entropy));
        let enemies: Vec<Square> = self.on_board(self.other(seat)).map(|(_, at)| at).collect();
        let mut stand = self.stand();
        let mut moves: Vec<(ShipId, Square)> = Vec::new();
        let mut ships: Vec<(ShipId, Square)> = self.on_board(seat).map(|(ship, at)| (ship.id, at)).collect();
        // Those in front move first, and make room for the others.
        ships.sort_by_key(|(id, at)| (enemies.iter().map(|enemy| at.distance(*enemy)).min(), *id));
        for (id, from) in ships {
            let ends = self.field.reach(from, id.class.row().rate, |square| stand.standing(seat, square));
            let ends: Vec<Square> = ends.into_keys().collect();
            let wanders = chance.below(WANDERS_ONCE_IN) == 0;
            let best = self.largest_distance(id);
            let score = |square: &Square| {
                let nearest = enemies.iter().map(|enemy| square.distance(*enemy)).min().unwrap_or(0);
                nearest.abs_diff(best)
            };
            let closest = ends.iter().map(score).min().unwrap_or(0);
            let among: Vec<Square> =
                ends.into_iter().filter(|square| wanders || score(square) == closest).collect();
            let Some(to) = among.get(chance.below(among.len())).copied() else { continue };
            if to != from {
                stand.put(from, None);
                stand.put(to, Some((seat, id)));
                moves.push((id, to));
            }
        }
        let words: Vec<(String, String)> =
            moves.iter().map(|(id, to)| (id.to_string(), to.to_string())).collect();
        let pairs: Vec<(&str, &str)> = words.iter().map(|(id, to)| (id.as_str(), to.as_str())).collect();
        let survey = self.survey(seat, &pairs, &[]);
        let mut lines: Vec<String> = words.iter().map(|(id, to)| format!("{id} {to}")).collect();
        for (ship, from) in survey.after.on_board(seat) {
            let targets = survey.in_sight(seat, ship.id, from);
            let holds = chance.below(8) == 0;
            if let (Some(target), false) = (targets.get(chance.below(targets.len())), holds) {
                lines.push(format!("{} fires {target}", ship.id));
            }
        }
        if lines.is_empty() {
            lines.push("hold".to_owned());
        }
        Some(Script::read(&lines.join("\n")))
    }
}
