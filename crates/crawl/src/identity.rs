//! When two URLs are one page, and what the name of a site is.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use url::{Host, Position, Url};

/// Returns `true` if two URLs mean the same page. See [`page_key`].
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::same_page;
///
/// let url = |path: &str| Url::parse(&format!("https://example.com{path}")).unwrap();
/// assert!(same_page(&url("/%d9%85"), &url("/%D9%85#top")));
/// assert!(same_page(&url("/%7Eme"), &url("/~me")));
/// assert!(!same_page(&url("/a%2fb"), &url("/a/b"))); // a reserved character
/// assert!(!same_page(&url("/a"), &url("/a/")));
/// ```
#[must_use]
pub fn same_page(a: &Url, b: &Url) -> bool {
    page_key(a) == page_key(b)
}

/// Returns the key of a page, which is equal for the URLs that mean the same page. Nothing is allocated for a URL that is in
/// this form already.
///
/// The key is the URL after the normalization of [RFC 3986, 6.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2):
/// the hex digits of percent-encoded bytes are in upper case, and unreserved characters (letters, digits, `-`, `.`, `_` and
/// `~`) are not percent-encoded. [`Url`] has normalized scheme, host, port and path before. The fragment is removed, because
/// it is not part of a page. http and https, `www.` and a final slash make different pages.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::page_key;
///
/// let url = Url::parse("HTTPS://Example.com:443/%7Ea/%e2%82%ac?q=%2d#x")?;
/// assert_eq!(page_key(&url), "https://example.com/~a/%E2%82%AC?q=-");
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[must_use]
pub fn page_key(url: &Url) -> Cow<'_, str> {
    key_of(&url[..Position::AfterQuery])
}

/// The key of a URL without fragment.
pub(super) fn key_of(url: &str) -> Cow<'_, str> {
    let (mut key, mut done) = (String::new(), 0);
    for (at, _) in url.match_indices('%') {
        let digits = url.get(at + 1..at + 3).unwrap_or_default();
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let Some(byte) = u8::from_str_radix(digits, 16).ok().filter(|_| is_hex) else {
            continue;
        };
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_unreserved || digits.contains(|digit: char| digit.is_ascii_lowercase()) {
            key.push_str(url.get(done..at).unwrap_or_default());
            if is_unreserved {
                key.push(char::from(byte));
            } else {
                key.push('%');
                key.push_str(&digits.to_ascii_uppercase());
            }
            done = at + 3;
        }
    }
    if done == 0 {
        return Cow::Borrowed(url);
    }
    key.push_str(url.get(done..).unwrap_or_default());
    Cow::Owned(key)
}

/// The key of a URL without fragment, which shares its text if it is equal.
pub(super) fn shared_key(url: &Arc<str>) -> Arc<str> {
    match key_of(url) {
        Cow::Borrowed(_) => Arc::clone(url),
        Cow::Owned(key) => key.into(),
    }
}

/// Returns the URL of a site from its name: a host with or without a port, or an http or https URL without path and query. A
/// host alone gets https.
///
/// # Errors
///
/// If the text is something else, such as a URL with a path, or a word that is not a host: apart from `localhost`, the name of
/// a host has a dot.
///
/// # Examples
///
/// ```
/// use quick_sitemap_crawl::site;
///
/// assert_eq!(site("example.com")?.as_str(), "https://example.com/");
/// assert_eq!(site("http://localhost:8080")?.as_str(), "http://localhost:8080/");
/// assert!(site("https://example.com/sitemap.xml").is_err());
/// assert!(site("sitemap").is_err());
/// # Ok::<(), quick_sitemap_crawl::ParseError>(())
/// ```
pub fn site(text: &str) -> Result<Url, ParseError> {
    const NO_HOST: ParseError = ParseError("not a host such as example.com");
    let text = text.trim();
    let url = match text.split_once("://") {
        Some((_, host)) if !host.starts_with(['/', '\\']) => Url::parse(text),
        None if !text.starts_with(['/', '\\']) && !text.contains('@') => {
            Url::parse(&format!("https://{text}"))
        }
        _ => return Err(NO_HOST),
    };
    let url = url.map_err(|_| NO_HOST)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ParseError("the scheme of a site is http or https"));
    }
    let is_host = match url.host() {
        Some(Host::Domain(name)) => {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
            (name.contains('.') || name == "localhost") && name.chars().all(is_part)
        }
        Some(_) => true,
        None => false,
    };
    if !is_host {
        return Err(NO_HOST);
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err(ParseError("a site has no path and no query"));
    }
    Ok(url)
}

/// The reason why a text is not the name of a [`site`](fn@site) or the text of a [`Known`](super::Known). It does not quote
/// the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError(pub(super) &'static str);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_encodings_have_one_key() {
        for (text, expected) in [
            ("/a", "/a"),
            ("/%d9%85", "/%D9%85"),
            ("/%D9%85", "/%D9%85"),
            ("/x%2fy%41%7e%2D%5F", "/x%2FyA~-_"),
            // What is encoded twice stays so.
            ("/%2541", "/%2541"),
            ("/%", "/%"),
            ("/%4", "/%4"),
            ("/%%41", "/%A"),
            ("/%+1%zz%世", "/%+1%zz%世"),
            ("/?q=%c3%b6&r=%2B", "/?q=%C3%B6&r=%2B"),
        ] {
            assert_eq!(key_of(text), expected);
            assert_eq!(key_of(expected), expected);
        }
    }

    #[test]
    fn a_site_is_a_host() {
        let found = |text| site(text).map(String::from).ok();
        for (text, expected) in [
            (" example.com ", "https://example.com/"),
            ("EXAMPLE.com:8443", "https://example.com:8443/"),
            ("127.0.0.1:80", "https://127.0.0.1:80/"),
            ("[::1]", "https://[::1]/"),
            ("m\u{fc}nchen.de", "https://xn--mnchen-3ya.de/"),
            ("HTTP://example.com", "http://example.com/"),
            ("localhost", "https://localhost/"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "example",
            "example.com/shop",
            "https://example.com/?a",
            "https://example.com/#a",
            "ftp://example.com",
            "htps://example.com",
            "*.example.com",
            "mailto:me@example.com",
            "/example.com/",
            "https:///example.com/",
            "file:///etc/passwd",
            "a b.com",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
