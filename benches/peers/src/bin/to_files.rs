//! From the strings of a database to files on disk, with more pages than one sitemap can list: quick-sitemap and
//! sitemap-writer.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin to_files [-- ROUNDS]`: 5 by default. Both write
//! files of 50,000 pages; sitemap-writer also writes all of them into one file, which no search engine would accept.

#[path = "../../../input/mod.rs"]
mod input;
#[path = "../rows.rs"]
mod rows;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use quick_sitemap::{Reader, UrlsetWriter};

use crate::input::{Row, write_rows};

const PAGES: usize = 500_000;
const LIMIT: usize = 50_000;

fn quick_sitemap(rows: &[Row], file: &Path) -> io::Result<()> {
    let writer = UrlsetWriter::new(File::create(file)?);
    write_rows(rows, writer).map(drop).map_err(io::Error::other)
}

fn sitemap_writer(rows: &[Row], file: &Path) -> io::Result<()> {
    fs::write(file, rows::sitemap_writer(rows))
}

fn entries(file: &Path) -> io::Result<usize> {
    Ok(Reader::new(File::open(file)?).filter(Result::is_ok).count())
}

fn main() -> io::Result<()> {
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(5);
    let pages = input::entries(&input::sitemap(PAGES, false));
    let rows: Vec<_> = pages.iter().map(Row::of).collect();
    drop(pages);
    let folder = std::env::temp_dir().join(format!("to-files-{}", std::process::id()));
    fs::create_dir_all(&folder)?;

    type Write = fn(&[Row], &Path) -> io::Result<()>;
    let works: [(&str, Write, usize); 3] = [
        ("quick-sitemap, files of 50,000", quick_sitemap, LIMIT),
        ("sitemap-writer, files of 50,000", sitemap_writer, LIMIT),
        ("sitemap-writer, one file", sitemap_writer, PAGES),
    ];
    let mut best = [Duration::MAX; 3];
    for _ in 0..rounds {
        for ((name, write, most), best) in works.iter().zip(&mut best) {
            let mut written = 0;
            let mut spent = Duration::ZERO;
            for (number, part) in rows.chunks(*most).enumerate() {
                let file = folder.join(format!("{number}.xml"));
                let start = ThreadTime::now();
                write(part, &file)?;
                spent += start.elapsed();
                written += entries(&file)?;
            }
            assert_eq!(written, PAGES, "{name}");
            *best = spent.min(*best);
        }
    }
    fs::remove_dir_all(&folder)?;

    let [ours, ..] = best;
    println!("| {PAGES} pages from text to files | ms | of ours |\n|---|--:|--:|");
    for ((name, ..), best) in works.iter().zip(best) {
        let ratio = best.as_secs_f64() / ours.as_secs_f64();
        println!("| {name} | {:.0} | {ratio:.2} |", best.as_secs_f64() * 1e3);
    }
    Ok(())
}
