//! Standard output.

use std::io::{self, BufWriter, IsTerminal, Write};

/// Standard output: a terminal shows each line at once, anything else gets large pieces.
pub(crate) fn stdout() -> Box<dyn Write + Send> {
    match io::stdout().is_terminal() {
        true => Box::new(io::stdout()),
        false => Box::new(BufWriter::with_capacity(64 << 10, io::stdout())),
    }
}

/// How many columns the terminal has that standard output is; `None` if it is none.
pub(crate) fn columns() -> Option<usize> {
    let size = console::Term::stdout().size_checked();
    size.map(|(_, columns)| usize::from(columns))
}
