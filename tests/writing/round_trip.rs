//! Written entries are read back equal, under the strict policy and without an issue. The fuzz target `round_trip`
//! (`fuzz/src/checks/entries.rs`) makes entries of all parts, and `tests/reading/fuzz_corpus.rs` runs it.

use proptest::prelude::*;
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::{Entry, Policy, ReaderBuilder, Rule, UrlEntry, UrlsetWriter, Violation};

/// A URL in a form that people write, correct or not.
fn spelt_url() -> impl Strategy<Value = String> {
    let host = prop_oneof![
        4 => Just("example.com"),
        1 => Just("EXAMPLE.com:8080"),
        1 => Just("u:p@example.com"),
        1 => Just("u@v@example.com"),
        1 => Just("[::1]"),
        1 => Just("b\u{FC}cher.example"),
    ];
    let rest = "[/?#]?(%[0-9a-f]{2}|[a-z/?#&;=]|[%\\[\\]\\\\^|{}`'\"<>!~@ \u{e9}]){0,8}";
    (host, rest).prop_map(|(host, rest)| format!("https://{host}{rest}"))
}

/// A urlset of one entry, with a URL in every place that can have one.
fn document_of(url: &str) -> String {
    let url = url
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><url><loc>{url}</loc>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{url}\"/>\
         <image:image><image:loc>{url}</image:loc><image:license>{url}</image:license></image:image>\
         <video:video><video:thumbnail_loc>{url}</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description><video:content_loc>{url}</video:content_loc>\
         <video:player_loc>{url}</video:player_loc>\
         <video:content_segment_loc duration=\"1\">{url}</video:content_segment_loc>\
         <video:gallery_loc>{url}</video:gallery_loc>\
         <video:uploader info=\"{url}\">U</video:uploader></video:video></url></urlset>"
    )
}

/// The entries, read strictly; an issue is a failure.
fn read(bytes: &[u8]) -> Vec<Entry> {
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(bytes);
    let mut entries = Vec::new();
    while let Some(entry) = reader.next() {
        assert!(reader.issues().is_empty(), "{:?}", reader.issues());
        entries.push(entry.expect("what a writer wrote"));
    }
    assert!(reader.issues().is_empty(), "{:?}", reader.issues());
    entries
}

/// By the plain parser and without it, in one piece and byte by byte.
#[test]
fn white_space_between_elements_is_content() {
    let b = || Element::new("b", "urn:x").with_prefix("x");
    let a = || Element::new("a", "urn:x").with_prefix("x");
    for blank in [
        " ", "\n    ", "\t", "\r", "\r\n", "\u{85}", "\u{A0}", "\u{2028}", "\u{3000}",
    ] {
        for element in [
            a().with_child(b()).with_text(blank).with_child(b()),
            a().with_text(blank).with_child(b()),
            a().with_child(b()).with_text(blank),
            a().with_child(b().with_text(blank).with_child(b()))
                .with_text(blank),
            a().with_text(blank)
                .with_child(b().with_text("t"))
                .with_text("u")
                .with_child(b()),
            Element::new("foo", "http://www.google.com/schemas/sitemap-image/1.1")
                .with_prefix("image")
                .with_child(b())
                .with_text(blank)
                .with_child(b()),
        ] {
            let page = UrlEntry::try_from("https://example.com/")
                .unwrap()
                .with_foreign(element.clone());
            let mut writer = UrlsetWriter::new(Vec::new());
            writer.write(&page).unwrap();
            let text = String::from_utf8(writer.finish().unwrap()).unwrap();
            for text in [text.clone(), text.replace("<url>", "<url >")] {
                assert_eq!(read(text.as_bytes()), [Entry::Url(page.clone())], "{text}");
                let mut decoder = ReaderBuilder::new().decoder();
                let mut found = Vec::new();
                for byte in text.as_bytes() {
                    decoder.push(&[*byte]);
                    found.extend(decoder.next_entry().unwrap());
                }
                assert_eq!(found, [Entry::Url(page.clone())], "{text}");
            }
            assert_eq!(element.text(), element.text().trim());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_read_without_an_issue_can_be_written(text in spelt_url()) {
        let document = document_of(&text);
        let mut reader = ReaderBuilder::new().build(document.as_bytes());
        let Some(entry) = reader.next() else {
            return Ok(());
        };
        let entry = entry.unwrap().into_url().unwrap();
        let is_clean = reader.issues().is_empty();
        // A URL is judged in the same way in every place.
        let said = reader.issues().iter().filter(|issue| issue.rule() == Rule::UrlNotEscaped).count();
        prop_assert!([0, 10].contains(&said), "{text}: {:?}", reader.issues());
        let mut writer = UrlsetWriter::new(Vec::new());
        let written = writer.write(&entry);
        prop_assert!(!is_clean || written.is_ok(), "{text}: {written:?}");
        let entry = match written {
            Ok(()) => entry,
            Err(refused) => {
                let rule = refused.violation().map(Violation::rule);
                prop_assert_eq!(rule, Some(Rule::UrlNotEscaped));
                let entry = entry.escaped();
                writer.write(&entry).unwrap();
                entry
            }
        };
        let back: Vec<_> = read(&writer.finish().unwrap()).into_iter().filter_map(Entry::into_url).collect();
        prop_assert_eq!(back, [entry]);
    }
}
