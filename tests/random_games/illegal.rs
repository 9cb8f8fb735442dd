//! Orders that nobody should write. Most are random and judged by both; some break what the
//! oracle does not know of (salts, signatures, empty lists), and must simply be refused.

use sealed_orders::document::{Node, Table, Value};

use super::oracle::shield_bashers::{Action, LAYERS, Opening, Order, SHIPS};
use super::play::Play;
use super::writing::{details, sign};

/// Why an order is refused, as the engine says it; the codes stay.
type Refused = Option<&'static str>;

impl Play {
    /// Tries a few orders that break the rules, or may.
    pub fn try_what_is_not_allowed(&mut self) {
        for _ in 0..2 {
            let order = self.any_order();
            self.judged_alike(&order);
        }
        if self.dice.chance(300) {
            self.try_a_spoilt_order();
        }
    }

    /// Judges one order in both, which must agree. What is refused goes into the mail too: it may
    /// change nothing there either.
    fn judged_alike(&mut self, order: &Order) {
        let Some((action, table)) = details(&self.party, &self.oracle, order) else { return };
        let wanted = self.oracle.judge(order);
        let place = self.place();
        let nobody = order.seat == "arbiter" && !self.has_arbiter();
        if nobody {
            return;
        }
        let verified = self.write_at(&place, order, action, table);
        let found = self.state.judge(&verified);
        match (&wanted, &found) {
            (Ok(()), Ok(_)) => self.counts.add("compared: a random order, legal"),
            (Err(why), Err(fault)) => {
                let rule = why.split(':').next().unwrap().to_owned();
                let code = fault.code.as_str();
                self.counts.add(&format!("refused: {code}"));
                self.counts.add(&format!("refused by {rule}"));
                if self.dice.chance(30) {
                    self.beside.push(verified);
                }
            }
            _ => panic!("{order:?}: the oracle says {wanted:?}, the engine {found:?}"),
        }
    }

    pub fn refused_by_both(&mut self, order: &Order, count: &str) {
        let why = self.oracle.judge(order);
        assert!(why.is_err(), "the oracle allows {order:?}");
        self.counts.add(count);
        self.judged_alike(order);
    }

    /// Some order, legal by luck only.
    fn any_order(&mut self) -> Order {
        let seats = self.oracle.setup.seats.clone();
        let awaited = self.oracle.awaits();
        let seat = match self.dice.below(10) {
            0 => self.dice.pick(&seats).clone(),
            1 if self.has_arbiter() => "arbiter".to_owned(),
            _ if awaited.is_empty() => self.dice.pick(&seats).clone(),
            _ => self.dice.pick(&awaited).clone(),
        };
        let action = self.any_action(&seat, &seats);
        let mut order = Order::new(&seat, action);
        // The openings that such an order needs, so that only something else is wrong with it.
        if self.oracle.judge_all_but_openings(&order).is_ok() {
            let due = self.oracle.due_openings(&order);
            set_openings(&mut order.action, due);
        }
        if self.dice.chance(500) {
            self.spoil_openings(&mut order.action);
        }
        order.draw = self.dice.chance(150);
        order
    }

    fn any_action(&mut self, seat: &str, seats: &[String]) -> Action {
        let opens = Vec::new();
        let phase = self.oracle.phase().to_owned();
        let fitting = self.dice.chance(500);
        match (self.dice.below(14), phase.as_str()) {
            (_, "defend") if fitting => Action::Defend { opens },
            (_, "audit") if fitting => Action::Audit { opens },
            (_, "move" | "answer-claim") if fitting => self.any_move(seat),
            (0, _) => Action::Seal,
            (1, _) if seat != "arbiter" => Action::Deploy(self.person(seat).fleet.clone()),
            (2, _) => Action::Resign,
            (3, _) => Action::Defend { opens },
            (4 | 5, _) => Action::FinalBattle { opens },
            (6 | 7, _) => Action::ClaimDraw,
            (8, _) => Action::AcceptDraw,
            (9, _) => Action::Audit { opens },
            (10, _) => Action::Forfeit { seat: self.dice.pick(seats).clone() },
            (11, _) => Action::Ruling { result: self.dice.pick(&["draw", "void"]).to_string() },
            _ => self.any_move(seat),
        }
    }

    /// Any ship to anywhere: mostly near its square, where what is just not allowed lies.
    fn any_move(&mut self, seat: &str) -> Action {
        let ship = (*self.dice.pick(&SHIPS)).to_owned();
        let board = &self.oracle.board;
        let from = self.oracle.placed(seat, &ship).map(|placed| placed.square.clone());
        let own: Vec<String> =
            self.oracle.on_board.iter().filter(|p| p.seat == seat).map(|p| p.square.clone()).collect();
        let to = match (self.dice.below(10), from) {
            (0, _) => self.dice.pick(&["z9", "", "a0", "e45", "A1", "b11 "]).to_string(),
            (1 | 2, _) if !own.is_empty() => self.dice.pick(&own).clone(),
            (3..=5, Some(from)) => self.dice.pick(&board.straight_neighbours(&from)).clone(),
            (6..=8, Some(from)) => self.dice.pick(&board.diagonal_neighbours(&from)).clone(),
            _ => self.dice.pick(&board.cells).name.clone(),
        };
        Action::Move { ship, to, opens: Vec::new() }
    }

    /// One opening too few, too many, another, or in another order.
    fn spoil_openings(&mut self, action: &mut Action) {
        let Some(mut opens) = openings(action) else { return };
        let any: Opening = ((*self.dice.pick(&SHIPS)).to_owned(), (*self.dice.pick(&LAYERS)).to_owned());
        match self.dice.below(4) {
            0 if !opens.is_empty() => {
                let place = self.dice.below(opens.len());
                opens.remove(place);
            }
            1 if !opens.is_empty() => {
                let place = self.dice.below(opens.len());
                opens[place] = any;
            }
            2 if opens.len() > 1 => self.dice.shuffle(&mut opens),
            _ => {
                let place = self.dice.below(opens.len() + 1);
                opens.insert(place, any);
            }
        }
        set_openings(action, opens);
    }

    /// Takes a legal order and breaks one thing in it that no rule of the game speaks of.
    fn try_a_spoilt_order(&mut self) {
        let Some(seat) = self.oracle.awaits().first().cloned() else { return };
        let order = match self.oracle.phase() {
            "seal" => Order::new(&seat, Action::Seal),
            "deploy" => Order::new(&seat, Action::Deploy(self.person(&seat).fleet.clone())),
            "defend" => self.with_due(Order::new(&seat, Action::Defend { opens: Vec::new() })),
            "audit" => self.with_due(Order::new(&seat, Action::Audit { opens: Vec::new() })),
            _ => {
                // An order with openings shows more.
                let opening = |order: &&Order| openings(&order.action).is_some_and(|list| !list.is_empty());
                let with: Vec<Order> = self.decisions.iter().filter(opening).cloned().collect();
                self.dice.pick(if with.is_empty() { &self.decisions } else { &with }).clone()
            }
        };
        let (action, good) = details(&self.party, &self.oracle, &order).unwrap();
        let mut bad = good.clone();
        let salt = sealed_orders::ident::to_hex(&self.dice.bytes::<32>());
        let other_salt = self.person(&seat).salt("cruiser", "tertiary").to_string();
        let kind = self.dice.below(8);
        let done = match kind {
            0 => change(&mut bad, "colour", |old| (if old == "grey" { "black" } else { "grey" }).to_owned()),
            1 => change(&mut bad, "salt", |_| salt.clone()),
            2 => change(
                &mut bad,
                "salt",
                |old| if old == other_salt { salt.clone() } else { other_salt.clone() },
            ),
            3 => change(&mut bad, "nonce", |_| salt.clone()),
            4 => push(&mut bad, "needless", Node::from(true)),
            5 if action != "audit" => push_new(&mut bad, "lost", Node::from(Vec::new())),
            6 => push_new(&mut bad, "layer", Node::from("secondary")),
            _ => false,
        };
        let place = self.place();
        let person = self.person(&seat);
        let refused: Refused = if done {
            sign(&self.party, &person.identity, &seat, &place, false, action, bad.clone())
                .and_then(|verified| self.state.judge(&verified))
                .err()
                .map(|fault| fault.code.as_str())
        } else {
            // Whole, but signed by another's key.
            let other = self.party.people.iter().find(|other| other.seat != seat).unwrap();
            sign(&self.party, &other.identity, &seat, &place, false, action, good.clone())
                .err()
                .map(|fault| fault.code.as_str())
        };
        let code = refused.unwrap_or_else(|| panic!("{bad:?} is accepted, made of {good:?}"));
        self.counts.add(&format!("refused: {code}"));
        self.counts.add("refused: a spoilt order");
        // The right order, but for another step: nobody can take it in.
        if self.dice.chance(200) {
            let place = self.place();
            let place = super::writing::Place { step: place.step + 1 + self.dice.below(2) as u64, ..place };
            let misplaced = self.write_at(&place, &order, action, good);
            self.beside.push(misplaced);
            self.counts.add("arrival: an order with a wrong step number");
        }
    }

    fn with_due(&self, mut order: Order) -> Order {
        let due = self.oracle.due_openings(&order);
        set_openings(&mut order.action, due);
        order
    }
}

fn openings(action: &Action) -> Option<Vec<Opening>> {
    match action {
        Action::Move { opens, .. }
        | Action::Defend { opens }
        | Action::FinalBattle { opens }
        | Action::Audit { opens } => Some(opens.clone()),
        _ => None,
    }
}

fn set_openings(action: &mut Action, list: Vec<Opening>) {
    match action {
        Action::Move { opens, .. }
        | Action::Defend { opens }
        | Action::FinalBattle { opens }
        | Action::Audit { opens } => *opens = list,
        _ => {}
    }
}

/// Changes the first string under this key, however deep; whether there was one.
fn change(node: &mut Node, key: &str, to: impl Fn(&str) -> String + Copy) -> bool {
    match &mut node.value {
        Value::Table(Table { entries }) => entries.iter_mut().any(|entry| match &mut entry.node.value {
            Value::Text(text) if *entry.key == *key => {
                *text = to(text);
                true
            }
            _ => change(&mut entry.node, key, to),
        }),
        Value::List(list) => list.iter_mut().any(|node| change(node, key, to)),
        _ => false,
    }
}

fn push(node: &mut Node, key: &str, value: Node) -> bool {
    let Value::Table(table) = &mut node.value else { return false };
    table.push(key, value);
    true
}

fn push_new(node: &mut Node, key: &str, value: Node) -> bool {
    if node.as_table().is_some_and(|table| table.get(key).is_some()) {
        return false;
    }
    push(node, key, value)
}
