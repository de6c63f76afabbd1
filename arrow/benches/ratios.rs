//! What the columns cost beside reading alone: ratios of one run, so that machines can be compared.
//!
//! `cargo bench -p quick-sitemap-arrow --bench ratios [-- ROUNDS | -- --once PASS]`: 9 rounds unless told. The passes take
//! turns, the best of each counts. `--once` runs one pass once, for callgrind.
#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "../../benches/input/generated.rs"]
#[allow(dead_code)]
mod generated;

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use quick_sitemap::{ChangeFreq, Priority, Reader, W3cDatetime};
use quick_sitemap_arrow::{BatchesBuilder, Column};

/// A pass over an input; the result is for `black_box` only.
type Pass<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut rounds = 9;
    let mut once = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--once" => once = arguments.next(),
            // `cargo bench` passes `--bench` on.
            other => rounds = other.parse().unwrap_or(rounds),
        }
    }
    let typical = generated::typical();
    let extended = generated::extended();
    let passes: Vec<Pass<'_>> = vec![
        ("nothing", Box::new(|| 0)),
        ("raw", Box::new(|| raw_values(&typical))),
        ("typed", Box::new(|| typed(&typical))),
        ("columns", Box::new(|| columns(&typical, Column::DEFAULT))),
        ("loc", Box::new(|| columns(&typical, &[Column::Loc]))),
        ("none", Box::new(|| columns(&typical, &[]))),
        (
            "views",
            Box::new(|| rows(BatchesBuilder::new().string_views(true), &typical)),
        ),
        ("all", Box::new(|| columns(&typical, Column::ALL))),
        ("extended_raw", Box::new(|| raw_values(&extended))),
        ("extended_typed", Box::new(|| typed(&extended))),
        (
            "extended_columns",
            Box::new(|| columns(&extended, Column::DEFAULT)),
        ),
        ("extended_all", Box::new(|| columns(&extended, Column::ALL))),
    ];
    if let Some(name) = once {
        let pass = passes.iter().find(|(known, _)| *known == name);
        black_box(pass.expect("the name of a pass").1());
        return;
    }
    let mut best = HashMap::new();
    for _ in 0..rounds {
        for (name, pass) in &passes {
            let start = Instant::now();
            black_box(pass());
            let time = best.entry(*name).or_insert(Duration::MAX);
            *time = start.elapsed().min(*time);
        }
    }
    let time = |name| best.get(name).map_or(f64::NAN, Duration::as_secs_f64);
    println!(
        "raw with values: {:.1} ms, extended {:.1} ms",
        time("raw") * 1e3,
        time("extended_raw") * 1e3
    );
    println!("\n| 50,000 entries | of raw with values | of typed | target |");
    println!("|---|--:|--:|--:|");
    for (work, name, raw, typed, target) in [
        (
            "default columns, typical",
            "columns",
            "raw",
            "typed",
            "1.40",
        ),
        ("the same as views", "views", "raw", "typed", ""),
        ("`loc` alone", "loc", "raw", "typed", ""),
        ("no column", "none", "raw", "typed", ""),
        ("every column", "all", "raw", "typed", ""),
        (
            "default columns, extended",
            "extended_columns",
            "extended_raw",
            "extended_typed",
            "",
        ),
        (
            "every column, extended",
            "extended_all",
            "extended_raw",
            "extended_typed",
            "",
        ),
    ] {
        let (of_raw, of_typed) = (time(name) / time(raw), time(name) / time(typed));
        println!("| {work} | {of_raw:.2} | {of_typed:.2} | {target} |");
    }
}

fn columns(xml: &str, columns: &[Column]) -> usize {
    rows(BatchesBuilder::new().columns(columns.iter().copied()), xml)
}

fn rows(builder: BatchesBuilder, xml: &str) -> usize {
    let batches = builder.source("sitemap.xml").build(xml.as_bytes());
    batches
        .map(|batch| black_box(batch.expect("generated")).num_rows())
        .sum()
}

/// Every value of each entry, parsed.
fn raw_values(xml: &str) -> usize {
    let mut reader = Reader::new(xml.as_bytes());
    let mut entries = 0;
    while let Some(entry) = reader.read_raw().expect("nothing is denied") {
        black_box(entry.loc());
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
        entries += 1;
    }
    entries
}

fn typed(xml: &str) -> usize {
    Reader::new(xml.as_bytes()).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}
