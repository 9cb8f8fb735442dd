//! `sealed rolls`: every die, and how to roll it again without this program.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::ident::to_hex;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{self, Table};

/// List every die of a step with its label, its key, and the commands that roll it again.
#[derive(Debug, Args)]
pub(crate) struct RollsArgs {
    /// The game file.
    game: Option<PathBuf>,
    /// The dice of this step; without it those of all steps, in short.
    #[arg(long, value_name = "N")]
    step: Option<u64>,
}

pub(crate) fn run(args: &RollsArgs) -> Result<Outcome, Failure> {
    let table = Table::open(&table::find(args.game.as_deref())?)?;
    let replay = &table.replay;
    if let Some(step) = args.step
        && step >= replay.step()
    {
        let why = format!("step {step} has not closed; {} steps have", replay.step());
        return Err(Fault::new(Code::NoSuchThing, why).help("steps are counted from 0").into());
    }
    let mut text = String::new();
    let mut list = Vec::new();
    for (step, rolled) in replay.rolls().filter(|(step, _)| args.step.is_none_or(|wanted| wanted == *step)) {
        let key = to_hex(&rolled.key);
        let (label, sides, value) = (&rolled.roll.label, rolled.roll.sides, rolled.value);
        let _ = writeln!(text, "step {step}: {label}: 1 to {sides}, shows {value}");
        if args.step.is_some() {
            let digits = key.get(..16).unwrap_or_default();
            let _ = writeln!(text, "  key {key}");
            let _ = writeln!(text, "  sealed preimage {digits} | sha256sum");
        }
        list.push(json!({
            "step": step, "label": label, "sides": sides, "value": value, "key": key,
            "nonces": rolled.roll.nonces.iter()
                .map(|(seat, nonce)| (seat.to_string(), json!(nonce.to_string())))
                .collect::<serde_json::Map<_, _>>(),
        }));
    }
    if list.is_empty() {
        text.push_str("No dice.\n");
    } else if args.step.is_some() {
        text.push_str(HOW);
    } else {
        text.push_str("For keys and commands, name a step: sealed rolls --step N\n");
    }
    Ok(Outcome::new(text, json!({ "rolls": list })))
}

/// How a die is made from its key, for anybody with openssl.
const HOW: &str = "
The digest of each preimage is the die's key. The die is the first word of
the ChaCha20 keystream under it, modulo the sides, plus 1:
  key=KEY sides=SIDES
  word=$(head -c 4 /dev/zero | openssl enc -chacha20 -K $key \\
    -iv 00000000000000000000000000000000 | od -An -tu4 --endian=little)
  echo $((word % sides + 1))
A word of 4294967296 / sides * sides (rounded down) or more is skipped, and
the next four bytes are taken.
";
