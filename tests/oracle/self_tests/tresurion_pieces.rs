//! TR-1 to TR-3, TR-8 to TR-10, TR-12, TR-13, TR-18: the vectors and what can be counted.

use super::oracle::tresurion::board::{Board, distance, place};
use super::oracle::tresurion::classes::{CLASSES, class, damage_of_hits, hit_damage, hits, largest_distance};
use super::oracle::tresurion::fleet::legal_fleet;
use super::oracle::tresurion::reach::ends;
use super::oracle::tresurion::sight::{blockers, in_the_box, runs_through};
use super::tools::*;
use serde_json::Value;

pub fn list(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_string()).collect()
}

pub fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(one, other)| (one.to_string(), other.to_string())).collect()
}

fn all(key: &str) -> Vec<Value> {
    json("tresurion.json")[key].as_array().unwrap().clone()
}

fn plain() -> Board {
    Board::new(15, 25, &[], &[]).unwrap()
}

#[test]
fn the_classes_of_the_vectors() {
    let classes = all("classes");
    assert_eq!(classes.len(), 19);
    for (ours, theirs) in CLASSES.iter().zip(&classes) {
        let ours = serde_json::json!({
            "ucn": ours.ucn, "name": ours.name, "shield": ours.shield, "move": ours.movement,
            "bonus": ours.bonus, "range": ours.range,
        });
        assert_eq!(&ours, theirs);
    }
}

/// TR-2: "Shield = sum of digits; movement rate = 10 - sum; damage bonus = range = sum less the
/// largest digit."
#[test]
fn tr_2_the_table_follows_the_digits() {
    for class in CLASSES {
        let digits: Vec<u32> = class.ucn.chars().map(|digit| digit.to_digit(10).unwrap()).collect();
        let sum: u32 = digits.iter().sum();
        let less = sum - digits.iter().max().unwrap();
        assert_eq!(
            (class.shield, class.movement, class.bonus, class.range),
            (sum, 10 - sum, less, less),
            "{}",
            class.name
        );
        assert!(digits.is_sorted());
    }
}

#[test]
fn the_sight_of_the_vectors() {
    let sights = all("sight");
    for sight in &sights {
        let (from, to) = (sight["from"].as_str().unwrap(), sight["to"].as_str().unwrap());
        let occupied = list(&sight["occupied"]);
        assert_eq!(blockers(from, to, &occupied), list(&sight["blocked_by"]), "{sight}");
        assert_eq!(blockers(from, to, &occupied).is_empty(), sight["clear"].as_bool().unwrap());
        assert_eq!(blockers(to, from, &occupied), list(&sight["blocked_by"]), "back: {sight}");
    }
    assert_eq!(sights.len(), 150);
}

/// The ruling's formula, "2 |i dy - j dx| < |dx| + |dy|", says what the geometry says, at every
/// distance that any board has room for in both directions (and far beyond every range), and for
/// squares beside the box too.
#[test]
fn tr_10_the_formula_is_the_geometry() {
    let mut compared = 0;
    for dx in -9..=9_i64 {
        for dy in -9..=9_i64 {
            if (dx, dy) == (0, 0) {
                continue;
            }
            for i in -10..=10_i64 {
                for j in -10..=10_i64 {
                    if (i, j) == (0, 0) || (i, j) == (dx, dy) {
                        continue;
                    }
                    let in_box = in_the_box((0, 0), (dx, dy), (i, j));
                    let formula = in_box && 2 * (i * dy - j * dx).abs() < dx.abs() + dy.abs();
                    assert_eq!(runs_through((0, 0), (dx, dy), (i, j)), formula, "{dx} {dy}, {i} {j}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, (19 * 19 - 1) * (21 * 21 - 2));
}

/// TR-10: "touching a corner does not block", and running along an edge would not either.
#[test]
fn tr_10_corners_and_edges() {
    // Straight down a diagonal: the squares on it block, those beside it are only touched.
    let beside = strings(&["a2", "b1", "b3", "c2"]);
    assert!(blockers("a1", "c3", &beside).is_empty());
    assert_eq!(blockers("a1", "c3", &strings(&["b2"])), ["b2"]);
    // a1 to b2: both corners filled.
    assert!(blockers("a1", "b2", &strings(&["a2", "b1"])).is_empty());
    // A knight's leap runs through both squares between: a1 to b3 over a2 and b2.
    assert_eq!(blockers("a1", "b3", &strings(&["a2", "b1", "b2", "a3"])), ["a2", "b2"]);
    // a1 to b4 crosses from a to b in the middle of rank 2 / 3's common line: a corner of a3 and b2.
    assert_eq!(blockers("a1", "b4", &strings(&["a2", "a3", "b2", "b3"])), ["a2", "b3"]);
    // Neighbours and the ends themselves never block.
    assert!(blockers("c3", "d3", &strings(&["c3", "d3", "c4", "d4", "b3", "e3"])).is_empty());
}

#[test]
fn the_reach_of_the_vectors() {
    let reaches = all("reach");
    let mut squares = 0;
    for reach in &reaches {
        let number = |key: &str| reach[key].as_u64().unwrap() as u32;
        let board = Board::new(number("width"), number("length"), &[], &[]).unwrap();
        let from = reach["from"].as_str().unwrap();
        let found = ends(&board, from, number("move"), &list(&reach["friends"]), &list(&reach["enemies"]));
        assert_eq!(serde_json::json!(found), reach["ends"], "{from}");
        squares += found.len();
    }
    assert_eq!(reaches.len(), 60);
    assert_eq!(squares, all("reach").iter().map(|r| r["ends"].as_object().unwrap().len()).sum::<usize>());
    assert!(squares > 1000);
}

#[test]
fn tr_18_asteroids_and_wormholes() {
    let asteroids = strings(&["e9", "e10", "e11", "f9", "f11", "g9", "g10", "g11"]);
    let board = Board::new(15, 25, &asteroids, &pairs(&[("f10", "a20"), ("c5", "o23")])).unwrap();
    // f10 is walled in by asteroids; only the wormhole leads out.
    let out = ends(&board, "f10", 1, &[], &[]);
    let squares: Vec<&str> = out.keys().map(String::as_str).collect();
    assert_eq!(squares, ["a19", "a20", "a21", "b19", "b20", "b21", "f10"]);
    assert_eq!((out["f10"], out["a20"], out["b21"]), (0, 0, 1));
    // In after the last point of movement.
    assert_eq!(ends(&board, "a19", 1, &[], &[])["f10"], 1);
    // With a friend at the far end a ship passes, but does not end there; an enemy stops it.
    let friend = ends(&board, "f10", 1, &strings(&["a20"]), &[]);
    assert!(!friend.contains_key("a20") && friend["b20"] == 1);
    assert_eq!(ends(&board, "f10", 9, &[], &strings(&["a20"])).len(), 1);
    // c5 and o23 lie side by side for a ship that comes past: two steps to c5, then one more.
    let long = ends(&board, "c3", 3, &[], &[]);
    assert_eq!((long["c5"], long["o23"], long["n22"], long["o24"]), (2, 2, 3, 3));
    // The wormhole's mouth held by an enemy: it cannot be entered from here.
    assert!(!ends(&board, "c3", 3, &[], &strings(&["c5"])).contains_key("o23"));
    assert!(!out.keys().any(|square| asteroids.contains(square)));
}

#[test]
fn tr_8_a_ring_of_enemies_lets_nobody_out() {
    let ring = strings(&["e4", "f4", "g4", "e5", "g5", "e6", "f6", "g6"]);
    assert_eq!(ends(&plain(), "f5", 9, &[], &ring).len(), 1);
    // One gap, at a corner between two enemies.
    let gap: Vec<String> = ring.iter().filter(|square| *square != "g6").cloned().collect();
    assert_eq!(ends(&plain(), "f5", 1, &[], &gap)["g6"], 1);
    // A ring of friends is passed, but no move ends on it.
    let through = ends(&plain(), "f5", 2, &ring, &[]);
    assert_eq!(through.len(), 1 + 16);
    assert!(!ring.iter().any(|square| through.contains_key(square)));
}

#[test]
fn the_hits_of_the_vectors() {
    let lines = all("to_hit");
    assert_eq!(lines.len(), 19);
    for line in &lines {
        let target = class(line["target"].as_str().unwrap()).unwrap();
        let hitting: Vec<u32> = (1..=20).filter(|die| hits(*die, &target)).collect();
        assert_eq!(serde_json::json!(hitting), line["hits"], "{line}");
    }
}

#[test]
fn the_ranges_of_the_vectors() {
    let lines = all("range");
    assert_eq!(lines.len(), 19);
    for line in &lines {
        let firing = class(line["ucn"].as_str().unwrap()).unwrap();
        let between = line["largest_distance"].as_u64().unwrap() as u32;
        assert_eq!(largest_distance(&firing, "between"), between, "{line}");
        // TR-9: "`distance`: at most max(1, r)"; with r = 0 both say 1.
        let expected = if between == 1 { 1 } else { between - 1 };
        assert_eq!(largest_distance(&firing, "distance"), expected, "{line}");
    }
}

#[test]
fn tr_13_damage() {
    let (dreadnought, scout, alpha) = (class("333").unwrap(), class("001").unwrap(), class("033").unwrap());
    // Rules: "a damage potential of 7-16 points".
    assert_eq!((hit_damage(1, &dreadnought), hit_damage(10, &dreadnought)), (7, 16));
    // Rules: "An Alpha Class Frigate's shield can absorb 6 points of damage each round."
    assert_eq!(damage_of_hits(&[6], &alpha), 0);
    assert_eq!(damage_of_hits(&[5], &alpha), 0);
    assert_eq!(damage_of_hits(&[5, 5], &alpha), 4);
    assert_eq!(damage_of_hits(&[], &alpha), 0);
    assert_eq!(damage_of_hits(&[1], &scout), 0);
}

#[test]
fn tr_7_distance() {
    assert_eq!(distance("a1", "a1"), 0);
    assert_eq!(distance("a1", "b2"), 1);
    assert_eq!(distance("a1", "o25"), 24);
    assert_eq!(distance("h8", "c9"), 5);
    assert_eq!(place("z99"), (25, 98));
    let neighbours: usize = plain().neighbours.values().map(Vec::len).sum();
    // Four corners with 3, edges with 5, the others with 8.
    assert_eq!(neighbours, 4 * 3 + (13 + 13 + 23 + 23) * 5 + 13 * 23 * 8);
}

#[test]
fn tr_3_boards() {
    for (width, length) in [(14, 25), (27, 25), (15, 24), (15, 100)] {
        assert!(Board::new(width, length, &[], &[]).unwrap_err().starts_with("TR-3:"));
    }
    let largest = Board::new(26, 99, &strings(&["z97", "a3"]), &pairs(&[("b3", "c3")])).unwrap();
    assert_eq!(largest.squares.len(), 26 * 99);
    let no = |asteroids: &[&str], wormholes: &[(&str, &str)]| {
        let refused = Board::new(15, 25, &strings(asteroids), &pairs(wormholes));
        refused.unwrap_err().starts_with("TR-18:")
    };
    assert!(no(&["a2"], &[]) && no(&["a1"], &[]) && no(&["o24"], &[]) && no(&["o25"], &[]));
    assert!(no(&["p5"], &[]) && no(&["a26"], &[]) && no(&["a05"], &[]));
    assert!(no(&["c3", "c3"], &[]) && no(&[], &[("c3", "c3")]) && no(&["c3"], &[("c3", "d3")]));
    assert!(no(&[], &[("c3", "d3"), ("e3", "c3")]));
}

#[test]
fn tr_1_fleets() {
    let board = plain();
    let five =
        [("333a", "a1"), ("333b", "b1"), ("222a", "c2"), ("122a", "d2"), ("111a", "e1"), ("123a", "f1")];
    let error = |ships: &[(&str, &str)], seat: usize| legal_fleet(&board, seat, &pairs(ships)).unwrap_err();
    // 5 small? 122, 111, 123: 1 + 3 + 1 = 5. Medium: 3 + 2 + 1 = 6.
    assert!(error(&five, 0).starts_with("TR-1:"));
    let good = [("123a", "a1"), ("123b", "b1"), ("123c", "c2"), ("123d", "d2"), ("123e", "e1")];
    assert_eq!(legal_fleet(&board, 0, &pairs(&good)), Ok(()));
    assert!(error(&good, 1).starts_with("TR-3:"));
    let far = [("123a", "a25"), ("123b", "o24"), ("123c", "c25"), ("123d", "d25"), ("123e", "e24")];
    assert_eq!(legal_fleet(&board, 1, &pairs(&far)), Ok(()));
    assert!(error(&far, 0).starts_with("TR-3:"));
    assert!(error(&[("123a", "a1"), ("123b", "a1")], 0).starts_with("TR-3:"));
    assert!(error(&[("123a", "p1")], 0).starts_with("TR-3:"));
    assert!(error(&[("123a", "a3")], 0).starts_with("TR-3:"));
    for wrong in ["123b", "123", "123A", "123aa", "1233", ""] {
        assert!(legal_fleet(&board, 0, &pairs(&[(wrong, "a1")])).is_err(), "{wrong:?}");
    }
    for wrong in ["000a", "321a", "023", "114a", "12a", "é1a"] {
        assert!(legal_fleet(&board, 0, &pairs(&[(wrong, "a1")])).is_err(), "{wrong:?}");
    }
    assert!(error(&[], 0).starts_with("TR-1:"));
    assert!(error(&[("001a", "a1"), ("001c", "b1")], 0).starts_with("P-7:"));
    // Fifteen single pieces, a to e of each.
    let mut many = Vec::new();
    for (i, id) in ["001", "002", "003"].iter().enumerate() {
        for (j, letter) in "abcde".chars().enumerate() {
            many.push((format!("{id}{letter}"), format!("{}1", char::from(b'a' + (5 * i + j) as u8))));
        }
    }
    assert_eq!(legal_fleet(&board, 0, &many), Ok(()));
    assert!(legal_fleet(&board, 0, &many[1..]).is_err());
}
