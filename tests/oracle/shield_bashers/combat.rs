//! The table of the rule text ("Combat"), row by row, as data.

pub const COLOURS: [&str; 3] = ["white", "grey", "black"];

/// Attacker's primary, defender's primaries, and what happens when the attacker's secondary is
/// (lighter than, the same as, darker than) the defender's.
const TABLE: [(&str, &[&str], [&str; 3]); 5] = [
    // "White | Black or Grey | Lighter: Win, The same: Win, Darker: Lose"
    ("white", &["black", "grey"], ["win", "win", "lose"]),
    // "White | White | Lighter: Lose, The same: Lose, Darker: Win"
    ("white", &["white"], ["lose", "lose", "win"]),
    // "Black | White or Grey | Lighter: Lose, The same: Win, Darker: Win"
    ("black", &["white", "grey"], ["lose", "win", "win"]),
    // "Black | Black | Lighter: Win, The same: Lose, Darker: Lose"
    ("black", &["black"], ["win", "lose", "lose"]),
    // "Grey | White, Black or Grey | Lighter: Lose, The same: Win, Darker: Lose"
    ("grey", &["white", "black", "grey"], ["lose", "win", "lose"]),
];

/// SB-13: "Lighter to darker: white, grey, black."
fn compare(attacker_secondary: &str, defender_secondary: &str) -> &'static str {
    match (attacker_secondary, defender_secondary) {
        (a, b) if a == b => "the same",
        ("white", "grey") | ("white", "black") | ("grey", "black") => "lighter",
        ("grey", "white") | ("black", "white") | ("black", "grey") => "darker",
        (a, b) => panic!("no such colours: {a:?} {b:?}"),
    }
}

/// SB-13: "The table of the rules decides; exactly one side loses a combat."
pub fn attacker_wins(
    attacker_primary: &str,
    defender_primary: &str,
    attacker_secondary: &str,
    defender_secondary: &str,
) -> bool {
    let mut rows = TABLE.iter().filter(|(attacker, defenders, _)| {
        *attacker == attacker_primary && defenders.contains(&defender_primary)
    });
    let (_, _, [lighter, same, darker]) = rows.next().expect("every pair of primaries has a row");
    assert!(rows.next().is_none(), "and only one");
    let word = match compare(attacker_secondary, defender_secondary) {
        "lighter" => lighter,
        "the same" => same,
        _ => darker,
    };
    *word == "win"
}
