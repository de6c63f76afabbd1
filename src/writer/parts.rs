//! [`Parts`]: where the parts of a set go; [`Memory`], the simplest one; and [`Progress`], what has been written of a set.

use std::io::{self, Write};

use url::Url;

use crate::entry::SitemapEntry;
use crate::format::Format;
use crate::text::printable::Printable;
use crate::writer::WriterBuilder;

/// The destination of the parts of a large sitemap: a directory, a zip file, an object store, or [memory](Memory).
///
/// A [`SplitWriter`](crate::SplitWriter) calls [`begin`](Self::begin) once, then [`open`](Self::open) and
/// [`close`](Self::close) for each part, and [`finish`](Self::finish) at the end. One part of each
/// [group](crate::SplitWriter::group) can be open at the same time. After an error, the writer calls no further method and
/// drops this value. `Directory` of the crate `quick-sitemap-set` is the implementation for files.
///
/// # Examples
///
/// This example keeps only the size of each part:
///
/// ```
/// use std::io;
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{CompleteSet, PartId, Parts, SplitWriter, UrlEntry};
///
/// #[derive(Default)]
/// struct Sizes(Vec<usize>);
///
/// impl Parts for Sizes {
///     type Part = Vec<u8>;
///     type Output = Vec<usize>;
///
///     fn open(&mut self, _id: PartId<'_>) -> io::Result<Vec<u8>> {
///         Ok(Vec::new())
///     }
///
///     fn close(&mut self, id: PartId<'_>, part: Vec<u8>) -> io::Result<Url> {
///         self.0.push(part.len());
///         let name = id.file_name("xml")?;
///         Url::parse(&format!("https://example.com/{name}")).map_err(io::Error::other)
///     }
///
///     fn finish(self, set: CompleteSet<'_>) -> io::Result<Vec<usize>> {
///         assert_eq!(set.parts.len(), self.0.len()); // the entries of the index
///         Ok(self.0)
///     }
/// }
///
/// let mut site = SplitWriter::new(Sizes::default());
/// site.write(&UrlEntry::try_from("https://example.com/")?)?;
/// assert_eq!(site.finish()?, [153]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
///
/// For a zip file or an object store, `close` stores or uploads the bytes under the name of the part, so that only one part
/// is in memory at a time (at most 50 MiB, or what smaller [`Limits`](crate::Limits) allow). Store the index last, so that
/// all its parts exist when a client reads it.
pub trait Parts {
    /// The output of one part. It gets pieces of about 32 KiB, so it needs no buffer of its own.
    type Part: Write;
    /// The result of [`SplitWriter::finish`](crate::SplitWriter::finish).
    type Output;

    /// Returns the URL at which the index will be found, or `None` if it is not known. It is the
    /// [location](WriterBuilder::location) of the parts, unless the settings of the writer have one. The default is `None`.
    fn location(&self) -> Option<Url> {
        None
    }

    /// Called once, before the first part. `format` is the format of the parts ([`Format::Urlset`] or [`Format::Text`]), and
    /// `index` has the settings for writing the index: the indentation, the style sheet and
    /// [`escape`](WriterBuilder::escape) of the parts. By default, nothing happens.
    ///
    /// # Errors
    ///
    /// Any error. Nothing is written then.
    fn begin(&mut self, format: Format, index: WriterBuilder) -> io::Result<()> {
        let _ = (format, index);
        Ok(())
    }

    /// Opens a part. Called once the first entry of the part is known to fit, so no part is empty.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter).
    fn open(&mut self, id: PartId<'_>) -> io::Result<Self::Part>;

    /// Closes a part that has been completely written and flushed. Finish an encoder here. Returns the URL at which the
    /// part will be found, which must be http or https and shorter than 2,048 characters.
    ///
    /// # Errors
    ///
    /// Any error. It is fatal for the [`SplitWriter`](crate::SplitWriter).
    fn close(&mut self, id: PartId<'_>, part: Self::Part) -> io::Result<Url>;

    /// Keeps the parts of a group as they are in the set that is being replaced
    /// ([`SplitWriter::keep`](crate::SplitWriter::keep)). Returns the entries of the index that list them, each with the
    /// number of entries in the part. By default, this is an error, because there is no earlier set.
    ///
    /// # Errors
    ///
    /// Any error. [`NotFound`](io::ErrorKind::NotFound) is the usual one if the earlier set has no such group.
    fn keep(&mut self, group: &str) -> io::Result<Vec<(SitemapEntry, u64)>> {
        let message = format!("group `{group}` cannot be kept: there is no earlier set");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    /// Stores the index of all parts.
    ///
    /// # Errors
    ///
    /// Any error. An [`InvalidData`](io::ErrorKind::InvalidData) error is the usual one if the set must not be published.
    fn finish(self, set: CompleteSet<'_>) -> io::Result<Self::Output>;
}

/// The group and the number of a part, for its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PartId<'a> {
    /// The name of the [group](crate::SplitWriter::group), or an empty text for the set itself.
    pub group: &'a str,
    /// The number of the part, from 1 in each group.
    pub number: usize,
}

impl PartId<'_> {
    /// Returns the file name of the part: `products-1.xml` for the first part of the group `products`, and `sitemap-1.xml` for
    /// the first part of the set itself. `extension` is the text after the number, such as `xml`, `txt` or `xml.gz`.
    ///
    /// The name is one segment of a path and the same in a URL, so the URL that the index lists leads to this file. A
    /// [`SplitWriter`](crate::SplitWriter) checks the name of each group with this method before it opens a part.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if the group has more than 100 characters, begins with `.`, or if the group
    /// or the extension contains a character other than A-Z, a-z, 0-9, `-`, `_`, `.` and `~`.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Memory, SplitWriter, UrlEntry};
    ///
    /// let page = UrlEntry::try_from("https://example.com/c-sharp/")?;
    /// let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap()));
    /// let error = site.group("c#").write(&page).unwrap_err();
    /// assert!(format!("{error:#}").starts_with("I/O error: group `c#`: the name of a file "));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn file_name(&self, extension: &str) -> io::Result<String> {
        let group = if self.group.is_empty() {
            SET
        } else {
            self.group
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        if group.len() > MOST_CHARS || group.starts_with('.') || !group.bytes().all(is_plain) {
            return Err(invalid(format!(
                "group `{}`: the name of a file must have 1 to {MOST_CHARS} of the characters A-Z, a-z, 0-9, `-`, `_`, `.`, `~`, and must not begin with `.`",
                Printable(group)
            )));
        }
        if !extension.bytes().all(is_plain) {
            return Err(invalid(format!("extension `{}`", Printable(extension))));
        }
        Ok(format!("{group}-{}.{extension}", self.number))
    }
}

/// Maximum number of characters in the name of a group.
const MOST_CHARS: usize = 100;

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// A set whose parts are all closed, for [`Parts::finish`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CompleteSet<'a> {
    /// The entries of the index: all parts in order, those of the set itself before those of its groups, each with the
    /// newest `lastmod` of its entries. There are at most 50,000, because the Sitemap Protocol 0.9 allows no more in one
    /// index, and none if no entry was written.
    pub parts: &'a [SitemapEntry],
    /// The number of entries in each of these parts, in the same order.
    pub part_entries: &'a [u64],
    /// The number of entries in all parts.
    pub entries: u64,
    /// `true` if [`SplitWriter::single`](crate::SplitWriter::single) is set and the set has at most one part, which does not
    /// belong to a group. This part should become the sitemap itself, for example by getting the name that the index would
    /// have.
    pub is_single: bool,
}

/// The amount of data that a [`SplitWriter`](crate::SplitWriter) has written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of entries, including those of groups that are [kept](crate::SplitWriter::keep).
    pub entries: u64,
    /// Number of bytes of the parts that were written, before compression, as if all were finished now.
    pub bytes: u64,
    /// Number of parts, including those that are open and those that are kept.
    pub parts: u64,
}

/// A set of sitemaps in memory, for tests, databases and small archives. Its output is the files by name, the index last.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Limits, Memory, UrlEntry, WriterBuilder};
///
/// let base = "https://example.com/".parse().unwrap();
/// let mut site = WriterBuilder::new().limits(Limits::default().with_entries(1)).split(Memory::new(&base));
/// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
/// site.write(&UrlEntry::try_from("https://example.com/b")?)?;
/// let files = site.finish()?;
/// let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Memory {
    base: Url,
    extension: &'static str,
    index: WriterBuilder,
    files: Vec<(String, Vec<u8>)>,
}

/// The name of a set that has none of its own.
const SET: &str = "sitemap";

impl Memory {
    /// Creates an empty set. `base` is the URL of the directory in which the files will be found, with or without a final
    /// slash.
    pub fn new(base: &Url) -> Self {
        let mut base = base.clone();
        if let Ok(mut segments) = base.path_segments_mut() {
            segments.pop_if_empty().push("");
        }
        Self {
            base,
            extension: "xml",
            index: WriterBuilder::new(),
            files: Vec::new(),
        }
    }

    fn url(&self, file: &str) -> io::Result<Url> {
        self.base.join(file).map_err(io::Error::other)
    }
}

impl Parts for Memory {
    type Part = Vec<u8>;
    type Output = Vec<(String, Vec<u8>)>;

    fn location(&self) -> Option<Url> {
        self.url("sitemap.xml").ok()
    }

    fn begin(&mut self, format: Format, index: WriterBuilder) -> io::Result<()> {
        if format == Format::Text {
            self.extension = "txt";
        }
        self.index = index;
        Ok(())
    }

    fn open(&mut self, id: PartId<'_>) -> io::Result<Vec<u8>> {
        if id.group == SET {
            return Err(invalid(format!(
                "group `{SET}`: this is the name of the set itself"
            )));
        }
        Ok(Vec::new())
    }

    fn close(&mut self, id: PartId<'_>, part: Vec<u8>) -> io::Result<Url> {
        let name = id.file_name(self.extension)?;
        let url = self.url(&name)?;
        self.files.push((name, part));
        Ok(url)
    }

    fn finish(mut self, set: CompleteSet<'_>) -> io::Result<Self::Output> {
        let sitemap = if set.is_single {
            let part = self.files.pop().map(|(_, bytes)| Ok(bytes));
            part.unwrap_or_else(|| self.index.urlset(Vec::new()).finish())
        } else {
            let mut index = self.index.index(Vec::new());
            let written = set.parts.iter().try_for_each(|part| index.write(part));
            written.and_then(|()| index.finish())
        };
        let sitemap = sitemap.map_err(io::Error::other)?;
        self.files.push(("sitemap.xml".to_owned(), sitemap));
        Ok(self.files)
    }
}
