//! Messages on standard error: severity, colour, and one line for each message, for any names in it.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, Write};

use console::Style;
use quick_sitemap::text::is_printable;
use serde::{Deserialize, Serialize};

use crate::term::address::without_logins;
use crate::term::output;

/// Standard error. If it cannot be written, the program continues.
#[derive(Clone, Copy, Debug)]
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

    /// A failure that keeps a command from doing its work; printed under `--quiet` too.
    pub(crate) fn error(&self, message: impl Display) {
        self.print("error", Severity::Error.style(), &message, &[]);
    }

    /// An error with its causes, and, on a separate line, the [advice](Advised) that one of them has.
    pub(crate) fn failure(&self, error: &anyhow::Error) {
        let (message, style) = (format_args!("{error:#}"), Severity::Error.style());
        let advised = error.downcast_ref::<Advised>();
        let advice = advised.map(|advised| advised.advice.as_str());
        self.print("error", style, &message, advice.as_slice());
    }

    /// A problem that does not stop the work.
    pub(crate) fn warning(&self, message: impl Display) {
        self.warning_with(message, &[]);
    }

    /// A warning with a list of names below it, each on its line.
    pub(crate) fn warning_with(&self, message: impl Display, below: &[&str]) {
        if !self.quiet {
            self.print("warning", Severity::Warning.style(), &message, below);
        }
    }

    /// A result: counts, names of files.
    pub(crate) fn note(&self, message: impl Display) {
        if !self.quiet {
            self.print("note", Severity::Advice.style(), &message, &[]);
        }
    }

    /// A problem at a position of a file, in the one-line form of compilers.
    pub(crate) fn at(&self, place: &str, severity: Severity, message: impl Display) {
        if self.quiet && severity != Severity::Error {
            return;
        }
        let message = message.to_string();
        output::clear();
        let _ = writeln!(
            io::stderr(),
            "{}: {}: {}",
            line(place),
            severity.style().for_stderr().apply_to(severity.name()),
            line(&message)
        );
    }

    /// Only the line feeds between the message and the lines below it are real ones.
    fn print(&self, severity: &str, style: Style, message: &dyn Display, below: &[&str]) {
        let message = message.to_string();
        let severity = style.for_stderr().apply_to(severity);
        let mut text = format!("{severity}: {}\n", line(&message));
        for name in below {
            text.push_str("  ");
            text.push_str(&line(name));
            text.push('\n');
        }
        output::clear();
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// A message, or a part of one, as it is printed. A password may be in any text of the command line or the configuration
/// file that a message repeats, so no message has to hide it itself.
pub(crate) fn line(text: &str) -> String {
    without_logins(&printable(text)).into_owned()
}

/// An error with an explanation and a solution below its message. [`Messages::failure`] prints both.
#[derive(Debug)]
pub(crate) struct Advised {
    message: String,
    advice: String,
}

impl Advised {
    pub(crate) fn new(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            advice: advice.into(),
        }
    }
}

impl Display for Advised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advised {}

/// How bad something is that was found in a sitemap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Nothing is wrong with it; it could be better.
    #[default]
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

/// A text from a user, a file or a server, in a form that is safe in a line: a character that would end the line, steer
/// a terminal, change the direction of writing or is invisible is written as its escape, `\n` or `\u{202e}`.
///
/// Everything that the program prints of such a text goes through here, JSON excepted, which has escapes of its own
/// ([`crate::term::json`]) for the same characters.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |shown, character| {
        shown.extend(character.escape_default())
    })
}

/// The text with all characters that are not printable in another form, which `escape` adds.
pub(super) fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_printable(character) {
            shown.push(character);
        } else {
            escape(&mut shown, character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use quick_sitemap::UrlEntry;

    use super::*;

    #[test]
    fn a_text_stays_in_its_line() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{9b}c\r\nd"),
            "a\\u{1b}[31mb\\u{9b}c\\r\\nd"
        );
        assert_eq!(printable("\u{202e}x"), "\\u{202e}x");
        assert!(matches!(printable("Füße 日本語"), Cow::Borrowed(_)));
    }

    /// Quotations in messages of the library are escaped already.
    #[test]
    fn the_library_escapes_the_same_characters() {
        // U+FFFF represents bytes that are not in the encoding, and is shown as U+FFFD.
        let characters = ('\0'..=char::MAX).filter(|character| *character != '\u{ffff}');
        for character in characters {
            let text = format!("a{character}b");
            let message = UrlEntry::try_from(text.as_str()).unwrap_err().to_string();
            assert_eq!(
                message.contains(&text),
                is_printable(character),
                "{message:?}"
            );
        }
    }
}
