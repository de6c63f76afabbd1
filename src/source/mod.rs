//! Sources turn the window's text into entries on the tape. They fail only fatally:
//! what else is wrong they report as flaws, which are judged once the entry is whole.

mod ancestors;
pub(crate) mod detect;
pub(crate) mod dialect;
pub(crate) mod feed;
pub(crate) mod text;

use crate::error::ErrorKind;

/// How far a source has come. Bytes count from the start of the window's text.
#[derive(Debug)]
pub(crate) enum Event {
    /// An entry is on the tape; it begins and ends there, and its offsets count from its start.
    /// `skipped`: its markup costs it, the tape is of no use.
    Entry {
        start: usize,
        end: usize,
        skipped: bool,
    },
    /// So many bytes are dealt with; what was found wrong in them has been reported.
    Passed(usize),
    /// The text is no XML but a list of URLs.
    IsText,
    NeedMore,
    End,
    Fatal(ErrorKind, usize),
}
