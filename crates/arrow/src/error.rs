//! [`Error`]: why a call failed.

use arrow_schema::ArrowError;

use crate::skipped::Skipped;
use crate::source_name::{SourceName, message};

/// An error that a [`BatchDecoder`](crate::BatchDecoder) cannot return as a row. Converted into an `ArrowError`, it is
/// an [`ExternalError`](ArrowError::ExternalError) that contains this error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read any further, or breaks a rule that its policy denies, and
    /// [`Fatal::Raise`](crate::Fatal::Raise) is set. The rows before the error have been returned.
    #[error("{}{}", prefix(.source_name.as_ref()), error_text(.error))]
    Sitemap {
        /// The name of the file, if it has one.
        source_name: Option<SourceName>,
        /// The error that ended it.
        error: quick_sitemap::Error,
    },
    /// A file was read to its end without returning an entry, and [`Fatal::Raise`](crate::Fatal::Raise) is set.
    #[error("{}{}", prefix(.source_name.as_ref()), no_entries_text(*.skipped))]
    NoEntries {
        /// The name of the file, if it has one.
        source_name: Option<SourceName>,
        /// The number of skipped entries; 0 if the file lists nothing.
        skipped: Skipped,
    },
    /// [`begin`](crate::BatchDecoder::begin) was called while the previous file still has rows: call
    /// [`next_batch`](crate::BatchDecoder::next_batch) until it returns `None`, after
    /// [`finish`](crate::BatchDecoder::finish).
    #[error("the file before has not been read to its end")]
    Unfinished,
    /// The name of a file is longer than 64 KiB. (The name is in every row, so long names would use much memory.)
    #[error("the name of a file has {0} bytes, more than 65,536")]
    NameTooLong(usize),
    /// Arrow rejected the arrays.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

impl Error {
    /// Returns the kind of the error, as in [`Column::Kind`](crate::Column::Kind): the name of a sitemap's error, `no-entries`,
    /// `unfinished`, `name-too-long` or `arrow`.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Sitemap { error, .. } => error.kind().name(),
            Self::NoEntries { .. } => NO_ENTRIES,
            Self::Unfinished => "unfinished",
            Self::NameTooLong(_) => "name-too-long",
            Self::Arrow(_) => "arrow",
        }
    }
}

/// The kind of the error that a file has no entries.
pub(crate) const NO_ENTRIES: &str = "no-entries";

/// The text of an error in a row.
pub(crate) fn error_text(error: &quick_sitemap::Error) -> String {
    message(&format!("{error:#}"))
}

/// The text of a row for a file without entries.
pub(crate) fn no_entries_text(skipped: Skipped) -> String {
    match skipped.count {
        0 => "no entries".to_owned(),
        _ => format!("no entries; {skipped}"),
    }
}

fn prefix(source: Option<&SourceName>) -> String {
    source.map_or_else(String::new, |source| format!("{source}: "))
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        match error {
            Error::Arrow(error) => error,
            error => Self::ExternalError(Box::new(error)),
        }
    }
}
