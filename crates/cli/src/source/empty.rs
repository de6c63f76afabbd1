//! Inputs without entries, for the message about an empty result.

use std::fmt::Display;

use crate::term::count::{Count, First};
use crate::term::messages::Messages;

/// Files and other inputs that were read to their end and have no entries, not even ones that cannot be used.
#[derive(Debug, Default)]
pub(crate) struct Empty(First);

impl Empty {
    /// Counts one more, and names it if it is among the first.
    pub(crate) fn add(&mut self, name: impl Display, messages: &Messages) {
        if self.0.names() {
            messages.note(format_args!("{name} has no entries"));
        }
    }

    /// Prints how many were not named.
    pub(crate) fn finish(self, messages: &Messages) {
        match self.0.more() {
            0 => {}
            1 => messages.note("1 more input has no entries"),
            more => messages.note(format_args!(
                "{} have no entries",
                Count(more, "more input")
            )),
        }
    }
}
