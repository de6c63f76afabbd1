//! Texts that may be megabytes long, cut for a message.

use std::borrow::Cow;

/// Characters of a URL that a message repeats.
const CLIPPED: usize = 200;

/// The beginning of a text that may be megabytes long, with a mark where it was cut.
pub(crate) fn clipped(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(CLIPPED) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert!(matches!(clipped("https://example.com/"), Cow::Borrowed(_)));
        let long = "é".repeat(1_000);
        assert_eq!(clipped(&long), format!("{}…", "é".repeat(CLIPPED)));
    }
}
