//! Games of random legal orders.

use super::oracle::shield_bashers::{Action, Order};
use super::tools::*;
use std::collections::BTreeMap;

fn random(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize % n
}

/// Whole games of random legal orders (resigning seldom), some with cheats: there is always a move
/// (SB-11), every game ends, and what is legal can be applied.
#[test]
fn random_games_end() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..24_u64 {
        let mut dice = seed.wrapping_mul(0x9e3779b97f4a7c15);
        let (board, n) = [("half", 2), ("full", 2), ("wedges3", 3), ("full", 4)][seed as usize % 4];
        let names = ["red", "blue", "green", "yellow"];
        let nests = ["wgb", "gbw", "bwg", "wbg", "bgw", "gwb"];
        let sealed = if seed % 3 == 0 { vec!["wwb", "ggg"] } else { nests.to_vec() };
        let mut pick = |list: &[&'static str]| list[random(&mut dice, list.len())];
        let fleets: Vec<(&str, &str, &str, &str)> =
            (0..n).map(|i| (names[i], pick(&nests), pick(&sealed), pick(&sealed))).collect();
        let mut o = started(board, &fleets);
        while o.phase() != "over" {
            let mut orders = Vec::new();
            for seat in o.awaits() {
                let mut legal = o.legal_orders(&seat);
                let resigning = legal.iter().position(|order| order.action == Action::Resign);
                if let Some(i) = resigning
                    && random(&mut dice, 400) != 0
                {
                    legal.remove(i);
                }
                assert!(!legal.is_empty(), "SB-11: seed {seed}, {seat} has no order in {o:?}");
                let opening = |order: &&Order| match &order.action {
                    Action::Move { opens, .. } => !opens.is_empty(),
                    _ => false,
                };
                let fights: Vec<&Order> = legal.iter().filter(opening).collect();
                let order = match fights.is_empty() {
                    false if random(&mut dice, 2) == 0 => fights[0].clone(),
                    _ => legal[random(&mut dice, legal.len())].clone(),
                };
                orders.push(order);
            }
            o.close(&orders, None).unwrap();
            assert!(o.step < 5000, "seed {seed} does not end");
        }
        let outcome = o.result().unwrap();
        assert!(!outcome.provisional);
        *kinds.entry(outcome.kind).or_default() += 1;
    }
    assert!(kinds.len() > 1, "{kinds:?}");
}
