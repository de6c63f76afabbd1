//! Texts that fit into so many columns.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text, if it is no wider than so many columns; else without some of its middle. The end, which tells one URL of a
/// site from another, keeps more than the beginning.
pub(crate) fn shortened(text: &str, columns: usize) -> Cow<'_, str> {
    // A byte is at least one column, except in wide letters, which have several bytes for two columns.
    if text.len() <= columns || text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let room = columns.saturating_sub(1);
    let front = room * 2 / 5;
    let (mut start, mut used) = (0, 0);
    for (at, character) in text.char_indices() {
        let width = character.width().unwrap_or(0);
        if used + width > front {
            break;
        }
        used += width;
        start = at + character.len_utf8();
    }
    let mut end = text.len();
    for (at, character) in text.char_indices().rev() {
        let width = character.width().unwrap_or(0);
        if used + width > room || at < start {
            break;
        }
        used += width;
        end = at;
    }
    let (front, back) = (text.get(..start), text.get(end..));
    Cow::Owned(format!(
        "{}…{}",
        front.unwrap_or_default(),
        back.unwrap_or_default()
    ))
}

/// The beginning of the text that fits into so many columns.
pub(crate) fn front(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += character.width().unwrap_or(0);
        if used > columns {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// The URL with the letters that percent-encoding stands for, where they are not ASCII: those that mean something in a
/// URL stay as they are, and so does what is not UTF-8.
pub(crate) fn decoded(url: &str) -> Cow<'_, str> {
    if !url.contains('%') {
        return Cow::Borrowed(url);
    }
    let mut shown = String::with_capacity(url.len());
    let mut rest = url;
    while let Some((before, behind)) = rest.split_at_checked(rest.find('%').unwrap_or(rest.len())) {
        shown.push_str(before);
        if behind.is_empty() {
            break;
        }
        let (letters, after) = behind.split_at(escapes(behind));
        match percent_decode_str(letters).decode_utf8() {
            Ok(text) if !letters.is_empty() && text.chars().all(is_letter) => shown.push_str(&text),
            _ => shown.push_str(letters),
        }
        rest = after;
        if letters.is_empty() {
            shown.push('%');
            rest = after.strip_prefix('%').unwrap_or(after);
        }
    }
    Cow::Owned(shown)
}

/// How many bytes of the text are escapes of bytes beyond ASCII, or, if there is none of these, the one escape of ASCII.
fn escapes(text: &str) -> usize {
    let is_escape = |escape: &[u8]| match escape {
        [b'%', high, low] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    };
    let is_beyond = |escape: &[u8]| {
        is_escape(escape) && matches!(escape, [_, b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', _])
    };
    let chunks = text.as_bytes().chunks(3);
    let beyond = chunks.take_while(|escape| is_beyond(escape)).count();
    match beyond {
        0 => text
            .as_bytes()
            .get(..3)
            .filter(|first| is_escape(first))
            .map_or(0, <[u8]>::len),
        beyond => beyond * 3,
    }
}

/// Returns `true` for a character that is readable as itself: not a control character, a mark of direction or a space.
fn is_letter(character: char) -> bool {
    !character.is_ascii()
        && !character.is_whitespace()
        && quick_sitemap::is_printable(character)
        && character.width().is_some_and(|width| width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_goes() {
        assert_eq!(
            shortened("https://example.com/abc", 23),
            "https://example.com/abc"
        );
        assert_eq!(
            shortened("https://example.com/abc", 21),
            "https://…mple.com/abc"
        );
        assert_eq!(shortened("abc", 1), "…");
        assert_eq!(shortened("abc", 0), "…");
    }

    #[test]
    fn wide_letters_count_twice() {
        let short = shortened("日本語日本語日本語", 10);
        assert_eq!(short, "日…日本語");
        for columns in 1..20 {
            assert!(shortened("a日b本c語d", columns).width() <= columns);
        }
    }

    #[test]
    fn letters_are_decoded_and_nothing_else() {
        assert_eq!(
            decoded("https://e.com/caf%C3%A9/%E6%97%A5"),
            "https://e.com/café/日"
        );
        for same in [
            "/a%2Fb%20c%25",
            "/%FF%C3",
            "/%",
            "/100%/%C",
            "/%1B%5B31m",
            "/%E2%80%AE",
            "/%C2%A0",
        ] {
            assert_eq!(decoded(same), same);
        }
        assert_eq!(decoded("/%2F%C3%BC%2F"), "/%2Fü%2F");
    }
}
