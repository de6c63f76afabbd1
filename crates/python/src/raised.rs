//! [`Raised`]: an exception of a function of the caller that the library calls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

/// The library cannot return an exception, so it is kept here and raised as soon as the library has returned.
#[derive(Default)]
pub(crate) struct Raised(Mutex<Option<PyErr>>);

impl Raised {
    fn lock(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_some(&self) -> bool {
        self.lock().is_some()
    }

    /// Keeps the first exception.
    pub(crate) fn keep(&self, error: PyErr) {
        self.lock().get_or_insert(error);
    }

    /// Raises the exception, if there is one.
    pub(crate) fn check(&self) -> PyResult<()> {
        self.lock().take().map_or(Ok(()), Err)
    }
}
