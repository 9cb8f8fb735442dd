//! Fleets: three ships, their shields, and where they begin (SB-1 to SB-3, SB-6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, Square};
use super::combat::Colour;
use super::shield::{Layer, SealedShield, Shield};
use crate::document::{Node, read};
use crate::fault::{Checked, Code, Fault};
use crate::ident::Commitment;

/// A ship's class, which says how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// One pip: moves straight.
    Frigate,
    /// Two pips: moves diagonally.
    Destroyer,
    /// Three pips: moves in any direction.
    Cruiser,
}

impl Class {
    /// All classes, in the order of every list of ships.
    pub const ALL: [Self; 3] = [Self::Frigate, Self::Destroyer, Self::Cruiser];

    /// The class's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Frigate => "frigate",
            Self::Destroyer => "destroyer",
            Self::Cruiser => "cruiser",
        }
    }

    /// The class that a player's word means.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == word)
    }

    /// The squares that a ship of this class reaches from a square.
    #[must_use]
    pub fn reach(self, board: &Board, from: Square) -> Vec<Square> {
        let mut squares = Vec::new();
        if self != Self::Destroyer {
            squares.extend_from_slice(board.straight(from));
        }
        if self != Self::Frigate {
            squares.extend_from_slice(board.diagonal(from));
        }
        squares.sort_unstable();
        squares
    }

    /// How the class moves, in words.
    #[must_use]
    pub const fn movement(self) -> &'static str {
        match self {
            Self::Frigate => "one square straight",
            Self::Destroyer => "one square diagonally",
            Self::Cruiser => "one square in any direction",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// One value for each class of ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByClass<T> {
    /// The frigate's.
    pub frigate: T,
    /// The destroyer's.
    pub destroyer: T,
    /// The cruiser's.
    pub cruiser: T,
}

impl<T> ByClass<T> {
    /// The value of a class.
    pub const fn get(&self, class: Class) -> &T {
        match class {
            Class::Frigate => &self.frigate,
            Class::Destroyer => &self.destroyer,
            Class::Cruiser => &self.cruiser,
        }
    }

    /// The value of a class, to be changed.
    pub const fn get_mut(&mut self, class: Class) -> &mut T {
        match class {
            Class::Frigate => &mut self.frigate,
            Class::Destroyer => &mut self.destroyer,
            Class::Cruiser => &mut self.cruiser,
        }
    }

    /// One value for each class.
    ///
    /// # Errors
    /// The first that `make` returns.
    pub fn try_from_fn<E>(mut make: impl FnMut(Class) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            frigate: make(Class::Frigate)?,
            destroyer: make(Class::Destroyer)?,
            cruiser: make(Class::Cruiser)?,
        })
    }

    /// Classes with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Class, &T)> {
        Class::ALL.into_iter().map(|class| (class, self.get(class)))
    }
}

/// A ship as `[deploy]` opens it: its shields still sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeployedShip {
    /// The square it begins on.
    pub square: String,
    /// The primary shield, which everybody sees.
    pub primary: Colour,
    /// The commitment of the secondary shield.
    pub secondary: Commitment,
    /// The commitment of the tertiary shield.
    pub tertiary: Commitment,
}

/// The fleet as `[deploy]` opens it.
pub type DeployedFleet = ByClass<DeployedShip>;

/// A ship in a fleet file: all its colours, before they are sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedShip {
    /// The square it begins on.
    pub square: String,
    /// The primary shield.
    pub primary: Colour,
    /// The secondary shield.
    pub secondary: Colour,
    /// The tertiary shield.
    pub tertiary: Colour,
}

/// A fleet file.
pub type PlannedFleet = ByClass<PlannedShip>;

/// A ship in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Its primary shield.
    pub primary: Colour,
    /// Its secondary shield.
    pub secondary: Shield,
    /// Its tertiary shield, open or not, whether it still has it or not.
    pub tertiary: Shield,
    /// Whether it still has its tertiary shield.
    pub keeps_tertiary: bool,
    /// Where it stands, while it is on the board.
    pub at: Option<Square>,
}

impl Ship {
    /// A shield of the ship.
    #[must_use]
    pub const fn shield(&self, layer: Layer) -> &Shield {
        match layer {
            Layer::Secondary => &self.secondary,
            Layer::Tertiary => &self.tertiary,
        }
    }

    /// A shield of the ship, to be opened.
    pub const fn shield_mut(&mut self, layer: Layer) -> &mut Shield {
        match layer {
            Layer::Secondary => &mut self.secondary,
            Layer::Tertiary => &mut self.tertiary,
        }
    }

    /// Whether it lost its tertiary shield without opening it: its seat owes it.
    #[must_use]
    pub const fn owes_tertiary(&self) -> bool {
        !self.keeps_tertiary && self.tertiary.is_sealed()
    }
}

/// A fleet in a game.
pub type Fleet = ByClass<Ship>;

/// Checks the fleet that a seat opens.
///
/// # Errors
/// `illegal-fleet` with the ruling, or a wrong value; paths begin with `fleet`.
pub fn check_deployed(board: &Board, corner: Square, node: &Node) -> Checked<Fleet> {
    let fleet: DeployedFleet = read(node)?;
    check_primaries(&fleet.iter().map(|(class, ship)| (class, ship.primary)).collect::<Vec<_>>())?;
    let squares = check_squares(board, corner, &|class| fleet.get(class).square.as_str())?;
    ByClass::try_from_fn(|class| {
        let ship = fleet.get(class);
        Ok(Ship {
            primary: ship.primary,
            secondary: Shield::Sealed(SealedShield::new(ship.secondary)),
            tertiary: Shield::Sealed(SealedShield::new(ship.tertiary)),
            keeps_tertiary: true,
            at: Some(*squares.get(class)),
        })
    })
}

/// Checks a fleet file, the colours that will be sealed included.
///
/// # Errors
/// `illegal-fleet` with the ruling, or a wrong value.
pub fn check_planned(board: &Board, corner: Square, node: &Node) -> Checked<PlannedFleet> {
    let fleet: PlannedFleet = read(node)?;
    check_squares(board, corner, &|class| fleet.get(class).square.as_str())?;
    check_colours(node)?;
    Ok(fleet)
}

/// Checks the colours of a fleet file, wherever its ships stand.
///
/// # Errors
/// `illegal-fleet` with the ruling, or a wrong value.
pub fn check_colours(node: &Node) -> Checked<()> {
    let fleet: PlannedFleet = read(node)?;
    check_primaries(&fleet.iter().map(|(class, ship)| (class, ship.primary)).collect::<Vec<_>>())?;
    for (layer, colours) in [
        ("secondaries", fleet.iter().map(|(_, ship)| ship.secondary).collect::<Vec<_>>()),
        ("tertiaries", fleet.iter().map(|(_, ship)| ship.tertiary).collect()),
    ] {
        nest(layer, &colours)?;
    }
    Ok(())
}

fn check_primaries(ships: &[(Class, Colour)]) -> Checked<()> {
    nest("primaries", &ships.iter().map(|(_, colour)| *colour).collect::<Vec<_>>())
}

/// Each colour is a nest of three: every layer has one of each (SB-1).
fn nest(layer: &str, colours: &[Colour]) -> Checked<()> {
    for colour in Colour::ALL {
        let count = colours.iter().filter(|c| **c == colour).count();
        if count > 1 {
            return Err(Fault::new(
                Code::IllegalFleet,
                format!(
                    "{count} of the three {layer} are {colour}; a fleet has one white, one grey and one black"
                ),
            )
            .rule("SB-1")
            .about("fleet"));
        }
    }
    Ok(())
}

fn check_squares<'a>(
    board: &Board,
    corner: Square,
    square: &dyn Fn(Class) -> &'a str,
) -> Checked<ByClass<Square>> {
    let beside: Vec<String> = board.straight(corner).iter().map(|square| board.name(*square)).collect();
    let squares = ByClass::try_from_fn(|class| {
        let name = square(class);
        let wanted = if class == Class::Cruiser { board.name(corner) } else { beside.join(" or ") };
        let legal = match board.find(name) {
            Some(found) if class == Class::Cruiser && found == corner => Ok(found),
            Some(found) if class != Class::Cruiser && board.straight(corner).contains(&found) => Ok(found),
            Some(_) => Err(format!("the {class} stands on {name}; it must stand on {wanted}")),
            None => Err(format!(
                "the {class} stands on {name:?}, which is no square of this board; it must stand on {wanted}"
            )),
        };
        let legal = legal.map_err(|why| Fault::new(Code::IllegalFleet, why));
        legal.map_err(|fault| fault.rule("SB-6").about(format!("fleet.{class}.square")))
    })?;
    if squares.frigate == squares.destroyer {
        return Err(Fault::new(Code::IllegalFleet, "frigate and destroyer stand on the same square")
            .rule("SB-6")
            .help(format!("put one on {}", beside.join(" and one on ")))
            .about("fleet.destroyer.square"));
    }
    Ok(squares)
}
