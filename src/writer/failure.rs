//! The error that stopped a writer.

use std::io;

use crate::error::{Error, ErrorKind};

/// The error that stopped a writer, which every later call returns again.
#[derive(Debug, Clone)]
pub(crate) struct WriteFailure(io::ErrorKind, String);

impl WriteFailure {
    pub(crate) fn of(error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Io(error) => Self(error.kind(), error.to_string()),
            _ => Self(io::ErrorKind::Other, error.to_string()),
        }
    }

    /// The failure during a call into code of the caller; replaced when the call returns.
    pub(crate) fn panic() -> Self {
        Self(io::ErrorKind::Other, "the output panicked".to_owned())
    }

    #[cold]
    pub(crate) fn again(&self) -> Error {
        io::Error::new(self.0, self.1.clone()).into()
    }
}
