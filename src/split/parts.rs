//! [`Parts`]: where the parts of a set go; and [`Progress`], what has been written of it.

use std::io::{self, Write};

use url::Url;

use super::earlier::Earlier;
use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::format::Format;
use crate::writer::WriterBuilder;

/// Where the parts of a large sitemap go: a file system, a zip, an object store, memory.
///
/// A [`SplitWriter`](crate::SplitWriter) calls [`begin`](Self::begin) once, then [`open`](Self::open) and [`close`](Self::close) by turns,
/// a part at a time, and [`finish`](Self::finish) at the end. After an error it calls nothing more and drops this.
/// [`Directory`](crate::Directory) is the ready-made one.
///
/// # Examples
///
/// In memory, each part under its name, the index last:
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
/// A zip or an object store differs in `close`: there the bytes are stored or sent off under the part's name, so that
/// one part is in memory at a time (50 MiB at most, or what smaller [`Limits`](crate::Limits) allow). Store the index
/// last: whoever reads it then finds every part that it names.
pub trait Parts {
    /// What one part is written to, in pieces of about 32 KiB: no buffer of its own is needed.
    type Writer: Write;
    /// What [`SplitWriter::finish`](crate::SplitWriter::finish) returns.
    type Output;

    /// Called once, before all others: the format of the parts to come ([`Format::Urlset`] or [`Format::Text`]), how
    /// they will be written (which may be changed here), and the question what there is already, to be carried on.
    /// The default: nothing.
    ///
    /// # Errors
    ///
    /// Any. Nothing is written then.
    fn begin(&mut self, format: Format, settings: &mut WriterBuilder) -> Result<Earlier> {
        let _ = (format, settings);
        Ok(Earlier::default())
    }

    /// Begins a part; `number` is 1 for the first (or one more than there are [`Earlier::parts`]), and so on.
    /// Called when its first entry is there and is certain to fit: no part stays empty.
    ///
    /// # Errors
    ///
    /// Any. Fatal for the [`SplitWriter`](crate::SplitWriter).
    fn open(&mut self, number: usize) -> io::Result<Self::Writer>;

    /// Ends a part, all of which has been written and flushed: an encoder is finished here. Gives the URL at which
    /// the part will be found, http or https and shorter than 2,048 characters.
    ///
    /// # Errors
    ///
    /// Any. Fatal for the [`SplitWriter`](crate::SplitWriter).
    fn close(&mut self, number: usize, writer: Self::Writer) -> io::Result<Url>;

    /// Begins a part of a [group](crate::SplitWriter::group), as [`open`](Self::open) does one of the set's own; each group
    /// counts its parts from 1.
    ///
    /// # Errors
    ///
    /// Any. Fatal for the [`SplitWriter`](crate::SplitWriter). By default [`Unsupported`](io::ErrorKind::Unsupported): there are no groups.
    fn open_group(&mut self, group: &str, number: usize) -> io::Result<Self::Writer> {
        let _ = number;
        Err(no_groups(group))
    }

    /// Ends a part of a group, as [`close`](Self::close) does one of the set's own.
    ///
    /// # Errors
    ///
    /// Any. Fatal for the [`SplitWriter`](crate::SplitWriter).
    fn close_group(&mut self, group: &str, number: usize, writer: Self::Writer) -> io::Result<Url> {
        let _ = (number, writer);
        Err(no_groups(group))
    }

    /// Called before [`finish`](Self::finish), when all parts are closed: whether what has been written may become
    /// the set. The default: yes.
    ///
    /// # Errors
    ///
    /// Any. The index is not stored then.
    fn accept(&mut self, written: &Progress) -> Result<()> {
        let _ = written;
        Ok(())
    }

    /// Stores the index of all parts, in order, each with the newest `lastmod` among its entries. There are at most
    /// 50,000, as many as the Sitemap Protocol 0.9 allows in one index; none, if nothing was written.
    ///
    /// # Errors
    ///
    /// Any.
    fn finish(self, parts: &[SitemapEntry]) -> Result<Self::Output>;
}

fn no_groups(group: &str) -> io::Error {
    let message = format!("group `{group}`: these parts have no groups");
    io::Error::new(io::ErrorKind::Unsupported, message)
}

/// What a [`SplitWriter`](crate::SplitWriter) has written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Entries, with those of a last part that is carried on, without those of parts that stay.
    pub entries: u64,
    /// Bytes of the parts that hold them, before compression, as if all were finished now.
    pub bytes: u64,
    /// Parts, with those that stay and those that are open.
    pub parts: u64,
}
