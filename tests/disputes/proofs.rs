//! Where a proof stands: for any order in which its parts come in, the same.

use sealed_orders::games::{Outcome, Standing};
use sealed_orders::ident::OrderDigest;
use sealed_orders::log::{Entry, GameFile, ProofFile, Proven, Verified, close_step, write_proof_file};
use sealed_orders::turn::{Replay, Verdict, adjudicate, check_proof_file};

use crate::club::{Club, with};
use crate::situations::{Running, audit, standoff};

fn proof_of(one: &Verified, other: &Verified) -> Proven {
    Proven::new(one.clone(), other.clone(), None).unwrap()
}

/// Takes entries in one by one, in every order of the last few, and writes the file; it must
/// always be the same, and hold by itself.
fn whatever_comes_first(club: &Club, known: &[Entry], late: &[Entry]) -> Replay {
    let mut texts = Vec::new();
    for order in orders_of(late.len()) {
        let mut filed: Vec<Entry> = club.replay(known).entries().cloned().collect();
        let mut waiting: Vec<Entry> = Vec::new();
        for place in order {
            // What waits, and what was dropped, is tried again, as `apply` and the players do.
            waiting.push(late[place].clone());
            let taken = adjudicate(&club.header, &filed, &waiting).unwrap();
            waiting.extend(taken.dropped.iter().cloned());
            filed = taken.replay.entries().cloned().collect();
        }
        let last = adjudicate(&club.header, &filed, &waiting).unwrap().replay;
        texts.push(club_text(club, &last));
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "every order of arrival gives the same file:\n{}", texts.join("\n\n"));
    let read = GameFile::parse(&texts[0]).unwrap();
    Replay::of_file(&read).unwrap_or_else(|fault| panic!("{fault:?}\n{}", texts[0]))
}

fn club_text(club: &Club, replay: &Replay) -> String {
    let position = sealed_orders::turn::position(replay).into();
    sealed_orders::log::write_game_file(&club.header, &position, replay.entries())
}

fn orders_of(length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    orders_of(length - 1)
        .into_iter()
        .flat_map(|order| {
            (0..length).map(move |place| {
                let mut longer = order.clone();
                longer.insert(place, length - 1);
                longer
            })
        })
        .collect()
}

/// The step in which a proof against a seat stands.
fn place_of_proof(replay: &Replay, club: &Club, seat: &str) -> Option<u64> {
    let proven = |legal: &sealed_orders::games::Legal| legal.standing() == Standing::Proven(club.index(seat));
    replay
        .steps()
        .iter()
        .find(|step| step.orders.iter().any(proven))
        .map(|step| step.number)
        .or_else(|| replay.open().iter().any(proven).then(|| replay.step()))
}

fn entries_of(orders: &[&Verified]) -> Vec<Entry> {
    orders.iter().map(|order| Entry::from((*order).clone())).collect()
}

#[test]
fn nobody_has_built_so_the_proof_stands_at_the_fork() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let before = club.replay(entries);
    let mut late = entries_of(&[&one, &other]);
    late.push(proof_of(&one, &other).into());
    let replay = whatever_comes_first(club, entries, &late);
    assert_eq!(place_of_proof(&replay, club, "red"), Some(before.step()));
    let mut pair = [one.digest(), other.digest()];
    pair.sort();
    assert_eq!(replay.head(), close_step(&before.head(), &pair), "it counts as both digests, ascending");
    assert_eq!(club.awaited(&replay.entries().cloned().collect::<Vec<_>>()), ["blue"], "the others play on");
    let position = replay.state().position();
    let listed = |key: &str| sealed_orders::document::canonical(position.get(key).unwrap());
    assert_eq!((listed("out"), listed("caught")), (r#"["red"]"#.to_owned(), r#"["red"]"#.to_owned()));
}

#[test]
fn others_built_on_one_branch_so_the_proof_waits_for_the_next_order() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let on_one = with(entries, &[&one]);
    let answer = running.next(&on_one);
    let answered = with(&on_one, &[&answer]);
    let proof = proof_of(&one, &other);
    // Now green is awaited: the proof has to wait.
    let taken = adjudicate(&club.header, &answered, &[proof.clone().into()]).unwrap();
    assert!(matches!(&taken.verdicts[..], [Verdict::Waiting(fault)] if fault.code.as_str() == "not-awaited"));
    assert_eq!(taken.replay.head(), club.replay(&answered).head());
    let green = running.next(&answered);
    let further = with(&answered, &[&green]);
    let mut late = entries_of(&[&one, &other, &answer, &green]);
    late.push(proof.into());
    let replay = whatever_comes_first(club, entries, &late);
    let fork = club.replay(entries).step();
    assert_eq!(place_of_proof(&replay, club, "red"), Some(fork + 3), "at the next order of red");
    assert_eq!(replay.steps()[usize::try_from(fork + 3).unwrap()].after, club.replay(&further).head());
    // The order that red gives there meanwhile is dropped, unless others have built on it.
    let mut more = late;
    let again = running.next(&further);
    more.truncate(5);
    let with_again: Vec<Entry> = [more[4].clone(), again.clone().into()].into();
    let replay = whatever_comes_first(club, &further, &with_again);
    assert_eq!(place_of_proof(&replay, club, "red"), Some(fork + 3));
    let longer = with(&further, &[&again]);
    let blue = running.next(&longer);
    let replay = whatever_comes_first(club, &further, &[more[4].clone(), again.into(), blue.into()]);
    assert_eq!(
        place_of_proof(&replay, club, "red"),
        None,
        "blue built on it, and red is awaited no more yet"
    );
    assert_eq!(replay.step(), fork + 5);
}

#[test]
fn different_writers_built_on_both_so_it_stands_at_the_fork_with_what_shows_it() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let (on_one, on_other) = (with(entries, &[&one]), with(entries, &[&other]));
    let (answer, forfeit) = (running.next(&on_one), club.forfeit(&on_other, "blue"));
    let mut late = entries_of(&[&one, &other, &answer, &forfeit]);
    late.push(proof_of(&one, &other).into());
    let replay = whatever_comes_first(club, entries, &late);
    assert_eq!(place_of_proof(&replay, club, "red"), Some(club.replay(entries).step()));
    let entry = replay.entries().find_map(Entry::proof).unwrap();
    let shown: Vec<OrderDigest> = entry.built().iter().map(Verified::digest).collect();
    let mut both = vec![answer.digest(), forfeit.digest()];
    both.sort();
    assert_eq!(shown, both, "the two orders behind the branches");
    // Whoever has only this file, and gets one of the two orders late, has the same game still.
    let filed: Vec<Entry> = replay.entries().cloned().collect();
    for late in [&one, &answer, &forfeit] {
        let taken = adjudicate(&club.header, &filed, &[late.clone().into()]).unwrap();
        assert_eq!(taken.replay.head(), replay.head());
    }
    // Without what shows it, the file does not hold against one branch known; the entry alone does.
    let bare = entry.with_built(Vec::new());
    let without: Vec<Entry> = entries.iter().cloned().chain([bare.into()]).collect();
    let taken = adjudicate(&club.header, &without, &[answer.into()]).unwrap();
    assert_eq!(place_of_proof(&taken.replay, club, "red"), None, "one branch is built on, so it stands");
}

#[test]
fn who_builds_on_both_branches_has_built_on_neither() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let (on_one, on_other) = (with(entries, &[&one]), with(entries, &[&other]));
    let (answer, helper) = (running.next(&on_one), running.next(&on_other));
    let mut late = entries_of(&[&one, &other, &answer, &helper]);
    late.push(proof_of(&one, &other).into());
    let replay = whatever_comes_first(club, entries, &late);
    assert_eq!(place_of_proof(&replay, club, "red"), Some(club.replay(entries).step()));
    // A helper of red who signs behind an old branch too cannot undo what the third has built.
    let answered = with(&on_one, &[&answer]);
    let green = running.next(&answered);
    let known = with(&answered, &[&green]);
    let late = [helper.into(), Entry::from(other.clone()), proof_of(&one, &other).into()];
    let replay = whatever_comes_first(club, &known, &late);
    assert_eq!(
        place_of_proof(&replay, club, "red"),
        Some(club.replay(&known).step()),
        "what green built on stands"
    );
    assert_eq!(replay.orders().filter(|order| order.digest() == green.digest()).count(), 1);
}

#[test]
fn of_several_proofs_the_smallest_pair_stands() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let orders: Vec<Verified> = [0, 2, 4].map(|choice| club.any_order(entries, "red", choice)).into();
    let mut digests: Vec<OrderDigest> = orders.iter().map(Verified::digest).collect();
    digests.sort();
    let proofs =
        [(0, 1), (0, 2), (1, 2)].map(|(one, other)| Entry::from(proof_of(&orders[one], &orders[other])));
    let replay = whatever_comes_first(club, entries, &proofs);
    let stands = replay.entries().find_map(Entry::proof).unwrap();
    assert_eq!(stands.digests().to_vec(), digests[..2]);
}

#[test]
fn a_mover_that_answered_a_claim_and_moved_too() {
    let (club, entries) = standoff();
    let mover = club.awaited(&entries).remove(0);
    let claim = club.order(&entries, "green", "claim-draw");
    let battle = club.order(&entries, &mover, "final-battle");
    let answer = club.order(&with(&entries, &[&claim]), &mover, "accept-draw");
    let proof = Proven::new(battle.clone(), answer.clone(), Some(claim.clone())).unwrap();
    let late: Vec<Entry> =
        entries_of(&[&claim, &battle, &answer]).into_iter().chain([proof.into()]).collect();
    let replay = whatever_comes_first(&club, &entries, &late);
    assert_eq!(place_of_proof(&replay, &club, &mover), Some(club.replay(&entries).step()));
    let winner = if mover == "red" { "blue" } else { "red" };
    assert_eq!(replay.ending().unwrap().outcome, Outcome::Win(club.index(winner)));
}

/// The other seat has opened its shields after the answer, so the claim stands, and the answer:
/// the proof comes in the place of the mover's audit.
#[test]
fn others_built_on_the_claim_so_the_claim_stands() {
    let (club, entries) = standoff();
    let mover = club.awaited(&entries).remove(0);
    let other = if mover == "red" { "blue" } else { "red" };
    let claim = club.order(&entries, "green", "claim-draw");
    let battle = club.order(&entries, &mover, "final-battle");
    let claimed = with(&entries, &[&claim]);
    let answer = club.order(&claimed, &mover, "accept-draw");
    let answered = with(&claimed, &[&answer]);
    let audit = club.respond(&answered, other);
    let proof = Proven::new(battle.clone(), answer.clone(), Some(claim.clone())).unwrap();
    let late: Vec<Entry> =
        entries_of(&[&claim, &battle, &answer, &audit]).into_iter().chain([proof.into()]).collect();
    let replay = whatever_comes_first(&club, &entries, &late);
    assert_eq!(place_of_proof(&replay, &club, &mover), Some(club.replay(&answered).step()), "in the audit");
    for stands in [&claim, &answer, &audit] {
        assert!(replay.orders().any(|order| order.digest() == stands.digest()));
    }
    let ending = replay.ending().unwrap();
    assert_eq!(ending.outcome, Outcome::Win(club.index(other)), "the mover shares no draw any more");
}

/// Of two claims the one stands on which others have built, not the one that only the proven
/// mover has answered.
#[test]
fn the_arbiter_built_on_another_claim() {
    let (club, entries) = standoff();
    let mover = club.awaited(&entries).remove(0);
    let (green, gold) =
        (club.order(&entries, "green", "claim-draw"), club.order(&entries, "gold", "claim-draw"));
    let battle = club.order(&entries, &mover, "final-battle");
    let answer = club.order(&with(&entries, &[&green]), &mover, "accept-draw");
    let forfeit = club.forfeit(&with(&entries, &[&gold]), &mover);
    let proof = Proven::new(battle.clone(), answer.clone(), Some(green.clone())).unwrap();
    let known: Vec<Entry> =
        entries.iter().cloned().chain(entries_of(&[&green, &gold, &battle, &answer, &forfeit])).collect();
    let taken = adjudicate(&club.header, &known, &[proof.into()]).unwrap().replay;
    assert!(taken.orders().any(|order| order.digest() == gold.digest()), "gold's claim stands");
    assert!(taken.orders().any(|order| order.digest() == forfeit.digest()), "and what is built on it");
}

#[test]
fn before_the_battle_and_after_it() {
    // At the sealing the game is void, at the deployment the seat is out.
    let start = Club::new("shield-bashers/1", &["red", "blue", "green"], 7);
    let (one, other) = (start.seal(&[], "red", 1), start.seal(&[], "red", 5));
    let others = with(&[], &[&start.seal(&[], "blue", 2), &start.seal(&[], "green", 3)]);
    let late: Vec<Entry> =
        entries_of(&[&one, &other]).into_iter().chain([proof_of(&one, &other).into()]).collect();
    let replay = whatever_comes_first(&start, &others, &late);
    assert_eq!(replay.ending().unwrap().outcome, Outcome::Void("red".to_owned()));
    let mut sealed = Vec::new();
    start.play(&mut sealed, 1, 0);
    let (one, other) = (start.respond(&sealed, "green"), start.order(&sealed, "green", "resign"));
    let known = with(&sealed, &[&start.respond(&sealed, "red"), &start.respond(&sealed, "blue")]);
    let late: Vec<Entry> =
        entries_of(&[&one, &other]).into_iter().chain([proof_of(&one, &other).into()]).collect();
    let replay = whatever_comes_first(&start, &known, &late);
    assert_eq!(place_of_proof(&replay, &start, "green"), Some(1));
    assert_eq!(replay.counted().phase().as_str(), "move", "red and blue play on");
    // In the audit the seat is struck out: here blue would have won.
    let (club, owed) = audit();
    let last = owed.len() - 1;
    let (before, resigns) = (&owed[..last], owed[last].order().unwrap());
    let moves = club.any_order(before, "red", 0);
    let proof = proof_of(resigns, &moves);
    // Nobody has built on red's resignation: the proof stands in its place, and blue has won.
    let replay = whatever_comes_first(&club, &owed, &[proof.into()]);
    assert_eq!(place_of_proof(&replay, &club, "red"), Some(club.replay(before).step()));
    assert_eq!(replay.ending().unwrap().outcome, Outcome::Win(club.index("blue")));
    let winner = audited_equivocator();
    assert_ne!(winner, Outcome::Win(club.index("blue")), "blue is struck out, and red resigned");
}

/// Blue moved twice in an early step, red built on one; red resigns; then the proof comes.
fn audited_equivocator() -> Outcome {
    let club = Club::new("shield-bashers/1", &["red", "blue"], 6);
    let mut entries = club.deployed();
    while club.awaited(&entries) != ["blue"] {
        club.play(&mut entries, 1, 0);
    }
    let (one, other) = (club.any_order(&entries, "blue", 0), club.any_order(&entries, "blue", 2));
    let on_one = with(&entries, &[&one]);
    let owed = with(&on_one, &[&club.order(&on_one, "red", "resign")]);
    let red = with(&owed, &[&club.respond(&owed, "red"), &club.respond(&owed, "blue")]);
    let replay = whatever_comes_first(&club, &red, &[proof_of(&one, &other).into()]);
    assert!(place_of_proof(&replay, &club, "blue").is_some(), "in the place of the audit");
    replay.ending().unwrap().outcome
}

#[test]
fn in_tresurion_the_other_has_won() {
    let duel = Club::new("tresurion/1", &["red", "blue"], 9);
    let entries = duel.deployed();
    let first = duel.awaited(&entries).remove(0);
    let (one, other) = (duel.any_order(&entries, &first, 1), duel.any_order(&entries, &first, 2));
    let late: Vec<Entry> =
        entries_of(&[&one, &other]).into_iter().chain([proof_of(&one, &other).into()]).collect();
    let replay = whatever_comes_first(&duel, &entries, &late);
    let winner = if first == "red" { "blue" } else { "red" };
    assert_eq!(replay.ending().unwrap().outcome, Outcome::Win(duel.index(winner)));
}

#[test]
fn what_is_no_proof() {
    let running = Running::new();
    let Running { club, entries } = &running;
    let (one, other) = running.two_moves(entries);
    let code = |one: &Verified, other: &Verified| {
        Proven::new(one.clone(), other.clone(), None).unwrap_err().code.as_str()
    };
    let later = club.order_said(entries, "red", &club.choices(entries, "red")[0], Some("Words."), 50);
    assert_eq!(code(&one, &later), "no-proof", "the same decision");
    let next = running.next(&with(entries, &[&one]));
    assert_eq!(code(&one, &next), "no-proof", "two seats");
    assert_eq!(
        code(
            &club.forfeit(entries, "red"),
            &club.arbiter(entries, "ruling", &[("result", "void"), ("reason", "So.")])
        ),
        "no-proof",
        "the arbiter does not play"
    );
    let proof = proof_of(&one, &other);
    let filed = |proof: Proven| {
        let all: Vec<Entry> = entries.iter().cloned().chain([proof.into()]).collect();
        let text = club.file_as_it_is(&all, entries);
        Replay::of_file(&GameFile::parse(&text).unwrap()).map(|replay| replay.step())
    };
    let step = club.replay(entries).step();
    assert_eq!(filed(proof.clone()), Ok(step + 1));
    assert_eq!(filed(proof.placed(proof.after(), step + 1)).unwrap_err().code.as_str(), "wrong-step");
    // In the place of another order than where it belongs.
    let on_one = with(entries, &[&one]);
    let answered = with(&on_one, &[&running.next(&on_one)]);
    let further = with(&answered, &[&running.next(&answered)]);
    let at = club.replay(&further);
    let misplaced: Vec<Entry> = with(&further, &[&running.next(&further)]);
    let last = club.replay(&misplaced);
    let wrong: Vec<Entry> =
        misplaced.iter().cloned().chain([proof.placed(last.head(), last.step()).into()]).collect();
    let text = club.file_as_it_is(&wrong, entries);
    assert_eq!(Replay::of_file(&GameFile::parse(&text).unwrap()).unwrap_err().code.as_str(), "not-awaited");
    let right: Vec<Entry> =
        further.iter().cloned().chain([proof.placed(at.head(), at.step()).into()]).collect();
    assert!(Replay::of_file(&GameFile::parse(&club.file_as_it_is(&right, entries)).unwrap()).is_ok());
    // A pair of which one was never legal.
    let mut elsewhere = sealed_orders::document::Table::default();
    elsewhere.push("ship", "frigate");
    elsewhere.push("to", "h8");
    let head = club.replay(entries).head();
    let illegal =
        club.forge(club.key("red"), "red", head, step, "move", elsewhere).verify(&club.header).unwrap();
    let bad = proof_of(&one, &illegal);
    assert_eq!(filed(bad.clone()).unwrap_err().code.as_str(), "illegal-move");
    let taken = adjudicate(&club.header, entries, &[bad.clone().into()]).unwrap();
    assert!(
        matches!(&taken.verdicts[..], [Verdict::Refused(fault)] if fault.code.as_str() == "illegal-move")
    );
    assert_eq!(taken.replay.head(), head);
    // The file of a proof, by itself.
    let file = |proof: &Proven, before: &[Entry]| {
        check_proof_file(&ProofFile::parse(&write_proof_file(&club.header, proof, before)).unwrap())
    };
    assert_eq!(file(&proof, entries).unwrap().digests(), proof.digests());
    assert_eq!(file(&bad, entries).unwrap_err().code.as_str(), "illegal-move");
    assert_eq!(file(&proof, &entries[..entries.len() - 1]).unwrap_err().code.as_str(), "no-proof");
    assert_eq!(file(&proof, &on_one).unwrap_err().code.as_str(), "no-proof");
}
