//! The threads that compress parts and wait for the disk.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run tasks in the order in which they were added.
#[derive(Debug)]
pub(super) struct Pool {
    /// `None` only while this is dropped.
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    pub(super) fn new(threads: usize) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut pool = Self {
            jobs: Some(jobs),
            threads: Vec::with_capacity(threads),
        };
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            let thread = Builder::new()
                .name("quick-sitemap".to_owned())
                .spawn(move || {
                    // The queue is locked only while the thread waits for a task.
                    while let Some(job) = queue.lock().ok().and_then(|queue| queue.recv().ok()) {
                        job();
                    }
                })?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Adds a task. Its result can be received, but not if `work` panics.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Receiver<T> {
        let (sender, result) = mpsc::channel();
        let job = move || {
            // The receiver may have been dropped.
            let _ = sender.send(work());
        };
        if let Some(jobs) = &self.jobs {
            // If no thread is left, receiving the result fails.
            let _ = jobs.send(Box::new(job));
        }
        result
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Waits for the result of a task of a [`Pool`].
pub(super) fn wait<T>(result: &Receiver<T>) -> io::Result<T> {
    let panicked = |_| io::Error::other("a thread that writes sitemaps has panicked");
    result.recv().map_err(panicked)
}
