//! The rules in their own words: what a number like `SB-12` says, as `docs/rules` has it.
//!
//! Reports, refusals and explanations cite rules by number. Whoever reads them and does not
//! know the game needs the words, and those are written once, for people.

use serde::Serialize;

/// A text that holds rules, and where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Rulebook {
    /// Its path in the project.
    pub file: &'static str,
    /// The whole text, in Markdown.
    pub text: &'static str,
}

/// One rule in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Its number: `SB-12`, a section like `A.5`, or a passage of the protocol.
    pub number: String,
    /// The path of the text that has it.
    pub file: &'static str,
    /// Its words, a paragraph an entry.
    pub words: Vec<String>,
}

/// The protocol, which holds what all games share.
pub const PROTOCOL: Rulebook =
    Rulebook { file: "docs/PROTOCOL.md", text: include_str!("../../docs/PROTOCOL.md") };

/// The passages of the protocol that are cited: what they are called here, and how they begin.
const PASSAGES: [(&str, &str); 18] = [
    ("protocol 7, claim", "- **`[claim-draw]`** of a seat that is out"),
    ("protocol 8, proof", "A proof is an entry"),
    ("protocol 9, opening", "`game` is the game id, `seat` the owner's seat name"),
    ("protocol 10, die", "The key is a ChaCha20 key."),
    ("protocol 11, forfeit", "- `[forfeit]` exactly"),
    ("protocol 11, ruling", "- `[ruling]` exactly"),
    ("protocol 12, seal", "**Step 0, phase `seal`**"),
    ("protocol 12, deploy", "**Step 1, phase `deploy`**"),
    ("protocol 12, resign", "**`[resign]`** is an empty table."),
    ("protocol 12, step 0", "- If any seat resigned or was forfeited in step 0"),
    ("protocol 12, step 1", "- Seats that resigned or were forfeited in step 1"),
    ("protocol 12, draw", "**Draw by agreement.**"),
    ("protocol 15.1, understood", "| *understood* |"),
    ("protocol 15.1, verified", "| *verified* |"),
    ("protocol 15.1, placed", "| *placed* |"),
    ("protocol 15.1, legal", "| *legal* |"),
    ("protocol 18, one decision", "3. **One decision of each seat.**"),
    ("protocol 18, precedence", "5. **Precedence** (section 7)"),
];

/// How the number of a passage of the protocol begins.
const OF_PROTOCOL: &str = "protocol ";

/// A passage of the protocol by the name that it has here.
#[must_use]
pub fn passage(number: &str) -> Option<Rule> {
    let (_, start) = PASSAGES.iter().find(|(name, _)| *name == number)?;
    let words = if start.starts_with('|') {
        let row = PROTOCOL.text.lines().find(|line| line.starts_with(start))?;
        vec![plain(row.split('|').nth(2)?)]
    } else {
        vec![PROTOCOL.beginning_with(start)?]
    };
    Some(Rule { number: number.to_owned(), file: PROTOCOL.file, words })
}

impl Rulebook {
    /// A rule by its number: a ruling of this book (`SB-12`), a section of it (`A.5`), or a
    /// passage of the protocol.
    #[must_use]
    pub fn rule(&self, number: &str) -> Option<Rule> {
        if number.starts_with(OF_PROTOCOL) {
            return passage(number);
        }
        let words = if number.starts_with("A.") {
            self.section(number)
        } else {
            self.beginning_with(&format!("**{number}** ")).into_iter().collect()
        };
        (!words.is_empty()).then(|| Rule { number: number.to_owned(), file: self.file, words })
    }

    /// The numbers of all rulings.
    #[must_use]
    pub fn rulings(&self) -> Vec<&'static str> {
        let marked = self.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("** "));
        marked.map(|(number, _)| number).filter(|number| is_ruling(number)).collect()
    }

    /// The paragraph, or the point of a list, that begins with these words: one line, without
    /// its number.
    fn beginning_with(&self, start: &str) -> Option<String> {
        let from = self.text.lines().skip_while(|line| !line.starts_with(start));
        let mut lines =
            from.enumerate().take_while(|(place, line)| *place == 0 || !(line.is_empty() || is_point(line)));
        let (_, first) = lines.next()?;
        let rest = lines.map(|(_, line)| line.trim());
        let whole = std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ");
        let unnumbered = match whole.strip_prefix("**").and_then(|text| text.split_once("** ")) {
            Some((number, text)) if is_ruling(number) => text,
            _ => whole.as_str(),
        };
        Some(plain(
            unnumbered.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ' ')),
        ))
    }

    /// The plain paragraphs of a section, up to its first example; tables left out.
    fn section(&self, number: &str) -> Vec<String> {
        let heading = format!("## {number} ");
        let lines = self.text.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
        let mut words = vec![String::new()];
        for line in lines.take_while(|line| !line.starts_with('#')) {
            if line.is_empty() || line.starts_with('|') {
                words.push(String::new());
            } else if let Some(paragraph) = words.last_mut() {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line.trim());
            }
        }
        words.into_iter().filter(|paragraph| !paragraph.is_empty()).map(|text| plain(&text)).collect()
    }
}

/// Whether a word looks like the number of a ruling: two capitals, a hyphen, digits.
#[must_use]
pub fn is_ruling(word: &str) -> bool {
    word.split_once('-').is_some_and(|(game, number)| {
        game.len() == 2
            && game.bytes().all(|c| c.is_ascii_uppercase())
            && !number.is_empty()
            && number.bytes().all(|c| c.is_ascii_digit())
    })
}

/// Whether a line begins a point of a list: `- `, `3. `.
fn is_point(line: &str) -> bool {
    let line = line.trim_start();
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || (unnumbered.len() < line.len() && unnumbered.starts_with(". "))
}

/// Words without the marks that only a page needs.
fn plain(text: &str) -> String {
    text.replace("**", "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::all;

    #[test]
    fn every_ruling_has_words_and_a_number_that_follows() {
        for game in all() {
            let book = game.rulebook();
            let rulings = book.rulings();
            let letters = rulings.first().and_then(|first| first.split_once('-')).map(|(word, _)| word);
            let counted: Vec<String> =
                (1..=rulings.len()).map(|n| format!("{}-{n}", letters.unwrap_or_default())).collect();
            assert_eq!(rulings, counted, "{}", game.word());
            assert!(rulings.len() > 15, "{}: {rulings:?}", game.word());
            for number in rulings {
                let words = book.rule(number).map(|rule| rule.words.join("\n")).unwrap_or_default();
                assert!(words.ends_with('.') && words.len() > 30, "{number}: {words}");
                assert!(!words.contains("Decides:") && !words.contains("**"), "{number}: {words}");
                assert!(!words.contains('\n') && !words.starts_with(number), "{number}: {words}");
            }
            assert_eq!(book.rule("SB-99"), None);
            assert_eq!(book.rule("A.99"), None);
            assert_eq!(book.rule("protocol 99"), None);
        }
    }

    /// The words come from the rule texts; here they are copied by hand.
    #[test]
    fn rules_are_quoted_whole() {
        let quoted = |word: &str, number: &str| -> Vec<String> {
            let game = all().iter().find(|game| game.word() == word);
            let rule = game.and_then(|game| game.rulebook().rule(number));
            rule.map(|rule| rule.words).unwrap_or_default()
        };
        assert_eq!(
            quoted("shield-bashers", "SB-12"),
            [
                "A ship attacks only where it could move to. The square of an own ship can be neither entered nor attacked."
            ]
        );
        assert_eq!(
            quoted("tresurion", "TR-5"),
            [
                "A turn starts with initiative: one d20 for each player. The higher roll is player one. A tie is rolled again."
            ]
        );
        let turn = quoted("shield-bashers", "A.5");
        assert_eq!(turn.len(), 2, "{turn:?}");
        assert!(
            turn.iter()
                .any(|words| words
                    .starts_with("In your turn you must move one ship one square, by its pattern.")),
            "{turn:?}"
        );
        assert_eq!(
            quoted("tresurion", "protocol 12, step 0"),
            [
                "If any seat resigned or was forfeited in step 0, the game is void when the step closes, by the first such seat in header order. All such seats are out."
            ]
        );
    }

    #[test]
    fn every_passage_of_the_protocol_is_there_once() {
        for (name, start) in PASSAGES {
            let found = PROTOCOL.text.lines().filter(|line| line.starts_with(start)).count();
            assert_eq!(found, 1, "{name}: {start:?}");
            assert!(
                passage(name).is_some_and(|rule| rule.words.iter().all(|words| words.len() > 30)),
                "{name}"
            );
            // The section that it is named after is the one that it stands in.
            let section = name.trim_start_matches(OF_PROTOCOL).split(',').next().unwrap_or_default();
            let before = PROTOCOL.text.split(start).next().unwrap_or_default();
            let heading = before.lines().rev().find(|line| line.starts_with('#')).unwrap_or_default();
            let number = heading.trim_start_matches('#').split_whitespace().next().unwrap_or_default();
            assert_eq!(number.trim_end_matches('.'), section, "{name}");
        }
    }
}
