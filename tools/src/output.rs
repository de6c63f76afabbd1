//! Standard output.

use std::io::{self, BufWriter, IsTerminal, Write};

use crate::progress;

/// Standard output: a terminal shows each line at once, anything else gets large pieces.
pub(crate) fn stdout() -> Box<dyn Write + Send> {
    match io::stdout().is_terminal() {
        true => Box::new(Screen(io::stdout())),
        false => Box::new(BufWriter::with_capacity(64 << 10, io::stdout())),
    }
}

/// A terminal, on which a line of progress may be drawn.
struct Screen(io::Stdout);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::line::clear();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// How many columns the terminal has that standard output is; `None` if it is none.
pub(crate) fn columns() -> Option<usize> {
    let size = console::Term::stdout().size_checked();
    size.map(|(_, columns)| usize::from(columns))
}
