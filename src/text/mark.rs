//! Byte order marks in a text: concatenated files have them in the middle.

/// Returns `true` for a character that has no meaning between lines and elements: white space, or a byte order mark.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

/// Returns a line without white space at its ends, and without byte order marks at its start.
pub(crate) fn trim_line(line: &str) -> &str {
    line.trim_start_matches(is_blank).trim_end()
}

#[cfg(test)]
mod tests {
    use super::trim_line;

    #[test]
    fn marks_and_white_space_in_any_order() {
        for start in [
            "",
            " ",
            "\u{FEFF}",
            "\u{FEFF} ",
            " \u{FEFF}",
            "\u{FEFF}\t\u{FEFF} ",
        ] {
            assert_eq!(
                trim_line(&format!("{start}a \u{FEFF} b \r")),
                "a \u{FEFF} b"
            );
            assert_eq!(trim_line(start), "");
        }
    }
}
