//! Numbers by section, for a bounded number of sections.

use std::collections::HashMap;

use crate::figures::names::{OTHERS, largest};

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

    /// The largest first; `add` sums up the others.
    pub(crate) fn largest<K: Ord>(
        self,
        size: impl Fn(&V) -> K,
        add: impl Fn(&mut V, V),
    ) -> Vec<(String, V)> {
        largest(self.values, KEPT, size, add)
    }
}
