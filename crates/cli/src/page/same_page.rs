//! The names that one page has.

use quick_sitemap::url::Url;

/// Returns `true` if both URLs lead to the same file: `/a/`, `/a` and `/a/index.html`, `/b` and `/b.html`.
pub(crate) fn is_same_page(one: &Url, other: &Url) -> bool {
    same_page(one) == same_page(other)
}

/// A URL without what the names of one file differ in.
pub(crate) fn same_page(url: &Url) -> (&str, Option<&str>, Option<u16>, Option<&str>, &str) {
    let path = url.path();
    let path = [".html", ".htm", ".xhtml"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path);
    let path = match path.strip_suffix("index") {
        Some(folder) if folder.ends_with('/') => folder,
        _ => path,
    };
    let path = path.trim_end_matches('/');
    (url.scheme(), url.host_str(), url.port(), url.query(), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_page() {
        let same = |a: &str, b: &str| {
            let url = |path: &str| {
                Url::parse("https://example.com/")
                    .unwrap()
                    .join(path)
                    .unwrap()
            };
            is_same_page(&url(a), &url(b))
        };
        assert!(same("/a/", "/a/index.html") && same("/a", "/a/") && same("/b", "/b.html"));
        assert!(same("/", "/index.html"));
        assert!(!same("/a", "/b") && !same("/a?x", "/a") && !same("http://example.com/a", "/a"));
        assert!(!same("/myindex.html", "/my"));
    }
}
