//! Orders as people write them: lines of words.

use std::ops::Range;

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Its words.
    pub words: Vec<String>,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
}

/// What a player wrote: lines of words. A line ends at a line's end, a comma or a semicolon;
/// what follows a `#` is a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    lines: Vec<ScriptLine>,
}

impl Script {
    /// Reads a text.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for whole in text.split_inclusive('\n') {
            let code = whole.split('#').next().unwrap_or_default();
            let mut from = start;
            for part in code.split_inclusive([',', ';']) {
                let bare = part.trim_end_matches([',', ';']).trim();
                if !bare.is_empty() {
                    let indent = part.len() - part.trim_start().len();
                    let span = from + indent..from + indent + bare.len();
                    lines.push(ScriptLine {
                        words: bare.split_whitespace().map(str::to_owned).collect(),
                        span,
                    });
                }
                from += part.len();
            }
            start += whole.len();
        }
        Self { lines }
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[ScriptLine] {
        &self.lines
    }

    /// All words of all lines.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        self.lines.iter().flat_map(|line| &line.words).map(String::as_str).collect()
    }

    /// Whether it is one line of just these words.
    #[must_use]
    pub fn is_one_line(&self, words: &[&str]) -> bool {
        match self.lines.as_slice() {
            [line] => line.words == words,
            _ => false,
        }
    }
}

impl From<&[String]> for Script {
    /// The words of a command line.
    fn from(words: &[String]) -> Self {
        Self::read(&words.join(" "))
    }
}
