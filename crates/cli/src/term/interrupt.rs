//! Ctrl-C. Code that works or sleeps checks regularly whether to stop.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::term::messages::Messages;
use crate::term::status::Status;

/// How often code that sleeps checks whether to stop.
const TICK: Duration = Duration::from_millis(50);

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Files to remove.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The message about the output when the program is interrupted; empty if the code that ends the work prints it.
static SENTENCE: Mutex<&'static str> = Mutex::new("");

/// From here on, the first SIGINT, SIGTERM or SIGHUP is a request, and the second ends the program at once.
pub(crate) fn catch() -> anyhow::Result<()> {
    // A program that only reads files is ended by the system.
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            end();
        }
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(())
}

pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Returns early, with `false`, when there is a request to stop.
pub(crate) fn sleep(time: Duration) -> bool {
    let begin = Instant::now();
    while !is_requested() {
        let left = time.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(TICK));
    }
    false
}

/// How long work may take to notice a request. It does so at the next page, unless it waits for its input.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends the program now, without its temporary files.
fn end() -> ! {
    if !sentence().is_empty() {
        Messages::new(false).error(sentence());
    }
    remove_temporary();
    std::process::exit(Status::Interrupted as i32)
}

/// Removes all temporary files, before the program ends while other threads may still write them. No further one is
/// made.
pub(crate) fn remove_temporary() {
    let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    for path in temporary.iter() {
        let _ = std::fs::remove_file(path);
    }
    // Locked to the end.
    std::mem::forget(temporary);
}

/// Makes a file that is to be removed when a signal ends the program, which drops nothing. `make` is called while no
/// signal can end the program.
pub(crate) fn temporary<F>(
    make: impl FnOnce() -> io::Result<F>,
    path: impl FnOnce(&F) -> &Path,
) -> io::Result<(F, Listed)> {
    let mut temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    let path = path(&file).to_owned();
    temporary.insert(path.clone());
    Ok((file, Listed(path)))
}

/// That the file of this name is to be removed. The file itself goes first, or gets another name.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        let mut temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        temporary.remove(&self.0);
    }
}

/// Like [`catch`], except that the program ends after two seconds if the work has not ended. Files that a set of
/// sitemaps has on the disk by then are hidden, and the next run removes them.
///
/// `sentence` describes the output, until [`from_here`] sets another one.
pub(crate) fn catch_while_reading(sentence: &'static str) -> anyhow::Result<()> {
    from_here(sentence);
    catch()?;
    std::thread::spawn(|| {
        while sleep(Duration::from_secs(3_600)) {}
        std::thread::sleep(PATIENCE);
        end();
    });
    Ok(())
}

/// Sets the message about the output, from here on.
pub(crate) fn from_here(sentence: &'static str) {
    *SENTENCE.lock().unwrap_or_else(PoisonError::into_inner) = sentence;
}

fn sentence() -> &'static str {
    *SENTENCE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// # Errors
///
/// If there is a request to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    if is_requested() {
        Err(Interrupted)
    } else {
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match sentence() {
            "" => f.write_str("interrupted"),
            sentence => f.write_str(sentence),
        }
    }
}

impl std::error::Error for Interrupted {}
