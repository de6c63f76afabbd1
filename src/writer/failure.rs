//! The error that stopped a writer.

use std::io;

use crate::error::{Error, ErrorKind};

/// The error that stopped a writer, which every later call returns again.
#[derive(Debug, Clone)]
pub(crate) struct WriteFailure {
    kind: io::ErrorKind,
    message: String,
}

impl WriteFailure {
    pub(crate) fn of(error: &Error) -> Self {
        let (kind, message) = match error.kind() {
            ErrorKind::Io(error) => (error.kind(), error.to_string()),
            _ => (io::ErrorKind::Other, error.to_string()),
        };
        Self { kind, message }
    }

    /// The failure that is set while code is called that may panic.
    pub(crate) fn panic() -> Self {
        Self {
            kind: io::ErrorKind::Other,
            message: "the output panicked".to_owned(),
        }
    }

    #[cold]
    pub(crate) fn again(&self) -> Error {
        io::Error::new(self.kind, self.message.clone()).into()
    }
}
