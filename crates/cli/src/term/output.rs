//! Standard output, and the line of progress, which everything else that reaches a terminal removes first.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Set once the reader of the pipe has gone.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);
/// The output is the file of `--out`.
static IS_FILE: AtomicBool = AtomicBool::new(false);
/// `true` while the line of progress is on the terminal.
static IS_DRAWN: Mutex<bool> = Mutex::new(false);

/// Standard output: a terminal shows each line at once, anything else gets large pieces. If its reader has ended, as
/// after `sitemap check … | head`, writing succeeds and does nothing: the exit status must not depend on the reader.
pub(crate) fn stdout() -> Box<dyn Write + Send> {
    if io::stdout().is_terminal() {
        Box::new(Screen(io::stdout()))
    } else {
        Box::new(BufWriter::with_capacity(64 << 10, Pipe(io::stdout())))
    }
}

/// Returns `true` if the reader of standard output has ended. A command that only prints can stop then.
pub(crate) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

/// An output that is not a terminal.
struct Pipe<W>(W);

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(bytes.len(), || self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed((), || self.0.flush())
    }
}

/// `done` is the result if the reader has ended.
fn unless_closed<T>(done: T, write: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    if is_closed() {
        return Ok(done);
    }
    match write() {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            IS_CLOSED.store(true, Ordering::Relaxed);
            Ok(done)
        }
        result => result
            .map_err(|error| io::Error::new(error.kind(), format!("standard output: {error}"))),
    }
}

/// Returns `true` if standard output is a file that is still empty.
pub(crate) fn is_empty_file() -> bool {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    let metadata = own.and_then(|own| File::from(own).metadata());
    metadata.is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// Draws the line of progress on standard error, at most as wide as the terminal.
pub(super) fn draw(line: &str) {
    let mut is_drawn = IS_DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, columns) = console::Term::stderr().size();
    let text: String = line
        .chars()
        .take(usize::from(columns).saturating_sub(1))
        .collect();
    // The cursor goes back to the first column, so that the `^C` of a terminal does not begin another line.
    let _ = write!(io::stderr(), "\r\u{1b}[2K{text}\r");
    *is_drawn = true;
}

/// Removes the line of progress, before anything else is written on a terminal.
pub(crate) fn clear() {
    let mut is_drawn = IS_DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *is_drawn) {
        let _ = write!(io::stderr(), "\r\u{1b}[2K");
    }
}

/// A terminal, on which a line of progress may be drawn.
struct Screen(io::Stdout);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        clear();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// From here on, the output is a file: it has no colours, and no line of it is cut.
pub(crate) fn is_file() {
    IS_FILE.store(true, Ordering::Relaxed);
    console::set_colors_enabled(false);
}

/// The number of columns of the terminal that the output goes to; `None` if it goes elsewhere.
pub(crate) fn columns() -> Option<usize> {
    if IS_FILE.load(Ordering::Relaxed) {
        return None;
    }
    let size = console::Term::stdout().size_checked();
    size.map(|(_, columns)| usize::from(columns))
}
