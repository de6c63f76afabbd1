//! What is said on standard error, in one place: severity, colour, and nothing that a terminal would obey.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use console::Style;

/// Standard error. That nobody reads it is no reason to stop.
#[derive(Debug)]
pub(crate) struct Messages {
    quiet: bool,
}

impl Messages {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// What keeps a command from doing its work; said under `--quiet` too.
    pub(crate) fn error(&self, message: impl Display) {
        self.line("error", Style::new().for_stderr().red().bold(), &message);
    }

    /// What is wrong, but keeps nothing from being done.
    pub(crate) fn warning(&self, message: impl Display) {
        if !self.quiet {
            self.line(
                "warning",
                Style::new().for_stderr().yellow().bold(),
                &message,
            );
        }
    }

    /// What was done: counts, names of files.
    pub(crate) fn note(&self, message: impl Display) {
        if !self.quiet {
            self.line("note", Style::new().for_stderr().cyan().bold(), &message);
        }
    }

    /// What is wrong with a file at some place of it, as compilers print it in one line.
    pub(crate) fn at(&self, place: &str, severity: Severity, message: impl Display) {
        if self.quiet && severity != Severity::Error {
            return;
        }
        let message = message.to_string();
        let _ = writeln!(
            io::stderr(),
            "{}: {}: {}",
            printable(place),
            severity.style().for_stderr().apply_to(severity.name()),
            printable(&message)
        );
    }

    fn line(&self, severity: &str, style: Style, message: &dyn Display) {
        let message = message.to_string();
        let _ = writeln!(
            io::stderr(),
            "{}: {}",
            style.apply_to(severity),
            printable(&message)
        );
    }
}

/// How bad something is that was found in a sitemap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Nothing is wrong with it; it could be better.
    Advice,
    Warning,
    Error,
}

impl Severity {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub(crate) fn style(self) -> Style {
        let style = Style::new().bold();
        match self {
            Self::Advice => style.cyan(),
            Self::Warning => style.yellow(),
            Self::Error => style.red(),
        }
    }
}

/// The text without what a terminal would obey: control characters (escape sequences begin with one) and marks that
/// turn the direction of writing are shown as `\u{1b}`. Line feeds stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_unprintable(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

pub(crate) fn is_printable(character: char) -> bool {
    !is_unprintable(character)
}

pub(crate) fn is_unprintable(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{9b}c\rd"),
            "a\\u{1b}[31mb\\u{9b}c\\u{d}d"
        );
        assert_eq!(printable("\u{202e}x"), "\\u{202e}x");
        assert!(matches!(printable("Füße\nn"), Cow::Borrowed(_)));
    }
}
