//! The URLs that a sitemap can contain. There is one function for readers, writers, robots.txt and the detection of
//! text sitemaps, so a URL that is read without an issue can be written.

mod append;
#[cfg(feature = "fast-urls")]
mod assembly;
#[cfg(feature = "serde")]
pub(crate) mod serialize;

use std::ops::Range;

use memchr::{memchr, memchr3};
use url::{Host, Position, Url};

use crate::limits::LOC_CHARS;
use crate::text::printable::is_printable;
use crate::text::search::find;
use crate::text::span::TakePart;
use crate::violation::{Detail, Rule, Violation, case, spelt_code_point};

/// Without the feature `fast-urls`, every URL is parsed.
#[cfg(not(feature = "fast-urls"))]
mod assembly {
    pub(super) fn assemble(_: &str) -> Option<url::Url> {
        None
    }

    pub(super) fn host_of_plain(_: &str) -> Option<&str> {
        None
    }
}

/// A URL that can be used, and what was not right about it all the same.
pub(crate) struct CheckedUrl {
    pub(crate) url: Url,
    pub(crate) relative: bool,
    pub(crate) too_long: bool,
    /// The position in the text of the first character that must be percent-encoded.
    pub(crate) unescaped: Option<usize>,
}

/// Returns the URL of a text that is in the form of `Url` and breaks no rule, as 99.9 % of real locs are. `None` does
/// not mean that the text is wrong: [`read_url`] decides.
// Inlined, so that its callers get the 88 bytes in place: as a call of its own, it made typed reading 9 % slower.
#[inline(always)]
pub(crate) fn plain_url(text: &str) -> Option<Url> {
    if text.len() < LOC_CHARS {
        assembly::assemble(text)
    } else {
        None
    }
}

/// The absolute http or https URL that `text` (trimmed) is, or becomes when it is resolved against `base`. Called for texts
/// that [`plain_url`] has refused.
#[inline(never)]
pub(crate) fn read_url(text: &str, base: Option<&Url>) -> Result<CheckedUrl, Violation> {
    let base = base.filter(|base| is_relative(text, base));
    let invalid = || Violation::new(Rule::InvalidUrl, text);
    let url = if let Some(base) = base {
        // `Url` takes a backslash for a slash, and more than two of them for two.
        if text.starts_with("///") || text.starts_with("//\\") || text.starts_with("/\\") {
            return Err(invalid());
        }
        let url = base.join(text).ok();
        url.filter(|url| is_web(url.scheme())).ok_or_else(invalid)?
    } else {
        if has_other_scheme(text) {
            return Err(Violation::new(Rule::UnsupportedScheme, text));
        }
        // `Url` would take one slash, or three, or backslashes.
        match text.split_once("://") {
            Some((scheme, rest))
                if is_web(scheme) && !rest.starts_with(['/', '\\']) && !is_glued(rest) => {}
            _ => return Err(invalid()),
        }
        Url::parse(text).map_err(|_| invalid())?
    };
    if !has_usable_host(&url) {
        return Err(invalid());
    }
    let unescaped = Unescaped::first(text, &url);
    Ok(CheckedUrl {
        relative: base.is_some(),
        // `Url` may add a slash. A text without another violation must be one that can be written.
        too_long: is_too_long(text) || unescaped.is_none() && is_too_long(url.as_str()),
        unescaped,
        url,
    })
}

/// Returns `true` if `text` (trimmed) can only be a relative reference, not a word.
pub(crate) fn begins_as_path(text: &str) -> bool {
    ["/", "./", "../", "?"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Returns `true` if `text` (trimmed) is a relative reference (RFC 3986, 4.2) to another document than the sitemap
/// itself, as `#a` would be.
///
/// Two texts of that form have another meaning. A text that begins with `www.` or with the host of the base is an
/// absolute URL without its scheme. A text with white space is a sentence, unless it begins like a path.
fn is_relative(text: &str, base: &Url) -> bool {
    if begins_as_path(text) {
        return true;
    }
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let first = text.part(..end);
    let is_host = first.get(..4).is_some_and(|start| is(start, "www."))
        || base.host_str().is_some_and(|host| is(first, host));
    !first.is_empty()
        && !is_host
        && !first.contains([':', '\\'])
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Returns `true` if `text` (trimmed) is an absolute http or https URL in the form of `Url`.
pub(crate) fn is_canonical(text: &str) -> bool {
    assembly::host_of_plain(text).is_some()
        || read_url(text, None).is_ok_and(|checked| checked.url.as_str() == text)
}

/// The host of the absolute http or https URL that `text` (trimmed) is, if it is written as `Url` writes it.
pub(crate) fn host_of(text: &str) -> Option<&str> {
    assembly::host_of_plain(text).or_else(|| host_of_other(text))
}

#[inline(never)]
fn host_of_other(text: &str) -> Option<&str> {
    let url = read_url(text, None).ok()?.url;
    let host = url.host_str()?;
    // The port may follow.
    let written = text.get(WrittenParts::of(text).host.start..)?;
    written.get(..host.len()).filter(|written| *written == host)
}

/// The absolute http or https URL that `text` is, short enough for a loc.
pub(crate) fn parse_url(text: &str) -> Result<Url, Violation> {
    plain_url(text).map_or_else(|| parse_general(text.trim()), Ok)
}

#[inline(never)]
fn parse_general(text: &str) -> Result<Url, Violation> {
    let checked = read_url(text, None)?;
    // The URL is written in the form of `Url`, which can be longer.
    if checked.too_long || is_too_long(checked.url.as_str()) {
        return Err(Violation::new(Rule::UrlTooLong, text));
    }
    Ok(checked.url)
}

/// The URL as it is written, if a sitemap may hold it.
pub(crate) fn check_url(url: &Url) -> Result<&str, Violation> {
    let text = url.as_str();
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return Err(Violation::new(Rule::UnsupportedScheme, text));
    }
    if !has_usable_host(url) {
        return Err(Violation::new(Rule::InvalidUrl, text));
    }
    if is_too_long(text) {
        return Err(Violation::new(Rule::UrlTooLong, text));
    }
    if let Some(at) = Unescaped::first_in(url) {
        return Err(not_escaped(text, at));
    }
    Ok(text)
}

/// Percent-encodes what `Url` leaves as it is, but a sitemap may not hold. URLs of other schemes stay as they are.
pub(crate) fn escape_url(url: &mut Url) {
    if !is_web(url.scheme()) || Unescaped::first_in(url).is_none() {
        return;
    }
    let text = url.as_str();
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut copied = 0;
    for at in Unescaped::all(text, url, 0) {
        let Some((plain, byte)) = text.get(copied..at).zip(text.as_bytes().get(at)) else {
            // A mistake: a writer rejects the URL as it is.
            return;
        };
        escaped.push_str(plain);
        // All of these are ASCII: `Url` has escaped the others.
        escaped.push_str(&format!("%{byte:02X}"));
        copied = at + 1;
    }
    escaped.push_str(text.get(copied..).unwrap_or_default());
    if let Ok(escaped) = Url::parse(&escaped) {
        *url = escaped;
    }
}

/// Describes the character that must be percent-encoded, and its position.
#[cold]
pub(crate) fn not_escaped(text: &str, at: usize) -> Violation {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let c = rest.chars().next().unwrap_or_default();
    let what = match c {
        '%' => "`%` without two hexadecimal digits".to_owned(),
        '#' => "a second `#`".to_owned(),
        ' ' => "a space".to_owned(),
        '\t' => "a tab".to_owned(),
        '\n' | '\r' => "a line break".to_owned(),
        c if c.is_ascii_graphic() || c.is_alphanumeric() => format!("`{c}`"),
        c => spelt_code_point(c),
    };
    let detail = format!("{what}, character {}", before.chars().count() + 1);
    let host = WrittenParts::of(text).host;
    let name = text.get(host.clone()).filter(|_| host.contains(&at));
    let name = name.and_then(|name| Host::parse(name.split(':').next()?).ok());
    let (part, advice) = match (c, name) {
        _ if !is_printable(c) => (detail, case::INVISIBLE),
        ('\\', _) => (detail, case::SLASH),
        (_, Some(name)) if !c.is_ascii() => (name.to_string(), case::PUNYCODE),
        _ => return Violation::with_detail(Rule::UrlNotEscaped, text, &*detail),
    };
    let part = part.into();
    Violation::with_detail(Rule::UrlNotEscaped, text, Detail::Advised { part, advice })
}

/// Returns `true` if a sitemap can contain URLs of this scheme.
pub(crate) fn is_web(scheme: &str) -> bool {
    is(scheme, "https") || is(scheme, "http")
}

/// Returns `true` if this is a URL of another scheme than http and https.
pub(crate) fn has_other_scheme(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(scheme, rest)| !is_web(scheme) && is_scheme(scheme, rest))
}

/// Returns `true` if this should be an absolute http or https URL.
pub(crate) fn is_absolute(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(scheme, rest)| is_web(scheme) && rest.starts_with("//"))
}

/// Returns `true` if there is a host, without the rest of a reference that could not be resolved.
pub(crate) fn has_usable_host(url: &Url) -> bool {
    // Hosts are so short that to call memchr for them takes longer.
    let spoilt = |host: &str| host.bytes().any(|b| b == b'&' || b == b';') || is_web(host);
    !url.host_str().is_none_or(spoilt)
}

/// Returns `true` if another URL begins in the authority at which this text begins: the host, now ended by the colon of
/// an empty port, contains its scheme.
fn is_glued(text: &str) -> bool {
    let end = text.find(['/', '\\', '?', '#']);
    let parts = end.and_then(|end| text.split_at_checked(end));
    parts.is_some_and(|(host, rest)| host.ends_with(':') && rest.starts_with("//"))
}

fn is(scheme: &str, known: &str) -> bool {
    scheme.eq_ignore_ascii_case(known)
}

/// Returns `true` if this is a scheme, and not a host before its port or a piece of prose.
fn is_scheme(scheme: &str, rest: &str) -> bool {
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'))
        && (!rest.starts_with(|c: char| c.is_ascii_digit()) || is(scheme, "tel"))
}

fn is_too_long(text: &str) -> bool {
    text.len() >= LOC_CHARS && text.chars().count() >= LOC_CHARS
}

/// The places of the characters that must be percent-encoded: those that [`Url`] escapes or removes, and those that it
/// keeps although neither RFC 3986 nor the schema allows them there (`[` and `]` outside of a host, a `%` without two
/// hexadecimal digits, a second `#`).
struct Unescaped<'a> {
    text: &'a str,
    /// The `Url` of the text.
    url: &'a Url,
    /// Found out when they are needed.
    parts: Option<WrittenParts>,
    /// Everything before this position has been checked.
    from: usize,
}

/// Returns `true` if this may have to be escaped, depending on its place.
fn is_suspect(b: u8) -> bool {
    // Comparisons only, and few: ranges take in `!` and `~`, which are harmless.
    (b <= b'#')
        | (b >= b'{')
        | (b == b'@')
        | (b == b'`')
        | ((b | 2) == b'>') // and `<`
        | ((b | 2) == b'\'') // and `%`
        | (b.wrapping_sub(b'[') <= b'^' - b'[')
}

impl<'a> Unescaped<'a> {
    /// The first of them, in a text of which this became.
    fn first(text: &'a str, url: &'a Url) -> Option<usize> {
        let from = find(text.as_bytes(), is_suspect)?;
        let first = Self::all(text, url, from).next();
        // A user's name ends with an `@`, which is suspect.
        let in_user = Self::first_in_user(text, url);
        first.into_iter().chain(in_user).min()
    }

    /// The first of the characters that [`Url`] escapes in the name and the password of a user, and nowhere else.
    fn first_in_user(text: &str, url: &Url) -> Option<usize> {
        if url.username().is_empty() && url.password().is_none() {
            return None;
        }
        let start = WrittenParts::of(text).user;
        let user = text.get(start..)?.bytes().take_while(|b| *b != b'@');
        let mut colons = 0;
        let found = user.enumerate().find(|(_, b)| {
            colons += usize::from(*b == b':');
            matches!(b, b';' | b'=') || colons > 1
        });
        found.map(|(at, _)| start + at)
    }

    /// The first of them in what [`Url`] has made of a text.
    fn first_in(url: &'a Url) -> Option<usize> {
        let text = url.as_str();
        // Other suspect characters have been escaped.
        if memchr3(b'[', b']', b'%', text.as_bytes()).is_none() && url.fragment().is_none() {
            return None;
        }
        Self::all(text, url, 0).next()
    }

    /// All of them from there on, in order.
    const fn all(text: &'a str, url: &'a Url, from: usize) -> Self {
        Self {
            text,
            url,
            parts: None,
            from,
        }
    }

    /// Returns `true` if the suspect character at this place must be escaped.
    fn is_wrong(&mut self, at: usize, byte: u8) -> bool {
        let parts = match byte {
            ..=b' ' | b'%' | 0x7F.. => return true,
            b'!' | b'~' => return false,
            _ => self
                .parts
                .get_or_insert_with(|| WrittenParts::of(self.text)),
        };
        match byte {
            b'#' => at != parts.fragment,
            b'[' | b']' => !parts.host.contains(&at),
            // The last one ends the name of a user, those before it are part of it.
            b'@' => at + 1 < parts.host.start,
            // The others are escaped at every place of a part in which `Url` escapes them.
            _ => {
                let part = if at < parts.host.start {
                    &self.url[..Position::BeforeHost]
                } else if at < parts.host.end {
                    &self.url[Position::BeforeHost..Position::BeforePath]
                } else if at < parts.query {
                    self.url.path()
                } else if at < parts.fragment {
                    self.url.query().unwrap_or_default()
                } else {
                    self.url.fragment().unwrap_or_default()
                };
                memchr(byte, part.as_bytes()).is_none()
            }
        }
    }
}

impl Iterator for Unescaped<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        loop {
            let mut rest = bytes.get(self.from..)?;
            // Words in other scripts are rows of these.
            while let [b'%', a, b, behind @ ..] = rest {
                if !a.is_ascii_hexdigit() || !b.is_ascii_hexdigit() {
                    break;
                }
                rest = behind;
            }
            let at = bytes.len() - rest.len();
            let Some(byte) = rest.first().copied().filter(|byte| is_suspect(*byte)) else {
                self.from = at + find(rest, is_suspect)?;
                continue;
            };
            self.from = at + 1;
            if self.is_wrong(at, byte) {
                return Some(at);
            }
        }
    }
}

/// The positions of the parts of a URL as it is written.
struct WrittenParts {
    /// The name of a user, or the host if there is none.
    user: usize,
    /// Host and port; empty in a relative URL.
    host: Range<usize>,
    /// The `?`, or where it would be.
    query: usize,
    /// The first `#`, or where it would be.
    fragment: usize,
}

impl WrittenParts {
    /// Finds the positions in a text that is written as an absolute or relative web URL.
    fn of(text: &str) -> Self {
        let authority = match text.split_once(':') {
            Some((scheme, _)) if is_web(scheme) => scheme.len() + "://".len(),
            _ if text.starts_with("//") => "//".len(),
            _ => 0,
        };
        let find = |from: usize, to: usize, stops: &[char]| {
            let found = text.get(from..to).and_then(|part| part.find(stops));
            found.map_or(to, |at| from + at)
        };
        let path = match authority {
            0 => 0,
            _ => find(authority, text.len(), &['/', '\\', '?', '#']),
        };
        let user = text.get(authority..path).and_then(|part| part.rfind('@'));
        let fragment = find(path, text.len(), &['#']);
        Self {
            user: authority,
            host: user.map_or(authority, |at| authority + at + 1)..path,
            query: find(path, fragment, &['?']),
            fragment,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    /// The first character that must be percent-encoded.
    fn wrong(text: &str) -> Option<char> {
        let checked = read_url(text, None).unwrap();
        let at = checked.unescaped?;
        text[at..].chars().next()
    }

    #[test]
    fn what_url_escapes() {
        for (text, first) in [
            ("https://example.com/a b", ' '),
            ("https://example.com/%2e/?a=\"", '"'),
            ("https://ex%61mple.com/?a='b\"", '\''),
            ("https://example.com/'?'", '\''),
            ("https://example.com/{?}", '{'),
            ("https://example.com/?a={b}#`", '`'),
            ("https://example.com/#<", '<'),
            ("https://example.com/\u{7F}", '\u{7F}'),
            ("https://example.com/a\tb c", '\t'),
            ("https://example.com/~é\"", 'é'),
            ("https://bücher.example/a b", 'ü'),
            ("https://example.com/a\\b", '\\'),
            ("https://a\"b@example.com/", '"'),
            ("https://a@b@example.com/", '@'),
        ] {
            assert_eq!(wrong(text), Some(first), "{text}");
        }
        for text in [
            "https://example.com/a%20b?c%22#%e2%82%ac",
            "https://example.com/it's|~!$&()*+,;=:@",
            "https://example.com/?a={b}|^`\\@",
            "https://example.com/#'{}|^",
            "https://EXAMPLE.com:443",
            "https://a:b@example.com/@",
            "https://ex_ample.com",
        ] {
            assert_eq!(wrong(text), None, "{text}");
        }
    }

    #[test]
    fn what_url_escapes_in_the_name_of_a_user_alone() {
        for (text, first) in [
            ("https://a;b@example.com/", Some(9)),
            ("https://a=b@example.com/", Some(9)),
            ("https://a:b:c@example.com/", Some(11)),
            ("https://a^b;c@example.com/", Some(9)),
            ("https://a;b^c@example.com/", Some(9)),
            ("https://a:b@example.com/;=:", None),
            ("https://example.com/a;b=c:d:e@f", None),
        ] {
            let checked = read_url(text, None).unwrap();
            assert_eq!(checked.unescaped, first, "{text}");
        }
    }

    #[test]
    fn what_url_keeps_but_must_be_escaped() {
        for (text, first, escaped) in [
            (
                "https://example.com/?a[]=1",
                '[',
                "https://example.com/?a%5B%5D=1",
            ),
            (
                "https://example.com/a]#[",
                ']',
                "https://example.com/a%5D#%5B",
            ),
            (
                "https://example.com/100%",
                '%',
                "https://example.com/100%25",
            ),
            (
                "https://example.com/%4g%41%",
                '%',
                "https://example.com/%254g%41%25",
            ),
            (
                "https://example.com/%%41",
                '%',
                "https://example.com/%25%41",
            ),
            ("https://a%@example.com/", '%', "https://a%25@example.com/"),
            (
                "https://example.com/#a#b#",
                '#',
                "https://example.com/#a%23b%23",
            ),
            (
                "http://[::1]:8080/[::1]",
                '[',
                "http://[::1]:8080/%5B::1%5D",
            ),
        ] {
            assert_eq!(wrong(text), Some(first), "{text}");
            let mut url = Url::parse(text).unwrap();
            assert_eq!(check_url(&url).unwrap_err().rule(), Rule::UrlNotEscaped);
            escape_url(&mut url);
            assert_eq!(url.as_str(), escaped);
            assert_eq!(check_url(&url), Ok(escaped));
        }
        for text in [
            "http://[::1]:8080/",
            "https://u@[::1]/#",
            "https://example.com/%5b#%23",
        ] {
            assert_eq!(wrong(text), None, "{text}");
        }
        let mut other = Url::parse("data:text/plain,[%").unwrap();
        escape_url(&mut other);
        assert_eq!(other.as_str(), "data:text/plain,[%");
    }

    #[test]
    fn relative_ones_are_judged_alike() {
        let base = Url::parse("https://example.com/a/b'c?d").unwrap();
        let wrong = |text: &str| {
            let checked = read_url(text, Some(&base)).unwrap();
            assert!(checked.relative);
            checked.unescaped
        };
        assert_eq!(wrong("/a b"), Some(2));
        assert_eq!(wrong("?a[]=1"), Some(2));
        assert_eq!(wrong("./a?b#c#d"), Some(7));
        assert_eq!(wrong("/?u=http://x@y/|"), None);
        assert_eq!(wrong("//[::1]/?a='"), Some(11));
        assert_eq!(wrong("//u@v@example.com/"), Some(3));
        assert_eq!(wrong("../it's"), None);
    }

    #[test]
    fn the_first_wrong_character_is_named() {
        let described = |text: &str| {
            let at = read_url(text, None).unwrap().unescaped.unwrap();
            let message = not_escaped(text, at).to_string();
            message.replace(&format!("`{text}`"), "_")
        };
        let escaped = "URL _ contains a character that must be percent-encoded";
        let removed = "URL _ contains an invisible character that must be removed";
        for (text, what) in [
            ("https://example.com/a b", "a space, character 22"),
            ("https://example.com/?a[]=1", "`[`, character 23"),
            (
                "https://example.com/100%",
                "`%` without two hexadecimal digits, character 24",
            ),
            ("https://example.com/#a#b", "a second `#`, character 23"),
            ("https://example.com/é", "`é`, character 21"),
        ] {
            assert_eq!(described(text), format!("{escaped} ({what})"));
        }
        for (text, shown, what) in [
            ("https://example.com/\tb", "\\t", "a tab, character 21"),
            (
                "https://example.com/\nb",
                "\\n",
                "a line break, character 21",
            ),
            (
                "https://example.com/\u{200B}",
                "\\u{200b}",
                "U+200B, character 21",
            ),
            (
                "https://example.com/a\u{FEFF}",
                "\\u{feff}",
                "U+FEFF, character 22",
            ),
            (
                "https://exam\u{AD}ple.com/",
                "\\u{ad}",
                "U+00AD, character 13",
            ),
        ] {
            let hidden = text.chars().find(|c| !is_printable(*c)).unwrap();
            let at = read_url(text, None).unwrap().unescaped.unwrap();
            let message = not_escaped(text, at).to_string();
            let shown = format!("`{}`", text.replace(hidden, shown));
            assert_eq!(message.replace(&shown, "_"), format!("{removed} ({what})"));
        }
        for (text, host) in [
            ("https://bücher.example/é", "xn--bcher-kva.example"),
            ("https://例え.jp:8080/", "xn--r8jz45g.jp"),
            ("https://u@пример.example", "xn--e1afmkfd.example"),
        ] {
            let message = format!("the host in URL _ must be written in Punycode: `{host}`");
            assert_eq!(
                described(text)
                    .replace("***@", "u@")
                    .replace(&format!("`{text}`"), "_"),
                message
            );
        }
        assert_eq!(
            described("https://example.com/a\\b"),
            "URL _ contains a character in place of `/` (`\\`, character 22)"
        );
    }

    #[test]
    fn only_absolute_web_urls_are_locs() {
        assert_eq!(
            parse_url(" HTTPS://Example.com/a ").unwrap().as_str(),
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
            assert_eq!(parse_url(text).unwrap_err().rule(), rule, "{text}");
        }
        let long = |n: usize| format!("https://example.com/{}", "a".repeat(n - 20));
        assert!(parse_url(&long(2_047)).is_ok());
        assert_eq!(
            parse_url(&long(2_048)).unwrap_err().rule(),
            Rule::UrlTooLong
        );
    }

    #[test]
    fn a_slash_that_url_adds_counts() {
        let query = |n: usize| format!("https://example.com?{}", "a".repeat(n - 20));
        let is_too_long = |text: &str| read_url(text, None).map(|checked| checked.too_long);
        assert_eq!(is_too_long(&query(2_046)), Ok(false));
        assert_eq!(is_too_long(&query(2_047)), Ok(true));
        // The protocol limits the characters that are written; that escaping makes them more is another rule.
        let escapes = format!("https://example.com/{}", "é".repeat(2_027));
        assert_eq!(is_too_long(&escapes), Ok(false));
    }

    fn spelt() -> impl Strategy<Value = String> {
        let host = prop_oneof![
            Just("example.com"),
            Just("EXAMPLE.com:8080"),
            Just("u:p@example.com"),
            Just("u[%@v@example.com"),
            Just("[::1]"),
            Just("b\u{FC}cher.example"),
            Just("ex%61mple.com"),
        ];
        let rest =
            "[/?#]?(%[0-9a-f]{2}|[/?#@:;.%&a2e\\[\\]\\\\^|{}`'\"<>!~ \t\n\u{e9}\u{1}]){0,10}";
        (host, rest).prop_map(|(host, rest)| format!("https://{host}{rest}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn what_is_read_without_an_issue_can_be_written(text in spelt()) {
            let Ok(checked) = read_url(&text, None) else {
                return Ok(());
            };
            let clean = checked.unescaped.is_none() && !checked.too_long;
            let mut url = checked.url;
            prop_assert!(!clean || check_url(&url).is_ok(), "{text:?}");
            // A character that `Url` has escaped was not escaped before.
            let escapes = |text: &str| text.matches('%').count();
            prop_assert!(!clean || escapes(url.as_str()) <= escapes(&text), "{text:?}");
            escape_url(&mut url);
            prop_assert!(check_url(&url).is_ok(), "{text:?} became {url}");
            prop_assert_eq!(Url::parse(url.as_str()), Ok(url));
        }
    }
}
