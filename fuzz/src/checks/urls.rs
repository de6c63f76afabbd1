//! URLs: every way to read or make one returns the result of `Url::parse`.

use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Reader, UrlEntry};

use crate::common::urls::same;
use crate::common::{NS, lenient, read};

/// Bytes as the text of a URL.
pub fn url(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(page) = UrlEntry::try_from(text) {
        same(&page.loc, &Url::parse(text.trim()).unwrap());
    }
    // Characters that XML forbids are not a property of URLs.
    let text = text.replace(
        |c: char| c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'),
        "",
    );
    let text = text.trim();
    let document = document(text);
    read_alike(text, &document);
    canonical(&document);
}

/// `text` as a loc, and as the URL of an alternate and an image of another page.
fn document(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    format!(
        "<urlset xmlns=\"{NS}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\
         <url><loc>https://example.com/</loc>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{text}\"/>\
         <image:image><image:loc>{text}</image:loc></image:image></url>\
         <url><loc>{text}</loc></url></urlset>"
    )
}

fn read_alike(text: &str, document: &str) {
    let outcome = read(&lenient(), document.as_bytes());
    let entries = outcome.entries();
    let Some((Entry::Url(page), rest)) = entries.split_first() else {
        panic!("{text:?}: {:?}", outcome.said);
    };
    let hrefs = page.alternates.iter().map(|alternate| &alternate.href);
    let images = page.images.iter().map(|image| &image.loc);
    let urls: Vec<_> = rest
        .iter()
        .map(|entry| entry.loc())
        .chain(hrefs)
        .chain(images)
        .collect();
    if let Some((first, others)) = urls.split_first() {
        assert_eq!(others, [*first, *first], "{text:?}");
        same(first, &Url::parse(text).unwrap());
    }
    // A URL with a scheme in upper case is always parsed, so every rule is checked.
    if let Some(rest) = text.strip_prefix("http") {
        let parsed = read(
            &lenient(),
            self::document(&format!("HTTP{rest}")).as_bytes(),
        );
        assert_eq!(outcome.rules(), parsed.rules(), "{text:?}");
        assert_eq!(entries, parsed.entries(), "{text:?}");
    }
}

/// A loc is canonical where the typed entry has the same text.
fn canonical(document: &str) {
    let mut reader = Reader::new(document.as_bytes());
    while let Some(raw) = reader.read_raw().unwrap() {
        let loc = raw.loc().unwrap_or_default().to_owned();
        let canonical = raw.canonical_loc().map(str::to_owned);
        let entry = reader.take_entry().unwrap();
        let expected = entry.filter(|entry| entry.loc().as_str() == loc);
        assert_eq!(canonical.is_some(), expected.is_some(), "{loc:?}");
        assert!(canonical.is_none_or(|canonical| canonical == loc));
    }
}
