//! The cost of the engine relative to the decoder alone, over many small files and over few large ones: times of one
//! run, the best of several rounds with alternating passes.
//!
//! `cargo bench --bench many_files [-- ROUNDS]`: 5 rounds by default.
#![allow(clippy::expect_used, clippy::print_stdout, missing_docs)]

#[path = "../../../benches/input/best.rs"]
mod best;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use datafusion::arrow::array::{Array, AsArray};
use datafusion::prelude::{SessionConfig, SessionContext};
use flate2::{Compression, write::GzEncoder};
use quick_sitemap_arrow::{BatchDecoder, BatchesBuilder, Column};
use quick_sitemap_datafusion::{SitemapFormat, register};
use tokio::runtime::Runtime;

use crate::best::{Pass, best_of};

const COUNT: &str = "SELECT count(*) FROM sitemaps('{}')";
const HOSTS: &str = "SELECT host, count(*) FROM sitemaps('{}') GROUP BY host";

fn main() {
    let arguments = std::env::args().skip(1);
    // `cargo bench` passes `--bench` on.
    let rounds = arguments.filter_map(|text| text.parse().ok()).next();
    let rounds = rounds.unwrap_or(5);
    println!("| files, half of them gzipped | pass | ms | million pages a second |");
    println!("|---|---|--:|--:|");
    for (files, pages) in [(4_000, 100), (40, 10_000)] {
        measure(files, pages, rounds).expect("a folder that can be written");
    }
}

fn measure(files: usize, pages: usize, rounds: usize) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut paths = Vec::new();
    for number in 0..files {
        paths.push(write(folder.path(), number, pages)?);
    }
    let folder = folder.path().display().to_string();
    let runtime = Runtime::new()?;
    let query = |sql: &str, partitions: usize| {
        let config = SessionConfig::new().with_target_partitions(partitions);
        let context = SessionContext::new_with_config(config);
        register(&context, SitemapFormat::default());
        let sql = sql.replace("{}", &folder);
        let found = runtime.block_on(async { context.sql(&sql).await?.collect().await });
        let found = found.expect("the query is right");
        found.iter().map(|batch| batch.num_rows()).sum()
    };
    let hosts = alone(&paths, Some(Column::Host));
    assert_eq!(query(HOSTS, 1), hosts, "both read the same");
    let passes: Vec<Pass<'_>> = vec![
        ("decoder alone, no column", Box::new(|| alone(&paths, None))),
        (
            "decoder alone, hosts in a `HashMap`",
            Box::new(|| alone(&paths, Some(Column::Host))),
        ),
        ("`count(*)`, one partition", Box::new(|| query(COUNT, 1))),
        ("`count(*)`, two partitions", Box::new(|| query(COUNT, 2))),
        (
            "hosts and counts, one partition",
            Box::new(|| query(HOSTS, 1)),
        ),
        (
            "hosts and counts, two partitions",
            Box::new(|| query(HOSTS, 2)),
        ),
    ];
    let seconds = best_of(rounds, &passes);
    for (name, _) in &passes {
        let seconds = seconds(name);
        let rate = (files * pages) as f64 / seconds / 1e6;
        println!(
            "| {files} of {pages} pages | {name} | {:.0} | {rate:.2} |",
            seconds * 1e3
        );
    }
    Ok(())
}

/// Pages with lastmod, changefreq and priority, in one of a hundred subfolders; every other file is gzipped.
fn write(folder: &Path, number: usize, pages: usize) -> io::Result<PathBuf> {
    let mut text = String::from("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for page in 0..pages {
        let code = (page * 7_919 + number * 104_729) % 1_000_003;
        text.push_str(&format!(
            "  <url>\n    <loc>https://{}.example.com/catalogue/item-{code}</loc>\n    <lastmod>2024-05-{:02}</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.{}</priority>\n  </url>\n",
            number % 500,
            code % 28 + 1,
            code % 9 + 1,
        ));
    }
    text.push_str("</urlset>\n");
    let folder = folder.join((number % 100).to_string());
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.xml"));
    let mut file = fs::File::create(&path)?;
    if number.is_multiple_of(2) {
        let mut encoder = GzEncoder::new(file, Compression::default());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
    } else {
        file.write_all(text.as_bytes())?;
    }
    Ok(path)
}

/// The files one after the other, on one thread, without an engine. The rows, or how many hosts there are.
fn alone(paths: &[PathBuf], column: Option<Column>) -> usize {
    let mut decoder = BatchesBuilder::new()
        .string_views(true)
        .columns(column)
        .decoder();
    let mut buffer = vec![0; 64 << 10];
    let mut counts = Counts::default();
    for path in paths {
        let mut file = fs::File::open(path).expect("it was just written");
        decoder.begin(None).expect("the file before is done");
        while !decoder.is_between_files() {
            let read = file.read(&mut buffer).expect("a local file");
            match buffer.get(..read) {
                None | Some([]) => decoder.finish(),
                Some(bytes) => decoder.push(bytes),
            }
            counts.take_from(&mut decoder);
        }
    }
    if let Some(batch) = decoder.flush().expect("errors are rows") {
        counts.add(&batch);
    }
    column.map_or(counts.rows, |_| counts.hosts.len())
}

#[derive(Default)]
struct Counts {
    rows: usize,
    hosts: HashMap<String, usize>,
}

impl Counts {
    fn take_from(&mut self, decoder: &mut BatchDecoder) {
        while let Some(batch) = decoder.next_batch().expect("errors are rows") {
            self.add(&batch);
        }
    }

    fn add(&mut self, batch: &datafusion::arrow::record_batch::RecordBatch) {
        self.rows += batch.num_rows();
        let Some(hosts) = batch
            .columns()
            .first()
            .map(|column| column.as_string_view())
        else {
            return;
        };
        for row in 0..hosts.len() {
            let host = hosts.value(row);
            match self.hosts.get_mut(host) {
                Some(count) => *count += 1,
                None => {
                    self.hosts.insert(host.to_owned(), 1);
                }
            }
        }
    }
}
