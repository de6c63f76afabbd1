//! Finds the `Sitemap:` lines of a robots.txt.

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
    if is_web(scheme) || value.contains("://") {
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
