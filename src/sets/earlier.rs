//! The files of an earlier run that is continued.

use std::fmt;
use std::io::{self, Read};

use crate::entry::{Entry, SitemapEntry};
use crate::error::Result;
use crate::format::Format;
use crate::reader::Reader;
use crate::text::printable::Printable;
use crate::violation::{Effect, Issue, Rule};

/// The parts of an earlier run that will be continued, returned by [`Parts::begin`](crate::Parts::begin). By default,
/// there are none.
///
/// # Examples
///
/// ```
/// use quick_sitemap::SitemapEntry;
/// use quick_sitemap::sets::Earlier;
///
/// let mut earlier = Earlier::default();
/// assert!(earlier.parts.is_empty() && earlier.last.is_none());
/// earlier.parts.push(SitemapEntry::try_from("https://example.com/sitemap-1.xml")?);
/// earlier.last = Some(Box::new(&b"https://example.com/"[..]));
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Default)]
#[non_exhaustive]
pub struct Earlier {
    /// The parts that stay as they are. They come first in the index, and the numbers of new parts follow theirs.
    pub parts: Vec<SitemapEntry>,
    /// The part after those, if it will be continued: a urlset or a text sitemap, gzipped or not. Its entries are
    /// written again before all others. If it contains anything that would be lost by that (a comment, an unknown
    /// element), the result is an error of the kind [`InvalidData`](io::ErrorKind::InvalidData). The style sheet is
    /// kept, unless another one is set.
    pub last: Option<Box<dyn Read>>,
    /// `true` if the set is a single sitemap without an index. This is the default of
    /// [`SplitWriter::single`](crate::SplitWriter::single).
    pub single: bool,
}

impl fmt::Debug for Earlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Earlier")
            .field("parts", &self.parts)
            .field("last", &self.last.as_ref().map(|_| "…"))
            .field("single", &self.single)
            .finish()
    }
}

/// A sitemap that is about to be replaced.
pub(super) struct EarlierFile {
    reader: Reader<Box<dyn Read>>,
    pub(super) format: Option<Format>,
}

impl EarlierFile {
    pub(super) fn open(input: Box<dyn Read>) -> Self {
        let mut reader = Reader::new(input);
        let format = reader.format();
        Self { reader, format }
    }

    /// The href of the style sheet. It is known when the first entry has been read.
    pub(super) fn stylesheet(&self) -> Option<&str> {
        let stylesheet = self.reader.stylesheet()?;
        Some(&stylesheet.href)
    }

    /// # Errors
    ///
    /// Something in the document would be lost.
    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        let entry = self.reader.next().transpose()?;
        if let Some(issue) = self.reader.issues().iter().find(|issue| costs(issue)) {
            return Err(damaged(issue).into());
        }
        if let Some((what, name)) = self.reader.report().passed_over() {
            let name = if name.is_empty() {
                String::new()
            } else {
                format!(" `{}`", Printable(name))
            };
            return Err(damaged(format_args!("{what}{name} would be lost")).into());
        }
        Ok(entry)
    }
}

/// Returns `true` if the document contains something that is lost if its entries are written again.
fn costs(issue: &Issue) -> bool {
    issue.effect != Effect::Noted
        || matches!(
            issue.violation.rule(),
            Rule::UnknownElement
                | Rule::StrayText
                | Rule::ContentAfterRoot
                | Rule::InvalidCharacter
                | Rule::MalformedMarkup
                | Rule::Doctype
                | Rule::IssuesOmitted
        )
}

/// The error for a sitemap that cannot be continued.
pub(super) fn damaged(what: impl fmt::Display) -> io::Error {
    let message = format!("the earlier sitemap cannot be continued: {what}");
    io::Error::new(io::ErrorKind::InvalidData, message)
}
