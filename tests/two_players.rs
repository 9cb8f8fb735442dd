//! Whole games between people who share nothing but files.
//!
//! Each player has a home, a folder for the game, and the command `sealed`. What one prints
//! is carried to the others as mail would: the printed text, the order file, or the whole
//! game file, in turns. Moves are chosen among those that `sealed show` lists. In the end
//! all copies are the same, byte for byte, and no secret has left its home.
//!
//! Keys, nonces and fleets are random, so no two runs play the same game; the test has to
//! pass for any.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "in a test a panic is the way to say no"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sealed_orders::crypto::Identity;
use sealed_orders::ident::{Fresh, Seat, Time, to_hex};
use sealed_orders::log::GameFile;
use sealed_orders::turn::Replay;
use serde_json::Value;

const GAME: &str = "war.game.toml";

/// After so many steps the players are tired, and agree on a draw.
const PATIENCE: u64 = 200;

/// More steps than that no game has: two are enough for tired players to agree, and a
/// defence and the audit may come between.
const MOST_STEPS: u64 = PATIENCE + 10;

/// A player with a home of their own.
struct Player {
    seat: &'static str,
    home: PathBuf,
    /// The folder of the game, and everything in it that others may see.
    folder: PathBuf,
}

impl Player {
    fn new(top: &Path, seat: &'static str, name: &str) -> Self {
        let place = top.join(seat);
        let player = Self { seat, home: place.join("home"), folder: place.join("game") };
        fs::create_dir_all(&player.folder).unwrap();
        fs::create_dir_all(&player.home).unwrap();
        player.sealed(0, &["key", "new", "--name", name, "--mail", &format!("{seat}@example.org")]);
        player
    }

    fn card(&self) -> PathBuf {
        let found = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
        found.into_iter().find(|path| path.to_string_lossy().ends_with(".card.toml")).unwrap()
    }

    /// Runs the command in the player's own world; it must succeed.
    fn sealed(&self, clock: u64, words: &[&str]) -> String {
        // Half an hour passes with each tick; the first of December 2026 is as good as any day.
        let now = Time::from_unix_seconds(1_796_083_200 + 1800 * i64::try_from(clock).unwrap()).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_sealed"))
            .args(words)
            .args(["--now", &now.to_string()])
            .current_dir(&self.folder)
            .env_clear()
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("XDG_STATE_HOME", self.home.join("state"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success(),
            "{}: sealed {}: {:?}\n{said}\n{complaint}",
            self.seat,
            words.join(" "),
            output.status
        );
        assert_eq!(complaint, "", "{}: sealed {}", self.seat, words.join(" "));
        said
    }

    fn json(&self, clock: u64, words: &[&str]) -> Value {
        let said = self.sealed(clock, &[words, &["--json"]].concat());
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{words:?}: {error}: {said}"))
    }

    fn game(&self) -> String {
        fs::read_to_string(self.folder.join(GAME)).unwrap()
    }

    fn pem(&self) -> String {
        fs::read_to_string(self.home.join("config/sealed-orders/identity.pem")).unwrap()
    }
}

/// A command that `sealed show` offers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    words: Vec<String>,
    attacks: bool,
}

/// Reads the commands out of a report, as a person would: `sealed order move frigate a2
/// (or a4, b3)`; an attack has a remark below it.
fn offers(report: &str) -> Vec<Offer> {
    let mut texts: Vec<String> = Vec::new();
    let (_, turn) = report.split_once("The command to type:\n").expect("it is this player's turn");
    for line in turn.lines() {
        if let Some(words) = line.strip_prefix("  sealed order ") {
            texts.push(words.to_owned());
        } else if let (Some(last), Some(more)) = (texts.last_mut(), line.strip_prefix("      ")) {
            last.push(' ');
            last.push_str(more);
        }
    }
    let mut found = Vec::new();
    for text in texts {
        let words: Vec<&str> = text.split_whitespace().collect();
        let offer = |words: &[&str], attacks| Offer {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            attacks,
        };
        match words.as_slice() {
            ["move", ship, square, "(or", others @ ..] => {
                found.push(offer(&["move", ship, square], false));
                for other in others {
                    found.push(offer(&["move", ship, other.trim_end_matches([',', ')'])], false));
                }
            }
            ["move", ship, square, remark @ ..] => {
                found.push(offer(&["move", ship, square], !remark.is_empty()));
            }
            [action, ..] => found.push(offer(&[action], *action == "final-battle")),
            [] => panic!("an empty command in {report}"),
        }
    }
    assert!(!found.is_empty(), "no command in {report}");
    found
}

/// A number without meaning, the same for the same step; which game it meets is random anyway.
fn whim(step: u64, limit: usize) -> usize {
    let mut mixed = (step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % limit
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// The people at the table, and what they may not tell each other.
struct Table {
    players: Vec<Player>,
    clock: u64,
    /// What stands in no file outside the homes, whatever happens: seeds and keys.
    never: Vec<String>,
}

impl Table {
    /// Makes identities, cards and the game; everybody gets the game file.
    fn set(top: &Path, people: &[(&'static str, &str)], board: &str) -> Self {
        let players: Vec<Player> = people.iter().map(|(seat, name)| Player::new(top, seat, name)).collect();
        let mut never = Vec::new();
        for player in &players {
            let pem = player.pem();
            let body = pem.lines().nth(1).unwrap().to_owned();
            // The PEM of a key ends with its 32 bytes; in hex they would be as bad.
            let bytes = base64(&body);
            never.push(to_hex(bytes[bytes.len() - 32..].try_into().unwrap()));
            never.push(body);
        }
        let maker = &players[0];
        let mut words = vec!["new", "shield-bashers", "--name", "War by mail", "-o", GAME, "--set"];
        let board = format!("board={board}");
        words.push(&board);
        let mut seats = Vec::new();
        for player in &players {
            let card = player.card();
            let name = card.file_name().unwrap().to_string_lossy().into_owned();
            if player.seat != maker.seat {
                fs::copy(&card, maker.folder.join(&name)).unwrap();
            }
            seats.push(format!("{}={name}", player.seat));
        }
        for seat in &seats {
            words.extend(["--seat", seat]);
        }
        maker.sealed(0, &words);
        for player in &players[1..] {
            fs::copy(maker.folder.join(GAME), player.folder.join(GAME)).unwrap();
        }
        Self { players, clock: 0, never }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// What a player does when the game waits for them; the paths of what is to be mailed.
    fn act(&mut self, who: usize, phase: &str, step: u64, resign: bool) -> Value {
        let clock = self.tick();
        let player = &self.players[who];
        let tired = step >= PATIENCE;
        if resign {
            return player.json(clock, &["order", "resign", "--yes"]);
        }
        match phase {
            "seal" => player.json(clock, &["seal", "--random", "--yes", "--press", "Good luck."]),
            "move" | "answer-claim" => {
                let offers = offers(&player.sealed(clock, &["show"]));
                let attacks: Vec<&Offer> = offers.iter().filter(|offer| offer.attacks).collect();
                let among = if attacks.is_empty() { offers.iter().collect() } else { attacks };
                let chosen = among[whim(step, among.len())];
                let mut words = vec!["order", "--yes"];
                words.extend(chosen.words.iter().map(String::as_str));
                // A claim needs no offer, and cannot carry one.
                if tired && matches!(chosen.words[0].as_str(), "move" | "final-battle") {
                    words.push("--draw");
                }
                player.json(clock, &words)
            }
            "defend" if tired => player.json(clock, &["respond", "--yes", "--draw"]),
            "deploy" => player.json(clock, &["deploy", "--yes"]),
            _ => player.json(clock, &["respond", "--yes"]),
        }
    }

    /// Carries what was written to all the others, who take it in; what `apply` says last.
    fn mail(&mut self, from: usize, written: &Value, way: u64) -> Value {
        let clock = self.tick();
        let sender = &self.players[from];
        let what = match way % 3 {
            0 => written["mail"].as_str().unwrap(),
            1 => written["order"].as_str().unwrap(),
            _ => GAME,
        };
        let mut said = Value::Null;
        for (place, player) in self.players.iter().enumerate() {
            if place == from {
                continue;
            }
            let inbox = player.folder.join("inbox");
            fs::create_dir_all(&inbox).unwrap();
            let name = Path::new(what).file_name().unwrap();
            let arrived = inbox.join(name);
            fs::copy(sender.folder.join(what), &arrived).unwrap();
            let words = ["apply", arrived.to_str().unwrap()];
            said = player.json(clock, &words);
        }
        said
    }

    /// All copies agree, and what is sealed yet stands nowhere outside its owner's home.
    fn compare(&self, everywhere: bool) {
        let game = self.players[0].game();
        for player in &self.players[1..] {
            assert_eq!(game, player.game(), "{} has another game", player.seat);
        }
        let file = GameFile::parse(&game).unwrap();
        let replay = Replay::of_file(&file).unwrap();
        let header = replay.header();
        let mut secrets = self.never.clone();
        for player in &self.players {
            let seat: Seat = player.seat.parse().unwrap();
            let seal = replay.orders().find(|order| order.order().seat == seat);
            let Some(fresh) = seal.and_then(|order| order.order().details().nearest("fresh").as_text())
            else {
                continue;
            };
            let identity = Identity::from_pem(&player.pem()).unwrap();
            let derived = identity.secrets(&header.id(), &seat, &fresh.parse::<Fresh>().unwrap());
            // The second nonce is committed to, and never opened in this game.
            secrets.push(derived.salt("nonce 1").open_salt().to_string());
            for slot in replay.commitments() {
                if *header.seat(slot.seat) != seat {
                    continue;
                }
                let salt = derived.salt(&slot.name).open_salt().to_string();
                if slot.opened.is_none() {
                    secrets.push(salt);
                } else {
                    // So what is looked for is what an opening would show.
                    assert!(game.contains(&salt), "{} of {seat} is opened otherwise", slot.name);
                }
            }
        }
        for player in &self.players {
            let seen = if everywhere {
                files(&player.folder)
            } else {
                let reports = player.folder.join("reports");
                let mut seen = if reports.is_dir() { files(&reports) } else { Vec::new() };
                seen.push(player.folder.join(GAME));
                seen
            };
            for path in seen {
                let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
                for secret in &secrets {
                    assert!(!text.contains(secret.as_str()), "{} holds a secret", path.display());
                }
                // Only `show` marks sealed colours like this, for their owner's eyes.
                let report = path.to_string_lossy().contains("/reports/");
                let told = ["(white)", "(grey)", "(black)"].iter().any(|colour| text.contains(colour));
                assert!(!(report && told), "{} tells a sealed colour", path.display());
            }
        }
    }

    /// Plays until all is over. `resigns` gives up as soon as it is to move from that step on.
    fn play(&mut self, resigns: Option<(&str, u64)>) {
        let first = self.players[0].json(0, &[]);
        let game = &first["games"][0];
        let mut phase = game["phase"].as_str().unwrap().to_owned();
        let mut step = game["step"].as_u64().unwrap();
        let mut awaits: Vec<String> = names(&game["awaits"]);
        let mut ways = 0;
        while phase != "over" {
            assert!(step < MOST_STEPS, "the game does not end");
            assert!(!awaits.is_empty(), "nobody is awaited in {phase}");
            let mut said = Value::Null;
            for seat in &awaits {
                let who = self.players.iter().position(|player| player.seat == seat).unwrap();
                let resign =
                    phase == "move" && resigns.is_some_and(|(name, from)| name == seat && step >= from);
                let written = self.act(who, &phase, step, resign);
                said = self.mail(who, &written, ways);
                ways += 1;
            }
            said["phase"].as_str().unwrap().clone_into(&mut phase);
            step = said["step"].as_u64().unwrap();
            awaits = names(&said["awaits"]);
            self.compare(step.is_multiple_of(16));
        }
        for player in &self.players {
            let status = player.json(self.clock, &[]);
            assert_eq!(status["games"][0]["phase"], "over", "{}: {status}", player.seat);
            let verified = player.json(self.clock, &["verify"]);
            assert_eq!(verified["valid"], true, "{verified}");
            // Everything is open in the end, but the share of dice that each seat has next.
            assert_eq!(verified["sealed"], self.players.len(), "{}", verified["sealed"]);
            assert_eq!(verified["differences"], serde_json::json!([]), "{verified}");
            player.sealed(self.clock, &["show"]);
        }
        self.compare(true);
        println!("over after {step} steps");
    }
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// Reads base64 without line ends; the body of a key file is nothing else.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for c in text.bytes().filter(|c| *c != b'=') {
        let digit = DIGITS.iter().position(|known| *known == c).expect("base64");
        bits = bits << 6 | u32::try_from(digit).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).unwrap());
        }
    }
    bytes
}

#[test]
fn commands_are_read_as_people_read_them() {
    let report = "It is your turn. The command to type:\n  sealed order move frigate a2 (or a4,\n      b3)\n  \
                  sealed order move destroyer c2\n  sealed order move cruiser c6\n      attacks blue's frigate: \
                  yours must be\n      lighter\n  sealed order final-battle\n      to the death\n";
    let read: Vec<(String, bool)> =
        offers(report).into_iter().map(|offer| (offer.words.join(" "), offer.attacks)).collect();
    let wanted = [
        ("move frigate a2", false),
        ("move frigate a4", false),
        ("move frigate b3", false),
        ("move destroyer c2", false),
        ("move cruiser c6", true),
        ("final-battle", true),
    ];
    assert_eq!(read, wanted.map(|(words, attacks)| (words.to_owned(), attacks)));
}

#[test]
fn two_people_play_a_whole_game_by_mail() {
    let top = tempfile::tempdir().unwrap();
    let mut table = Table::set(top.path(), &[("red", "Anna"), ("blue", "Bert")], "half");
    table.play(None);
}

#[test]
fn three_people_play_and_one_resigns() {
    let top = tempfile::tempdir().unwrap();
    let people = [("red", "Anna"), ("green", "Clara"), ("blue", "Bert")];
    let mut table = Table::set(top.path(), &people, "wedges3");
    table.play(Some(("green", 12)));
}
