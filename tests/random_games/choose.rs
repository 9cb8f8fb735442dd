//! What a player does. Every decision is one that the engine suggests and the oracle allows.

use sealed_orders::games::Script;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::OnceLock;

use super::oracle::shield_bashers::board::{BOARD_NAMES, Board};
use super::oracle::shield_bashers::{Action, Order};
use super::play::{Entry, Play};

/// How many of a cruiser's steps lie between two squares.
type Distances = BTreeMap<String, BTreeMap<String, usize>>;

fn distances(board: &str) -> &'static Distances {
    static ALL: OnceLock<BTreeMap<&'static str, Distances>> = OnceLock::new();
    let all =
        ALL.get_or_init(|| BOARD_NAMES.into_iter().map(|name| (name, measure(&Board::new(name)))).collect());
    &all[board]
}

fn measure(board: &Board) -> Distances {
    let mut near: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (one, other) in board.straight.iter().chain(&board.diagonal) {
        near.entry(one).or_default().push(other);
        near.entry(other).or_default().push(one);
    }
    let from = |start: &str| {
        let mut found = BTreeMap::from([(start.to_owned(), 0)]);
        let mut queue = VecDeque::from([(start.to_owned(), 0)]);
        while let Some((square, distance)) = queue.pop_front() {
            for next in &near[square.as_str()] {
                if !found.contains_key(*next) {
                    found.insert((*next).to_owned(), distance + 1);
                    queue.push_back(((*next).to_owned(), distance + 1));
                }
            }
        }
        found
    };
    board.cells.iter().map(|cell| (cell.name.clone(), from(&cell.name))).collect()
}

/// The words to type for a decision; nothing for what is typed in every game.
fn words(order: &Order) -> Option<Vec<String>> {
    let words: Vec<&str> = match &order.action {
        Action::Move { ship, to, .. } => vec!["move", ship, to],
        Action::FinalBattle { .. } => vec!["final-battle"],
        Action::ClaimDraw => vec!["claim-draw"],
        Action::AcceptDraw => vec!["accept-draw"],
        _ => return None,
    };
    Some(words.into_iter().map(str::to_owned).collect())
}

impl Play {
    /// The engine must suggest exactly what the oracle finds by trying everything.
    pub fn compare_decisions(&mut self) {
        let deciding = ["move", "answer-claim"].contains(&self.oracle.phase());
        let awaited = self.oracle.awaits();
        self.decisions = Vec::new();
        for place in 0..self.party.people.len() {
            let person = &self.party.people[place];
            let (seat, index) = (person.seat.clone(), person.index);
            let suggested: Vec<Vec<String>> =
                self.state.suggestions(index).into_iter().map(|suggestion| suggestion.words).collect();
            if !deciding {
                assert!(suggested.is_empty(), "{seat} has nothing to decide: {suggested:?}");
                continue;
            }
            let is_mover = awaited.contains(&seat);
            // Trying everything is slow, and a seat that is not to move can do next to nothing.
            if !is_mover && self.oracle.quiet_turns() < 12 && !self.dice.chance(60) {
                continue;
            }
            let legal = self.oracle.legal_orders(&seat);
            let expected: BTreeSet<Vec<String>> = legal.iter().filter_map(words).collect();
            assert_eq!(suggested.len(), expected.len(), "{seat}: {suggested:?}, {expected:?}");
            assert_eq!(suggested.into_iter().collect::<BTreeSet<_>>(), expected, "{seat}");
            if is_mover {
                assert!(legal.iter().any(|order| order.action == Action::Resign), "SB-17");
                if self.oracle.phase() == "move" {
                    let moves = |order: &&Order| matches!(order.action, Action::Move { .. });
                    assert!(legal.iter().any(|order| moves(&order)), "SB-11: {seat} cannot move");
                    self.counts.add("SB-11 a turn in which a move is possible");
                }
                self.decisions = legal.into_iter().filter(|order| words(order).is_some()).collect();
            }
        }
        if deciding {
            self.counts.add("compared: all decisions of a mover");
        }
    }

    /// One step of play.
    pub fn step_of_play(&mut self) {
        if self.rules_now() {
            return;
        }
        let seat = self.oracle.awaits()[0].clone();
        if self.oracle.phase() == "move" {
            let seats = self.oracle.setup.seats.clone();
            let may_claim = |other: &String| {
                *other != seat && self.oracle.judge(&Order::new(other, Action::ClaimDraw)).is_ok()
            };
            let claimants: Vec<String> = seats.into_iter().filter(may_claim).collect();
            if !claimants.is_empty() && self.dice.chance(800) {
                self.claim_from_outside(&seat, claimants);
                return;
            }
        }
        let entry = self.answer(&seat);
        self.close(vec![entry]);
    }

    /// What comes from an awaited seat, or in its place.
    fn answer(&mut self, seat: &str) -> Entry {
        let mut decision = self.decision(seat);
        // Leaving at these moments has rules of its own, so it must come up often enough.
        let at_the_last = self.oracle.phase() == "answer-claim"
            || self.oracle.attack().is_some_and(|attack| attack.final_battle);
        let more = if at_the_last { 120 } else { 0 };
        if self.has_arbiter() && self.dice.chance(self.temper.forfeit + more) {
            return self.forfeit(seat, decision);
        }
        if self.dice.chance(self.temper.resign + more) {
            return self.entry(Order::new(seat, Action::Resign));
        }
        let carries = matches!(
            decision.action,
            Action::Move { .. } | Action::Defend { .. } | Action::FinalBattle { .. }
        );
        // A game that drags on is agreed to be a draw, as among people.
        let drags_on = self.closed.len() > 350;
        decision.draw = carries && (drags_on || self.dice.chance(self.temper.offer));
        self.entry(decision)
    }

    /// The order that a seat decides on; it is what the engine composes from the same words.
    fn decision(&mut self, seat: &str) -> Order {
        if self.oracle.phase() == "defend" {
            let mut defence = Order::new(seat, Action::Defend { opens: Vec::new() });
            defence.action = Action::Defend { opens: self.oracle.due_openings(&defence) };
            self.compare_composed(&defence, self.state.respond(self.person(seat).keyholder()));
            return defence;
        }
        let decision = self.choose();
        let words = words(&decision).expect("a decision has words");
        self.compare_composed(
            &decision,
            self.state.compose(self.person(seat).keyholder(), &Script::from(words.as_slice())),
        );
        decision
    }

    fn choose(&mut self) -> Order {
        let decisions = self.decisions.clone();
        let of = |wanted: fn(&Action) -> bool| {
            decisions.iter().filter(|order| wanted(&order.action)).cloned().collect::<Vec<_>>()
        };
        let accepting = of(|action| *action == Action::AcceptDraw);
        let claiming = of(|action| *action == Action::ClaimDraw);
        let declaring = of(|action| matches!(action, Action::FinalBattle { .. }));
        let moves = of(|action| matches!(action, Action::Move { .. }));
        let (attacks, quiet): (Vec<Order>, Vec<Order>) = moves.into_iter().partition(
            |order| matches!(&order.action, Action::Move { to, .. } if self.oracle.at(to).is_some()),
        );
        if !accepting.is_empty() {
            let fights: Vec<Order> = attacks.into_iter().chain(declaring).collect();
            let fights = if self.dice.chance(450) { fights } else { accepting.clone() };
            return self.dice.pick(if fights.is_empty() { &accepting } else { &fights }).clone();
        }
        if !claiming.is_empty() && self.dice.chance(200) {
            return claiming[0].clone();
        }
        if !declaring.is_empty() && self.dice.chance(150) {
            return declaring[0].clone();
        }
        let calm = self.temper.calm_at_the_end && self.oracle.two_ships_one_each();
        let attack = if calm { 30 } else { self.temper.attack };
        if quiet.is_empty() || (!attacks.is_empty() && self.dice.chance(attack)) {
            return self.dice.pick(&attacks).clone();
        }
        if (!calm || self.temper.lurk) && self.dice.chance(self.temper.approach) {
            let closest = quiet.iter().map(|order| self.distance_after(order)).min().unwrap();
            let best: Vec<&Order> =
                quiet.iter().filter(|order| self.distance_after(order) == closest).collect();
            return (*self.dice.pick(&best)).clone();
        }
        self.dice.pick(&quiet).clone()
    }

    /// How near the nearest enemy is to a ship that was moved.
    fn distance_after(&self, order: &Order) -> usize {
        let Action::Move { to, .. } = &order.action else { return usize::MAX };
        let from_there = &distances(&self.oracle.setup.board)[to];
        let enemies = self.oracle.on_board.iter().filter(|placed| placed.seat != order.seat);
        enemies.map(|placed| from_there[&placed.square]).min().unwrap_or(usize::MAX)
    }

    /// Seats that are out claim the draw; the mover may have written in the meantime (SB-20).
    fn claim_from_outside(&mut self, mover: &str, mut claimants: Vec<String>) {
        self.dice.shuffle(&mut claimants);
        let claim = Order::new(&claimants[0], Action::ClaimDraw);
        let by = self.person(&claimants[0]).keyholder();
        self.compare_composed(&claim, self.state.compose(by, &Script::read("claim-draw")));
        let claim = self.entry(claim);
        if self.dice.chance(250) {
            // Nothing was built on the claim, so it yields.
            let own = self.answer(mover);
            self.beside.push(claim.verified);
            self.counts.add("arrival: a claim that yields to the mover's order");
            self.close(vec![own]);
            return;
        }
        // Two claims at one head: the one that somebody went on from stands, whichever it is.
        if claimants.len() > 1 && self.dice.chance(900) {
            let other = self.entry(Order::new(&claimants[1], Action::ClaimDraw));
            self.beside.push(other.verified);
            self.counts.add("arrival: two claims at one head");
        }
        let own = self.decision(mover);
        let own = self.entry(own);
        self.close(vec![claim]);
        // An entry of the arbiter settles a claim. The mover's order at the older head is too late.
        if self.has_arbiter() && self.dice.chance(300) {
            self.beside.push(own.verified);
            self.counts.add("arrival: a mover too late for a claim that the arbiter settled");
            let order = Order::new("arbiter", Action::Forfeit { seat: mover.to_owned() });
            let forfeit = self.entry(order);
            self.close(vec![forfeit]);
        }
    }
}
