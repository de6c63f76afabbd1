//! Reading by each crate, from the fastest of its public doors that fits bytes in memory.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::time::Duration;

use cpu_time::ThreadTime;
use flate2::bufread::MultiGzDecoder;
use indexflow_sitemap::ParsedSitemap;
use quick_sitemap::{ChangeFreq, Priority, RawElement, Reader, W3cDatetime};
use sitemap::reader::{SiteMapEntity, SiteMapReader};
use sitemap::structs::Location;
use sitemap_generator::SitemapParser;
use sitemapo::{Parser, Record};
use sitemaps::{Sitemaps, sitemap::Sitemap};

use crate::{Given, Pass, input};

pub(crate) const RAW: &str = "**quick-sitemap**, raw";
pub(crate) const TYPED: &str = "**quick-sitemap**, typed";

/// The document as it is held in memory.
#[derive(Clone, Copy)]
struct Source<'a> {
    xml: &'a str,
    gz: Option<&'a [u8]>,
}

impl<'a> Source<'a> {
    /// For crates that unpack gzip themselves.
    fn bytes(self) -> &'a [u8] {
        self.gz.unwrap_or(self.xml.as_bytes())
    }

    /// For those that don't, and read a stream.
    fn unpacked(self) -> Box<dyn BufRead + 'a> {
        match self.gz {
            Some(gz) => Box::new(BufReader::with_capacity(64 << 10, MultiGzDecoder::new(gz))),
            None => Box::new(Cursor::new(self.xml)),
        }
    }

    /// For crates that do not unpack gzip, and need the document in one piece.
    fn with_text<T>(self, read: impl FnOnce(&str) -> T) -> T {
        let Some(gz) = self.gz else {
            return read(self.xml);
        };
        let mut text = String::new();
        MultiGzDecoder::new(gz)
            .read_to_string(&mut text)
            .expect("packed text");
        read(&text)
    }
}

type ReadFn = fn(Source<'_>) -> Result<Given, String>;

/// `gz` is the same document, packed: what is read if it is there.
pub(crate) fn passes<'a>(xml: &'a str, gz: Option<&'a [u8]>) -> Vec<Pass<'a>> {
    let source = Source { xml, gz };
    let expected = typed(source).expect("generated");
    let crates: [(&str, &str, ReadFn); 10] = [
        (RAW, "borrowed, every value and element read", raw),
        (
            "**quick-sitemap**, columns",
            "loc, date, frequency, priority: one Arrow column each",
            columns,
        ),
        (TYPED, "`Url`, dates, all extensions", typed),
        (
            "**quick-sitemap**, what `sitemaps` returns",
            "`Vec`, `String`, dates",
            strings,
        ),
        ("sitemapo", "`Url`, dates, all extensions", sitemapo),
        (
            "indexflow-sitemap",
            "`Vec`, `String`, dates, all extensions",
            indexflow,
        ),
        ("sitemap", "`Url`, dates", sitemap),
        ("sitemaps", "`Vec`, `String`, dates", sitemaps),
        ("sitemap_generator", "`Vec`, `String`s", generator),
        ("bare quick-xml loop", "nothing", bare),
    ];
    crates
        .into_iter()
        .map(|(by, note, read)| {
            let given = std::panic::catch_unwind(|| read(source));
            let fault = match given {
                _ if read as usize == bare as ReadFn as usize => None,
                Ok(Ok(given)) if given == expected => None,
                Ok(Ok(given)) => Some(format!(
                    "not timed: {} entries, {} bytes of loc where there are {} and {}",
                    given.entries, given.loc_bytes, expected.entries, expected.loc_bytes
                )),
                Ok(Err(error)) => Some(format!("not timed: {error}")),
                Err(_) => Some("not timed: panics".into()),
            };
            Pass {
                by,
                note,
                fault,
                bytes: xml.len(),
                best: Duration::MAX,
                spent: Duration::ZERO,
                run: Box::new(move || {
                    let start = ThreadTime::now();
                    let given = black_box(read(black_box(source)));
                    let time = start.elapsed();
                    assert!(given.is_ok());
                    time
                }),
            }
        })
        .collect()
}

fn raw(source: Source<'_>) -> Result<Given, String> {
    let mut reader = Reader::new(source.bytes());
    let locs = std::iter::from_fn(|| {
        let entry = reader.read_raw().expect("nothing is denied")?;
        black_box(entry.lastmod().map(str::parse::<W3cDatetime>).is_some());
        black_box(entry.changefreq().map(str::parse::<ChangeFreq>).is_some());
        black_box(entry.priority().map(str::parse::<Priority>).is_some());
        entry.elements().for_each(look_at);
        Some(entry.loc().map_or(0, str::len))
    });
    Ok(Given::of(locs))
}

/// The values of raw entries in columns: texts one after another with where they end, numbers, absent ones as a default.
#[derive(Default)]
struct Columns {
    locs: String,
    ends: Vec<u32>,
    seconds: Vec<i64>,
    changefreqs: Vec<Option<ChangeFreq>>,
    priorities: Vec<f32>,
}

fn columns(source: Source<'_>) -> Result<Given, String> {
    let mut reader = Reader::new(source.bytes());
    let mut columns = Columns::default();
    let mut start = 0;
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        let date = entry.lastmod().and_then(|text| text.parse().ok());
        let seconds = date.map_or(0, |date: W3cDatetime| date.start().timestamp());
        let changefreq = entry.changefreq().and_then(|text| text.parse().ok());
        let priority = entry.priority().and_then(|text| text.parse().ok());
        columns.locs.push_str(entry.loc().unwrap_or_default());
        columns.ends.push(columns.locs.len() as u32);
        columns.seconds.push(seconds);
        columns.changefreqs.push(changefreq);
        columns.priorities.push(priority.map_or(0.5, Priority::get));
    }
    let columns = black_box(columns);
    let lens = columns.ends.iter().map(|end| {
        let len = *end - std::mem::replace(&mut start, *end);
        len as usize
    });
    Ok(Given::of(lens))
}

/// The values of an entry that `sitemaps` returns.
struct Strings {
    loc: String,
    _values: (Option<W3cDatetime>, Option<ChangeFreq>, Option<Priority>),
}

fn strings(source: Source<'_>) -> Result<Given, String> {
    let mut reader = Reader::new(source.bytes());
    let mut entries = Vec::new();
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        entries.push(Strings {
            loc: entry.loc().unwrap_or_default().to_owned(),
            _values: (
                entry.lastmod().and_then(|text| text.parse().ok()),
                entry.changefreq().and_then(|text| text.parse().ok()),
                entry.priority().and_then(|text| text.parse().ok()),
            ),
        });
    }
    Ok(Given::of(black_box(entries).iter().map(|e| e.loc.len())))
}

fn look_at(element: RawElement<'_>) {
    black_box((element.name(), element.text()));
    element.attributes().for_each(|attribute| {
        black_box(attribute);
    });
    element.children().for_each(look_at);
}

fn typed(source: Source<'_>) -> Result<Given, String> {
    let entries = Reader::new(source.bytes()).map(|entry| {
        let entry = black_box(entry.expect("nothing is denied"));
        entry.loc().as_str().len()
    });
    Ok(Given::of(entries))
}

fn sitemapo(source: Source<'_>) -> Result<Given, String> {
    let locs = Parser::new(source.unpacked()).map(|record| match black_box(record) {
        Ok(Record::Entry(entry)) => Ok(entry.location.as_str().len()),
        Ok(Record::Sitemap(_)) => Err("a sitemap where an entry is".to_owned()),
        Err(error) => Err(error.to_string()),
    });
    locs.collect::<Result<Vec<_>, _>>()
        .map(|locs| Given::of(locs.into_iter()))
}

fn indexflow(source: Source<'_>) -> Result<Given, String> {
    let parsed = match source.gz {
        Some(gz) => {
            let text = indexflow_sitemap::decode_if_gzipped(gz).map_err(|e| e.to_string())?;
            indexflow_sitemap::parse_sitemap(&text)
        }
        None => indexflow_sitemap::parse_sitemap(source.xml),
    };
    match black_box(parsed) {
        ParsedSitemap::UrlSet { entries } => Ok(Given::of(entries.iter().map(|e| e.loc.len()))),
        _ => Err("no urlset".into()),
    }
}

fn sitemap(source: Source<'_>) -> Result<Given, String> {
    let locs = SiteMapReader::new(source.unpacked()).map(|entity| match black_box(entity) {
        SiteMapEntity::Url(entry) => Ok(match &entry.loc {
            Location::Url(url) => url.as_str().len(),
            _ => 0,
        }),
        SiteMapEntity::SiteMap(_) => Err("a sitemap where an entry is".to_owned()),
        SiteMapEntity::Err(error) => Err(error.to_string()),
    });
    locs.collect::<Result<Vec<_>, _>>()
        .map(|locs| Given::of(locs.into_iter()))
}

fn sitemaps(source: Source<'_>) -> Result<Given, String> {
    let sitemap = Sitemap::read_from(source.unpacked()).map_err(|error| error.to_string())?;
    Ok(Given::of(
        black_box(sitemap).entries.iter().map(|e| e.loc.len()),
    ))
}

fn generator(source: Source<'_>) -> Result<Given, String> {
    let entries = source
        .with_text(SitemapParser::parse_string)
        .map_err(|error| error.to_string())?;
    Ok(Given::of(black_box(entries).iter().map(|e| e.loc.len())))
}

/// The cost of tokenizing alone, including unpacking.
fn bare(source: Source<'_>) -> Result<Given, String> {
    let events = source.with_text(input::bare);
    Ok(Given {
        entries: events,
        loc_bytes: 0,
    })
}
