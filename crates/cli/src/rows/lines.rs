//! Lines of bounded length.

use std::io::{self, BufRead, Read};

/// Bytes of a line; a longer one is an error.
const LONGEST: u64 = 16 << 20;

pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    /// The number of the latest line, from 1.
    pub(super) number: u64,
    /// Bytes before the latest line.
    pub(super) byte: u64,
}

/// A line without its end and the white space around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'l> {
    pub(crate) text: &'l [u8],
    /// From 1.
    pub(crate) number: u64,
    /// Bytes before the line.
    pub(crate) byte: u64,
    /// A line feed ends it.
    pub(crate) has_end: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            line: Vec::new(),
            number: 0,
            byte: 0,
        }
    }

    /// The latest line, with its end and the white space around it. Empty at the end.
    pub(crate) fn latest(&self) -> &[u8] {
        &self.line
    }

    /// The next line that is not empty.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        while self.read()? {
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(Line {
                    text: self.line.trim_ascii(),
                    number: self.number,
                    byte: self.byte,
                    has_end: self.line.ends_with(b"\n"),
                }));
            }
        }
        Ok(None)
    }

    /// Reads the next line, which can be empty. Returns `false` at the end.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        self.byte += self.line.len() as u64;
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(LONGEST);
        let read = bounded.read_until(b'\n', &mut self.line)? as u64;
        self.number += u64::from(read > 0);
        if read == LONGEST && self.line.last() != Some(&b'\n') {
            let message = format!("line {} is longer than 16 MiB", self.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(read > 0)
    }
}
