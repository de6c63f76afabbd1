//! Names of hosts, folders and sections.

use quick_sitemap::url::{Position, Url};

use crate::term::address::shown;

/// Represents folders, languages and files that are not distinguished.
pub(crate) const OTHERS: &str = "(others)";

/// `www.example.com`, with a port that is not the usual one: a host is the same one by http and by https.
pub(super) fn host(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// The folders that a page is in, each with its slash. A slash at the end of a URL does not make a folder of the page.
pub(crate) fn folders(url: &Url) -> impl Iterator<Item = &str> {
    let path = url.path();
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.trim_end_matches('/');
    let end = path.rfind('/').map_or(0, |slash| slash + 1);
    let folders = path.get(..end).unwrap_or_default();
    folders.split_inclusive('/')
}

/// The section that a page belongs to: its host, and the first folder.
pub(crate) fn section(url: &Url) -> String {
    let folder = folders(url).next().unwrap_or_default();
    shown(&format!("{}/{folder}", host(url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_a_host_and_a_folder() {
        for (url, expected) in [
            ("https://example.com/", "example.com/"),
            ("https://example.com/about", "example.com/"),
            ("https://example.com/about/", "example.com/"),
            ("https://example.com/blog/a/", "example.com/blog/"),
            (
                "https://u:p@example.com:8443/blog/a/b?c=/d/",
                "example.com:8443/blog/",
            ),
            ("http://example.com//a", "example.com//"),
        ] {
            assert_eq!(section(&url.parse().unwrap()), expected);
        }
    }
}
