//! Writing by each crate, from its own types, which exist before the clock starts.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use quick_sitemap::{ChangeFreq, Reader, UrlEntry};
use sitemap_rs::url::{ChangeFrequency, Link, Url};
use sitemap_rs::url_set::UrlSet;
use sitemap_writer::{SitemapUrl, SitemapWriter};
use sitemapo::EntryBuilder;

use crate::entries::{sitemap_writer_url, sitemapo_entries};
use crate::{Given, Pass, input};

pub(crate) const OURS: &str = "**quick-sitemap**";

/// Writes once: how long it took, and what came of it.
pub(crate) type Write<'a> = Box<dyn FnMut() -> (Duration, Vec<u8>) + 'a>;

pub(crate) fn timed(write: impl FnOnce() -> Vec<u8>) -> (Duration, Vec<u8>) {
    let start = ThreadTime::now();
    let written = black_box(write());
    (start.elapsed(), written)
}

pub(crate) fn passes<'a>(xml: &'a str, entries: &'a [UrlEntry]) -> Vec<Pass<'a>> {
    let room = xml.len() * 2;
    let records = sitemapo_entries(xml);
    let url_set = UrlSet::new(entries.iter().map(sitemap_rs_url).collect()).expect("50,000");
    let urls: Vec<SitemapUrl> = entries.iter().map(sitemap_writer_url).collect();
    let crates: [(&'static str, &'static str, Write<'a>); 6] = [
        (
            OURS,
            "rejects entries that break a rule",
            Box::new(move || timed(|| input::write(entries, room))),
        ),
        (
            "**quick-sitemap**, indented",
            "two spaces a level, as `sitemapo` does",
            Box::new(move || timed(|| input::write_indented(entries, room))),
        ),
        (
            "quick-xml's `Writer`",
            "the same bytes, by hand",
            Box::new(move || {
                timed(|| input::bare_write(entries, room).expect("a Vec takes anything"))
            }),
        ),
        (
            "sitemapo",
            "entry by entry, indented",
            Box::new(move || {
                timed(|| {
                    let mut builder = EntryBuilder::new(Vec::with_capacity(room));
                    for record in &records {
                        builder.write(record).expect("within the limits");
                    }
                    builder.finish().expect("a Vec takes anything")
                })
            }),
        ),
        (
            "sitemap-rs",
            "all at once",
            Box::new(move || {
                timed(|| {
                    let mut written = Vec::with_capacity(room);
                    url_set.write(&mut written).expect("a Vec takes anything");
                    written
                })
            }),
        ),
        (
            "sitemap-writer",
            "all at once, into a `String`; dates are text",
            Box::new(move || {
                let urls = urls.clone();
                timed(|| SitemapWriter::build(urls).into_bytes())
            }),
        ),
    ];
    checked(xml, crates)
}

/// The passes of those crates, where what they write is read back as this document.
pub(crate) fn checked<'a, const N: usize>(
    xml: &str,
    crates: [(&'static str, &'static str, Write<'a>); N],
) -> Vec<Pass<'a>> {
    let expected = read_back(xml.as_bytes());
    crates
        .into_iter()
        .map(|(by, note, mut write)| {
            let written = write().1;
            let back = read_back(&written);
            let fault = (back != expected)
                .then(|| format!("not timed: {back:?} where there are {expected:?}"));
            Pass {
                by,
                note,
                fault,
                bytes: written.len(),
                best: Duration::MAX,
                spent: Duration::ZERO,
                run: Box::new(move || write().0),
            }
        })
        .collect()
}

/// Entries, their alternates and images, and the number of values.
fn read_back(written: &[u8]) -> (Given, usize, usize, usize) {
    let entries: Vec<UrlEntry> = Reader::new(written)
        .filter_map(Result::ok)
        .filter_map(quick_sitemap::Entry::into_url)
        .collect();
    let values = |entry: &UrlEntry| {
        usize::from(entry.lastmod.is_some())
            + usize::from(entry.changefreq.is_some())
            + usize::from(entry.priority.is_some())
    };
    (
        Given::of(entries.iter().map(|entry| entry.loc.as_str().len())),
        entries.iter().map(|entry| entry.alternates.len()).sum(),
        entries.iter().map(|entry| entry.images.len()).sum(),
        entries.iter().map(values).sum(),
    )
}

fn sitemap_rs_url(entry: &UrlEntry) -> Url {
    let changefreq = entry.changefreq.map(|changefreq| match changefreq {
        ChangeFreq::Always => ChangeFrequency::Always,
        ChangeFreq::Hourly => ChangeFrequency::Hourly,
        ChangeFreq::Daily => ChangeFrequency::Daily,
        ChangeFreq::Weekly => ChangeFrequency::Weekly,
        ChangeFreq::Monthly => ChangeFrequency::Monthly,
        ChangeFreq::Yearly => ChangeFrequency::Yearly,
        ChangeFreq::Never => ChangeFrequency::Never,
    });
    let lastmod = entry.lastmod.map(|lastmod| {
        let second = lastmod.start().timestamp();
        sitemap_rs::jiff::Timestamp::from_second(second)
            .expect("generated")
            .to_zoned(sitemap_rs::jiff::tz::TimeZone::UTC)
    });
    let link = |a: &quick_sitemap::Alternate| Link::new(a.hreflang.to_string(), a.href.to_string());
    let image = |i: &quick_sitemap::Image| sitemap_rs::image::Image::new(i.loc.to_string());
    Url::new(
        entry.loc.to_string(),
        entry.alternates.iter().map(link).collect(),
        lastmod,
        changefreq,
        entry.priority.map(|priority| priority.get()),
        Some(entry.images.iter().map(image).collect()),
        None,
        None,
    )
    .expect("generated")
}
