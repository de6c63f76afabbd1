//! The input and output of the benchmarks: generated, the same in every run.
#![allow(dead_code, unused_imports)] // each benchmark needs a part of it

mod best;
mod generated;
mod raw;
mod rows;

use std::hint::black_box;
use std::io::{Read, Write as _};

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{Entry, Reader, UrlEntry};
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

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

/// The baseline of everything that reads: quick-xml alone, which discards every event.
pub(crate) fn bare(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut events = 0;
    while !matches!(reader.read_event().expect("well-formed"), Event::Eof) {
        events += 1;
    }
    events
}

/// The baseline of writing: the same elements by quick-xml's own writer, values by chrono and std.
pub(crate) fn bare_write(entries: &[UrlEntry], room: usize) -> quick_xml::Result<Vec<u8>> {
    let mut writer = quick_xml::Writer::new_with_indent(Vec::with_capacity(room), b' ', 2);
    let urlset = BytesStart::new("urlset").with_attributes([
        ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"),
        ("xmlns:xhtml", "http://www.w3.org/1999/xhtml"),
        (
            "xmlns:image",
            "http://www.google.com/schemas/sitemap-image/1.1",
        ),
    ]);
    writer.write_event(Event::Start(urlset))?;
    for entry in entries {
        writer.write_event(Event::Start(BytesStart::new("url")))?;
        let mut put = |name: &str, text: &str| -> quick_xml::Result<()> {
            writer.write_event(Event::Start(BytesStart::new(name)))?;
            writer.write_event(Event::Text(BytesText::new(text)))?;
            writer.write_event(Event::End(BytesEnd::new(name)))?;
            Ok(())
        };
        put("loc", entry.loc.as_str())?;
        if let Some(lastmod) = entry.lastmod {
            put("lastmod", &lastmod.start().to_rfc3339())?;
        }
        if let Some(changefreq) = entry.changefreq {
            put("changefreq", changefreq.as_str())?;
        }
        if let Some(priority) = entry.priority {
            put("priority", &format!("{:.1}", priority.get()))?;
        }
        for alternate in &entry.alternates {
            let link = BytesStart::new("xhtml:link").with_attributes([
                ("rel", "alternate"),
                ("hreflang", alternate.hreflang.as_str()),
                ("href", alternate.href.as_str()),
            ]);
            writer.write_event(Event::Empty(link))?;
        }
        for image in &entry.images {
            writer.write_event(Event::Start(BytesStart::new("image:image")))?;
            writer.write_event(Event::Start(BytesStart::new("image:loc")))?;
            writer.write_event(Event::Text(BytesText::new(image.loc.as_str())))?;
            writer.write_event(Event::End(BytesEnd::new("image:loc")))?;
            writer.write_event(Event::End(BytesEnd::new("image:image")))?;
        }
        writer.write_event(Event::End(BytesEnd::new("url")))?;
    }
    writer.write_event(Event::End(BytesEnd::new("urlset")))?;
    Ok(writer.into_inner())
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

/// Typed entries, each read into the memory of the one before.
pub(crate) fn read_into(input: impl Read) -> usize {
    let mut reader = Reader::new(input);
    let (mut place, mut entries) = (None, 0);
    while let Some(entry) = reader.read_into(&mut place).expect("nothing is denied") {
        black_box(entry);
        entries += 1;
    }
    entries
}

pub(crate) fn typed(input: impl Read) -> usize {
    Reader::new(input).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}
