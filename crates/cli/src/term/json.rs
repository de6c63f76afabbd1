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
    out.write_all(text(value)?.as_bytes())
}

/// The value in one line.
pub(crate) fn text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(printable)
}

/// Control sequences of a terminal are within a string, and can be escaped there.
fn printable(text: String) -> String {
    // More than 99 % of texts are ASCII, which takes a tenth of the time.
    let is_plain = text
        .bytes()
        .fold(true, |is, byte| is & matches!(byte, b' '..=b'~'));
    if is_plain {
        return text;
    }
    let escape = |shown: &mut String, character: char| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(shown, "\\u{unit:04x}");
        }
    };
    escaped(&text, escape).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_nothing_that_a_terminal_obeys() {
        let text = r#"{"a":"x"}"#.to_owned();
        assert_eq!(printable(text.clone()), text);
        let shown = printable("\"\u{9b}\u{202e}\u{e0001}ü\"".to_owned());
        assert_eq!(shown, "\"\\u009b\\u202e\\udb40\\udc01ü\"");
        assert_eq!(
            serde_json::from_str::<String>(&shown).unwrap(),
            "\u{9b}\u{202e}\u{e0001}ü"
        );
    }
}
