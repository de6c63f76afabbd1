//! Finds the `Sitemap:` lines and the `Crawl-delay` of a robots.txt, and returns its other lines uninterpreted.

use std::borrow::Cow;
use std::io::{self, Read};
use std::time::Duration;

use flate2::bufread::GzDecoder;
use url::Url;

use quick_sitemap::{Rule, SitemapEntry};

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
    numbered(robots).filter_map(move |(_, line)| {
        let is_utf_8 = !line.contains(char::REPLACEMENT_CHARACTER);
        resolve(value(&line).filter(|_| is_utf_8)?, base)
    })
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

/// Returns the `Crawl-delay` that a robots.txt has for a crawler, such as [`CrawlBuilder::user_agent`](crate::CrawlBuilder::user_agent) keeps.
///
/// `user_agent` is the name of the crawler, such as `my-crawler`. Any text after the name is ignored. The groups that
/// name it, ignoring case, are used, and otherwise those for `*`. If several lines apply, the longest delay is
/// returned. The value is in seconds and can have decimals; another value is ignored.
///
/// The record is not part of RFC 9309, but many sites have it.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use quick_sitemap_crawl::robots;
///
/// let text = b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: My-Crawler\nUser-agent: other\nDisallow: /a\nCrawl-delay: 0.5\n";
/// assert_eq!(robots::crawl_delay(text, "my-crawler/1.0"), Some(Duration::from_millis(500)));
/// assert_eq!(robots::crawl_delay(text, "third"), Some(Duration::from_secs(10)));
/// ```
#[must_use]
pub fn crawl_delay(robots: &[u8], user_agent: &str) -> Option<Duration> {
    let wanted = product(user_agent);
    let is_own = |name: &str| !wanted.is_empty() && product(name).eq_ignore_ascii_case(wanted);
    delay_of(robots, is_own).or_else(|| delay_of(robots, |name| name == "*"))?
}

/// The longest delay of the groups that name a crawler. `None` if there is no such group.
fn delay_of(robots: &[u8], is_named: impl Fn(&str) -> bool) -> Option<Option<Duration>> {
    let (mut longest, mut is_naming, mut applies) = (None, false, false);
    for (_, line) in lines(robots) {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim_end().to_ascii_lowercase(), value.trim_start());
        if name == "user-agent" {
            applies = (applies && is_naming) || is_named(value);
        }
        // A sitemap belongs to no group.
        if name != "sitemap" {
            is_naming = name == "user-agent";
        }
        if applies {
            let seconds = Some(value).filter(|_| name == "crawl-delay");
            let seconds = seconds.and_then(|value| value.parse().ok());
            let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            longest = longest.max(Some(delay));
        }
    }
    longest
}

/// The name of a crawler, without its version.
fn product(text: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.split_once(|c| !is_name(c))
        .map_or(text, |(name, _)| name)
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
    trim_line(line)
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

/// The value of a `Sitemap:` line.
fn value(line: &str) -> Option<&str> {
    let line = content(line);
    let rest = ["sitemap", "site-map"].iter().find_map(|known| {
        let (name, rest) = line.split_at_checked(known.len())?;
        name.eq_ignore_ascii_case(known).then_some(rest)
    })?;
    let value = rest.trim_start();
    match value.strip_prefix(':') {
        Some(value) => Some(value.trim_start()).filter(|value| !value.is_empty()),
        // Without a colon, only an http or https URL shows that the line lists a sitemap.
        None => Some(value).filter(|value| value.len() < rest.len() && web_url(value).is_some()),
    }
}

/// Removes white space at the ends of a line and byte order marks at its start. In concatenated files, these marks can be at
/// the start of any line.
fn trim_line(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}')
        .trim_end()
}

fn resolve(value: &str, base: Option<&Url>) -> Option<Url> {
    let (scheme, _) = value.split_once(':').unwrap_or_default();
    // A value with `://` is not relative, but has a mistyped scheme.
    let is_web = |web| scheme.eq_ignore_ascii_case(web);
    if ["http", "https"].into_iter().any(is_web) || value.contains("://") {
        return web_url(value);
    }
    web_url(base?.join(value).ok()?.as_str())
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

/// The first bytes of a gzip member.
const MAGIC: &[u8] = &[0x1F, 0x8B];

/// The text, or the first `most` bytes of the text that is compressed. A damaged text is returned as it is. Bytes after
/// the last member are ignored, like those after a sitemap.
pub(super) fn inflated(bytes: Vec<u8>, most: usize) -> Vec<u8> {
    if !bytes.starts_with(MAGIC) {
        return bytes;
    }
    let (mut rest, mut text) = (&*bytes, Vec::new());
    while rest.starts_with(MAGIC) && text.len() < most {
        let mut member = GzDecoder::new(rest);
        let left = (most - text.len()) as u64;
        match member.by_ref().take(left).read_to_end(&mut text) {
            Ok(_) => rest = member.into_inner(),
            // A text that ends early may be intact: the rest may be beyond the bytes that were kept.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !text.is_empty() => break,
            Err(_) => return bytes,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

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
    fn a_group_has_a_delay() {
        let delay = |text: &str, name| crawl_delay(text.as_bytes(), name).map(|it| it.as_secs());
        let text = "crawl-delay: 1\nUser-agent: a/2.0\nSitemap: /s\nUSER-AGENT: b\nDisallow:\nCrawl-Delay : 2 # c\n\
            User-agent: *\ncrawl-delay: 3\nUser-agent: c\nAllow: /\nUser-agent: a\ncrawl-delay: 4";
        assert_eq!(delay(text, "B (+https://example.com)"), Some(2));
        assert_eq!(delay(text, "a"), Some(4));
        // A group for this robot, without a delay.
        assert_eq!(delay(text, "c"), None);
        assert_eq!((delay(text, "d"), delay(text, "")), (Some(3), Some(3)));
        for value in ["-1", "NaN", "inf", "1e300", "soon", ""] {
            assert_eq!(
                delay(&format!("User-agent: *\nCrawl-delay: {value}"), "a"),
                None
            );
        }
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
        // Cyrillic letters that look like Latin ones, a space, a scheme after a path.
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

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_in_a_row_up_to_the_bound() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let whole = gzip(&text);
        assert_eq!(inflated(whole.clone(), usize::MAX), text);
        assert_eq!(inflated(whole.clone(), 1_000), text[..1_000]);
        assert_eq!(inflated([gzip(b"a"), gzip(b"b")].concat(), 10), b"ab");
        // Bytes after the last member are ignored, like those after a sitemap.
        let followed = [gzip(b"a").as_slice(), b"something else"].concat();
        assert_eq!(inflated(followed, 10), b"a");
        let cut = inflated(whole[..whole.len() / 2].to_vec(), usize::MAX);
        assert!(!cut.is_empty() && text.starts_with(&cut));
    }

    #[test]
    fn what_is_damaged_stays_as_it_is() {
        let mut wrong_sum = gzip(b"User-agent: *");
        let sum = wrong_sum.len() - 8;
        wrong_sum[sum] ^= 1;
        for bytes in [wrong_sum, b"\x1F\x8B\x07\0".to_vec(), b"plain".to_vec()] {
            assert_eq!(inflated(bytes.clone(), 100), bytes);
        }
    }
}
