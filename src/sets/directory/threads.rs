//! The threads that compress parts and wait for the disk.

use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Starts a thread for each task, and lets at most `most` of them work at the same time.
pub(super) struct Threads {
    most: usize,
    busy: Mutex<usize>,
    freed: Condvar,
}

impl Threads {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            busy: Mutex::new(0),
            freed: Condvar::new(),
        })
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Starts a task as soon as a thread is free.
    pub(super) fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Task<T>> {
        let busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |busy: &mut usize| *busy >= self.most;
        let busy = self.freed.wait_while(busy, is_full);
        *busy.unwrap_or_else(PoisonError::into_inner) += 1;
        let busy = Busy(Arc::clone(self));
        let thread = Builder::new().name("quick-sitemap".to_owned());
        let thread = thread.spawn(move || {
            let _busy = busy;
            work()
        });
        Ok(Task(Some(thread?)))
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Threads").field(&self.most).finish()
    }
}

/// One of the threads that are busy. It is free again when this is dropped, also if its task has panicked.
struct Busy(Arc<Threads>);

impl Drop for Busy {
    fn drop(&mut self) {
        let busy = self.0.busy.lock();
        *busy.unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

/// A task that a thread does. Dropping it waits for its end.
#[derive(Debug)]
pub(super) struct Task<T>(Option<JoinHandle<T>>);

impl<T> Task<T> {
    /// # Errors
    ///
    /// The task has panicked.
    pub(super) fn wait(mut self) -> io::Result<T> {
        let result = self.0.take().and_then(|thread| thread.join().ok());
        result.ok_or_else(|| io::Error::other("a thread that writes sitemaps has panicked"))
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        let _ = self.0.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_and_a_panic_costs_one_of_them() {
        let threads = Threads::new(2);
        let results: Vec<_> = (0..100)
            .map(|number| {
                let task = threads.run(move || {
                    assert_ne!(number, 7);
                    number
                });
                task.unwrap()
            })
            .collect();
        let found: Vec<_> = results.into_iter().map(Task::wait).collect();
        for (number, found) in found.into_iter().enumerate() {
            match number {
                7 => assert!(found.unwrap_err().to_string().contains("has panicked")),
                _ => assert_eq!(found.unwrap(), number),
            }
        }
    }

    #[test]
    fn no_more_tasks_than_that_run_at_once_and_a_dropped_one_ends() {
        let threads = Threads::new(3);
        let (at_work, done) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        for _ in 0..10 {
            let tasks: Vec<_> = (0..5)
                .map(|_| {
                    let (at_work, done) = (Arc::clone(&at_work), Arc::clone(&done));
                    threads.run(move || {
                        *at_work.lock().unwrap() += 1;
                        assert!(*at_work.lock().unwrap() <= 3);
                        std::thread::yield_now();
                        *at_work.lock().unwrap() -= 1;
                        *done.lock().unwrap() += 1;
                    })
                })
                .collect();
            drop(tasks);
        }
        assert_eq!(*done.lock().unwrap(), 50);
    }
}
