//! Explanations as text: a referee's note of at most [`WIDTH`] columns.
//!
//! What a shell has to take as it stands, and digests, may be wider than the rest only where
//! a path or a name is.

use super::facts::{
    Answer, Check, EventFacts, FaultFacts, LegalFacts, NonceFacts, Opening, OrderFacts, OrderLookedAt, Place,
    PositionFacts, StepFacts,
};
use crate::games::Rule;
use crate::report::{Page, WIDTH, chart};

/// A preimage that is longer than this is named, not shown.
const LONGEST_PREIMAGE: usize = 400;

/// Of more openings than these, only the first is shown with its bytes.
const MOST_PREIMAGES: usize = 5;

/// A board of more lines than this is not drawn.
const LARGEST_BOARD: usize = 32;

/// What is written before the commands.
const HOW: &str = "Paste this into a POSIX shell with sha256sum and openssl 3. What stands behind #> is what the command before it prints.";

/// A step that was explained, as text.
#[must_use]
pub fn step_text(facts: &StepFacts) -> String {
    let mut page = Page(String::new());
    let title = format!("Step {} of {} ({})", facts.step, facts.game, facts.title);
    page.wrapped(&title);
    page.line(&"=".repeat(title.chars().count().min(WIDTH)));
    place(&mut page, facts);
    for order in &facts.orders {
        entry(&mut page, order);
    }
    board(&mut page, facts);
    page.heading("What happened, and by which rules");
    for (number, event) in facts.events.iter().enumerate() {
        happened(&mut page, number + 1, event);
    }
    for table in &facts.charts {
        chart(&mut page, table);
    }
    rules(&mut page, &facts.rules);
    origins(&mut page, facts);
    dice(&mut page, facts);
    seals(&mut page, facts);
    checks(&mut page, &facts.checks);
    page.0
}

fn place(page: &mut Page, facts: &StepFacts) {
    page.line("");
    page.wrapped(&format!("Awaited was {} from {}.", facts.awaited, listed(&facts.awaited_from, "and")));
    page.wrapped(&match facts.step {
        0 => "It answers the game id, the head of a game in which nothing has closed:".to_owned(),
        1 => "One step had closed before it. It answers the head".to_owned(),
        steps => format!("{steps} steps had closed before it (0 to {}). It answers the head", steps - 1),
    });
    page.line(&format!("    {}", facts.after));
    page.line("and made the head");
    page.line(&format!("    {}", facts.head));
}

/// The board that the orders found, and where the rest of that position can be read.
fn board(page: &mut Page, facts: &StepFacts) {
    if facts.board.is_empty() {
        return;
    }
    page.heading("The board before, and what was known of the fleets");
    if facts.board.len() <= LARGEST_BOARD {
        for line in &facts.board {
            page.line(&format!("  {line}"));
        }
    }
    for sheet in &facts.fleets {
        chart(page, sheet);
    }
    page.line("");
    page.wrapped(&format!(
        "`sealed show --step {}` shows all that was known then, `sealed show --step {}` what came of it.",
        facts.step,
        facts.step + 1
    ));
}

/// Who sent what, and by which key it is known.
fn entry(page: &mut Page, order: &OrderFacts) {
    page.line("");
    let whose = match &order.in_place_of {
        Some(seat) => format!(" in the place of {seat}'s order"),
        None => String::new(),
    };
    page.wrapped(&format!(
        "{} ({}) sent [{}]{whose}, dated {}. Its digest:",
        capital(&order.seat),
        order.name,
        order.action,
        order.time_told
    ));
    page.line(&format!("    {}", order.digest));
    page.wrapped(&format!(
        "It is signed with the key that the header has for {}; that begins with {}.",
        order.seat, order.fingerprint
    ));
    if order.draw {
        page.wrapped("It offers a draw.");
    }
    if let Some(press) = &order.press {
        page.line("It says to all:");
        page.indented(press, "  | ", "  | ");
    }
}

/// What an order says of itself that is not known to be true.
fn claim(page: &mut Page, order: &OrderFacts) {
    page.line("");
    page.wrapped(&format!(
        "It says that {} sent it, dated {}. The digest of what arrived:",
        order.seat, order.time_told
    ));
    page.line(&format!("    {}", order.digest));
    if !order.fingerprint.is_empty() {
        page.wrapped(&format!(
            "The key that the header has for {} ({}) begins with {}.",
            order.seat, order.name, order.fingerprint
        ));
    }
}

fn happened(page: &mut Page, number: usize, event: &EventFacts) {
    let mut lines = event.told.iter();
    if let Some(first) = lines.next() {
        page.indented(first, &format!("{number:>2}. "), "    ");
    }
    for line in lines {
        page.indented(line, "      ", "        ");
    }
    if !event.rules.is_empty() {
        let numbers: Vec<String> = event.rules.iter().map(|rule| format!("[{rule}]")).collect();
        page.indented(&format!("Decided by {}.", numbers.join(" ")), "    ", "    ");
    }
}

fn in_order(place: &Place) -> String {
    format!("step {}, in {}'s [{}], as {}", place.step, place.seat, place.action, place.at)
}

fn origins(page: &mut Page, facts: &StepFacts) {
    if facts.openings.is_empty() && facts.earlier.is_empty() {
        return;
    }
    page.heading("What was opened, and where it had been sealed");
    let all_shown = facts.openings.len() <= MOST_PREIMAGES;
    for (place, opening) in facts.openings.iter().enumerate() {
        opened(page, opening, all_shown || place == 0);
    }
    if !all_shown {
        page.wrapped("(The bytes of the others look alike; `sealed preimage` prints them.)");
    }
    for opening in &facts.earlier {
        let step = opening.opened.as_ref().map(|place| place.step);
        let when = step.map_or_else(String::new, |step| {
            format!("; it has been open since step {step} (`sealed explain {step}`)")
        });
        page.wrapped(&format!("{}'s {}: {}{when}.", capital(&opening.seat), opening.slot, opening.told));
    }
}

fn opened(page: &mut Page, opening: &Opening, with_preimage: bool) {
    page.indented(&format!("{}'s {}: {}", capital(&opening.seat), opening.slot, opening.told), "", "  ");
    if let Some(sealed) = &opening.sealed {
        page.indented(&format!("sealed in {}:", in_order(sealed)), "  ", "    ");
    }
    page.line(&format!("    {}", opening.commitment));
    if let Some(place) = &opening.opened {
        let what = if opening.salt.is_some() { " with the salt" } else { ":" };
        page.indented(&format!("opened as {}{what}", place.at), "  ", "    ");
    }
    if let Some(salt) = &opening.salt {
        page.line(&format!("    {salt}"));
    } else if let Some(nonce) = opening.value.get("nonce").and_then(|nonce| nonce.as_str()) {
        page.line(&format!("    {nonce}"));
    }
    if !with_preimage {
        return;
    }
    if opening.preimage.len() > LONGEST_PREIMAGE {
        page.indented(
            &format!(
                "the sealed digest is that of {} bytes; `sealed preimage` prints them",
                opening.preimage.len()
            ),
            "  ",
            "  ",
        );
    } else {
        page.line("  the sealed digest is that of these bytes (lines broken here only):");
        preimage(page, &opening.preimage);
    }
}

/// A preimage, broken behind commas and colons.
fn preimage(page: &mut Page, text: &str) {
    for line in text.lines() {
        let mut row = String::new();
        for part in line.split_inclusive([',', ':']) {
            if !row.is_empty() && row.chars().count() + part.chars().count() + 4 > WIDTH {
                page.line(&format!("    {row}"));
                row.clear();
            }
            row.push_str(part);
        }
        page.line(&format!("    {row}"));
    }
}

fn dice(page: &mut Page, facts: &StepFacts) {
    if facts.dice.is_empty() {
        return;
    }
    page.heading("The dice");
    page.wrapped("They were rolled from these shares of entropy, each sealed before anything that they decide was chosen:");
    for NonceFacts { seat, nonce, opened } in &facts.nonces {
        let whence = opened.as_ref().map(|place| format!(", opened in {}", in_order(place)));
        page.indented(&format!("{seat}'s{}:", whence.unwrap_or_default()), "  ", "    ");
        page.line(&format!("    {nonce}"));
    }
    page.wrapped("The digest of game, label and nonces is the key of a die; a word of its keystream gives the number on it [protocol 10, die]:");
    for die in &facts.dice {
        let (skipped, word) = match die.words.split_last() {
            Some((word, skipped)) => (skipped, *word),
            None => (&[][..], 0),
        };
        let after = match skipped {
            [] => String::new(),
            words => format!(
                " (skipped: {})",
                listed(&words.iter().map(u32::to_string).collect::<Vec<_>>(), "and")
            ),
        };
        page.indented(
            &format!("{}: {word} mod {} + 1 = {}{after}", die.label, die.sides, die.value),
            "  ",
            "    ",
        );
    }
}

fn seals(page: &mut Page, facts: &StepFacts) {
    if facts.seals.is_empty() {
        return;
    }
    page.heading("What was sealed");
    for seal in &facts.seals {
        let digits = seal.commitment.get(..16).unwrap_or_default();
        let since = match seal.opened_in {
            Some(step) => format!("opened in step {step}"),
            None => "not opened so far".to_owned(),
        };
        page.indented(&format!("{digits}...  {}'s {} ({since})", seal.seat, seal.slot), "  ", "      ");
    }
}

fn rules(page: &mut Page, rules: &[Rule]) {
    if rules.is_empty() {
        return;
    }
    page.heading("The rules, in their own words");
    for rule in rules {
        quote(page, rule);
    }
}

fn quote(page: &mut Page, rule: &Rule) {
    page.wrapped(&format!("[{}] {}:", rule.number, rule.file));
    for words in &rule.words {
        page.indented(words, "  | ", "  | ");
    }
}

fn checks(page: &mut Page, checks: &[Check]) {
    page.heading("How to check it without this program");
    page.wrapped(HOW);
    for check in checks {
        page.line("");
        page.indented(&check.what, "# ", "# ");
        for line in &check.lines {
            page.line(line);
        }
        for line in &check.prints {
            page.line(&format!("#> {line}"));
        }
    }
}

/// An order that was looked at, as text.
#[must_use]
pub fn order_text(facts: &OrderLookedAt) -> String {
    let mut page = Page(String::new());
    match &facts.order {
        Some(order) => {
            page.wrapped(&format!(
                "{}: [{}] of {}, for step {}",
                facts.from, order.action, order.seat, order.step
            ));
            entry(&mut page, order);
            page.line("It answers the head");
            page.line(&format!("    {}", order.after));
        }
        None => page.wrapped(&format!("{}: no order that can be judged", facts.from)),
    }
    page.heading("How far it comes");
    for stage in &facts.stages {
        let answer = match stage.answer {
            Answer::Yes => "yes",
            Answer::No => "no",
            Answer::CannotBeSaid => "this file cannot say",
            Answer::NotAsked => "not asked",
        };
        page.line(&format!("  {:<18}{answer}", format!("{}?", stage.told)));
    }
    page.wrapped(&facts.verdict_told);
    if let Some(told) = &facts.missing_told {
        page.wrapped(told);
    }
    if let Some(fault) = &facts.fault {
        fault_text(&mut page, facts, fault);
    }
    if let Some(position) = &facts.position {
        position_text(&mut page, position, facts.verdict == "refused");
    }
    page.0
}

fn fault_text(page: &mut Page, facts: &OrderLookedAt, fault: &FaultFacts) {
    page.heading(&format!("Why ({})", fault.code));
    page.wrapped(&format!("{}.", capital(&fault.message)));
    if let (Some(line), Some(column), Some(source)) = (fault.line, fault.column, &fault.source) {
        page.indented(&format!("{}:{line}:{column}: {source}", facts.from), "  ", "    ");
    }
    match (&fault.rule, facts.stages.iter().find(|stage| stage.answer == Answer::No)) {
        (Some(rule), _) => quote(page, rule),
        (None, Some(stage)) => {
            let number = format!("protocol 15.1, {}", stage.stage);
            if let Some(rule) = crate::games::passage(&number) {
                quote(page, &rule);
            }
        }
        (None, None) => page.wrapped(fault.meaning),
    }
    page.wrapped(&format!("What can be done: {}.", fault.help));
}

fn position_text(page: &mut Page, position: &PositionFacts, with_legal: bool) {
    page.heading("What was awaited there");
    let newest =
        if position.newest { "the newest head of this game" } else { "an earlier head of this game" };
    page.wrapped(&format!(
        "Step {}, {newest}: {} from {}.",
        position.step,
        position.awaited,
        listed(&position.awaited_from, "and")
    ));
    if !with_legal || position.legal.is_empty() {
        return;
    }
    page.wrapped("What would be legal there, as it is typed:");
    let mut rest = position.legal.as_slice();
    while let Some((first, _)) = rest.split_first() {
        let (stem, _) = first.command.rsplit_once(' ').unwrap_or((first.command.as_str(), ""));
        let is_like = |legal: &&LegalFacts| {
            legal.remark.is_empty()
                && first.remark.is_empty()
                && legal.seat == first.seat
                && legal.command.rsplit_once(' ').is_some_and(|(other, _)| other == stem)
        };
        let alike = rest.iter().take_while(is_like).count().max(1);
        let (now, later) = rest.split_at(alike);
        let others: Vec<&str> =
            now.iter().skip(1).filter_map(|legal| legal.command.rsplit(' ').next()).collect();
        let more = match (others.as_slice(), first.remark.as_str()) {
            ([], "") => String::new(),
            ([], remark) => format!("   ({remark})"),
            (others, _) => format!("   (or {})", others.join(", ")),
        };
        page.indented(&format!("{}: {}{more}", first.seat, first.command), "  ", "      ");
        rest = later;
    }
    for table in &position.charts {
        chart(page, table);
    }
}

/// Words in a row: `red and blue`, `nobody`.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A word as a sentence begins with it.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
