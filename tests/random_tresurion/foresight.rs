//! The cheat with a forked game file: it makes a player open one nonce for two rolls.
//!
//! Red fires one harmless shot, and Blue answers with its roll: now Red has both nonces of the
//! step. If Blue could be made to roll again after ANOTHER round of Red at the same head, Red
//! would choose that round with all of its dice known beforehand, since both nonces are the ones
//! that are due there. The rules cannot see it: each branch alone is a perfect game file. Blue's
//! journal is what prevents it.

use std::sync::Arc;

use sealed_orders::crypto::{Identity, Roll, roll};
use sealed_orders::document::{Node, canonical};
use sealed_orders::games::{Keyholder, Phase, Script, by_rules};
use sealed_orders::ident::{Fresh, GameNonce, Head, Nonce, SeatIndex, Time};
use sealed_orders::log::{
    Fate, GameFile, Header, Intent, Journal, Player, SignedOrder, Verified, write_game_file,
};
use sealed_orders::turn::{Extras, Replay, Verdict, adjudicate, position, sign};
use zeroize::Zeroizing;

use super::dice::Dice;

struct Duel {
    header: Arc<Header>,
    identities: [Identity; 2],
    kept: [Option<Node>; 2],
    orders: Vec<Verified>,
    clock: i64,
}

impl Duel {
    fn new(dice: &mut Dice) -> Duel {
        let identities = [0, 1].map(|_| Identity::from_seed(&Zeroizing::new(dice.bytes())));
        let players = ["red", "blue"].into_iter().zip(&identities).map(|(seat, identity)| Player {
            seat: seat.parse().unwrap(),
            name: seat.to_owned(),
            mail: format!("{seat}@example.org"),
            key: identity.public(),
        });
        let options =
            by_rules("tresurion/1").unwrap().options(2, &std::collections::BTreeMap::new()).unwrap();
        let created = Time::from_unix_seconds(1_800_000_000).unwrap();
        let nonce = GameNonce::new(dice.bytes());
        let header =
            Header::new("tresurion/1", "A duel", created, nonce, options, players.collect(), None).unwrap();
        Duel {
            header: Arc::new(header),
            identities,
            kept: [None, None],
            orders: Vec::new(),
            clock: 1_800_000_000,
        }
    }

    fn replay(&self) -> Replay {
        adjudicate(&self.header, &[], &self.orders).unwrap().replay
    }

    fn by(&self, seat: SeatIndex) -> Keyholder<'_> {
        let place = seat.place();
        Keyholder { seat, identity: &self.identities[place], kept: self.kept[place].as_ref() }
    }

    fn sign(
        &mut self,
        replay: &Replay,
        seat: SeatIndex,
        script: Option<&Script>,
        dice: &mut Dice,
    ) -> Verified {
        self.clock += 60;
        let state = replay.state();
        let composed = match (state.phase(), script) {
            (Phase::Seal, _) => {
                let fleet = state.random_fleet(seat, &dice.bytes()).unwrap();
                state.seal(self.by(seat), &fleet, Fresh::new(dice.bytes()))
            }
            (_, Some(script)) => state.compose(self.by(seat), script),
            (_, None) => state.respond(self.by(seat)),
        }
        .unwrap();
        if composed.kept.is_some() {
            self.kept[seat.place()].clone_from(&composed.kept);
        }
        let time = Time::from_unix_seconds(self.clock).unwrap();
        sign(replay, self.by(seat), composed, &Extras::default(), time).unwrap()
    }

    /// The same game with some orders more, taken in as a copy that somebody mails: as a file.
    fn forked(&self, more: &[&Verified]) -> Replay {
        let orders: Vec<Verified> = self.orders.iter().chain(more.iter().copied()).cloned().collect();
        let replay = adjudicate(&self.header, &[], &orders).unwrap().replay;
        assert_eq!(replay.orders().count(), orders.len(), "all of them stand");
        let text = write_game_file(&self.header, &position(&replay).into(), replay.entries());
        Replay::of_file(&GameFile::parse(&text).unwrap()).expect("a perfect game file")
    }
}

/// Moves and shots of a script, as lines.
fn lines(script: &Script) -> (Vec<String>, Vec<(String, String)>) {
    let (mut moves, mut shots) = (Vec::new(), Vec::new());
    for line in script.lines() {
        match line.words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [ship, "fires", target] => shots.push(((*ship).to_owned(), (*target).to_owned())),
            words => moves.push(words.join(" ")),
        }
    }
    (moves, shots)
}

fn round(moves: &[String], shots: &[(String, String)]) -> Script {
    let shots = shots.iter().map(|(ship, target)| format!("{ship} fires {target}"));
    Script::read(&moves.iter().cloned().chain(shots).collect::<Vec<_>>().join("\n"))
}

fn nonce_of(order: &Verified) -> Nonce {
    order.order().details().nearest("dice.nonce").as_text().unwrap().parse().unwrap()
}

fn intent<'a>(header: &Header, replay: &Replay, action: &'a str, details: &'a Node) -> Intent<'a> {
    Intent { game: header.id(), after: replay.head(), step: replay.step(), action, details, draw: false }
}

#[test]
fn no_journal_opens_one_nonce_for_two_rolls() {
    let mut dice = Dice::new(3, 0);
    let mut duel = Duel::new(&mut dice);
    let mut tried = 0;
    loop {
        let replay = duel.replay();
        let state = replay.state();
        assert_ne!(state.phase(), Phase::Over, "no round was good for the cheat");
        if state.phase() == Phase::Round {
            let cheat = state.awaited()[0];
            let sample = state.sample(cheat, &dice.bytes()).unwrap();
            let (moves, shots) = lines(&sample);
            if shots.len() >= 3 {
                tried += 1;
                if cheats(&mut duel, &replay, cheat, &moves, &shots, &mut dice) {
                    break;
                }
            }
            let order = duel.sign(&replay, cheat, Some(&sample), &mut dice);
            duel.orders.push(order);
        } else {
            for seat in replay.missing() {
                let order = duel.sign(&replay, seat, None, &mut dice);
                duel.orders.push(order);
            }
        }
    }
    println!("the cheat worked at try {tried}, in step {}", duel.replay().step());
}

/// Whether the cheat had a better round to choose with the dice known.
fn cheats(
    duel: &mut Duel,
    replay: &Replay,
    cheat: SeatIndex,
    moves: &[String],
    shots: &[(String, String)],
    dice: &mut Dice,
) -> bool {
    let header = Arc::clone(&duel.header);
    let game = header.id();
    let victim = header.by_seat(|_| ()).seats().find(|seat| *seat != cheat).unwrap();
    let turn = super::compare::number(&replay.state().position(), "turn");

    // The honest branch: one shot, and the victim's roll, which its journal notes.
    let bait = duel.sign(replay, cheat, Some(&round(moves, &shots[..1])), dice);
    let first = duel.forked(&[&bait]);
    let answer = duel.sign(&first, victim, None, dice);
    let honest = duel.forked(&[&bait, &answer]);
    let mut journal = Journal::new(duel.identities[victim.place()].public());
    for order in honest.orders().filter(|order| order.order().seat == *header.seat(victim)) {
        journal.note(SignedOrder::read(&order.written()).unwrap());
    }
    let journal =
        Journal::parse(&journal.to_toml().unwrap(), duel.identities[victim.place()].public()).unwrap();

    // Both nonces are known now. With them the cheat computes dice of rounds that it has not made.
    let nonces: Vec<_> = [(cheat, nonce_of(&bait)), (victim, nonce_of(&answer))]
        .into_iter()
        .map(|(seat, nonce)| (header.seat(seat).clone(), nonce))
        .collect();
    let foreseen =
        |label: String, sides: u32| roll(&game, Roll { label, sides, nonces: nonces.clone() }).value;
    let attack = |(ship, target): &(String, String)| {
        let label = format!("attack {turn} {}/{ship} {}/{target}", header.seat(cheat), header.seat(victim));
        foreseen(label, 20)
    };
    // Only shots that will hit: a target's movement rate is ten less its digits.
    let will_hit = |shot: &(String, String)| {
        let size: u32 = shot.1.chars().filter_map(|digit| digit.to_digit(10)).sum();
        attack(shot) >= 20 - size
    };
    let sure: Vec<(String, String)> = shots.iter().filter(|shot| will_hit(shot)).cloned().collect();
    if sure.is_empty() || sure.len() == shots.len() || sure == shots[..1] {
        return false;
    }

    // The other branch: at the same head, another round of the cheat.
    let loaded = duel.sign(replay, cheat, Some(&round(moves, &sure)), dice);
    assert_eq!(loaded.order().after, bait.order().after);
    assert_eq!(nonce_of(&loaded), nonce_of(&bait), "it is the nonce that is due");
    let second = duel.forked(&[&loaded]);
    assert_eq!(second.missing(), [victim]);

    // What the victim would sign there opens the nonce that it has opened already.
    let composed = second.state().respond(duel.by(victim)).unwrap();
    assert_eq!(composed.action, "roll");
    assert_eq!(canonical(&composed.details), canonical(answer.order().details()));

    // With its journal it does not, whatever it believes of the branch that it has left.
    let wanted = intent(&header, &second, composed.action, &composed.details);
    let on_chain =
        |head: &Head| *head == second.head() || second.steps().iter().any(|step| step.after == *head);
    let stands = |signed: &SignedOrder| second.orders().any(|order| order.digest() == signed.digest());
    for of_the_rest in [Fate::Lost, Fate::Void, Fate::Stands] {
        let fate = |signed: &SignedOrder| if stands(signed) { Fate::Stands } else { of_the_rest };
        let fault = journal.permit(&wanted, fate, on_chain).unwrap_err();
        assert_eq!(fault.code.as_str(), "journal-forbids");
        assert!(fault.message.contains("nonce"), "{fault:?}");
    }
    // On its own branch it may send the same order again.
    let again = intent(&header, &first, "roll", answer.order().details());
    let same = journal.permit(&again, |_| Fate::Stands, |_| true).unwrap();
    assert_eq!(same.unwrap().digest(), answer.digest());

    // Without the journal nothing stops it, and every die is the foreseen one.
    let fooled = duel.sign(&second, victim, None, dice);
    assert_eq!(nonce_of(&fooled), nonce_of(&answer));
    let cheated = duel.forked(&[&loaded, &fooled]);
    let step = cheated.steps().last().unwrap();
    let attacks: Vec<u32> = step
        .rolls
        .iter()
        .filter(|rolled| rolled.roll.label.starts_with("attack "))
        .map(|rolled| rolled.value)
        .collect();
    assert_eq!(attacks, sure.iter().map(attack).collect::<Vec<_>>());
    for rolled in &step.rolls {
        assert_eq!(foreseen(rolled.roll.label.clone(), rolled.roll.sides), rolled.value, "{rolled:?}");
    }
    let damage = step.rolls.iter().filter(|rolled| rolled.roll.label.starts_with("damage ")).count();
    assert_eq!(damage, sure.len(), "every shot hits");

    // The two rounds contradict each other: whoever has both sees who cheated.
    assert!(!loaded.same_decision(&bait));
    let file: Vec<Verified> = cheated.orders().cloned().collect();
    let both = adjudicate(&header, &file, &[bait]).unwrap();
    assert!(matches!(both.verdicts[0], Verdict::Refused(_)), "{:?}", both.verdicts);
    true
}
