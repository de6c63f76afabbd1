//! The library without its default features: it reads and writes the same, except for the missing parts.
//!
//! `.ci/run` runs this with the default features, and with none.
#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(missing_docs)]

use std::io;

#[cfg(not(feature = "encodings"))]
use quick_sitemap::ErrorKind;
use quick_sitemap::url::Url;
use quick_sitemap::{
    Entry, IndexWriter, Limits, Parts, Reader, ReaderBuilder, Result, Rule, SitemapEntry,
    SplitWriter, UrlEntry, WriterBuilder,
};

/// A urlset with a loc that needs the encoding, declared by this label.
fn declared(label: &str, encode: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    encode(&format!(
        "<?xml version=\"1.0\" encoding=\"{label}\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <url><loc>https://example.com/stra\u{DF}e</loc></url></urlset>"
    ))
}

fn by(encoding: &'static encoding_rs::Encoding) -> impl Fn(&str) -> Vec<u8> {
    move |text| encoding.encode(text).0.into_owned()
}

fn locs(bytes: &[u8]) -> Vec<String> {
    let entries: Result<Vec<Entry>> = Reader::new(bytes).collect();
    let entries = entries.unwrap();
    entries
        .iter()
        .map(|entry| entry.loc().to_string())
        .collect()
}

#[test]
fn utf_8_utf_16_latin_1_and_windows_1252_are_always_read() {
    let utf_16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    };
    let little = |text: &str| utf_16(text, u16::to_le_bytes);
    let big = |text: &str| utf_16(text, u16::to_be_bytes);
    let documents = [
        declared("utf-8", |text| text.as_bytes().to_vec()),
        declared("UTF-16", |text| little(&format!("\u{FEFF}{text}"))),
        declared("UTF-16", |text| big(&format!("\u{FEFF}{text}"))),
        declared("UTF-16", little),
        declared("UTF-16BE", big),
        declared("ISO-8859-1", by(encoding_rs::WINDOWS_1252)),
        declared("latin1", by(encoding_rs::WINDOWS_1252)),
        declared("Windows-1252", by(encoding_rs::WINDOWS_1252)),
    ];
    for document in documents {
        assert_eq!(locs(&document), ["https://example.com/stra%C3%9Fe"]);
    }
    // A text sitemap declares nothing.
    let mut reader = ReaderBuilder::new()
        .charset("iso-8859-1")
        .from_bytes(b"https://example.com/stra\xDFe\n");
    let page = reader.next().unwrap().unwrap();
    assert_eq!(page.loc().as_str(), "https://example.com/stra%C3%9Fe");
}

/// In every build, an unknown label, and a label that contradicts a byte order mark, are ignored and reported.
#[test]
fn a_label_that_is_not_believed_is_noted() {
    let marked = declared("windows-1251", |text| {
        format!("\u{FEFF}{text}").into_bytes()
    });
    let unknown = declared("klingon", |text| text.as_bytes().to_vec());
    for document in [marked, unknown] {
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

const OTHERS: [&str; 6] = [
    "Shift_JIS",
    "windows-1251",
    "gb18030",
    "ISO-8859-2",
    "koi8-r",
    "x-user-defined",
];

#[cfg(feature = "encodings")]
#[test]
fn other_encodings_are_read() {
    for label in OTHERS {
        let document = declared(label, |text| text.replace('\u{DF}', "").into_bytes());
        assert_eq!(locs(&document), ["https://example.com/strae"], "{label}");
    }
}

#[cfg(not(feature = "encodings"))]
#[test]
fn other_encodings_are_an_error_that_names_the_feature() {
    for label in OTHERS {
        let document = declared(label, |text| text.replace('\u{DF}', "").into_bytes());
        let mut reader = Reader::new(&document[..]);
        let error = reader.next().unwrap().unwrap_err();
        assert!(error.is_fatal() && reader.next().is_none());
        let ErrorKind::UnsupportedEncoding(name) = *error.kind() else {
            panic!("{error:?}");
        };
        assert!(name.eq_ignore_ascii_case(label), "{name}");
        assert_eq!(
            error.position().map(|at| at.to_string()).as_deref(),
            Some("1:1")
        );
        assert_eq!(
            error.to_string(),
            format!(
                "1:1: encoding {name} can be read only with the feature `encodings` of quick-sitemap"
            )
        );
        assert_eq!(error.kind().name(), "unsupported-encoding");
    }
}

/// The charset of the transport is used only if the document does not name one.
#[cfg(not(feature = "encodings"))]
#[test]
fn a_charset_that_is_not_supported_is_an_error_only_where_it_is_used() {
    let read = |bytes: &[u8]| {
        let mut reader = ReaderBuilder::new()
            .charset("windows-1251")
            .from_bytes(bytes);
        reader.next().unwrap().map(|entry| entry.loc().to_string())
    };
    let error = read(b"https://example.com/\n").unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::UnsupportedEncoding("windows-1251")
    ));
    let document = declared("latin1", by(encoding_rs::WINDOWS_1252));
    assert_eq!(read(&document).unwrap(), "https://example.com/stra%C3%9Fe");
}

#[derive(Default)]
struct Memory(Vec<Vec<u8>>);

impl Parts for Memory {
    type Writer = Vec<u8>;
    type Output = Vec<Vec<u8>>;

    fn open(&mut self, _number: usize) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, number: usize, part: Vec<u8>) -> io::Result<Url> {
        self.0.push(part);
        Url::parse(&format!("https://example.com/sitemap-{number}.xml")).map_err(io::Error::other)
    }

    fn finish(mut self, parts: &[SitemapEntry]) -> Result<Self::Output> {
        let mut index = IndexWriter::new(Vec::new());
        parts.iter().try_for_each(|part| index.write(part))?;
        self.0.push(index.finish()?);
        Ok(self.0)
    }
}

/// Without the feature `sets`, too: only `Directory` needs that.
#[test]
fn a_split_writer_writes_to_any_parts() {
    let settings = WriterBuilder::new().limits(Limits::default().with_entries(2));
    let mut site = SplitWriter::with(settings, Memory::default());
    for number in 0..3 {
        let page = format!("https://example.com/{number}");
        site.write(&page.parse::<UrlEntry>().unwrap()).unwrap();
    }
    let files = site.finish().unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(locs(&files[1]), ["https://example.com/2"]);
    assert_eq!(
        locs(&files[2]),
        [
            "https://example.com/sitemap-1.xml",
            "https://example.com/sitemap-2.xml"
        ]
    );
}
