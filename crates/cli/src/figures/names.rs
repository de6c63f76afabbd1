//! Names of hosts, folders and sections.

use quick_sitemap::url::Url;

use crate::term::address::shown;

/// Represents folders, languages and files that are not distinguished.
pub(crate) const OTHERS: &str = "(others)";

/// A URL up to its host: `https://www.example.com`.
pub(crate) fn origin(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{}://{host}:{port}", url.scheme()),
        None => format!("{}://{host}", url.scheme()),
    }
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
    shown(&format!("{}/{folder}", origin(url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_a_host_and_a_folder() {
        for (url, expected) in [
            ("https://example.com/", "https://example.com/"),
            ("https://example.com/about", "https://example.com/"),
            ("https://example.com/about/", "https://example.com/"),
            ("https://example.com/blog/a/", "https://example.com/blog/"),
            (
                "https://u:p@example.com:8443/blog/a/b?c=/d/",
                "https://example.com:8443/blog/",
            ),
            ("http://example.com//a", "http://example.com//"),
        ] {
            assert_eq!(section(&url.parse().unwrap()), expected);
        }
    }
}
