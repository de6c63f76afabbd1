//! The settings that a `ReaderBuilder` passes to a decoder, and the callbacks.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::MALFORMED;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_ENTRY_BYTES};
use crate::value::location::Location;
use crate::violation::{Issue, Policy};

/// The settings of a `ReaderBuilder`, which documents each of them.
#[derive(Debug, Clone)]
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

/// A callback. Readers made from clones of one builder share it, possibly in several threads.
struct Callback<F: ?Sized>(Arc<Mutex<F>>);

impl<F: ?Sized> Callback<F> {
    fn with(&self, call: impl FnOnce(&mut F)) {
        // The lock is poisoned if the callback panicked in another reader. That reader has passed the panic on to its
        // caller, so the callback can still be called here.
        call(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<F: ?Sized> Clone for Callback<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: ?Sized> fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// The callback for issues.
#[derive(Debug, Clone)]
pub(crate) struct OnIssue(Callback<dyn FnMut(&Issue) + Send>);

impl OnIssue {
    pub(crate) fn new(call: impl FnMut(&Issue) + Send + 'static) -> Self {
        Self(Callback(Arc::new(Mutex::new(call))))
    }

    pub(crate) fn call(&self, issue: &Issue) {
        self.0.with(|call| call(issue));
    }
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

/// The callback for the decoded text.
#[derive(Debug, Clone)]
pub(crate) struct OnText(Callback<dyn FnMut(TextPiece<'_>) + Send>);

impl OnText {
    pub(crate) fn new(call: impl FnMut(TextPiece<'_>) + Send + 'static) -> Self {
        Self(Callback(Arc::new(Mutex::new(call))))
    }

    /// Passes on decoded text, in which a character represents bytes that are not in the encoding.
    pub(crate) fn call(&self, decoded: &str) {
        self.0.with(|call| {
            for (number, text) in decoded.split(MALFORMED).enumerate() {
                if number > 0 {
                    call(TextPiece::BadBytes);
                }
                if !text.is_empty() {
                    call(TextPiece::Text(text));
                }
            }
        });
    }
}
