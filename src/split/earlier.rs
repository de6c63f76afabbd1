use std::fmt;
use std::io::{self, Read};

use crate::entry::{Entry, SitemapEntry};
use crate::error::Result;
use crate::reader::Reader;
use crate::violation::Effect;

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
    /// The part after those, if it is to be carried on: a sitemap of pages in any format, gzipped or not, whose
    /// entries are written again before all others.
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

/// Reads what is about to be replaced: it is an error if anything of it would be lost by that.
pub(super) fn read_whole<R: Read>(
    reader: &mut Reader<R>,
    mut take: impl FnMut(Entry) -> Result<()>,
) -> Result<()> {
    loop {
        let entry = reader.next().transpose()?;
        if let Some(issue) = reader
            .issues()
            .iter()
            .find(|issue| issue.effect != Effect::Noted)
        {
            return Err(damaged(issue).into());
        }
        match entry {
            Some(entry) => take(entry)?,
            None => return Ok(()),
        }
    }
}

/// The sitemap to be carried on is not what it should be.
pub(super) fn damaged(what: impl fmt::Display) -> io::Error {
    let message = format!("the earlier sitemap cannot be carried on: {what}");
    io::Error::new(io::ErrorKind::InvalidData, message)
}
