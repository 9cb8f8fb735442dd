//! The dice are even, as far as 200,000 of them show it.

use sealed_orders::crypto::{Roll, roll};
use sealed_orders::ident::{GameId, Nonce};

const ROLLS: u64 = 100_000;

/// Quantiles of the chi-squared distribution with 19 and with 9 degrees of freedom: below the
/// first and above the second lies a part of 1e-6 each. Computed from the regularised incomplete
/// gamma function P(k/2, x/2) (Abramowitz and Stegun, 26.4.1 and 6.5.29), by bisection on its
/// series for the lower ones and on Simpson's rule over the density for the upper ones.
const QUANTILES_OF_D20: [f64; 2] = [2.255_054, 63.677_052];
const QUANTILES_OF_D10: [f64; 2] = [0.228_385, 44.810_938];

fn chi_squared(sides: u32, label: impl Fn(u64) -> String) -> f64 {
    let game = GameId::new([7; 32]);
    let nonces =
        vec![("red".parse().unwrap(), Nonce::new([1; 32])), ("blue".parse().unwrap(), Nonce::new([2; 32]))];
    let mut counts = vec![0_u64; sides as usize];
    for number in 0..ROLLS {
        let rolled = roll(&game, Roll { label: label(number), sides, nonces: nonces.clone() });
        counts[rolled.value as usize - 1] += 1;
    }
    let expected = ROLLS as f64 / f64::from(sides);
    println!("d{sides}: {counts:?}");
    counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum()
}

fn within(value: f64, [low, high]: [f64; 2]) {
    println!("chi-squared {value:.3}, between {low} and {high}");
    assert!(low < value && value < high, "{value}");
}

/// Labels as a game has them; all differ. They are fixed, so this passes always or never.
#[test]
fn a_d20_is_even() {
    let label = |number| format!("attack {} red/{}a blue/333a", number / 19 + 1, number % 19);
    within(chi_squared(20, label), QUANTILES_OF_D20);
}

#[test]
fn a_d10_is_even() {
    let label = |number| format!("damage {} red/{}a blue/333a", number / 19 + 1, number % 19);
    within(chi_squared(10, label), QUANTILES_OF_D10);
}
