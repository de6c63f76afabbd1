//! The cost of columns relative to reading alone: ratios of one run, so that machines can be compared.
//!
//! `cargo bench -p quick-sitemap-arrow --bench ratios [-- ROUNDS | -- --once PASS]`: 9 rounds by default. The passes
//! alternate, and the table shows the best of each. `--once` runs one pass once, for callgrind.
#![allow(clippy::expect_used, clippy::print_stdout)]

#[path = "../../../benches/input/best.rs"]
mod best;
#[path = "../../../benches/input/generated.rs"]
#[allow(dead_code)]
mod generated;
#[path = "../../../benches/input/raw.rs"]
#[allow(dead_code)] // every part of an entry is one of the library's passes
mod raw;

use std::hint::black_box;

use quick_sitemap::Reader;
use quick_sitemap_arrow::{BatchesBuilder, Column};

use crate::best::{Pass, best_of};
use crate::raw::{Touch, raw};

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
        ("raw", Box::new(|| raw(typical.as_bytes(), Touch::Values))),
        ("typed", Box::new(|| typed(&typical))),
        ("columns", Box::new(|| columns(&typical, Column::DEFAULT))),
        ("loc", Box::new(|| columns(&typical, &[Column::Loc]))),
        ("none", Box::new(|| columns(&typical, &[]))),
        (
            "views",
            Box::new(|| rows(BatchesBuilder::new().string_views(true), &typical)),
        ),
        ("all", Box::new(|| columns(&typical, Column::ALL))),
        (
            "extended_raw",
            Box::new(|| raw(extended.as_bytes(), Touch::Values)),
        ),
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
    let time = best_of(rounds, &passes);
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

fn typed(xml: &str) -> usize {
    Reader::new(xml.as_bytes()).fold(0, |entries, entry| {
        black_box(entry.expect("nothing is denied"));
        entries + 1
    })
}
