//! Ctrl-C. Code that works asks from time to time whether it is to stop; code that sleeps is woken.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

/// What shells report for a program that SIGINT has ended.
pub(crate) const STATUS: i32 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WAITING: Mutex<()> = Mutex::new(());
static WAKE: Condvar = Condvar::new();

/// From here on, the first SIGINT, SIGTERM or SIGHUP is a request, and the second ends the program at once.
pub(crate) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(STATUS);
        }
        let _guard = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        WAKE.notify_all();
    })
    .context("Ctrl-C cannot be caught")
}

pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Returns early, with `false`, when there is a request to stop.
pub(crate) fn sleep(time: Duration) -> bool {
    let Some(end) = Instant::now().checked_add(time) else {
        return false;
    };
    let mut guard = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    while !is_requested() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        guard = match WAKE.wait_timeout(guard, left) {
            Ok((guard, _)) => guard,
            Err(poisoned) => poisoned.into_inner().0,
        };
    }
    false
}

/// How long work may take to notice a request. It does so at the next page, unless it waits for its input.
const PATIENCE: Duration = Duration::from_secs(2);

/// As [`catch`], and the request ends the program after two seconds where the work has not done so itself. What a set of
/// sitemaps has on the disk by then is hidden, and swept by the next run.
pub(crate) fn catch_while_reading() -> anyhow::Result<()> {
    catch()?;
    std::thread::spawn(|| {
        while sleep(Duration::from_secs(3_600)) {}
        std::thread::sleep(PATIENCE);
        std::process::exit(STATUS);
    });
    Ok(())
}

/// # Errors
///
/// If there is a request to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    match is_requested() {
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
