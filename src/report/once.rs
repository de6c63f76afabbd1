//! Findings that are reported once per document.

use crate::limits::MAX_NOTED_NAMES;
use crate::violation::Rule;

/// A finding that is reported once per document. Texts are represented by a key that hardly another has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Once {
    pub(super) rule: Rule,
    pub(super) key: u64,
}

/// The key of a rule that is reported once, whatever was found. `None` for a rule that is reported each time.
pub(super) const fn once_in_document(rule: Rule) -> Option<u64> {
    match rule {
        Rule::HistoricNamespace
        | Rule::WrongCase
        | Rule::WrappedRoot
        | Rule::TooManyEntries
        | Rule::TooManyBytes
        | Rule::TrailingGzipData => Some(0),
        _ => None,
    }
}

/// The findings that were reported.
#[derive(Default)]
pub(super) struct AlreadyNoted {
    /// In ascending order.
    all: Vec<Once>,
    /// Those of the current item, which may be read again, with their places.
    current: Vec<(usize, Once)>,
}

impl AlreadyNoted {
    /// Adds a finding at a place. Returns `false` if it has been reported, or if there are too many of its rule: a longer
    /// list would not help.
    pub(super) fn add(&mut self, once: Once, at: usize) -> bool {
        let Err(place) = self.all.binary_search(&once) else {
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

    /// Keeps the findings of the current item, because it is not read again.
    pub(super) fn keep(&mut self) {
        self.current.clear();
    }

    /// Removes the findings of the current item at and after `at`.
    pub(super) fn forget_from(&mut self, at: usize) {
        let all = &mut self.all;
        for (_, once) in self.current.extract_if(.., |(place, _)| *place >= at) {
            if let Ok(place) = all.binary_search(&once) {
                all.remove(place);
            }
        }
    }
}
