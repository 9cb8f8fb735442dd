//! What only a seat's own key can do: seal a fleet, find it again, open shields, and see
//! beforehand what an order leads to.

use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

use super::action::{Action, Audit, AuditedShield, Defend, FinalBattle, LostShield, Move};
use super::board::{Board, Square};
use super::combat::{Colour, Need};
use super::fleet::{ByClass, Class, DeployedFleet, DeployedShip, PlannedFleet, PlannedShip, check_planned};
use super::options;
use super::position::{Attack, Course, Position};
use super::shield::{Layer, Opening, ShieldSlot};
use crate::crypto::{Promise, Tag};
use crate::document::{Node, tree};
use crate::fault::{Checked, Code, Fault};
use crate::games::Composed;
use crate::games::frame::{Bare, OwnSecrets, Rules as _};
use crate::ident::{Commitment, Salt, SeatIndex};
use crate::log::Header;

fn salt_of(own: &OwnSecrets<'_>, class: Class, layer: Layer) -> Salt {
    own.secrets.salt(&format!("{} {class}", layer.as_str())).open_salt()
}

fn commitment_of(own: &OwnSecrets<'_>, class: Class, layer: Layer, colour: Colour) -> Commitment {
    let game = own.header.id();
    let slot = ShieldSlot { game: &game, seat: own.header.seat(own.seat), class, layer };
    slot.promise(&Opening { colour, salt: salt_of(own, class, layer) }).commitment()
}

/// The own colour behind a shield, found by trying the three against the commitment: the
/// key is all that a player needs to keep.
pub(super) fn own_colour(
    position: &Position,
    own: &OwnSecrets<'_>,
    seat: SeatIndex,
    class: Class,
    layer: Layer,
) -> Option<(Colour, Salt)> {
    if own.seat != seat {
        return None;
    }
    let shield = position.ship(seat, class)?.shield(layer);
    let salt = salt_of(own, class, layer);
    Colour::ALL
        .into_iter()
        .find(|colour| commitment_of(own, class, layer, *colour) == shield.commitment())
        .map(|colour| (colour, salt))
}

/// The table that `[deploy]` opens, for the colours of a fleet file.
pub(super) fn fleet_table(own: &OwnSecrets<'_>, file: &Node) -> Checked<Node> {
    let (board, corner) = board_and_corner(own.header, own.seat)?;
    let planned = check_planned(&board, corner, file).map_err(|mut fault| {
        // In a fleet file the ships stand at the top.
        fault.path =
            fault.path.map(|path| path.trim_start_matches("fleet").trim_start_matches('.').to_owned());
        let span =
            fault.path.as_deref().map_or_else(|| file.span.clone(), |path| file.nearest(path).span.clone());
        fault.at(span)
    })?;
    tree(&deployed(own, &planned)?)
}

fn deployed(own: &OwnSecrets<'_>, planned: &PlannedFleet) -> Checked<DeployedFleet> {
    ByClass::try_from_fn(|class| {
        let ship = planned.get(class);
        Ok(DeployedShip {
            square: ship.square.clone(),
            primary: ship.primary,
            secondary: commitment_of(own, class, Layer::Secondary, ship.secondary),
            tertiary: commitment_of(own, class, Layer::Tertiary, ship.tertiary),
        })
    })
}

fn board_and_corner(header: &Header, seat: SeatIndex) -> Checked<(Arc<Board>, Square)> {
    let board = Arc::new(Board::new(options(header)?.board));
    let corner = board
        .corner(seat.place(), header.seat_count())
        .ok_or_else(|| Fault::new(Code::Internal, "the board has too few corners"))?;
    Ok((board, corner))
}

/// Every way of ordering three things.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn nest(order: usize) -> ByClass<Colour> {
    let [a, b, c] = ORDERS.get(order % 6).copied().unwrap_or([0, 1, 2]);
    let colour = |place: usize| Colour::ALL.get(place).copied().unwrap_or(Colour::White);
    ByClass { frigate: colour(a), destroyer: colour(b), cruiser: colour(c) }
}

/// The fleet with these nests of colours, and the frigate on either side of the cruiser.
fn planned(board: &Board, corner: Square, frigate_first: bool, nests: [usize; 3]) -> Checked<PlannedFleet> {
    let beside = board.straight(corner);
    let (Some(one), Some(other)) = (beside.first(), beside.get(1)) else {
        return Err(Fault::new(Code::Internal, "a corner without two neighbours"));
    };
    let (frigate, destroyer) = if frigate_first { (one, other) } else { (other, one) };
    let squares = ByClass {
        frigate: board.name(*frigate),
        destroyer: board.name(*destroyer),
        cruiser: board.name(corner),
    };
    let [primary, secondary, tertiary] = nests.map(nest);
    ByClass::try_from_fn(|class| {
        Ok(PlannedShip {
            square: squares.get(class).clone(),
            primary: *primary.get(class),
            secondary: *secondary.get(class),
            tertiary: *tertiary.get(class),
        })
    })
}

/// A fleet file drawn from random bytes: each of the 2 x 216 fleets as likely as any other.
pub(super) fn random_fleet(header: &Header, seat: SeatIndex, entropy: &[u8; 32]) -> Checked<Node> {
    let (board, corner) = board_and_corner(header, seat)?;
    let mut stream = ChaCha20Rng::from_seed(*entropy);
    let mut below = |limit: u32| loop {
        let word = stream.next_u32();
        if word < u32::MAX / limit * limit {
            return (word % limit) as usize;
        }
    };
    let frigate_first = below(2) == 0;
    let nests = [below(6), below(6), below(6)];
    tree(&planned(&board, corner, frigate_first, nests)?)
}

/// Finds a sealed fleet again: there are 432, and the key gives every salt.
pub(super) fn recover_fleet(own: &OwnSecrets<'_>, sealed: &Commitment) -> Checked<Node> {
    let (board, corner) = board_and_corner(own.header, own.seat)?;
    let salt = own.secrets.salt("fleet").open_salt();
    for frigate_first in [true, false] {
        for number in 0..216_usize {
            let fleet = planned(&board, corner, frigate_first, [number % 6, number / 6 % 6, number / 36])?;
            let table = tree(&deployed(own, &fleet)?)?;
            let promise = Promise::new(
                Tag::Fleet,
                &own.header.id(),
                own.header.seat(own.seat),
                [("fleet", table.clone()), ("salt", salt.to_string().into())],
            );
            if promise.commitment() == *sealed {
                return Ok(table);
            }
        }
    }
    Err(Fault::new(Code::WrongOpening, "none of the 432 fleets is the one that was sealed with this key")
        .help("use the identity that sealed it: `--key FILE`"))
}

impl Position {
    fn own_opening(&self, own: &OwnSecrets<'_>, class: Class, layer: Layer) -> Checked<Opening> {
        own_colour(self, own, own.seat, class, layer)
            .map(|(colour, salt)| Opening { colour, salt })
            .ok_or_else(|| {
                Fault::new(
                    Code::WrongOpening,
                    format!("this key does not open the {} of your {class}", layer.as_str()),
                )
                .help("use the identity that sealed the fleet: `--key FILE`")
            })
    }

    fn own_lost(&self, own: &OwnSecrets<'_>) -> Checked<Option<Vec<LostShield>>> {
        let owed = self.owed(own.seat);
        let lost: Checked<Vec<_>> = owed
            .iter()
            .map(|class| {
                let Opening { colour, salt } = self.own_opening(own, *class, Layer::Tertiary)?;
                Ok(LostShield { ship: *class, colour, salt })
            })
            .collect();
        lost.map(|lost| (!lost.is_empty()).then_some(lost))
    }

    fn own_secondary_if_sealed(&self, own: &OwnSecrets<'_>, class: Class) -> Checked<Option<Opening>> {
        match self.ship(own.seat, class).map(|ship| ship.secondary.is_sealed()) {
            Some(true) => self.own_opening(own, class, Layer::Secondary).map(Some),
            _ => Ok(None),
        }
    }

    /// Makes an order ready from the words after `sealed order`.
    pub(super) fn compose_words(&self, own: &OwnSecrets<'_>, words: &[&str]) -> Checked<Composed> {
        let (action, mut consequences) = match words {
            ["move", class, to] => self.compose_move(own, class, to)?,
            ["final-battle"] => self.compose_final_battle(own)?,
            ["claim-draw"] => {
                let mine = self.course == (Course::Move { mover: own.seat });
                let line = if mine {
                    "Claims the draw: the game is drawn."
                } else {
                    "Claims the draw: the one who is to move must fight now, or the game is drawn."
                };
                (Action::ClaimDraw, vec![line.to_owned()])
            }
            ["accept-draw"] => (Action::AcceptDraw, vec!["Accepts the claim: the game is drawn.".to_owned()]),
            ["move", ..] => {
                return Err(Fault::new(Code::Unclear, "a move names a ship and a square")
                    .help("for example: sealed order move cruiser d4"));
            }
            _ => {
                return Err(Fault::new(
                    Code::Unclear,
                    format!("\"{}\" is no order of this game", words.join(" ")),
                )
                .help("orders are: move SHIP SQUARE, final-battle, claim-draw, accept-draw, resign"));
            }
        };
        if action != Action::ClaimDraw || self.sides[own.seat].is_in {
            self.may_compose(own.seat)?;
        }
        self.judge_action(own.seat, &action)?;
        if let Some(lost) = action.lost() {
            for shield in lost {
                consequences.push(format!(
                    "Opens, because you owe it: the tertiary of your {} = {}.",
                    shield.ship, shield.colour
                ));
            }
        }
        Self::composed(&action, consequences)
    }

    fn may_compose(&self, seat: SeatIndex) -> Checked<()> {
        if self.awaited().contains(&seat) || self.claims_from_outside(seat) {
            return Ok(());
        }
        Err(Fault::new(Code::NotAwaited, "nothing is awaited from you now")
            .help(format!("awaited now: {}", crate::games::frame::names(&self.header, &self.awaited()))))
    }

    /// Whether the game is where a move can be decided on.
    fn may_move(&self) -> Checked<()> {
        let why = match self.course {
            Course::Move { .. } | Course::AnswerClaim { .. } => return Ok(()),
            Course::Defend(_) => "you are attacked; your defence is awaited, and needs no decision",
            Course::Audit(_) => "the game has ended; what is still sealed is to be opened",
            Course::Over(_) => return Err(crate::games::frame::game_over()),
        };
        Err(Fault::new(Code::WrongPhase, why).help("answer with `sealed respond`"))
    }

    fn composed(action: &Action, consequences: Vec<String>) -> Checked<Composed> {
        let details = match action {
            Action::Move(order) => tree(order)?,
            Action::Defend(order) => tree(order)?,
            Action::FinalBattle(order) => tree(order)?,
            Action::ClaimDraw | Action::AcceptDraw => tree(&Bare {})?,
            Action::Audit(order) => tree(order)?,
        };
        Ok(Composed::new(action.name(), details, consequences))
    }

    fn compose_move(&self, own: &OwnSecrets<'_>, class: &str, to: &str) -> Checked<(Action, Vec<String>)> {
        let ship = Class::from_word(class).ok_or_else(|| {
            Fault::new(Code::Unclear, format!("{class:?} is no ship"))
                .help("ships are: frigate, destroyer, cruiser")
        })?;
        self.may_compose(own.seat)?;
        self.may_move()?;
        let (_, enemy) = self.destination(own.seat, ship, to)?;
        let mut consequences = Vec::new();
        let mut secondary = None;
        if let Some((defender, target)) = enemy {
            secondary = self.own_secondary_if_sealed(own, ship)?;
            let attack = Attack { attacker: own.seat, with: ship, defender, target, is_final: false };
            consequences.extend(self.foretell(&attack, secondary.as_ref()));
        } else {
            consequences.push(format!("Your {ship} goes to {to}; nobody is attacked."));
        }
        let order = Move { ship, to: to.to_owned(), secondary, lost: self.own_lost(own)? };
        Ok((Action::Move(order), consequences))
    }

    fn compose_final_battle(&self, own: &OwnSecrets<'_>) -> Checked<(Action, Vec<String>)> {
        self.may_compose(own.seat)?;
        self.may_move()?;
        let probe = Action::FinalBattle(FinalBattle { secondary: None, lost: None });
        let Some(((_, with), (defender, target))) = self.last_two(own.seat) else {
            self.judge_action(own.seat, &probe)?;
            return Err(
                Fault::new(Code::TooEarly, "the final battle is for two ships, one each").rule("SB-19")
            );
        };
        let secondary = self.own_secondary_if_sealed(own, with)?;
        let attack = Attack { attacker: own.seat, with, defender, target, is_final: true };
        let mut consequences = self.foretell(&attack, secondary.as_ref());
        consequences.push("The loser is destroyed, whatever tertiary shield it has.".to_owned());
        Ok((Action::FinalBattle(FinalBattle { secondary, lost: self.own_lost(own)? }), consequences))
    }

    /// What an attack would open and against which colours it wins.
    fn foretell(&self, attack: &Attack, opens: Option<&Opening>) -> Vec<String> {
        let on = |seat, class| {
            self.ship(seat, class).and_then(|ship| ship.at).map(|at| self.board.name(at)).unwrap_or_default()
        };
        let mut lines = vec![format!(
            "Your {} on {} attacks {}'s {} on {}.",
            attack.with,
            on(attack.attacker, attack.with),
            self.name(attack.defender),
            attack.target,
            on(attack.defender, attack.target)
        )];
        if let Some(opening) = opens {
            lines
                .push(format!("Opens for ever: the secondary of your {} = {}.", attack.with, opening.colour));
        }
        let attacker = self.ship(attack.attacker, attack.with);
        let defender = self.ship(attack.defender, attack.target);
        let (Some(attacker), Some(defender)) = (attacker, defender) else { return lines };
        let Some(mine) = attacker.secondary.colour().or(opens.map(|opening| opening.colour)) else {
            return lines;
        };
        let need = Need::row(attacker.primary, defender.primary);
        let enemy = format!("{}'s {}", self.name(attack.defender), attack.target);
        if let Some(theirs) = defender.secondary.colour() {
            let verb = if need.won_by_attacker(mine, theirs) { "win" } else { "lose" };
            lines.push(format!("You {verb} against {enemy}, whose secondary is known: {theirs}."));
        } else {
            let list = |won: bool| {
                let colours: Vec<_> = Colour::ALL
                    .into_iter()
                    .filter(|theirs| need.won_by_attacker(mine, *theirs) == won)
                    .map(Colour::as_str)
                    .collect();
                if colours.is_empty() { "none".to_owned() } else { colours.join(" or ") }
            };
            lines.push(format!(
                "Against {enemy} you win if its secondary is {}, lose if it is {}.",
                list(true),
                list(false)
            ));
        }
        lines
    }

    /// Makes the order ready that needs no decision.
    pub(super) fn compose_response(&self, own: &OwnSecrets<'_>) -> Checked<Composed> {
        self.may_compose(own.seat)?;
        match &self.course {
            Course::Defend(attack) => {
                let secondary = self.own_opening(own, attack.target, Layer::Secondary)?;
                let loses = self.attacker_wins(attack, secondary.colour).unwrap_or(false);
                let keeps = self.ship(own.seat, attack.target).is_some_and(|ship| ship.keeps_tertiary);
                let tertiary = if loses && keeps && !attack.is_final {
                    Some(self.own_opening(own, attack.target, Layer::Tertiary)?)
                } else {
                    None
                };
                let mut consequences = vec![format!(
                    "Opens for ever: the secondary of your {} = {}.",
                    attack.target, secondary.colour
                )];
                consequences.push(match (loses, keeps, attack.is_final) {
                    (false, ..) => "You win this combat.".to_owned(),
                    (true, _, true) => {
                        format!("You lose the final battle; your {} is destroyed.", attack.target)
                    }
                    (true, true, false) => {
                        let colour = tertiary
                            .map(|opening| format!(", which is {}", opening.colour))
                            .unwrap_or_default();
                        format!(
                            "You lose this combat; your {} loses its tertiary shield{colour}.",
                            attack.target
                        )
                    }
                    (true, false, false) => {
                        format!("You lose this combat; your {} is destroyed.", attack.target)
                    }
                });
                let action = Action::Defend(Defend { secondary, tertiary, lost: self.own_lost(own)? });
                self.judge_action(own.seat, &action)?;
                Self::composed(&action, consequences)
            }
            Course::Audit(_) => {
                let shields: Checked<Vec<_>> = self
                    .sealed(own.seat)
                    .into_iter()
                    .map(|(ship, layer)| {
                        let Opening { colour, salt } = self.own_opening(own, ship, layer)?;
                        Ok(AuditedShield { ship, layer, colour, salt })
                    })
                    .collect();
                let action = Action::Audit(Audit { shields: shields? });
                self.judge_action(own.seat, &action)?;
                Self::composed(
                    &action,
                    vec!["The game has ended: opens all your shields that are still sealed.".to_owned()],
                )
            }
            _ => Err(Fault::new(Code::WrongPhase, "your move is awaited, which is yours to decide")
                .help("`sealed show` lists your legal moves; give one with `sealed order`")),
        }
    }
}
