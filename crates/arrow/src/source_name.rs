//! [`SourceName`]: the name of a file, without secrets.

use std::borrow::Cow;
use std::fmt;

use quick_sitemap::text::is_printable;

/// The name of a file, as rows and messages show it: a user and a password in a URL are replaced by `***`.
///
/// It is displayed on one line: control characters, and characters that change how a line is read, are escaped.
/// [`as_str`](Self::as_str) returns the name without such escapes.
///
/// # Examples
///
/// ```
/// use quick_sitemap_arrow::SourceName;
///
/// let name = SourceName::new("https://user:word@example.com/a\nb.xml");
/// assert_eq!(name.as_str(), "https://***@example.com/a\nb.xml");
/// assert_eq!(name.to_string(), r"https://***@example.com/a\nb.xml");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceName(Box<str>);

impl SourceName {
    /// The name that is shown for this one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let shown = without_credentials(name, ends_url);
        // A name is usually one URL, so that quotes and spaces can also belong to a password.
        Self(without_credentials(&shown, |_| false).into())
    }

    /// The name, without a user and a password.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&one_line(&self.0))
    }
}

/// A message on one line, in which no URL shows a user or a password.
///
/// Messages quote what a file, a server or an operating system wrote.
///
/// # Examples
///
/// ```
/// use quick_sitemap_arrow::message;
///
/// let text = message("GET https://user:word@example.com/\r\n failed\u{202e}");
/// assert_eq!(text, r"GET https://***@example.com/\r\n failed\u{202e}");
/// ```
#[must_use]
pub fn message(text: &str) -> String {
    one_line(&without_credentials(text, ends_url)).into_owned()
}

/// The text with all characters escaped that would break a line or change how it is read.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return text.into();
    }
    let mut line = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_printable(c) {
            line.push(c)
        } else {
            line.extend(c.escape_default())
        }
    }
    line.into()
}

/// Returns `true` if a URL in a text ends at this character.
fn ends_url(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '<' | '>') || c.is_whitespace()
}

/// Replaces each user and password of a URL by `***`: the text between `://` and an `@` before the path, or before a
/// character that `ends` a URL.
fn without_credentials(text: &str, ends: impl Fn(char) -> bool) -> Cow<'_, str> {
    const SCHEME_END: &str = "://";
    if !text.contains(SCHEME_END) || !text.contains('@') {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(SCHEME_END) {
        shown.push_str(before);
        shown.push_str(SCHEME_END);
        let end = behind
            .find(|c: char| matches!(c, '/' | '?' | '#' | '\\') || ends(c))
            .unwrap_or(behind.len());
        let authority = behind.get(..end).unwrap_or_default();
        let host = authority.rsplit_once('@').map(|(_, host)| host);
        if host.is_some() {
            shown.push_str("***@");
        }
        shown.push_str(host.unwrap_or(authority));
        rest = behind.get(end..).unwrap_or_default();
    }
    shown.push_str(rest);
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_are_not_shown() {
        for (name, shown) in [
            (
                "https://user:word@example.com/a",
                "https://***@example.com/a",
            ),
            ("https://user@example.com", "https://***@example.com"),
            ("https://a@b:c@d@example.com/@", "https://***@example.com/@"),
            (
                "ftp://u:p@h http://u:p@h/ s3://bucket/@",
                "ftp://***@h http://***@h/ s3://bucket/@",
            ),
            ("(https://u:p@h)", "(https://***@h)"),
            ("https://u:a'b@h/it's@", "https://***@h/it's@"),
            ("https://u\":a b<c@h", "https://***@h"),
            ("https://example.com/?a@b", "https://example.com/?a@b"),
            ("://@", "://***@"),
            ("mail@example.com", "mail@example.com"),
            ("ä://ö@ü", "ä://***@ü"),
        ] {
            assert_eq!(SourceName::new(name).as_str(), shown);
        }
    }

    #[test]
    fn a_line_stays_a_line_and_reads_as_it_is_written() {
        let controls = "\n\r\0\x1b\u{7f}\u{85}\u{9b}";
        let marks = "\u{ad}\u{61c}\u{180e}\u{200b}\u{200f}\u{2028}\u{202a}\u{202e}\u{2060}\u{2069}";
        let others = "\u{feff}\u{fff9}\u{fffb}\u{e0000}\u{e007f}";
        for hostile in [controls, marks, others].iter().flat_map(|it| it.chars()) {
            let found = message(&format!("a{hostile}b"));
            assert!(!found.contains(hostile), "{found:?}");
            assert!(
                found.starts_with("a\\") && found.ends_with('b'),
                "{found:?}"
            );
        }
        assert_eq!(message("ä → 日本 \u{1f600}"), "ä → 日本 \u{1f600}");
    }
}
