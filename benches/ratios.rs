//! The cost of reading and writing relative to quick-xml alone: ratios of one run, so that machines can be compared.
//!
//! `cargo bench --bench ratios [-- ROUNDS]`: 9 by default. The passes alternate, and the best of each counts.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod input;

use std::hint::black_box;

use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, UrlsetWriter};

use crate::input::{Pass, Touch, best_of};

fn main() {
    // `cargo bench` passes `--bench` on.
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(9);
    let typical = input::typical();
    let extended = input::extended();
    let general = input::without_fast_path(&typical);
    let gz = input::gzip(typical.as_bytes());
    let entries = input::entries(&typical);
    let text = input::text(&entries);
    let rows: Vec<_> = entries.iter().map(input::Row::of).collect();
    let room = typical.len() * 2;
    input::check_bare_write(&entries);

    let passes: Vec<Pass<'_>> = vec![
        ("bare", Box::new(|| input::bare(&typical))),
        ("bare_general", Box::new(|| input::bare(&general))),
        ("bare_extended", Box::new(|| input::bare(&extended))),
        (
            "url_parse",
            Box::new(|| {
                text.lines()
                    .filter(|loc| black_box(Url::parse(loc)).is_ok())
                    .count()
            }),
        ),
        ("inflate", Box::new(|| input::inflate(&gz))),
        (
            "raw",
            Box::new(|| input::raw(typical.as_bytes(), Touch::Loc)),
        ),
        (
            "raw_values",
            Box::new(|| input::raw(typical.as_bytes(), Touch::Values)),
        ),
        (
            "raw_everything",
            Box::new(|| input::raw(extended.as_bytes(), Touch::Everything)),
        ),
        (
            "raw_general",
            Box::new(|| input::raw(general.as_bytes(), Touch::Loc)),
        ),
        ("raw_gz", Box::new(|| input::raw(&*gz, Touch::Loc))),
        (
            "raw_text",
            Box::new(|| input::raw(text.as_bytes(), Touch::Loc)),
        ),
        ("typed", Box::new(|| input::typed(typical.as_bytes()))),
        (
            "typed_extended",
            Box::new(|| input::typed(extended.as_bytes())),
        ),
        (
            "bare_write",
            Box::new(|| {
                input::bare_write(&entries, room)
                    .expect("a Vec takes anything")
                    .len()
            }),
        ),
        ("write", Box::new(|| input::write(&entries, room).len())),
        (
            "build",
            Box::new(|| {
                let locs = rows.iter().map(|row| &*row.loc);
                locs.filter(|loc| black_box(UrlEntry::try_from(*loc)).is_ok())
                    .count()
            }),
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

    println!(
        "typical: {} bytes, bare loop {:.1} ms",
        typical.len(),
        time("bare") * 1e3
    );
    println!(
        "extended: {} bytes, bare loop {:.1} ms",
        extended.len(),
        time("bare_extended") * 1e3
    );
    println!("\n| work (50,000 entries) | of | ratio | target |");
    println!("|---|---|--:|--:|");
    let row = |work, of, ratio: f64, target| println!("| {work} | {of} | {ratio:.3} | {target} |");
    let bare = time("bare");
    row("`read_raw`, typical", "bare loop", time("raw") / bare, "");
    row(
        "`read_raw`, typical, values parsed",
        "bare loop",
        time("raw_values") / bare,
        "0.35",
    );
    row("typed, typical", "bare loop", time("typed") / bare, "0.55");
    row(
        "`Url::parse` of the same locs",
        "bare loop",
        time("url_parse") / bare,
        "",
    );
    row(
        "`read_raw`, extended, everything touched",
        "bare loop",
        time("raw_everything") / time("bare_extended"),
        "0.52",
    );
    row(
        "typed, extended",
        "bare loop",
        time("typed_extended") / time("bare_extended"),
        "1.05",
    );
    row(
        "`read_raw`, general path alone",
        "bare loop",
        time("raw_general") / time("bare_general"),
        "1.10",
    );
    row(
        "`read_raw`, gzipped",
        "inflate + plain",
        time("raw_gz") / (time("inflate") + time("raw")),
        "1.15",
    );
    row(
        "`read_raw`, text",
        "bare loop of the XML",
        time("raw_text") / bare,
        "0.10",
    );
    row(
        "`UrlsetWriter`, typical",
        "quick-xml's `Writer`",
        time("write") / time("bare_write"),
        "0.35",
    );
    row(
        "`UrlEntry::try_from`, every loc",
        "bare loop",
        time("build") / bare,
        "0.20",
    );
    row(
        "from text to file",
        "quick-xml's `Writer`",
        time("from_text") / time("bare_write"),
        "0.65",
    );
}
