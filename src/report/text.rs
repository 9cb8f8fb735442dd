//! The report as text.

use std::fmt::Write as _;

use crate::games::{Chart, Keyholder, Legal, Phase, Standing, Suggestion, by_rules};
use crate::ident::{SeatIndex, Time};
use crate::turn::{Powers, Replay, Step, Waiting};

/// The widest line of a report, in columns.
pub const WIDTH: usize = 72;

/// For whom a report is made.
#[derive(Clone, Copy, Debug)]
pub enum Viewer<'a> {
    /// For anybody.
    Anybody,
    /// For a seat, with what everybody may know.
    Seat(SeatIndex),
    /// For the arbiter, who sees what anybody sees, and may enter something.
    Arbiter,
    /// For a seat's own eyes: its sealed colours are shown in brackets. Never to be mailed.
    Own(Keyholder<'a>),
}

impl Viewer<'_> {
    const fn seat(&self) -> Option<SeatIndex> {
        match self {
            Self::Anybody | Self::Arbiter => None,
            Self::Seat(seat) => Some(*seat),
            Self::Own(by) => Some(by.seat),
        }
    }
}

/// Breaks a text into lines of at most `width` columns; `indent` stands before the second
/// and further lines. A word that is longer has a line of its own.
#[must_use]
pub fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = line.chars().count() + 1 + word.chars().count();
        if line.trim().is_empty() {
            line.push_str(word);
        } else if longer <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        }
    }
    lines.push(line);
    lines
}

/// A text that grows line by line.
pub(crate) struct Page(pub(crate) String);

impl Page {
    pub(crate) fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push('\n');
    }

    /// Text in full lines.
    pub(crate) fn wrapped(&mut self, text: &str) {
        self.indented(text, "", "");
    }

    /// Text whose first and further lines have an indent.
    pub(crate) fn indented(&mut self, text: &str, first: &str, rest: &str) {
        let room = WIDTH.saturating_sub(first.chars().count().max(rest.chars().count()));
        for (number, line) in wrap(text, room, "").iter().enumerate() {
            let before = if number == 0 { first } else { rest };
            self.line(&format!("{before}{line}"));
        }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.line("");
        self.line(text);
        self.line(&"-".repeat(text.chars().count()));
    }
}

/// The report of a game.
///
/// What happened is told since `since` (a number of steps), or since the viewer's last
/// order. `now` only matters for whether somebody is overdue.
#[must_use]
pub fn report(replay: &Replay, viewer: &Viewer<'_>, since: Option<u64>, now: Option<Time>) -> String {
    let mut page = Page(String::new());
    head(&mut page, replay, viewer);
    let since = since.unwrap_or_else(|| last_order(replay, viewer.seat()));
    told(&mut page, replay, since);
    board(&mut page, replay);
    fleets(&mut page, replay, viewer);
    awaited(&mut page, replay, viewer, now);
    page.0
}

/// The whole story of a game, step by step.
#[must_use]
pub fn story(replay: &Replay) -> String {
    let mut page = Page(String::new());
    told(&mut page, replay, 0);
    page.0
}

fn head(page: &mut Page, replay: &Replay, viewer: &Viewer<'_>) {
    let header = replay.header();
    let title = by_rules(header.rules()).map_or("a game", |game| game.title());
    page.line(&format!("{} - {title}", header.name()));
    page.line(&"=".repeat((header.name().chars().count() + title.chars().count() + 3).min(WIDTH)));
    if let Some(seat) = viewer.seat() {
        let name = header.players().get(seat.place()).map(|player| player.name.as_str()).unwrap_or_default();
        page.wrapped(&format!("Report for {} ({name}).", header.seat(seat)));
    }
    if let (Viewer::Arbiter, Some(arbiter)) = (viewer, header.arbiter()) {
        page.wrapped(&format!("Report for the arbiter ({}).", arbiter.name));
    }
    if let Viewer::Own(_) = viewer {
        page.line("It shows your sealed colours in brackets: for your eyes only.");
    }
    for (seat, player) in header.by_seat(|_| ()).seats().zip(header.players()) {
        let line = format!("{} = {} ({})", crate::scene::seat_letter(header, seat), player.seat, player.name);
        page.indented(&line, "  ", "      ");
    }
    if let Some(arbiter) = header.arbiter() {
        page.indented(&format!("arbiter: {}", arbiter.name), "  ", "      ");
    }
    page.line(&format!("Steps closed: {}. Head: {}", replay.step(), replay.head().by_eye()));
    page.line("Two players whose heads agree in these digits have the same game.");
}

/// The number of the step that holds the seat's last order that closed.
fn last_order(replay: &Replay, seat: Option<SeatIndex>) -> u64 {
    let Some(seat) = seat else { return 0 };
    let name = replay.header().seat(seat);
    let own =
        |step: &&Step| step.orders.iter().filter_map(Legal::order).any(|order| order.order().seat == *name);
    replay.steps().iter().rev().find(own).map_or(0, |step| step.number)
}

fn told(page: &mut Page, replay: &Replay, since: u64) {
    page.heading(if since == 0 { "What happened" } else { "What happened since your last order" });
    let steps: Vec<&Step> = replay.steps().iter().filter(|step| step.number >= since).collect();
    if steps.is_empty() && replay.open().is_empty() {
        page.line("Nothing yet.");
    }
    for step in steps {
        let mut first = true;
        for event in &step.events {
            for (number, line) in event.told.iter().enumerate() {
                let label = if first { format!("{:>4}. ", step.number) } else { " ".repeat(6) };
                let label = if number == 0 { label } else { " ".repeat(8) };
                page.indented(line, &label, if number == 0 { "      " } else { "          " });
                first = false;
            }
        }
        for order in step.orders.iter().filter_map(Legal::order) {
            say(page, order.order());
        }
    }
    for legal in replay.open() {
        let told = match (legal.standing(), legal.order()) {
            (Standing::InPlaceOf(seat), Some(order)) => {
                format!("[{}] of {}, by the arbiter", order.order().action, replay.header().seat(seat))
            }
            _ => legal.entry().told(),
        };
        page.line(&format!("      (in: the {told})"));
        if let Some(order) = legal.order() {
            say(page, order.order());
        }
    }
}

/// What a player says to all, or why the arbiter forfeits: other people's text, marked as that.
fn say(page: &mut Page, order: &crate::log::Order) {
    if order.action == "forfeit"
        && let (Some(seat), Some(reason)) =
            (order.details().nearest("seat").as_text(), order.details().nearest("reason").as_text())
    {
        page.line(&format!("      Why {seat} is forfeited:"));
        page.indented(reason, "      | ", "      | ");
    }
    if let Some(press) = &order.press {
        page.line(&format!("      {} says:", order.seat));
        page.indented(press, "      | ", "      | ");
    }
    if order.draw {
        page.line(&format!("      Draw offered by {}.", order.seat));
    }
}

fn board(page: &mut Page, replay: &Replay) {
    page.heading("The board");
    let scene = replay.counted().scene();
    for line in scene.lines(replay.header()) {
        page.line(&format!("  {line}"));
    }
    for note in &scene.notes {
        page.wrapped(note);
    }
}

fn fleets(page: &mut Page, replay: &Replay, viewer: &Viewer<'_>) {
    let own = match viewer {
        Viewer::Own(by) => Some(*by),
        _ => None,
    };
    let sheets = replay.counted().sheets(own);
    if sheets.is_empty() {
        return;
    }
    page.heading("The fleets");
    for sheet in &sheets {
        let mut name = replay.header().seat(sheet.seat).to_string();
        if !sheet.remarks.is_empty() {
            let _ = write!(name, " ({})", sheet.remarks.join(", "));
        }
        page.line(&name);
        rows(page, &sheet.columns, &sheet.rows);
    }
}

/// A table for people, with its notes.
pub(crate) fn chart(page: &mut Page, chart: &Chart) {
    page.line("");
    page.line(&format!("{}:", chart.title));
    rows(page, &chart.columns, &chart.rows);
    for note in &chart.notes {
        page.indented(note, "  ", "  ");
    }
}

/// A table as it is printed, at most [`WIDTH`] columns.
#[must_use]
pub fn chart_text(table: &Chart) -> String {
    let mut page = Page(String::new());
    chart(&mut page, table);
    page.0.trim_start().to_owned()
}

fn rows(page: &mut Page, columns: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain(columns.get(column).map(|head| head.chars().count())).max().unwrap_or(0)
    };
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(column, cell)| format!("{cell:<0$}", width(column))).collect();
        format!("  {}", padded.join("  "))
    };
    if rows.is_empty() {
        return;
    }
    page.line(&line(&columns.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>()));
    for row in rows {
        page.line(&line(row));
    }
}

fn awaited(page: &mut Page, replay: &Replay, viewer: &Viewer<'_>, now: Option<Time>) {
    let header = replay.header();
    page.heading("What is awaited");
    let counted = replay.counted();
    if let Some(ending) = counted.ending() {
        page.wrapped(&ending.told(header));
    }
    for remark in counted.remarks() {
        page.wrapped(&remark);
    }
    let missing = replay.missing();
    if counted.phase() == Phase::Over || missing.is_empty() {
        page.line("Nothing is awaited any more.");
        return;
    }
    let names: Vec<String> = missing.iter().map(|seat| header.seat(*seat).to_string()).collect();
    page.wrapped(&format!("Awaited: {} ({}).", names.join(", "), counted.phase().awaits()));
    let waiting = Waiting::of(replay);
    let overdue = now.and_then(|now| waiting.overdue(now));
    if let Some(until) = waiting.until {
        let passed = if overdue.is_some() { " That time has passed." } else { "" };
        page.wrapped(&format!("Until: {}.{passed}", until.for_people()));
    }
    if let Some(overdue) = overdue {
        page.wrapped(&format!("Overdue since then ({}): {}.", overdue.how_long(), names.join(", ")));
        page.wrapped(&who_can_end_it(replay, &names.join(" or ")));
    }
    if let Viewer::Arbiter = viewer {
        arbiters_turn(page, replay, &waiting, now);
    }
    let Some(seat) = viewer.seat() else { return };
    if missing.contains(&seat) {
        for table in &counted.outlook(seat) {
            chart(page, table);
        }
        page.line("");
        page.line("It is your turn. The command to type:");
        own_turn(page, counted.phase(), &counted.suggestions(seat));
    } else {
        let claims = counted.suggestions(seat);
        if !claims.is_empty() {
            page.line("");
            page.line("You may claim the draw:");
            own_turn(page, Phase::Move, &claims);
        }
    }
}

/// What can be done about seats that are overdue, and by whom.
fn who_can_end_it(replay: &Replay, seats: &str) -> String {
    let Some(arbiter) = replay.header().arbiter() else {
        let rest = match replay.counted().phase() {
            Phase::Seal | Phase::Deploy => "a player can only resign",
            Phase::Audit => "the result stands as it is meanwhile",
            _ => "the players can only agree on a draw or resign",
        };
        return format!("There is no arbiter to end the wait: {rest}.");
    };
    let or_rule = if Powers::of(replay).rulings.is_empty() { "" } else { ", or end the game" };
    format!("The arbiter, {} ({}), can forfeit {seats}{or_rule}.", arbiter.name, arbiter.mail)
}

/// What the arbiter may type.
fn arbiters_turn(page: &mut Page, replay: &Replay, waiting: &Waiting, now: Option<Time>) {
    page.line("");
    page.line("You are the arbiter. What you may type:");
    for command in arbiter_commands(replay) {
        page.line(&format!("  {command}"));
    }
    if now.is_some_and(|now| waiting.overdue(now).is_none()) {
        page.wrapped(match waiting.until {
            Some(_) => "The time for this step has not run out.",
            None => "This game sets no time for a step.",
        });
    }
}

/// What the arbiter may type now, the ways of ending a wait first.
#[must_use]
pub fn arbiter_commands(replay: &Replay) -> Vec<String> {
    let powers = Powers::of(replay);
    let forfeits = powers.forfeits.iter().map(|seat| format!("forfeit {}", replay.header().seat(*seat)));
    let rulings = powers.rulings.iter().map(|result| format!("rule {}", result.as_str()));
    forfeits.chain(rulings).map(|entry| format!("sealed {entry} --reason \"...\"")).collect()
}

fn own_turn(page: &mut Page, phase: Phase, suggestions: &[Suggestion]) {
    match phase {
        Phase::Seal => {
            page.line("  sealed seal --random");
            page.line("  sealed seal --fleet FLEET.toml");
        }
        _ if suggestions.is_empty() => page.line("  sealed respond"),
        _ => {
            if phase == Phase::Round {
                page.line("  sealed try --template > round.txt   (a text to write your round in)");
                page.line("  sealed try round.txt                (looks at it; signs nothing)");
                page.line("  sealed order -f round.txt           (gives it)");
            }
            let mut groups: Vec<&str> = Vec::new();
            for suggestion in suggestions {
                if !groups.contains(&suggestion.group.as_str()) {
                    groups.push(&suggestion.group);
                }
            }
            for group in groups {
                let of_group = suggestions.iter().filter(|suggestion| suggestion.group == group);
                let (plain, remarked): (Vec<&Suggestion>, Vec<&Suggestion>) =
                    of_group.partition(|suggestion| suggestion.remark.is_empty());
                if let Some((last, before)) = plain.first().and_then(|first| first.words.split_last()) {
                    let others: Vec<&str> = plain
                        .iter()
                        .skip(1)
                        .filter_map(|suggestion| suggestion.words.last())
                        .map(String::as_str)
                        .collect();
                    let mut line = format!("sealed order {} {last}", before.join(" ")).replace("  ", " ");
                    if !others.is_empty() {
                        let _ = write!(line, "   (or {})", others.join(", "));
                    }
                    page.indented(&line, "  ", "      ");
                }
                for suggestion in remarked {
                    page.line(&format!("  sealed order {}", suggestion.words.join(" ")));
                    page.indented(&suggestion.remark, "      ", "      ");
                }
            }
        }
    }
}
