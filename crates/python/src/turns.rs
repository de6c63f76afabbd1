//! [`Turns`]: a value that several threads use, one after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::prelude::*;

/// A value that one thread uses at a time, without the GIL. Others wait for it.
///
/// Reading calls functions of the caller and handlers of signals. These cannot use the same value, because they run in the
/// thread that uses it, which would wait for itself.
pub(crate) struct Turns<T> {
    value: Mutex<T>,
    user: Mutex<Option<ThreadId>>,
}

/// The thread is using the value already.
pub(crate) struct InUse;

impl<T: Send> Turns<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            user: Mutex::new(None),
        }
    }

    /// Looks at the value when it is this thread's turn.
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
