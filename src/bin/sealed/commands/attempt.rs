//! `sealed try`: looks at an order without signing it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use sealed_orders::document;
use sealed_orders::games::{Keyholder, Script, Weighed};
use sealed_orders::log::Header;
use sealed_orders::report::{WIDTH, chart_text, wrap};
use sealed_orders::store;
use sealed_orders::turn::seat_of;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table, read_text};
use crate::world::World;

/// Look at an order before you give it: everything that is wrong, and the board after it.
///
/// FILE holds the order as you would write it after `sealed order`; a round has a line a
/// ship, like "333a h4" or "333a fires 011b". Nothing is signed and nothing is written.
#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// The order; - for standard input.
    #[arg(value_name = "FILE", required_unless_present = "template")]
    file: Option<PathBuf>,
    /// Print a text to begin from: your ships, how far each goes, what it has in sight.
    #[arg(long, conflicts_with = "file")]
    template: bool,
    /// The game file, where the folder holds more than one.
    #[arg(short, long, value_name = "GAME")]
    game: Option<PathBuf>,
}

/// An order that was read from a file.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) script: Script,
}

impl Written {
    /// Reads a file, or standard input.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (name, text) = if path.as_os_str() == "-" {
            let bytes = store::read_limited(std::io::stdin().lock(), "standard input")?;
            ("standard input".to_owned(), document::utf8(&bytes)?.to_owned())
        } else {
            (path.display().to_string(), read_text(path)?)
        };
        let script = Script::read(&text);
        Ok(Self { name, text, script })
    }

    /// What is to be said of the order: all faults with their lines, and the board after it.
    pub(crate) fn looked_at(&self, header: &Header, weighed: &Weighed) -> Outcome {
        let mut text = String::new();
        let failures: Vec<Failure> = weighed
            .faults
            .iter()
            .map(|fault| Failure::in_text(fault.clone(), &self.name, &self.text))
            .collect();
        for failure in &failures {
            text.push_str(&failure.text());
            text.push('\n');
        }
        for line in &weighed.told {
            for part in wrap(line, WIDTH, "") {
                let _ = writeln!(text, "{part}");
            }
        }
        for chart in &weighed.charts {
            let _ = write!(text, "\n{}", chart_text(chart));
        }
        let drawn = weighed.scene.as_ref().map(|scene| scene.lines(header)).unwrap_or_default();
        if let Some(scene) = &weighed.scene {
            text.push_str(if failures.is_empty() {
                "\nThe board after the moves:\n"
            } else {
                "\nThe board after those moves that are possible:\n"
            });
            for line in &drawn {
                let _ = writeln!(text, "  {line}");
            }
            for note in scene.notes.iter().flat_map(|note| wrap(note, WIDTH, "")) {
                let _ = writeln!(text, "{note}");
            }
            text.push('\n');
        }
        let json = json!({
            "legal": failures.is_empty(),
            "errors": failures.iter().map(Failure::json).collect::<Vec<_>>(),
            "told": weighed.told,
            "charts": weighed.charts.iter()
                .map(|chart| json!({ "title": chart.title, "columns": chart.columns, "rows": chart.rows }))
                .collect::<Vec<_>>(),
            "board": drawn,
        });
        let mut outcome = Outcome::new(text, json);
        outcome.refused = !failures.is_empty();
        outcome
    }
}

pub(crate) fn run(world: &World, args: &TryArgs) -> Result<Outcome, Failure> {
    let table = Table::open(&table::find(args.game.as_deref())?)?;
    let identity = world.identity()?;
    let seat = seat_of(&table.replay, &identity)?;
    let state = table.replay.state();
    let Some(path) = &args.file else {
        let text = state.template(seat)?.unwrap_or_else(|| {
            "# Orders of this game are a few words: `sealed show` lists them.\n".to_owned()
        });
        return Ok(Outcome::new(text.clone(), json!({ "template": text })));
    };
    let written = Written::read(path)?;
    let weighed = state.weigh(Keyholder { seat, identity: &identity, kept: None }, &written.script);
    let mut outcome = written.looked_at(table.header(), &weighed);
    if !outcome.refused {
        let _ = writeln!(outcome.text, "This is legal. To give it, type: sealed order -f {}", path.display());
    }
    Ok(outcome)
}
