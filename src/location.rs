use url::Url;

/// Where a sitemap was found, and what it may list.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    /// Where there is none, nothing is asked.
    pub(crate) url: Option<Url>,
    /// Other hosts whose robots.txt names the sitemap: all of their URLs may be listed.
    pub(crate) hosts: Vec<String>,
    pub(crate) any_directory: bool,
}

impl Location {
    pub(crate) const fn new() -> Self {
        Self {
            url: None,
            hosts: Vec::new(),
            any_directory: false,
        }
    }

    /// Lets URLs of this host be listed: a name in any case and script, or an address.
    pub(crate) fn allow_host(&mut self, host: String) {
        // As it stands in URLs.
        let host = url::Host::parse(&host).map_or(host, |host| host.to_string());
        self.hosts.push(host);
    }

    /// Why a sitemap at this place may not list `url`; `None` if it may.
    pub(crate) fn verdict(&self, url: &Url) -> Option<&'static str> {
        let own = self.url.as_ref()?;
        let host = url.host_str().unwrap_or_default();
        if self.hosts.iter().any(|allowed| allowed == host) {
            return None;
        }
        if url.host() != own.host() {
            Some("another host")
        } else if url.scheme() != own.scheme() {
            Some("another scheme")
        } else if url.port_or_known_default() != own.port_or_known_default() {
            Some("another port")
        } else if !self.any_directory && !url.path().starts_with(directory(own)) {
            Some("another directory")
        } else {
            None
        }
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
        assert_eq!(verdict(&location, "https://example.com/image/a"), None);
        for (host, url) in [
            ("WWW.example.com", "http://www.example.com:8080/x"),
            ("MÜNCHEN.example", "https://münchen.example/x"),
            ("192.0.2.1", "https://192.0.2.1/x"),
            ("[2001:DB8::1]", "https://[2001:db8:0::1]/x"),
        ] {
            assert_eq!(verdict(&location, url), Some("another host"), "{url}");
            location.allow_host(host.to_owned());
            assert_eq!(verdict(&location, url), None, "{url}");
        }
    }
}
