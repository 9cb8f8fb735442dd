//! The example that the README begins with: a game in the midst of a combat, and the mail
//! with the defence. It is cut out of the complete two-player example, so the program made
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
use sealed_orders::turn::{Replay, position};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[test]
fn the_example_in_the_midst_is_cut_out_of_the_complete_one() {
    let whole = fs::read_to_string(examples().join("two-players/friday-night.game.toml")).unwrap();
    let file = GameFile::parse(&whole).unwrap();
    let replay = Replay::of_file(&file).unwrap();
    // The first defence after which red has to move: the report then is one with a choice.
    let red = &replay.header().players()[0].seat;
    let steps = replay.steps();
    let cut = steps
        .windows(2)
        .find(|pair| {
            pair[0].phase == Phase::Defend
                && pair[1].phase == Phase::Move
                && pair[1].orders[0].verified().order().seat == *red
        })
        .unwrap_or_else(|| panic!("the example has no defence before a move of red"))[0]
        .number;
    let before = Replay::of_file_until(&file, cut).unwrap();
    let game = write_game_file(before.header(), &Node::from(position(&before)), before.orders());
    let defence = steps[usize::try_from(cut).unwrap()].orders[0].verified();
    let letter = format!("Dear Anna,\n\nyou will not like this.\n\n{}\nYours, Bert\n", mail::block(defence));
    let folder = examples().join("in-the-midst");
    for (name, wanted) in [("friday-night.game.toml", game), ("inbox/defence.txt", letter)] {
        let path = folder.join(name);
        if std::env::var_os("SEALED_UPDATE").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &wanted).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), wanted, "{}", path.display());
    }
}
