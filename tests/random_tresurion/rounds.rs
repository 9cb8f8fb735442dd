//! Rounds: sensible ones from the engine, random ones of any kind, and what they bring up.

use std::collections::BTreeMap;

use sealed_orders::crypto::Rolled;
use sealed_orders::document::Node;
use sealed_orders::games::Script;

use super::oracle::tresurion::board::{distance, place};
use super::oracle::tresurion::classes::hits;
use super::oracle::tresurion::{End, Game, other};
use super::party::{list, square, table};
use super::play::Play;

/// A round: (ship, square) and (ship, target).
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub moves: Vec<(String, String)>,
    pub fire: Vec<(String, String)>,
}

impl Plan {
    fn read(script: &Script) -> Plan {
        let mut plan = Plan::default();
        for line in script.lines() {
            let words: Vec<&str> = line.words.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["hold"] => {}
                [ship, to] => plan.moves.push(((*ship).to_owned(), (*to).to_owned())),
                [ship, "fires", target] => plan.fire.push(((*ship).to_owned(), (*target).to_owned())),
                other => panic!("{other:?}"),
            }
        }
        plan
    }

    pub fn script(&self) -> Script {
        let moves = self.moves.iter().map(|(ship, to)| format!("{ship} {to}\n"));
        let fire = self.fire.iter().map(|(ship, target)| format!("{ship} fires {target}\n"));
        let text: String = moves.chain(fire).collect();
        Script::read(if text.is_empty() { "hold" } else { &text })
    }

    /// Whether every part is a word, so that a player could type it.
    fn can_be_typed(&self) -> bool {
        let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        self.moves.iter().chain(&self.fire).all(|(one, other)| is_word(one) && is_word(other))
    }
}

/// The rule that an oracle's error begins with.
fn rule(why: &str) -> &str {
    why.split(':').next().unwrap()
}

impl Play {
    /// `[round]`, by hand.
    pub fn details(&self, seat: usize, plan: &Plan) -> Node {
        let pairs = |pairs: &[(String, String)], key: &str| {
            list(
                pairs
                    .iter()
                    .map(|(ship, what)| table([("ship", ship.as_str().into()), (key, what.as_str().into())])),
            )
        };
        table([
            ("moves", pairs(&plan.moves, "to")),
            ("fire", pairs(&plan.fire, "at")),
            ("dice", self.party.sides[seat].dice(&self.party.header.id())),
        ])
    }

    /// A legal round. On the way some are tried that may not be.
    pub fn choose_round(&mut self, seat: usize) -> Plan {
        let entropy = self.dice.bytes();
        let sample = self.state.sample(self.party.sides[seat].index, &entropy).expect("a round is awaited");
        let mut plan = Plan::read(&sample);
        if self.dice.chance(self.temper.hold) {
            // Shots were aimed from where the moves end.
            plan = Plan::default();
        }
        if self.dice.chance(self.temper.peace) {
            plan.fire.clear();
        }
        let mut own = None;
        for _ in 0..1 + self.dice.below(2) {
            let tried =
                if self.dice.chance(600) { self.random_round(seat) } else { self.spoilt(seat, &plan) };
            if self.compare_round(seat, &tried) {
                own = Some(tried);
            }
        }
        if self.dice.chance(self.temper.own_rounds)
            && let Some(own) = own
        {
            self.counts.add("round: of random moves");
            return own;
        }
        plan
    }

    /// A few moves to squares nearby, a few shots; legal or not.
    fn random_round(&mut self, seat: usize) -> Plan {
        let game = self.oracle.as_ref().unwrap();
        let own: Vec<_> = game.ships_of(seat).into_iter().cloned().collect();
        let targets: Vec<String> = game.ships_of(other(seat)).iter().map(|ship| ship.id.clone()).collect();
        let holes: Vec<String> =
            game.board.wormholes.iter().flat_map(|(one, other)| [one.clone(), other.clone()]).collect();
        let (width, length) = (i64::from(game.board.width), i64::from(game.board.length));
        let mut plan = Plan::default();
        for _ in 0..self.dice.below(4) {
            let ship = self.dice.pick(&own).clone();
            let (file, rank) = place(&ship.at);
            // One square farther than it can go, now and then.
            let rate = i64::from(ship.class().movement) + i64::from(self.dice.chance(150));
            let mut step = || self.dice.below(2 * rate as usize + 1) as i64 - rate;
            let (file, rank) = (file + step(), rank + step());
            if self.dice.chance(100) && !holes.is_empty() {
                plan.moves.push((ship.id.clone(), self.dice.pick(&holes).clone()));
            } else if (0..width).contains(&file) && (0..length).contains(&rank) {
                plan.moves.push((ship.id.clone(), square(file as usize, rank as usize)));
            }
        }
        for ship in &own {
            if self.dice.chance(250) {
                // Somebody near, mostly, so that range and sight decide.
                let game = self.oracle.as_ref().unwrap();
                let near = game
                    .ships_of(other(seat))
                    .into_iter()
                    .filter(|target| distance(&ship.at, &target.at) <= ship.class().range + 1)
                    .map(|target| target.id.clone())
                    .collect::<Vec<String>>();
                let among = if near.is_empty() || self.dice.chance(50) { &targets } else { &near };
                if near.is_empty() && !self.dice.chance(100) {
                    continue;
                }
                plan.fire.push((ship.id.clone(), self.dice.pick(among).clone()));
            }
        }
        plan
    }

    /// A sensible round with one thing changed, and shortened for the slow oracle's sake.
    fn spoilt(&mut self, seat: usize, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        plan.moves.truncate(4);
        let enemies: Vec<_> = self.game().ships_of(other(seat)).into_iter().cloned().collect();
        let asteroids = self.party.options.asteroids.clone();
        let lost: Vec<String> = [seat, other(seat)]
            .iter()
            .flat_map(|side| &self.party.sides[*side].fleet)
            .map(|(id, _)| id.clone())
            .filter(|id| [0, 1].iter().any(|side| self.game().ship(*side, id).is_none()))
            .collect();
        let place = self.dice.below(plan.moves.len().max(1));
        let shot = self.dice.below(plan.fire.len().max(1));
        match (self.dice.below(10), plan.moves.get_mut(place), plan.fire.get_mut(shot)) {
            (0, Some(step), _) => step.1 = self.dice.pick(&enemies).at.clone(),
            (1, Some(step), _) if !asteroids.is_empty() => step.1 = self.dice.pick(&asteroids).clone(),
            (2, Some(step), _) => {
                step.1 = (*self.dice.pick(&["a0", "a01", "A1", "", "z99", "a100", "1a", "a1 "])).to_owned();
            }
            (3, Some(step), _) => {
                let again = step.clone();
                plan.moves.push(again);
            }
            (4, _, Some(shot)) => {
                let again = shot.clone();
                plan.fire.push(again);
            }
            (5, Some(step), _) if !lost.is_empty() => step.0 = self.dice.pick(&lost).clone(),
            (6, _, Some(shot)) if !lost.is_empty() => shot.1 = self.dice.pick(&lost).clone(),
            (7, _, Some(shot)) => shot.1 = self.dice.pick(&enemies).id.clone(),
            (8, _, _) => plan.moves.reverse(),
            (_, _, Some(shot)) => shot.0 = (*self.dice.pick(&["444a", "333", "", "333A", "001z"])).to_owned(),
            _ => plan.moves.push(("333a".to_owned(), "h12".to_owned())),
        }
        plan
    }

    /// Whether a round is legal; both must say the same, and for the same rule.
    fn compare_round(&mut self, seat: usize, plan: &Plan) -> bool {
        let expected = self.game().legal_round(seat, &plan.moves, &plan.fire);
        let details = self.details(seat, plan);
        let order = self.sign(Some(seat), "round", details, false);
        let judged = self.state.judge(&order);
        assert_eq!(judged.is_ok(), expected.is_ok(), "{plan:?}\n{expected:?}\n{:?}", judged.err());
        let typed = plan.can_be_typed().then(|| {
            let weighed = self.state.weigh(self.party.sides[seat].keyholder(), &plan.script());
            weighed.faults.into_iter().next()
        });
        match (&expected, judged) {
            (Ok(()), _) => {
                assert!(matches!(typed, None | Some(None)), "{plan:?}: {typed:?}");
                self.counts.add("round: another, legal");
            }
            (Err(why), Err(fault)) => {
                let found = fault.rule.unwrap_or_else(|| panic!("{fault:?}"));
                // The oracle does not tell a ship that is destroyed from one that never was.
                if found == "TR-14" {
                    assert!(["TR-8", "TR-11"].contains(&rule(why)), "{why}: {fault:?}");
                } else {
                    assert_eq!(found, rule(why), "{why}: {fault:?}");
                }
                if let Some(typed) = typed {
                    let typed = typed.unwrap_or_else(|| panic!("{plan:?}: {why}"));
                    assert_eq!((typed.code, typed.rule), (fault.code, fault.rule), "{plan:?}");
                }
                self.counts.add(&format!("round: refused by {found}"));
                let terrain = &self.party.options.asteroids;
                if found == "TR-10" && terrain.iter().any(|rock| why.contains(&format!(" {rock} hide"))) {
                    self.counts.add("round: an asteroid hides the target");
                }
            }
            (Err(_), Ok(_)) => unreachable!(),
        }
        expected.is_ok()
    }

    // ---- what came up ----

    pub fn count_round(&mut self, before: &Game, seat: usize, plan: &Plan, draw: bool) {
        let after = self.oracle.as_ref().unwrap();
        let counts = &mut self.counts;
        for (place, (id, to)) in plan.moves.iter().enumerate() {
            let ship = before.ship(seat, id).unwrap();
            if distance(&ship.at, to) > ship.class().movement {
                counts.add("TR-18 a move that needs a wormhole");
            }
            if ship.at == *to {
                counts.add("TR-08 a move of no steps");
            }
            let room = |(other, _): &(String, String)| before.ship(seat, other).unwrap().at == *to;
            if plan.moves[..place].iter().any(room) {
                counts.add("TR-08 to a square that a friend has left in this round");
            }
        }
        if before.round == 1 && plan.fire.is_empty() {
            counts.add("TR-05 a first round that fires nothing");
        }
        if before.round == 2 && plan.fire.is_empty() {
            counts.add("TR-05 a second round that fires nothing");
        }
        if after.offers != before.offers && !draw {
            counts.add("P-7 an offer lapses");
        }
        if after.end == Some(End::Draw) {
            let roll = if before.round == 2 || !plan.fire.is_empty() { "a roll" } else { "a round" };
            counts.add(&format!("end: draw, agreed with {roll} awaited"));
        }
    }

    pub fn count_initiative(&mut self, rolls: &[Rolled]) {
        let initiative = |rolled: &&Rolled| rolled.roll.label.starts_with("initiative ");
        if let Some(last) = rolls.iter().rfind(initiative) {
            let attempt = last.roll.label.rsplit(' ').next().unwrap();
            self.counts.add(if attempt == "1" {
                "TR-05 initiative"
            } else {
                "TR-05 initiative is rolled again"
            });
        }
    }

    pub fn count_roll(&mut self, before: &Game, seat: usize, rolls: &[Rolled]) {
        self.count_initiative(rolls);
        let after = self.oracle.as_ref().unwrap();
        let counts = &mut self.counts;
        let mut struck: BTreeMap<&str, u32> = BTreeMap::new();
        for shot in &before.pending {
            let target = before.ship(seat, &shot.target).unwrap();
            let label = |die: &str| {
                let names = format!(
                    "{}/{} {}/{}",
                    before.seats[other(seat)],
                    shot.ship,
                    before.seats[seat],
                    shot.target
                );
                format!("{die} {} {names}", before.turn)
            };
            let value = |die: &str| {
                rolls.iter().find(|rolled| rolled.roll.label == label(die)).map(|rolled| rolled.value)
            };
            let die = value("attack").unwrap();
            let hit = hits(die, &target.class());
            assert_eq!(value("damage").is_some(), hit);
            counts.add(match (die, hit) {
                (20, _) => "TR-12 a natural 20",
                (1, _) => "TR-12 a natural 1",
                (_, true) => "TR-12 a hit",
                (_, false) => "TR-12 a miss",
            });
            if hit {
                *struck.entry(&shot.target).or_default() += 1;
            }
        }
        for (target, hits) in struck {
            let was = before.ship(seat, target).unwrap().damage;
            if hits > 1 {
                counts.add("TR-13 several hits on one target");
            }
            match after.ship(seat, target) {
                Some(ship) if ship.damage == was => counts.add("TR-13 the shield takes a hit whole"),
                Some(_) => counts.add("TR-13 damage"),
                None if before.round == 1 => counts.add("TR-14 destroyed in the first round of a turn"),
                None => counts.add("TR-14 destroyed in the second round of a turn"),
            }
            if was > 0 && after.ship(seat, target).is_none() {
                counts.add("TR-14 destroyed with damage of earlier rounds");
            }
        }
        if before.round == 2 && before.quiet_turns > 0 && after.quiet_turns == 0 {
            counts.add("TR-17 the count of quiet turns goes back to nought");
        }
        if before.round == 2 && after.quiet_turns > 1 {
            counts.add("TR-17 two quiet turns or more");
        }
        if before.pending.is_empty() {
            counts.add("TR-05 a roll for the initiative alone");
        }
        if after.end.is_some() {
            counts.add(&format!("end: win, the fleet is destroyed in round {}", before.round));
        }
    }
}
