//! The settings that a `ReaderBuilder` passes to a decoder, and the callback for issues.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

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
            excerpts: false,
        }
    }
}

/// The callback for issues. Readers made from clones of one builder share it, possibly in several threads.
#[derive(Clone)]
pub(crate) struct OnIssue(Arc<Mutex<Call>>);

type Call = dyn FnMut(&Issue) + Send;

impl OnIssue {
    pub(crate) fn new(call: impl FnMut(&Issue) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(call)))
    }

    pub(crate) fn call(&self, issue: &Issue) {
        // The lock is poisoned if the callback panicked in another reader. That reader has passed the panic on to its
        // caller, so the callback can still be called here.
        let mut call = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (*call)(issue);
    }
}

impl fmt::Debug for OnIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnIssue")
    }
}
