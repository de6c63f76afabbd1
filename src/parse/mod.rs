//! A document's text, turned into entries on the tape: XML, feeds and plain text.
//!
//! An error of a parser is always fatal. All other violations are reported to the [`Report`](crate::report::Report),
//! and parsing continues; the policy judges them when the entry is complete.
//!
//! Several files deal with what a document begins with, because more is to be found out than its format:
//!
//! | file | what it finds out |
//! |---|---|
//! | `src/input/sniff.rs` | the encoding, from the bytes; a declaration is looked for in the first 1,024 of them |
//! | `src/prolog.rs` | where lines, declarations and elements begin: the scanner that `sniff`, `detect` and `declaration` share, and the table of what comments and the like begin with |
//! | `document.rs`, `Prolog` | the content that is skipped before the root, and its violations |
//! | `detect.rs` | the kind of a document that begins with content that must not be before a root |
//! | `open_elements.rs` | whether an element that is named like a root is at a place where a root can be |
//! | `declaration.rs` | whether an XML declaration follows other content, which is a violation |

pub(crate) mod ancestors;
pub(crate) mod context;
mod declaration;
pub(crate) mod detect;
pub(crate) mod document;
pub(crate) mod entry;
mod fast_path;
pub(crate) mod feed;
mod instruction;
mod open_elements;
mod recovery;
pub(crate) mod tag;
pub(crate) mod text;

use crate::error::ErrorKind;

/// The progress of a parser. Bytes count from the start of the window's text.
#[derive(Debug)]
pub(crate) enum Event {
    /// An entry is on the tape, and ends there. It begins at the start of the text.
    Entry {
        end: usize,
    },
    /// This number of bytes has been processed; their violations have been reported.
    Passed(usize),
    /// Like `Passed`, but the last of these bytes belong to a construct of this name, which begins at the start of the
    /// text and has not ended.
    Begun(&'static str, usize),
    /// The text is not XML but a list of URLs.
    IsText,
    NeedMore,
    End,
    Fatal(ErrorKind, usize),
}

/// The result of the fast path.
pub(crate) enum FastPathResult {
    /// There is an entry from here to there.
    Entry(usize, usize),
    /// There is the beginning of an entry here, of the usual shape so far. More text may show that it is one.
    NeedMore(usize),
    /// The general path must look at it.
    NotUsual,
}
