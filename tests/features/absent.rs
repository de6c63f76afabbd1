//! The library without its default features: it reads and writes the same, except for the missing parts.

use quick_sitemap::{Entry, Reader, Result, Rule};
#[cfg(not(feature = "encodings"))]
use quick_sitemap::{ErrorKind, ReaderBuilder};

/// A urlset with a loc that needs the encoding, declared by this label.
fn declared(label: &str, encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    encode(&format!(
        "<?xml version=\"1.0\" encoding=\"{label}\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <url><loc>https://example.com/stra\u{DF}e</loc></url></urlset>"
    ))
}

fn locs(bytes: &[u8]) -> Vec<String> {
    let entries: Result<Vec<Entry>> = Reader::new(bytes).collect();
    let entries = entries.unwrap();
    entries
        .iter()
        .map(|entry| entry.loc().to_string())
        .collect()
}

/// A document in UTF-8, whatever names it, is read in every build.
#[test]
fn utf_8_is_always_read() {
    let utf_8 = |text: &str| text.as_bytes().to_vec();
    let marked = |text: &str| format!("\u{FEFF}{text}").into_bytes();
    for document in [
        declared("utf-8", utf_8),
        declared("UTF8", utf_8),
        declared("UTF-8", marked),
        declared("UTF-16", utf_8),
    ] {
        assert_eq!(locs(&document), ["https://example.com/stra%C3%9Fe"]);
    }
}

/// In every build, a label that contradicts a byte order mark or the bytes is ignored and reported.
#[test]
fn a_label_that_is_ignored_is_reported() {
    let marked = declared("windows-1251", |text| {
        format!("\u{FEFF}{text}").into_bytes()
    });
    let wrong = declared("utf-16", |text| text.as_bytes().to_vec());
    for document in [marked, wrong] {
        let mut reader = Reader::new(&document[..]);
        assert!(reader.next().unwrap().is_ok());
        let rules: Vec<Rule> = reader
            .issues()
            .iter()
            .map(|issue| issue.violation.rule())
            .collect();
        assert!(rules.contains(&Rule::EncodingConflict), "{rules:?}");
    }
}

/// Documents in other encodings, with their labels.
fn others() -> Vec<(&'static str, Vec<u8>)> {
    let by = |label: &'static str| {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let encode = |text: &str| encoding.encode(&text.replace('\u{DF}', "")).0.into_owned();
        (label, declared(label, encode))
    };
    let utf_16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let text = text.replace('\u{DF}', "");
        text.encode_utf16().flat_map(to_bytes).collect()
    };
    let little = |text: &str| utf_16(&format!("\u{FEFF}{text}"), u16::to_le_bytes);
    let big = |text: &str| utf_16(text, u16::to_be_bytes);
    let labels = [
        "ISO-8859-1",
        "Shift_JIS",
        "windows-1251",
        "gb18030",
        "koi8-r",
    ];
    let mut documents: Vec<_> = labels.into_iter().map(by).collect();
    documents.push(("UTF-16LE", declared("UTF-16LE", little)));
    documents.push(("UTF-16BE", declared("UTF-16BE", big)));
    documents
}

#[cfg(feature = "encodings")]
#[test]
fn other_encodings_are_read() {
    for (label, document) in others() {
        assert_eq!(locs(&document), ["https://example.com/strae"], "{label}");
    }
}

#[cfg(not(feature = "encodings"))]
#[test]
fn other_encodings_are_an_error_that_names_the_feature() {
    let unknown = declared("klingon\u{1b}", |text| text.as_bytes().to_vec());
    for (label, document) in others().into_iter().chain([("klingon", unknown)]) {
        let mut reader = Reader::new(&document[..]);
        let error = reader.next().unwrap().unwrap_err();
        assert!(error.is_fatal() && reader.next().is_none());
        let ErrorKind::UnsupportedEncoding(name) = error.kind() else {
            panic!("{label}: {error:?}");
        };
        assert!(name.starts_with(label), "{name}");
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("1:1: encoding {label}")),
            "{message}"
        );
        assert!(
            message.ends_with("can be read only with the feature `encodings` of quick-sitemap")
        );
        assert!(!message.contains('\u{1b}'), "{message:?}");
        assert_eq!(error.kind().name(), "unsupported-encoding");
    }
}

/// The charset of the transport is used only if the document does not name one.
#[cfg(not(feature = "encodings"))]
#[test]
fn a_charset_that_is_not_supported_is_an_error_only_if_it_is_used() {
    let read = |bytes: &[u8]| {
        let mut reader = ReaderBuilder::new()
            .charset("windows-1251")
            .from_bytes(bytes);
        reader.next().unwrap().map(|entry| entry.loc().to_string())
    };
    let error = read(b"https://example.com/\n").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnsupportedEncoding(name) if name == "windows-1251"));
    let document = declared("utf-8", |text| text.as_bytes().to_vec());
    assert_eq!(read(&document).unwrap(), "https://example.com/stra%C3%9Fe");
}
