//! The markup of an entry, which most entries share with the one before: they are read by comparing it.

use memchr::{memchr3, memmem};

use super::step::Step;
use super::syntax::Scanner;

/// Entries with other markup in a row that do not replace what is kept. Pages with and without images may alternate.
const OTHERS: u32 = 3;

/// Elements of the root with the same markup are well-formed alike, whatever their texts are, if those contain no markup and
/// no namespace is declared in them.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// The start of the entry that is being read, and the texts and values in it, as ranges of the current text.
    parts: Vec<(usize, usize)>,
    /// The markup of an entry.
    markup: String,
    /// The end of the markup before each text or value, and the byte that ends that.
    runs: Vec<(usize, u8)>,
    /// Entries with other markup since the last one with this.
    others: u32,
}

impl Shape {
    /// An entry begins here.
    pub(super) fn begin(&mut self, start: usize) {
        self.parts.clear();
        self.others += 1;
        if self.runs.is_empty() || self.others > OTHERS {
            self.parts.push((start, start));
        }
    }

    /// The entry that is being read is not in one text, or has another one in it.
    pub(super) fn abandon(&mut self) {
        self.parts.clear();
    }

    /// No entry is compared with the one that was read.
    fn forget(&mut self) {
        self.runs.clear();
        self.parts.clear();
    }

    /// A text or a value of the entry.
    pub(super) fn part(&mut self, start: usize, end: usize) {
        if !self.parts.is_empty() {
            self.parts.push((start, end));
        }
    }

    /// The entry ends here: keeps its markup.
    pub(super) fn end(&mut self, text: &str, end: usize) {
        let [(start, _), parts @ ..] = self.parts.as_slice() else {
            return;
        };
        self.others = 0;
        self.markup.clear();
        self.runs.clear();
        let mut before = *start;
        for &(start, end) in parts {
            let Some(markup) = text.get(before..start) else {
                return self.forget();
            };
            self.markup.push_str(markup);
            let delimiter = text.as_bytes().get(end).copied();
            self.runs
                .push((self.markup.len(), delimiter.unwrap_or(b'<')));
            before = end;
        }
        let Some(markup) = text.get(before..end) else {
            return self.forget();
        };
        self.markup.push_str(markup);
        self.runs.push((self.markup.len(), b'<'));
        if memmem::find(self.markup.as_bytes(), b"xmlns").is_some() {
            self.runs.clear();
        }
        self.parts.clear();
    }

    /// Passes an entry with this markup, and the text after it. Returns `false` if another one comes next.
    #[inline]
    pub(super) fn passes(&mut self, s: &mut Scanner<'_>, has_doctype: bool) -> Step<bool> {
        let mut start = 0;
        for &(end, delimiter) in &self.runs {
            let Some(markup) = self.markup.get(start..end) else {
                return Ok(false);
            };
            if !s.rest().starts_with(markup) {
                return Ok(false);
            }
            s.at += markup.len();
            start = end;
            let other = if delimiter == b'<' { b'>' } else { b'<' };
            loop {
                let Some(next) = memchr3(delimiter, other, b'&', s.rest().as_bytes()) else {
                    return Ok(false);
                };
                s.at += next;
                match s.peek()? {
                    b'&' => s.reference(has_doctype)?,
                    byte if byte == delimiter => break,
                    _ => return Ok(false),
                };
            }
        }
        self.others = 0;
        Ok(!self.runs.is_empty())
    }
}
