//! Allocations an entry, and the peak of the heap over a sitemap of any length.
//!
//! `cargo bench --bench memory [-- MEGABYTES]`: 500 by default.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod input;

use std::hint::black_box;
use std::io::{self, Read};

use allocation_counter::{AllocationInfo, measure};
use quick_sitemap::url::Url;
use quick_sitemap::{Reader, ReaderBuilder, UrlsetWriter};

/// A beginning, something over and over, an end: nothing of it is counted, for it is there before.
struct Endless<'a> {
    block: &'a [u8],
    times: usize,
    end: &'a [u8],
    rest: &'a [u8],
}

impl Read for Endless<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.times.checked_sub(1) {
                Some(times) => (self.rest, self.times) = (self.block, times),
                None if self.end.is_empty() => return Ok(0),
                None => self.rest = std::mem::take(&mut self.end),
            }
        }
        self.rest.read(out)
    }
}

const END: &str = "</urlset>\n";

struct Row {
    work: &'static str,
    entries: usize,
    heap: AllocationInfo,
}

fn count(work: &'static str, run: impl FnOnce() -> usize) -> Row {
    let mut entries = 0;
    let heap = measure(|| entries = run());
    Row {
        work,
        entries,
        heap,
    }
}

fn main() {
    // `cargo bench` passes `--bench` on.
    let megabytes = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(500);
    let typical = input::typical();
    let start = typical.find("<url>").expect("generated");
    let (head, block) = typical.split_at(start);
    let block = block.strip_suffix(END).expect("generated");
    let times = |block: &str| (megabytes * 1_000_000usize).div_ceil(block.len());
    let entries = input::entries(&typical);
    let text = input::text(&entries);
    // Gzip members may follow one another, so a few of them make a stream of any length.
    let packed = [head, block, END].map(|part| input::gzip(part.as_bytes()));
    let [packed_head, packed_block, packed_end] = &packed;

    let plain = || Endless {
        rest: head.as_bytes(),
        block: block.as_bytes(),
        times: times(block),
        end: END.as_bytes(),
    };
    let gzipped = || Endless {
        rest: packed_head,
        block: packed_block,
        times: times(block),
        end: packed_end,
    };
    let lines = || Endless {
        rest: b"",
        block: text.as_bytes(),
        times: times(&text),
        end: b"",
    };
    let locs: Vec<String> = input::entries(&typical)
        .into_iter()
        .map(|page| page.loc.into())
        .collect();
    let entries = input::entries(&typical);

    let rows = [
        count("read_raw", || raw(plain())),
        count("read_raw, gzipped", || raw(gzipped())),
        count("read_raw, text", || raw(lines())),
        count("typed", || typed(plain())),
        count("typed, gzipped", || typed(gzipped())),
        count("typed, text", || typed(lines())),
        count("`Url::parse` alone, 50,000 locs", || {
            locs.iter()
                .filter(|loc| black_box(Url::parse(loc)).is_ok())
                .count()
        }),
        count("UrlsetWriter, 50,000 entries", || write(&entries)),
    ];
    println!("reading {megabytes} MB\n");
    println!("| work | entries | allocations | an entry | peak of the heap |");
    println!("|---|--:|--:|--:|--:|");
    for Row {
        work,
        entries,
        heap,
    } in rows
    {
        let (total, peak) = (heap.count_total, heap.bytes_max.div_ceil(1024));
        let each = total as f64 / entries as f64;
        println!("| {work} | {entries} | {total} | {each:.3} | {peak} KiB |");
    }
}

fn raw(input: impl Read) -> usize {
    let mut reader = unbounded(input);
    let mut entries = 0;
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        black_box(entry.loc());
        entries += 1;
    }
    entries
}

fn typed(input: impl Read) -> usize {
    unbounded(input).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}

fn unbounded<R: Read>(input: R) -> Reader<R> {
    ReaderBuilder::new().max_bytes(u64::MAX).build(input)
}

fn write(entries: &[quick_sitemap::UrlEntry]) -> usize {
    let mut writer = UrlsetWriter::new(io::sink());
    for entry in entries {
        writer.write(entry).expect("valid entries");
    }
    writer.finish().expect("a sink takes anything");
    entries.len()
}
