//! Numbers by section, for a bounded number of sections.

use std::collections::HashMap;

use crate::figures::names::OTHERS;

/// Number of sections that are distinguished.
const SECTIONS: usize = 2_000;
/// Sections of a report.
pub(super) const KEPT: usize = 30;

#[derive(Debug)]
pub(super) struct Sections<V> {
    values: HashMap<String, V>,
}

impl<V> Default for Sections<V> {
    fn default() -> Self {
        Self {
            values: HashMap::new(),
        }
    }
}

impl<V: Clone + Default> Sections<V> {
    pub(super) fn at(&mut self, section: String) -> &mut V {
        let is_full = self.values.len() >= SECTIONS && !self.values.contains_key(&section);
        let section = if is_full { OTHERS.to_owned() } else { section };
        self.values.entry(section).or_default()
    }

    /// The largest first; `add` sums up the others.
    pub(super) fn largest<K: Ord>(
        self,
        size: impl Fn(&V) -> K,
        add: impl Fn(&mut V, V),
    ) -> Vec<(String, V)> {
        let mut values: Vec<_> = self.values.into_iter().collect();
        values.sort_by(|(a_name, a), (b_name, b)| {
            // The others are last.
            let key = |name: &str, value: &V| (name != OTHERS, size(value));
            key(b_name, b)
                .cmp(&key(a_name, a))
                .then_with(|| a_name.cmp(b_name))
        });
        if values.len() > KEPT {
            let mut others = V::default();
            for (_, value) in values.drain(KEPT - 1..) {
                add(&mut others, value);
            }
            values.push((OTHERS.to_owned(), others));
        }
        values
    }
}
