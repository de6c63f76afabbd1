//! What ends a call.

use arrow_schema::ArrowError;

/// What a [`BatchDecoder`](crate::BatchDecoder) can't give as a row. As an `ArrowError` it is an
/// [`ExternalError`](ArrowError::ExternalError) with this inside.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read any further, or holds what its policy denies, and [`Fatal::Raise`](crate::Fatal::Raise)
    /// is set. Its rows before have been given.
    #[error("{}{error:#}", name(.source_name.as_deref()))]
    Sitemap {
        /// The name of the file, if it has one.
        source_name: Option<Box<str>>,
        /// What ended it.
        error: quick_sitemap::Error,
    },
    /// [`begin`](crate::BatchDecoder::begin) while the file before has rows left: call
    /// [`next_batch`](crate::BatchDecoder::next_batch) until it gives none, after
    /// [`finish`](crate::BatchDecoder::finish).
    #[error("the file before has not been read to its end")]
    Unfinished,
    /// The name of a file is longer than 64 KiB. It stands in every row.
    #[error("the name of a file has {0} bytes, more than 65,536")]
    NameTooLong(usize),
    /// Arrow refused the arrays.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

fn name(source: Option<&str>) -> String {
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
