//! `sealed show`: the report.

use std::path::PathBuf;

use clap::Args;
use sealed_orders::fault::{Code, Fault};
use sealed_orders::games::Keyholder;
use sealed_orders::ident::Seat;
use sealed_orders::log::GameFile;
use sealed_orders::report::{Viewer, arbiter_commands, report};
use sealed_orders::turn::{Replay, position};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Outcome, to_json};
use crate::table::{self, waiting_json};
use crate::world::World;

/// Show the report: what happened since your last order, the board, your legal moves.
///
/// With your identity at hand your own sealed colours are shown, in brackets; that part
/// never leaves your screen.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The game file.
    game: Option<PathBuf>,
    /// The report of this seat, or of the arbiter, as everybody may see it.
    #[arg(long)]
    seat: Option<Seat>,
    /// As it was when so many steps had closed.
    #[arg(long, value_name = "N")]
    step: Option<u64>,
}

pub(crate) fn run(world: &World, args: &ShowArgs) -> Result<Outcome, Failure> {
    let path = table::find(args.game.as_deref())?;
    let name = path.display().to_string();
    let text = table::read_text(&path)?;
    let in_text = |fault| Failure::in_text(fault, &name, &text);
    let file = GameFile::parse(&text).map_err(in_text)?;
    let replay = match args.step {
        None => Replay::of_file(&file),
        Some(step) => Replay::of_file_until(&file, step),
    }
    .map_err(in_text)?;
    if let Some(step) = args.step.filter(|step| *step != replay.step()) {
        let fault =
            Fault::new(Code::NoSuchThing, format!("only {} steps have closed, not {step}", replay.step()));
        return Err(fault.into());
    }
    let header = replay.header();
    // Without an own identity there is nothing secret to show: that is no failure, unless
    // one was named.
    let identity = if world.has_named_key() { Some(world.identity()?) } else { world.identity().ok() };
    let own = identity.as_ref().and_then(|identity| {
        let seat = header.index(&header.seat_of(&identity.public())?)?;
        Some(Keyholder { seat, identity, kept: None })
    });
    let is_arbiter = identity
        .as_ref()
        .and_then(|identity| header.seat_of(&identity.public()))
        .is_some_and(|seat| seat.is_arbiter());
    let viewer = match (&args.seat, own) {
        (None, None) if is_arbiter => Viewer::Arbiter,
        (Some(seat), _) if seat.is_arbiter() && header.arbiter().is_some() => Viewer::Arbiter,
        (None, None) => Viewer::Anybody,
        (None, Some(own)) => Viewer::Own(own),
        (Some(seat), own) => {
            let seat = header
                .index(seat)
                .ok_or_else(|| Fault::new(Code::NoSuchThing, format!("{seat} is no seat of this game")))?;
            match own {
                Some(own) if own.seat == seat => Viewer::Own(own),
                _ => Viewer::Seat(seat),
            }
        }
    };
    let now = world.now()?;
    let text = report(&replay, &viewer, None, Some(now));
    let events: Vec<_> = replay
        .steps()
        .iter()
        .flat_map(|step| step.events.iter().map(move |event| (step.number, event)))
        .map(|(step, event)| json!({ "step": step, "kind": event.kind, "told": event.told, "facts": to_json(&event.facts.clone().into()) }))
        .collect();
    let legal: Vec<_> = match viewer {
        Viewer::Anybody | Viewer::Arbiter => Vec::new(),
        Viewer::Seat(seat) | Viewer::Own(Keyholder { seat, .. }) => replay.state().suggestions(seat),
    };
    let mut legal: Vec<_> = legal
        .iter()
        .map(|choice| json!({ "command": format!("sealed order {}", choice.words.join(" ")), "remark": choice.remark }))
        .collect();
    if let Viewer::Arbiter = viewer {
        legal.extend(arbiter_commands(&replay).iter().map(|entry| json!({ "command": entry, "remark": "" })));
    }
    let json = json!({
        "position": to_json(&position(&replay).into()), "events": events, "legal": legal,
        "waiting": waiting_json(&replay, now),
    });
    Ok(Outcome::new(text, json))
}
