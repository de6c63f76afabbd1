//! Writing, compared with quick-xml's own writer for the same elements.
#![allow(clippy::expect_used)]

#[path = "../../../benches/input/mod.rs"]
mod input;

use std::io::Write;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{Result, TextWriter, UrlEntry, UrlsetWriter};

fn main() {
    divan::main();
}

fn urlset<W: Write>(output: W, entries: &[UrlEntry]) -> Result<W> {
    let mut writer = UrlsetWriter::new(output);
    for entry in entries {
        writer.write(entry)?;
    }
    writer.finish()
}

fn text<W: Write>(output: W, entries: &[UrlEntry]) -> Result<W> {
    let mut writer = TextWriter::new(output);
    for entry in entries {
        writer.write(entry)?;
    }
    writer.finish()
}

/// `write` gets the entries and as much room as they can need.
fn run<T>(bencher: Bencher<'_, '_>, xml: &str, write: impl Fn(&[UrlEntry], usize) -> T + Sync) {
    let entries = input::entries(xml);
    bencher
        .counter(ItemsCount::new(entries.len()))
        .bench(|| write(black_box(&entries), xml.len() * 2));
}

#[divan::bench_group]
mod typical {
    use super::*;

    #[divan::bench]
    fn bare_quick_xml(bencher: Bencher<'_, '_>) {
        run(bencher, &input::typical(), |entries, room| {
            input::bare_write(entries, room).expect("a Vec takes anything")
        });
    }

    #[divan::bench]
    fn urlset_writer(bencher: Bencher<'_, '_>) {
        run(bencher, &input::typical(), |entries, room| {
            urlset(Vec::with_capacity(room), entries).expect("valid entries")
        });
    }

    #[divan::bench]
    fn urlset_writer_gzipped(bencher: Bencher<'_, '_>) {
        run(bencher, &input::typical(), |entries, room| {
            let encoder = GzEncoder::new(Vec::with_capacity(room), Compression::default());
            let encoder = urlset(encoder, entries).expect("valid entries");
            encoder.finish().expect("a Vec takes anything")
        });
    }

    #[divan::bench]
    fn text_writer(bencher: Bencher<'_, '_>) {
        run(bencher, &input::typical(), |entries, room| {
            text(Vec::with_capacity(room), entries).expect("valid entries")
        });
    }
}

/// Three alternates and an image an entry besides.
#[divan::bench_group]
mod extended {
    use super::*;

    #[divan::bench]
    fn urlset_writer(bencher: Bencher<'_, '_>) {
        run(bencher, &input::extended(), |entries, room| {
            urlset(Vec::with_capacity(room), entries).expect("valid entries")
        });
    }
}
