//! A document's text, turned into entries on the tape: XML, feeds and plain text.
//!
//! A parser fails only fatally. Whatever else is wrong it reports as a flaw, which is judged once the entry is whole.

pub(crate) mod ancestors;
pub(crate) mod context;
mod declaration;
pub(crate) mod detect;
pub(crate) mod document;
pub(crate) mod entry;
mod fast_path;
pub(crate) mod feed;
mod open_elements;
mod recovery;
pub(crate) mod tag;
pub(crate) mod text;

use crate::error::ErrorKind;

/// How far a parser has come. Bytes count from the start of the window's text.
#[derive(Debug)]
pub(crate) enum Event {
    /// An entry is on the tape, and ends there. It begins at the start of the text.
    Entry {
        end: usize,
    },
    /// So many bytes are dealt with; what was found wrong in them has been reported.
    Passed(usize),
    /// The text is no XML but a list of URLs.
    IsText,
    NeedMore,
    End,
    Fatal(ErrorKind, usize),
}
