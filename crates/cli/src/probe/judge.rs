//! What the answers to requests for a page mean.

use quick_sitemap::url::Url;
use quick_sitemap_crawl::same_page;

use crate::judge::host_changes::HostChanges;
use crate::net::fetch::{Answer, status_text};
use crate::page;
use crate::probe::found::{Found, Verdict};
use crate::term::address::{Address, bare, is_too_long};

/// Sets the results of a page from the response of this URL: status, noindex and canonical URL. A page with one of the
/// `accepted` statuses is as it should be. Returns the target of a redirect, by the header or by the page.
pub(super) fn judge(
    url: &Url,
    page: &Answer,
    hosts: &HostChanges,
    accepted: &[u16],
    found: &mut Found,
) -> Option<Url> {
    let status = page.response.status;
    found.status = Some(status);
    found.bytes = page.bytes;
    found.ms = u64::try_from(page.took.as_millis()).ok();
    let head = page::head(&page.body);
    found.noindex = head.is_noindex || page.robots.iter().any(|value| page::is_noindex(value));
    let refresh = head.redirect(url, page.refresh.as_deref());
    let refresh = refresh.filter(|(to, _)| !is_too_long(to) && page.location.is_none());
    // Google, too, takes a refresh with a delay for a temporary redirect.
    let is_delayed = refresh.as_ref().is_some_and(|(_, is_delayed)| *is_delayed);
    found.temporary |= is_delayed || matches!(status, 302 | 303 | 307);
    let target = page.location.clone().or(refresh.map(|(to, _)| bare(to)));
    let named = page.links.iter().filter_map(|link| canonical(link));
    let named = named.filter_map(|href| url.join(href.trim()).ok());
    // No page has such a URL.
    let canonical = page::canonical(named.chain(head.canonicals(url)));
    let canonical = canonical.filter(|canonical| !is_too_long(canonical));
    let canonical = canonical.map(|canonical| Address::new(canonical).url().clone());
    let is_elsewhere = canonical.clone().is_some_and(|mut canonical| {
        hosts.apply_to(&mut canonical);
        !same_page(&canonical, url)
    });
    found.canonical = canonical.map(String::from);
    found.location = target.as_ref().map(Url::to_string);
    found.verdict = match status {
        status if accepted.contains(&status) => Verdict::Ok,
        404 | 410 => Verdict::Missing,
        200..=399 if target.is_some() => Verdict::Redirect,
        200..=299 if found.noindex => Verdict::Noindex,
        200..=299 if is_elsewhere => Verdict::CanonicalElsewhere,
        200..=299 if page.unread.is_some() => {
            found.error.clone_from(&page.unread);
            Verdict::Unread
        }
        200..=299 => Verdict::Ok,
        status => {
            let lacks =
                matches!(status, 301 | 302 | 303 | 307 | 308) && page.response.location.is_none();
            let lacking = if lacks { ", no Location" } else { "" };
            found.error = Some(format!("{}{lacking}", status_text(status)));
            Verdict::Error
        }
    };
    target
}

/// Judges the place to which the page leads after all redirects, if that is a page.
pub(super) fn judge_target(listed: &Url, end: &Url, expected: Option<&Url>, found: &mut Found) {
    let is_redirected = found.hops.is_some_and(|hops| hops > 0);
    if is_redirected && found.location.is_none() {
        found.location = Some(end.to_string());
    }
    let is_seen = !matches!(
        found.verdict,
        Verdict::Missing | Verdict::Error | Verdict::Unread | Verdict::Disallowed | Verdict::Robots
    );
    if !is_seen || found.is_not_followed() {
        return;
    }
    found.verdict = match expected {
        Some(expected) if same_page(expected, end) => found.verdict,
        _ if is_redirected && is_home(end) && !is_home(listed) => Verdict::HomePage,
        Some(_) => Verdict::WrongTarget,
        None if is_redirected && found.verdict == Verdict::Ok => Verdict::Redirect,
        None => found.verdict,
    };
}

/// Judges the redirects to a page that is as it should be, and whether it is listed.
pub(super) fn judge_way(must_be_listed: bool, found: &mut Found) {
    if found.verdict == Verdict::Ok {
        found.verdict = match found.listed {
            _ if found.temporary => Verdict::TemporaryRedirect,
            Some(false) if must_be_listed => Verdict::Unlisted,
            // One from http to https, and one to the page.
            _ if found.hops > Some(2) => Verdict::RedirectChain,
            _ => Verdict::Ok,
        };
    }
}

/// Returns `true` for the home page of a site, also under the name of its file.
fn is_home(url: &Url) -> bool {
    let name = url.path().trim_start_matches('/');
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let is_file = ["index", "default"]
        .iter()
        .any(|known| stem.eq_ignore_ascii_case(known));
    url.query().is_none() && (name.is_empty() || is_file && name != stem)
}

/// The target of `<https://example.com/>; rel="canonical"`, which may be one of several links.
fn canonical(header: &str) -> Option<String> {
    header.split('<').skip(1).find_map(|link| {
        let (target, parameters) = link.split_once('>')?;
        let is_canonical = parameters.split(';').any(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or_default();
            let words = value.trim().trim_end_matches(',').trim_matches('"');
            let mut words = words.split_ascii_whitespace();
            name.trim().eq_ignore_ascii_case("rel")
                && words.any(|word| word.eq_ignore_ascii_case("canonical"))
        });
        is_canonical.then(|| target.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_page_has_several_names() {
        let is_home = |url: &str| is_home(&url.parse().unwrap());
        for url in [
            "https://e.com",
            "http://e.com:80/#top",
            "https://e.com/index.html",
            "https://e.com/Default.aspx",
        ] {
            assert!(is_home(url), "{url}");
        }
        for url in [
            "https://e.com/?p=1",
            "https://e.com/index",
            "https://e.com/de/",
            "https://e.com/de/index.html",
            "https://e.com/index2.html",
        ] {
            assert!(!is_home(url), "{url}");
        }
    }

    #[test]
    fn headers_name_the_canonical_url() {
        for (header, expected) in [
            (
                "<https://e.com/a>; rel=\"canonical\"",
                Some("https://e.com/a"),
            ),
            (
                "</x.css>; rel=preload; as=style, </b>; rel=canonical",
                Some("/b"),
            ),
            ("</a>; rel=\"prev canonical\"", Some("/a")),
            ("</a>; rel=next", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(canonical(header).as_deref(), expected, "{header}");
        }
    }
}
