//! Texts from documents and servers in messages: characters that are escaped, and passwords that are hidden.

use std::borrow::Cow;
use std::fmt;

/// Returns `true` if a character can be printed as it is in a line of a message, a log or a terminal.
///
/// Returns `false` for characters that end the line, control a terminal, change the direction of text or are invisible: all
/// control characters, U+00AD, U+061C, U+180E, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+2069, U+FEFF, U+FFF9 to
/// U+FFFB and U+E0000 to U+E007F. The messages of this crate contain such a character only as its escape, such as
/// `\u{202e}`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::text::is_printable;
///
/// let shown: String = "a\u{1b}b\u{202e}c".chars().filter(|c| is_printable(*c)).collect();
/// assert_eq!(shown, "abc");
/// ```
#[must_use]
pub const fn is_printable(character: char) -> bool {
    match character {
        // More than 99 % of all characters are in this range.
        ' '..='~' => true,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => false,
        _ => true,
    }
}

/// A text in which all characters that are not [printable](is_printable) are escaped, so a message is one line.
pub(crate) struct Printable<'a>(pub(crate) &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.chars().try_for_each(|c| {
            if is_printable(c) {
                f.write_char(c)
            } else {
                write!(f, "{}", c.escape_default())
            }
        })
    }
}

/// Placeholder for a user and a password.
const HIDDEN: &str = "***@";

/// The text with `***` instead of the user and the password of each URL in it, as far as the first `shown` characters of
/// the result. The text may have been cut after `shown` characters or more.
pub(crate) fn without_logins(text: &str, shown: usize) -> Cow<'_, str> {
    let (mut result, mut rest) = (String::new(), text);
    let mut is_hidden = false;
    while result.chars().count() < shown {
        // A character has at most four bytes.
        let mut pairs = rest.as_bytes().windows(2).take(4 * shown);
        let start = pairs.position(|pair| pair == b"//");
        let Some((before, behind)) = start.and_then(|start| rest.split_at_checked(start + 2))
        else {
            break;
        };
        result.push_str(before);
        rest = behind;
        let authority = authority(behind);
        let is_cut = authority.len() == behind.len() && text.chars().nth(shown).is_some();
        let login = match authority.rsplit_once('@') {
            Some((login, _)) => login.len() + 1,
            // The `@` may be after the cut.
            None if is_cut && authority.as_bytes().contains(&b':') => authority.len(),
            None => continue,
        };
        // Without a scheme it is a path more often than a URL, and a path may contain an `@`.
        if before.ends_with("://") || authority.as_bytes().contains(&b':') {
            result.push_str(HIDDEN);
            rest = behind.get(login..).unwrap_or_default();
            is_hidden = true;
        }
    }
    if is_hidden {
        Cow::Owned(result + rest)
    } else {
        Cow::Borrowed(text)
    }
}

/// The part of a URL between `//` and its path. A `/` in a password ends it, too, but the text after the colon is not a
/// port then: in such a text, it reaches up to the last `@`.
fn authority(text: &str) -> &str {
    let is_end = |c: char| matches!(c, '/' | '?' | '#' | '\\');
    let authority = text.split(is_end).next().unwrap_or_default();
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) || port.ends_with(']');
    match text.rfind('@') {
        Some(at)
            if !authority.as_bytes().contains(&b'@') && port.is_some_and(|port| !is_port(port)) =>
        {
            text.get(..=at).unwrap_or_default()
        }
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_printable_or_escaped() {
        let ranges = [
            '\u{ad}'..='\u{ad}',
            '\u{61c}'..='\u{61c}',
            '\u{180e}'..='\u{180e}',
            '\u{200b}'..='\u{200f}',
            '\u{2028}'..='\u{202e}',
            '\u{2060}'..='\u{2069}',
            '\u{feff}'..='\u{feff}',
            '\u{fff9}'..='\u{fffb}',
            '\u{e0000}'..='\u{e007f}',
        ];
        for character in '\0'..=char::MAX {
            let is_hidden = ranges.iter().any(|range| range.contains(&character));
            let is_hostile = is_hidden || character.is_control();
            assert_eq!(is_printable(character), !is_hostile, "{character:?}");
            let text = character.to_string();
            let is_same = Printable(&text).to_string() == text;
            assert_eq!(is_same, !is_hostile, "{character:?}");
        }
    }

    #[test]
    fn users_and_passwords_are_hidden() {
        let long = "x".repeat(100);
        for (text, shown) in [
            (
                "https://user:word@e.com/a@b?c@d",
                "https://***@e.com/a@b?c@d",
            ),
            ("https://user@e.com", "https://***@e.com"),
            ("HTTPS://a@b:c@d@e.com:8080/", "HTTPS://***@e.com:8080/"),
            ("https://us er:wo\nrd@e.com/", "https://***@e.com/"),
            ("https://u:wo/rd@e.com/", "https://***@e.com/"),
            ("//u:word@e.com/ ftp://u:word@h", "//***@e.com/ ftp://***@h"),
            (
                "https://e.com/https://u:word@h/",
                "https://e.com/https://***@h/",
            ),
            (&format!("https://u:{long}"), "https://***@"),
            (&format!("https://u:{long}@h/"), "https://***@h/"),
        ] {
            assert_eq!(without_logins(text, 80), shown);
        }
        for text in [
            "https://e.com:8080/@me",
            "https://[::1]/@me",
            "a//me@b/c",
            "mail@e.com",
            "https://e.com:80a",
            "//",
            "://",
            "",
            &format!("https://{long}"),
        ] {
            assert!(matches!(without_logins(text, 80), Cow::Borrowed(same) if same == text));
        }
    }

    /// For every position of the URL, and every cut of the text.
    #[test]
    fn what_moves_into_sight_is_hidden_too() {
        for filling in 0..100 {
            let text = "-".repeat(filling) + &"https://user:word@h/ ".repeat(8);
            for len in 81..text.len() {
                let shown = without_logins(&text[..len], 80);
                let shown: String = shown.chars().take(80).collect();
                assert!(!shown.contains(":w"), "{shown}");
            }
        }
    }
}
