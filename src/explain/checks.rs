//! The commands that check a step with `sha256sum` and `openssl`, as `docs/VERIFY.md` has
//! them, with what they print. They are for one POSIX shell, in this order.

use serde_json::Value;

use super::facts::{Check, DieFacts, Opening};
use crate::games::Legal;
use crate::log::{Entry, Header, Verified};
use crate::turn::Step;

/// What the commands for a signature use.
const SIGNED: [&str; 11] = [
    "d=$(mktemp -d)",
    "bytes() {",
    "  printf \"$(printf '\\\\%03o' $(printf %s \"$1\" | sed 's/../ 0x&/g'))\"",
    "}",
    "signed() { # digest, key, r, s",
    "  sealed preimage \"$game\" \"$1\" > \"$d/order\"",
    "  bytes \"302a300506032b6570032100$2\" > \"$d/key\"",
    "  bytes \"$3$4\" > \"$d/signature\"",
    "  openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey \"$d/key\" \\",
    "    -in \"$d/order\" -sigfile \"$d/signature\"",
    "}",
];

/// What the commands for a die use.
const DIE: [&str; 7] = [
    "die() { # digest, sides, which word of the keystream",
    "  key=$(sealed preimage \"$game\" \"$1\" | sha256sum | cut -d ' ' -f 1)",
    "  word=$(head -c $(($3 * 4)) /dev/zero | openssl enc -chacha20 -K $key \\",
    "    -iv 00000000000000000000000000000000 | od -An -v -tu4 -w4 \\",
    "    --endian=little | tail -n 1)",
    "  echo $((word)) $((word % $2 + 1))",
    "}",
];

/// So many digits of a digest are enough to name it.
const ENOUGH: usize = 16;

/// How many digits a salt, a nonce and a digest have.
const DIGITS: usize = 64;

fn short(digest: &str) -> &str {
    digest.get(..ENOUGH).unwrap_or(digest)
}

/// A line that `sha256sum` prints.
fn sum(digest: &str) -> Vec<String> {
    vec![format!("{digest}  -")]
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-' | '_' | '+' | ',');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Everything of a step that these tools can check.
pub(super) fn of_step(
    header: &Header,
    step: &Step,
    openings: &[Opening],
    dice: &[DieFacts],
    path: &str,
) -> Vec<Check> {
    let mut checks = vec![prepare(path, !dice.is_empty())];
    for order in step.orders.iter().flat_map(signed_in) {
        checks.extend(of_order(header, order));
    }
    checks.push(of_head(step));
    for (place, opening) in openings.iter().enumerate() {
        checks.push(of_opening(opening));
        // Of many openings one shows how all are asked for.
        if place == 0 {
            checks.extend(asked(opening));
        }
    }
    checks.extend(dice.iter().map(of_die));
    checks
}

fn prepare(path: &str, has_dice: bool) -> Check {
    let die: &[&str] = if has_dice { &DIE } else { &[] };
    let functions = SIGNED.iter().chain(die).map(|line| (*line).to_owned());
    Check {
        what: "the game, and what the commands below use".to_owned(),
        lines: std::iter::once(format!("game={}", quoted(path))).chain(functions).collect(),
        prints: Vec::new(),
    }
}

/// What a step holds: its orders, and the two of each proof.
fn signed_in(legal: &Legal) -> Vec<&Verified> {
    match legal.entry() {
        Entry::Order(order) => vec![order],
        Entry::Proof(proof) => proof.pair().iter().collect(),
    }
}

fn of_order(header: &Header, order: &Verified) -> Vec<Check> {
    let said = order.order();
    let digest = order.digest().to_string();
    let what = format!("[{}] of {}", said.action, said.seat);
    let hashed = Check {
        what: format!("{what}: its digest"),
        lines: vec![format!("sealed preimage \"$game\" {} | sha256sum", short(&digest))],
        prints: sum(&digest),
    };
    let player = header.index(&said.seat).and_then(|seat| header.players().get(seat.place()));
    let key = player.map(|player| player.key).or_else(|| header.arbiter().map(|arbiter| arbiter.key));
    let signature = order.signature();
    let signed = key.map(|key| Check {
        what: format!("{what}: its signature, with the key of the header"),
        lines: vec![
            format!("signed {} \\", short(&digest)),
            format!("  {key} \\"),
            format!("  {} \\", signature.r),
            format!("  {}", signature.s),
        ],
        prints: vec!["Signature Verified Successfully".to_owned()],
    });
    std::iter::once(hashed).chain(signed).collect()
}

/// The head, from the head before it and the digests of the orders: without this program.
fn of_head(step: &Step) -> Check {
    let mut lines = vec!["orders=$(printf ',\"%s\"' \\".to_owned()];
    let digests: Vec<String> = step
        .orders
        .iter()
        .flat_map(|legal| legal.entry().digests())
        .map(|digest| digest.to_string())
        .collect();
    if let Some((last, before)) = digests.split_last() {
        lines.extend(before.iter().map(|digest| format!("  {digest} \\")));
        lines.push(format!("  {last})"));
    }
    lines.push("printf 'sealed-orders/1 step\\n{\"after\":\"%s\",\"orders\":[%s]}' \\".to_owned());
    lines.push(format!("  {} \\", step.after));
    lines.push("  \"${orders#,}\" | sha256sum".to_owned());
    Check {
        what: "the head, from the head before it and the orders".to_owned(),
        lines,
        prints: sum(&step.head.to_string()),
    }
}

/// The digest of what was opened, and that the order which sealed it holds that digest.
fn of_opening(opening: &Opening) -> Check {
    let short_one = short(&opening.commitment);
    let mut lines = vec![format!("sealed preimage \"$game\" {short_one} | sha256sum")];
    let mut prints = sum(&opening.commitment);
    if let Some(sealed) = &opening.sealed {
        lines.push(format!("sealed preimage \"$game\" {} |", short(&sealed.order)));
        lines.push(format!("  grep -o {short_one}"));
        prints.push(short_one.to_owned());
    }
    let order = opening.sealed.as_ref().map(|place| format!(", sealed in step {}", place.step));
    let what = format!("{} of {}{}", opening.slot, opening.seat, order.unwrap_or_default());
    Check { what, lines, prints }
}

/// The same opening as `sealed commitment` takes it; a fleet is too long for a command line.
fn asked(opening: &Opening) -> Option<Check> {
    let (_, json) = opening.preimage.split_once('\n')?;
    let Ok(Value::Object(parts)) = serde_json::from_str(json) else { return None };
    let mut lines = Vec::new();
    let mut keys = Vec::new();
    for (key, value) in parts.iter().filter(|(key, _)| *key != "game") {
        let line = match value {
            // A long one stands on a line of its own, which stays narrow enough for a mail.
            Value::String(text) if text.len() == DIGITS => {
                lines.push(format!("{key}={text}"));
                keys.push(format!("\"{key} = \\\"${key}\\\"\""));
                continue;
            }
            Value::String(text) => format!("{key} = \"{text}\""),
            Value::Number(number) => format!("{key} = {number}"),
            _ => return None,
        };
        keys.push(quoted(&line));
    }
    let (last, before) = keys.split_last()?;
    lines.push("printf '%s\\n' \\".to_owned());
    lines.extend(before.iter().map(|line| format!("  {line} \\")));
    lines.push(format!("  {last} > \"$d/opening\""));
    lines.push("sealed commitment \"$game\" \"$d/opening\" | tail -n 1".to_owned());
    Some(Check {
        what: "the same opening, as anybody can ask for it".to_owned(),
        lines,
        prints: vec!["It matches: this is what was sealed.".to_owned()],
    })
}

fn of_die(die: &DieFacts) -> Check {
    let word = die.words.last().copied().unwrap_or_default();
    Check {
        what: format!("the die {}", die.label),
        lines: vec![format!("die {} {} {}", short(&die.key), die.sides, die.words.len())],
        prints: vec![format!("{word} {}", die.value)],
    }
}
