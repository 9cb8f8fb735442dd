//! The example that the README begins with: a game in the midst of a combat, and the mail
//! with the defence and the next move. It is cut out of the complete two-player example, so the program made
//! every byte of it. `SEALED_UPDATE=1` writes it anew.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use std::fs;
use std::path::{Path, PathBuf};

use sealed_orders::document::Node;
use sealed_orders::games::Phase;
use sealed_orders::log::{GameFile, write_game_file};
use sealed_orders::mail;
use sealed_orders::turn::{Replay, Step, position};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[test]
fn the_example_in_the_midst_is_cut_out_of_the_complete_one() {
    let whole = fs::read_to_string(examples().join("two-players/friday-night.game.toml")).unwrap();
    let file = GameFile::parse(&whole).unwrap();
    let replay = Replay::of_file(&file).unwrap();
    // The first defence of red whose next move fights nobody: then blue has a choice.
    let red = &replay.header().players()[0].seat;
    let steps = replay.steps();
    let of_red =
        |step: &Step, phase| step.phase == phase && step.orders[0].order().unwrap().order().seat == *red;
    let found = steps.windows(3).find(|run| {
        of_red(&run[0], Phase::Defend) && of_red(&run[1], Phase::Move) && run[2].phase == Phase::Move
    });
    let [defence, answer, _] = found.unwrap_or_else(|| panic!("the example has no such defence")) else {
        panic!("three steps were looked for")
    };
    let before = Replay::of_file_until(&file, defence.number).unwrap();
    let game = write_game_file(before.header(), &Node::from(position(&before)), before.entries());
    let letter = format!(
        "Dear Bert,\n\nthat was not nice of you. My defence:\n\n{}\nAnd since it is my turn now, here is my move as well.\n\n{}\nYours, Anna\n",
        mail::block(defence.orders[0].order().unwrap()),
        mail::block(answer.orders[0].order().unwrap())
    );
    let folder = examples().join("in-the-midst");
    for (name, wanted) in [("friday-night.game.toml", game), ("inbox/from-anna.txt", letter)] {
        let path = folder.join(name);
        if std::env::var_os("SEALED_UPDATE").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &wanted).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), wanted, "{}", path.display());
    }
}
