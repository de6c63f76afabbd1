use url::Url;

use crate::limits::LOC_CHARS;
use crate::scan::find;
use crate::value::url_assembly;
use crate::violation::{Rule, Violation};

/// A URL that can be used, and what was not right about it all the same.
pub(crate) struct CheckedUrl {
    pub(crate) url: Url,
    pub(crate) relative: bool,
    pub(crate) too_long: bool,
    pub(crate) not_escaped: bool,
}

/// The absolute http or https URL that `text` (trimmed) is, or becomes when it is resolved against `base`.
#[inline]
pub(crate) fn check(text: &str, base: Option<&Url>) -> Result<CheckedUrl, Violation> {
    if let Some(url) = url_assembly::assemble(text) {
        // It is plain: there is nothing else to find.
        return Ok(CheckedUrl {
            url,
            relative: false,
            too_long: text.len() >= LOC_CHARS,
            not_escaped: false,
        });
    }
    parse_and_check(text, base)
}

/// The same for any text.
#[inline(never)]
fn parse_and_check(text: &str, base: Option<&Url>) -> Result<CheckedUrl, Violation> {
    let relative = text.starts_with(['/', '.', '?'])
        && ["/", "./", "../", "?"]
            .iter()
            .any(|start| text.starts_with(start));
    let invalid = || Violation::new(Rule::InvalidUrl, text);
    let url = if relative {
        base.and_then(|base| base.join(text).ok())
            .filter(|url| is_web(url.scheme()))
            .ok_or_else(invalid)?
    } else {
        let Some((scheme, rest)) = text.split_once(':') else {
            return Err(invalid());
        };
        if !is_web(scheme) {
            return Err(if is_scheme(scheme, rest) {
                Violation::new(Rule::UnsupportedScheme, text)
            } else {
                invalid()
            });
        }
        // `Url` would take one slash, or three, or backslashes.
        match rest.strip_prefix("//") {
            Some(rest) if !rest.starts_with(['/', '\\']) => {}
            _ => return Err(invalid()),
        }
        Url::parse(text).map_err(|_| invalid())?
    };
    if !has_usable_host(&url) {
        return Err(invalid());
    }
    Ok(CheckedUrl {
        relative,
        too_long: text.len() >= LOC_CHARS && text.chars().count() >= LOC_CHARS,
        not_escaped: is_not_escaped(text, &url),
        url,
    })
}

/// Whether there is a host, in which nothing was left of a reference that could not be resolved.
#[inline]
pub(crate) fn has_usable_host(url: &Url) -> bool {
    let spoilt = |host: &str| memchr::memchr2(b'&', b';', host.as_bytes()).is_some();
    !url.host_str().is_none_or(spoilt)
}

/// Whether a sitemap may hold URLs of this scheme.
#[inline]
pub(crate) fn is_web(scheme: &str) -> bool {
    is(scheme, "https") || is(scheme, "http")
}

fn is(scheme: &str, known: &str) -> bool {
    scheme.eq_ignore_ascii_case(known)
}

/// Whether this is a scheme, and not a host before its port or a piece of prose.
fn is_scheme(scheme: &str, rest: &str) -> bool {
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'))
        && (!rest.starts_with(|c: char| c.is_ascii_digit()) || is(scheme, "tel"))
}

/// Visible ASCII that `Url` escapes in one part of a URL or another.
const ESCAPED_SOMEWHERE: [u8; 9] = *b"\"<>`{}'^|";

/// Whether `Url` had to escape or to remove something.
fn is_not_escaped(text: &str, url: &Url) -> bool {
    // Nothing of that in a text without these.
    let special = |b| {
        ESCAPED_SOMEWHERE
            .iter()
            .fold(false, |is, special| is | (b == *special))
    };
    let suspicious = |b| (b <= b' ') | (b >= 0x7F) | special(b);
    if find(text.as_bytes(), suspicious).is_none() {
        return false;
    }
    // Whether it is escaped depends on where in the URL it stands.
    let is_gone = |c: char| text.matches(c).count() > url.as_str().matches(c).count();
    !text.is_ascii()
        || text.contains(|c: char| c.is_ascii_control() || c == ' ')
        || ESCAPED_SOMEWHERE.iter().any(|b| is_gone(char::from(*b)))
}

/// Whether `text` (trimmed) is an absolute http or https URL, spelt as `Url` spells it.
#[inline]
pub(crate) fn is_canonical(text: &str) -> bool {
    url_assembly::is_plain(text)
        || parse_and_check(text, None).is_ok_and(|checked| checked.url.as_str() == text)
}

/// The absolute http or https URL that `text` is, short enough for a loc.
pub(crate) fn parse(text: &str) -> Result<Url, Violation> {
    let text = text.trim();
    let checked = check(text, None)?;
    // What is written is the URL as `Url` spells it, which may be longer.
    if checked.too_long || checked.url.as_str().len() >= LOC_CHARS {
        return Err(Violation::new(Rule::UrlTooLong, text));
    }
    Ok(checked.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_url_escapes() {
        let is_noted = |text: &str| check(text, None).unwrap().not_escaped;
        for text in [
            "https://example.com/a b",
            "https://example.com/%2e/?a=\"",
            "https://ex%61mple.com/?a='",
            "https://example.com/'?'",
            "https://example.com/#<",
            "https://example.com/\u{7F}",
            "https://example.com/a\tb",
            "https://example.com/é",
        ] {
            assert!(is_noted(text), "{text}");
        }
        for text in [
            "https://example.com/a%20b?'c%22",
            "https://example.com/it's|^",
            "https://example.com/?a={b}",
            "https://EXAMPLE.com:443",
        ] {
            let escapes = Url::parse(text).unwrap().as_str().matches('%').count();
            assert_eq!(
                is_noted(text),
                escapes > text.matches('%').count(),
                "{text}"
            );
        }
    }

    #[test]
    fn only_absolute_web_urls_are_locs() {
        assert_eq!(
            parse(" HTTPS://Example.com/a ").unwrap().as_str(),
            "https://example.com/a"
        );
        for (text, rule) in [
            ("", Rule::InvalidUrl),
            ("/a", Rule::InvalidUrl),
            ("www.example.com", Rule::InvalidUrl),
            ("http:/host", Rule::InvalidUrl),
            ("http:///host", Rule::InvalidUrl),
            ("http:\\\\host", Rule::InvalidUrl),
            ("https:https://host", Rule::InvalidUrl),
            ("javascript:alert(1)", Rule::UnsupportedScheme),
            ("ftp://example.com/", Rule::UnsupportedScheme),
        ] {
            assert_eq!(parse(text).unwrap_err().rule(), rule, "{text}");
        }
        let long = |n: usize| format!("https://example.com/{}", "a".repeat(n - 20));
        assert!(parse(&long(2_047)).is_ok());
        assert_eq!(parse(&long(2_048)).unwrap_err().rule(), Rule::UrlTooLong);
    }
}
