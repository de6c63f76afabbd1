//! The markup of an entry, which most entries share with the one before: they are read by comparing it.

use std::mem;

use memchr::memchr3;

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
    /// The markup before each text or value of an entry, and the byte that ends that.
    runs: Vec<(String, u8)>,
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

    /// A text or a value of the entry.
    pub(super) fn part(&mut self, start: usize, end: usize) {
        if !self.parts.is_empty() {
            self.parts.push((start, end));
        }
    }

    /// The entry ends here: keeps its markup, or none if a namespace is declared in it.
    pub(super) fn end(&mut self, text: &str, last: usize) {
        let [(start, _), parts @ ..] = self.parts.as_slice() else {
            return;
        };
        let mut before = *start;
        let all = parts.iter().copied().chain([(last, last)]);
        let runs = all.map(|(start, end)| {
            let markup = text.get(mem::replace(&mut before, end)..start)?;
            let delimiter = text.as_bytes().get(end).filter(|_| end < last);
            let is_kept = !markup.contains("xmlns");
            is_kept.then(|| (markup.to_owned(), delimiter.copied().unwrap_or(b'<')))
        });
        self.runs = runs.collect::<Option<_>>().unwrap_or_default();
        self.others = 0;
        self.parts.clear();
    }

    /// Passes an entry with this markup, and the text after it. Returns `false` if another one comes next.
    #[inline]
    pub(super) fn passes(&mut self, s: &mut Scanner<'_>, has_doctype: bool) -> Step<bool> {
        for (markup, delimiter) in &self.runs {
            if !s.rest().starts_with(markup.as_str()) {
                return Ok(false);
            }
            s.at += markup.len();
            let other = if *delimiter == b'<' { b'>' } else { b'<' };
            loop {
                let Some(next) = memchr3(*delimiter, other, b'&', s.rest().as_bytes()) else {
                    return Ok(false);
                };
                s.at += next;
                match s.peek()? {
                    b'&' => s.reference(has_doctype)?,
                    byte if byte == *delimiter => break,
                    _ => return Ok(false),
                };
            }
        }
        self.others = 0;
        Ok(!self.runs.is_empty())
    }
}
