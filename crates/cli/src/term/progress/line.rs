//! The line itself, which everything else that reaches a terminal removes first.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use console::Term;

/// The current activity, and `true` while the line is on the terminal.
static LINE: Mutex<Drawn> = Mutex::new(Drawn {
    doing: "",
    is_drawn: false,
});

struct Drawn {
    doing: &'static str,
    is_drawn: bool,
}

/// Draws the line, at most as wide as the terminal: the current activity, and the text of `done` about it.
pub(super) fn draw(done: &str) {
    let mut line = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, columns) = Term::stderr().size();
    let text: String = format!("{}: {done}", line.doing)
        .chars()
        .take(usize::from(columns).saturating_sub(1))
        .collect();
    // The cursor goes back to the first column, so that the `^C` of a terminal does not begin another line.
    let _ = write!(io::stderr(), "\r\u{1b}[2K{text}\r");
    line.is_drawn = true;
}

/// Removes the line, before anything else is written on a terminal.
pub(crate) fn clear() {
    let mut line = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut line.is_drawn) {
        let _ = write!(io::stderr(), "\r\u{1b}[2K");
    }
}

/// Sets the activity from here on, such as `sorting`.
pub(crate) fn doing_now(doing: &'static str) {
    LINE.lock().unwrap_or_else(PoisonError::into_inner).doing = doing;
}
