//! Nanoseconds an entry as sitemaps grow.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin growth [-- ROUNDS]`: 7 by default.

#[path = "../../../input/mod.rs"]
mod input;

use std::hint::black_box;
use std::io::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use quick_sitemap::{UrlEntry, UrlsetWriter};

use crate::input::Touch;

/// The number of files that the protocol requires.
fn write(entries: &[UrlEntry], count: usize) -> usize {
    let mut written = 0;
    let mut left = count;
    let mut output = Vec::new();
    while left > 0 {
        output.clear();
        let mut writer = UrlsetWriter::new(output);
        for entry in entries.iter().take(left) {
            writer.write(entry).expect("valid entries");
        }
        output = writer.finish().expect("a Vec takes anything");
        written += output.len();
        left -= left.min(entries.len());
    }
    written
}

fn main() -> std::io::Result<()> {
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(7);
    let entries = input::entries(&input::typical());
    println!("| entries | bytes | raw, values parsed | typed | written |");
    println!("|--:|--:|--:|--:|--:|");
    for count in [1_000_usize, 10_000, 100_000, 1_000_000] {
        let xml = input::sitemap(count, false);
        let works: [&dyn Fn() -> usize; 3] = [
            &|| input::raw(xml.as_bytes(), Touch::Values),
            &|| input::typed(xml.as_bytes()),
            &|| write(&entries, count),
        ];
        assert!(works[..2].iter().all(|work| work() == count));
        let mut best = [Duration::MAX; 3];
        // Short works are taken more often: the machine is seldom calm for long.
        for _ in 0..rounds * (100_000 / count).clamp(1, 20) {
            for (work, best) in works.iter().zip(&mut best) {
                let start = ThreadTime::now();
                black_box(work());
                *best = start.elapsed().min(*best);
            }
        }
        let [raw, typed, written] = best.map(|time| time.as_nanos() / count as u128);
        println!(
            "| {count} | {} | {raw} ns | {typed} ns | {written} ns |",
            xml.len()
        );
        std::io::stdout().flush()?;
    }
    Ok(())
}
