//! How a refusal is printed: what, where, why, what to do; and the exit code.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use sealed_orders::fault::{Code, Fault, Stage};
use serde_json::{Value, json};

use crate::output::{visible, visible_in_place};

/// A refusal, with the text that it lies in.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Box<Fault>,
    pub(crate) source: Option<Source>,
}

/// A text and its name.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault: Box::new(fault), source: None }
    }
}

impl Failure {
    pub(crate) fn in_text(fault: Fault, name: &str, text: &str) -> Self {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        Self { fault: Box::new(fault), source: Some(source) }
    }

    /// 1 refused, 2 the command was not understood, 3 a file could not be read or written.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.fault.code {
            Code::Unclear => 2,
            Code::NotConfirmed
            | Code::JournalForbids
            | Code::NoSuchThing
            | Code::BadIdentity
            | Code::OpenKeyFile => 1,
            code if code.stage() == Stage::World => 3,
            _ => 1,
        }
    }

    /// Line and column, from 1, where the fault lies.
    fn place(&self) -> Option<(usize, usize)> {
        let source = self.source.as_ref()?;
        let start = self.fault.span.as_ref()?.start;
        let before = source.text.get(..start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Some((line, column))
    }

    pub(crate) fn json(&self) -> Value {
        let place = self.place();
        json!({
            "code": self.fault.code.as_str(),
            "message": self.fault.message,
            "rule": self.fault.rule,
            "help": self.fault.advice(),
            "file": self.source.as_ref().map(|source| source.name.clone()),
            "line": place.map(|(line, _)| line),
            "column": place.map(|(_, column)| column),
        })
    }

    /// The refusal for people, several lines.
    pub(crate) fn text(&self) -> String {
        let mut title = visible(&self.fault.message);
        if let Some(rule) = self.fault.rule {
            title = format!("{title} ({rule})");
        }
        let mut error =
            Group::with_title(Level::ERROR.primary_title(title.as_str()).id(self.fault.code.as_str()));
        let shown = self
            .source
            .as_ref()
            .map(|source| (visible_in_place(&source.name), visible_in_place(&source.text)));
        if let (Some((name, text)), Some(span)) = (&shown, &self.fault.span) {
            let span = on_one_line(text, span.start, span.end);
            let snippet = Snippet::source(text.as_str())
                .path(name.as_str())
                .annotation(AnnotationKind::Primary.span(span));
            error = error.element(snippet);
        }
        let help = visible(self.fault.advice());
        error = error.element(Level::HELP.message(help.as_str()));
        let mut text = Renderer::plain().render(&[error]);
        text.push('\n');
        if let (Some((name, _)), None) = (&shown, &self.fault.span) {
            let _ = writeln!(text, "  in {name}");
        }
        text
    }

    pub(crate) fn print(&self, as_json: bool) -> ExitCode {
        let mut stderr = std::io::stderr().lock();
        let _ = if as_json {
            writeln!(std::io::stdout(), "{}", json!({ "error": self.json() }))
        } else {
            stderr.write_all(self.text().as_bytes())
        };
        ExitCode::from(self.exit_code())
    }
}

/// The first line of a span: a whole table would drown the reader.
fn on_one_line(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let floor = |mut place: usize| {
        place = place.min(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let start = floor(start);
    let end = floor(end).max(start);
    let line_end =
        text.get(start..end).and_then(|inside| inside.find('\n')).map_or(end, |length| start + length);
    start..line_end.max(start)
}
