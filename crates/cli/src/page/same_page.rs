//! The names that one page has.

use std::ops::Index;

use percent_encoding::percent_decode_str;
use quick_sitemap::url::{Position, Url};
use quick_sitemap_crawl::page_key;

/// Returns `true` if both URLs lead to the same file: `/a/`, `/a` and `/a/index.html`, `/b` and `/b.html`.
pub(crate) fn is_same_page(one: &Url, other: &Url) -> bool {
    same_page(one) == same_page(other)
}

/// A key without what the names of one file differ in. A file has one name, however its characters are percent-encoded.
pub(crate) fn same_page(url: &Url) -> String {
    let origin = url.index(..Position::BeforePath);
    let mut path = String::new();
    for (number, part) in url.path().split('/').enumerate() {
        let part = percent_decode_str(part).decode_utf8_lossy();
        // A slash in a name is none between two names, nor is a `%` part of an escape.
        path += if number > 0 { "/" } else { "" };
        path += &part.replace('%', "%25").replace('/', "%2F");
    }
    let ends = [".html", ".htm", ".xhtml"];
    let page = ends.iter().find_map(|end| path.strip_suffix(end));
    let page = page.unwrap_or(&path);
    let page = match page.strip_suffix("index") {
        Some(folder) if folder.ends_with('/') => folder,
        _ => page,
    };
    let key = page_key(url);
    let query = key.split_once('?').map(|(_, query)| query);
    let page = page.trim_end_matches('/');
    match query {
        Some(query) => format!("{origin}{page}?{query}"),
        None => format!("{origin}{page}"),
    }
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
        for (one, other) in [
            ("/%d9%85/", "/%D9%85"),
            ("/%D9%85.html", "/\u{645}"),
            ("/%7Eu/", "/~u"),
            ("/it's", "/it%27s.html"),
            ("/a(1).html", "/a%281%29"),
            ("/a%20b", "/a b/index.html"),
            ("/a?q=%7e", "/a?q=~"),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("/x%2fy", "/x/y"),
            ("/%2541", "/A"),
            ("/%2541", "/%41"),
            ("/%252F", "/%2F"),
            ("/a?q=%2F", "/a?q=/"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
    }
}
