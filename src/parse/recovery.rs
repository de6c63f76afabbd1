//! The search for the place where reading continues after an entry that could not be read.

use memchr::memchr;

use crate::tape::dialect::{Dialect, ends_root};
use crate::text::span::TakePart;
use crate::xml::lexer::{is_space, local_part, name_at};

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// There the next entry or the root's end tag begins.
    Here(usize),
    /// Not in these bytes; they need not be kept.
    NotIn(usize),
}

/// No prefix is longer: a `<` with a longer name begins no entry.
const LONGEST_NAME: usize = 256;

/// Looks for `<`, an optional prefix, an entry's name and what may follow a name; or the root's end tag.
/// Comments and CDATA are looked into: what is broken may have opened them. `is_all`: no more text will come.
pub(crate) fn find_entry(text: &str, dialect: Dialect, root: &str, is_all: bool) -> Found {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(i) = memchr(b'<', bytes.part(at..)) {
        let start = at + i;
        let is_end = bytes.get(start + 1) == Some(&b'/');
        let name_start = start + 1 + usize::from(is_end);
        let name = name_at(text, name_start);
        let is_short = name.len() <= LONGEST_NAME;
        let Some(next) = bytes.get(name_start + name.len()) else {
            let may_go_on = is_short && !is_all;
            return Found::NotIn(if may_go_on { start } else { text.len() });
        };
        let is_ended = is_space(*next) || matches!(next, b'/' | b'>');
        let is_found = if is_end {
            ends_root(name, root)
        } else {
            dialect.entry(local_part(name)).is_some()
        };
        if is_ended && is_short && is_found {
            return Found::Here(start);
        }
        at = start + 1;
    }
    Found::NotIn(text.len())
}

/// Keeps reading linear where entries fail again and again inside of what an earlier one failed over.
#[derive(Debug, Default)]
pub(crate) struct RetryBudget {
    failed_until: u64,
    retries: u32,
}

/// So often the same bytes may be looked at in vain.
const RETRIES: u32 = 16;

impl RetryBudget {
    /// An entry at `start` failed; `failed` is the position up to which it had been read. Returns the place to continue
    /// from, if it is not directly after its start tag.
    pub(crate) fn failed(&mut self, start: u64, failed: u64) -> Option<u64> {
        if start >= self.failed_until {
            self.retries = 0;
        }
        self.retries += 1;
        self.failed_until = self.failed_until.max(failed);
        if self.retries <= RETRIES {
            return None;
        }
        self.retries = 0;
        Some(self.failed_until)
    }
}

#[cfg(test)]
mod tests {
    use super::{RETRIES, RetryBudget};

    /// Entries that fail one in the other are looked at so often; then what was looked at is passed.
    #[test]
    fn the_same_bytes_are_not_looked_at_for_ever() {
        let mut budget = RetryBudget::default();
        for round in 0..3 {
            for start in 0..u64::from(RETRIES) {
                assert_eq!(
                    budget.failed(start, 1_000),
                    None,
                    "{start} in round {round}"
                );
            }
            assert_eq!(budget.failed(20, 900), Some(1_000), "round {round}");
        }
    }

    /// Entries that fail one after another cost nothing of it.
    #[test]
    fn other_bytes_are_looked_at_anew() {
        let mut budget = RetryBudget::default();
        for entry in 0..u64::from(10 * RETRIES) {
            assert_eq!(
                budget.failed(100 * entry, 100 * entry + 100),
                None,
                "{entry}"
            );
        }
    }
}
