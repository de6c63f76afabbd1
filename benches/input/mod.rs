//! What the benchmarks read and write: generated, the same in every run.
#![allow(dead_code)] // each benchmark needs a part of it

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{Read, Write as _};

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{ChangeFreq, Entry, Priority, RawElement, Reader, UrlEntry, W3cDatetime};
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

/// Entries a file: the protocol's limit.
pub(crate) const ENTRIES: usize = 50_000;

const WORDS: [&str; 24] = [
    "product", "category", "blog", "article", "news", "shop", "item", "summer", "winter", "sale",
    "color", "red", "blue", "green", "size", "large", "small", "review", "guide", "how-to", "best",
    "top", "2024", "2025",
];

/// xorshift: no dependency, the same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of<'a>(&mut self, choice: &[&'a str]) -> &'a str {
        let index = self.below(choice.len() as u64) as usize;
        choice.get(index).copied().unwrap_or_default()
    }

    fn path(&mut self) -> String {
        let mut path = String::new();
        for _ in 0..=self.below(4) {
            path.push('/');
            for word in 0..=self.below(4) {
                path.push_str(if word > 0 { "-" } else { "" });
                path.push_str(self.one_of(&WORDS));
            }
        }
        path
    }
}

/// loc, lastmod, changefreq and priority: 50,000 entries, 10 MB.
pub(crate) fn typical() -> String {
    sitemap(false)
}

/// Three alternates and an image an entry besides.
pub(crate) fn extended() -> String {
    sitemap(true)
}

fn sitemap(extensions: bool) -> String {
    let mut numbers = Numbers(7);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.push_str("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"");
    if extensions {
        xml.push_str(" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"");
        xml.push_str(" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
    }
    xml.push_str(">\n");
    for i in 0..ENTRIES {
        // Writing to a String does not fail.
        let _ = entry(&mut xml, &mut numbers, i, extensions);
    }
    xml.push_str("</urlset>\n");
    xml
}

fn entry(xml: &mut String, numbers: &mut Numbers, i: usize, extensions: bool) -> std::fmt::Result {
    let path = numbers.path();
    write!(xml, "  <url>\n    <loc>https://www.example.com{path}-{i}")?;
    if i % 5 == 0 {
        write!(xml, "?id={i}&amp;ref={}", i * 7 % 1000)?;
    }
    xml.push_str("</loc>\n");
    if extensions {
        for language in ["de", "fr", "en-GB"] {
            writeln!(
                xml,
                "    <xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://www.example.com/{language}{path}-{i}\"/>"
            )?;
        }
        writeln!(
            xml,
            "    <image:image>\n      <image:loc>https://cdn.example.com/img/{i}.jpg</image:loc>\n    </image:image>"
        )?;
    }
    let (year, month, day) = (
        10 + numbers.below(16),
        1 + numbers.below(12),
        1 + numbers.below(28),
    );
    write!(xml, "    <lastmod>20{year:02}-{month:02}-{day:02}")?;
    if i % 2 == 1 {
        let (hour, minute, second) = (numbers.below(24), numbers.below(60), numbers.below(60));
        write!(xml, "T{hour:02}:{minute:02}:{second:02}+00:00")?;
    }
    let changefreq = numbers.one_of(&["daily", "weekly", "monthly", "never"]);
    let priority = numbers.below(11) as f32 / 10.0;
    write!(
        xml,
        "</lastmod>\n    <changefreq>{changefreq}</changefreq>\n    <priority>{priority:.1}</priority>\n  </url>\n"
    )
}

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

/// A comment behind every loc: nothing that the shortcut would take.
pub(crate) fn without_shortcut(xml: &str) -> String {
    xml.replace("</loc>", "</loc><!-- no shortcut -->")
}

/// The baseline of everything that reads: quick-xml alone, and every event thrown away.
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
    writer.write_event(Event::Start(BytesStart::new("urlset")))?;
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

/// How much of a raw entry is looked at.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Touch {
    Loc,
    /// Every value of the entry, parsed.
    Values,
    /// Every element, text and attribute too.
    Everything,
}

pub(crate) fn raw(input: impl Read, touch: Touch) -> usize {
    let mut reader = Reader::new(input);
    let mut entries = 0;
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        black_box(entry.loc());
        if touch != Touch::Loc {
            black_box(
                entry
                    .lastmod()
                    .map(str::parse::<W3cDatetime>)
                    .is_some_and(|v| v.is_ok()),
            );
            black_box(
                entry
                    .changefreq()
                    .map(str::parse::<ChangeFreq>)
                    .is_some_and(|v| v.is_ok()),
            );
            black_box(
                entry
                    .priority()
                    .map(str::parse::<Priority>)
                    .is_some_and(|v| v.is_ok()),
            );
        }
        if touch == Touch::Everything {
            entry.elements().for_each(look_at);
        }
        entries += 1;
    }
    entries
}

fn look_at(element: RawElement<'_>) {
    black_box((element.name(), element.text()));
    element.attributes().for_each(|attribute| {
        black_box(attribute);
    });
    element.children().for_each(look_at);
}

pub(crate) fn typed(input: impl Read) -> usize {
    Reader::new(input).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}
