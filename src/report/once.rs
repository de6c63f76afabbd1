//! Violations that are reported once per document.

use std::collections::BTreeSet;

use crate::limits::MAX_NOTED_NAMES;
use crate::violation::Rule;

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

/// The violations that were reported: the number of the rule, and a key that identifies the text, usually as a hash.
#[derive(Default)]
pub(super) struct AlreadyNoted {
    all: BTreeSet<(u8, u64)>,
    /// The violations of the current item with their places. They are forgotten if the item is read again.
    current: Vec<(usize, Rule, u64)>,
}

impl AlreadyNoted {
    /// Adds a violation at a place. Returns `false` if it has been reported, or if the list is full for its rule.
    pub(super) fn add(&mut self, rule: Rule, key: u64, at: usize) -> bool {
        let number = rule as u8;
        let alike = || self.all.range((number, 0)..=(number, u64::MAX)).count();
        let is_new = !self.all.contains(&(number, key)) && alike() < MAX_NOTED_NAMES;
        if is_new {
            self.all.insert((number, key));
            self.current.push((at, rule, key));
        }
        is_new
    }

    /// Keeps the violations of the current item, because it is not read again.
    pub(super) fn keep(&mut self) {
        self.current.clear();
    }

    /// Removes those violations of the current item for which `is_forgotten`, given the place and the rule, returns `true`.
    pub(super) fn forget(&mut self, is_forgotten: impl Fn(usize, Rule) -> bool) {
        self.current.retain(|(place, rule, key)| {
            let is_kept = !is_forgotten(*place, *rule);
            if !is_kept {
                self.all.remove(&(*rule as u8, *key));
            }
            is_kept
        });
    }
}
