//! What is going on, drawn on standard error if that is a terminal: a line for the whole, and one for each job.

use std::fmt::Display;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::term::count::{Count, Grouped};
use crate::term::messages::printable;
use crate::term::shortened::shortened;

/// Jobs that have a line; more would push everything else out of the terminal.
const LINES: usize = 8;

pub(super) struct Progress {
    drawn: Option<Drawn>,
    finished: AtomicU64,
    failed: AtomicU64,
}

struct Drawn {
    multi: MultiProgress,
    total: ProgressBar,
    jobs: Vec<ProgressBar>,
}

impl Progress {
    pub(super) fn new(jobs: usize, is_quiet: bool) -> Self {
        let drawn = (!is_quiet && console::user_attended_stderr()).then(|| Drawn::new(jobs));
        Self {
            drawn,
            finished: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    fn job(&self, job: usize) -> Option<&ProgressBar> {
        self.drawn.as_ref()?.jobs.get(job)
    }

    pub(super) fn begin(&self, job: usize, url: &dyn Display) {
        if let Some(bar) = self.job(job) {
            bar.set_prefix(printable(&url.to_string()).into_owned());
            show(bar, "");
        }
    }

    pub(super) fn pages(&self, job: usize, pages: u64) {
        if let Some(bar) = self.job(job) {
            show(bar, &Count(pages, "page").to_string());
        }
    }

    pub(super) fn wait(&self, job: usize, wait: Duration, reason: &dyn Display) {
        if let Some(bar) = self.job(job) {
            let text = format!("again in {:.1} s: {reason}", wait.as_secs_f64());
            show(bar, &printable(&text));
        }
    }

    pub(super) fn end(&self, job: usize) {
        if let Some(bar) = self.job(job) {
            bar.set_message("");
        }
    }

    pub(super) fn finished(&self, is_failed: bool) {
        self.finished.fetch_add(1, Ordering::Relaxed);
        self.failed
            .fetch_add(u64::from(is_failed), Ordering::Relaxed);
    }

    pub(super) fn totals(&self, known: usize, pages: u64, bytes: u64) {
        let Some(Drawn { total, .. }) = &self.drawn else {
            return;
        };
        total.set_length(known as u64);
        total.set_position(self.finished.load(Ordering::Relaxed));
        let failed = match self.failed.load(Ordering::Relaxed) {
            0 => String::new(),
            failed => format!(", {} failed", Grouped(failed)),
        };
        total.set_message(format!(
            "{}, {:.1} MB{failed}",
            Count(pages, "page"),
            bytes as f64 / 1e6
        ));
    }

    /// Takes the lines away while something else is written, on the same terminal perhaps.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.drawn {
            Some(Drawn { multi, .. }) => multi.suspend(write),
            None => write(),
        }
    }

    /// Nothing is drawn any more.
    pub(super) fn clear(&self) {
        if let Some(Drawn { multi, total, .. }) = &self.drawn {
            total.disable_steady_tick();
            let _ = multi.clear();
            multi.set_draw_target(ProgressDrawTarget::hidden());
        }
    }
}

/// A terminal whose cursor is left some columns before the right edge. Lines are padded up to that edge, so that the `^C`
/// that terminals print would begin another line, and one line too few would be cleared.
#[derive(Debug)]
struct Margin(Term);

impl TermLike for Margin {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.0.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.move_cursor_left(4)?;
        self.0.flush()
    }
}

impl Drawn {
    fn new(jobs: usize) -> Self {
        let target =
            ProgressDrawTarget::term_like_with_hz(Box::new(Margin(Term::buffered_stderr())), 20);
        let multi = MultiProgress::with_draw_target(target);
        let total = multi.add(ProgressBar::new(0));
        if let Ok(style) = ProgressStyle::with_template(
            "{spinner} {bar:12} {human_pos} of {human_len} sitemaps, {msg}, {elapsed}",
        ) {
            total.set_style(style);
        }
        total.enable_steady_tick(Duration::from_millis(100));
        let bar = || {
            let bar = multi.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            bar
        };
        let jobs = (0..jobs.min(LINES)).map(|_| bar()).collect();
        Self { multi, total, jobs }
    }
}

/// The URL that is the bar's prefix, and something about it, in one line of the terminal.
fn show(bar: &ProgressBar, about: &str) {
    let (_, columns) = Term::stderr().size();
    let columns = usize::from(columns).saturating_sub(3).max(20);
    let about: String = about.chars().take(columns * 3 / 5).collect();
    // At the left, and of one width for most, so that nothing moves while numbers grow.
    let about = format!("{about:>13}");
    let url = bar.prefix();
    let url = shortened(&url, columns - about.chars().count());
    bar.set_message(format!("{about}  {url}"));
}
