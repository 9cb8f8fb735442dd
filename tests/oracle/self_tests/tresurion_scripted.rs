//! Tresurion, turn by turn, with what must come out worked out by hand.

use super::oracle::tresurion::{End, Game, Options, Ship, Shot};
use super::tresurion_pieces::pairs;

/// Throws the listed dice; each must be asked for by that label, in this order, and all of them.
struct Script(Vec<(&'static str, u32)>);

impl Script {
    fn throw(&mut self, label: &str, sides: u32) -> u32 {
        assert!(!self.0.is_empty(), "nothing is listed for {label}");
        let (expected, value) = self.0.remove(0);
        assert_eq!(label, expected);
        assert_eq!(sides, if label.starts_with("damage") { 10 } else { 20 });
        value
    }
}

fn roll(game: &mut Game, seat: usize, dice: &[(&'static str, u32)]) {
    let mut script = Script(dice.to_vec());
    game.apply_roll(seat, &mut |label, sides| script.throw(label, sides)).unwrap();
    assert_eq!(script.0, [], "dice that nobody asked for");
}

fn play(game: &mut Game, seat: usize, moves: &[(&str, &str)], fire: &[(&str, &str)]) {
    game.apply_round(seat, &pairs(moves), &pairs(fire), false).unwrap();
}

#[track_caller]
fn refused(game: &Game, seat: usize, moves: &[(&str, &str)], fire: &[(&str, &str)], rule: &str) {
    let error = game.legal_round(seat, &pairs(moves), &pairs(fire)).expect_err("a refusal");
    assert!(error.starts_with(&format!("{rule}:")), "{error}");
    assert!(game.clone().apply_round(seat, &pairs(moves), &pairs(fire), false).is_err());
}

const RED: [(&str, &str); 5] =
    [("123a", "a1"), ("123b", "b1"), ("123c", "c1"), ("123d", "d1"), ("123e", "e1")];
const BLUE: [(&str, &str); 5] =
    [("123a", "a25"), ("123b", "b25"), ("123c", "c25"), ("123d", "d25"), ("123e", "e25")];

/// Red begins turn 1.
fn begun(options: &Options) -> Game {
    let mut script = Script(vec![("initiative 1 red 1", 12), ("initiative 1 blue 1", 11)]);
    let mut dice = |label: &str, sides: u32| script.throw(label, sides);
    Game::begin(options, ["red", "blue"], [&pairs(&RED), &pairs(&BLUE)], &mut dice).unwrap()
}

/// A game in which exactly these ships are on the board (a shortcut past the approach).
fn with_ships(options: &Options, ships: &[(usize, &str, &str, u32)]) -> Game {
    let mut game = begun(options);
    game.ships.clear();
    for (seat, id, at, damage) in ships {
        game.ships.push(Ship { seat: *seat, id: id.to_string(), at: at.to_string(), damage: *damage });
    }
    game
}

fn board_of(game: &Game) -> Vec<(usize, &str, &str, u32)> {
    game.ships.iter().map(|s| (s.seat, s.id.as_str(), s.at.as_str(), s.damage)).collect()
}

const RED_FIRST: [(&str, u32); 2] = [("initiative 2 red 1", 2), ("initiative 2 blue 1", 1)];

#[test]
fn tr_5_equal_rolls_again() {
    let mut script = Script(vec![
        ("initiative 1 red 1", 20),
        ("initiative 1 blue 1", 20),
        ("initiative 1 red 2", 1),
        ("initiative 1 blue 2", 1),
        ("initiative 1 red 3", 4),
        ("initiative 1 blue 3", 5),
    ]);
    let mut dice = |label: &str, sides: u32| script.throw(label, sides);
    let game =
        Game::begin(&Options::usual(), ["red", "blue"], [&pairs(&RED), &pairs(&BLUE)], &mut dice).unwrap();
    assert_eq!((game.player_one, game.turn, game.round), (1, 1, 1));
    assert_eq!(game.awaited(), Some((1, "round")));
    let swapped =
        Game::begin(&Options::usual(), ["red", "blue"], [&pairs(&BLUE), &pairs(&RED)], &mut |_, _| 1);
    assert!(swapped.unwrap_err().starts_with("TR-3:"));
}

#[test]
fn a_turn_without_a_shot() {
    let mut game = begun(&Options::usual());
    refused(&game, 1, &[], &[], "TR-6");
    assert!(game.legal_roll(1).is_err());
    play(&mut game, 0, &[("123a", "a5")], &[]);
    // Nothing fired in the first round: no roll.
    assert_eq!(game.awaited(), Some((1, "round")));
    play(&mut game, 1, &[], &[]);
    assert_eq!(game.awaited(), Some((0, "roll")));
    assert_eq!(game.quiet_turns, 0);
    assert!(game.legal_roll(1).is_err());
    refused(&game, 0, &[], &[], "TR-6");
    roll(&mut game, 0, &[("initiative 2 red 1", 3), ("initiative 2 blue 1", 4)]);
    assert_eq!((game.turn, game.round, game.quiet_turns), (2, 1, 1));
    assert_eq!(game.awaited(), Some((1, "round")));
}

#[test]
fn tr_8_moves_in_their_order() {
    let game = begun(&Options::usual());
    // b1 is free only once 123b has left it.
    refused(&game, 0, &[("123a", "b1")], &[], "TR-8");
    refused(&game, 0, &[("123a", "b1"), ("123b", "b2")], &[], "TR-8");
    assert_eq!(game.legal_round(0, &pairs(&[("123b", "b2"), ("123a", "b1")]), &[]), Ok(()));
    // Movement rate 4; passing friends; the own square.
    refused(&game, 0, &[("123a", "f1"), ("123b", "b5"), ("123c", "c1")], &[], "TR-8");
    assert_eq!(game.legal_round(0, &pairs(&[("123b", "f1"), ("123a", "a5"), ("123c", "c1")]), &[]), Ok(()));
    refused(&game, 0, &[("123a", "a6")], &[], "TR-8");
    refused(&game, 0, &[("123a", "a2"), ("123a", "a3")], &[], "TR-8");
    refused(&game, 0, &[("333a", "a2")], &[], "TR-8");
    refused(&game, 0, &[("123a", "a0")], &[], "TR-3");
    refused(&game, 0, &[("123a", "")], &[], "TR-3");
    let mut options = Options::usual();
    options.asteroids = vec!["a3".to_string()];
    refused(&begun(&options), 0, &[("123a", "a3")], &[], "TR-18");
}

#[test]
fn tr_9_to_11_shots_are_judged_after_all_moves() {
    let ships = [(0, "123a", "e5", 0), (0, "001a", "e7", 0), (1, "012a", "e9", 0), (1, "003a", "a20", 0)];
    let game = with_ships(&Options::usual(), &ships);
    // Its own scout hides the enemy; once it has left, the shot is clear. Range 3: distance 4.
    refused(&game, 0, &[], &[("123a", "012a")], "TR-10");
    assert_eq!(game.legal_round(0, &pairs(&[("001a", "f8")]), &pairs(&[("123a", "012a")])), Ok(()));
    refused(&game, 0, &[("001a", "f8"), ("123a", "e4")], &[("123a", "012a")], "TR-9");
    refused(&game, 0, &[], &[("001a", "012a")], "TR-9");
    refused(&game, 0, &[("001a", "f8")], &[("123a", "012a"), ("123a", "012a")], "TR-11");
    refused(&game, 0, &[], &[("123a", "001a")], "TR-11");
    refused(&game, 0, &[], &[("012a", "123a")], "TR-11");
    let mut options = Options::usual();
    options.reach = "distance".to_string();
    let game = with_ships(&options, &ships);
    refused(&game, 0, &[("001a", "f8")], &[("123a", "012a")], "TR-9");
    assert_eq!(
        game.legal_round(
            0,
            &pairs(&[("001a", "f8"), ("123a", "e6")]),
            &pairs(&[("123a", "012a"), ("001a", "012a")])
        ),
        Ok(())
    );
    options.asteroids = vec!["e8".to_string()];
    let game = with_ships(&options, &ships);
    refused(&game, 0, &[("001a", "f8"), ("123a", "e6")], &[("123a", "012a")], "TR-10");
}

#[test]
fn tr_12_to_14_dice_and_damage() {
    // Targets: a Rho B (shield 4, movement rate 6) and a scout (shield 1, movement rate 9).
    let ships = [
        (0, "123a", "e5", 0),
        (0, "123b", "f5", 0),
        (0, "123c", "g5", 0),
        (1, "001a", "g6", 0),
        (1, "022a", "e6", 0),
    ];
    let mut game = with_ships(&Options::usual(), &ships);
    let fire = [("123c", "001a"), ("123a", "022a"), ("123b", "022a")];
    play(&mut game, 0, &[], &fire);
    assert_eq!(game.awaited(), Some((1, "roll")));
    assert_eq!(game.pending.len(), 3);
    assert_eq!(game.pending[0], Shot { ship: "123c".to_string(), target: "001a".to_string() });
    // 18 - 9 is too little; 16 - 6 hits: 1 + 3 and 2 + 3 are 9, less 4: destroyed by 5.
    // (One by one the shield would have been taken off twice: 0 + 1.)
    roll(
        &mut game,
        1,
        &[
            ("attack 1 red/123c blue/001a", 18),
            ("attack 1 red/123a blue/022a", 16),
            ("damage 1 red/123a blue/022a", 1),
            ("attack 1 red/123b blue/022a", 17),
            ("damage 1 red/123b blue/022a", 2),
        ],
    );
    assert_eq!(board_of(&game), ships[..4]);
    assert_eq!((game.damage_risen, game.quiet_turns, game.round), (true, 0, 2));
    assert_eq!(game.awaited(), Some((1, "round")));
    // The scout strikes back: 1d10 less 6; twice it takes to see that damage stays.
    play(&mut game, 1, &[], &[("001a", "123c")]);
    roll(
        &mut game,
        0,
        &[
            ("attack 1 blue/001a red/123c", 14),
            ("damage 1 blue/001a red/123c", 10),
            ("initiative 2 red 1", 1),
            ("initiative 2 blue 1", 2),
        ],
    );
    assert_eq!(board_of(&game)[2], (0, "123c", "g5", 4));
    assert_eq!((game.turn, game.quiet_turns, game.damage_risen), (2, 0, false));
    play(&mut game, 1, &[], &[("001a", "123c")]);
    roll(&mut game, 0, &[("attack 2 blue/001a red/123c", 20), ("damage 2 blue/001a red/123c", 6)]);
    // 6 less the shield of 6 is nought: a hit, but no damage.
    assert_eq!((board_of(&game)[2], game.damage_risen), ((0, "123c", "g5", 4), false));
    // Red's last shot of the turn ends the game: no initiative is thrown.
    play(&mut game, 0, &[("123b", "f5")], &[("123b", "001a")]);
    roll(&mut game, 1, &[("attack 2 red/123b blue/001a", 19), ("damage 2 red/123b blue/001a", 1)]);
    assert_eq!(game.end, Some(End::Win { seat: 0 }));
    assert_eq!((game.awaited(), game.turn), (None, 2));
    assert_eq!(board_of(&game).len(), 3);
    assert!(game.resign(0).is_err() && game.claim_draw(0).is_err());
    refused(&game, 0, &[], &[], "TR-6");
}

/// A first round's shots may end the game as well.
#[test]
fn tr_16_the_first_round_ends_the_game() {
    let mut game = with_ships(&Options::usual(), &[(0, "333a", "e5", 0), (1, "333a", "e12", 8)]);
    play(&mut game, 0, &[], &[("333a", "333a")]);
    roll(&mut game, 1, &[("attack 1 red/333a blue/333a", 11), ("damage 1 red/333a blue/333a", 4)]);
    assert_eq!(game.end, Some(End::Win { seat: 0 }));
}

#[test]
fn tr_16_resigning_before_the_roll() {
    let mut game = with_ships(&Options::usual(), &[(0, "333a", "e5", 0), (1, "333a", "e12", 8)]);
    play(&mut game, 0, &[("333a", "f6")], &[("333a", "333a")]);
    assert!(game.legal_resignation(0).is_err());
    game.resign(1).unwrap();
    assert_eq!(game.end, Some(End::Win { seat: 0 }));
    assert_eq!(board_of(&game), [(0, "333a", "f6", 0)]);
    assert_eq!((game.awaited(), game.pending.len()), (None, 0));
}

#[test]
fn p_7_offers() {
    let offer = |game: &mut Game, seat: usize, fire: &[(&str, &str)], draw: bool| {
        game.apply_round(seat, &[], &pairs(fire), draw).unwrap();
    };
    // An offer stands over the turn's end until the seat's next round.
    let mut game = begun(&Options::usual());
    offer(&mut game, 0, &[], false);
    offer(&mut game, 1, &[], true);
    roll(&mut game, 0, &RED_FIRST);
    assert_eq!((game.offers, game.end.clone()), ([false, true], None));
    let mut agreed = game.clone();
    offer(&mut agreed, 0, &[], true);
    assert_eq!((agreed.end, agreed.turn), (Some(End::Draw), 2));
    offer(&mut game, 0, &[], false);
    offer(&mut game, 1, &[], false);
    assert_eq!((game.offers, game.end), ([false, false], None));
    // Even with a roll awaited; the shots do not come in.
    let mut game = with_ships(&Options::usual(), &[(0, "333a", "e5", 0), (1, "333a", "e12", 8)]);
    offer(&mut game, 0, &[("333a", "333a")], true);
    roll(&mut game, 1, &[("attack 1 red/333a blue/333a", 10)]);
    offer(&mut game, 1, &[("333a", "333a")], true);
    assert_eq!((game.awaited(), game.end.clone()), (None, Some(End::Draw)));
    assert_eq!((game.pending.len(), game.ships.len()), (0, 2));
}

#[test]
fn tr_17_quiet_turns_and_claims() {
    let mut options = Options::usual();
    options.quiet_turns = 2;
    let ships = [(0, "333a", "e5", 0), (1, "333a", "e12", 0)];
    let mut game = with_ships(&options, &ships);
    for initiative in [
        [("initiative 2 red 1", 2), ("initiative 2 blue 1", 1)],
        [("initiative 3 red 1", 2), ("initiative 3 blue 1", 1)],
    ] {
        assert!(game.legal_claim(0).unwrap_err().starts_with("TR-17:"));
        play(&mut game, 0, &[], &[]);
        assert!(game.legal_claim(1).is_err());
        play(&mut game, 1, &[], &[]);
        assert!(game.legal_claim(0).is_err(), "a roll is awaited");
        roll(&mut game, 0, &initiative);
    }
    assert_eq!(game.quiet_turns, 2);
    assert!(game.legal_claim(1).unwrap_err().starts_with("TR-6:"));
    assert_eq!(game.legal_claim(0), Ok(()));
    let mut off = game.clone();
    off.options.quiet_turns = 0;
    assert!(off.legal_claim(0).is_err());
    // Shots that do no damage leave the claim to the other seat; damage takes it away, and the count
    // goes back at the closing roll.
    play(&mut game, 0, &[], &[("333a", "333a")]);
    assert!(game.legal_claim(1).is_err());
    let (attack, damage) = ("attack 3 red/333a blue/333a", "damage 3 red/333a blue/333a");
    let mut missed = game.clone();
    roll(&mut missed, 1, &[(attack, 10)]);
    missed.claim_draw(1).unwrap();
    assert_eq!((missed.end.clone(), missed.awaited()), (Some(End::Draw), None));
    let mut absorbed = game.clone();
    roll(&mut absorbed, 1, &[(attack, 11), (damage, 3)]);
    assert_eq!(absorbed.legal_claim(1), Ok(()));
    roll(&mut game, 1, &[(attack, 11), (damage, 4)]);
    assert!(game.legal_claim(1).unwrap_err().starts_with("TR-17:"));
    assert_eq!(game.quiet_turns, 2);
    play(&mut game, 1, &[], &[]);
    roll(&mut game, 0, &[("initiative 4 red 1", 2), ("initiative 4 blue 1", 1)]);
    assert_eq!(game.quiet_turns, 0);
}

#[test]
fn tr_18_a_round_through_a_wormhole() {
    let mut options = Options::usual();
    options.wormholes = pairs(&[("e6", "e15"), ("c9", "k9")]);
    let mut game =
        with_ships(&options, &[(0, "333a", "e5", 0), (0, "001a", "e15", 0), (1, "333a", "e16", 0)]);
    // Movement rate 1: into the wormhole and out of it, if its other end is free.
    refused(&game, 0, &[("333a", "e15")], &[], "TR-8");
    // Sight does not pass through: e6 is ten squares from e16.
    refused(&game, 0, &[("333a", "e6")], &[("333a", "333a")], "TR-9");
    play(&mut game, 0, &[("001a", "d15"), ("333a", "e15")], &[("333a", "333a"), ("001a", "333a")]);
    assert_eq!(board_of(&game)[0], (0, "333a", "e15", 0));
    assert_eq!(game.pending.len(), 2);
}
