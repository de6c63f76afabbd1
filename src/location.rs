use url::Url;

/// Where a sitemap was found, and what it may list.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    pub(crate) url: Url,
    /// Other hosts whose robots.txt names the sitemap: all of their URLs may be listed.
    pub(crate) hosts: Vec<String>,
    pub(crate) any_directory: bool,
}

impl Location {
    pub(crate) fn new(url: Url) -> Self {
        Self {
            url,
            hosts: Vec::new(),
            any_directory: false,
        }
    }

    /// Why a sitemap at this place may not list `url`; `None` if it may.
    pub(crate) fn verdict(&self, url: &Url) -> Option<&'static str> {
        let host = url.host_str().unwrap_or_default();
        if self.hosts.iter().any(|allowed| allowed == host) {
            return None;
        }
        if url.host() != self.url.host() {
            Some("another host")
        } else if url.scheme() != self.url.scheme() {
            Some("another scheme")
        } else if url.port_or_known_default() != self.url.port_or_known_default() {
            Some("another port")
        } else if !self.any_directory && !url.path().starts_with(self.directory()) {
            Some("another directory")
        } else {
            None
        }
    }

    /// The path up to its last slash.
    fn directory(&self) -> &str {
        let path = self.url.path();
        path.rfind('/')
            .and_then(|end| path.get(..=end))
            .unwrap_or("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sitemap_may_list() {
        let mut location =
            Location::new(Url::parse("https://example.com/catalog/sitemap.xml").unwrap());
        let verdict = |location: &Location, url: &str| location.verdict(&Url::parse(url).unwrap());
        for (url, expected) in [
            ("https://example.com/catalog/", None),
            ("https://example.com:443/catalog/a/b?c", None),
            ("https://example.com/catalog", Some("another directory")),
            ("https://example.com/image/a", Some("another directory")),
            ("http://example.com/catalog/a", Some("another scheme")),
            ("https://example.com:444/catalog/a", Some("another port")),
            ("https://www.example.com/catalog/a", Some("another host")),
        ] {
            assert_eq!(verdict(&location, url), expected, "{url}");
        }
        location.any_directory = true;
        location.hosts.push("www.example.com".to_owned());
        assert_eq!(verdict(&location, "https://example.com/image/a"), None);
        assert_eq!(verdict(&location, "http://www.example.com:8080/x"), None);
    }
}
