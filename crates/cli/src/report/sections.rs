//! Numbers by section, for a bounded number of sections.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::figures::names::OTHERS;

/// Number of sections that are distinguished.
const SECTIONS: usize = 2_000;
/// Sections of a report.
const KEPT: usize = 30;

#[derive(Debug, Default)]
pub(crate) struct Sections<V> {
    values: HashMap<String, V>,
}

impl<V: Default> Sections<V> {
    pub(crate) fn at(&mut self, section: String) -> &mut V {
        let is_full = self.values.len() >= SECTIONS && !self.values.contains_key(&section);
        let section = if is_full { OTHERS.to_owned() } else { section };
        self.values.entry(section).or_default()
    }

    /// The largest first and [`OTHERS`] last; `add` sums up the smallest if there are too many.
    pub(crate) fn largest<K: Ord>(
        self,
        size: impl Fn(&V) -> K,
        add: impl Fn(&mut V, V),
    ) -> Vec<(String, V)> {
        let mut rows: Vec<_> = self.values.into_iter().collect();
        let key = |(name, value): &(String, V)| Reverse((name != OTHERS, size(value)));
        rows.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.0.cmp(&b.0)));
        if rows.len() > KEPT {
            let rest = rows.drain(KEPT - 1..).map(|(_, value)| value);
            let others = rest.reduce(|mut sum, value| {
                add(&mut sum, value);
                sum
            });
            rows.extend(others.map(|others| (OTHERS.to_owned(), others)));
        }
        rows
    }
}
