//! [`SplitWriter`] decides where one part ends and the next begins, and [`Parts`] stores them.

use std::fmt;
use std::io::{self, Write};

use super::earlier::{EarlierFile, damaged};
use super::parts::{Parts, Progress};
use crate::entry::{Entry, SitemapEntry, UrlEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::limits::{Limits, MAX_ENTRIES};
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation, case};
use crate::writer::{Content, SitemapFile, WriteFailure, WriterBuilder};

/// Writes any number of pages, split into as many sitemaps as the limits require.
///
/// A new part begins with the entry that would exceed a limit of the current part: 50,000 entries, 1,000 entries with
/// news, 52,428,800 uncompressed bytes (Sitemap Protocol 0.9, Google's news sitemaps), or smaller
/// [limits](WriterBuilder::limits). No part is empty. Memory use does not grow, except for the list of parts.
///
/// A part declares the namespaces that its first entry needs. If only some entries have extensions, declare the namespaces
/// beforehand ([`declare`](WriterBuilder::declare), [`declare_all`](WriterBuilder::declare_all)); each such entry declares
/// them itself otherwise.
///
/// The set is incomplete before [`finish`](Self::finish). If it is never called, the [`Parts`] decide what happens to
/// the written parts ([`Directory`](crate::Directory) removes them).
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
/// This program reads a sitemap of any size, filters and edits its entries, and writes split sitemaps, in constant
/// memory.
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
    // The first group is the set itself. Dropped before `parts`, so that files are closed before they are removed.
    groups: Vec<Series<P::Writer>>,
    parts: P,
    format: Format,
    settings: WriterBuilder,
    /// `Some(true)` if the only part becomes the sitemap itself; `None` if that has not been decided.
    single: Option<bool>,
    /// The parts of an earlier run that stay. They are the first ones of the index.
    stay: Vec<SitemapEntry>,
    /// The number of bytes in closed parts.
    closed_bytes: u64,
    entries: u64,
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
    closed: Vec<SitemapEntry>,
}

impl<W: Write> Series<W> {
    fn new(group: String) -> Self {
        Self {
            group,
            limits: None,
            part: None,
            lastmod: None,
            closed: Vec::new(),
        }
    }

    /// If two dates are the same instant, the first one stays.
    fn note_lastmod(&mut self, lastmod: Option<W3cDatetime>) {
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
        Self::with(WriterBuilder::new(), parts)
    }

    /// Creates a writer of urlsets with these settings, including the limits, for every part.
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
        Self::of_format(Format::Urlset, settings, parts)
    }

    /// Creates a writer of text sitemaps with the settings of [`WriterBuilder::new`]. Nothing is written yet.
    ///
    /// Only the loc of each entry is written. The index contains the newest `lastmod` of each part.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-text-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::text(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// assert_eq!(std::fs::read(public.join("sitemap-1.txt")).unwrap(), b"https://example.com/a\n");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn text(parts: P) -> Self {
        Self::text_with(WriterBuilder::new(), parts)
    }

    /// Creates a writer of text sitemaps with these settings. The limits, the location and
    /// [`escape`](WriterBuilder::escape) apply to every part. Other settings have no effect on text parts.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-text-with-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Limits, SplitWriter, UrlEntry, WriterBuilder};
    ///
    /// let settings = WriterBuilder::new().limits(Limits::default().with_entries(1));
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::text_with(settings, directory);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.write(&UrlEntry::try_from("https://example.com/b")?)?;
    /// site.finish()?;
    /// assert_eq!(std::fs::read(public.join("sitemap-2.txt")).unwrap(), b"https://example.com/b\n");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn text_with(settings: WriterBuilder, parts: P) -> Self {
        Self::of_format(Format::Text, settings, parts)
    }

    fn of_format(format: Format, settings: WriterBuilder, parts: P) -> Self {
        Self {
            groups: vec![Series::new(String::new())],
            parts,
            format,
            settings,
            single: None,
            stay: Vec::new(),
            closed_bytes: 0,
            entries: 0,
            begun: false,
            failed: None,
            on_progress: None,
        }
    }

    /// Sets whether a set of one part, or without pages, is that part itself, without an index: one `sitemap.xml` until the
    /// site outgrows it. The default is `false`, or `true` for a set that is continued and has been single so far. It has no
    /// effect on text parts and on sets with [groups](Self::group).
    ///
    /// A [`Directory`](crate::Directory) writes `sitemap.xml` in both cases, so the name in robots.txt does not depend on
    /// the number of pages; [`Published::format`](crate::sets::Published::format) tells which it is. Other [`Parts`]
    /// implement [`finish_single`](Parts::finish_single).
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-one-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Format, Reader, SplitWriter, UrlEntry};
    ///
    /// let write = |pages: u32| {
    ///     let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    ///     let mut site = SplitWriter::new(directory).single(true);
    ///     (0..pages).try_for_each(|page| site.write(&UrlEntry::try_from(format!("https://example.com/{page}"))?))?;
    ///     site.finish()?;
    ///     Reader::from_path(public.join("sitemap.xml")).map(|mut reader| reader.format())
    /// };
    /// assert_eq!(write(50_000)?, Some(Format::Urlset));
    /// assert_eq!(write(50_001)?, Some(Format::Index));
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn single(mut self, single: bool) -> Self {
        self.single = Some(single);
        self
    }

    /// Returns the number of entries that have been written, including those of a last part that is continued.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the number of bytes of all written parts, before compression, as if the open parts were finished now.
    /// Parts of an earlier run that stay are not counted.
    pub fn bytes(&self) -> u64 {
        self.progress().bytes
    }

    /// Returns the amount of data that has been written so far.
    pub fn progress(&self) -> Progress {
        let open = || self.groups.iter().filter_map(|series| series.part.as_ref());
        Progress {
            entries: self.entries,
            bytes: self.closed_bytes + open().map(SitemapFile::bytes).sum::<u64>(),
            parts: self.parts_so_far() as u64,
        }
    }

    /// Sets a callback that is called after every 1,000th entry, and whenever a part has been closed.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-progress-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let (sender, lines) = std::sync::mpsc::channel();
    /// let mut site = SplitWriter::new(directory).on_progress(move |so_far| {
    ///     let _ = sender.send(format!("{} pages in {} files", so_far.entries, so_far.parts));
    /// });
    /// for number in 0..1_500 {
    ///     site.write(&UrlEntry::try_from(&*format!("https://example.com/{number}"))?)?;
    /// }
    /// assert_eq!(site.entries(), 1_500);
    /// site.finish()?;
    /// assert_eq!(lines.iter().collect::<Vec<_>>(), ["1000 pages in 1 files", "1500 pages in 1 files"]);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn on_progress(mut self, call: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(call));
        self
    }

    fn report_progress(&mut self) {
        let progress = self.progress();
        if let Some(call) = &mut self.on_progress {
            call(&progress);
        }
    }

    fn parts_so_far(&self) -> usize {
        let of = |series: &Series<_>| series.closed.len() + usize::from(series.part.is_some());
        self.stay.len() + self.groups.iter().map(of).sum::<usize>()
    }

    /// Writes one entry into the open part or, if that is full, into a new one. Memory is allocated only when a part
    /// begins.
    ///
    /// # Errors
    ///
    /// A [`Violation`](ErrorKind::Violation) is not fatal: no part of the entry is written, and no other entry is lost.
    /// It is the first rule that the entry breaks. If the entry is too large for any part, it is
    /// [`TooManyBytes`](Rule::TooManyBytes) or [`EntryTooLarge`](Rule::EntryTooLarge). If the entry needs part 50,001,
    /// which no index can list, it is [`TooManyEntries`](Rule::TooManyEntries): write the remaining entries to a second
    /// set with another name.
    ///
    /// Errors of the [`Parts`] are fatal. So is a last part that is to be continued but cannot be read completely.
    /// After a fatal error, every call fails.
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
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-next-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Reader, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
    /// for year in 2023..2025 {
    ///     site.write(&UrlEntry::try_from(&*format!("https://example.com/{year}/"))?)?;
    ///     site.next_part()?;
    /// }
    /// site.finish()?;
    /// assert_eq!(Reader::from_path(public.join("sitemap.xml"))?.count(), 2);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn next_part(&mut self) -> Result<()> {
        self.begin()?;
        self.guarded(|this| this.close(0))
    }

    /// Returns a writer for the parts of a group. These parts have the name of the group (in a
    /// [`Directory`](crate::Directory) `products-1.xml`, `products-2.xml` and so on). The same index lists them after the
    /// parts of the set itself, in the order in which the groups were started. Groups can be written to in any order,
    /// because each has its own open part. So deleting a page does not move pages of other groups.
    ///
    /// In a [`Directory`](crate::Directory), the hidden file `.sitemap.set/journal` lists the files of groups, so that they
    /// can be removed when a group no longer exists.
    ///
    /// When a set is continued, its groups are not continued: new entries of a group go into new parts. The empty name
    /// stands for the set itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-group-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Limits, Reader, SplitWriter, UrlEntry};
    ///
    /// let mut site = SplitWriter::new(Directory::create(&public, &"https://example.com/".parse().unwrap())?);
    /// site.group("products").limits(Limits::default().with_entries(10_000));
    /// site.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// site.group("products").write(&UrlEntry::try_from("https://example.com/kettle")?)?;
    /// site.group("journal").write(&UrlEntry::try_from("https://example.com/2024/descaling")?)?;
    /// site.group("products").write(&UrlEntry::try_from("https://example.com/teapot")?)?;
    /// site.finish()?;
    ///
    /// let parts = Reader::from_path(public.join("sitemap.xml"))?.collect::<Result<Vec<_>, _>>()?;
    /// let parts: Vec<&str> = parts.iter().map(|part| part.loc().path()).collect();
    /// assert_eq!(parts, ["/sitemap-1.xml", "/products-1.xml", "/journal-1.xml"]);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn group(&mut self, name: &str) -> Group<'_, P> {
        let found = self.groups.iter().position(|series| series.group == name);
        let at = found.unwrap_or_else(|| {
            self.groups.push(Series::new(name.to_owned()));
            self.groups.len() - 1
        });
        Group { writer: self, at }
    }

    /// Closes the last parts and stores the index.
    ///
    /// # Errors
    ///
    /// The errors of the [`Parts`], and the error of an earlier call that failed fatally.
    pub fn finish(self) -> Result<P::Output> {
        self.finish_by(|parts, entries, single| {
            if single {
                parts.finish_single(entries.first())
            } else {
                parts.finish(entries)
            }
        })
    }

    /// Closes all parts. `finish` gets their entries, and `true` if they are a single sitemap without an index.
    pub(super) fn finish_by<T>(
        mut self,
        finish: impl FnOnce(P, &[SitemapEntry], bool) -> Result<T>,
    ) -> Result<T> {
        self.begin()?;
        for at in 0..self.groups.len() {
            self.close(at).map_err(last)?;
        }
        let written = self.progress();
        self.parts.accept(&written).map_err(last)?;
        let may_be_single =
            self.format == Format::Urlset && self.groups.len() == 1 && self.stay.is_empty();
        let mut parts = std::mem::take(&mut self.stay);
        for series in &mut self.groups {
            parts.append(&mut series.closed);
        }
        let single = self.single == Some(true) && may_be_single && parts.len() <= 1;
        finish(self.parts, &parts, single).map_err(last)
    }

    /// Calls [`Parts::begin`] if that has not been done, and writes the entries of the part to be continued.
    fn begin(&mut self) -> Result<()> {
        if let Some(failure) = &self.failed {
            return Err(failure.again());
        }
        if self.begun {
            return Ok(());
        }
        self.guarded(|this| {
            let earlier = this.parts.begin(this.format, &mut this.settings)?;
            this.stay = earlier.parts;
            this.single = this.single.or(Some(earlier.single));
            let Some(last) = earlier.last else {
                return Ok(());
            };
            this.carry_on(EarlierFile::open(last))
        })?;
        self.begun = true;
        Ok(())
    }

    /// Writes the entries of the last part again.
    fn carry_on(&mut self, mut last: EarlierFile) -> Result<()> {
        match last.format {
            Some(format @ (Format::Rss | Format::Atom)) => {
                let what = format_args!("it is a feed ({format}), not a sitemap");
                return Err(damaged(what).into());
            }
            Some(Format::Urlset) if self.format == Format::Text => {
                return Err(damaged("text parts cannot contain all values of a urlset").into());
            }
            _ => {}
        }
        loop {
            let entry = last.next()?;
            self.settings.stylesheet_or(last.stylesheet());
            let page = match entry {
                None => return Ok(()),
                Some(Entry::Sitemap(_)) => return Err(damaged("a part lists a sitemap").into()),
                Some(Entry::Url(page)) => page,
            };
            self.put(0, &page).map_err(|error| match error.kind() {
                ErrorKind::Violation(violation) => damaged(violation).into(),
                _ => error,
            })?;
        }
    }

    /// Writes an entry to the open part of a group. A part that is full is closed, and the entry begins the next one.
    fn put(&mut self, at: usize, entry: &UrlEntry) -> Result<()> {
        let Some(series) = self.groups.get_mut(at) else {
            return Err(io::Error::other("no such group").into());
        };
        let content = content(self.format, entry);
        let written = series.part.as_mut().map(|part| part.write(content));
        match written {
            Some(Ok(())) => series.note_lastmod(entry.lastmod),
            Some(Err(error)) if !came_too_late(&error) => return self.give_up_if_fatal(error),
            _ => self.put_first(at, entry)?,
        }
        self.entries += 1;
        if self.on_progress.is_some() && self.entries.is_multiple_of(STEP) {
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
        let content = content(self.format, entry);
        new_part(self.format, &settings, io::sink()).write(content)?;
        if self.parts_so_far() as u64 >= MAX_ENTRIES {
            let detail = "more parts than one index can list";
            return Err(Violation::with_detail(Rule::TooManyEntries, "50,000", detail).into());
        }
        self.guarded(|this| {
            this.close(at)?;
            let (format, parts) = (this.format, &mut this.parts);
            let before = this.stay.len();
            let Some(series) = this.groups.get_mut(at) else {
                return Ok(());
            };
            let output = match &*series.group {
                "" => parts.open(before + series.closed.len() + 1)?,
                group => parts.open_group(group, series.closed.len() + 1)?,
            };
            let mut part = new_part(format, &settings, output);
            part.write(content)?;
            series.part = Some(part);
            series.note_lastmod(entry.lastmod);
            Ok(())
        })
    }

    /// Closes the open part of a group, which the index will list.
    fn close(&mut self, at: usize) -> Result<()> {
        let before = self.stay.len();
        let Some(series) = self.groups.get_mut(at) else {
            return Ok(());
        };
        let Some(part) = series.part.take() else {
            return Ok(());
        };
        let bytes = part.bytes();
        let output = part.finish()?;
        let number = series.closed.len() + 1;
        let loc = match &*series.group {
            "" => self.parts.close(before + number, output)?,
            group => self.parts.close_group(group, number, output)?,
        };
        let mut entry = SitemapEntry::new(loc);
        entry.lastmod = series.lastmod.take();
        series.closed.push(entry);
        self.closed_bytes += bytes;
        self.report_progress();
        Ok(())
    }

    /// Any failure in here (a panic of the parts, too) ends the writing.
    fn guarded(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = self.failed.replace(WriteFailure::panic());
        match act(self).map_err(fatal) {
            Ok(()) => self.failed = before,
            Err(error) => {
                self.failed = Some(WriteFailure::of(&error));
                return Err(error);
            }
        }
        Ok(())
    }

    fn give_up_if_fatal(&mut self, error: Error) -> Result<()> {
        if !matches!(error.kind(), ErrorKind::Violation(_)) {
            self.failed = Some(WriteFailure::of(&error));
        }
        Err(error)
    }
}

impl<P: Parts> fmt::Debug for SplitWriter<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitWriter")
            .field("format", &self.format)
            .field("progress", &self.progress())
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
    /// The errors of [`SplitWriter::write`]. If the name is the name of the set itself, or is not allowed for a set, a
    /// [`Directory`](crate::Directory) returns [`InvalidInput`](io::ErrorKind::InvalidInput), which is fatal too.
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
    /// Values above the limits of the protocol are treated as those.
    pub fn limits(self, limits: Limits) -> Self {
        if let Some(series) = self.writer.groups.get_mut(self.at) {
            series.limits = Some(limits);
        }
        self
    }
}

fn new_part<W: Write>(format: Format, settings: &WriterBuilder, output: W) -> SitemapFile<W> {
    let root = (format != Format::Text).then_some("urlset");
    SitemapFile::new(settings, root, output)
}

fn content(format: Format, entry: &UrlEntry) -> Content<'_> {
    if format == Format::Text {
        Content::Line(entry)
    } else {
        Content::Page(entry)
    }
}

/// Returns `true` if an entry was rejected because of the entries that are already in the part, so that it may fit another
/// part.
fn came_too_late(error: &Error) -> bool {
    let ErrorKind::Violation(violation) = error.kind() else {
        return false;
    };
    match violation.rule() {
        Rule::TooManyEntries | Rule::TooManyBytes | Rule::TooManyNews => true,
        Rule::EntryTooLarge => violation.detail() == case::NAMESPACES,
        _ => false,
    }
}

/// Makes an error of the output fatal, even if the output reports that it can be tried again.
fn last(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Io(_) => fatal(error),
        _ => error,
    }
}

/// Makes an error fatal, because the writer cannot continue.
fn fatal(error: Error) -> Error {
    if error.is_fatal() {
        return error;
    }
    io::Error::other(error).into()
}
