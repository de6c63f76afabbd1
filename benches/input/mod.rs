//! The input and output of the benchmarks: generated, the same in every run.
#![allow(dead_code, unused_imports)] // each benchmark needs a part of it

mod bare_writer;
mod best;
mod generated;
mod raw;
mod rows;

use std::hint::black_box;
use std::io::{Read, Write as _};

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{Entry, Reader, UrlEntry, UrlsetWriter, WriterBuilder};
use quick_xml::events::Event;

pub(crate) use self::bare_writer::{bare_write, bare_write_rows};
pub(crate) use self::best::{Pass, best_of};
pub(crate) use self::generated::{ENTRIES, extended, sitemap, typical};
pub(crate) use self::raw::{Touch, raw};
pub(crate) use self::rows::{Row, write_rows};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a Vec takes anything");
    encoder.finish().expect("a Vec takes anything")
}

pub(crate) fn entries(xml: &str) -> Vec<UrlEntry> {
    Reader::new(xml.as_bytes())
        .map(|entry| entry.expect("generated"))
        .filter_map(Entry::into_url)
        .collect()
}

/// The URLs of a sitemap, one a line.
pub(crate) fn text(entries: &[UrlEntry]) -> String {
    entries.iter().fold(String::new(), |text, entry| {
        text + entry.loc.as_str() + "\n"
    })
}

/// A comment after every loc, so that the plain parser reads no entry.
pub(crate) fn without_fast_path(xml: &str) -> String {
    xml.replace("</loc>", "</loc><!-- general -->")
}

/// The same links, whose attributes are `href hreflang rel` in place of `rel hreflang href`.
pub(crate) fn with_links_reversed(xml: &str) -> String {
    let reversed = |line: &str| {
        let (indent, attributes) = line.split_once("<xhtml:link ")?;
        let attributes: Vec<_> = attributes.trim_end_matches("/>").rsplit(' ').collect();
        Some(format!("{indent}<xhtml:link {}/>", attributes.join(" ")))
    };
    xml.lines().fold(String::new(), |text, line| {
        text + &reversed(line).unwrap_or_else(|| line.to_owned()) + "\n"
    })
}

/// The baseline of everything that reads: quick-xml alone, which discards every event.
pub(crate) fn bare(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut events = 0;
    while !matches!(reader.read_event().expect("well-formed"), Event::Eof) {
        events += 1;
    }
    events
}

pub(crate) fn write(entries: &[UrlEntry], room: usize) -> Vec<u8> {
    write_all(entries, UrlsetWriter::new(Vec::with_capacity(room)))
}

pub(crate) fn write_indented(entries: &[UrlEntry], room: usize) -> Vec<u8> {
    let options = WriterBuilder::new().indent(2);
    write_all(entries, options.urlset(Vec::with_capacity(room)))
}

fn write_all(entries: &[UrlEntry], mut writer: UrlsetWriter<Vec<u8>>) -> Vec<u8> {
    for entry in entries {
        writer.write(entry).expect("valid entries");
    }
    writer.finish().expect("a Vec takes anything")
}

/// Panics unless the baseline of writing writes the same bytes as the writer that is compared with it.
pub(crate) fn check_bare_write(entries: &[UrlEntry]) {
    let bare = bare_write(entries, 0).expect("a Vec takes anything");
    check_same(&bare, &write(entries, 0));
}

/// As [`check_bare_write`], from text.
pub(crate) fn check_bare_write_rows(rows: &[Row]) {
    let bare = bare_write_rows(rows, 0).expect("a Vec takes anything");
    let written = write_rows(rows, UrlsetWriter::new(Vec::new()));
    check_same(&bare, &written.expect("a Vec takes anything"));
}

fn check_same(bare: &[u8], written: &[u8]) {
    let (bare, written) = (
        String::from_utf8_lossy(bare),
        String::from_utf8_lossy(written),
    );
    for (bare, written) in bare.lines().zip(written.lines()) {
        assert_eq!(bare, written);
    }
    assert_eq!(bare.len(), written.len());
}

pub(crate) fn inflate(gz: &[u8]) -> usize {
    let mut buffer = vec![0; 64 << 10];
    let mut decoder = flate2::bufread::MultiGzDecoder::new(gz);
    let mut bytes = 0;
    loop {
        match decoder.read(&mut buffer).expect("well packed") {
            0 => return bytes,
            n => bytes += n,
        }
    }
}

pub(crate) fn typed(input: impl Read) -> usize {
    Reader::new(input).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}
