//! `sealed bundle`: the game for a third person, to be judged without this program.

use std::path::PathBuf;

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::report::bundle;
use sealed_orders::store;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table};

/// Write a folder with which anybody can judge the game without this program.
///
/// It holds the game, every signed message as a file, the keys, what was opened, the dice,
/// the story, and a shell script that checks all of it with openssl. Nothing secret is in it.
#[derive(Debug, Args)]
pub(crate) struct BundleArgs {
    /// The game file.
    game: Option<PathBuf>,
    /// The folder to make; if it is there, it must be empty.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(args: &BundleArgs) -> Result<Outcome, Failure> {
    let table = Table::open(&table::find(args.game.as_deref())?)?;
    if table.replay.entries().any(|entry| entry.proof().is_some()) {
        let why = "the game holds a [proof], and this version writes no bundle of such a game";
        return Err(Fault::new(Code::Unclear, why)
            .help("send the game file itself; whoever has the program checks it with `sealed verify`")
            .into());
    }
    let files = bundle(&table.replay)?;
    let folder = args.output.display();
    if !store::is_free(&args.output)? {
        let fault = Fault::new(Code::Exists, format!("{folder} exists already and is not overwritten"));
        return Err(fault.help("name a folder that does not exist yet, or an empty one").into());
    }
    for (path, bytes) in &files {
        let path = args.output.join(path);
        if let Some(folder) = path.parent() {
            store::make_folder(folder, false)?;
        }
        store::write(&path, bytes)?;
    }
    let text = format!(
        "The game is in {folder}: {} files, nothing secret among them. To check it:\n  sh {folder}/verify.sh {}\n\
        {folder}/README.txt says what that proves, to whoever you send the folder.\n",
        files.len(),
        table.replay.header().id(),
    );
    let json = json!({
        "folder": folder.to_string(),
        "game": table.replay.header().id().to_string(),
        "head": table.replay.head().to_string(),
        "files": files.keys().collect::<Vec<_>>(),
    });
    Ok(Outcome::new(text, json))
}
