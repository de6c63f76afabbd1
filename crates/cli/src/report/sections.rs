//! Numbers by section, for a bounded number of sections.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::figures::names::OTHERS;
use crate::net::spelling::without_www;

/// Number of sections that are distinguished.
const SECTIONS: usize = 2_000;
/// Sections of a report.
const KEPT: usize = 30;

/// `N` numbers for each section. A section is the same one with `www.` and without.
#[derive(Debug, Default)]
pub(crate) struct Sections<const N: usize> {
    /// The name as it was last written, and the numbers.
    values: HashMap<String, (String, [u64; N])>,
}

impl<const N: usize> Sections<N> {
    pub(crate) fn at(&mut self, section: String) -> &mut [u64; N] {
        let key = |name: &str| without_www(name).to_owned();
        let is_full = self.values.len() >= SECTIONS && !self.values.contains_key(&key(&section));
        let section = if is_full { OTHERS.to_owned() } else { section };
        let (name, numbers) = self
            .values
            .entry(key(&section))
            .or_insert((String::new(), [0; N]));
        *name = section;
        numbers
    }

    /// The largest first, and the sum of the smallest last if there are too many.
    pub(crate) fn largest<K: Ord>(self, size: impl Fn(&[u64; N]) -> K) -> Vec<(String, [u64; N])> {
        let mut rows: Vec<_> = self.values.into_values().collect();
        let key = |(name, numbers): &(String, [u64; N])| Reverse((name != OTHERS, size(numbers)));
        rows.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.0.cmp(&b.0)));
        if rows.len() > KEPT {
            let mut others = [0; N];
            for (_, numbers) in rows.drain(KEPT - 1..) {
                for (sum, number) in others.iter_mut().zip(numbers) {
                    *sum += number;
                }
            }
            rows.push((OTHERS.to_owned(), others));
        }
        rows
    }
}
