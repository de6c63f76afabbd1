//! Ctrl-C: who works asks whether to stop, and who waits is woken.

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
