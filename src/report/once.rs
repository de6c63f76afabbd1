//! Violations that are reported once per document.

use crate::limits::MAX_NOTED_NAMES;
use crate::violation::Rule;

/// A violation that is reported once per document. The key identifies its text, usually as a hash.
#[derive(Clone, Copy)]
pub(super) struct Once {
    pub(super) rule: Rule,
    pub(super) key: u64,
}

impl Once {
    const fn order(&self) -> (u8, u64) {
        (self.rule as u8, self.key)
    }
}

/// Returns the key of a rule that is reported only once per document, whatever its text is. Returns `None` for all other
/// rules.
pub(super) const fn once_in_document(rule: Rule) -> Option<u64> {
    match rule {
        Rule::HistoricNamespace
        | Rule::WrongCase
        | Rule::EmptyElement
        | Rule::CommentInText
        | Rule::WrappedRoot
        | Rule::TooManyEntries
        | Rule::TooManyBytes
        | Rule::TrailingGzipData => Some(0),
        _ => None,
    }
}

/// The violations that were reported.
#[derive(Default)]
pub(super) struct AlreadyNoted {
    /// In ascending order.
    all: Vec<Once>,
    /// The violations of the current item with their places. They are forgotten if the item is read again.
    current: Vec<(usize, Once)>,
}

impl AlreadyNoted {
    /// Adds a violation at a place. Returns `false` if it has been reported, or if the list is full for its rule.
    pub(super) fn add(&mut self, once: Once, at: usize) -> bool {
        let Err(place) = self.all.binary_search_by_key(&once.order(), Once::order) else {
            return false;
        };
        let alike = self.all.iter().filter(|noted| noted.rule == once.rule);
        let has_room = alike.count() < MAX_NOTED_NAMES;
        if has_room {
            self.all.insert(place, once);
            self.current.push((at, once));
        }
        has_room
    }

    /// Keeps the violations of the current item, because it is not read again.
    pub(super) fn keep(&mut self) {
        self.current.clear();
    }

    /// Removes those violations of the current item for which `is_forgotten`, given the place and the rule, returns `true`.
    pub(super) fn forget(&mut self, is_forgotten: impl Fn(usize, Rule) -> bool) {
        let all = &mut self.all;
        let is_forgotten = |(place, once): &mut (usize, Once)| is_forgotten(*place, once.rule);
        for (_, once) in self.current.extract_if(.., is_forgotten) {
            if let Ok(place) = all.binary_search_by_key(&once.order(), Once::order) {
                all.remove(place);
            }
        }
    }
}
