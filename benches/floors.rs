//! Nanoseconds per entry next to a floor: the work that any reader or writer of the same bytes must do.
//!
//! `cargo bench --bench floors [-- ROUNDS]`: 9 by default. The passes alternate, and the best of each counts. See
//! `benches/README.md` for how to read the table.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod input;

use std::hint::black_box;

use memchr::memchr_iter;
use quick_sitemap::{UrlEntry, UrlsetWriter};

use crate::input::{ENTRIES, Pass, Touch, best_of};

/// The least work of a reader: it copies the input to memory that it keeps, checks that it is UTF-8, and finds the
/// tags.
fn floor_of_reading(xml: &str, buffer: &mut Vec<u8>) -> usize {
    let mut tags = 0_usize;
    for piece in xml.as_bytes().chunks(64 << 10) {
        buffer.clear();
        buffer.extend_from_slice(piece);
        // A piece may cut a character; the check takes as long.
        let checked =
            std::str::from_utf8(buffer).map_or_else(|error| error.valid_up_to(), str::len);
        black_box(checked);
        // Not `count`, which needs no positions and is several times faster.
        tags = memchr_iter(b'<', buffer).fold(tags, usize::wrapping_add);
    }
    tags
}

/// The allocations of typed entries: one per URL, one per list.
fn allocate(entries: &[UrlEntry]) -> usize {
    let mut urls = 0;
    for entry in entries {
        let mut keep = |url: &str| {
            urls += 1;
            black_box(url.to_owned())
        };
        let loc = keep(entry.loc.as_str());
        let alternates: Vec<_> = entry
            .alternates
            .iter()
            .map(|link| keep(link.href.as_str()))
            .collect();
        let images: Vec<_> = entry
            .images
            .iter()
            .map(|image| keep(image.loc.as_str()))
            .collect();
        black_box((loc, alternates, images));
    }
    urls
}

/// The least work of a writer: it copies the bytes of the file, entry by entry.
fn floor_of_writing(written: &[u8], room: usize) -> usize {
    let mut out = Vec::with_capacity(room);
    for line in written.split_inclusive(|byte| *byte == b'\n') {
        out.extend_from_slice(line);
    }
    black_box(out).len()
}

fn main() {
    // `cargo bench` passes `--bench` on.
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(9);
    let (typical, extended) = (input::typical(), input::extended());
    let (pages, rich) = (input::entries(&typical), input::entries(&extended));
    let rows: Vec<_> = pages.iter().map(input::Row::of).collect();
    let room = extended.len() * 2;
    let (written, rich_written) = (input::write(&pages, room), input::write(&rich, room));
    let scan = |xml: &str| floor_of_reading(xml, &mut Vec::new());

    let passes: Vec<Pass<'_>> = vec![
        ("scan", Box::new(|| scan(&typical))),
        ("scan_extended", Box::new(|| scan(&extended))),
        ("allocate", Box::new(|| allocate(&pages))),
        ("allocate_extended", Box::new(|| allocate(&rich))),
        ("copy_file", Box::new(|| floor_of_writing(&written, room))),
        (
            "copy_file_extended",
            Box::new(|| floor_of_writing(&rich_written, room)),
        ),
        (
            "raw",
            Box::new(|| input::raw(typical.as_bytes(), Touch::Loc)),
        ),
        ("typed", Box::new(|| input::typed(typical.as_bytes()))),
        (
            "everything",
            Box::new(|| input::raw(extended.as_bytes(), Touch::Everything)),
        ),
        (
            "typed_extended",
            Box::new(|| input::typed(extended.as_bytes())),
        ),
        ("write", Box::new(|| input::write(&pages, room).len())),
        (
            "write_extended",
            Box::new(|| input::write(&rich, room).len()),
        ),
        (
            "from_text",
            Box::new(|| {
                let writer = UrlsetWriter::new(Vec::with_capacity(room));
                let written = input::write_rows(&rows, writer);
                written.expect("a Vec takes anything").len()
            }),
        ),
    ];
    let time = best_of(rounds, &passes);
    let each = |name: &str| time(name) * 1e9 / ENTRIES as f64;

    println!("| row (50,000 entries) | floor, ns | row, ns | times |");
    println!("|---|--:|--:|--:|");
    for (row, name, floors) in [
        ("raw", "raw", &["scan"][..]),
        ("typed", "typed", &["scan", "allocate"]),
        (
            "raw, everything, extended",
            "everything",
            &["scan_extended"],
        ),
        (
            "typed, extended",
            "typed_extended",
            &["scan_extended", "allocate_extended"],
        ),
        ("write", "write", &["copy_file"]),
        ("from text to file", "from_text", &["allocate", "copy_file"]),
        ("write, extended", "write_extended", &["copy_file_extended"]),
    ] {
        let floor: f64 = floors.iter().map(|floor| each(floor)).sum();
        let own = each(name);
        println!("| {row} | {floor:.0} | {own:.0} | {:.1} |", own / floor);
    }
}
