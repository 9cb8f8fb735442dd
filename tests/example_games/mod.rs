//! The games of the folder `examples`: how each is made, and where it lies.

#![allow(dead_code, reason = "every test that includes this uses another part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sealed_orders::demo::Plan;
use sealed_orders::document::Node;
use sealed_orders::log::GameFile;
use sealed_orders::turn::Replay;

/// One folder below `examples`.
#[derive(Debug)]
pub struct Example {
    /// The folder's name.
    pub folder: &'static str,
    /// What `demo::play` makes it of.
    pub plan: Plan,
}

/// All example games; the first is the smallest.
///
/// The numbers were found by trying: the shortest of 200 games of two with combats that each
/// side wins, a debt and an audit; the shortest of 60 games of four; of 60 games of three
/// one that ends in an agreed draw after a player has lost all ships; the shortest of 60
/// games of Tresurion; a scenario with terrain, which tired players leave drawn.
pub fn all() -> Vec<Example> {
    let plan = |name: &str, seed, seats, board: &str, patience| Plan {
        name: name.to_owned(),
        seed,
        seats,
        options: BTreeMap::from([("board".to_owned(), board.to_owned())]),
        patience,
        ..Plan::default()
    };
    let tresurion = |name: &str, seed, options: &[(&str, &str)], patience| Plan {
        game: "tresurion".to_owned(),
        name: name.to_owned(),
        seed,
        seats: 2,
        arbiter: false,
        options: options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        patience,
    };
    let narrows = [
        ("asteroids", "a12,b12,c12,d12,e12,g12,i12,k12,l12,m12,n12,o12,c14,h14,m14"),
        ("wormholes", "b4-n22,n4-b22"),
        ("reach", "distance"),
    ];
    vec![
        Example { folder: "two-players", plan: plan("friday-night", 109, 2, "half", 400) },
        Example { folder: "three-players-wedges", plan: plan("wedge-night", 40, 3, "wedges3", 70) },
        Example { folder: "four-players", plan: plan("four-corners", 6, 4, "full", 400) },
        Example { folder: "tresurion", plan: tresurion("sector", 30, &[], 400) },
        Example { folder: "tresurion-narrows", plan: tresurion("narrows", 2, &narrows, 18) },
    ]
}

/// The folder `examples`.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

impl Example {
    /// Its folder.
    pub fn path(&self) -> PathBuf {
        examples().join(self.folder)
    }

    /// Its game file.
    pub fn game_path(&self) -> PathBuf {
        self.path().join(format!("{}.game.toml", self.plan.name))
    }

    /// The text of its game file.
    pub fn game_text(&self) -> String {
        fs::read_to_string(self.game_path()).unwrap()
    }

    /// Its game, replayed.
    pub fn replay(&self) -> Replay {
        Replay::of_file(&GameFile::parse(&self.game_text()).unwrap()).unwrap()
    }
}

/// Whether an action's table has a key.
pub fn has(details: &Node, key: &str) -> bool {
    details.as_table().unwrap().get(key).is_some()
}

/// Whether a run of the tests writes files anew instead of comparing them.
pub fn updating() -> bool {
    std::env::var_os("SEALED_UPDATE").is_some_and(|value| value == "1")
}
