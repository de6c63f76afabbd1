//! [`Parts`]: where the parts of a set go; and [`Progress`], what has been written of it.

use std::io::{self, Write};

use url::Url;

use super::earlier::Earlier;
use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::format::Format;
use crate::writer::WriterBuilder;

/// The destination of the parts of a large sitemap: a file system, a zip file, an object store, or memory.
///
/// A [`SplitWriter`](crate::SplitWriter) calls [`begin`](Self::begin) once, then [`open`](Self::open) and
/// [`close`](Self::close) alternately for each part, and [`accept`](Self::accept) and [`finish`](Self::finish) at the
/// end. Parts of [groups](crate::SplitWriter::group) have methods of their own, [`open_group`](Self::open_group) and
/// [`close_group`](Self::close_group); one part of each group can be open at the same time. After an error, the writer
/// calls no further method and drops this value. [`Directory`](crate::Directory) is the implementation for files.
///
/// # Examples
///
/// This example stores each part in memory under its name, and the index last:
///
/// ```
/// use std::io;
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{IndexWriter, Parts, Result, SitemapEntry, SplitWriter, UrlEntry};
///
/// #[derive(Default)]
/// struct Memory(Vec<(String, Vec<u8>)>);
///
/// impl Parts for Memory {
///     type Writer = Vec<u8>;
///     type Output = Vec<(String, Vec<u8>)>;
///
///     fn open(&mut self, _number: usize) -> io::Result<Vec<u8>> {
///         Ok(Vec::new())
///     }
///
///     fn close(&mut self, number: usize, part: Vec<u8>) -> io::Result<Url> {
///         let name = format!("sitemap-{number}.xml");
///         let url = Url::parse("https://example.com/").and_then(|base| base.join(&name));
///         self.0.push((name, part));
///         url.map_err(io::Error::other)
///     }
///
///     fn finish(mut self, parts: &[SitemapEntry]) -> Result<Self::Output> {
///         let mut index = IndexWriter::new(Vec::new());
///         parts.iter().try_for_each(|part| index.write(part))?;
///         self.0.push(("sitemap.xml".to_owned(), index.finish()?));
///         Ok(self.0)
///     }
/// }
///
/// let mut site = SplitWriter::new(Memory::default());
/// site.write(&UrlEntry::try_from("https://example.com/")?)?;
/// let files = site.finish()?;
/// let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["sitemap-1.xml", "sitemap.xml"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
///
/// For a zip file or an object store, change `close`: store or upload the bytes under the name of the part, so that
/// only one part is in memory at a time (at most 50 MiB, or what smaller [`Limits`](crate::Limits) allow). Store the
/// index last, so that all its parts exist when a client reads it.
pub trait Parts {
    /// The output of one part. It gets pieces of about 32 KiB, so it needs no buffer of its own.
    type Writer: Write;
    /// The result of [`SplitWriter::finish`](crate::SplitWriter::finish).
    type Output;

    /// Called once, before all other methods. Returns what exists already and will be continued. `format` is the format
    /// of the parts ([`Format::Urlset`] or [`Format::Text`]). `settings` are the options for writing them, and can be
    /// changed here. By default, nothing exists.
    ///
    /// # Errors
    ///
    /// Any error. Nothing is written then.
    fn begin(&mut self, format: Format, settings: &mut WriterBuilder) -> Result<Earlier> {
        let _ = (format, settings);
        Ok(Earlier::default())
    }

    /// Opens a part. `number` is 1 for the first part (or one more than the number of
    /// [`Earlier::parts`](crate::sets::Earlier::parts)), and so on. Called once the first entry of the part is known to fit,
    /// so no part is empty.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter).
    fn open(&mut self, number: usize) -> io::Result<Self::Writer>;

    /// Closes a part that has been completely written and flushed. Finish an encoder here. Returns the URL at which the
    /// part will be found, which must be http or https and shorter than 2,048 characters.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter).
    fn close(&mut self, number: usize, writer: Self::Writer) -> io::Result<Url>;

    /// Opens a part of a [group](crate::SplitWriter::group), as [`open`](Self::open) does for a part of the set itself.
    /// Each group counts its parts from 1.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter). By default, the error is
    /// [`Unsupported`](io::ErrorKind::Unsupported): there are no groups.
    fn open_group(&mut self, group: &str, number: usize) -> io::Result<Self::Writer> {
        let _ = number;
        Err(no_groups(group))
    }

    /// Closes a part of a group, as [`close`](Self::close) does for a part of the set itself.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter).
    fn close_group(&mut self, group: &str, number: usize, writer: Self::Writer) -> io::Result<Url> {
        let _ = (number, writer);
        Err(no_groups(group))
    }

    /// Called before [`finish`](Self::finish), when all parts are closed. Decides whether the written parts can become
    /// the set. By default, they can.
    ///
    /// # Errors
    ///
    /// Any error. The index is not stored then.
    fn accept(&mut self, written: &Progress) -> Result<()> {
        let _ = written;
        Ok(())
    }

    /// Stores the index of all parts, in order, each with the newest `lastmod` of its entries. There are at most 50,000
    /// parts, because the Sitemap Protocol 0.9 allows no more in one index. There are none if no entry was written.
    ///
    /// # Errors
    ///
    /// Any error.
    fn finish(self, parts: &[SitemapEntry]) -> Result<Self::Output>;

    /// Called in place of [`finish`](Self::finish) if [`SplitWriter::single`](crate::SplitWriter::single) is set and the set
    /// has at most one part, which does not belong to a group: makes this part the sitemap itself, for example by giving it
    /// the name that the index would have. `part` is `None` if no entry was written. The default calls `finish`, so the set
    /// is an index of one part or none.
    ///
    /// # Errors
    ///
    /// Any error.
    fn finish_single(self, part: Option<&SitemapEntry>) -> Result<Self::Output>
    where
        Self: Sized,
    {
        self.finish(part.map_or(&[], std::slice::from_ref))
    }
}

fn no_groups(group: &str) -> io::Error {
    let message = format!("group `{group}`: these parts have no groups");
    io::Error::new(io::ErrorKind::Unsupported, message)
}

/// The amount of data that a [`SplitWriter`](crate::SplitWriter) has written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of entries, including those of a last part that is continued, but not those of parts that stay.
    pub entries: u64,
    /// Number of bytes of the parts with these entries, before compression, as if all were finished now.
    pub bytes: u64,
    /// Number of parts, including those that stay and those that are open.
    pub parts: u64,
}
