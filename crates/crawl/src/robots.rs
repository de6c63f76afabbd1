//! What the answer to a request for robots.txt means ([`Answer`]), its rules and sitemaps ([`Rules`]), and which site may be
//! listed by which sitemap ([`Listings`]). Two functions return its [sitemaps](sitemaps()) and its [lines](lines()) alone.

mod answer;
mod listings;
mod rules;

use std::borrow::Cow;

use url::Url;

use quick_sitemap::{Rule, SitemapEntry};

pub use self::answer::{Answer, Why};
pub use self::listings::Listings;
pub use self::rules::{Rules, SitemapLine};

/// `Sitemap:` lines count within so many bytes.
pub(crate) const MAX_BYTES: usize = 8 << 20;
/// The names of the record, in lower case.
const NAMES: [&str; 3] = ["sitemap", "sitemaps", "site-map"];

/// Returns the sitemaps that a robots.txt lists, in its order and including duplicates.
///
/// `Sitemap:` (or `Sitemaps:`, `Site-map:`) is recognized in any case and in any group, also after a list mark, `-` or `*`.
/// `#` starts a comment anywhere. Lines end with LF, CRLF or CR. White space can replace the colon if an http or https URL
/// follows it. Relative values are resolved against `base`, the URL of the robots.txt itself. A file that begins with a UTF-16
/// byte order mark is decoded.
///
/// These lines are ignored: relative values without a `base`, values that do not result in an http or https URL, and
/// lines that are not UTF-8, apart from their comments. Unless the file is UTF-16, only the URLs are allocated. There is no
/// bound: [`Rules`] has one, and returns the lines that are ignored.
///
/// The source of these rules is the [sitemaps.org protocol](https://www.sitemaps.org/protocol.html#submit_robots)
/// and RFC 9309.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::robots;
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
    numbered(robots).filter_map(move |(_, line)| url_of(content(&line), base))
}

/// Returns the lines of a robots.txt with their numbers, starting at 1, so that other records than `Sitemap` need no second
/// parser.
///
/// Lines end with LF, CRLF or CR. Comments and surrounding white space are removed. Lines that are empty then are counted, but
/// not returned. Bytes that are not UTF-8 become U+FFFD.
///
/// # Examples
///
/// ```
/// use quick_sitemap_crawl::robots;
///
/// let text = b"# shop\nUser-agent: *\nLicense: https://example.com/license.xml\r\nsitemap: /a.xml # all\n";
/// let lines: Vec<(u64, String)> = robots::lines(text).map(|(number, text)| (number, text.into_owned())).collect();
/// assert_eq!(lines[0], (2, "User-agent: *".to_owned()));
/// assert_eq!(lines[1], (3, "License: https://example.com/license.xml".to_owned()));
/// assert_eq!(lines[2], (4, "sitemap: /a.xml".to_owned()));
/// ```
pub fn lines(robots: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, str>)> {
    numbered(robots).filter_map(|(number, line)| {
        let text = match line {
            Cow::Borrowed(line) => Cow::Borrowed(content(line)),
            Cow::Owned(line) => Cow::Owned(content(&line).to_owned()),
        };
        Some((number, text)).filter(|(_, text)| !text.is_empty())
    })
}

/// The lines with their numbers. LF, CRLF and CR end a line. Bytes that are not UTF-8 become U+FFFD.
fn numbered(robots: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, str>)> {
    let bytes = robots.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(robots);
    let text = utf_16(robots).map_or_else(|| String::from_utf8_lossy(bytes), Cow::Owned);
    let mut next = Some(0);
    (1..).map_while(move |number| {
        let start = next?;
        let rest = text.get(start..)?;
        let len = rest.find(['\n', '\r']);
        let end = start + len.unwrap_or(rest.len());
        let is_pair = text.get(end..)?.starts_with("\r\n");
        next = len.map(|_| end + 1 + usize::from(is_pair));
        let line = match &text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end)?),
            Cow::Owned(text) => Cow::Owned(text.get(start..end)?.to_owned()),
        };
        Some((number, line))
    })
}

/// A line without comment and surrounding white space.
fn content(line: &str) -> &str {
    let line = line.split_once('#').map_or(line, |(line, _)| line);
    // In concatenated files, byte order marks can be at the start of any line.
    let is_blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    line.trim_start_matches(is_blank).trim_end()
}

/// The text of a file that begins with the mark of UTF-16.
fn utf_16(robots: &[u8]) -> Option<String> {
    let (unit, bytes): (fn([u8; 2]) -> u16, _) = match robots {
        [0xFF, 0xFE, bytes @ ..] => (u16::from_le_bytes, bytes),
        [0xFE, 0xFF, bytes @ ..] => (u16::from_be_bytes, bytes),
        _ => return None,
    };
    let (units, _) = bytes.as_chunks::<2>();
    let decoded = char::decode_utf16(units.iter().copied().map(unit));
    let text = decoded.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(text.collect())
}

/// The URL of a line without comment that names a sitemap.
fn url_of(line: &str, base: Option<&Url>) -> Option<Url> {
    let is_utf_8 = !line.contains(char::REPLACEMENT_CHARACTER);
    resolve(value(line).filter(|_| is_utf_8)?, base)
}

/// The text after the name of a line without comment, if it is that of a sitemap. The line can be in a list.
fn after_name(line: &str) -> Option<&str> {
    let item = line.strip_prefix(['-', '*']).map(str::trim_start);
    let line = item.unwrap_or(line);
    let is_end = |c: char| is_separator(c) || c.is_whitespace();
    let (name, rest) = line.split_at(line.find(is_end).unwrap_or(line.len()));
    let is_name = |known: &&str| name.eq_ignore_ascii_case(known);
    NAMES.iter().any(is_name).then_some(rest)
}

/// The colon, and characters that are mistaken for it.
fn is_separator(c: char) -> bool {
    matches!(c, ':' | '=' | '\u{ff1a}')
}

/// Returns `true` if a line without comment names a sitemap, or should.
fn is_sitemap_line(line: &str) -> bool {
    let rest = after_name(line).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(is_separator)) || value(line).is_some()
}

/// The value of a line without comment that names a sitemap.
fn value(line: &str) -> Option<&str> {
    let rest = after_name(line)?;
    let value = rest.trim_start();
    match value.strip_prefix(':') {
        Some(value) => Some(value.trim_start()).filter(|value| !value.is_empty()),
        // Without a colon, only an http or https URL shows that the line lists a sitemap.
        None => Some(value).filter(|value| value.len() < rest.len() && web_url(value).is_some()),
    }
}

fn resolve(value: &str, base: Option<&Url>) -> Option<Url> {
    let (scheme, _) = value.split_once(':').unwrap_or_default();
    // A value with `://` is not relative, but has a mistyped scheme.
    let is_web = |web| scheme.eq_ignore_ascii_case(web);
    if ["http", "https"].into_iter().any(is_web) || value.contains("://") {
        return web_url(value);
    }
    // Quoted URLs, tags and templates are no relative URLs.
    let is_foreign = |c: char| c.is_whitespace() || "\"<>{}|\\^`".contains(c);
    let value = Some(value).filter(|value| !value.contains(is_foreign));
    web_url(base?.join(value?).ok()?.as_str())
}

/// The URL of a text that a sitemap could list.
fn web_url(text: &str) -> Option<Url> {
    match SitemapEntry::try_from(text) {
        Ok(entry) => Some(entry.loc),
        // Returned, so that the crawl can count it as left out.
        Err(violation) if violation.rule() == Rule::UrlTooLong => Url::parse(text).ok(),
        Err(_) => None,
    }
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
                .map(|(number, text)| format!("{number} {text}"))
                .collect()
        };
        let expected = [
            "1 User-agent: *",
            "3 Disallow: /a:b",
            "4 LICENSE : https://example.com/l.xml",
            "6 Sitemap: /1",
            "7 license:",
            "8 nonsense",
            "9 sitemap https://example.com/2",
        ];
        assert_eq!(shown(text.as_bytes()), expected);
        let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(shown(&utf_16), expected);
        assert_eq!(shown(b"Sitemap: /\xFF#\xFF"), ["1 Sitemap: /\u{FFFD}"]);
        assert!(shown(b"").is_empty());
    }

    #[test]
    fn spellings_line_ends_and_comments() {
        let text = b"\xEF\xBB\xBFsitemap:https://example.com/1\r\n  SiteMap : /2\rSite-map:\t3#x\n#Sitemap: /no\n\
            User-agent: * # Sitemap: /no\nSitemaps: /5\nSitemap:\nSitemap: # nothing\nSitemap: /\xFF\nSitemap: /4 # \xFF\n\
            - Sitemap: /6\n *\tsitemaps : /7\n-SITE-MAP:/8\nSitemapss: /no\n- - Sitemap: /no\nSitemaps-all: /no";
        assert_eq!(
            found(text),
            [
                "https://example.com/1",
                "https://example.com/2",
                "https://example.com/3",
                "https://example.com/5",
                "https://example.com/4",
                "https://example.com/6",
                "https://example.com/7",
                "https://example.com/8",
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
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let expected = ["https://example.com/%C3%A9.xml", "https://example.com/2"];
            assert_eq!(found(&bytes), expected);
        }
    }

    #[test]
    fn only_the_web() {
        for value in [
            "",
            "javascript:alert(1)",
            "ftp://example.com/s.xml",
            // There are exactly two slashes.
            "https:https://example.com/a",
            "http:/example.com/a",
            "http:///example.com/a",
            "http:a.xml",
            "https://a&b.com/a",
            "//a&b.com/s.xml",
            // Cyrillic letters that look like Latin ones, a space, a scheme after a path.
            "http\u{440}://example.com/s.xml",
            "\u{43d}ttps://example.com/s.xml",
            "htt p://example.com/s.xml",
            "s.xml?of=https://example.com/",
            "://example.com/s.xml",
        ] {
            let text = format!("Sitemap: {value}");
            assert!(found(text.as_bytes()).is_empty(), "{value}");
            assert_eq!(sitemaps(text.as_bytes(), None).count(), 0, "{value}");
        }
        let other = found(b"Sitemap: //cdn.example.com/s.xml");
        assert_eq!(other, ["https://cdn.example.com/s.xml"]);
    }
}
