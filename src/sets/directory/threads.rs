//! The threads that compress blocks of a part and wait for the disk.

use std::collections::VecDeque;
use std::io;
use std::thread::{Builder, JoinHandle};

/// Tasks that run at the same time, at most `most` of them, and whose results come back in the order in which they were
/// begun. Dropping them waits for their ends.
#[derive(Debug)]
pub(super) struct Tasks<T> {
    most: usize,
    at_work: VecDeque<JoinHandle<T>>,
}

impl<T: Send + 'static> Tasks<T> {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            at_work: VecDeque::new(),
        }
    }

    /// Starts a thread for the task, or does it at once if there can be only one. Returns the result of the oldest task
    /// if that had to make room.
    pub(super) fn run(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Option<T>> {
        if self.most < 2 {
            return Ok(Some(work()));
        }
        let oldest = if self.at_work.len() < self.most {
            None
        } else {
            self.next()?
        };
        let thread = Builder::new().name("quick-sitemap".to_owned());
        self.at_work.push_back(thread.spawn(work)?);
        Ok(oldest)
    }
}

impl<T> Tasks<T> {
    /// Waits for the oldest task. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// The task has panicked.
    pub(super) fn next(&mut self) -> io::Result<Option<T>> {
        let oldest = self.at_work.pop_front().map(JoinHandle::join);
        let panicked = |_| io::Error::other("a thread that writes sitemaps has panicked");
        oldest.transpose().map_err(panicked)
    }
}

impl<T> Drop for Tasks<T> {
    fn drop(&mut self) {
        for task in self.at_work.drain(..) {
            let _ = task.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn results_come_back_in_order_and_a_panic_costs_one_of_them() {
        for most in [2, 3, 200] {
            let mut tasks = Tasks::new(most);
            let mut found = Vec::new();
            for number in 0..100 {
                let oldest = tasks.run(move || {
                    assert_ne!(number, 7);
                    number
                });
                match oldest {
                    Ok(oldest) => found.extend(oldest),
                    Err(error) => {
                        assert!(error.to_string().contains("has panicked"));
                        // Its place is free, but the task that needed it was not begun.
                        assert_eq!(number, 7 + most);
                        found.push(7);
                    }
                }
            }
            loop {
                match tasks.next() {
                    Ok(Some(number)) => found.push(number),
                    Ok(None) => break,
                    Err(_) => found.push(7),
                }
            }
            let missing = Some(7 + most).filter(|number| *number < 100);
            let expected = (0..100).filter(|number| Some(*number) != missing);
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_more_tasks_than_that_run_at_once_and_dropped_ones_end() {
        for most in [1, 3] {
            let at_work = Arc::new(Mutex::new(0));
            let done = Arc::new(AtomicUsize::new(0));
            let mut tasks = Tasks::new(most);
            for _ in 0..50 {
                let (at_work, done) = (Arc::clone(&at_work), Arc::clone(&done));
                let work = move || {
                    *at_work.lock().unwrap() += 1;
                    assert!(*at_work.lock().unwrap() <= most);
                    std::thread::yield_now();
                    *at_work.lock().unwrap() -= 1;
                    done.fetch_add(1, Ordering::Relaxed);
                };
                tasks.run(work).unwrap();
            }
            drop(tasks);
            assert_eq!(done.load(Ordering::Relaxed), 50);
        }
    }
}
