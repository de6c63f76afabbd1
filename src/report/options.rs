//! The settings that a `ReaderBuilder` passes to a decoder, and the callbacks.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::MALFORMED;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_ENTRY_BYTES};
use crate::value::location::Location;
use crate::violation::{Issue, Policy};

/// The settings of a `ReaderBuilder`, which documents each of them.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) policy: Policy,
    pub(crate) location: Location,
    pub(crate) max_bytes: u64,
    pub(crate) max_entry_bytes: usize,
    /// The label of the encoding of documents that do not name one.
    pub(crate) charset: Option<String>,
    pub(crate) on_issue: Option<OnIssue>,
    pub(crate) on_text: Option<OnText>,
    pub(crate) excerpts: bool,
}

impl Options {
    pub(crate) const fn new() -> Self {
        Self {
            policy: Policy::LENIENT,
            location: Location::new(),
            max_bytes: DEFAULT_MAX_BYTES,
            max_entry_bytes: DEFAULT_MAX_ENTRY_BYTES,
            charset: None,
            on_issue: None,
            on_text: None,
            excerpts: false,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("policy", &self.policy)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

/// The callback for issues. Readers made from clones of one builder share it, possibly in several threads.
pub(crate) type OnIssue = Arc<Mutex<dyn FnMut(&Issue) + Send>>;
/// The callback for the decoded text, which is shared in the same way.
pub(crate) type OnText = Arc<Mutex<dyn FnMut(TextPiece<'_>) + Send>>;

/// Calls a callback. The lock is poisoned if the callback panicked in another reader. That reader has passed the panic on
/// to its caller, so the callback can still be called here.
pub(crate) fn with<F: ?Sized>(callback: &Mutex<F>, call: impl FnOnce(&mut F)) {
    call(&mut *callback.lock().unwrap_or_else(PoisonError::into_inner));
}

/// A piece of the decoded text of a document, for [`ReaderBuilder::on_text`](crate::ReaderBuilder::on_text).
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPiece<'t> {
    /// Text, which is never empty.
    Text(&'t str),
    /// A sequence of bytes that is not valid in the encoding of the document. [`Position`](crate::Position) counts it
    /// as one character of three bytes. The noncharacter U+FFFF, which XML forbids, is reported in the same way.
    BadBytes,
}

impl<'t> TextPiece<'t> {
    /// The pieces of decoded text, in which a character represents bytes that are not in the encoding.
    pub(crate) fn all_of(decoded: &'t str) -> impl Iterator<Item = Self> {
        // Most text has not even a byte of that character, and to search for a byte takes a tenth of the time.
        let first = memchr::memchr(0xEF, decoded.as_bytes()).unwrap_or(decoded.len());
        let (clean, rest) = decoded.split_at_checked(first).unwrap_or((decoded, ""));
        let texts = rest.split(MALFORMED).map(Self::Text);
        let all = texts.flat_map(|text| [Self::BadBytes, text]).skip(1);
        let all = std::iter::once(Self::Text(clean)).chain(all);
        all.filter(|piece| *piece != Self::Text(""))
    }
}
