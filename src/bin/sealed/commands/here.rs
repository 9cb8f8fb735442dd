//! `sealed` alone: the games in this folder, and what to type next.

use std::fmt::Write as _;
use std::path::Path;

use sealed_orders::games::Phase;
use sealed_orders::turn::Waiting;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Outcome;
use crate::table::{Table, games_in};
use crate::world::World;

pub(crate) fn run(world: &World) -> Result<Outcome, Failure> {
    let games = games_in(Path::new("."));
    if games.is_empty() {
        let text = "There is no game in this folder (no *.game.toml).\n\n\
            To make your identity:   sealed key new --name NAME --mail MAIL\n\
            To make a game:          sealed new --help\n\
            To join one by mail:     save its game file in a folder of its own, and\n\
            \x20                        type `sealed` there\n\
            To see a whole game:     sealed demo DEMO\n";
        return Ok(Outcome::new(text, json!({ "games": [] })));
    }
    let only_one = games.len() == 1;
    let own = world.identity().ok();
    let now = world.now()?;
    let mut text = String::new();
    let mut list = Vec::new();
    for path in &games {
        let table = match Table::open(path) {
            Ok(table) => table,
            Err(failure) => {
                let _ = writeln!(text, "{}: cannot be used: {}", path.display(), failure.fault);
                let _ = writeln!(text, "    sealed verify {}", path.display());
                list.push(json!({ "file": path.display().to_string(), "error": failure.json() }));
                continue;
            }
        };
        let replay = &table.replay;
        let header = table.header();
        let seat =
            own.as_ref().and_then(|own| header.seat_of(&own.public())).and_then(|seat| header.index(&seat));
        let missing = replay.missing();
        let names: Vec<&str> = missing.iter().map(|seat| header.seat(*seat).as_str()).collect();
        let phase = replay.counted().phase();
        let mine = seat.is_some_and(|seat| missing.contains(&seat));
        let whose = match (phase, mine) {
            (Phase::Over, _) => "over".to_owned(),
            (_, true) => format!("your move ({phase})"),
            (_, false) => format!("awaits {} ({phase})", names.join(", ")),
        };
        let is_arbiter =
            own.as_ref().and_then(|own| header.seat_of(&own.public())).is_some_and(|seat| seat.is_arbiter());
        let waiting = Waiting::of(replay);
        let overdue = waiting.overdue(now);
        let late = overdue.map(|overdue| format!(", overdue ({})", overdue.how_long())).unwrap_or_default();
        let last =
            replay.steps().last().and_then(|step| step.events.last()).and_then(|event| event.told.first());
        let next = match (phase, mine) {
            (_, true) => match phase {
                Phase::Seal => "sealed seal --random",
                Phase::Deploy => "sealed deploy",
                Phase::Move | Phase::Round | Phase::AnswerClaim => "sealed show",
                _ => "sealed respond",
            },
            (Phase::Over, false) => "sealed show",
            (_, false) => "sealed apply FILE",
        };
        let forfeit = missing
            .first()
            .filter(|_| is_arbiter && overdue.is_some())
            .map(|seat| format!("sealed forfeit {} --reason \"...\"", header.seat(*seat)));
        let next = forfeit.as_deref().unwrap_or(next);
        let game = match next {
            _ if only_one => String::new(),
            "sealed show" => format!(" {}", path.display()),
            _ => format!(" --game {}", path.display()),
        };
        let _ = writeln!(
            text,
            "{} ({}): {whose}, since {}{late}",
            header.name(),
            path.display(),
            waiting.since.for_people()
        );
        if let Some(last) = last {
            let _ = writeln!(text, "    {last}");
        }
        let _ = writeln!(text, "    {next}{game}");
        list.push(json!({
            "file": path.display().to_string(),
            "name": header.name(),
            "step": replay.step(),
            "phase": phase.as_str(),
            "awaits": names,
            "yours": mine,
            "since": waiting.since.to_string(),
            "until": waiting.until.map(|until| until.to_string()),
            "overdue": overdue.is_some(),
            "next": format!("{next}{game}"),
        }));
    }
    Ok(Outcome::new(text, json!({ "games": list })))
}
