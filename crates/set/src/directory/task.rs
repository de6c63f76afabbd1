//! Work that another thread does.

use std::io;
use std::thread::{Builder, JoinHandle};

pub(super) type Task<T> = JoinHandle<io::Result<T>>;

/// # Errors
///
/// If the system has no thread for it.
pub(super) fn start<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<Task<T>> {
    Builder::new().name("quick-sitemap".to_owned()).spawn(work)
}

/// Waits for the end of the work.
pub(super) fn wait<T>(task: Task<T>) -> io::Result<T> {
    let panicked = |_| io::Error::other("a thread that writes sitemaps has panicked");
    task.join().map_err(panicked)?
}
