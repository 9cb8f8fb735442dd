//! "Ship Classifications", typed off the rule text row by row; to hit, damage and range.

/// Shield, MR, Fire Power (what is added to 1d10), Range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    pub ucn: &'static str,
    pub name: &'static str,
    pub shield: u32,
    pub movement: u32,
    pub bonus: u32,
    pub range: u32,
}

const fn row(
    name: &'static str,
    shield: u32,
    movement: u32,
    bonus: u32,
    range: u32,
    ucn: &'static str,
) -> Class {
    Class { ucn, name, shield, movement, bonus, range }
}

/// The columns are those of the rule text.
pub const CLASSES: [Class; 19] = [
    row("Scout", 1, 9, 0, 0, "001"),
    row("Corvette", 2, 8, 0, 0, "002"),
    row("Star Fighter", 3, 7, 0, 0, "003"),
    row("Light Frigate", 2, 8, 1, 1, "011"),
    row("Banshee Frigate", 3, 7, 1, 1, "012"),
    row("Rho Class A Frigate", 4, 6, 1, 1, "013"),
    row("Rho Class B Frigate", 4, 6, 2, 2, "022"),
    row("Theta Class Frigate", 5, 5, 2, 2, "023"),
    row("Alpha Class Frigate", 6, 4, 3, 3, "033"),
    row("Light Cruiser", 3, 7, 2, 2, "111"),
    row("Chimera Class A Cruiser", 4, 6, 2, 2, "112"),
    row("Chimera Class B Cruiser", 5, 5, 2, 2, "113"),
    row("Cruiser", 5, 5, 3, 3, "122"),
    row("Battle Cruiser", 6, 4, 3, 3, "123"),
    row("Star Cruiser", 7, 3, 4, 4, "133"),
    row("Light Battleship", 6, 4, 4, 4, "222"),
    row("Battleship", 7, 3, 4, 4, "223"),
    row("Heavy Battleship", 8, 2, 5, 5, "233"),
    row("Dreadnought", 9, 1, 6, 6, "333"),
];

pub fn class(ucn: &str) -> Option<Class> {
    CLASSES.iter().find(|class| class.ucn == ucn).copied()
}

/// TR-12: "1d20 less the target's movement rate is at least 10; a natural 1 misses, a natural 20
/// hits".
pub fn hits(die: u32, target: &Class) -> bool {
    match die {
        1 => false,
        20 => true,
        die => i64::from(die) - i64::from(target.movement) >= 10,
    }
}

/// TR-13: "Each hit does 1d10 plus the firing class's bonus."
pub fn hit_damage(die: u32, firing: &Class) -> u32 {
    die + firing.bonus
}

/// TR-13: "All hits on one target in the round are added up, then its shield rating is taken off
/// once; what is left (not below nought) is damage."
pub fn damage_of_hits(hits: &[u32], target: &Class) -> u32 {
    let sum: u32 = hits.iter().sum();
    sum.saturating_sub(target.shield)
}

/// TR-9: "Range r reaches r squares in between: distance at most r + 1. (Option `reach`: `between`,
/// the default, or `distance`: at most max(1, r).)"
pub fn largest_distance(firing: &Class, reach: &str) -> u32 {
    match (reach, firing.range) {
        ("between", range) => range + 1,
        // Rules: "A zero range indicates that the attacking vessel must be in an adjacent quadrant".
        ("distance", 0) => 1,
        ("distance", range) => range,
        (other, _) => panic!("TR-9: no reach {other:?}"),
    }
}
