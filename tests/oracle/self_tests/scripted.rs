//! Positions and games that were worked out by hand.

use super::oracle::shield_bashers::{Action, Oracle, Order, Setup};
use super::tools::*;

#[test]
fn leaving_in_step_0_voids_the_game() {
    let seats = ["red", "blue", "green"];
    let setup = Setup { board: "wedges3".into(), seats: strings(&seats), first: "roll".into() };
    let mut o = Oracle::new(setup);
    assert_eq!((o.phase(), o.awaits()), ("seal", strings(&seats)));
    refused(&o, mv("red", "frigate", "a24", &[]), "P-7");
    o.close(&[resign("green"), Order::new("red", Action::Seal), forfeit("blue")], None).unwrap();
    assert_eq!(o.result(), void_by("blue"));
    assert_eq!((o.phase(), o.out()), ("over", strings(&["blue", "green"])));
}

#[test]
fn leaving_in_step_1() {
    let seats = ["red", "blue", "green"];
    let setup = Setup { board: "wedges3".into(), seats: strings(&seats), first: "blue".into() };
    let mut o = Oracle::new(setup);
    o.close(&seats.map(|s| Order::new(s, Action::Seal)), None).unwrap();
    let red = Order::new("red", Action::Deploy(fleet(&o, "red", "wgb", "wgb", "wgb")));
    let green = Order::new("green", Action::Deploy(fleet(&o, "green", "wgb", "wgb", "wgb")));
    refused(&o, Order::new("red", Action::Deploy(fleet(&o, "green", "wgb", "wgb", "wgb"))), "SB-6");
    refused(&o, Order::new("red", Action::Deploy(fleet(&o, "red", "wgg", "wgb", "wgb"))), "SB-1");

    // P-8: a named first seat that has left gives way to the next clockwise.
    let mut two = o.clone();
    two.close(&[red.clone(), resign("blue"), green.clone()], None).unwrap();
    assert_eq!((two.phase(), two.awaits()), ("move", strings(&["green"])));
    assert_eq!(two.out(), ["blue"]);
    refused(&two, claim("blue"), "SB-20");

    let mut one = o.clone();
    one.close(&[red, resign("blue"), forfeit("green")], None).unwrap();
    assert_eq!(one.result(), outcome("win", Some("red"), true));
    assert_eq!((one.phase(), one.awaits()), ("audit", strings(&["red"])));
    audit_all(&mut one);
    assert_eq!(one.result(), outcome("win", Some("red"), false));

    let mut none = o;
    none.close(&[resign("red"), resign("blue"), resign("green")], None).unwrap();
    assert_eq!(none.result(), void_by("red"));
    assert_eq!(none.phase(), "over");
}

#[test]
fn sb_1_there_are_216_fleets_on_two_sides_each() {
    let setup = Setup { board: "half".into(), seats: strings(&["red", "blue"]), first: "roll".into() };
    let mut o = Oracle::new(setup);
    assert_eq!(o.legal_orders("red").len(), 2, "seal, resign");
    o.close(&["red", "blue"].map(|s| Order::new(s, Action::Seal)), None).unwrap();
    assert_eq!(o.legal_orders("blue").len(), 2 * 216 + 1);
    assert_eq!(o.legal_orders("arbiter").len(), 3, "two forfeits, void");
}

/// Red's frigate at b4 attacks blue's frigate at b5; both primaries white: the darker secondary wins.
fn frigates_meet(red: &str, blue: &str) -> Oracle {
    let mut o = started("half", &[("red", "wgb", red, "wgb"), ("blue", "wgb", blue, "bgw")]);
    let mut ships = o.on_board.clone();
    for placed in &mut ships {
        if placed.ship == "frigate" {
            placed.square = if placed.seat == "red" { "b4".into() } else { "b5".into() };
        }
    }
    o.on_board = ships;
    o
}

#[test]
fn a_war_of_two_frigates() {
    let mut o = frigates_meet("bgw", "wgb");
    // What an attack opens, exactly.
    refused(&o, mv("red", "frigate", "b5", &[]), "P-7");
    refused(&o, mv("red", "frigate", "a4", &[("frigate", "secondary")]), "P-7");
    refused(&o, mv("red", "frigate", "c5", &[]), "SB-12");
    refused(&o, mv("blue", "frigate", "c5", &[]), "P-5");
    play(&mut o, &[mv("red", "frigate", "b5", &[("frigate", "secondary")])]);
    assert_eq!((o.phase(), o.awaits()), ("defend", strings(&["blue"])));
    assert_eq!(o.quiet_turns(), 0);
    // Blue loses and opens its tertiary with its defence.
    refused(&o, defend("blue", &[("frigate", "secondary")]), "P-7");
    refused(&o, claim("blue"), "SB-20");
    assert_eq!(o.legal_orders("blue").len(), 2, "defend, resign");
    play(&mut o, &[defend("blue", &[("frigate", "secondary"), ("frigate", "tertiary")])]);
    // SB-15: nobody moved.
    assert_eq!(square(&o, "red", "frigate"), "b4");
    assert_eq!(square(&o, "blue", "frigate"), "b5");
    assert!(!o.has_tertiary("blue", "frigate") && o.has_tertiary("red", "frigate"));
    // Blue attacks with what is open: no defence is awaited; it loses, and is destroyed.
    play(&mut o, &[mv("blue", "frigate", "b4", &[])]);
    assert_eq!(o.placed("blue", "frigate"), None);
    assert_eq!(square(&o, "red", "frigate"), "b4");
    assert_eq!((o.awaits(), o.quiet_turns()), (strings(&["red"]), 0));
    assert_eq!(o.ships().len(), 5);
    play(&mut o, &[mv("red", "frigate", "b5", &[])]);
    assert_eq!(o.quiet_turns(), 1);
}

#[test]
fn a_losing_attacker_owes_its_tertiary() {
    let mut o = frigates_meet("wgb", "wgb");
    play(
        &mut o,
        &[
            mv("red", "frigate", "b5", &[("frigate", "secondary")]),
            defend("blue", &[("frigate", "secondary")]),
        ],
    );
    assert_eq!(o.owed("red"), opens(&[("frigate", "tertiary")]));
    // Blue attacks in its turn; both secondaries are open, white on white of the same: it loses.
    play(&mut o, &[mv("blue", "frigate", "b4", &[])]);
    assert_eq!(o.owed("blue"), opens(&[("frigate", "tertiary")]));
    // Red's next move carries what it owes, whatever it moves.
    refused(&o, mv("red", "cruiser", "b2", &[]), "P-7");
    play(&mut o, &[mv("red", "cruiser", "b2", &[("frigate", "tertiary")])]);
    assert_eq!(o.owed("red"), opens(&[]));
    assert_eq!(o.quiet_turns(), 1);
    // Blue resigns, owing: that is left to the audit.
    play(&mut o, &[resign("blue")]);
    assert_eq!(o.result(), outcome("win", Some("red"), true));
    assert_eq!(o.awaits(), ["red", "blue"]);
    assert_eq!(o.sealed("blue").len(), 5);
    assert_eq!(o.sealed("red").len(), 4);
    refused(&o, resign("blue"), "P-7");
    refused(&o, Order::new("red", Action::Audit { opens: vec![] }), "P-7");
    // The result is final with the winner's audit.
    let red = audit(&o, "red");
    assert_eq!(o.result_with(std::slice::from_ref(&red)), outcome("win", Some("red"), false));
    assert!(o.judge(&ruling("void")).is_ok());
    assert!(o.judge_with(&[red], &ruling("void")).is_err());
    assert!(o.judge_with(&[audit(&o, "blue")], &ruling("void")).is_ok());
    assert!(o.judge(&ruling("draw")).is_err());
    let mut ruled = o.clone();
    ruled.close(&[audit(&o, "blue"), ruling("void")], None).unwrap();
    assert_eq!((ruled.phase(), ruled.result()), ("over", void_by("arbiter")));
    audit_all(&mut o);
    assert_eq!(o.result(), outcome("win", Some("red"), false));
}

#[test]
fn sb_17_the_attacker_enters_when_the_defender_leaves() {
    for way in [resign("blue"), forfeit("blue")] {
        let mut o = started(
            "wedges3",
            &[("red", "wgb", "bgw", "wgb"), ("blue", "wgb", "wgb", "wgb"), ("green", "wgb", "wgb", "wgb")],
        );
        set_up(
            &mut o,
            &[
                ("red", "cruiser", "a11"),
                ("blue", "frigate", "b11"),
                ("blue", "cruiser", "b44"),
                ("green", "cruiser", "c44"),
            ],
        );
        play(&mut o, &[mv("red", "cruiser", "b11", &[("cruiser", "secondary")]), way]);
        assert_eq!(square(&o, "red", "cruiser"), "b11");
        assert_eq!((o.out(), o.awaits()), (strings(&["blue"]), strings(&["green"])));
        assert_eq!(o.quiet_turns(), 0);
        play(&mut o, &[mv("green", "cruiser", "c33", &[])]);
        assert_eq!((o.quiet_turns(), o.awaits()), (1, strings(&["red"])));
        // Green is not awaited now; red is.
        refused(&o, resign("green"), "P-5");
        play(&mut o, &[resign("red")]);
        assert_eq!(o.result(), outcome("win", Some("green"), true));
        assert_eq!(o.out(), ["blue", "red"]);
    }
}

#[test]
fn sb_22_a_colour_met_twice() {
    // Red's secondaries are all black. Its frigate fights, then its cruiser attacks: caught, and the
    // attack is not made.
    let mut o = frigates_meet("bbb", "wgb");
    play(
        &mut o,
        &[
            mv("red", "frigate", "b5", &[("frigate", "secondary")]),
            defend("blue", &[("frigate", "secondary"), ("frigate", "tertiary")]),
            mv("blue", "cruiser", "c7", &[]),
        ],
    );
    set_up(
        &mut o,
        &[
            ("red", "frigate", "b4"),
            ("red", "cruiser", "a6"),
            ("blue", "frigate", "b5"),
            ("blue", "cruiser", "c7"),
        ],
    );
    play(&mut o, &[mv("red", "cruiser", "b5", &[("cruiser", "secondary")])]);
    assert_eq!((o.caught(), o.out()), (strings(&["red"]), strings(&["red"])));
    assert_eq!(o.result(), outcome("win", Some("blue"), true));
    assert_eq!(square(&o, "blue", "frigate"), "b5");
    assert_eq!(o.awaits(), ["red", "blue"]);
    audit_all(&mut o);
    assert_eq!(o.caught(), ["red"]);
    assert_eq!(o.result(), outcome("win", Some("blue"), false));
}

#[test]
fn sb_22_a_defender_is_caught() {
    let mut o = frigates_meet("bgw", "www");
    play(
        &mut o,
        &[
            mv("red", "frigate", "b5", &[("frigate", "secondary")]),
            defend("blue", &[("frigate", "secondary"), ("frigate", "tertiary")]),
        ],
    );
    set_up(&mut o, &[("red", "frigate", "b4"), ("blue", "frigate", "b5"), ("blue", "destroyer", "a4")]);
    // Blue's destroyer moves to c5... and back next to red; red attacks it.
    play(
        &mut o,
        &[
            mv("blue", "destroyer", "b3", &[]),
            mv("red", "frigate", "b3", &[]),
            defend("blue", &[("destroyer", "secondary")]),
        ],
    );
    assert_eq!(o.caught(), ["blue"]);
    assert_eq!(square(&o, "red", "frigate"), "b3");
    assert_eq!(o.result(), outcome("win", Some("red"), true));
}

#[test]
fn p_5_a_proof_stands_in_place_of_an_awaited_order() {
    let proof = |seat: &str| Order::new("proof", Action::Proof { seat: seat.into() });
    let fleets = [("red", "wgb", "wgb", "wgb"), ("blue", "wgb", "wgb", "wgb")];
    let mut o = started("half", &fleets);
    refused(&o, proof("blue"), "P-5");
    play(&mut o, &[proof("red")]);
    assert_eq!((o.caught(), o.out()), (strings(&["red"]), strings(&["red"])));
    assert_eq!(o.result(), outcome("win", Some("blue"), true));
    // Blue's proof in the audit: red was caught too, so nobody wins.
    let red = audit(&o, "red");
    o.close(&[red, proof("blue")], None).unwrap();
    assert_eq!((o.caught(), o.out()), (strings(&["red", "blue"]), strings(&["red"])));
    assert_eq!(o.result(), outcome("none", None, false));
}

#[test]
fn a_defence_with_all_that_it_can_open() {
    // Blue's frigate loses to red's; then blue's cruiser attacks and loses, owing; then it defends.
    let mut o = started("half", &[("red", "wgb", "bgw", "wgb"), ("blue", "wgb", "wbg", "wgb")]);
    set_up(
        &mut o,
        &[
            ("red", "frigate", "b4"),
            ("red", "cruiser", "c3"),
            ("blue", "frigate", "b5"),
            ("blue", "destroyer", "c4"),
            ("blue", "cruiser", "d5"),
        ],
    );
    play(
        &mut o,
        &[
            // White on grey, black on black: the same wins. Blue's destroyer loses its tertiary.
            mv("red", "frigate", "c4", &[("frigate", "secondary")]),
            defend("blue", &[("destroyer", "secondary"), ("destroyer", "tertiary")]),
            // White on white, white on black: lighter loses. Blue's frigate owes its tertiary.
            mv("blue", "frigate", "b4", &[("frigate", "secondary")]),
        ],
    );
    assert_eq!(o.owed("blue"), opens(&[("frigate", "tertiary")]));
    set_up(&mut o, &[("red", "cruiser", "c4"), ("blue", "frigate", "b6"), ("blue", "cruiser", "d5")]);
    // Black on black, white on grey: lighter wins.
    play(&mut o, &[mv("red", "cruiser", "d5", &[("cruiser", "secondary")])]);
    let all = [("cruiser", "secondary"), ("cruiser", "tertiary"), ("frigate", "tertiary")];
    let legal = o.legal_orders("blue");
    assert_eq!(legal.len(), 2);
    assert!(legal.contains(&defend("blue", &all)));
    play(&mut o, &[defend("blue", &all)]);
    assert_eq!(o.owed("blue"), opens(&[]));
    assert!(!o.has_tertiary("blue", "cruiser"));
}
