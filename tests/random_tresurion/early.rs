//! Before the first turn: fleets are sealed and opened, or somebody leaves.

use sealed_orders::document::{Node, Table, canonical};
use sealed_orders::games::Outcome;
use sealed_orders::log::Verified;

use super::compare::{items, number, text};
use super::oracle::tresurion::Game;
use super::oracle::tresurion::board::Board;
use super::oracle::tresurion::fleet::legal_fleet;
use super::party::table;
use super::play::{Play, Thrown};

impl Play {
    fn void_now(&mut self) -> bool {
        if self.party.arbiter.is_none() || !self.dice.chance(self.temper.early_ruling) {
            return false;
        }
        let phase = self.state.phase();
        let draw = self.ruling("draw");
        self.refused(&draw, "P-11: a draw in play only");
        let ruling = self.ruling("void");
        assert!(self.close(vec![ruling]).is_empty());
        self.has_ended(Outcome::Void("arbiter".to_owned()));
        self.counts.add(&format!("end: void, ruled in phase {phase}"));
        true
    }

    /// In place of an order of the seat: it resigns or is forfeited.
    fn leaves(&mut self, seat: usize) -> Verified {
        let how = if self.party.arbiter.is_some() && self.dice.chance(500) { "forfeit" } else { "resign" };
        self.counts.add(&format!("left in phase {}: {how}", self.state.phase()));
        if how == "forfeit" { self.forfeit(seat) } else { self.sign(Some(seat), "resign", table([]), false) }
    }

    fn has_ended(&self, outcome: Outcome) {
        let ending = self.state.ending().unwrap();
        assert_eq!((ending.outcome, ending.provisional), (outcome, false));
        assert!(self.state.awaited().is_empty());
        assert_eq!(self.state.phase().as_str(), "over");
    }

    /// Whether the game goes on.
    pub fn seal_step(&mut self) -> bool {
        assert_eq!(self.state.phase().as_str(), "seal");
        self.compare_spoilt_fleets();
        if self.void_now() {
            return false;
        }
        let game = self.party.header.id();
        let mut orders = Vec::new();
        let mut left = Vec::new();
        for seat in [0, 1] {
            if self.dice.chance(self.temper.leave_at_seal) {
                left.push(seat);
                orders.push(self.leaves(seat));
                continue;
            }
            if self.dice.chance(500) {
                // As the engine would: from a file, in the order of the ids.
                let side = &mut self.party.sides[seat];
                side.fleet.sort();
                let file = fleet_file(&side.fleet);
                let composed = self.state.seal(side.keyholder(), &file, side.fresh).unwrap();
                assert_eq!(canonical(composed.kept.as_ref().unwrap()), canonical(&side.fleet_table()));
                side.kept = composed.kept.clone();
                let details = self.party.sides[seat].seal(&game);
                self.same_composed("seal", &details, Ok(composed));
            } else {
                let side = &mut self.party.sides[seat];
                side.kept = Some(side.fleet_table());
            }
            let details = self.party.sides[seat].seal(&game);
            orders.push(self.sign(Some(seat), "seal", details, false));
        }
        assert!(self.close(orders).is_empty());
        assert!(self.state.position().entries.iter().all(|entry| *entry.key == *"out"));
        if let Some(first) = left.first() {
            self.has_ended(Outcome::Void(self.party.sides[*first].name.to_string()));
            self.counts.add("end: void, left in phase seal");
        }
        left.is_empty()
    }

    /// Whether the game goes on.
    pub fn deploy_step(&mut self) -> bool {
        assert_eq!(self.state.phase().as_str(), "deploy");
        if self.void_now() {
            return false;
        }
        let game = self.party.header.id();
        let mut orders = Vec::new();
        let mut left = Vec::new();
        for seat in [0, 1] {
            let details = self.party.sides[seat].deploy(&game);
            self.same_composed("deploy", &details, self.state.respond(self.party.sides[seat].keyholder()));
            if self.dice.chance(self.temper.leave_at_deploy) {
                left.push(seat);
                orders.push(self.leaves(seat));
            } else {
                orders.push(self.sign(Some(seat), "deploy", details, false));
            }
        }
        let rolls = self.close(orders);
        match left.as_slice() {
            [] => {
                let names = [0, 1].map(|seat| self.party.sides[seat].name.to_string());
                let mut thrown = Thrown(rolls.iter().collect());
                let oracle = Game::begin(
                    &self.party.options,
                    [&names[0], &names[1]],
                    [&self.party.sides[0].fleet, &self.party.sides[1].fleet],
                    &mut |label, sides| thrown.throw(label, sides),
                );
                assert!(thrown.0.is_empty(), "the oracle wanted no {:?}", thrown.0);
                self.oracle = Some(oracle.unwrap());
                self.count_initiative(&rolls);
                true
            }
            [gone] => {
                assert!(rolls.is_empty());
                let winner = &self.party.sides[1 - gone];
                self.has_ended(Outcome::Win(winner.index));
                let position = self.state.position();
                assert_eq!((number(&position, "turn"), number(&position, "quiet_turns")), (1, 0));
                assert_eq!(text(&position, "first"), winner.name.as_str());
                assert_eq!(items(&position, "ships").len(), winner.fleet.len());
                self.counts.add("end: win, alone at deployment");
                false
            }
            _ => {
                assert!(rolls.is_empty());
                self.has_ended(Outcome::Void(self.party.sides[0].name.to_string()));
                self.counts.add("end: void, both left in phase deploy");
                false
            }
        }
    }

    /// A fleet with one thing changed: the engine seals it if the oracle would deploy it.
    fn compare_spoilt_fleets(&mut self) {
        let options = &self.party.options;
        let board =
            Board::new(options.width, options.length, &options.asteroids, &options.wormholes).unwrap();
        for _ in 0..4 {
            let seat = self.dice.below(2);
            let mut fleet = self.party.sides[seat].fleet.clone();
            let place = self.dice.below(fleet.len());
            match self.dice.below(6) {
                0 => fleet[place].1 = fleet[self.dice.below(fleet.len())].1.clone(),
                1 => fleet[place].1 = self.dice.pick(&board.squares).clone(),
                2 => {
                    fleet[place].1 =
                        (*self.dice.pick(&["a0", "a01", "A1", "", "a100", "z1", "1a"])).to_owned()
                }
                3 => {
                    fleet.remove(place);
                }
                4 => {
                    fleet[place].0 = (*self.dice.pick(&["100a", "000a", "001A", "21a", "333", ""])).to_owned()
                }
                _ => {
                    let letter = *self.dice.pick(&["a", "b", "c", "d"]);
                    fleet[place].0.replace_range(3.., letter);
                }
            }
            fleet.sort();
            if fleet.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                continue;
            }
            let legal = legal_fleet(&board, seat, &fleet);
            let side = &self.party.sides[seat];
            let sealed = self.state.seal(side.keyholder(), &fleet_file(&fleet), side.fresh);
            assert_eq!(sealed.is_ok(), legal.is_ok(), "{fleet:?}: {legal:?} {:?}", sealed.err());
            self.counts.add(match &legal {
                Ok(()) => "fleet: another, legal",
                Err(why) if why.starts_with("TR-1:") => "fleet: refused by TR-1",
                Err(why) if why.starts_with("TR-2:") => "fleet: refused by TR-2",
                Err(why) if why.starts_with("TR-3:") => "fleet: refused by TR-3",
                Err(_) => "fleet: refused by P-7",
            });
        }
    }
}

fn fleet_file(fleet: &[(String, String)]) -> Node {
    let mut file = Table::default();
    for (id, at) in fleet {
        file.push(id.as_str(), at.as_str());
    }
    file.into()
}
