//! Findings that are reported once per document.

use crate::limits::MAX_NOTED_NAMES;
use crate::violation::Rule;

/// A finding that is reported once per document. Texts are represented by a key that hardly another has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Once {
    Rule(Rule),
    Namespace(u64),
    Prefix(u64),
}

impl Once {
    /// Returns `None` for a rule that is reported each time.
    pub(super) const fn of_rule(rule: Rule) -> Option<Self> {
        match rule {
            Rule::WrongCase | Rule::TooManyEntries | Rule::TooManyBytes => Some(Self::Rule(rule)),
            _ => None,
        }
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
    /// Adds a finding at a place. Returns `false` if it has been reported, or if there are too many of its kind: a longer
    /// list would not help.
    pub(super) fn add(&mut self, once: Once, at: usize) -> bool {
        let Err(place) = self.all.binary_search(&once) else {
            return false;
        };
        let kind = std::mem::discriminant(&once);
        let alike = self.all.iter().map(std::mem::discriminant);
        let has_room = alike.filter(|noted| *noted == kind).count() < MAX_NOTED_NAMES;
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
