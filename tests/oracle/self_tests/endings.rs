//! The end: audits, agreed draws, the final battle, the claim.

use super::oracle::shield_bashers::{Action, Order};
use super::tools::*;

#[test]
fn sb_23_a_winner_caught_in_its_audit() {
    // Two seats: the opponent wins though it resigned.
    let fleets = [("red", "wgb", "wgg", "wgb"), ("blue", "wgb", "wgb", "wgb")];
    let mut o = started("half", &fleets);
    play(&mut o, &[mv("red", "cruiser", "b2", &[]), resign("blue")]);
    assert_eq!(o.result(), outcome("win", Some("red"), true));
    let red = audit(&o, "red");
    assert_eq!(o.result_with(&[red]), outcome("win", Some("blue"), true));
    let mut struck = o.clone();
    struck.close(&[audit(&o, "red"), forfeit("blue")], None).unwrap();
    assert_eq!(struck.result(), outcome("none", None, false));
    assert_eq!((struck.caught(), struck.out()), (strings(&["red"]), strings(&["blue"])));
    let mut never = o.clone();
    never.close(&[forfeit("red"), audit(&o, "blue")], None).unwrap();
    assert_eq!(never.result(), outcome("win", Some("blue"), false));
    audit_all(&mut o);
    assert_eq!(o.result(), outcome("win", Some("blue"), false));

    // Three seats: nobody wins.
    let mut o = started(
        "wedges3",
        &[("red", "wgb", "wgb", "wgb"), ("blue", "wgb", "wgb", "bbb"), ("green", "wgb", "wgb", "wgb")],
    );
    play(&mut o, &[resign("red"), mv("blue", "cruiser", "b33", &[]), resign("green")]);
    assert_eq!(o.result(), outcome("win", Some("blue"), true));
    audit_all(&mut o);
    assert_eq!(o.result(), outcome("none", None, false));
}

#[test]
fn sb_23_sharers_of_a_draw() {
    for (cheats, kind, seat) in [
        (&[][..], "draw", None),
        (&["red"][..], "draw", None),
        (&["red", "green"][..], "win", Some("blue")),
        (&["red", "blue", "green"][..], "none", None),
    ] {
        let layers = |seat: &str| if cheats.contains(&seat) { "wwb" } else { "wgb" };
        let mut o = started(
            "wedges3",
            &[
                ("red", "wgb", "wgb", layers("red")),
                ("blue", "wgb", "wgb", layers("blue")),
                ("green", "wgb", "wgb", layers("green")),
            ],
        );
        play(
            &mut o,
            &[
                mv("red", "cruiser", "a33", &[]).offering(),
                mv("blue", "cruiser", "b33", &[]).offering(),
                mv("green", "cruiser", "c33", &[]),
                mv("red", "cruiser", "a44", &[]).offering(),
                mv("blue", "cruiser", "b44", &[]).offering(),
                mv("green", "cruiser", "c44", &[]).offering(),
            ],
        );
        assert_eq!(o.result(), outcome("draw", None, true));
        assert_eq!(o.quiet_turns(), 6);
        audit_all(&mut o);
        assert_eq!(o.result(), outcome(kind, seat, false));
    }
}

#[test]
fn sb_21_offers() {
    let fleets =
        [("red", "wgb", "wgb", "wgb"), ("blue", "wgb", "wgb", "wgb"), ("green", "wgb", "wgb", "wgb")];
    // An offer lapses with the next order that has none.
    let mut o = started("wedges3", &fleets);
    play(
        &mut o,
        &[
            mv("red", "cruiser", "a33", &[]).offering(),
            mv("blue", "cruiser", "b33", &[]).offering(),
            mv("green", "cruiser", "c33", &[]),
            mv("red", "cruiser", "a44", &[]),
            mv("blue", "cruiser", "b44", &[]).offering(),
            mv("green", "cruiser", "c44", &[]).offering(),
        ],
    );
    assert_eq!(o.result(), None);
    assert_eq!(o.offers(), ["blue", "green"]);
    // When somebody goes out, all lapse.
    let mut left = o.clone();
    play(&mut left, &[resign("red")]);
    assert_eq!((left.result(), left.offers()), (None, vec![]));
    // A draw is agreed even with a defence awaited.
    set_up(&mut o, &[("red", "cruiser", "a11"), ("blue", "frigate", "b11"), ("green", "frigate", "c44")]);
    refused(&o, resign("red").offering(), "P-7");
    play(&mut o, &[mv("red", "cruiser", "b11", &[("cruiser", "secondary")]).offering()]);
    assert_eq!(o.result(), outcome("draw", None, true));
    assert_eq!((o.phase(), o.quiet_turns()), ("audit", 6));
}

#[test]
fn sb_19_the_final_battle() {
    let o = two_ships(["wgb", "bgw"], 9);
    refused(&o, last_fight("blue", &[("frigate", "secondary")]), "SB-19");
    // White on white, the darker wins: red attacks with white and loses at once, for all its tertiary.
    let mut o = two_ships(["wgb", "bgw"], 10);
    refused(&o, claim("red"), "SB-20");
    refused(&o, last_fight("red", &[]), "P-7");
    play(&mut o, &[last_fight("red", &[("frigate", "secondary")])]);
    assert_eq!(o.phase(), "defend");
    play(&mut o, &[defend("blue", &[("frigate", "secondary")])]);
    assert_eq!(o.result(), outcome("win", Some("blue"), true));
    assert_eq!((o.out(), o.quiet_turns()), (strings(&["red"]), 0));
    // The defender loses: it opens no tertiary, and the winner stays.
    let mut o = two_ships(["bgw", "wgb"], 10);
    let before = square(&o, "red", "frigate");
    play(&mut o, &[last_fight("red", &[("frigate", "secondary")])]);
    refused(&o, defend("blue", &[("frigate", "secondary"), ("frigate", "tertiary")]), "P-7");
    let mut left = o.clone();
    play(&mut left, &[resign("blue")]);
    assert_eq!(square(&left, "red", "frigate"), before);
    play(&mut o, &[defend("blue", &[("frigate", "secondary")])]);
    assert_eq!(o.result(), outcome("win", Some("red"), true));
    assert_eq!(square(&o, "red", "frigate"), before);
    audit_all(&mut o);
}

#[test]
fn sb_20_the_claim() {
    refused(&two_ships(["wgb", "bgw"], 11), claim("blue"), "SB-20");
    let mut o = two_ships(["wgb", "bgw"], 12);
    refused(&o, claim("blue"), "SB-20");
    play(&mut o, &[claim("red")]);
    assert_eq!(o.result(), outcome("draw", None, true));
    assert_eq!(o.quiet_turns(), 12);

    // One that is out claims.
    let mut o = started(
        "wedges3",
        &[("red", "wgb", "wgb", "wgb"), ("blue", "wgb", "wgb", "wgb"), ("green", "wgb", "wgb", "wgb")],
    );
    set_up(&mut o, &[("red", "frigate", "a44"), ("blue", "frigate", "b44"), ("green", "frigate", "c44")]);
    play(&mut o, &[resign("red")]);
    assert_eq!(o.awaits(), ["blue"]);
    for i in 0..12 {
        assert_eq!(o.quiet_turns(), i);
        refused(&o, claim("red"), "SB-20");
        let (seat, squares) = if i % 2 == 0 { ("blue", ["b43", "b44"]) } else { ("green", ["c43", "c44"]) };
        play(&mut o, &[mv(seat, "frigate", squares[i / 2 % 2], &[])]);
    }
    refused(&o, claim("green"), "SB-20");
    refused(&o, Order::new("blue", Action::AcceptDraw), "SB-20");
    play(&mut o, &[claim("red")]);
    assert_eq!((o.phase(), o.awaits()), ("answer-claim", strings(&["blue"])));
    refused(&o, claim("blue"), "SB-20");
    refused(&o, claim("red"), "SB-20");
    refused(&o, mv("blue", "frigate", "b43", &[]), "SB-20");
    assert_eq!(o.legal_orders("blue").len(), 3, "accept, final battle, resign");
    let mut accepted = o.clone();
    play(&mut accepted, &[Order::new("blue", Action::AcceptDraw)]);
    assert_eq!(accepted.result(), outcome("draw", None, true));
    assert_eq!((accepted.awaits(), accepted.quiet_turns()), (strings(&["red", "blue", "green"]), 12));
    let mut fought = o.clone();
    play(&mut fought, &[last_fight("blue", &[("frigate", "secondary")])]);
    assert_eq!(fought.awaits(), ["green"]);
    play(&mut fought, &[defend("green", &[("frigate", "secondary")])]);
    assert_eq!(fought.result(), outcome("win", Some("green"), true), "white meets white: it loses");
    play(&mut o, &[ruling("draw")]);
    assert_eq!((o.phase(), o.result()), ("audit", outcome("draw", None, true)));
}
