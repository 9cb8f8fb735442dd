//! An order as text: a referee's note on how far it comes.

use super::facts::{Answer, FaultFacts, LegalFacts, OrderFacts, OrderLookedAt, PositionFacts};
use super::text::{capital, entry, listed, quote, who};
use crate::games::Phase;
use crate::report::{Page, WIDTH, chart};

/// An order that was looked at, as text.
#[must_use]
pub fn order_text(facts: &OrderLookedAt) -> String {
    let mut page = Page(String::new());
    let is_genuine = facts
        .stages
        .iter()
        .all(|stage| !matches!(stage.stage, "understood" | "verified") || stage.answer == Answer::Yes);
    let title = format!("{}: {}", facts.from, facts.what);
    page.wrapped(&title);
    page.line(&"=".repeat(title.chars().count().min(WIDTH)));
    if let Some(order) = &facts.order {
        if is_genuine {
            entry(&mut page, order);
        } else {
            claim(&mut page, order);
        }
        page.line("It answers the head");
        page.line(&format!("    {}", order.after));
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
    match (&facts.missing_told, &facts.fault) {
        (Some(told), _) => page.wrapped(told),
        (None, Some(fault)) => fault_text(&mut page, facts, fault),
        (None, None) => {}
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
    match &fault.rule {
        Some(rule) => quote(page, rule),
        None => page.wrapped(fault.meaning),
    }
    page.wrapped(&format!("Note: {}.", fault.help));
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
    if position.phase == Phase::Round.as_str() {
        page.wrapped("and any round in which `sealed try FILE` finds no fault.");
    }
    for table in &position.charts {
        chart(page, table);
    }
}

/// What an order says of itself that is not known to be true.
fn claim(page: &mut Page, order: &OrderFacts) {
    page.line("");
    page.wrapped(&format!(
        "It says that {} sent it, dated {}. The digest of what arrived:",
        who(&order.seat),
        order.time_told
    ));
    page.line(&format!("    {}", order.digest));
    if !order.fingerprint.is_empty() {
        page.wrapped(&format!(
            "The key that the header has for {} ({}) begins with {}.",
            who(&order.seat),
            order.name,
            order.fingerprint
        ));
    }
}
