//! Alternating passes over an input. The best round of each counts.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A pass over an input; the result is for `black_box` only.
pub(crate) type Pass<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

/// The seconds of each pass, by its name.
pub(crate) fn best_of(rounds: usize, passes: &[Pass<'_>]) -> impl Fn(&str) -> f64 + use<> {
    let mut best = HashMap::new();
    for _ in 0..rounds {
        for (name, pass) in passes {
            let start = Instant::now();
            black_box(pass());
            let time = best.entry(*name).or_insert(Duration::MAX);
            *time = start.elapsed().min(*time);
        }
    }
    move |name| best.get(name).map_or(f64::NAN, Duration::as_secs_f64)
}
