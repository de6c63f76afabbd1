//! One line on standard error about work that takes longer than two seconds. Everything else that reaches a terminal
//! removes it first.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::term::count::{Count, Grouped};
use crate::term::messages::Messages;
use crate::term::output;

/// Work that ends before shows nothing.
const QUIET: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(200);

static ENTRIES: AtomicU64 = AtomicU64::new(0);
/// How many there will be; 0 if that is not known.
static TOTAL: AtomicU64 = AtomicU64::new(0);
/// Sitemaps of a crawl that have been read, and those that are known.
static READ: AtomicU64 = AtomicU64::new(0);
static KNOWN: AtomicU64 = AtomicU64::new(0);

static IS_OFF: AtomicBool = AtomicBool::new(false);

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// At a terminal that can remove a line, unless --quiet is used
    #[default]
    Auto,
    Never,
}

/// Applies to all work of this run.
pub(crate) fn show(when: When) {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    IS_OFF.store(when == When::Never || is_dumb, Ordering::Relaxed);
}

/// The line is there, at times, until this is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Dropping the sender ends the thread.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Draws nothing unless standard error is a terminal, under `--quiet` and under `--progress never`.
    pub(crate) fn start(doing: &'static str, messages: &Messages) -> Self {
        let is_off = messages.is_quiet() || IS_OFF.load(Ordering::Relaxed);
        if is_off || !console::user_attended_stderr() {
            return Self { running: None };
        }
        let (sender, stop) = channel();
        let spawned = std::thread::Builder::new().spawn(move || {
            let begin = Instant::now();
            let mut wait = QUIET;
            while stop.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                draw(doing, begin.elapsed());
                wait = INTERVAL;
            }
        });
        Self {
            // Without a thread there is no progress line, and nothing else is missing.
            running: spawned.ok().map(|thread| (sender, thread)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            let _ = thread.join();
            output::clear();
        }
    }
}

/// Draws the line.
fn draw(doing: &str, elapsed: Duration) {
    let done = ENTRIES.load(Ordering::Relaxed);
    let sitemaps = match KNOWN.load(Ordering::Relaxed) {
        0 => String::new(),
        known => {
            let read = Grouped(READ.load(Ordering::Relaxed));
            format!("{read} of {}, ", Count(known, "sitemap"))
        }
    };
    let done = match TOTAL.load(Ordering::Relaxed) {
        0 => format!(
            "{sitemaps}{}, {} s",
            Count(done, "entry"),
            elapsed.as_secs()
        ),
        total => format!(
            "{} of {}{}",
            Grouped(done),
            Count(total, "page"),
            left(elapsed, done, total)
        ),
    };
    output::draw(&format!("{doing}: {done}"));
}

/// One more entry has been read.
pub(crate) fn entry() {
    ENTRIES.fetch_add(1, Ordering::Relaxed);
}

/// Sets the number of sitemaps of a crawl that have been read.
pub(crate) fn sitemaps(read: u64, known: usize) {
    READ.store(read, Ordering::Relaxed);
    KNOWN.store(known as u64, Ordering::Relaxed);
}

/// How long the rest takes if it goes on like this.
fn left(elapsed: Duration, done: u64, total: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() / done as f64 * total.saturating_sub(done) as f64;
    match seconds as u64 {
        seconds @ ..120 => format!(", about {seconds} s left"),
        seconds @ ..7_200 => format!(", about {} min left", seconds / 60),
        seconds => format!(", about {} h left", Grouped(seconds / 3_600)),
    }
}

/// From here on, so many pages are counted from 0.
pub(crate) fn count_to(total: u64) {
    ENTRIES.store(0, Ordering::Relaxed);
    TOTAL.store(total, Ordering::Relaxed);
}
