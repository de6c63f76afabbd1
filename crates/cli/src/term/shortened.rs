//! Texts that fit into so many columns.

use std::borrow::Cow;
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex_lite::{Captures, Regex};
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

/// The URL with the letters that percent-encoding stands for, where they are not ASCII: those that mean something in a
/// URL stay as they are, and so does what is not UTF-8.
pub(crate) fn decoded(url: &str) -> Cow<'_, str> {
    let Some(escapes) = &*ESCAPES else {
        return Cow::Borrowed(url);
    };
    escapes.replace_all(url, |run: &Captures<'_>| {
        let run = run.get(0).map_or("", |run| run.as_str());
        match percent_decode_str(run).decode_utf8() {
            Ok(text) if text.chars().all(is_letter) => text.into_owned(),
            _ => run.to_owned(),
        }
    })
}

/// Escapes of bytes beyond ASCII.
static ESCAPES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(?:%[89A-Fa-f][0-9A-Fa-f])+").ok());

/// Returns `true` for a character that is readable as itself: not a control character, a mark of direction or a space.
fn is_letter(character: char) -> bool {
    !character.is_ascii()
        && !character.is_whitespace()
        && quick_sitemap::text::is_printable(character)
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
