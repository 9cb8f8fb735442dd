//! A dispute as text: the verdict first, then why, then what can be done.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::text::{WIDTH, wrap};
use crate::document::{Table, toml_text};
use crate::log::{Entry, Verified};
use crate::turn::dispute::{Copy, Dispute, Finding, Kind, Standing};

/// The width of one of two columns.
const COLUMN: usize = (WIDTH - 5) / 2;

/// The whole report of a dispute.
#[must_use]
pub fn dispute_text(dispute: &Dispute) -> String {
    let mut text = format!("VERDICT: {}\n", dispute.verdict().as_str());
    for (number, finding) in dispute.findings.iter().enumerate() {
        if number == 1 {
            text.push_str("\nALSO FOUND\n");
        }
        text.push('\n');
        if number > 0 {
            let _ = writeln!(text, "{}:", finding.kind.as_str());
        }
        tell(&mut text, finding);
    }
    for game in &dispute.games {
        text.push('\n');
        tell_standing(&mut text, game, dispute.games.len() > 1);
    }
    let advice = advice(dispute);
    if !advice.is_empty() {
        text.push_str("\nWHAT TO DO\n");
        for line in advice {
            paragraph(&mut text, &line);
        }
    }
    text
}

fn paragraph(text: &mut String, sentence: &str) {
    for line in wrap(sentence, WIDTH - 2, "") {
        let _ = writeln!(text, "  {line}");
    }
}

fn tell(text: &mut String, finding: &Finding) {
    for sentence in &finding.told {
        paragraph(text, sentence);
    }
    if let (Some(check), Some(fault)) = (finding.check(), &finding.fault) {
        let rule = fault.rule.map(|rule| format!(", rule {rule}")).unwrap_or_default();
        paragraph(text, &format!("The check that fails: {check} ({}{rule}).", fault.code.as_str()));
    }
    if let Some(who) = &finding.who {
        paragraph(text, &format!("Who can decide it: {who}."));
    }
    let orders: Vec<&Verified> = finding.entries.iter().filter_map(Entry::order).collect();
    if let [.., one, other] = orders.as_slice() {
        side_by_side(text, one, other);
    }
}

/// Two orders in two columns; a star marks the lines in which they differ.
fn side_by_side(text: &mut String, one: &Verified, other: &Verified) {
    let (left, right) = (lines_of(one), lines_of(other));
    let (in_left, in_right): (BTreeSet<&String>, BTreeSet<&String>) =
        (left.iter().collect(), right.iter().collect());
    text.push('\n');
    for row in 0..left.len().max(right.len()) {
        let cell = |lines: &[String], others: &BTreeSet<&String>| {
            let line = lines.get(row).cloned().unwrap_or_default();
            let differs = !line.is_empty() && !others.contains(&line);
            (cut(&line), if differs { '*' } else { ' ' })
        };
        let (one, one_differs) = cell(&left, &in_right);
        let (other, other_differs) = cell(&right, &in_left);
        let line = format!("  {one_differs}{one:COLUMN$}|{other_differs}{other}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn cut(line: &str) -> String {
    let length = line.chars().count();
    if length <= COLUMN {
        line.to_owned()
    } else {
        format!("{}...", line.chars().take(COLUMN - 3).collect::<String>())
    }
}

/// An order as it stands in its file, line by line, without what both have anyway.
fn lines_of(order: &Verified) -> Vec<String> {
    let said = order.order();
    let mut head = Table::default();
    head.push("seat", said.seat.as_str());
    head.push("step", said.step);
    head.push("after", said.after.by_eye());
    head.push("digest", crate::ident::Head::new(*order.digest().as_bytes()).by_eye());
    head.push("time", said.time);
    if let Some(press) = &said.press {
        head.push("press", press.as_str());
    }
    if said.draw {
        head.push("draw", true);
    }
    let mut lines: Vec<String> = toml_text(&head, "").lines().map(str::to_owned).collect();
    lines.push(format!("[{}]", said.action));
    if let Some(details) = said.details().as_table() {
        lines.extend(
            toml_text(details, &said.action).lines().filter(|line| !line.is_empty()).map(str::to_owned),
        );
    }
    lines
}

fn tell_standing(text: &mut String, game: &Standing, several: bool) {
    let header = &game.header;
    text.push_str(if several { "THE FILES OF ONE GAME\n" } else { "THE FILES\n" });
    let _ = writeln!(
        text,
        "  Game: {} ({})",
        header.name(),
        header.id().to_string().chars().take(16).collect::<String>()
    );
    let widest = game.copies.iter().map(|copy| copy.name.chars().count()).max().unwrap_or(0);
    for Copy { name, step, head, entries } in &game.copies {
        let entries = if *entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
        let where_ = match (step, head) {
            (Some(step), Some(head)) => format!("step {step}, head {}, {entries}", head.by_eye()),
            _ => format!("does not hold ({entries})"),
        };
        let line = format!("  {name:widest$}  {where_}");
        if line.chars().count() <= WIDTH {
            let _ = writeln!(text, "{line}");
        } else {
            let _ = writeln!(text, "  {name}\n    {where_}");
        }
    }
    if let Some((step, head)) = game.common.filter(|_| game.copies.len() > 1) {
        let _ = writeln!(text, "  Last head that all have: step {step}, {}", head.by_eye());
    }
    let stands = &game.stands;
    let _ = writeln!(text, "  What stands:             step {}, {}", stands.step(), stands.head().by_eye());
    if stands.head() != game.merged.head() {
        paragraph(text, "That is with the proof in its place, which no file has entered yet.");
    }
    let awaited: Vec<String> =
        stands.missing().into_iter().map(|seat| header.seat(seat).to_string()).collect();
    match stands.ending() {
        Some(ending) => paragraph(text, &ending.told(header)),
        None => paragraph(text, &format!("Awaited then: {}.", awaited.join(", "))),
    }
    // What the rules themselves have caught is no quarrel, but a referee wants to know it.
    for step in stands.steps() {
        for event in step.events.iter().filter(|event| event.kind == "caught") {
            paragraph(text, &format!("Step {}: {}", step.number, event.told.join(" ")));
        }
    }
}

fn advice(dispute: &Dispute) -> Vec<String> {
    let has = |kind: Kind| dispute.findings.iter().any(|finding| finding.kind == kind);
    let mut advice = Vec::new();
    if has(Kind::TwoOrders) {
        advice.push("To keep the proof: type this again with --proof FILE. Anybody can check that file alone with `sealed proof check FILE`, and each player enters it with `sealed proof enter FILE`. The others play on from there.".to_owned());
    }
    if has(Kind::Behind) || has(Kind::ProofEntered) || has(Kind::WrittenTwice) {
        advice.push(
            "To bring a copy up to date: `sealed apply COPY OTHER-FILES`, or --merge OUT here.".to_owned(),
        );
    }
    // What cannot be read, or nobody signed, has no step to look at.
    let is_genuine = |finding: &Finding| !matches!(finding.check(), Some("understood" | "genuine"));
    let to_explain = [Kind::Invalid, Kind::WrongOpening, Kind::ArbiterEntry, Kind::ClaimYielded];
    if dispute.findings.iter().any(|finding| to_explain.contains(&finding.kind) && is_genuine(finding)) {
        advice.push("To see a step with its rules: `sealed explain GAME STEP`; to see why an order is refused: `sealed explain GAME --order FILE`.".to_owned());
    }
    advice
}
