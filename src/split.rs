mod commit;
mod directory;
mod earlier;
mod file;
mod names;
mod set;

use std::fmt;
use std::io::{self, Write};

use url::Url;

use crate::entry::{Entry, SitemapEntry, UrlEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::reader::Reader;
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation};
use crate::writer::{TextWriter, UrlsetWriter, WriterBuilder};

pub use self::directory::Directory;
pub use self::earlier::Earlier;
pub use self::file::PartFile;

/// Where the parts of a large sitemap go: a file system, a zip, an object store, memory.
///
/// A [`SplitWriter`] calls [`begin`](Self::begin) once, then [`open`](Self::open) and [`close`](Self::close) by turns,
/// a part at a time, and [`finish`](Self::finish) at the end. After an error it calls nothing more and drops this.
/// [`Directory`] is the ready-made one.
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
    /// What [`SplitWriter::finish`] returns.
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
    /// Any. Fatal for the [`SplitWriter`].
    fn open(&mut self, number: usize) -> io::Result<Self::Writer>;

    /// Ends a part, all of which has been written and flushed: an encoder is finished here. Gives the URL at which
    /// the part will be found, http or https and shorter than 2,048 characters.
    ///
    /// # Errors
    ///
    /// Any. Fatal for the [`SplitWriter`].
    fn close(&mut self, number: usize, writer: Self::Writer) -> io::Result<Url>;

    /// Stores the index of all parts, in order, each with the newest `lastmod` among its entries. There are at most
    /// 50,000, as many as the Sitemap Protocol 0.9 allows in one index; none, if nothing was written.
    ///
    /// # Errors
    ///
    /// Any.
    fn finish(self, parts: &[SitemapEntry]) -> Result<Self::Output>;
}

/// Writes any number of pages, in as many sitemaps as the limits call for.
///
/// A new part begins with the entry that would be the 50,001st of its part, or the 1,001st with news, or would make
/// the finished file larger than 52,428,800 bytes, uncompressed (Sitemap Protocol 0.9, Google's news sitemaps), or
/// pass smaller [limits](WriterBuilder::limits). No part is empty. Memory does not grow but for the list of parts.
///
/// Nothing is complete before [`finish`](Self::finish); what becomes of the parts if it is never called is up to the
/// [`Parts`] ([`Directory`] removes them).
///
/// # Examples
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-split-{}", std::process::id()));
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
///
/// let base: Url = "https://example.com/".parse().unwrap();
/// let mut site = SplitWriter::new(Directory::create(&public, &base)?.gzip(true));
/// for number in 0..50_001 {
///     site.write(&UrlEntry::new(base.join(&format!("page/{number}")).unwrap()))?;
/// }
/// assert_eq!(site.finish()?.as_str(), "https://example.com/sitemap.xml");
/// assert!(public.join("sitemap-2.xml.gz").exists());
/// assert!(!public.join("sitemap-3.xml.gz").exists());
/// # std::fs::remove_dir_all(&public).unwrap();
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
///
/// A transform: any sitemap in, of any size, filtered and edited, split sitemaps out, in constant memory
/// (`examples/transform.rs` is the long form).
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-transform-{}", std::process::id()));
/// use quick_sitemap::{Directory, Reader, SplitWriter};
///
/// let input = &b"http://example.com/a\nhttp://example.com/draft/b\n"[..];
/// let mut site = SplitWriter::new(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
/// let mut reader = Reader::new(input);
/// while let Some(raw) = reader.read_raw()? {
///     if raw.loc().is_some_and(|loc| loc.contains("/draft/")) {
///         continue; // nothing was allocated for it
///     }
///     if let Some(mut page) = reader.to_entry()?.and_then(|entry| entry.into_url()) {
///         let _ = page.loc.set_scheme("https");
///         site.write(&page)?;
///     }
/// }
/// site.finish()?;
/// let part = std::fs::read_to_string(public.join("sitemap-1.xml")).unwrap();
/// assert_eq!(part.matches("<loc>").count(), 1);
/// assert!(part.contains("<loc>https://example.com/a</loc>"));
/// # std::fs::remove_dir_all(&public).unwrap();
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[must_use = "unfinished sitemaps are cut off"]
pub struct SplitWriter<P: Parts> {
    // Dropped first: an open file is closed before `parts` removes it.
    part: Option<Part<P::Writer>>,
    parts: P,
    format: Format,
    settings: WriterBuilder,
    closed: Vec<SitemapEntry>,
    /// The newest of the open part.
    lastmod: Option<W3cDatetime>,
    begun: bool,
    failed: bool,
}

impl<P: Parts> SplitWriter<P> {
    /// A writer of urlsets with the settings of [`WriterBuilder::new`]. Nothing happens yet.
    pub fn new(parts: P) -> Self {
        Self::with(WriterBuilder::new(), parts)
    }

    /// A writer of urlsets with settings of one's own, which count for every part; the limits too.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-with-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Limits, SplitWriter, UrlEntry, WriterBuilder};
    ///
    /// let mut limits = Limits::default();
    /// limits.entries = 1;
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::with(WriterBuilder::new().limits(limits), directory);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.write(&UrlEntry::try_from("https://example.com/b")?)?;
    /// site.finish()?;
    /// assert!(public.join("sitemap-2.xml").exists());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn with(settings: WriterBuilder, parts: P) -> Self {
        Self::of(Format::Urlset, settings, parts)
    }

    /// A writer of text sitemaps: of each entry only the loc is written (but the newest `lastmod` still gets into
    /// the index). Nothing happens yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-text-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::text(directory);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// assert_eq!(std::fs::read(public.join("sitemap-1.txt")).unwrap(), b"https://example.com/a\n");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn text(parts: P) -> Self {
        Self::text_with(WriterBuilder::new(), parts)
    }

    /// A writer of text sitemaps with settings of one's own, of which only the limits count.
    pub fn text_with(settings: WriterBuilder, parts: P) -> Self {
        Self::of(Format::Text, settings, parts)
    }

    fn of(format: Format, settings: WriterBuilder, parts: P) -> Self {
        Self {
            part: None,
            parts,
            format,
            settings,
            closed: Vec::new(),
            lastmod: None,
            begun: false,
            failed: false,
        }
    }

    /// Writes one entry, into the open part or, where that is full, into a new one. Nothing is allocated but where
    /// a part begins.
    ///
    /// # Errors
    ///
    /// A [`Violation`](ErrorKind::Violation) is not fatal: nothing of the entry is written, and nothing of the others
    /// lost. It is the first rule that the entry breaks; [`TooManyBytes`](Rule::TooManyBytes) or
    /// [`EntryTooLarge`](Rule::EntryTooLarge) if it is too large for any part; [`TooManyEntries`](Rule::TooManyEntries)
    /// if it needs part 50,001, which no index may list: make a second set of files, under another name, of the rest.
    ///
    /// Errors of the [`Parts`] are fatal, as is a last part to be carried on that cannot be read whole: after them
    /// every call fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-refuse-{}", std::process::id()));
    /// use quick_sitemap::{Directory, ErrorKind, Rule, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
    /// let error = site.write(&UrlEntry::new("ftp://example.com/".parse().unwrap())).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::UnsupportedScheme));
    /// assert!(!error.is_fatal());
    /// site.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// site.finish()?;
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn write(&mut self, entry: &UrlEntry) -> Result<()> {
        self.begin()?;
        self.put(entry)
    }

    /// Closes the last part and stores the index.
    ///
    /// # Errors
    ///
    /// Those of the [`Parts`], and any if a call before failed fatally.
    pub fn finish(mut self) -> Result<P::Output> {
        self.begin()?;
        self.close().map_err(last)?;
        self.parts.finish(&self.closed).map_err(last)
    }

    /// Where [`Parts::begin`] has not been called, calls it and writes the entries of the part to be carried on.
    fn begin(&mut self) -> Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed").into());
        }
        if self.begun {
            return Ok(());
        }
        self.guarded(|this| {
            let earlier = this.parts.begin(this.format, &mut this.settings)?;
            this.closed = earlier.parts;
            let Some(last) = earlier.last else {
                return Ok(());
            };
            earlier::read_whole(&mut Reader::new(last), |entry| match entry {
                Entry::Url(page) => this.put(&page).map_err(|error| match error.kind() {
                    ErrorKind::Violation(violation) => earlier::damaged(violation).into(),
                    _ => error,
                }),
                Entry::Sitemap(_) => Err(earlier::damaged("a sitemap listed by a part").into()),
            })
        })?;
        self.begun = true;
        Ok(())
    }

    fn put(&mut self, entry: &UrlEntry) -> Result<()> {
        if let Some(part) = &mut self.part {
            match part.write(entry) {
                Ok(()) => {
                    self.note(entry.lastmod);
                    return Ok(());
                }
                Err(error) if came_too_late(&error) => {}
                Err(error) => return self.give_up_if_fatal(error),
            }
        }
        // Where no part has room for it, none is opened.
        Part::new(self.format, &self.settings, io::sink()).write(entry)?;
        let parts = self.closed.len() + usize::from(self.part.is_some());
        if parts as u64 >= MAX_ENTRIES {
            let detail = "more parts than one index may list";
            return Err(Violation::with_detail(Rule::TooManyEntries, "50,000", detail).into());
        }
        self.guarded(|this| {
            this.close()?;
            let output = this.parts.open(this.closed.len() + 1)?;
            let mut part = Part::new(this.format, &this.settings, output);
            part.write(entry)?;
            this.part = Some(part);
            Ok(())
        })?;
        self.note(entry.lastmod);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(part) = self.part.take() else {
            return Ok(());
        };
        let output = part.finish()?;
        let loc = self.parts.close(self.closed.len() + 1, output)?;
        let mut entry = SitemapEntry::new(loc);
        entry.lastmod = self.lastmod.take();
        self.closed.push(entry);
        Ok(())
    }

    /// Of two spellings of one instant the first stays.
    fn note(&mut self, lastmod: Option<W3cDatetime>) {
        let Some(new) = lastmod.filter(|_| lastmod != self.lastmod) else {
            return;
        };
        if self.lastmod.is_none_or(|old| old.start() < new.start()) {
            self.lastmod = lastmod;
        }
    }

    /// Whatever goes wrong in here (a panic of the parts, too) ends the writing.
    fn guarded(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = std::mem::replace(&mut self.failed, true);
        act(self).map_err(fatal)?;
        self.failed = before;
        Ok(())
    }

    fn give_up_if_fatal(&mut self, error: Error) -> Result<()> {
        self.failed = !matches!(error.kind(), ErrorKind::Violation(_));
        Err(error)
    }
}

impl<P: Parts> fmt::Debug for SplitWriter<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitWriter")
            .field("format", &self.format)
            .field("closed", &self.closed.len())
            .field("part", &self.part)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// The part that is open.
enum Part<W: Write> {
    Urlset(UrlsetWriter<W>),
    Text(TextWriter<W>),
}

impl<W: Write> Part<W> {
    fn new(format: Format, settings: &WriterBuilder, output: W) -> Self {
        match format {
            Format::Text => Self::Text(settings.text(output)),
            _ => Self::Urlset(settings.urlset(output)),
        }
    }

    fn write(&mut self, entry: &UrlEntry) -> Result<()> {
        match self {
            Self::Urlset(writer) => writer.write(entry),
            Self::Text(writer) => writer.write(entry),
        }
    }

    fn finish(self) -> Result<W> {
        match self {
            Self::Urlset(writer) => writer.finish(),
            Self::Text(writer) => writer.finish(),
        }
    }
}

impl<W: Write> fmt::Debug for Part<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Urlset(writer) => writer.fmt(f),
            Self::Text(writer) => writer.fmt(f),
        }
    }
}

/// Whether an entry was refused for what is in the part already, so that another might take it.
fn came_too_late(error: &Error) -> bool {
    let ErrorKind::Violation(violation) = error.kind() else {
        return false;
    };
    matches!(
        violation.rule(),
        Rule::TooManyEntries | Rule::TooManyBytes | Rule::TooManyNews
    )
}

/// Nothing can be asked to go on any more: an output that says that it may be asked again is not believed.
fn last(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Io(_) => fatal(error),
        _ => error,
    }
}

/// An error after which there is no going on must not look like one.
fn fatal(error: Error) -> Error {
    if error.is_fatal() {
        return error;
    }
    io::Error::other(error).into()
}
