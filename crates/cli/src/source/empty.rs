//! Inputs without entries, for the message about an empty result.

use std::fmt::Display;

use crate::term::count::Count;
use crate::term::messages::Messages;

/// Inputs that are named; the others are counted.
const NAMED: u64 = 5;

/// Files and other inputs that were read to their end and have no entries, not even ones that cannot be used.
#[derive(Debug, Default)]
pub(crate) struct Empty(u64);

impl Empty {
    /// Counts one more, and names it if it is among the first.
    pub(crate) fn add(&mut self, name: impl Display, messages: &Messages) {
        self.0 += 1;
        if self.0 <= NAMED {
            messages.note(format_args!("{name} has no entries"));
        }
    }

    /// Prints how many were not named.
    pub(crate) fn finish(self, messages: &Messages) {
        match self.0.saturating_sub(NAMED) {
            0 => {}
            1 => messages.note("1 more input has no entries"),
            more => messages.note(format_args!(
                "{} have no entries",
                Count(more, "more input")
            )),
        }
    }
}
