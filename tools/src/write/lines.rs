//! Lines of bounded length.

use std::io::{self, BufRead, Read};

/// Bytes of a line; a longer one is an error.
const LONGEST: u64 = 16 << 20;

pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            line: Vec::new(),
            number: 0,
        }
    }

    /// The next line without its end and the white space round it, with its number, from 1; empty ones are passed over.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let mut bounded = self.reader.by_ref().take(LONGEST);
            let read = bounded.read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == LONGEST && self.line.last() != Some(&b'\n') {
                let message = format!("line {} is longer than 16 MiB", self.number);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        Ok(Some((self.number, self.line.trim_ascii())))
    }
}
