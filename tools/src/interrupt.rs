//! Ctrl-C, and the signals that ask a program to end: the work stops, and what is half-written is removed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How long the work may take to notice. It does at the next page, unless it waits for its input.
const PATIENCE: Duration = Duration::from_secs(2);

/// The status that shells give a program which Ctrl-C has ended.
const STATUS: i32 = 130;

/// From here on a signal makes [`check`] fail. Work that waits for its input cannot ask; it is ended after two seconds,
/// or by the second signal. What a set of sitemaps has on the disk by then is hidden, and swept by the next run.
pub(crate) fn watch() {
    let watched = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS);
        }
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            std::process::exit(STATUS);
        });
    });
    // Without a handler the system ends the program at once, which leaves hidden files and nothing else.
    let _ = watched;
}

/// # Errors
///
/// If a signal has come.
pub(crate) fn check() -> Result<(), Interrupted> {
    match INTERRUPTED.load(Ordering::Relaxed) {
        true => Err(Interrupted),
        false => Ok(()),
    }
}

#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted; nothing has been changed")
    }
}

impl std::error::Error for Interrupted {}
