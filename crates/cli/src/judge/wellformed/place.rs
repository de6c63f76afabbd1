//! Places in the decoded text, counted as the library counts positions.

/// A place whose line and column are known. All counts are those of the library: LF, CRLF and a single CR end a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) byte: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
    is_after_cr: bool,
}

/// The start of the text.
impl Default for Place {
    fn default() -> Self {
        Self {
            byte: 0,
            line: 1,
            column: 1,
            is_after_cr: false,
        }
    }
}

impl Place {
    /// The place after this text.
    pub(super) fn after(mut self, passed: &str) -> Self {
        let bytes = passed.as_bytes();
        self.byte += bytes.len() as u64;
        if self.is_after_cr || memchr::memchr(b'\r', bytes).is_some() {
            return self.after_lines_with_cr(passed);
        }
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        let last = passed.rsplit('\n').next().unwrap_or(passed);
        let before = if last.len() < passed.len() {
            1
        } else {
            self.column
        };
        self.column = before + last.chars().count() as u64;
        self
    }

    /// Character by character, because a CR before an LF is part of one line end.
    fn after_lines_with_cr(mut self, passed: &str) -> Self {
        for c in passed.chars() {
            match c {
                '\n' if self.is_after_cr => {}
                '\r' | '\n' => {
                    self.line += 1;
                    self.column = 1;
                }
                _ => self.column += 1,
            }
            self.is_after_cr = c == '\r';
        }
        self
    }
}
