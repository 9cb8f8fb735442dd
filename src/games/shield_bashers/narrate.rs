//! What happened, told in words. Every combat is told so that a reader can check it
//! against the table of the rules without any other text.

use super::action::AuditedShield;
use super::board::Square;
use super::combat::{Colour, Need, compared};
use super::fleet::Class;
use super::position::{Attack, Position};
use super::shield::Layer;
use crate::games::Event;
use crate::games::frame::{capital, event};
use crate::ident::SeatIndex;

fn square_of(position: &Position, seat: SeatIndex, class: Class) -> String {
    position.ship(seat, class).and_then(|ship| ship.at).map(|at| position.board.name(at)).unwrap_or_default()
}

/// The order of play is drawn or named (SB-10).
pub(super) fn first_player(position: &Position, first: SeatIndex, drawn: Option<(u32, u32)>) -> Event {
    let name = position.name(first);
    let line = match drawn {
        Some((value, sides)) => {
            format!("The die for the first player (1 to {sides}) shows {value}: {name} begins.")
        }
        None => format!("{} begins.", capital(&name)),
    };
    let mut told = event("first", vec![line], [("seat", name.into())]);
    if let Some((value, sides)) = drawn {
        told.facts.push("die", u64::from(value));
        told.facts.push("sides", u64::from(sides));
    }
    told
}

/// A ship moves and fights nobody.
pub(super) fn moved(position: &Position, seat: SeatIndex, class: Class, to: Square) -> Event {
    let name = position.name(seat);
    let from = square_of(position, seat, class);
    let to = position.board.name(to);
    let line = format!("{}'s {class} goes from {from} to {to}.", capital(&name));
    event(
        "move",
        vec![line],
        [("seat", name.into()), ("ship", class.as_str().into()), ("from", from.into()), ("to", to.into())],
    )
}

/// An attack is declared.
pub(super) fn attacks(position: &Position, attack: &Attack) -> Event {
    let (attacker, defender) = (position.name(attack.attacker), position.name(attack.defender));
    let from = square_of(position, attack.attacker, attack.with);
    let on = square_of(position, attack.defender, attack.target);
    let line = if attack.is_final {
        format!(
            "{} declares the final battle: {} from {from} against {defender}'s {} on {on}.",
            capital(&attacker),
            attack.with,
            attack.target
        )
    } else {
        format!(
            "{}'s {} on {from} attacks {defender}'s {} on {on}.",
            capital(&attacker),
            attack.with,
            attack.target
        )
    };
    event(
        "attack",
        vec![line],
        [
            ("attacker", attacker.into()),
            ("with", attack.with.as_str().into()),
            ("defender", defender.into()),
            ("target", attack.target.as_str().into()),
            ("on", on.into()),
            ("final", attack.is_final.into()),
        ],
    )
}

/// A combat is decided: primaries, secondaries, the row of the table, the result. Told
/// before the position changes.
pub(super) fn combat(position: &Position, attack: &Attack, attacker_wins: bool, destroyed: bool) -> Event {
    let attacker = position.name(attack.attacker);
    let defender = position.name(attack.defender);
    let colours = |seat, class| {
        let ship = position.ship(seat, class);
        (
            ship.map_or(Colour::White, |ship| ship.primary),
            ship.and_then(|ship| ship.secondary.colour()).unwrap_or(Colour::White),
        )
    };
    let (primary, secondary) = colours(attack.attacker, attack.with);
    let (other_primary, other_secondary) = colours(attack.defender, attack.target);
    let need = Need::row(primary, other_primary);
    let (winner, loser, class) = if attacker_wins {
        (&attacker, &defender, attack.target)
    } else {
        (&defender, &attacker, attack.with)
    };
    let result = match (destroyed, attacker_wins, attack.is_final) {
        (true, _, true) => {
            format!("{}'s {class} is destroyed: in the final battle nothing saves it.", capital(loser))
        }
        (true, true, false) => {
            let square = square_of(position, attack.defender, attack.target);
            format!(
                "{}'s {class} is destroyed, and {attacker}'s {} enters {square}.",
                capital(loser),
                attack.with
            )
        }
        (true, false, false) => format!("{}'s {class} is destroyed.", capital(loser)),
        (false, ..) => format!("{}'s {class} loses its tertiary shield.", capital(loser)),
    };
    let told = vec![
        format!(
            "Combat: {attacker}'s {} ({primary} primary) against {defender}'s {} ({other_primary} primary).",
            attack.with, attack.target
        ),
        format!("Secondary shields: {attacker}'s is {secondary}, {defender}'s is {other_secondary}."),
        format!(
            "{} against {other_primary}: the attacker's must be {} the defender's.",
            capital(primary.as_str()),
            need.as_str()
        ),
        format!(
            "{} is {} {other_secondary}: {winner} wins.",
            capital(secondary.as_str()),
            compared(secondary, other_secondary)
        ),
        result,
    ];
    event(
        "combat",
        told,
        [
            ("attacker", attacker.clone().into()),
            ("with", attack.with.as_str().into()),
            ("attacker_primary", primary.as_str().into()),
            ("attacker_secondary", secondary.as_str().into()),
            ("defender", defender.clone().into()),
            ("target", attack.target.as_str().into()),
            ("defender_primary", other_primary.as_str().into()),
            ("defender_secondary", other_secondary.as_str().into()),
            ("winner", winner.clone().into()),
            ("destroyed", destroyed.into()),
            ("final", attack.is_final.into()),
        ],
    )
}

/// A tertiary that was lost before is opened.
pub(super) fn debt_paid(position: &Position, seat: SeatIndex, class: Class, colour: Colour) -> Event {
    let name = position.name(seat);
    let line = format!("{} opens the tertiary shield that the {class} lost: {colour}.", capital(&name));
    event(
        "debt",
        vec![line],
        [("seat", name.into()), ("ship", class.as_str().into()), ("colour", colour.as_str().into())],
    )
}

/// A seat is caught.
pub(super) fn caught(position: &Position, seat: SeatIndex, layer: Layer, colour: Colour) -> Event {
    let name = position.name(seat);
    let line = format!(
        "{} is caught (SB-22): two of its {} shields are {colour}, and a fleet has one of each colour.",
        capital(&name),
        layer.as_str()
    );
    event(
        "caught",
        vec![line],
        [("seat", name.into()), ("layer", layer.as_str().into()), ("colour", colour.as_str().into())],
    )
}

/// A seat's ships leave the board.
pub(super) fn ships_leave(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event(
        "out",
        vec![format!("{} is out; its ships leave the board.", capital(&name))],
        [("seat", name.into())],
    )
}

/// A seat has lost its last ship.
pub(super) fn out_of_ships(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event("out", vec![format!("{} has no ship left and is out.", capital(&name))], [("seat", name.into())])
}

/// The attacker enters the square of a defender that left.
pub(super) fn enters(position: &Position, attack: &Attack, square: Square) -> Event {
    let name = position.name(attack.attacker);
    let square = position.board.name(square);
    let line = format!("{}'s {} enters {square}.", capital(&name), attack.with);
    event(
        "enter",
        vec![line],
        [("seat", name.into()), ("ship", attack.with.as_str().into()), ("to", square.into())],
    )
}

/// One seat is left.
pub(super) fn last_one(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event(
        "win",
        vec![format!("{} is the last with ships on the board and wins.", capital(&name))],
        [("seat", name.into())],
    )
}

/// The mover claims the draw (SB-20).
pub(super) fn draw_claimed(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    let line =
        format!("{} claims the draw after {} turns without combat.", capital(&name), position.quiet_turns);
    event("claim", vec![line], [("seat", name.into())])
}

/// A seat that is out claims the draw (SB-20).
pub(super) fn draw_claimed_from_outside(position: &Position, seat: SeatIndex, mover: SeatIndex) -> Event {
    let name = position.name(seat);
    let line = format!(
        "{} claims the draw. {} must fight now, or it is drawn.",
        capital(&name),
        capital(&position.name(mover))
    );
    event("claim", vec![line], [("seat", name.into())])
}

/// The mover accepts the claim.
pub(super) fn claim_accepted(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event("accept", vec![format!("{} accepts the claim.", capital(&name))], [("seat", name.into())])
}

/// The game is drawn.
pub(super) fn drawn(why: &str) -> Event {
    event("draw", vec![format!("The game is drawn: {why}.")], [])
}

/// A seat opens what was still sealed.
pub(super) fn audited(position: &Position, seat: SeatIndex, shields: &[AuditedShield]) -> Event {
    let name = position.name(seat);
    let list: Vec<_> = shields
        .iter()
        .map(|shield| format!("{} {} {}", shield.ship, shield.layer.as_str(), shield.colour))
        .collect();
    event(
        "audit",
        vec![format!("{} opens what was still sealed:", capital(&name)), format!("{}.", list.join(", "))],
        [("seat", name.into())],
    )
}

/// A seat whose audit never comes is struck out (SB-23).
pub(super) fn struck_out(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event(
        "struck-out",
        vec![format!("{} never opened its shields and is struck out (SB-23).", capital(&name))],
        [("seat", name.into())],
    )
}

/// A seat that is proven to have signed twice is struck out as if its audit had never come.
pub(super) fn struck_out_by_proof(position: &Position, seat: SeatIndex) -> Event {
    let name = position.name(seat);
    event(
        "struck-out",
        vec![format!(
            "{} is struck out: the proof stands in the place of its audit (SB-23).",
            capital(&name)
        )],
        [("seat", name.into())],
    )
}

/// Everything is open.
pub(super) fn audit_done(position: &Position) -> Event {
    let line = position.result().map(|ending| ending.told(&position.header)).unwrap_or_default();
    event("over", vec![format!("All that can be opened is open. {line}")], [])
}
