//! The threads of all requests: for sitemaps, robots.txt and pages.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};

/// How long `wait` waits, so that its caller can look whether it is to stop.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// A thread has panicked, so that a result is missing.
const DEFECT: &str = "a request has failed because of a defect of the program; please report it";

/// Work at the same time, each in a thread of its own. If the pool is dropped, nobody waits for it.
pub(crate) struct Pool<T> {
    sender: Sender<(u64, thread::Result<T>)>,
    results: Receiver<(u64, thread::Result<T>)>,
    begun: u64,
    /// Work whose result has not been returned.
    pub(crate) at_work: usize,
}

impl<T: Send + 'static> Pool<T> {
    pub(crate) fn new() -> Self {
        let (sender, results) = channel();
        Self {
            sender,
            results,
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
        self.begun += 1;
        let (number, sender) = (self.begun, self.sender.clone());
        let work = move || {
            // It fails if the pool is gone.
            let _ = sender.send((number, catch_unwind(AssertUnwindSafe(work))));
        };
        let started = thread::Builder::new().spawn(work);
        started.context("a thread cannot be started")?;
        self.at_work += 1;
        Ok(number)
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
    fn results_arrive_as_work_ends() {
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
