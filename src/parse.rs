//! A document's text, turned into entries on the tape: XML, feeds and plain text.
//!
//! An error of a parser is always fatal. All other violations are reported to the [`Report`](crate::report::Report),
//! and parsing continues; the policy judges them when the entry is complete.

pub(crate) mod ancestors;
pub(crate) mod context;
pub(crate) mod document;
pub(crate) mod entry;
pub(crate) mod feed;
mod frame;
mod head;
mod instruction;
pub(crate) mod parser;
mod plain;
mod recovery;
pub(crate) mod tag;
pub(crate) mod text;

use crate::error::ErrorKind;

/// The progress of a parser. Bytes count from the start of the window's text.
#[derive(Debug)]
pub(crate) enum Event {
    /// An entry is on the tape, and ends there. It begins at the start of the text.
    Entry(usize),
    /// This number of bytes has been processed; their violations have been reported.
    Passed(usize),
    /// Like `Passed`, but the last of these bytes belong to a construct that has not ended: its name, its start, the bytes.
    Begun(&'static str, usize, usize),
    NeedMore,
    End,
    Fatal(ErrorKind, usize),
}
