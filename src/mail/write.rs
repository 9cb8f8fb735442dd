//! Writing a block.

use super::read::{BEGIN, END};
use crate::log::Verified;

/// The widest line of a block, in columns; only a long word of press can be wider.
const WIDTH: usize = 78;

/// An order as a block to be put into a mail.
#[must_use]
pub fn block(order: &Verified) -> String {
    let mut text = format!("{BEGIN}\n");
    for line in order.to_toml().lines().filter(|line| !line.is_empty()) {
        for part in broken(line) {
            text.push_str(&part);
            text.push('\n');
        }
    }
    text.push_str(END);
    text.push('\n');
    text
}

/// Breaks a line at single blanks; a reader takes the break for a blank again. No new line
/// begins with what mail programs take for a mark of their own.
fn broken(line: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    for word in line.split(' ') {
        let fits = current.chars().count() + 1 + word.chars().count() <= WIDTH;
        let must_not_begin =
            word.is_empty() || word.starts_with(['>', '|', '.', '-']) || word.starts_with("From");
        if current.is_empty() {
            current.push_str(word);
        } else if fits || must_not_begin {
            current.push(' ');
            current.push_str(word);
        } else {
            lines.push(std::mem::replace(&mut current, format!("  {word}")));
        }
    }
    lines.push(current);
    lines
}
