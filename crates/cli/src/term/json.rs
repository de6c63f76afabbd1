//! JSON that a terminal may show.

use std::fmt::Write as _;
use std::io;

use quick_sitemap::Extension;
use serde::Serialize;

use crate::term::messages::escaped;

/// The fields of a page in the library's form in addition to its loc, in the order in which they are written.
pub(crate) fn page_fields() -> impl Iterator<Item = &'static str> {
    let extensions = Extension::ALL.iter().map(|extension| extension.name());
    ["lastmod", "changefreq", "priority"]
        .into_iter()
        .chain(extensions)
        .chain(["foreign"])
}

/// Writes the value, without a line feed.
pub(crate) fn write(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    out.write_all(Line::default().of(value)?)
}

/// The value in one line.
pub(crate) fn text(value: &impl Serialize) -> serde_json::Result<String> {
    let mut line = Line::default();
    line.of(value)?;
    Ok(String::from_utf8_lossy(&line.0).into_owned())
}

/// Values in one line each. The memory of a line is used for the next.
#[derive(Debug, Default)]
pub(crate) struct Line(Vec<u8>);

impl Line {
    /// The value, without a line feed.
    pub(crate) fn of(&mut self, value: &impl Serialize) -> serde_json::Result<&[u8]> {
        self.0.clear();
        serde_json::to_writer(&mut self.0, value)?;
        // More than 99 % of texts are ASCII, which takes a tenth of the time.
        let bytes = self.0.iter();
        if !bytes.fold(true, |is, byte| is & matches!(byte, b' '..=b'~')) {
            self.0 = printable(&String::from_utf8_lossy(&self.0)).into_bytes();
        }
        Ok(&self.0)
    }
}

/// Control sequences of a terminal are within a string, and can be escaped there.
fn printable(text: &str) -> String {
    let escape = |shown: &mut String, character: char| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(shown, "\\u{unit:04x}");
        }
    };
    escaped(text, escape).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(text(&["x~"]).unwrap(), r#"["x~"]"#);
        let shown = text(&"\u{9b}\u{202e}\u{e0001}ü").unwrap();
        assert_eq!(shown, "\"\\u009b\\u202e\\udb40\\udc01ü\"");
        assert_eq!(
            serde_json::from_str::<String>(&shown).unwrap(),
            "\u{9b}\u{202e}\u{e0001}ü"
        );
    }
}
