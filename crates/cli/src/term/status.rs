//! The exit status of every command.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// 0: done, with nothing to report.
    Success = 0,
    /// 1: done, but what was read has faults, the two sides differ, or not all could be read.
    Findings = 1,
    /// 2: wrong usage, an input that is no sitemap or cannot be read to its end, or an output that cannot be written.
    Failure = 2,
    /// 3: an alarm: so much is different that somebody has to look first.
    Alarm = 3,
    /// 130, as shells report for a program that SIGINT has ended: what was done until then is whole.
    Interrupted = 130,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}
