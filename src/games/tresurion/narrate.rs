//! What happened, told in words: each die with what is taken from it and added to it, so
//! that a reader can check it against the rules without any other text.

use super::field::Square;
use super::fleet::ShipId;
use super::play::{Fired, Struck};
use super::position::{Aim, Position};
use crate::document::Node;
use crate::games::Event;
use crate::games::frame::{capital, event, facts_table};
use crate::ident::SeatIndex;

fn table(facts: impl IntoIterator<Item = (&'static str, Node)>) -> Node {
    facts_table(facts).into()
}

/// The dice for the first round of a turn, every attempt.
pub(super) fn initiative(position: &Position, thrown: &[Vec<(SeatIndex, u32)>]) -> Event {
    let attempts: Vec<String> = thrown
        .iter()
        .map(|dice| {
            let words: Vec<String> =
                dice.iter().map(|(seat, die)| format!("{} {die}", position.name(*seat))).collect();
            words.join(", ")
        })
        .collect();
    let first = position.name(position.first);
    let line = format!(
        "Turn {}. Initiative: {}. {} has the first round.",
        position.turn,
        attempts.join("; equal, so again: "),
        capital(first)
    );
    let dice = thrown
        .iter()
        .flatten()
        .map(|(seat, die)| table([("seat", position.name(*seat).into()), ("die", u64::from(*die).into())]));
    event(
        "initiative",
        vec![line],
        [("turn", position.turn.into()), ("first", first.into()), ("dice", dice.collect::<Vec<_>>().into())],
    )
}

/// A round: what moved, and what is fired at what.
pub(super) fn round(
    position: &Position,
    seat: SeatIndex,
    moved: &[(ShipId, Square, Square)],
    shots: &[Aim],
) -> Event {
    let name = position.name(seat);
    let other = position.name(position.other(seat));
    let steps: Vec<String> = moved.iter().map(|(id, from, to)| format!("{id} {from}-{to}")).collect();
    let mut told = vec![if steps.is_empty() {
        format!("{}'s ships stay where they are.", capital(name))
    } else {
        format!("{} moves: {}.", capital(name), steps.join(", "))
    }];
    let aimed: Vec<String> = shots.iter().map(|aim| format!("{} at {}", aim.ship, aim.at)).collect();
    told.push(if aimed.is_empty() {
        format!("{} fires nothing.", capital(name))
    } else {
        format!("{} fires at {other}: {}.", capital(name), aimed.join(", "))
    });
    let moves = moved.iter().map(|(id, from, to)| {
        table([
            ("ship", id.to_string().into()),
            ("from", from.to_string().into()),
            ("to", to.to_string().into()),
        ])
    });
    let fire = shots
        .iter()
        .map(|aim| table([("ship", aim.ship.to_string().into()), ("at", aim.at.to_string().into())]));
    event(
        "round",
        told,
        [
            ("seat", name.into()),
            ("moves", moves.collect::<Vec<_>>().into()),
            ("fire", fire.collect::<Vec<_>>().into()),
        ],
    )
}

/// One shot: the die, less the target's movement rate, hit or miss (TR-12).
pub(super) fn shot(position: &Position, by: SeatIndex, fired: &Fired) -> Event {
    let other = position.other(by);
    let Fired { aim, die, damage } = fired;
    let rate = aim.at.class.row().rate;
    let result = match damage {
        Some(_) => "a hit",
        None => "a miss",
    };
    let sum = if *die >= rate {
        format!("{die} less {rate} is {}", die - rate)
    } else {
        format!("{die} less {rate} is {} below nought", rate - die)
    };
    let mut line = format!(
        "{}'s {} at {}'s {}: {sum}: {result}",
        capital(position.name(by)),
        aim.ship,
        position.name(other),
        aim.at
    );
    if let Some(damage) = damage {
        let bonus = aim.ship.class.row().bonus;
        let sum = match bonus {
            0 => damage.to_string(),
            bonus => format!("{damage} + {bonus} = {}", damage + bonus),
        };
        line = format!("{line} for {sum}");
    }
    line.push('.');
    let mut told = event(
        "shot",
        vec![line],
        [
            ("seat", position.name(by).into()),
            ("ship", aim.ship.to_string().into()),
            ("at", aim.at.to_string().into()),
            ("die", u64::from(*die).into()),
            ("hit", damage.is_some().into()),
        ],
    );
    if let Some(damage) = damage {
        told.facts.push("damage", u64::from(*damage));
    }
    told
}

/// What the hits on one target add up to, less its shield (TR-13, TR-14).
pub(super) fn struck(position: &Position, owner: SeatIndex, struck: &Struck) -> Event {
    let Struck { target, hits, through, total, destroyed } = struck;
    let shield = target.class.row().shield;
    let sum: u32 = hits.iter().sum();
    let added = match hits.as_slice() {
        [one] => one.to_string(),
        several => {
            format!("{} = {sum}", several.iter().map(u32::to_string).collect::<Vec<_>>().join(" + "))
        }
    };
    let left = if *through > 0 { format!("{through} is left") } else { "nothing is left".to_owned() };
    let result = match (*destroyed, *through) {
        (true, _) => format!("damage {total} of {shield}: destroyed."),
        (false, 0) if *total == 0 => "it is unharmed.".to_owned(),
        (false, _) => format!("damage {total} of {shield}."),
    };
    let line = format!(
        "{}'s {target} takes {added}, less its shield {shield}: {left}; {result}",
        capital(position.name(owner))
    );
    event(
        "damage",
        vec![line],
        [
            ("seat", position.name(owner).into()),
            ("ship", target.to_string().into()),
            ("hits", hits.iter().map(|hit| Node::from(u64::from(*hit))).collect::<Vec<_>>().into()),
            ("through", u64::from(*through).into()),
            ("damage", u64::from(*total).into()),
            ("destroyed", (*destroyed).into()),
        ],
    )
}

/// One side has no ships left.
pub(super) fn no_ships_left(position: &Position, winner: SeatIndex, loser: SeatIndex) -> Event {
    let line = format!(
        "{} has no ships left. {} has won the sector.",
        capital(position.name(loser)),
        capital(position.name(winner))
    );
    event("won", vec![line], [("seat", position.name(winner).into())])
}

/// Only one seat has opened a fleet.
pub(super) fn alone(position: &Position, winner: SeatIndex) -> Event {
    let line = format!("Only {} has a fleet, and has won.", position.name(winner));
    event("won", vec![line], [("seat", position.name(winner).into())])
}

/// A seat's ships leave the board.
pub(super) fn ships_leave(position: &Position, seat: SeatIndex, unrolled: bool) -> Event {
    let mut line = format!("{}'s ships leave the board.", capital(position.name(seat)));
    if unrolled {
        line.push_str(" The shots that awaited their roll do not come in.");
    }
    let winner = position.name(position.other(seat));
    event(
        "leave",
        vec![line, format!("{} has won.", capital(winner))],
        [("seat", position.name(seat).into())],
    )
}

/// The draw is claimed after quiet turns.
pub(super) fn draw_claimed(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    let line = format!("{} claims the draw after {} quiet turns.", capital(name), position.quiet_turns);
    event("claim", vec![line], [("seat", name.into())])
}

/// The game is drawn.
pub(super) fn drawn(why: &str) -> Event {
    event("draw", vec![format!("The game is drawn: {why}.")], [])
}
