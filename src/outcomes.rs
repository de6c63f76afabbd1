use std::io::Read;

use crate::entry::Entry;
use crate::error::Result;
use crate::position::Position;
use crate::reader::Reader;
use crate::summary::Summary;
use crate::violation::Issue;

/// What came of one entry: from [`Reader::outcomes`] or [`Decoder::next_outcome`](crate::Decoder::next_outcome).
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Where the entry begins, with its number; of an error that belongs to no entry, where that was met.
    pub position: Position,
    /// The entry; `None` if it was skipped, for what `issues` says. An error is a violation that the policy denies,
    /// or ended the reading.
    pub entry: Result<Option<Entry>>,
    /// What was found in this entry, and in what stands between the entry before and this one. What stands behind the
    /// last entry counts as that entry's.
    pub issues: Vec<Issue>,
}

/// The entries of a reader one by one, the skipped ones too, each with its own issues; see [`Reader::outcomes`].
#[derive(Debug)]
pub struct Outcomes<R> {
    reader: Reader<R>,
    /// What will be given next: an outcome behind which issues may yet be found that belong to no other.
    held: Option<Outcome>,
}

impl<R> Outcomes<R> {
    pub(crate) fn new(reader: Reader<R>) -> Self {
        Self { reader, held: None }
    }
}

impl<R: Read> Outcomes<R> {
    /// The reader's [summary](Reader::summary). It may be one entry ahead of what was given here.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.reader.summary()
    }

    /// Gives the reader back. It may be one entry ahead of what was given here.
    pub fn into_reader(self) -> Reader<R> {
        self.reader
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
                let issues = decoder.issues();
                if !issues.is_empty() {
                    let held = self.held.get_or_insert_with(|| Outcome {
                        position: decoder.position(),
                        entry: Ok(None),
                        issues: Vec::new(),
                    });
                    held.issues.extend_from_slice(issues);
                }
                return self.held.take();
            } else if let Err(error) = self.reader.feed() {
                self.reader.decoder.keep_issues();
                // The input is asked again by the next call, and will say so again if it still is not ready.
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
