//! Cheats by one order. Each is signed as it should be and breaks one thing; what is illegal
//! is so by the slow oracle or by what the order is made of, never by asking the engine.

use sealed_orders::crypto::Signature;
use sealed_orders::document::{Node, Table, Value, tree};
use sealed_orders::games::Phase;
use sealed_orders::ident::{GameId, Head, SignatureHalf};
use sealed_orders::log::{SignedOrder, Verified};

use super::oracle::tresurion::board::distance;
use super::oracle::tresurion::classes::class;
use super::world::{Place, Ship, World};

/// Makes a cheat, if it can be tried now.
pub type Make = fn(&mut World<'_>) -> Option<String>;

pub const ALL: &[(&str, Make)] = &[
    ("wrong-salt", |world| spoilt(world, |node| change(node, "salt", other_hex))),
    ("wrong-colour", |world| spoilt(world, |node| change(node, "colour", other_colour))),
    ("wrong-share-of-the-dice", |world| spoilt(world, |node| change(node, "nonce", other_hex))),
    ("another-fleet", another_fleet),
    ("shield-kept-sealed", shield_kept_sealed),
    ("needless-opening", needless_opening),
    ("needless-key", |world| spoilt(world, |node| push(node, "needless", true.into()))),
    ("too-far", too_far),
    ("onto-a-friend", onto_a_friend),
    ("pass", pass),
    ("anothers-ship", anothers_ship),
    ("moved-twice", |world| twice(world, "moves")),
    ("fires-twice", |world| twice(world, "fire")),
    ("out-of-range", out_of_range),
    ("out-of-turn", out_of_turn),
    ("wrong-phase", wrong_phase),
    ("wrong-step-number", wrong_step_number),
    ("unknown-head", unknown_head),
    ("of-another-game", of_another_game),
    ("in-anothers-name", in_anothers_name),
    ("in-the-arbiters-name", in_the_arbiters_name),
    ("forfeit-by-a-seat", forfeit_by_a_seat),
    ("ruling-by-a-seat", ruling_by_a_seat),
    ("changed-order", |world| changed_order(world, true)),
    ("changed-order-with-old-digits", |world| changed_order(world, false)),
    ("moved-signature", moved_signature),
    ("signature-in-another-form", signature_in_another_form),
    ("draw-where-none-is-offered", draw_where_none_is_offered),
    ("claim-too-early", claim_too_early),
    ("final-battle-too-early", final_battle_too_early),
    ("two-actions", two_actions),
    ("after-the-end", after_the_end),
];

/// An honest order with one thing changed, signed again.
fn spoilt(world: &mut World<'_>, spoil: impl FnOnce(&mut Node) -> bool) -> Option<String> {
    let good = world.good()?;
    let mut details = good.order().details().clone();
    if !spoil(&mut details) {
        return None;
    }
    Some(world.signed(&world.here(), &good.order().action, details).to_toml())
}

/// Changes the first string under this key, however deep; whether there was one.
pub fn change(node: &mut Node, key: &str, to: fn(&str) -> String) -> bool {
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

fn take(node: &mut Node, key: &str) -> bool {
    let Value::Table(table) = &mut node.value else { return false };
    table.take(key).is_some()
}

fn set(node: &mut Node, key: &str, value: impl Into<Node>) {
    take(node, key);
    push(node, key, value.into());
}

pub fn other_hex(text: &str) -> String {
    let last = if text.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &text[..text.len() - 1])
}

fn other_colour(text: &str) -> String {
    match text {
        "white" => "grey",
        "grey" => "black",
        _ => "white",
    }
    .to_owned()
}

fn table<const N: usize>(entries: [(&str, Node); N]) -> Node {
    let mut table = Table::default();
    for (key, node) in entries {
        table.push(key, node);
    }
    table.into()
}

fn another_fleet(world: &mut World<'_>) -> Option<String> {
    if world.phase() != Phase::Deploy {
        return None;
    }
    spoilt(world, |node| {
        change(node, "primary", other_colour)
            || change(node, "at", |at| if at == "a1" { "b1" } else { "a1" }.to_owned())
    })
}

fn shield_kept_sealed(world: &mut World<'_>) -> Option<String> {
    let phase = world.phase();
    spoilt(world, |node| match phase {
        Phase::Move | Phase::AnswerClaim => take(node, "secondary") || take(node, "lost"),
        Phase::Defend => take(node, "tertiary") || take(node, "lost"),
        Phase::Audit => match &mut node.value {
            Value::Table(table) => table.entries.iter_mut().any(|entry| match &mut entry.node.value {
                Value::List(list) => list.pop().is_some(),
                _ => false,
            }),
            _ => false,
        },
        _ => false,
    })
}

fn needless_opening(world: &mut World<'_>) -> Option<String> {
    if world.phase() != Phase::Move {
        return None;
    }
    let seat = world.cheater.parse().unwrap();
    let secrets = world.club.key(&world.cheater).secrets(&world.club.header.id(), &seat, &world.fresh);
    spoilt(world, |node| {
        let table = node.as_table().unwrap();
        let Some(ship) = table.get("ship").and_then(Node::as_text) else { return false };
        if table.get("secondary").is_some() {
            return false;
        }
        let salt = secrets.salt(&format!("secondary {ship}")).open_salt().to_string();
        push(node, "secondary", self::table([("colour", "grey".into()), ("salt", salt.into())]))
    })
}

// ---- moves ----

fn own(world: &World<'_>) -> Vec<Ship> {
    world.ships().into_iter().filter(|ship| ship.seat == world.cheater).collect()
}

fn moving(world: &World<'_>, ship: &str, to: &str) -> String {
    let details = table([("ship", ship.into()), ("to", to.into())]);
    world.signed(&world.here(), "move", details).to_toml()
}

/// A move of Shield Bashers to a square that is chosen by the oracle's board.
fn move_where(world: &mut World<'_>, wanted: impl Fn(&World<'_>, &Ship, &str) -> bool) -> Option<String> {
    if world.phase() != Phase::Move || !world.is_awaited() {
        return None;
    }
    let squares: Vec<String> = world.board.as_ref()?.cells.iter().map(|cell| cell.name.clone()).collect();
    let mut moves: Vec<(Ship, String)> = own(world)
        .into_iter()
        .flat_map(|ship| squares.iter().map(move |to| (ship.clone(), to.clone())))
        .collect();
    moves.retain(|(ship, to)| wanted(world, ship, to));
    if moves.is_empty() {
        return None;
    }
    let (ship, to) = world.dice.pick(&moves).clone();
    Some(moving(world, &ship.id, &to))
}

fn too_far(world: &mut World<'_>) -> Option<String> {
    if world.board.is_none() {
        return round_where(world, |mine, _, to| {
            distance(&mine.square, to) > class(&mine.id[..3]).unwrap().movement
        });
    }
    move_where(world, |world, ship, to| {
        ship.square != to && !world.board.as_ref().unwrap().can_step(&ship.id, &ship.square, to)
    })
}

fn onto_a_friend(world: &mut World<'_>) -> Option<String> {
    move_where(world, |world, ship, to| {
        world.board.as_ref().unwrap().can_step(&ship.id, &ship.square, to)
            && own(world).iter().any(|other| other.square == to)
    })
}

fn pass(world: &mut World<'_>) -> Option<String> {
    move_where(world, |_, ship, to| ship.square == to)
}

/// A round of Tresurion with one move, to an enemy's square or a free one.
fn round_where(world: &mut World<'_>, wanted: impl Fn(&Ship, &[Ship], &str) -> bool) -> Option<String> {
    if world.phase() != Phase::Round {
        return None;
    }
    let ships = world.ships();
    let squares: Vec<String> = (b'a'..=b'o')
        .flat_map(|file| (1..=25).map(move |rank| format!("{}{rank}", char::from(file))))
        .collect();
    let mut moves: Vec<(String, String)> = Vec::new();
    for ship in own(world) {
        for to in &squares {
            if wanted(&ship, &ships, to) {
                moves.push((ship.id.clone(), to.clone()));
            }
        }
    }
    if moves.is_empty() {
        return None;
    }
    let (ship, to) = world.dice.pick(&moves).clone();
    one_move(world, &ship, &to)
}

fn one_move(world: &mut World<'_>, ship: &str, to: &str) -> Option<String> {
    let step = table([("ship", ship.into()), ("to", to.into())]);
    spoilt(world, |node| {
        if node.as_table().unwrap().get("moves").is_none() {
            return false;
        }
        set(node, "moves", vec![step]);
        set(node, "fire", Vec::new());
        true
    })
}

fn anothers_ship(world: &mut World<'_>) -> Option<String> {
    let mine = own(world);
    let theirs: Vec<Ship> = world
        .ships()
        .into_iter()
        .filter(|ship| ship.seat != world.cheater && mine.iter().all(|own| own.id != ship.id))
        .collect();
    if theirs.is_empty() {
        return None;
    }
    let ship = world.dice.pick(&theirs).clone();
    match world.phase() {
        Phase::Round => one_move(world, &ship.id, &ship.square),
        // In Shield Bashers a ship is named by its class alone: one that is lost.
        Phase::Move if world.is_awaited() => Some(moving(world, &ship.id, &ship.square)),
        _ => None,
    }
}

fn twice(world: &mut World<'_>, list: &str) -> Option<String> {
    if world.phase() != Phase::Round {
        return None;
    }
    spoilt(world, |node| {
        let Value::Table(table) = &mut node.value else { return false };
        table.entries.iter_mut().any(|entry| match &mut entry.node.value {
            Value::List(parts) if *entry.key == *list && !parts.is_empty() => {
                parts.push(parts[0].clone());
                true
            }
            _ => false,
        })
    })
}

fn out_of_range(world: &mut World<'_>) -> Option<String> {
    if world.phase() != Phase::Round {
        return None;
    }
    let ships = world.ships();
    let mut shots: Vec<(String, String)> = Vec::new();
    for ship in own(world) {
        for target in ships.iter().filter(|ship| ship.seat != world.cheater) {
            // No reading of "range" reaches farther than twice the number and one more.
            if distance(&ship.square, &target.square) > 2 * class(&ship.id[..3]).unwrap().range + 1 {
                shots.push((ship.id.clone(), target.id.clone()));
            }
        }
    }
    if shots.is_empty() {
        return None;
    }
    let (ship, at) = world.dice.pick(&shots).clone();
    let shot = table([("ship", ship.into()), ("at", at.into())]);
    spoilt(world, |node| {
        if node.as_table().unwrap().get("fire").is_none() {
            return false;
        }
        set(node, "moves", Vec::new());
        set(node, "fire", vec![shot]);
        true
    })
}

// ---- place ----

fn empty() -> Node {
    Table::default().into()
}

fn out_of_turn(world: &mut World<'_>) -> Option<String> {
    if world.is_awaited() || world.is_over() || matches!(world.phase(), Phase::Audit) {
        return None;
    }
    Some(world.signed(&world.here(), "resign", empty()).to_toml())
}

/// An action of the cheater's own that was right at an earlier step.
fn wrong_phase(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    let phase = world.phase();
    let earlier: Vec<Verified> = world
        .copy
        .replay
        .orders()
        .filter(|order| order.order().seat.as_str() == world.cheater)
        .filter(|order| match order.order().action.as_str() {
            "seal" => phase != Phase::Seal,
            "deploy" => phase != Phase::Deploy && phase != Phase::Seal,
            "move" => matches!(phase, Phase::Defend | Phase::Audit),
            "defend" => matches!(phase, Phase::Move | Phase::Audit),
            _ => false,
        })
        .cloned()
        .collect();
    if earlier.is_empty() || good.order().action == "resign" {
        return None;
    }
    let old = world.dice.pick(&earlier).clone();
    Some(world.signed(&world.here(), &old.order().action, old.order().details().clone()).to_toml())
}

fn wrong_step_number(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    let place = Place { step: world.here().step + 1, ..world.here() };
    Some(world.signed(&place, &good.order().action, good.order().details().clone()).to_toml())
}

fn unknown_head(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    let place = Place { after: Head::new(world.dice.bytes()), ..world.here() };
    Some(world.signed(&place, &good.order().action, good.order().details().clone()).to_toml())
}

fn of_another_game(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    let place = Place { game: GameId::new(world.dice.bytes()), ..world.here() };
    Some(world.signed(&place, &good.order().action, good.order().details().clone()).to_toml())
}

fn after_the_end(world: &mut World<'_>) -> Option<String> {
    (world.phase() == Phase::Over).then(|| world.signed(&world.here(), "resign", empty()).to_toml())
}

// ---- names and signatures ----

fn in_anothers_name(world: &mut World<'_>) -> Option<String> {
    let place = Place { seat: world.victim(), ..world.here() };
    Some(world.signed(&place, "resign", empty()).to_toml())
}

fn against_a_victim(world: &mut World<'_>) -> Node {
    table([("seat", world.victim().as_str().into()), ("reason", "No word for a month.".into())])
}

fn in_the_arbiters_name(world: &mut World<'_>) -> Option<String> {
    let details = against_a_victim(world);
    let place = Place { seat: "arbiter".to_owned(), ..world.here() };
    Some(world.signed(&place, "forfeit", details).to_toml())
}

fn forfeit_by_a_seat(world: &mut World<'_>) -> Option<String> {
    if !world.is_awaited() {
        return None;
    }
    let details = against_a_victim(world);
    Some(world.signed(&world.here(), "forfeit", details).to_toml())
}

fn ruling_by_a_seat(world: &mut World<'_>) -> Option<String> {
    if !world.is_awaited() {
        return None;
    }
    let details = table([("result", "void".into()), ("reason", "It is late.".into())]);
    Some(world.signed(&world.here(), "ruling", details).to_toml())
}

/// The newest order of somebody else, as a tree, and its signature.
fn of_another(world: &World<'_>) -> Option<Verified> {
    let others = world.copy.replay.orders().filter(|order| order.order().seat.as_str() != world.cheater);
    others.last().cloned()
}

fn with_signature(node: &mut Node, signature: &Signature) {
    set(node, "signature", tree(signature).unwrap());
}

/// Puts the check digits right, so that only the signature itself is wrong.
fn text_of(node: &Node) -> String {
    SignedOrder::read(node).unwrap().to_toml()
}

fn with_right_digits(mut node: Node, signature: &Signature) -> Node {
    let digest = SignedOrder::read(&node).unwrap().digest();
    with_signature(&mut node, &Signature { check: digest.check_digits(), ..*signature });
    node
}

fn changed_order(world: &mut World<'_>, digits: bool) -> Option<String> {
    let order = of_another(world)?;
    let mut node = order.written();
    set(&mut node, "press", "I give up.");
    Some(text_of(&if digits { with_right_digits(node, order.signature()) } else { node }))
}

fn moved_signature(world: &mut World<'_>) -> Option<String> {
    let order = of_another(world)?;
    if order.order().after == world.here().after {
        return None;
    }
    let mut node = order.written();
    set(&mut node, "after", world.here().after.to_string());
    set(&mut node, "step", world.here().step);
    Some(text_of(&with_right_digits(node, order.signature())))
}

/// The order of the base point (RFC 8032, section 5.1), little end first.
const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// S and S + L solve the same equation: a careless verifier takes both.
fn signature_in_another_form(world: &mut World<'_>) -> Option<String> {
    let order = of_another(world)?;
    let mut sum = [0_u8; 32];
    let mut carry = 0_u16;
    for (place, byte) in sum.iter_mut().enumerate() {
        let added = u16::from(order.signature().s.as_bytes()[place]) + u16::from(L[place]) + carry;
        *byte = added.to_le_bytes()[0];
        carry = added >> 8;
    }
    let mut node = order.written();
    with_signature(&mut node, &Signature { s: SignatureHalf::new(sum), ..*order.signature() });
    Some(text_of(&node))
}

// ---- draws ----

fn draw_where_none_is_offered(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    if !matches!(good.order().action.as_str(), "seal" | "deploy" | "audit" | "roll" | "resign") {
        return None;
    }
    let place = Place { draw: true, ..world.here() };
    Some(world.signed(&place, &good.order().action, good.order().details().clone()).to_toml())
}

fn quiet_turns(world: &World<'_>) -> i64 {
    match world.copy.replay.state().position().get("quiet_turns").map(|node| &node.value) {
        Some(Value::Integer(number)) => i64::try_from(*number).unwrap(),
        _ => 0,
    }
}

fn claim_too_early(world: &mut World<'_>) -> Option<String> {
    let early = match world.phase() {
        Phase::Move => world.ships().len() > 2 || quiet_turns(world) < 12,
        // Nobody plays so quietly here.
        Phase::Round => quiet_turns(world) < 5,
        _ => false,
    };
    (early && world.is_awaited()).then(|| world.signed(&world.here(), "claim-draw", empty()).to_toml())
}

fn final_battle_too_early(world: &mut World<'_>) -> Option<String> {
    let early = world.phase() == Phase::Move && (world.ships().len() > 2 || quiet_turns(world) < 10);
    (early && world.is_awaited()).then(|| world.signed(&world.here(), "final-battle", empty()).to_toml())
}

fn two_actions(world: &mut World<'_>) -> Option<String> {
    let good = world.good()?;
    (good.order().action != "resign").then(|| format!("{}\n[resign]\n", good.to_toml()))
}
