//! The location of a sitemap, and the pages that the protocol allows it to list there.

use url::Url;

use crate::violation::{Case, Violation, case};

/// The location of a sitemap, and the URLs that it may list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Location {
    /// The base of relative URLs, if it is not `url`.
    pub(crate) base: Option<Url>,
    /// Without a location, nothing is checked.
    pub(crate) url: Option<Url>,
    /// URLs of other sites whose robots.txt lists the sitemap: all URLs with the scheme, host and port of one may be listed.
    pub(crate) sites: Vec<Url>,
    pub(crate) any_directory: bool,
}

impl Location {
    pub(crate) const fn new() -> Self {
        Self {
            base: None,
            url: None,
            sites: Vec::new(),
            any_directory: false,
        }
    }

    /// The base of relative URLs.
    pub(crate) fn base(&self) -> Option<&Url> {
        self.base.as_ref().or(self.url.as_ref())
    }

    /// Returns `true` if URLs are checked.
    pub(crate) fn is_known(&self) -> bool {
        self.url.is_some()
    }

    /// Judges a loc that has become a URL and is written as `found`. All rules about a finished URL are here: a reader notes
    /// what breaks them, a writer rejects it.
    #[inline]
    pub(crate) fn violation(&self, url: &Url, found: &str) -> Option<Violation> {
        let own = self.url.as_ref()?;
        let reason = self.verdict(url, own)?;
        Some(Violation::outside_location(found, &self.shown(own), reason))
    }

    /// The beginning of the URLs that may be listed, or the URL of a sitemap without a host.
    fn shown(&self, own: &Url) -> String {
        let Some(host) = own.host_str().filter(|host| !host.is_empty()) else {
            return own.to_string();
        };
        let port = own.port().map_or(String::new(), |port| format!(":{port}"));
        let directory = if self.any_directory {
            "/"
        } else {
            directory(own)
        };
        format!("{}://{host}{port}{directory}", own.scheme())
    }

    /// Returns the reason why a sitemap at this place may not list `url`, or `None` if it may.
    fn verdict(&self, url: &Url, own: &Url) -> Option<Case> {
        let reason = match other_site(url, own) {
            None if self.any_directory || url.path().starts_with(directory(own)) => return None,
            None => case::OTHER_DIRECTORY,
            Some(other) => other,
        };
        let is_allowed = self
            .sites
            .iter()
            .any(|site| other_site(url, site).is_none());
        (!is_allowed).then_some(reason)
    }
}

/// Returns the part in which the site of `url` differs from that of `own`, or `None` if they are one site.
fn other_site(url: &Url, own: &Url) -> Option<Case> {
    if url.host() != own.host() {
        Some(case::OTHER_HOST)
    } else if url.scheme() != own.scheme() {
        Some(case::OTHER_SCHEME)
    } else if url.port_or_known_default() != own.port_or_known_default() {
        Some(case::OTHER_PORT)
    } else {
        None
    }
}

/// The path up to its last slash.
fn directory(url: &Url) -> &str {
    let path = url.path();
    path.rfind('/')
        .and_then(|end| path.get(..=end))
        .unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sitemap_may_list() {
        let mut location = Location::new();
        location.url = Some(Url::parse("https://example.com/catalog/sitemap.xml").unwrap());
        let verdict = |location: &Location, url: &str| {
            location.verdict(&Url::parse(url).unwrap(), location.url.as_ref().unwrap())
        };
        for (url, expected) in [
            ("https://example.com/catalog/", None),
            ("https://example.com:443/catalog/a/b?c", None),
            ("https://example.com/catalog", Some(case::OTHER_DIRECTORY)),
            ("https://example.com/image/a", Some(case::OTHER_DIRECTORY)),
            ("http://example.com/catalog/a", Some(case::OTHER_SCHEME)),
            ("https://example.com:444/catalog/a", Some(case::OTHER_PORT)),
            ("https://www.example.com/catalog/a", Some(case::OTHER_HOST)),
        ] {
            assert_eq!(verdict(&location, url), expected, "{url}");
        }
        location.any_directory = true;
        assert_eq!(verdict(&location, "https://example.com/image/a"), None);
        for (site, url, other) in [
            (
                "http://WWW.example.com:8080/y/",
                "http://www.example.com:8080/x",
                "http://www.example.com/x",
            ),
            (
                "https://MÜNCHEN.example",
                "https://münchen.example:443/x",
                "http://münchen.example/x",
            ),
            (
                "https://192.0.2.1",
                "https://192.0.2.1/x",
                "https://192.0.2.2/x",
            ),
            (
                "https://[2001:DB8::1]",
                "https://[2001:db8:0::1]/x",
                "https://[2001:db8::1]:8443/x",
            ),
        ] {
            assert_eq!(verdict(&location, url), Some(case::OTHER_HOST), "{url}");
            location.sites.push(Url::parse(site).unwrap());
            assert_eq!(verdict(&location, url), None, "{url}");
            assert_eq!(verdict(&location, other), Some(case::OTHER_HOST), "{other}");
        }
    }
}
