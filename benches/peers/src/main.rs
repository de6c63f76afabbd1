//! Compares quick-sitemap with the other crates that read or write sitemaps.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [-- ROUNDS]`: 7 by default. The passes alternate in
//! one process, and the best of each counts. The time is the processor time of the one thread, so other load has little
//! effect. A pass is timed only after it has returned the same entries.

mod entries;
mod from_text;
#[path = "../../input/mod.rs"]
mod input;
mod reading;
mod rows;
mod writing;

use std::time::Duration;

/// The result of a pass: entries, and bytes of their locs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Given {
    entries: usize,
    loc_bytes: usize,
}

impl Given {
    fn of(locs: impl Iterator<Item = usize>) -> Self {
        let none = Self {
            entries: 0,
            loc_bytes: 0,
        };
        locs.fold(none, |given, loc| Self {
            entries: given.entries + 1,
            loc_bytes: given.loc_bytes + loc,
        })
    }
}

/// A crate at work on an input.
struct Pass<'a> {
    by: &'static str,
    note: &'static str,
    /// The reason why it cannot be compared, in place of a time.
    fault: Option<String>,
    /// Bytes that a pass reads or writes.
    bytes: usize,
    best: Duration,
    spent: Duration,
    run: Box<dyn FnMut() -> Duration + 'a>,
}

impl Pass<'_> {
    fn row(&self, work: &str, beside: [Option<Duration>; 2]) {
        print!("| {work} | {} | {} |", self.by, self.note);
        if let Some(fault) = &self.fault {
            print!(" {fault} |");
            println!(" – | – | – |");
            return;
        }
        let time = self.best.as_secs_f64();
        print!(
            " {:.1} | {:.0} |",
            time * 1e3,
            self.bytes as f64 / time / 1e6
        );
        for other in beside {
            match other {
                Some(other) => print!(" {:.2} |", time / other.as_secs_f64()),
                None => print!(" – |"),
            }
        }
        println!();
    }
}

/// A pass that has taken this long gets no more rounds.
const ENOUGH: Duration = Duration::from_secs(2);

fn measure(passes: &mut [Pass<'_>], rounds: usize) {
    for _ in 0..rounds {
        for pass in passes.iter_mut() {
            if pass.fault.is_none() && pass.spent < ENOUGH {
                let time = (pass.run)();
                pass.best = pass.best.min(time);
                pass.spent += time;
            }
        }
    }
}

fn best(passes: &[Pass<'_>], by: &str) -> Duration {
    let pass = passes.iter().find(|pass| pass.by == by);
    pass.map_or(Duration::MAX, |pass| pass.best)
}

fn main() {
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(7);
    println!("| work | crate | gives, takes | ms | MB/s | of raw | of typed or written |");
    println!("|---|---|---|--:|--:|--:|--:|");
    let typical = input::typical();
    let extended = input::extended();
    let sources = [
        ("read typical", &typical, false),
        ("read extended", &extended, false),
        ("read gzipped", &typical, true),
    ];
    for (work, xml, gzipped) in sources {
        let gz = input::gzip(xml.as_bytes());
        let mut passes = reading::passes(xml, gzipped.then_some(&*gz));
        measure(&mut passes, rounds);
        let beside = [reading::RAW, reading::TYPED].map(|by| Some(best(&passes, by)));
        for pass in &passes {
            pass.row(work, beside);
        }
    }
    for (work, xml) in [("write typical", &typical), ("write extended", &extended)] {
        let entries = input::entries(xml);
        input::check_bare_write(&entries);
        let mut passes = writing::passes(xml, &entries);
        measure(&mut passes, rounds);
        let written = best(&passes, writing::OURS);
        for pass in &passes {
            pass.row(work, [None, Some(written)]);
        }
    }
    let entries = input::entries(&typical);
    let rows: Vec<_> = entries.iter().map(input::Row::of).collect();
    input::check_bare_write_rows(&rows);
    let mut passes = from_text::passes(&typical, &rows);
    measure(&mut passes, rounds);
    let written = best(&passes, writing::OURS);
    for pass in &passes {
        pass.row("text to file", [None, Some(written)]);
    }
}
