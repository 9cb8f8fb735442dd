//! What happened in a step and how a game came out, in words to count. All of it is read off the
//! oracle; the engine was compared with that before.

use super::counts::Counts;
use super::oracle::shield_bashers::{Action, End, Event, Oracle, Order};

/// What the step between two positions showed.
pub fn count_step(counts: &mut Counts, before: &Oracle, after: &Oracle, orders: &[Order]) {
    let mut count = |what: &str| counts.add(what);
    let events = &after.log[before.log.len()..];
    let order = &orders[orders.len() - 1];
    let attacked = before.attack().cloned();
    let was = |event: &dyn Fn(&Event) -> bool| events.iter().any(event);
    let fought = was(&|event| *event == Event::CombatDecided);
    let turn_over = was(&|event| *event == Event::TurnOver);
    let opened = events.iter().filter(|event| matches!(event, Event::Opened { .. })).count();

    match before.phase() {
        "seal" if after.phase() == "deploy" => count("SB-05 all fleets are sealed"),
        "deploy" if after.phase() == "move" => {
            count("SB-06 fleets are deployed");
            let named = before.setup.first.as_str();
            count(match named {
                "roll" => "SB-10 the first player is rolled",
                _ if after.mover == named => "SB-10 the named player begins",
                _ => "SB-10 the named player has left, the next begins",
            });
            if !after.out().is_empty() {
                count("deploy: others play on");
            }
        }
        "defend" => count("SB-04 a defence is awaited"),
        _ => {}
    }
    match &order.action {
        Action::Move { ship, to, opens } => {
            let from = &before.placed(&order.seat, ship).expect("it moves").square;
            if before.setup.board.starts_with("wedges") && from[..1] != to[..1] {
                count("SB-09 a step across a seam");
                if from.ends_with("11") && to.ends_with("11") && before.board.is_diagonal(from, to) {
                    count("SB-09 a diagonal step at the centre");
                }
            }
            match before.at(to) {
                None => count("SB-02 a move that opens no secondary"),
                Some(_) if !opens.iter().any(|(_, layer)| layer == "secondary") => {
                    count("SB-04 an attack with an open secondary");
                }
                Some(_) => count("SB-04 an attack that opens its secondary"),
            }
            if !before.owed(&order.seat).is_empty() {
                count("SB-03 a tertiary that was owed is opened");
            }
            if before.owed(&order.seat).len() > 1 {
                count("SB-03 several tertiaries that were owed are opened");
            }
            if before.phase() == "answer-claim" {
                count("SB-20 a claim from outside is answered by an attack");
            }
        }
        Action::FinalBattle { .. } => {
            count("SB-19 the final battle is declared");
            if before.phase() == "answer-claim" {
                count("SB-20 a claim from outside is answered by the final battle");
            }
        }
        Action::Defend { .. } if !before.owed(&order.seat).is_empty() => {
            count("SB-03 a defence opens what was owed");
        }
        Action::ClaimDraw if after.phase() == "answer-claim" => count("SB-20 a claim from outside"),
        Action::Resign => count(&format!("SB-17 a seat resigns in phase {}", before.phase())),
        Action::Forfeit { .. } => count(&format!("SB-17 a seat is forfeited in phase {}", before.phase())),
        _ => {}
    }
    if fought {
        let destroyed = was(&|event| matches!(event, Event::ShipLeft { .. }));
        count(if destroyed {
            "SB-14 the loser of a combat is destroyed"
        } else {
            "SB-14 the loser of a combat loses its tertiary"
        });
        let (attacker, ship) = match (&attacked, &order.action) {
            (Some(attack), _) => (attack.attacker.clone(), attack.attacking_ship.clone()),
            (None, Action::Move { ship, .. }) => (order.seat.clone(), ship.clone()),
            (None, _) => (order.seat.clone(), String::new()),
        };
        let square = |oracle: &Oracle| oracle.placed(&attacker, &ship).map(|placed| placed.square.clone());
        if square(after).is_some() && square(before) != square(after) {
            count("SB-15 an attacker enters");
        }
        // Who lost: the one whose tertiary or ship it was.
        let lost = |seat: &str| {
            events.iter().any(|event| match event {
                Event::TertiaryLost { seat: s, .. } | Event::ShipLeft { seat: s, .. } => s == seat,
                _ => false,
            })
        };
        count(if lost(&attacker) { "SB-13 the attacker loses" } else { "SB-13 the defender loses" });
    }
    for event in events {
        match event {
            Event::WentOut { .. } if fought => count("SB-16 a seat loses its last ship"),
            Event::Caught { .. } if before.end.is_none() => {
                count(&format!("SB-22 caught in phase {}", before.phase()));
                if opened > 1 {
                    count("SB-22 caught by an order with several openings");
                }
            }
            Event::Caught { .. } => count("SB-23 caught in the audit"),
            Event::StruckOut { .. } => count("SB-23 struck out"),
            _ => {}
        }
    }
    if before.phase() == "answer-claim" && matches!(order.action, Action::Resign | Action::Forfeit { .. }) {
        count("SB-20 the mover leaves instead of answering a claim");
    }
    if let Some(attack) = attacked
        && !fought
        && turn_over
    {
        count(if attack.final_battle {
            "SB-17 a defender leaves the final battle"
        } else {
            "SB-17 a defender leaves, the attacker enters"
        });
    }
    if turn_over && after.quiet_turns() == 0 && before.quiet_turns() > 0 {
        count("SB-18 the count of quiet turns goes back to nought");
    }
    if before.quiet_turns() < 10 && after.quiet_turns() == 10 && after.two_ships_one_each() {
        count("SB-18 ten quiet turns with two ships left");
    }
    if !before.offers().is_empty()
        && after.offers().is_empty()
        && was(&|e| matches!(e, Event::WentOut { .. }))
    {
        count("SB-21 offers lapse");
    }
    if before.end.is_none()
        && let Some(end) = &after.end
    {
        count(&format!("end: {}", how_it_ended(before, after, order, end, fought)));
    } else if before.end.is_some() && before.end != after.end {
        count("end: void, ruled in the audit");
        if orders.iter().any(|order| matches!(order.action, Action::Audit { .. })) {
            count("ruling: void beside audits that are in");
        }
        if orders.iter().any(|order| matches!(order.action, Action::Forfeit { .. })) {
            count("ruling: void beside forfeits that are in");
        }
    }
    if order.action == Action::AcceptDraw {
        count("SB-20 a claim from outside is accepted");
    }
}

/// How play ended.
fn how_it_ended(before: &Oracle, after: &Oracle, order: &Order, end: &End, fought: bool) -> String {
    let ruled = matches!(order.action, Action::Ruling { .. });
    let phase = before.phase();
    match end {
        End::Void { .. } if ruled && ["seal", "deploy"].contains(&phase) => "void, ruled before play".into(),
        End::Void { .. } if ruled => "void, ruled in play".into(),
        End::Void { .. } => format!("void, left in phase {phase}"),
        End::Win { .. } if phase == "deploy" => "win, alone at deployment".into(),
        End::Win { .. } if fought => {
            let final_battle = matches!(order.action, Action::FinalBattle { .. })
                || before.attack().is_some_and(|attack| attack.final_battle);
            if final_battle { "win by the final battle".into() } else { "win by the last ships".into() }
        }
        End::Win { .. } if after.caught().len() > before.caught().len() => {
            "win, the last rival is caught".into()
        }
        End::Win { .. } => "win, the last rival leaves".into(),
        End::Draw { .. } if ruled => "draw, ruled".into(),
        End::Draw { .. } => match &order.action {
            Action::ClaimDraw => "draw, claimed by the mover".into(),
            Action::AcceptDraw => "draw, claimed from outside and accepted".into(),
            // The attack of that order would have awaited a defence.
            Action::Move { to, .. } if !fought && before.at(to).is_some() => {
                "draw, agreed with a defence awaited".into()
            }
            _ => "draw, agreed".into(),
        },
    }
}

/// What became of the end when the audits said more (SB-23).
pub fn final_result(oracle: &Oracle, end: &End) -> String {
    let result = oracle.result().expect("a result");
    let seats = oracle.setup.seats.len();
    let why = |seat: &String| if oracle.caught().contains(seat) { "caught" } else { "struck out" };
    match end {
        End::Void { .. } => "result: void".into(),
        End::Win { seat } if oracle.clean(seat) => "result: win of a clean winner".into(),
        End::Win { seat } => {
            let header = if seats == 2 { "of two" } else { "of more" };
            match result.kind.as_str() {
                "win" => format!("result: winner {} in a game {header}, the opponent wins", why(seat)),
                _ => format!("result: winner {} in a game {header}, nobody wins", why(seat)),
            }
        }
        End::Draw { sharers } => {
            let dirty: Vec<&String> = sharers.iter().filter(|seat| !oracle.clean(seat)).collect();
            match (dirty.first(), result.kind.as_str()) {
                (None, _) => "result: draw of clean sharers".into(),
                (Some(_), "draw") => "result: a sharer is not clean, the others draw".into(),
                (Some(seat), "win") => format!("result: a sharer is {}, the other wins", why(seat)),
                (Some(_), _) => "result: no sharer is clean, nobody wins".into(),
            }
        }
    }
}
