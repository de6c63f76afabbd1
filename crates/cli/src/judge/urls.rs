//! What is wrong with the URLs of a single entry: also for what is written, on the spot.

use std::borrow::Cow;
use std::net::Ipv4Addr;
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use quick_sitemap::extension::Part;
use quick_sitemap::url::{Host, Position, Url};
use quick_sitemap::{Extension, UrlEntry};
use regex_lite::{Captures, Regex};

use super::finding::Finding;
use super::links;
use super::page_key::page_key;
use super::rules::rule;
use super::wellformed::decoded;
use crate::term::clipped::clipped;

/// Characters that Yandex rejects and the protocol allows.
const FOR_YANDEX: std::ops::Range<usize> = 1_025..2_048;

/// Adds the problems of an entry, which is a page or a sitemap. `is_local`: the sitemap itself is on a host that no search
/// engine reaches.
pub(crate) fn judge(loc: &Url, page: Option<&UrlEntry>, is_local: bool, found: &mut Vec<Finding>) {
    if !is_local && !is_reached(loc) {
        let loc = clipped(loc.as_str());
        let message = format!("`{loc}` is on a host that no search engine reaches");
        found.push(Finding::of("loc", rule!("unreachable-host"), &message));
    }
    if let Some(page) = page {
        if !is_local {
            elsewhere(page, found);
        }
        video_is_page(page, found);
        unusable_links(page, found);
    }
}

/// Returns `true` if search engines can reach the host of the URL: it is not one of this machine, of a private network, or
/// of a name that does not exist in the public DNS.
pub(crate) fn is_reached(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let dot = memchr::memrchr(b'.', name.as_bytes());
            let top = dot.and_then(|dot| name.get(dot + 1..));
            let private = ["local", "localhost", "internal", "test", "invalid", "lan"];
            top.is_some_and(|top| !private.contains(&top)) && !name.ends_with(".home.arpa")
        }
        Some(Host::Ipv4(address)) => is_public(address),
        Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(address) => is_public(address),
            None => {
                let is_own = address.is_loopback() || address.is_unspecified();
                !is_own && !address.is_unique_local() && !address.is_unicast_link_local()
            }
        },
        None => false,
    }
}

/// Returns `false` for this host, loopback, private, shared and link-local addresses.
fn is_public(address: Ipv4Addr) -> bool {
    let is_own = matches!(address.octets(), [0, ..] | [100, 64..=127, ..]) || address.is_loopback();
    !is_own && !address.is_private() && !address.is_link_local()
}

/// Calls `found` for each URL of the extensions of a page, with the name of the element.
fn linked(page: &UrlEntry, found: &mut dyn FnMut(&'static str, &Url)) {
    for href in links::hrefs(&page.foreign).flatten() {
        if let Ok(url) = href.parse::<Url>()
            && matches!(url.scheme(), "http" | "https")
        {
            found("link", &url);
        }
    }
    if page.extensions().next().is_none() {
        return;
    }
    page.visit(&mut |names, part| {
        let Part::Url(url) = part else { return };
        let mut extensions = Extension::ALL.iter();
        match extensions.find(|extension| names.first() == Some(&extension.name())) {
            Some(Extension::Alternate) => found("link", url),
            Some(extension) => found(extension.prefix(), url),
            None => {}
        }
    });
}

/// The first image and the first alternate on a host that no search engine reaches.
fn elsewhere(page: &UrlEntry, found: &mut Vec<Finding>) {
    let mut reported = Vec::new();
    linked(page, &mut |element, url| {
        if element == "video" || reported.contains(&element) || is_reached(url) {
            return;
        }
        reported.push(element);
        let name = if element == "link" {
            "alternate"
        } else {
            element
        };
        let url = clipped(url.as_str());
        let message = format!("the {name} `{url}` is on a host that no search engine reaches");
        found.push(Finding::of(element, rule!("unreachable-host"), &message).warning());
    });
}

/// Links to pages for mobile devices and to AMP pages that lead nowhere.
fn unusable_links(page: &UrlEntry, found: &mut Vec<Finding>) {
    for href in links::hrefs(&page.foreign) {
        let (rule, message) = match href {
            Some(href) if href.parse::<Url>().is_ok() => continue,
            Some(href) => {
                let href = clipped(href);
                let message = format!("the link `{href}` is not an absolute URL");
                (rule!("invalid-url"), message)
            }
            None => (
                rule!("missing-attribute"),
                "the link has no href".to_owned(),
            ),
        };
        found.push(Finding::of("link", rule, &message).warning());
    }
}

fn video_is_page(page: &UrlEntry, found: &mut Vec<Finding>) {
    for video in &page.videos {
        let player = video.player.as_ref().map(|player| &player.loc);
        let urls = [
            ("content_loc", video.content_loc.as_ref()),
            ("player_loc", player),
        ];
        for (name, url) in urls {
            if url.is_some_and(|url| page_key(url) == page_key(&page.loc)) {
                let message = format!(
                    "`video:{name}` is the page itself, `{}`, and not the video",
                    clipped(page.loc.as_str())
                );
                found.push(Finding::of("video", rule!("video-is-page"), &message));
            }
        }
    }
}

/// Adds the advice about an entry's URLs.
pub(crate) fn advice(loc: &Url, page: Option<&UrlEntry>, found: &mut Vec<Finding>) {
    escaped_twice("loc", loc, found);
    // A `Url` is ASCII.
    if FOR_YANDEX.contains(&loc.as_str().len()) {
        let message = format!("`{}` has more than 1,024 characters", clipped(loc.as_str()));
        found.push(Finding::of("loc", rule!("url-long-for-yandex"), &message));
    }
    if let Some(inner) = url_in_path(loc) {
        let (loc, inner) = (clipped(loc.as_str()), clipped(inner));
        let message = format!("`{loc}` contains another URL, `{inner}`");
        found.push(Finding::of("loc", rule!("url-in-url"), &message));
    }
    if let Some(id) = session_id(loc) {
        let (loc, id) = (clipped(loc.as_str()), clipped(id));
        let message = format!("`{loc}` contains the session `{id}`");
        found.push(Finding::of("loc", rule!("session-id"), &message));
    }
    if let Some(page) = page {
        linked(page, &mut |element, url| escaped_twice(element, url, found));
    }
}

fn escaped_twice(element: &'static str, url: &Url, found: &mut Vec<Finding>) {
    if let Some(meant) = escaped_once(url) {
        let (text, meant) = (clipped(url.as_str()), clipped(&meant));
        let message = format!("`{text}` is escaped once too often; `{meant}` was probably meant");
        found.push(Finding::of(element, rule!("escaped-twice"), &message));
    }
}

/// The parameter that is a session of PHP, Java or ASP, or a `sid` that looks like one.
fn session_id(loc: &Url) -> Option<&str> {
    let text = &loc[..Position::AfterQuery];
    // Most URLs have none.
    let start = memchr::memchr2(b'?', b';', text.as_bytes())?;
    let mut parameters = text.get(start + 1..)?.split(['?', ';', '&']);
    parameters.find(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or_default();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let begins = name.get(..12).unwrap_or_default();
        let is_long =
            || value.len() >= 16 && value.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is("phpsessid")
            || is("jsessionid")
            || begins.eq_ignore_ascii_case("aspsessionid")
            || is("sid") && is_long()
    })
}

/// References that XML decodes.
static REFERENCES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("&(?:(?i:amp|lt|gt|quot|apos)|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});").ok()
});

/// Percent-encoded bytes whose `%` was percent-encoded again.
static PERCENTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(?:%25[0-9A-Fa-f]{2})+").ok());

/// The URL that was meant, if references of XML are left in it, or if its path is percent-encoded twice.
fn escaped_once(url: &Url) -> Option<String> {
    let text = url.as_str();
    // Most URLs have neither: a reference ends with a semicolon.
    memchr::memchr2(b';', b'%', text.as_bytes())?;
    let decoded = match &*REFERENCES {
        Some(references) if text.contains(';') => {
            references.replace_all(text, |found: &Captures<'_>| {
                decoded(&text_of(found).to_ascii_lowercase(), false).into_owned()
            })
        }
        _ => Cow::Borrowed(text),
    };
    let path = url.path();
    let once = match &*PERCENTS {
        Some(percents) if path.contains("%25") => {
            percents.replace_all(path, |found: &Captures<'_>| {
                let once = text_of(found).replace("%25", "%");
                let is_text = percent_decode_str(&once).decode_utf8().is_ok();
                if is_text {
                    once
                } else {
                    text_of(found).to_owned()
                }
            })
        }
        _ => Cow::Borrowed(path),
    };
    let meant = decoded.replacen(path, &once, 1);
    (meant != text).then_some(meant)
}

fn text_of<'t>(found: &Captures<'t>) -> &'t str {
    found.get(0).map_or("", |found| found.as_str())
}

/// A URL and its host. A server or a proxy may have merged the slashes.
static URLS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("https?:/+([^/:]*)").ok());

/// The URL in the path of another one: one of the same host, or one after a separator. A URL in a query is what a link to
/// log in has, and one of another host is what an archive has.
fn url_in_path(url: &Url) -> Option<&str> {
    let path = url.path();
    // Most paths have none.
    memchr::memchr(b':', path.as_bytes())?;
    let mut urls = URLS.as_ref()?.captures_iter(path);
    urls.find_map(|found| {
        let (inner, host) = (found.get(0)?, found.get(1)?);
        let (before, inner) = path.split_at_checked(inner.start())?;
        let mut separators = [",", ";", "|", "%20", "%7C"].iter();
        let is_listed = separators.any(|end| before.ends_with(end));
        let is_own = url.host_str()?.eq_ignore_ascii_case(host.as_str());
        (is_listed || is_own).then_some(inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::messages::Severity;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn hosts_that_no_search_engine_reaches() {
        for host in [
            "localhost",
            "localhost.",
            "LOCALHOST:3000",
            "127.0.0.1",
            "127.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.10:8080",
            "100.64.0.1",
            "169.254.169.254",
            "[::1]",
            "[::]",
            "[fc00::1]",
            "[fd12::1]",
            "[fe80::1]",
            "[::ffff:127.0.0.1]",
            "wordpress",
            "nas.local",
            "a.localhost",
            "db.internal",
            "shop.test",
            "x.invalid",
            "router.lan",
            "pi.home.arpa",
            "pi.home.arpa.",
        ] {
            assert!(!is_reached(&url(&format!("http://{host}/a"))), "{host}");
        }
        for host in [
            "example.com",
            "local.example.com",
            "test.com",
            "localhost.com",
            "lan.de",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "192.169.0.1",
            "11.0.0.1",
            "[2001:db8::1]",
            "[::ffff:8.8.8.8]",
            "xn--mnchen-3ya.de",
            "example.com.",
        ] {
            assert!(is_reached(&url(&format!("http://{host}/a"))), "{host}");
        }
    }

    #[test]
    fn escaped_twice_in_all_forms() {
        for (text, meant) in [
            ("https://e.com/?a=1&amp;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/?a=1&AMP;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/?a=1&#38;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/?a=1&#038;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/?a=1&#x26;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/?a=1&#X26;b=2", "https://e.com/?a=1&b=2"),
            ("https://e.com/a&apos;b", "https://e.com/a'b"),
            ("https://e.com/?q=&quot;x&quot;", "https://e.com/?q=\"x\""),
            ("https://e.com/?q=&lt;x&gt;", "https://e.com/?q=<x>"),
            ("https://e.com/ver%25C3%25B6ff", "https://e.com/ver%C3%B6ff"),
            (
                "https://e.com/a%2520b?c=%2520",
                "https://e.com/a%20b?c=%2520",
            ),
            ("https://e.com/a%252Fb", "https://e.com/a%2Fb"),
        ] {
            assert_eq!(escaped_once(&url(text)).as_deref(), Some(meant), "{text}");
        }
        for text in [
            "https://e.com/?a=1&b=2",
            "https://e.com/?a=1&ampere;",
            "https://e.com/a&amplitude=1",
            "https://e.com/?amp;a",
            "https://e.com/a%2Fb",
            "https://e.com/50%25",
            "https://e.com/50%25ab",
            "https://e.com/%25C3x",
            "https://e.com/50%25-off",
            "https://e.com/?next=%252Fa",
            "https://e.com/#a&b",
        ] {
            assert_eq!(escaped_once(&url(text)), None, "{text}");
        }
    }

    #[test]
    fn a_url_in_a_path() {
        for (text, inner) in [
            ("https://e.com/https://e.com/4", "https://e.com/4"),
            (
                "https://e.com/9.htmlhttps://e.com/10.html",
                "https://e.com/10.html",
            ),
            ("https://e.com/ahttp://e.com/b", "http://e.com/b"),
            ("https://e.com/a/https:/e.com/b", "https:/e.com/b"),
            ("https://e.com/a,https://e.com/b", "https://e.com/b"),
            ("https://e.com/a,https://f.com/b", "https://f.com/b"),
            ("https://e.com/a https://f.com/b", "https://f.com/b"),
            ("https://e.com/http/https://e.com", "https://e.com"),
        ] {
            assert_eq!(url_in_path(&url(text)), Some(inner), "{text}");
        }
        for text in [
            "https://web.archive.org/web/2020/https://example.com/",
            "https://e.com/login?next=https://e.com/a",
            "https://e.com/a?b=1,https://e.com/c",
            "https://e.com/blog/http-and-https",
            "https://e.com/http/e.com",
            "https://e.com/a#https://e.com/b",
            "https://e.com/proxy/https%3A%2F%2Fe.com%2Fa",
            "https://e.com/https://e.com.example.org/",
        ] {
            assert_eq!(url_in_path(&url(text)), None, "{text}");
        }
    }

    /// What `check` says of an entry, by rule.
    fn judged(xml: &str, is_local: bool) -> Vec<(&'static str, Severity, &'static str)> {
        let xml = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
             xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' \
             xmlns:xhtml='http://www.w3.org/1999/xhtml'><url>{xml}</url></urlset>"
        );
        let entry = quick_sitemap::Reader::from_bytes(&xml)
            .next()
            .unwrap()
            .unwrap();
        let mut found = Vec::new();
        let page = entry.into_url().unwrap();
        judge(&page.loc, Some(&page), is_local, &mut found);
        advice(&page.loc, Some(&page), &mut found);
        let element = |one: &Finding| {
            let mut names = ["loc", "link", "image", "video"].into_iter();
            names.find(|name| one.element.as_deref() == Some(*name))
        };
        let found = found.iter();
        found
            .map(|one| (one.rule.name, one.severity, element(one).unwrap()))
            .collect()
    }

    /// Links for mobile devices and AMP are URLs of the page, although they are foreign elements.
    #[test]
    fn links_that_are_no_translations() {
        for (attributes, expected) in [
            ("href='https://m.e.com/'", None),
            ("href='android-app://app/x'", None),
            ("href='/m/a'", Some("invalid-url")),
            ("", Some("missing-attribute")),
            ("href='http://localhost:3000/a'", Some("unreachable-host")),
        ] {
            let link = format!("<xhtml:link rel='alternate' media='screen' {attributes}/>");
            let found = judged(&format!("<loc>https://e.com/</loc>{link}"), false);
            let expected = expected.map(|rule| (rule, Severity::Warning, "link"));
            assert_eq!(found, Vec::from_iter(expected), "{attributes}");
        }
        let link = "<xhtml:link rel='amphtml' href='https://m.e.com/?a&amp;amp;b'/>";
        let found = judged(&format!("<loc>https://e.com/</loc>{link}"), false);
        assert_eq!(found, [("escaped-twice", Severity::Advice, "link")]);
    }

    #[test]
    fn images_alternates_and_videos() {
        use Severity::{Advice, Error, Warning};
        let image = |url: &str| {
            format!(
                "<loc>https://e.com/</loc><image:image><image:loc>{url}</image:loc></image:image>"
            )
        };
        let link = |url: &str| {
            format!(
                "<loc>https://e.com/</loc><xhtml:link rel='alternate' hreflang='de' href='{url}'/>"
            )
        };
        let video = |tag: &str, url: &str| {
            format!(
                "<loc>https://e.com/v/%7Ea</loc><video:video><video:{tag}>{url}</video:{tag}></video:video>"
            )
        };
        let local = "unreachable-host";
        for (xml, expected) in [
            (
                "<loc>http://localhost/</loc>".to_owned(),
                vec![(local, Error, "loc")],
            ),
            (
                image("http://10.0.0.1/a.png"),
                vec![(local, Warning, "image")],
            ),
            (
                link("http://staging.local/de"),
                vec![(local, Warning, "link")],
            ),
            (link("https://e.de/"), vec![]),
            (
                image("https://cdn.e.com/?a&amp;amp;b"),
                vec![("escaped-twice", Advice, "image")],
            ),
            (
                link("https://e.de/?a&amp;#038;b"),
                vec![("escaped-twice", Advice, "link")],
            ),
            (
                video("thumbnail_loc", "https://e.com/?a&amp;lt;b"),
                vec![("escaped-twice", Advice, "video")],
            ),
            (
                video("content_loc", "https://e.com/v/~a"),
                vec![("video-is-page", Warning, "video")],
            ),
            (
                video("content_loc", "https://e.com/v/~a#t"),
                vec![("video-is-page", Warning, "video")],
            ),
            (
                video("player_loc", "https://e.com/v/%7ea"),
                vec![("video-is-page", Warning, "video")],
            ),
            (video("content_loc", "https://e.com/v/a.mp4"), vec![]),
            (video("player_loc", "https://e.com/v/~a?embed"), vec![]),
            (video("thumbnail_loc", "https://e.com/v/~a"), vec![]),
        ] {
            assert_eq!(judged(&xml, false), expected, "{xml}");
        }
        assert_eq!(judged("<loc>http://localhost/</loc>", true), []);
        assert_eq!(judged(&image("http://10.0.0.1/a.png"), true), []);
    }

    #[test]
    fn sessions_in_urls() {
        let session = |path: &str| {
            let loc = url(&format!("https://e.com/{path}"));
            session_id(&loc).map(ToOwned::to_owned)
        };
        for (path, expected) in [
            ("a;jsessionid=1A2B", "jsessionid=1A2B"),
            ("a;v=1;JSESSIONID=1A2B?x=1", "JSESSIONID=1A2B"),
            ("?a=1&PHPSESSID=0b1c#x", "PHPSESSID=0b1c"),
            ("?ASPSESSIONIDQQ=ABC", "ASPSESSIONIDQQ=ABC"),
            ("?x&sid=0123456789abcdef", "sid=0123456789abcdef"),
        ] {
            assert_eq!(session(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "",
            "a;b?c=d",
            "?sid=12",
            "?sid=a-long-name-of-a-shop",
            "jsessionid=1/",
            "?my-jsessionid=1",
            "?a#PHPSESSID=1",
            "?q=phpsessid",
        ] {
            assert_eq!(session(path), None, "{path}");
        }
    }

    #[test]
    fn lengths_that_only_yandex_rejects() {
        for (len, expected) in [(1_024, 0), (1_025, 1), (2_047, 1), (2_048, 0)] {
            let loc = url(&format!("{:a<len$}", "https://e.com/"));
            let mut found = Vec::new();
            advice(&loc, None, &mut found);
            let rules = found.iter().map(|one| one.rule.name);
            assert_eq!(
                rules.filter(|name| *name == "url-long-for-yandex").count(),
                expected,
                "{len}"
            );
        }
    }

    #[test]
    fn a_video_at_the_url_of_its_page() {
        let is_page = |page: &str, tag: &str, url: &str| {
            let xml = format!(
                "<loc>{page}</loc><video:video><video:{tag}>{url}</video:{tag}></video:video>"
            );
            let found = judged(&xml, false);
            let is_it = |&(rule, ..): &(&str, Severity, &str)| rule == "video-is-page";
            found.iter().filter(|found| is_it(found)).count()
        };
        for tag in ["content_loc", "player_loc"] {
            for (page, url) in [
                ("https://e.com/v/a", "https://e.com/v/a"),
                ("https://e.com/v/a", "HTTPS://E.com:443/v/a"),
                ("https://e.com/v/a", "https://e.com/v/./b/../a"),
                ("https://e.com", "https://e.com/"),
                // RFC 3986, 6.2.2.
                ("https://e.com/%7Eu/v", "https://e.com/~u/v"),
                ("https://e.com/caf%c3%a9", "https://e.com/caf%C3%A9"),
                ("https://e.com/caf\u{e9}", "https://e.com/caf%c3%a9"),
                ("https://e.com/?v=%61", "https://e.com/?v=a"),
                // What follows `#` is no part of a page.
                ("https://e.com/v/a", "https://e.com/v/a#t=10"),
                ("https://e.com/v/a#top", "https://e.com/v/a"),
                ("https://e.com/v/a#x", "https://e.com/v/a#y"),
            ] {
                assert_eq!(is_page(page, tag, url), 1, "{tag} {url} on {page}");
            }
            for (page, url) in [
                ("https://e.com/v/a", "https://e.com/v/b"),
                ("https://e.com/v/a", "https://e.com/v/a/"),
                ("https://e.com/v/a/", "https://e.com/v/a"),
                ("https://e.com/v/a", "https://e.com/v/A"),
                ("https://e.com/v/a", "https://e.com/v/a?embed=1"),
                ("https://e.com/v/a", "https://www.e.com/v/a"),
                ("https://e.com/v/a", "http://e.com/v/a"),
                ("https://e.com/v%2Fa", "https://e.com/v/a"),
                ("https://e.com/v/a", "https://e.com/v/a.mp4"),
            ] {
                assert_eq!(is_page(page, tag, url), 0, "{tag} {url} on {page}");
            }
        }
    }
}
