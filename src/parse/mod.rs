//! A document's text, turned into entries on the tape: XML, feeds and plain text.
//!
//! An error of a parser is always fatal. Everything else that is wrong it reports to the [`Report`](crate::report::Report),
//! and goes on; the policy judges it when the entry is whole.
//!
//! Several files deal with what a document begins with, because more is to be found out than its format:
//!
//! | file | what it finds out |
//! |---|---|
//! | `src/input/sniff.rs` | the encoding, from the bytes; a declaration is looked for in the first 1,024 of them |
//! | `src/prolog.rs` | where lines, declarations and elements begin: the scanner that `sniff`, `detect` and `declaration` share, and the table of what comments and the like begin with |
//! | `document.rs`, `Prolog` | what is passed over before the root, and what is reported of it |
//! | `detect.rs` | what the document is, where it begins with something that may not stand before a root |
//! | `open_elements.rs` | whether an element that is named like a root stands where a root may stand |
//! | `declaration.rs` | whether an XML declaration follows on something else, which is a fault of its own |

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

/// How far a parser has come. Bytes count from the start of the window's text.
#[derive(Debug)]
pub(crate) enum Event {
    /// An entry is on the tape, and ends there. It begins at the start of the text.
    Entry {
        end: usize,
    },
    /// So many bytes are dealt with; what was found wrong in them has been reported.
    Passed(usize),
    /// The same, but the last of them belong to a construct of this name, which begins at the start of the text and has not
    /// ended.
    Begun(&'static str, usize),
    /// The text is no XML but a list of URLs.
    IsText,
    NeedMore,
    End,
    Fatal(ErrorKind, usize),
}

/// How far the fast path got.
pub(crate) enum Tried {
    /// There is an entry from here to there.
    Entry(usize, usize),
    /// There is the beginning of an entry here, of the usual shape so far. More text may show that it is one.
    Cut(usize),
    /// The general path must look at it.
    Unknown,
}
