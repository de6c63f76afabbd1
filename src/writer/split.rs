//! [`SplitWriter`] decides where one part ends and the next begins, and [`Parts`] stores them.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use super::builder::WriterBuilder;
use super::failure::WriteFailure;
use super::file_text::Content;
use super::parts::{CompleteSet, PartId, Parts, Progress};
use super::sitemap_file::SitemapFile;
use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::limits::{Limits, MAX_ENTRIES};
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation, case, grouped};
use crate::vocabulary::Extension;

/// Writes any number of pages, split into as many sitemaps as the limits require.
///
/// A new part begins with the entry that would exceed a limit of the current part: 50,000 entries, 1,000 entries with
/// news, 52,428,800 uncompressed bytes (Sitemap Protocol 0.9, Google's news sitemaps), or smaller
/// [limits](WriterBuilder::limits). No part is empty. Memory use does not grow, except for the list of parts.
///
/// A part declares the namespaces that its first entry needs. If only some entries have extensions, use
/// [`declare`](WriterBuilder::declare); otherwise, each of these entries declares its namespaces itself.
///
/// The set is incomplete before [`finish`](Self::finish). If `finish` is never called, the [`Parts`] decide what happens
/// to the written parts (`Directory` of the crate `quick-sitemap-set` removes them).
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{Memory, SplitWriter, UrlEntry};
///
/// let base: Url = "https://example.com/".parse().unwrap();
/// let mut site = SplitWriter::new(Memory::new(&base));
/// for number in 0..50_001 {
///     site.write(&UrlEntry::new(base.join(&format!("page/{number}")).unwrap()))?;
/// }
/// let files = site.finish()?;
/// let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
///
/// This program reads a sitemap of any size, filters and edits its entries, and writes split sitemaps, in constant
/// memory.
///
/// ```
/// use quick_sitemap::{Memory, Reader, SplitWriter};
///
/// let input = &b"http://example.com/a\nhttp://example.com/draft/b\n"[..];
/// let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap()));
/// let mut reader = Reader::new(input);
/// while let Some(raw) = reader.read_raw()? {
///     if raw.loc().is_some_and(|loc| loc.contains("/draft/")) {
///         continue; // nothing was allocated for it
///     }
///     if let Some(mut page) = reader.take_entry()?.and_then(|entry| entry.into_url()) {
///         let _ = page.loc.set_scheme("https");
///         site.write(&page)?;
///     }
/// }
/// let files = site.finish()?;
/// let part = std::str::from_utf8(&files[0].1).unwrap();
/// assert_eq!(part.matches("<loc>").count(), 1);
/// assert!(part.contains("<loc>https://example.com/a</loc>"));
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[must_use = "unfinished sitemaps are cut off"]
pub struct SplitWriter<P: Parts> {
    // The first group is the set itself. Dropped before `parts`, so that files are closed before they are removed.
    groups: Vec<Series<P::Part>>,
    /// The place of each group in `groups`.
    places: HashMap<String, usize>,
    parts: P,
    format: Format,
    settings: WriterBuilder,
    /// The only part becomes the sitemap itself.
    single: bool,
    written: Progress,
    begun: bool,
    failed: Option<WriteFailure>,
    on_progress: Option<OnProgress>,
}

type OnProgress = Box<dyn FnMut(&Progress) + Send>;

/// The parts of the set or of one group.
struct Series<W: Write> {
    /// The name of the group; empty for the set itself.
    group: String,
    /// The limits of the group, if they differ from those of the set.
    limits: Option<Limits>,
    part: Option<SitemapFile<W>>,
    /// The newest `lastmod` of the open part.
    lastmod: Option<W3cDatetime>,
    /// The lines of the index, each with the number of entries in the part.
    closed: Vec<(SitemapEntry, u64)>,
    /// Number of entries in the open part.
    entries: u64,
    /// The group stays as it is.
    is_kept: bool,
}

impl<W: Write> Series<W> {
    fn new(group: String) -> Self {
        Self {
            group,
            limits: None,
            part: None,
            lastmod: None,
            closed: Vec::new(),
            entries: 0,
            is_kept: false,
        }
    }

    /// The group and the number of the open part or, if there is none, of the next one.
    fn next_id(&self) -> PartId<'_> {
        PartId {
            group: &self.group,
            number: self.closed.len() + 1,
        }
    }

    /// Counts an entry of the open part, and keeps the newest date. If two dates are the same instant, the first one stays.
    fn count(&mut self, lastmod: Option<W3cDatetime>) {
        self.entries += 1;
        let Some(new) = lastmod.filter(|_| lastmod != self.lastmod) else {
            return;
        };
        if self.lastmod.is_none_or(|old| old.start() < new.start()) {
            self.lastmod = lastmod;
        }
    }
}

/// Number of entries between two calls of the function of [`SplitWriter::on_progress`].
const STEP: u64 = 1_000;

impl<P: Parts> SplitWriter<P> {
    /// Creates a writer of urlsets with the settings of [`WriterBuilder::new`]. Nothing is written yet.
    pub fn new(parts: P) -> Self {
        WriterBuilder::new().split(parts)
    }

    pub(super) fn of_format(format: Format, settings: WriterBuilder, parts: P) -> Self {
        Self {
            groups: vec![Series::new(String::new())],
            places: HashMap::from([(String::new(), 0)]),
            parts,
            format,
            settings,
            single: false,
            written: Progress::default(),
            begun: false,
            failed: None,
            on_progress: None,
        }
    }

    /// Sets whether a set that fits into one part is written without an index: the part itself is `sitemap.xml`. When the
    /// site outgrows it, `sitemap.xml` is the index again, so the name in robots.txt does not depend on the number of pages.
    /// The default is `false`. The setting has no effect on text parts and on sets with [groups](Self::group).
    ///
    /// [`CompleteSet::is_single`] returns to the [`Parts`] whether there is an index.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Format, Memory, Reader, SplitWriter, UrlEntry};
    ///
    /// let write = |pages: u32| {
    ///     let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap())).single(true);
    ///     (0..pages).try_for_each(|page| site.write(&UrlEntry::try_from(format!("https://example.com/{page}"))?))?;
    ///     let files = site.finish()?;
    ///     let (name, sitemap) = files.last().unwrap();
    ///     assert_eq!(name, "sitemap.xml");
    ///     Ok::<_, quick_sitemap::Error>(Reader::from_bytes(sitemap).format())
    /// };
    /// assert_eq!(write(50_000)?, Some(Format::Urlset));
    /// assert_eq!(write(50_001)?, Some(Format::Index));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn single(mut self, single: bool) -> Self {
        self.single = single;
        self
    }

    /// Returns the number of entries that have been written or [kept](Self::keep).
    pub const fn entries(&self) -> u64 {
        self.written.entries
    }

    /// Returns the number of bytes of all written parts, before compression, as if the open parts were finished now.
    pub const fn bytes(&self) -> u64 {
        self.written.bytes
    }

    /// Sets a callback that is called after every 1,000th entry, and after each part that has been closed.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Memory, SplitWriter, UrlEntry};
    ///
    /// let memory = Memory::new(&"https://example.com/".parse().unwrap());
    /// let (sender, lines) = std::sync::mpsc::channel();
    /// let mut site = SplitWriter::new(memory).on_progress(move |so_far| {
    ///     let _ = sender.send(format!("{} pages in {} files", so_far.entries, so_far.parts));
    /// });
    /// for number in 0..1_500 {
    ///     site.write(&UrlEntry::try_from(&*format!("https://example.com/{number}"))?)?;
    /// }
    /// assert_eq!(site.entries(), 1_500);
    /// site.finish()?;
    /// assert_eq!(lines.iter().collect::<Vec<_>>(), ["1000 pages in 1 files", "1500 pages in 1 files"]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn on_progress(mut self, call: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(call));
        self
    }

    fn report_progress(&mut self) {
        if let Some(call) = &mut self.on_progress {
            call(&self.written);
        }
    }

    /// Writes one entry into the open part or, if that is full, into a new one. Memory is allocated only when a part
    /// begins.
    ///
    /// # Errors
    ///
    /// A [`Violation`](ErrorKind::Violation) of the first rule that the entry breaks. It is not fatal: no part of the entry
    /// is written, and no other entry is lost. The rule is [`TooManyBytes`](Rule::TooManyBytes) or
    /// [`EntryTooLarge`](Rule::EntryTooLarge) if the entry is too large for any part. It is
    /// [`TooManyEntries`](Rule::TooManyEntries) if the entry needs part 50,001, which no index can list; write the remaining
    /// entries to a second set with another name.
    ///
    /// Errors of the [`Parts`] are fatal. After a fatal error, every call fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ErrorKind, Memory, Rule, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap()));
    /// let error = site.write(&UrlEntry::new("ftp://example.com/".parse().unwrap())).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::UnsupportedScheme));
    /// assert!(!error.is_fatal());
    /// site.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// site.finish()?;
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn write(&mut self, entry: &UrlEntry) -> Result<()> {
        self.begin()?;
        self.put(0, entry)
    }

    /// Ends the open part, if there is one, so that the next entry begins another part.
    ///
    /// If parts begin at a boundary of your data (a year, a section), they stay the same when pages are added to other
    /// parts.
    ///
    /// # Errors
    ///
    /// The errors of the [`Parts`], which are fatal.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Memory, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap()));
    /// for year in 2023..2025 {
    ///     site.write(&UrlEntry::try_from(&*format!("https://example.com/{year}/"))?)?;
    ///     site.next_part()?;
    /// }
    /// assert_eq!(site.finish()?.len(), 3); // two parts and their index
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn next_part(&mut self) -> Result<()> {
        self.group("").next_part()
    }

    /// Returns a writer for the parts of a group. These parts have the name of the group (`products-1.xml`,
    /// `products-2.xml` and so on), so a page that is deleted does not move pages of other groups. The index lists them after
    /// the parts of the set itself, in the order in which the groups were started. Groups can be written to in any order,
    /// because each has its own open part.
    ///
    /// The name becomes the name of files, so it must be one that [`PartId::file_name`] accepts; otherwise, the first `write`
    /// to the group fails. The empty name is that of the set itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Limits, Memory, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Memory::new(&"https://example.com/".parse().unwrap()));
    /// site.group("products").limits(Limits::default().with_entries(10_000));
    /// site.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// site.group("products").write(&UrlEntry::try_from("https://example.com/kettle")?)?;
    /// site.group("journal").write(&UrlEntry::try_from("https://example.com/2024/descaling")?)?;
    /// site.group("products").write(&UrlEntry::try_from("https://example.com/teapot")?)?;
    /// let mut files = site.finish()?;
    /// files.sort();
    /// let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    /// assert_eq!(names, ["journal-1.xml", "products-1.xml", "sitemap-1.xml", "sitemap.xml"]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn group(&mut self, name: &str) -> Group<'_, P> {
        let found = self.places.get(name).copied();
        let at = found.unwrap_or_else(|| {
            let at = self.groups.len();
            self.groups.push(Series::new(name.to_owned()));
            self.places.insert(name.to_owned(), at);
            at
        });
        Group { writer: self, at }
    }

    /// Keeps a group as it is in the set that is being replaced: its parts are not written, and the index lists them as
    /// before, with the same dates. So a run writes only the groups in which a page has changed. A group that is neither
    /// written nor kept is no longer in the set. The empty name is that of the set itself.
    ///
    /// The index lists the kept parts in the place of the group, which is that of the first call that names it. Their entries
    /// count for [`entries`](Self::entries), but not for [`bytes`](Self::bytes). A set with kept parts is never
    /// [single](Self::single). Parts are kept as they are whatever the settings of this writer.
    ///
    /// # Errors
    ///
    /// The errors of the [`Parts`], for example that the earlier set has no such group, or that this destination has no
    /// earlier set ([`Memory`](crate::Memory)). [`InvalidInput`](io::ErrorKind::InvalidInput) if entries of the group have been
    /// written; a group that is kept cannot be written to. [`TooManyEntries`](Rule::TooManyEntries) if the index would list
    /// more than 50,000 parts. All of them are fatal.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io;
    ///
    /// use quick_sitemap::url::Url;
    /// use quick_sitemap::{CompleteSet, PartId, Parts, SitemapEntry, SplitWriter, UrlEntry};
    ///
    /// /// Parts in a store that has those of the last night.
    /// struct Store;
    ///
    /// impl Parts for Store {
    ///     type Part = Vec<u8>;
    ///     type Output = Vec<String>;
    ///
    ///     fn open(&mut self, _: PartId<'_>) -> io::Result<Vec<u8>> {
    ///         Ok(Vec::new())
    ///     }
    ///
    ///     fn close(&mut self, id: PartId<'_>, _: Vec<u8>) -> io::Result<Url> {
    ///         Url::parse(&format!("https://example.com/{}-{}.xml", id.group, id.number)).map_err(io::Error::other)
    ///     }
    ///
    ///     fn keep(&mut self, group: &str) -> io::Result<Vec<(SitemapEntry, u64)>> {
    ///         let part = SitemapEntry::try_from(&*format!("https://example.com/{group}-1.xml"));
    ///         Ok(vec![(part.map_err(io::Error::other)?, 40_000)])
    ///     }
    ///
    ///     fn finish(self, set: CompleteSet<'_>) -> io::Result<Vec<String>> {
    ///         Ok(set.parts.iter().map(|part| part.loc.path().to_owned()).collect())
    ///     }
    /// }
    ///
    /// let mut site = SplitWriter::new(Store);
    /// site.keep("pots")?;
    /// site.group("kettles").write(&UrlEntry::try_from("https://example.com/kettle")?)?;
    /// assert_eq!(site.entries(), 40_001);
    /// assert_eq!(site.finish()?, ["/pots-1.xml", "/kettles-1.xml"]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn keep(&mut self, group: &str) -> Result<()> {
        let at = self.group(group).at;
        self.begin()?;
        self.guarded(|this| {
            let Some(series) = this.groups.get_mut(at).filter(|series| !series.is_kept) else {
                return Ok(());
            };
            if series.part.is_some() || !series.closed.is_empty() {
                return Err(conflict(group, "it has been written to").into());
            }
            series.next_id().file_name("xml")?;
            let kept = this.parts.keep(group)?;
            series.is_kept = true;
            this.written.entries += kept.iter().map(|(_, entries)| entries).sum::<u64>();
            this.written.parts += kept.len() as u64;
            series.closed = kept;
            if this.written.parts > MAX_ENTRIES {
                return Err(too_many_parts());
            }
            this.report_progress();
            Ok(())
        })
    }

    /// Closes the last parts and stores the index.
    ///
    /// # Errors
    ///
    /// The errors of the [`Parts`], and the error of an earlier call that failed fatally.
    pub fn finish(mut self) -> Result<P::Output> {
        self.begin()?;
        for at in 0..self.groups.len() {
            self.close(at).map_err(last)?;
        }
        let is_kept = self.groups.iter().any(|series| series.is_kept);
        let is_alone = self.groups.len() == 1 && !is_kept;
        let is_single = self.single && self.format == Format::Urlset && is_alone;
        let closed = self.groups.iter_mut();
        let closed = closed.flat_map(|series| series.closed.drain(..));
        let (parts, part_entries): (Vec<_>, Vec<_>) = closed.unzip();
        let set = CompleteSet {
            parts: &parts,
            part_entries: &part_entries,
            entries: self.written.entries,
            is_single: is_single && parts.len() <= 1,
        };
        let finished = self.parts.finish(set);
        finished.map_err(|error| last(error.into()))
    }

    /// Calls [`Parts::begin`] if that has not been done.
    fn begin(&mut self) -> Result<()> {
        if let Some(failure) = &self.failed {
            return Err(failure.again());
        }
        if self.begun {
            return Ok(());
        }
        self.guarded(|this| {
            if let Some(location) = this.parts.location()
                && !this.settings.location.is_known()
            {
                this.settings.location.url = Some(location);
            }
            Ok(this.parts.begin(this.format, this.settings.for_index())?)
        })?;
        self.begun = true;
        Ok(())
    }

    /// Writes an entry to the open part of a group. A part that is full is closed, and the entry begins the next one.
    fn put(&mut self, at: usize, entry: &UrlEntry) -> Result<()> {
        let Some(series) = self.groups.get_mut(at) else {
            return Err(io::Error::other("no such group").into());
        };
        if series.is_kept {
            let error = conflict(&series.group, "it is kept");
            return self.guarded(|_| Err(error.into()));
        }
        let part = series.part.as_mut();
        let written = part.map(|part| {
            let before = part.text.bytes();
            let written = part.write(Content::Page(entry));
            written.map(|()| part.text.bytes() - before)
        });
        match written {
            Some(Ok(bytes)) => {
                series.count(entry.lastmod);
                self.written.bytes += bytes;
            }
            Some(Err(error)) if !came_too_late(&error) => {
                if !matches!(error.kind(), ErrorKind::Violation(_)) {
                    self.failed = Some(WriteFailure::of(&error));
                }
                return Err(error);
            }
            _ => self.put_first(at, entry)?,
        }
        self.written.entries += 1;
        if self.on_progress.is_some() && self.written.entries.is_multiple_of(STEP) {
            self.report_progress();
        }
        Ok(())
    }

    /// Begins a part with this entry.
    fn put_first(&mut self, at: usize, entry: &UrlEntry) -> Result<()> {
        let mut settings = self.settings.clone();
        if let Some(series) = self.groups.get(at) {
            settings = settings.limits(series.limits.unwrap_or(self.settings.limits));
        }
        // If the entry fits no part, none is opened.
        let content = Content::Page(entry);
        new_part(self.format, &settings, io::sink()).write(content)?;
        if self.written.parts >= MAX_ENTRIES {
            return Err(too_many_parts());
        }
        self.guarded(|this| {
            this.close(at)?;
            let Some(series) = this.groups.get_mut(at) else {
                return Ok(());
            };
            let id = series.next_id();
            id.file_name("xml")?;
            let mut part = new_part(this.format, &settings, this.parts.open(id)?);
            part.write(content)?;
            this.written.bytes += part.text.bytes();
            this.written.parts += 1;
            series.part = Some(part);
            series.count(entry.lastmod);
            Ok(())
        })
    }

    /// Closes the open part of a group, which the index will list.
    fn close(&mut self, at: usize) -> Result<()> {
        let Some(series) = self.groups.get_mut(at) else {
            return Ok(());
        };
        let Some(part) = series.part.take() else {
            return Ok(());
        };
        let output = part.finish()?;
        let loc = self.parts.close(series.next_id(), output)?;
        let mut entry = SitemapEntry::new(loc);
        entry.lastmod = series.lastmod.take();
        let line = (entry, std::mem::take(&mut series.entries));
        series.closed.push(line);
        self.report_progress();
        Ok(())
    }

    /// Calls `act`. If it fails or panics, every later call fails.
    fn guarded(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = self.failed.replace(WriteFailure::panic());
        let done = act(self).map_err(fatal);
        self.failed = match &done {
            Ok(()) => before,
            Err(error) => Some(WriteFailure::of(error)),
        };
        done
    }
}

impl<P: Parts> fmt::Debug for SplitWriter<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitWriter")
            .field("format", &self.format)
            .field("written", &self.written)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// One group of the parts of a [`SplitWriter`](crate::SplitWriter). Returned by
/// [`SplitWriter::group`](crate::SplitWriter::group).
#[derive(Debug)]
#[must_use = "it is `write` that does something"]
pub struct Group<'w, P: Parts> {
    writer: &'w mut SplitWriter<P>,
    /// Its place in `groups`.
    at: usize,
}

impl<P: Parts> Group<'_, P> {
    /// Writes one entry into the open part of the group or, if that is full, into a new one.
    ///
    /// # Errors
    ///
    /// The errors of [`SplitWriter::write`], and [`InvalidInput`](io::ErrorKind::InvalidInput) if the group has a name that
    /// [`PartId::file_name`] or the [`Parts`] reject. That is fatal too.
    pub fn write(&mut self, entry: &UrlEntry) -> Result<()> {
        self.writer.begin()?;
        self.writer.put(self.at, entry)
    }

    /// Ends the open part of the group, if there is one.
    ///
    /// # Errors
    ///
    /// The errors of the [`Parts`], which are fatal.
    pub fn next_part(&mut self) -> Result<()> {
        self.writer.begin()?;
        self.writer.guarded(|writer| writer.close(self.at))
    }

    /// Sets the limits of the parts of the group, starting with the next part. By default, they are those of the set.
    /// Values above the limits of the protocol are treated as the limits of the protocol.
    pub fn limits(self, limits: Limits) -> Self {
        if let Some(series) = self.writer.groups.get_mut(self.at) {
            series.limits = Some(limits);
        }
        self
    }
}

fn too_many_parts() -> Error {
    let detail = "more parts than one index can list";
    Violation::with_detail(Rule::TooManyEntries, &grouped(MAX_ENTRIES), detail).into()
}

/// The error for a group that would have to be both kept and written.
fn conflict(group: &str, why: &str) -> io::Error {
    let message = format!("group `{group}` cannot be both kept and written: {why}");
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn new_part<W: Write>(format: Format, settings: &WriterBuilder, output: W) -> SitemapFile<W> {
    let root = (format != Format::Text).then_some("urlset");
    SitemapFile::new(settings, root, output)
}

/// Returns `true` if an entry was rejected because of the entries that are already in the part, so that it may fit another
/// part.
fn came_too_late(error: &Error) -> bool {
    let is_of_file = |rule| Extension::IN_FILE.iter().any(|(.., own)| *own == rule);
    error
        .violation()
        .is_some_and(|violation| match violation.rule() {
            Rule::TooManyEntries | Rule::TooManyBytes => true,
            Rule::EntryTooLarge => violation.is(case::NAMESPACES),
            rule => is_of_file(rule),
        })
}

/// Makes an I/O error fatal, even if it is `WouldBlock` or `TimedOut`.
fn last(error: Error) -> Error {
    if let ErrorKind::Io(_) = error.kind() {
        return fatal(error);
    }
    error
}

/// Makes an error fatal, because the writer cannot continue.
fn fatal(error: Error) -> Error {
    if error.is_fatal() {
        return error;
    }
    io::Error::other(error).into()
}
