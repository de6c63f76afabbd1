//! Reading entry by entry, each with its own issues.

use std::io::Read;

use crate::reader::Reader;
use crate::reader::decoder::Outcome;

/// An iterator over the outcomes of all entries, including skipped ones, each with its own issues. See
/// [`Reader::outcomes`].
#[derive(Debug)]
pub struct Outcomes<R> {
    reader: Reader<R>,
    /// The next result: an outcome after which issues may be found that belong to no other outcome.
    held: Option<Outcome>,
}

impl<R: Read> Reader<R> {
    /// Returns an iterator over the outcomes of all entries, including skipped ones, each with its own issues.
    ///
    /// An error that belongs to no entry is an outcome of its own: a fatal error, a denied violation in the document
    /// itself, or an input that is not ready.
    ///
    /// Issues after the last entry are added to the issues of that entry. The reader is one entry ahead, in order to
    /// know which entry is the last. If there are issues but no entries, there is one outcome with the entry number 0
    /// and without an entry.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com/a\nnonsense\nhttps://example.com/b\n";
    /// let mut table = Vec::new();
    /// for outcome in Reader::from_bytes(text).outcomes() {
    ///     table.push((outcome.position.line(), outcome.entry?.is_some(), outcome.issues.len()));
    /// }
    /// assert_eq!(table, [(1, true, 0), (2, false, 1), (3, true, 0)]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn outcomes(self) -> Outcomes<R> {
        Outcomes {
            reader: self,
            held: None,
        }
    }
}

impl<R: Read> Outcomes<R> {
    /// Returns the reader, for its [summary](Reader::summary) and [style sheet](Reader::stylesheet). It can be one entry ahead
    /// of this iterator.
    #[must_use]
    pub fn reader(&self) -> &Reader<R> {
        &self.reader
    }
}

impl<R: Read> Iterator for Outcomes<R> {
    type Item = Outcome;

    fn next(&mut self) -> Option<Outcome> {
        loop {
            let decoder = &mut self.reader.decoder;
            if let Some(outcome) = decoder.next_outcome() {
                if let Some(before) = self.held.replace(outcome) {
                    return Some(before);
                }
            } else if decoder.is_done() {
                let rest = decoder.outcome(None, Ok(None));
                match &mut self.held {
                    Some(held) => held.issues.extend(rest.issues),
                    None if rest.issues.is_empty() => {}
                    None => return Some(rest),
                }
                return self.held.take();
            } else if let Err(error) = self.reader.feed() {
                // The next call reads from the input again, which fails again if it is still not ready.
                return self.held.take().or_else(|| {
                    Some(Outcome {
                        position: self.reader.decoder.position(),
                        entry: Err(error),
                        issues: Vec::new(),
                    })
                });
            }
        }
    }
}

impl<R: Read> std::iter::FusedIterator for Outcomes<R> {}
