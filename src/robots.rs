//! Finds the `Sitemap:` lines of a robots.txt, and returns its other lines uninterpreted.

use std::borrow::Cow;

use url::Url;

use crate::value::url::{has_usable_host, is_absolute, is_web, read_url};

/// Returns the sitemaps that a robots.txt lists, in its order and including duplicates.
///
/// `Sitemap:` (or `Site-map:`) is recognized in any case and in any group. `#` starts a comment anywhere. Lines end
/// with LF, CRLF or CR. White space can replace the colon if an http or https URL follows it. Relative values are
/// resolved against `base`, the URL of the robots.txt itself. A file that begins with a UTF-16 byte order mark is decoded.
///
/// These lines are ignored: relative values without a `base`, values that do not result in an http or https URL, and
/// lines that are not UTF-8. Unless the file is UTF-16, only the URLs are allocated.
///
/// The source of these rules is the [sitemaps.org protocol](https://www.sitemaps.org/protocol.html#submit_robots)
/// and RFC 9309.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{robots, url::Url};
///
/// let text = b"User-agent: *\nDisallow: /private\n\nSITEMAP: https://example.com/a.xml # all of it\nSitemap: /b.xml.gz\n";
/// let base = Url::parse("https://example.com/robots.txt")?;
/// let found: Vec<String> = robots::sitemaps(text, Some(&base)).map(String::from).collect();
/// assert_eq!(found, ["https://example.com/a.xml", "https://example.com/b.xml.gz"]);
/// assert_eq!(robots::sitemaps(text, None).count(), 1);
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn sitemaps<'a>(
    robots: &'a [u8],
    base: Option<&'a Url>,
) -> impl Iterator<Item = Url> + use<'a> {
    // One of them is empty.
    let (utf_16, utf_8) = match utf_16(robots) {
        Some(text) => (text, &[][..]),
        None => (
            String::new(),
            robots.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(robots),
        ),
    };
    let decoded: Vec<Url> = in_lines(utf_16.as_bytes(), base).collect();
    decoded.into_iter().chain(in_lines(utf_8, base))
}

/// A line of a robots.txt that is not empty and not only a comment. Returned by [`lines`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'r> {
    /// The number of the line, starting at 1.
    pub number: u64,
    /// The record on the line.
    pub record: Record<'r>,
}

/// The content of a line of a robots.txt, without comments and surrounding white space.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record<'r> {
    /// The value of a `Sitemap:` line, as it is written. [`sitemaps`] returns it as a URL, if it is one.
    Sitemap(Cow<'r, str>),
    /// The value of a `License:` line, as it is written: the URL of a licence in the format
    /// [RSL](https://rslstandard.org/rsl).
    License(Cow<'r, str>),
    /// Any other line, including `User-agent`, `Allow` and `Disallow`, which this crate does not interpret.
    Unknown {
        /// The text before the first colon, or the entire line if it has no colon.
        name: Cow<'r, str>,
        /// The text after the first colon; empty if there is none.
        value: Cow<'r, str>,
    },
}

/// Returns the lines of a robots.txt with their numbers, so that other records than `Sitemap` need no second parser.
///
/// Comments, line ends and `Sitemap:` lines are recognized as by [`sitemaps`]. Empty lines and comments are counted but
/// not returned. Text that is not UTF-8 contains U+FFFD, and is never a `Sitemap` or a `License`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::robots::{self, Record};
///
/// let text = b"# shop\nUser-agent: *\nLicense: https://example.com/license.xml\r\nsitemap: /a.xml # all\n";
/// let lines: Vec<_> = robots::lines(text).collect();
/// assert_eq!(lines[0].number, 2);
/// assert!(matches!(&lines[0].record, Record::Unknown { name, value } if name == "User-agent" && value == "*"));
/// assert_eq!(lines[1].record, Record::License("https://example.com/license.xml".into()));
/// assert_eq!((lines[2].number, &lines[2].record), (4, &Record::Sitemap("/a.xml".into())));
/// ```
pub fn lines(robots: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let (utf_16, utf_8) = match utf_16(robots) {
        Some(text) => (text, &[][..]),
        None => (
            String::new(),
            robots.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(robots),
        ),
    };
    let decoded: Vec<Line<'static>> = numbered(utf_16.as_bytes())
        .filter_map(|(number, text)| Some(line(number, text)?.into_owned()))
        .collect();
    let rest = numbered(utf_8).filter_map(|(number, text)| line(number, text));
    decoded.into_iter().chain(rest)
}

impl Line<'_> {
    fn into_owned(self) -> Line<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let record = match self.record {
            Record::Sitemap(value) => Record::Sitemap(owned(value)),
            Record::License(value) => Record::License(owned(value)),
            Record::Unknown { name, value } => Record::Unknown {
                name: owned(name),
                value: owned(value),
            },
        };
        Line {
            number: self.number,
            record,
        }
    }
}

/// The lines with their numbers; LF, CRLF and CR end one.
fn numbered(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let end = text.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let (line, behind) = text.split_at(end.unwrap_or(text.len()));
        rest = match behind {
            [b'\r', b'\n', behind @ ..] | [_, behind @ ..] => Some(behind),
            [] => None,
        };
        Some((number, line))
    })
}

fn line(number: u64, bytes: &[u8]) -> Option<Line<'_>> {
    let text = String::from_utf8_lossy(bytes);
    let is_utf_8 = matches!(text, Cow::Borrowed(_));
    if let (Ok(text), true) = (std::str::from_utf8(bytes), is_utf_8)
        && let Some(value) = value(text)
    {
        let record = Record::Sitemap(value.trim_end().into());
        return Some(Line { number, record });
    }
    let record = match text {
        Cow::Borrowed(text) => record(text)?,
        Cow::Owned(text) => {
            let unknown = match record(&text)? {
                Record::License(value) => Record::Unknown {
                    name: "License".into(),
                    value,
                },
                other => other,
            };
            let line = Line {
                number,
                record: unknown,
            };
            line.into_owned().record
        }
    };
    Some(Line { number, record })
}

/// Of a line that is no `Sitemap`.
fn record(line: &str) -> Option<Record<'_>> {
    let line = line.split('#').next()?;
    let line = line.trim().trim_start_matches('\u{FEFF}').trim_start();
    if line.is_empty() {
        return None;
    }
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let (name, value) = (name.trim_end(), value.trim_start());
    Some(
        match name.eq_ignore_ascii_case("license") && !value.is_empty() {
            true => Record::License(value.into()),
            false => Record::Unknown {
                name: name.into(),
                value: value.into(),
            },
        },
    )
}

fn in_lines<'t>(text: &'t [u8], base: Option<&'t Url>) -> impl Iterator<Item = Url> + use<'t> {
    text.split(|b| matches!(b, b'\n' | b'\r'))
        .filter_map(|line| value(std::str::from_utf8(line).ok()?))
        .filter_map(move |value| resolve(value, base))
}

/// The text of a file that begins with the mark of UTF-16.
fn utf_16(robots: &[u8]) -> Option<String> {
    let (unit, bytes): (fn([u8; 2]) -> u16, _) = match robots {
        [0xFF, 0xFE, bytes @ ..] => (u16::from_le_bytes, bytes),
        [0xFE, 0xFF, bytes @ ..] => (u16::from_be_bytes, bytes),
        _ => return None,
    };
    let (units, half) = bytes.as_chunks::<2>();
    let decoded = char::decode_utf16(units.iter().copied().map(unit));
    let mut text: String = decoded
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !half.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Some(text)
}

/// The value of a `Sitemap:` line.
fn value(line: &str) -> Option<&str> {
    let line = line.split('#').next()?;
    let line = line.trim().trim_start_matches('\u{FEFF}').trim_start();
    let rest = ["sitemap", "site-map"].iter().find_map(|known| {
        let (name, rest) = line.split_at_checked(known.len())?;
        name.eq_ignore_ascii_case(known).then_some(rest)
    })?;
    let value = rest.trim_start();
    match value.strip_prefix(':') {
        Some(value) => Some(value.trim_start()).filter(|value| !value.is_empty()),
        // Without the colon the URL leaves no doubt.
        None => Some(value).filter(|value| value.len() < rest.len() && is_absolute(value)),
    }
}

fn resolve(value: &str, base: Option<&Url>) -> Option<Url> {
    let (scheme, _) = value.split_once(':').unwrap_or_default();
    // In a relative one `://` is rather a scheme that is misspelt.
    if is_web(scheme) || memchr::memmem::find(value.as_bytes(), b"://").is_some() {
        let checked = read_url(value, None);
        return checked.ok().map(|checked| checked.url);
    }
    base.and_then(|base| base.join(value).ok())
        .filter(|url| is_web(url.scheme()) && has_usable_host(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8]) -> Vec<String> {
        let base = Url::parse("https://example.com/robots.txt").ok();
        sitemaps(text, base.as_ref()).map(String::from).collect()
    }

    #[test]
    fn lines_have_numbers_and_nothing_is_judged() {
        let text = "\u{FEFF}User-agent: *\r\n\rDisallow: /a:b # c\nLICENSE : https://example.com/l.xml\n#x\n\
            Sitemap: /1 # x\nlicense:\nnonsense\nsitemap https://example.com/2";
        let shown = |bytes: &[u8]| -> Vec<String> {
            lines(bytes)
                .map(|line| match line.record {
                    Record::Sitemap(value) => format!("{} sitemap {value}", line.number),
                    Record::License(value) => format!("{} license {value}", line.number),
                    Record::Unknown { name, value } => format!("{} {name}|{value}", line.number),
                })
                .collect()
        };
        let expected = [
            "1 User-agent|*",
            "3 Disallow|/a:b",
            "4 license https://example.com/l.xml",
            "6 sitemap /1",
            "7 license|",
            "8 nonsense|",
            "9 sitemap https://example.com/2",
        ];
        assert_eq!(shown(text.as_bytes()), expected);
        let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(shown(&utf_16), expected);
        let broken = b"Sitemap: /\xFF\nLicense: /\xFF\nDisallow: /\xFF";
        assert_eq!(
            shown(broken),
            [
                "1 Sitemap|/\u{FFFD}",
                "2 License|/\u{FFFD}",
                "3 Disallow|/\u{FFFD}"
            ]
        );
        assert!(shown(b"").is_empty());
    }

    #[test]
    fn spellings_line_ends_and_comments() {
        let text = b"\xEF\xBB\xBFsitemap:https://example.com/1\r\n  SiteMap : /2\rSite-map:\t3#x\n#Sitemap: /no\n\
            User-agent: * # Sitemap: /no\nSitemaps: /no\nSitemap:\nSitemap: # nothing\nSitemap: /\xFF\nSitemap: /4";
        assert_eq!(
            found(text),
            [
                "https://example.com/1",
                "https://example.com/2",
                "https://example.com/3",
                "https://example.com/4"
            ]
        );
    }

    #[test]
    fn a_colon_may_be_missing_before_a_url() {
        let text = b"sitemap http://example.com/1\nSite-Map\thttps://example.com/2 # b\nSitemap /no\n\
            sitemaphttp://example.com/no\nSitemap ftp://example.com/no\nSitemap see https://example.com/no\n\
            Sitemap https :// no\nSitemap  : /3\n\xEF\xBB\xBFsitemap https://example.com/4\nSitemap";
        assert_eq!(
            found(text),
            [
                "http://example.com/1",
                "https://example.com/2",
                "https://example.com/3",
                "https://example.com/4",
            ]
        );
    }

    #[test]
    fn a_mark_of_utf_16_is_obeyed() {
        let text =
            "\u{FEFF}User-agent: *\r\nSitemap: https://example.com/\u{e9}.xml\r\nsitemap: /2";
        let expected = ["https://example.com/%C3%A9.xml", "https://example.com/2"];
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(found(&little), expected);
        assert_eq!(found(&big), expected);
    }

    #[test]
    fn exactly_two_slashes() {
        for value in [
            "https:https://example.com/a",
            "http:/example.com/a",
            "http:///example.com/a",
            "http:a.xml",
            "https://a&b.com/a",
        ] {
            let text = format!("Sitemap: {value}");
            assert!(found(text.as_bytes()).is_empty(), "{value}");
            assert_eq!(sitemaps(text.as_bytes(), None).count(), 0, "{value}");
        }
    }

    #[test]
    fn only_the_web() {
        assert!(
            found(b"Sitemap: javascript:alert(1)\nSitemap: ftp://example.com/s.xml").is_empty()
        );
        assert_eq!(
            found(b"Sitemap: //cdn.example.com/s.xml"),
            ["https://cdn.example.com/s.xml"]
        );
        // Cyrillic letters that look like Latin ones, a space, a scheme behind a path.
        for value in [
            "http\u{440}://example.com/s.xml",
            "\u{43d}ttps://example.com/s.xml",
            "htt p://example.com/s.xml",
            "s.xml?of=https://example.com/",
            "://example.com/s.xml",
        ] {
            let text = format!("Sitemap: {value}");
            assert!(found(text.as_bytes()).is_empty(), "{value}");
        }
        assert!(found(b"Sitemap: //a&b.com/s.xml").is_empty());
        assert!(found(b"").is_empty());
    }
}
