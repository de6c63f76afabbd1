//! The threads that compress parts and wait for the disk.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run tasks in the order in which they were added.
#[derive(Debug)]
pub(super) struct Pool {
    queue: Arc<Signal<Queue>>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// No more tasks will come.
    is_closed: bool,
}

/// A value that threads wait for. The channels of the standard library do the same, but are a twentieth of this crate's
/// code when it is compiled.
#[derive(Default)]
struct Signal<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Signal<T> {
    fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.value.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }

    /// Waits while there is nothing to take.
    fn take<U>(&self, mut take: impl FnMut(&mut T) -> Option<U>) -> U {
        let mut value: MutexGuard<'_, T> =
            self.value.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(taken) = take(&mut value) {
                return taken;
            }
            value = self
                .changed
                .wait(value)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> std::fmt::Debug for Signal<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signal").finish_non_exhaustive()
    }
}

impl Pool {
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let mut pool = Self {
            queue: Arc::default(),
            threads: Vec::with_capacity(threads),
        };
        for _ in 0..threads {
            let queue = Arc::clone(&pool.queue);
            let thread = Builder::new()
                .name("quick-sitemap".to_owned())
                .spawn(move || work_off(&queue))?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Adds a task. Its result can be waited for; that fails if `work` panics.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Pending<T> {
        let result = Arc::new(Signal {
            value: Mutex::new(None),
            changed: Condvar::new(),
        });
        let pending = Pending(Arc::clone(&result));
        let job: Job = Box::new(move || {
            let done = catch_unwind(AssertUnwindSafe(work)).ok();
            result.change(|value| *value = Some(done));
        });
        self.queue.change(|queue| queue.jobs.push_back(job));
        pending
    }
}

fn work_off(queue: &Signal<Queue>) {
    let next = |queue: &mut Queue| match queue.jobs.pop_front() {
        Some(job) => Some(Some(job)),
        None => queue.is_closed.then_some(None),
    };
    while let Some(job) = queue.take(next) {
        job();
    }
    // Wakes the next thread, which must see the end, too.
    queue.changed.notify_one();
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.change(|queue| queue.is_closed = true);
        while let Some(thread) = self.threads.pop() {
            let _ = thread.join();
        }
    }
}

/// The result of a task of a [`Pool`]: `Some(None)` if the task has panicked.
#[derive(Debug)]
pub(super) struct Pending<T>(Arc<Signal<Option<Option<T>>>>);

impl<T> Pending<T> {
    pub(super) fn wait(self) -> io::Result<T> {
        let panicked = || io::Error::other("a thread that writes sitemaps has panicked");
        self.0.take(Option::take).ok_or_else(panicked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_and_a_panic_costs_one_of_them() {
        let pool = Pool::new(2).unwrap();
        let results: Vec<_> = (0..100)
            .map(|number| {
                pool.run(move || {
                    assert_ne!(number, 7);
                    number
                })
            })
            .collect();
        let found: Vec<_> = results.into_iter().map(Pending::wait).collect();
        for (number, found) in found.into_iter().enumerate() {
            match number {
                7 => assert!(found.unwrap_err().to_string().contains("has panicked")),
                _ => assert_eq!(found.unwrap(), number),
            }
        }
    }

    /// All jobs that were added are done before the pool ends, even if no thread waits for their results.
    #[test]
    fn a_dropped_pool_ends_its_tasks() {
        let done = Arc::new(Mutex::new(0));
        let pool = Pool::new(3).unwrap();
        for _ in 0..50 {
            let done = Arc::clone(&done);
            drop(pool.run(move || *done.lock().unwrap() += 1));
        }
        drop(pool);
        assert_eq!(*done.lock().unwrap(), 50);
    }
}
