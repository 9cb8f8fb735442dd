//! A whole game of rounds between two homes that exchange nothing but the texts that the
//! commands write: no mail is needed only for dice, one mail goes with each change of seat.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sealed_orders::games::Phase;
use sealed_orders::log::GameFile;
use sealed_orders::turn::Replay;
use serde_json::Value;

const GAME: &str = "sector.game.toml";

/// From this step on both offer a draw with every round.
const PATIENCE: u64 = 24;

struct Player {
    home: PathBuf,
    seat: &'static str,
}

impl Player {
    fn sealed(&self, words: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_sealed"))
            .args(words)
            .current_dir(&self.home)
            .env_clear()
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("XDG_STATE_HOME", self.home.join("state"))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{} {words:?}: {text}{errors}", self.seat);
        text
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.sealed(&[words, &["--json"]].concat())).unwrap()
    }

    fn game(&self) -> String {
        fs::read_to_string(self.home.join(GAME)).unwrap()
    }

    fn replay(&self) -> Replay {
        Replay::of_file(&GameFile::parse(&self.game()).unwrap()).unwrap()
    }

    /// Takes in what the other has mailed; every order in it must fit at once.
    fn takes(&self, letter: &str) -> Value {
        fs::write(self.home.join("letter.txt"), letter).unwrap();
        let said = self.json(&["apply", "letter.txt", "--yes"]);
        for order in said["orders"].as_array().unwrap() {
            assert!(["accepted", "already known"].contains(&order["verdict"].as_str().unwrap()), "{said}");
        }
        said
    }
}

fn text_of(player: &Player, written: &Value) -> String {
    fs::read_to_string(player.home.join(written["mail"].as_str().unwrap())).unwrap()
}

#[test]
fn one_mail_goes_with_each_change_of_seat() {
    let top = tempfile::tempdir().unwrap();
    let players = ["red", "blue"].map(|seat| {
        let home = top.path().join(seat);
        fs::create_dir(&home).unwrap();
        Player { home, seat }
    });
    let fleets = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/fleets");
    for (player, fleet) in players.iter().zip(["line", "five-dreadnoughts"]) {
        player.sealed(&[
            "key",
            "new",
            "--name",
            player.seat,
            "--mail",
            &format!("{}@example.org", player.seat),
        ]);
        fs::copy(fleets.join(format!("{fleet}.fleet.toml")), player.home.join("my.fleet.toml")).unwrap();
    }
    let [red, blue] = &players;
    fs::copy(blue.home.join("blue.card.toml"), red.home.join("blue.card.toml")).unwrap();
    let seats = ["--seat", "red=red.card.toml", "--seat", "blue=blue.card.toml"];
    red.sealed(&[&["new", "tresurion", "--name", "Sector", "-o", GAME], &seats[..]].concat());
    fs::copy(red.home.join(GAME), blue.home.join(GAME)).unwrap();
    for words in [&["seal", "--fleet", "my.fleet.toml", "--yes"][..], &["deploy", "--yes"][..]] {
        let letters = players.each_ref().map(|player| text_of(player, &player.json(words)));
        red.takes(&letters[1]);
        blue.takes(&letters[0]);
    }

    let mut mails = 0;
    // Whose copy is the newest: only that player knows who is to act.
    let mut here = red;
    while here.replay().counted().phase() != Phase::Over {
        let replay = here.replay();
        let awaited = replay.missing()[0];
        let (mover, other) = if awaited.place() == 0 { (red, blue) } else { (blue, red) };
        let round =
            replay.state().sample(awaited, &[u8::try_from(replay.step() % 251).unwrap(); 32]).unwrap();
        let lines: Vec<String> = round.lines().iter().map(|line| line.words.join(" ")).collect();
        fs::write(mover.home.join("round.txt"), lines.join("\n")).unwrap();
        mover.sealed(&["try", "round.txt"]);
        let mut words = vec!["order", "-f", "round.txt", "--yes"];
        if replay.step() >= PATIENCE {
            words.push("--draw");
        }
        let written = mover.json(&words);
        mails += 1;
        let said = other.takes(&text_of(mover, &written));
        // The other has rolled what it owed. Its roll travels with its own round, unless the
        // round is the mover's again, or there is none any more.
        let rolled = &said["rolled"];
        let now = other.replay();
        let goes_on = now.missing().iter().any(|seat| now.header().seat(*seat).as_str() == other.seat);
        if !rolled.is_null() && !goes_on {
            mails += 1;
            mover.takes(&text_of(other, rolled));
            here = mover;
        } else {
            // Nothing is mailed now: the other's roll goes with the round that it gives next.
            here = other;
        }
    }
    assert_eq!(red.game(), blue.game());
    let replay = red.replay();
    let signers: Vec<&str> = replay
        .orders()
        .map(sealed_orders::log::Verified::order)
        .filter(|order| order.step > 1)
        .map(|order| order.seat.as_str())
        .collect();
    let runs = 1 + signers.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let rounds = replay.orders().filter(|order| order.order().action == "round").count();
    println!("{} orders, {rounds} of them rounds, in {mails} mails", signers.len());
    assert_eq!(mails, runs, "one mail goes with each change of seat");
    assert!(signers.len() > mails, "some rolls have travelled with a round");
}
