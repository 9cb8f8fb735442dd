//! A step as text: a referee's note of at most [`WIDTH`] columns.
//!
//! Only what a shell has to take as it stands may be wider, where a path is.

use super::facts::{Check, EventFacts, NonceFacts, Opening, OrderFacts, Place, StepFacts};
use crate::games::Rule;
use crate::ident::Seat;
use crate::report::{Page, WIDTH, chart};

/// A preimage that is longer than this is named, not shown.
const LONGEST_PREIMAGE: usize = 400;

/// Of more openings than these, only the first is shown with its bytes.
const MOST_PREIMAGES: usize = 5;

/// A board of more lines than this is not drawn.
const LARGEST_BOARD: usize = 32;

/// What is written before the commands.
const HOW: &str = "Paste this into a POSIX shell. `sealed preimage` only prints the bytes behind a digest, for you to read and to hash. What stands behind #> is what the command before it prints.";

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
    for proof in &facts.proofs {
        page.line("");
        page.wrapped(&format!(
            "In the place of {}'s order stands a proof. It holds two orders that contradict each other:",
            proof.seat
        ));
        for order in &proof.orders {
            entry(&mut page, order);
        }
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
pub(super) fn entry(page: &mut Page, order: &OrderFacts) {
    page.line("");
    let whose = match &order.in_place_of {
        Some(seat) => format!(" in the place of {seat}'s order"),
        None => String::new(),
    };
    page.wrapped(&format!(
        "{} ({}) sent [{}]{whose}, dated {}. Its digest:",
        capital(&who(&order.seat)),
        order.name,
        order.action,
        order.time_told
    ));
    page.line(&format!("    {}", order.digest));
    page.wrapped(&format!(
        "It is signed with the key that the header has for {}; that begins with {}.",
        who(&order.seat),
        order.fingerprint
    ));
    if let Some(reason) = &order.reason {
        page.line("It gives the reason:");
        page.indented(reason, "  | ", "  | ");
    }
    if order.draw {
        page.wrapped("It offers a draw.");
    }
    if let Some(press) = &order.press {
        page.line("It says to all:");
        page.indented(press, "  | ", "  | ");
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

pub(super) fn quote(page: &mut Page, rule: &Rule) {
    page.wrapped(&format!("[{}] {}:", rule.number, rule.file));
    for words in &rule.words {
        page.indented(words, "  | ", "  | ");
    }
}

fn checks(page: &mut Page, checks: &[Check]) {
    page.heading("How to check it with sha256sum and openssl");
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

/// Whose entry it is, in a sentence.
pub(super) fn who(seat: &str) -> String {
    if seat == Seat::ARBITER { format!("the {seat}") } else { seat.to_owned() }
}

/// Words in a row: `red and blue`, `nobody`.
pub(super) fn listed(words: &[String], last: &str) -> String {
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
