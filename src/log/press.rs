//! Press: what players say to each other in their orders.
//!
//! Press is signed, and it travels by mail; so it may hold no character that mail
//! software is known to change. The composer makes curly quotes and the like plain first;
//! a verifier only checks the ranges.

use unicode_normalization::UnicodeNormalization;

use crate::fault::{Checked, Code, Fault};

/// The most code points that press may have.
pub const LONGEST_PRESS: usize = 2_000;

fn forbidden(c: char) -> bool {
    matches!(u32::from(c),
        0x00..=0x1f | 0x7f..=0xa0 | 0xad | 0x2000..=0x206f | 0x2212 | 0x3000 | 0xfe00..=0xfe0f
        | 0xfeff | 0xff02 | 0xff07 | 0xe0001..)
}

/// Checks press as a verifier does.
///
/// # Errors
/// `bad-press`, naming the character or the length.
pub fn check_press(press: &str) -> Checked<()> {
    let length = press.chars().count();
    if length > LONGEST_PRESS {
        return Err(Fault::new(
            Code::BadPress,
            format!("press has {length} characters; at most {LONGEST_PRESS} are allowed"),
        )
        .help("say the rest in the mail itself"));
    }
    match press.chars().find(|c| forbidden(*c)) {
        None => Ok(()),
        Some(odd) => Err(Fault::new(
            Code::BadPress,
            format!("press holds U+{:04X}, which mail programs change on the way", u32::from(odd)),
        )
        .help("leave that character out")),
    }
}

/// Makes press of what a player typed: composed to NFC, quotes, dashes and blanks made
/// plain, line ends and runs of blanks made one blank, as a block's reader folds them. What is still forbidden then is for [`check_press`].
#[must_use]
pub fn tidy_press(typed: &str) -> String {
    let mut press = String::with_capacity(typed.len());
    for c in typed.nfc() {
        match c {
            '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{ff07}' => press.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ff02}' => press.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => press.push('-'),
            '\u{2026}' => press.push_str("..."),
            '\n'
            | '\r'
            | '\t'
            | '\u{a0}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}' => {
                if !press.ends_with(' ') {
                    press.push(' ');
                }
            }
            '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' => {}
            c => press.push(c),
        }
    }
    press.trim().to_owned()
}
