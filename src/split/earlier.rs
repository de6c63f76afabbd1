//! What is left of an earlier run, to be carried on.

use std::fmt;
use std::io::{self, Read};

use super::remarks::Witness;
use crate::entry::{Entry, SitemapEntry};
use crate::error::Result;
use crate::format::Format;
use crate::reader::Reader;
use crate::violation::{Effect, Issue, Rule};

/// What [`Parts::begin`](crate::Parts::begin) finds of an earlier run, to be carried on; by default nothing.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Earlier, SitemapEntry};
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
    /// The parts that stay as they are: they come first in the index, and count for the numbers of new ones.
    pub parts: Vec<SitemapEntry>,
    /// The part after those, if it is to be carried on: a urlset or a text sitemap, gzipped or not, whose entries are
    /// written again before all others. If anything else is in it that would be lost by that (a comment, an unknown
    /// element), that is an error of the kind [`InvalidData`](io::ErrorKind::InvalidData). The style sheet is carried
    /// through, unless there is another.
    pub last: Option<Box<dyn Read>>,
}

impl fmt::Debug for Earlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Earlier")
            .field("parts", &self.parts)
            .field("last", &self.last.as_ref().map(|_| "…"))
            .finish()
    }
}

/// Reads what is about to be replaced: it is an error if anything of it would be lost by that. `take` is given each entry,
/// and the href of the style sheet, if there is one.
pub(super) fn read_whole<R: Read>(
    input: R,
    mut take: impl FnMut(Entry, Option<&str>) -> Result<()>,
) -> Result<Whole> {
    let (witness, remarks) = Witness::new(input);
    let mut reader = Reader::new(witness);
    let format = reader.format();
    if let Some(format @ (Format::Rss | Format::Atom)) = format {
        return Err(damaged(format_args!(
            "format {format}, which says more than its pages"
        ))
        .into());
    }
    loop {
        let entry = reader.next().transpose()?;
        if let Some(issue) = reader.issues().iter().find(|issue| costs(issue)) {
            return Err(damaged(issue).into());
        }
        let remarks = remarks.borrow();
        if let Some(lost) = &remarks.lost {
            return Err(damaged(format_args!("{lost} would be lost")).into());
        }
        match entry {
            Some(entry) => take(entry, remarks.stylesheet.as_deref())?,
            None => {
                return Ok(Whole {
                    format,
                    stylesheet: remarks.stylesheet.clone(),
                });
            }
        }
    }
}

/// What is known of a sitemap that has been read to its end.
pub(super) struct Whole {
    pub(super) format: Option<Format>,
    pub(super) stylesheet: Option<String>,
}

/// Whether something of the document would not be there any more if its entries were written again.
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

/// The sitemap to be carried on is not what it should be.
pub(super) fn damaged(what: impl fmt::Display) -> io::Error {
    let message = format!("the earlier sitemap cannot be carried on: {what}");
    io::Error::new(io::ErrorKind::InvalidData, message)
}
