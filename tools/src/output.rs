//! Standard output.

use std::io::{self, BufWriter, IsTerminal, Write};

/// Standard output: a terminal shows each line at once, anything else gets large pieces.
pub(crate) fn stdout() -> Box<dyn Write + Send> {
    match io::stdout().is_terminal() {
        true => Box::new(io::stdout()),
        false => Box::new(BufWriter::with_capacity(64 << 10, io::stdout())),
    }
}
