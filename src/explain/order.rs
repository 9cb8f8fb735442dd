//! One order: how far it comes, why it is not taken, and what would be legal there.

use super::facts::{Answer, FaultFacts, LegalFacts, OrderLookedAt, PositionFacts, StageFacts};
use super::step::order_facts;
use crate::fault::{Checked, Code, Fault, Stage};
use crate::games::{Phase, by_rules, passage};
use crate::ident::SeatIndex;
use crate::log::{Entry, Order, SignedOrder, Verified};
use crate::turn::{Inspected, Replay, Verdict};

/// The questions of the protocol (section 15.1): how they are called there and for people.
const STAGES: [(&str, &str, &str); 4] = [
    ("understood", "understood", "protocol 15.1, understood"),
    ("verified", "genuinely signed", "protocol 15.1, verified"),
    ("placed", "in its place", "protocol 15.1, placed"),
    ("legal", "legal there", "protocol 15.1, legal"),
];

/// An order that is asked about, and what is known of it.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The name of the text that it came in.
    pub from: &'a str,
    /// That text, to point into.
    pub text: &'a str,
    /// The order (or a proof), or why it is none.
    pub entry: Result<&'a Entry, &'a Fault>,
    /// What it says to be, if that much was understood.
    pub claimed: Option<&'a SignedOrder>,
    /// What would become of it if it were taken in, by `turn::adjudicate`.
    pub verdict: Option<&'a Verdict>,
}

/// Looks at an order. `chains` are the game as it is in the file, and as it would be with
/// everything that came; the first that holds the order's head is asked.
///
/// # Errors
/// `internal`: the replays were good before.
pub fn explain_order(chains: &[&Replay], asked: &Asked<'_>) -> Checked<OrderLookedAt> {
    let newest = chains.first().ok_or_else(|| Fault::new(Code::Internal, "no game to look at"))?;
    let order = match asked.entry {
        Ok(Entry::Order(order)) => order,
        Ok(Entry::Proof(_)) => return Ok(a_proof(newest, asked)),
        Err(fault) => return Ok(not_genuine(newest, asked, fault)),
    };
    let mut inspected = (*newest, newest.inspect(order)?);
    for chain in chains {
        if !matches!(inspected.1, Inspected::UnknownHead) {
            break;
        }
        inspected = (*chain, chain.inspect(order)?);
    }
    let facts = Some(order_facts(newest.header(), order.order(), order.digest()));
    let looked = match inspected {
        (_, Inspected::UnknownHead) => OrderLookedAt { order: facts, ..unknown_head(newest, asked, order) },
        (chain, Inspected::At { replay, judged }) => {
            let position = Some(position_facts(&replay, chain, order));
            match judged {
                Err(fault) => {
                    let failed = Some(failed_at_its_head(newest, order, &fault)?);
                    OrderLookedAt {
                        order: facts,
                        position,
                        stages: stages_at(failed),
                        fault: Some(fault_facts(newest, asked, &fault, failed)),
                        ..refused(asked, "It is not taken.".to_owned())
                    }
                }
                Ok(_) => OrderLookedAt { order: facts, position, ..stands(newest, asked) },
            }
        }
    };
    Ok(looked)
}

fn refused(asked: &Asked<'_>, told: String) -> OrderLookedAt {
    let what = match (asked.entry, asked.claimed.map(SignedOrder::order)) {
        (Ok(Entry::Order(order)), _) => of_order(order.order()),
        (Ok(Entry::Proof(proof)), _) => format!("[proof] against {}", proof.seat()),
        (Err(_), Some(order)) => of_order(order),
        (Err(_), None) => "no order that can be read".to_owned(),
    };
    OrderLookedAt {
        from: asked.from.to_owned(),
        what,
        order: None,
        stages: stages_at(None),
        verdict: "refused",
        verdict_told: told,
        fault: None,
        position: None,
        missing_from: Vec::new(),
        missing_told: None,
    }
}

fn of_order(order: &Order) -> String {
    format!("[{}] of {}, for step {}", order.action, order.seat, order.step)
}

/// A proof: whether its orders were legal where they stand, and where it belongs, only taking
/// it in can say.
fn a_proof(newest: &Replay, asked: &Asked<'_>) -> OrderLookedAt {
    let plain = refused(asked, "It is not taken.".to_owned());
    match asked.verdict {
        Some(Verdict::Refused(fault)) => OrderLookedAt {
            stages: stages_at(Some(failed_at(fault))),
            fault: Some(fault_facts(newest, asked, fault, Some(failed_at(fault)))),
            ..plain
        },
        Some(Verdict::Waiting(fault)) => OrderLookedAt {
            verdict: "waiting",
            verdict_told:
                "It holds two orders of one seat that contradict each other; it stands nowhere yet."
                    .to_owned(),
            stages: waiting_stages(),
            fault: Some(fault_facts(newest, asked, fault, None)),
            ..plain
        },
        Some(Verdict::Known) => OrderLookedAt {
            verdict: "known",
            verdict_told: "It is legal, and this game holds it already.".to_owned(),
            ..plain
        },
        Some(Verdict::Accepted) | None => OrderLookedAt {
            verdict: "accepted",
            verdict_told: "It is legal. `sealed apply` takes it in.".to_owned(),
            ..plain
        },
    }
}

/// What was not understood, or not signed by whom it names.
fn not_genuine(newest: &Replay, asked: &Asked<'_>, fault: &Fault) -> OrderLookedAt {
    OrderLookedAt {
        order: asked.claimed.map(|claimed| order_facts(newest.header(), claimed.order(), claimed.digest())),
        stages: stages_at(Some(failed_at(fault))),
        fault: Some(fault_facts(newest, asked, fault, Some(failed_at(fault)))),
        ..refused(asked, "It is not taken. Where it would stand was not asked.".to_owned())
    }
}

/// An order that passed all four questions: does it stand?
fn stands(newest: &Replay, asked: &Asked<'_>) -> OrderLookedAt {
    let plain = refused(asked, String::new());
    match asked.verdict {
        Some(Verdict::Known) => OrderLookedAt {
            verdict: "known",
            verdict_told: "It is legal, and this game holds it already.".to_owned(),
            ..plain
        },
        Some(Verdict::Refused(fault) | Verdict::Waiting(fault)) => OrderLookedAt {
            verdict_told: "It passes all four questions, but something else stands in its place.".to_owned(),
            fault: Some(fault_facts(newest, asked, fault, None)),
            ..plain
        },
        Some(Verdict::Accepted) | None => OrderLookedAt {
            verdict: "accepted",
            verdict_told: "It is legal. `sealed apply` takes it in.".to_owned(),
            ..plain
        },
    }
}

/// An order whose head this copy does not have: nothing can be said of it here.
fn unknown_head(newest: &Replay, asked: &Asked<'_>, order: &Verified) -> OrderLookedAt {
    let said = order.order();
    let header = newest.header();
    let sender = said.seat.to_string();
    let mut from = vec![sender.clone()];
    let (verdict, told) = if said.step > newest.step() {
        // First those whose orders are awaited here; any other player may have a copy.
        let awaited = newest.missing().into_iter().map(|seat| header.seat(seat).to_string());
        let others = header.players().iter().map(|player| player.seat.to_string());
        for name in awaited.chain(others) {
            if !from.contains(&name) {
                from.push(name);
            }
        }
        let missing = match said.step - 1 {
            last if last == newest.step() => format!("step {last}"),
            last => format!("the steps {} to {last}", newest.step()),
        };
        let told = format!(
            "It is for step {}; in this file {} closed. Orders of {missing} are missing. They can come from {}: as order files, or as a copy of the game file. `sealed apply` keeps this order until then.",
            said.step,
            match newest.step() {
                1 => "1 step".to_owned(),
                steps => format!("{steps} steps"),
            },
            from.join(" or "),
        );
        ("waiting", told)
    } else {
        let told = format!(
            "This file has passed step {}, with another head. Only a copy of the game that holds the head of this order shows what it answers; {sender}, who signed it, can send one. Then compare heads.",
            said.step,
        );
        ("refused", told)
    };
    let stages = waiting_stages();
    let fault = match asked.verdict {
        Some(Verdict::Refused(fault) | Verdict::Waiting(fault)) => {
            Some(fault_facts(newest, asked, fault, None))
        }
        _ => None,
    };
    OrderLookedAt {
        stages,
        verdict,
        fault,
        missing_from: from,
        missing_told: Some(told),
        ..refused(asked, "From this file alone it cannot be judged.".to_owned())
    }
}

/// The questions of what is genuine, and has no place in this file.
fn waiting_stages() -> Vec<StageFacts> {
    let mut stages = stages_at(None);
    for (stage, answer) in stages.iter_mut().skip(2).zip([Answer::CannotBeSaid, Answer::NotAsked]) {
        stage.answer = answer;
    }
    stages
}

/// Which of the four questions a fault answers with no: its place among them.
fn failed_at(fault: &Fault) -> usize {
    match fault.code {
        // The protocol counts these to other stages than their codes are sorted under.
        Code::UnknownAction | Code::NoDrawHere => 0,
        Code::WrongGame => 1,
        code => match code.stage() {
            Stage::Understood => 0,
            Stage::Verified => 1,
            Stage::Placed => 2,
            Stage::Legal | Stage::World => 3,
        },
    }
}

/// The same, where the order is known: an action of the game that is not for this kind of
/// writer was understood.
fn failed_at_its_head(newest: &Replay, order: &Verified, fault: &Fault) -> Checked<usize> {
    let actions = by_rules(newest.header().rules())?.actions();
    let is_known = actions.contains(&order.order().action.as_str());
    Ok(if fault.code == Code::UnknownAction && is_known { 1 } else { failed_at(fault) })
}

/// The questions with their answers: yes up to the one that failed.
fn stages_at(failed: Option<usize>) -> Vec<StageFacts> {
    STAGES
        .iter()
        .enumerate()
        .map(|(place, (stage, told, number))| StageFacts {
            stage,
            told,
            answer: match failed {
                Some(failed) if place == failed => Answer::No,
                Some(failed) if place > failed => Answer::NotAsked,
                _ => Answer::Yes,
            },
            question: passage(number).map(|rule| rule.words.join(" ")).unwrap_or_default(),
        })
        .collect()
}

/// The passage of the protocol behind a fault that no ruling of the game decides.
fn passage_of(fault: &Fault, failed: Option<usize>) -> Option<&'static str> {
    match fault.code {
        Code::WrongOpening => Some("protocol 9, opening"),
        Code::TwoOrders => Some("protocol 18, one decision"),
        Code::Yielded => Some("protocol 18, precedence"),
        _ => failed.and_then(|place| STAGES.get(place)).map(|(.., number)| *number),
    }
}

/// A fault, and which of the four questions it answers with no.
fn fault_facts(newest: &Replay, asked: &Asked<'_>, fault: &Fault, failed: Option<usize>) -> FaultFacts {
    let book = by_rules(newest.header().rules()).map(crate::games::Game::rulebook).ok();
    let number = fault.rule.or_else(|| passage_of(fault, failed));
    let rule = number.and_then(|number| book?.rule(number));
    let start = fault.span.as_ref().map(|span| span.start).filter(|_| !asked.text.is_empty());
    let before = start.and_then(|start| asked.text.get(..start));
    // A whole order is no place to point at.
    let inside = fault.span.as_ref().and_then(|span| asked.text.get(span.clone()));
    let is_short = start != Some(0) && inside.is_some_and(|inside| !inside.trim_end().contains('\n'));
    FaultFacts {
        code: fault.code.as_str(),
        message: fault.message.clone(),
        meaning: fault.code.meaning(),
        // Who changed something, or signed twice, is not the question here.
        help: match fault.code {
            Code::Damaged | Code::TwoOrders => fault.code.advice(),
            _ => fault.advice(),
        }
        .to_owned(),
        rule,
        line: before.map(|before| before.matches('\n').count() + 1),
        column: before.map(|before| before.rsplit('\n').next().unwrap_or_default().chars().count() + 1),
        source: before
            .filter(|_| is_short)
            .and_then(|before| asked.text.lines().nth(before.matches('\n').count()))
            .map(|line| line.trim().to_owned()),
    }
}

/// What was awaited at the head that an order answers, and what would have been legal there:
/// for the seat that sent it, if it was awaited, else for those that were.
fn position_facts(at: &Replay, chain: &Replay, order: &Verified) -> PositionFacts {
    let header = at.header();
    let state = at.state();
    let awaited = state.awaited();
    let sender = header.index(&order.order().seat).filter(|seat| awaited.contains(seat));
    let seats: Vec<SeatIndex> = sender.map_or_else(|| awaited.clone(), |seat| vec![seat]);
    let mut legal = Vec::new();
    let mut charts = Vec::new();
    for seat in seats {
        let name = header.seat(seat).to_string();
        for suggestion in state.suggestions(seat) {
            legal.push(LegalFacts {
                seat: name.clone(),
                command: format!("sealed order {}", suggestion.words.join(" ")),
                remark: suggestion.remark,
            });
        }
        let answers = match state.phase() {
            Phase::Seal => Some(("sealed seal --random", "or --fleet FLEET.toml")),
            Phase::Over => None,
            _ if state.suggestions(seat).is_empty() => {
                Some(("sealed respond", "it makes the one order that is awaited, with every opening"))
            }
            _ => None,
        };
        legal.extend(answers.map(|(command, remark)| LegalFacts {
            seat: name.clone(),
            command: command.to_owned(),
            remark: remark.to_owned(),
        }));
        charts.extend(state.outlook(seat));
    }
    PositionFacts {
        step: at.step(),
        head: at.head().to_string(),
        newest: at.head() == chain.head(),
        phase: state.phase().as_str(),
        awaited: state.phase().awaits(),
        awaited_from: awaited.iter().map(|seat| header.seat(*seat).to_string()).collect(),
        legal,
        charts,
    }
}
