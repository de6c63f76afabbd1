//! [`Turns`]: a value that several threads use, one after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::prelude::*;

/// A value that one thread uses at a time, without the GIL. Others wait for it.
///
/// Reading calls functions of the caller and handlers of signals. If these used the same value, the thread would wait for
/// itself, so they get an error.
pub(crate) struct Turns<T> {
    value: Mutex<T>,
    user: Mutex<Option<ThreadId>>,
}

/// The error for a thread that is already using the value.
pub(crate) struct InUse;

impl<T: Send> Turns<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            user: Mutex::new(None),
        }
    }

    /// Waits for the turn of this thread, and calls `look` with the value.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&mut T) -> R + Send,
    ) -> Result<R, InUse> {
        let this = thread::current().id();
        if *lock(&self.user) == Some(this) {
            return Err(InUse);
        }
        py.detach(|| {
            let mut value = lock(&self.value);
            *lock(&self.user) = Some(this);
            let _turn = Turn(&self.user);
            Ok(look(&mut value))
        })
    }
}

/// The turn of a thread. It also ends if the thread panics.
struct Turn<'a>(&'a Mutex<Option<ThreadId>>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
