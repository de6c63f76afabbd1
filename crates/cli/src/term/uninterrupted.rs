//! The replacement of [`interrupt`](crate::term::interrupt) in a program that only reads files: Ctrl-C ends it.

use std::fmt;

#[expect(clippy::unnecessary_wraps, reason = "as where signals are caught")]
pub(crate) fn catch_while_reading(_sentence: &'static str) -> anyhow::Result<()> {
    Ok(())
}

pub(crate) fn is_requested() -> bool {
    false
}

pub(crate) fn check() -> Result<(), Interrupted> {
    Ok(())
}

/// Never made.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}
