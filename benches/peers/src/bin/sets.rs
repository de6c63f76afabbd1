//! A set of 60 gzipped sitemaps of 50,000 pages with images and alternates: by `Directory`,
//! and by hand with the crates that write single files.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin sets [-- PARTS]`: 60 by default. Each runs in
//! its own process, to measure its memory. The result depends on the disk of the folder: this crate syncs its files
//! before it returns, the others do not.

#[path = "../entries.rs"]
mod entries;
#[path = "../../../input/mod.rs"]
mod input;

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use flate2::{Compression, write::GzEncoder};
use quick_sitemap::{Reader, SplitWriter, UrlEntry};
use quick_sitemap_set::Directory;
use sitemap_writer::SitemapWriter;
use sitemapo::EntryBuilder;

use crate::entries::{sitemap_writer_url, sitemapo_entries};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The entries of one part, written again and again.
type Work = fn(&[UrlEntry], &str, usize, &Path) -> Result<Took>;

struct Took {
    wall: Duration,
    cpu: Duration,
    /// MiB that the process had at most, and how many of them before it began.
    most: u64,
    before: u64,
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Took> {
    let before = memory("VmRSS:");
    let (start, cpu) = (Instant::now(), ProcessTime::now());
    work()?;
    Ok(Took {
        wall: start.elapsed(),
        cpu: cpu.elapsed(),
        most: memory("VmHWM:"),
        before,
    })
}

fn by_directory(entries: &[UrlEntry], _: &str, parts: usize, folder: &Path) -> Result<Took> {
    timed(|| {
        let directory = Directory::create(folder, &"https://www.example.com/".parse()?)?;
        let mut set = SplitWriter::new(directory.gzip(true));
        for _ in 0..parts {
            for entry in entries {
                set.write(entry)?;
            }
        }
        set.finish()?;
        Ok(())
    })
}

fn gzip(folder: &Path, part: usize) -> Result<GzEncoder<File>> {
    let file = File::create(folder.join(format!("{part}.xml.gz")))?;
    Ok(GzEncoder::new(file, Compression::default()))
}

fn by_sitemapo(_: &[UrlEntry], xml: &str, parts: usize, folder: &Path) -> Result<Took> {
    let records = sitemapo_entries(xml);
    timed(|| {
        for part in 0..parts {
            let mut builder = EntryBuilder::new(gzip(folder, part)?);
            for record in &records {
                builder.write(record)?;
            }
            builder.finish()?.finish()?;
        }
        Ok(())
    })
}

fn by_sitemap_writer(entries: &[UrlEntry], _: &str, parts: usize, folder: &Path) -> Result<Took> {
    let urls: Vec<_> = entries.iter().map(sitemap_writer_url).collect();
    timed(|| {
        for part in 0..parts {
            let mut file = gzip(folder, part)?;
            file.write_all(SitemapWriter::build(urls.clone()).as_bytes())?;
            file.finish()?;
        }
        Ok(())
    })
}

const WORKS: [(&str, Work); 3] = [
    ("quick-sitemap-set", by_directory),
    ("sitemapo, flate2", by_sitemapo),
    ("sitemap-writer, flate2", by_sitemap_writer),
];

/// Memory of the process, in MiB.
fn memory(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0) / 1024
}

fn run(work: usize, parts: usize) -> Result<()> {
    let xml = input::extended();
    let entries = input::entries(&xml);
    let folder = std::env::temp_dir().join(format!("sets-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (name, work) = WORKS[work];
    let took = work(&entries, &xml, parts, &folder)?;
    let mut pages = 0;
    let mut bytes = 0;
    for file in fs::read_dir(&folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "gz") {
            bytes += fs::metadata(&path)?.len();
            pages += Reader::new(File::open(path)?)
                .filter(std::result::Result::is_ok)
                .count();
        }
    }
    fs::remove_dir_all(&folder)?;
    assert_eq!(pages, parts * entries.len(), "{name}");
    println!(
        "| {name} | {:.1} | {:.1} | {} | {} |",
        took.wall.as_secs_f64(),
        took.cpu.as_secs_f64(),
        took.most.saturating_sub(took.before),
        bytes >> 20,
    );
    Ok(())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let parts = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(60);
    if let Some(work) = arguments.next() {
        return run(work.parse()?, parts);
    }
    println!(
        "| {parts} parts by | s | s of processor time | MiB more than the entries | MiB written |"
    );
    println!("|---|--:|--:|--:|--:|");
    for work in 0..WORKS.len() {
        let program = std::env::current_exe()?;
        let status = Command::new(program)
            .args([parts.to_string(), work.to_string()])
            .status()?;
        assert!(status.success());
    }
    Ok(())
}
