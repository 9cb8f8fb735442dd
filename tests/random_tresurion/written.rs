//! The finished game as a file: read back, and found again from its orders in any order.

use sealed_orders::log::{GameFile, Verified, write_game_file};
use sealed_orders::turn::{Replay, Verdict, adjudicate, compare_position, position};

use super::compare;
use super::play::Play;

fn written(replay: &Replay) -> String {
    write_game_file(replay.header(), &position(replay).into(), replay.entries())
}

impl Play {
    pub fn is_written_and_read_back(&mut self) {
        let chain: Vec<Verified> = self.steps.iter().flat_map(|step| &step.orders).cloned().collect();
        let straight = adjudicate(&self.party.header, &[], &chain).unwrap();
        assert_eq!(straight.replay.head(), self.head);
        assert_eq!(straight.replay.step(), self.steps.len() as u64);
        let dice: Vec<_> = straight.replay.rolls().map(|(step, rolled)| (step, rolled.clone())).collect();
        let played: Vec<_> = (0..)
            .zip(&self.steps)
            .flat_map(|(step, closed)| closed.rolls.iter().map(move |rolled| (step, rolled.clone())))
            .collect();
        assert_eq!(dice, played);
        if let Some(game) = &self.oracle {
            compare::same(&self.party.header, straight.replay.state(), game, self.ruled.as_ref());
        }
        let text = written(&straight.replay);

        let file = GameFile::parse(&text).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        let replay = Replay::of_file(&file).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        assert_eq!(replay.head(), self.head);
        assert_eq!(compare_position(&replay, file.position.as_ref().unwrap()), Ok(vec![]));
        assert_eq!(written(&replay), text, "written again");

        let mut shuffled = chain.clone();
        self.dice.shuffle(&mut shuffled);
        let all = adjudicate(&self.party.header, &[], &shuffled).unwrap();
        assert_eq!(written(&all.replay), text, "the orders in another order");
        assert!(all.verdicts.iter().all(|verdict| *verdict == Verdict::Accepted), "{:?}", all.verdicts);
        assert!(all.dropped.is_empty());

        // Half of them first, as a file; then everything, so that some come twice.
        let half = &shuffled[..shuffled.len() / 2];
        let first = adjudicate(&self.party.header, &[], half).unwrap().replay;
        let file: Vec<Verified> = first.orders().cloned().collect();
        let all = adjudicate(&self.party.header, &file, &shuffled).unwrap();
        // The arbiter's entry may come too late for a file whose result is final: not here, for
        // the file has no orders that do not stand.
        assert_eq!(written(&all.replay), text, "in two parts");
        self.counts.add("arrival: in another order, and in two parts");
    }
}
