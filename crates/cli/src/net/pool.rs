//! The threads of all requests: for sitemaps, robots.txt and pages.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};

/// How long `wait` waits, so that its caller can look whether it is to stop.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// A thread has panicked, so that a result is missing.
const DEFECT: &str = "a request has failed because of a defect of the program; please report it";

/// Work with its number.
type Work<T> = (u64, Box<dyn FnOnce() -> T + Send>);

/// Threads, as many as there has been work at a time. If the pool is dropped, they end with the work that they have begun.
pub(crate) struct Pool<T> {
    work: Sender<Work<T>>,
    waiting: Arc<Mutex<Receiver<Work<T>>>>,
    sender: Sender<(u64, thread::Result<T>)>,
    results: Receiver<(u64, thread::Result<T>)>,
    threads: usize,
    begun: u64,
    /// Work whose result has not been returned.
    pub(crate) at_work: usize,
}

impl<T: Send + 'static> Pool<T> {
    pub(crate) fn new() -> Self {
        let (work, waiting) = channel();
        let (sender, results) = channel();
        Self {
            work,
            waiting: Arc::new(Mutex::new(waiting)),
            sender,
            results,
            threads: 0,
            begun: 0,
            at_work: 0,
        }
    }

    /// Begins the work at once. Returns its number.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub(crate) fn start(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<u64> {
        if self.at_work == self.threads {
            let (waiting, sender) = (Arc::clone(&self.waiting), self.sender.clone());
            let started = thread::Builder::new().spawn(move || run(&waiting, &sender));
            started.context("a thread cannot be started")?;
            self.threads += 1;
        }
        self.at_work += 1;
        self.begun += 1;
        // The pool has the other end of the channel.
        let _ = self.work.send((self.begun, Box::new(work)));
        Ok(self.begun)
    }

    /// The next result, with the number of its work. Returns `None` if there is none within a [`TICK`].
    ///
    /// # Errors
    ///
    /// If the work has panicked.
    pub(crate) fn wait(&mut self) -> anyhow::Result<Option<(u64, T)>> {
        let Ok((number, result)) = self.results.recv_timeout(TICK) else {
            return Ok(None);
        };
        self.at_work -= 1;
        match result {
            Ok(result) => Ok(Some((number, result))),
            Err(_) => bail!(DEFECT),
        }
    }
}

/// Works until the pool is gone. This is a thread of the pool.
fn run<T>(waiting: &Mutex<Receiver<Work<T>>>, results: &Sender<(u64, thread::Result<T>)>) {
    loop {
        let work = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok((number, work)) = work else {
            return;
        };
        if results
            .send((number, catch_unwind(AssertUnwindSafe(work))))
            .is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<T: Send + 'static>(pool: &mut Pool<T>) -> anyhow::Result<Vec<(u64, T)>> {
        let mut results = Vec::new();
        while pool.at_work > 0 {
            results.extend(pool.wait()?);
        }
        Ok(results)
    }

    #[test]
    fn threads_are_used_again_and_results_arrive_as_they_end() {
        let mut pool = Pool::new();
        let (go, held) = channel::<()>();
        let first = pool.start(move || held.recv().is_ok()).unwrap();
        for _ in 0..3 {
            let number = pool.start(|| false).unwrap();
            while pool.at_work > 1 {
                let result = pool.wait().unwrap();
                assert!(result.is_none_or(|result| result == (number, false)));
            }
        }
        go.send(()).unwrap();
        assert_eq!(all(&mut pool).unwrap(), [(first, true)]);
        assert_eq!(pool.threads, 2);
    }

    #[test]
    fn work_that_panics_ends_the_run_with_an_error() {
        let mut pool = Pool::new();
        for number in 0..8 {
            pool.start(move || assert!(number != 3, "a defect"))
                .unwrap();
        }
        assert_eq!(all(&mut pool).unwrap_err().to_string(), DEFECT);
    }
}
