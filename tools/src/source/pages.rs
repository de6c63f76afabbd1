//! All pages of an input, one after the other, in constant memory.
//!
//! | input | its pages |
//! |---|---|
//! | a file, standard input, a URL | those of the sitemap, or of a list as JSON Lines, CSV or TSV |
//! | an index on disk | those of its parts, which are next to it: see [`read`] |
//! | a folder | those of the sitemaps in it and below it, each read once |
//!
//! An index on standard input or at a URL is an error: its parts would have to be fetched, which `sitemap crawl` does.

mod folder;
mod issues;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use quick_sitemap::url::Url;
use quick_sitemap::{
    Completeness, Entry, Error, ErrorKind, Format, Reader, ReaderBuilder, SitemapEntry, UrlEntry,
};

use self::issues::{Issues, Refusals};
use crate::rows::{self, Fields, RowFormat, Rows};
use crate::source::empty::Empty;
use crate::source::folder::parts::{self, Claim, Claims, Listing};
use crate::source::folder::{folder_of, open_regular};
use crate::source::input::{self, Input, or_url};
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress;

/// A page, and where it is listed.
#[derive(Debug)]
pub(crate) struct Page<'f> {
    pub(crate) entry: UrlEntry,
    pub(crate) place: Place<'f>,
}

/// The start of an entry: displayed as `public/sitemap-1.xml:17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    /// From 1, in the unpacked and decoded text.
    pub(crate) line: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The result of reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Number of pages that were returned.
    pub(crate) pages: u64,
    /// Sitemaps that were read, indexes too, whether to their end or not.
    pub(crate) files: u64,
    /// Entries that were skipped, since they could not be used.
    pub(crate) skipped: u64,
    /// Values that were dropped from pages.
    pub(crate) dropped: u64,
    /// Sitemaps that are missing, are none, or could not be read to their end.
    pub(crate) broken: u64,
    /// The completeness of the pages. [`Unknown`](Completeness::Unknown) if a text, a feed or a list was among the
    /// inputs: these look complete when they are truncated.
    pub(crate) completeness: Completeness,
    /// The fields that the pages of all inputs can have: a list of URLs has none.
    pub(crate) fields: Fields,
}

impl Totals {
    /// The totals of no input.
    pub(crate) const NONE: Self = Self {
        pages: 0,
        files: 0,
        skipped: 0,
        dropped: 0,
        broken: 0,
        completeness: Completeness::Complete,
        fields: Fields::ALL,
    };

    pub(crate) fn is_incomplete(&self) -> bool {
        self.completeness == Completeness::Incomplete
    }

    fn lessen(&mut self, completeness: Completeness) {
        self.completeness = match (self.completeness, completeness) {
            (Completeness::Incomplete, _) | (_, Completeness::Incomplete) => {
                Completeness::Incomplete
            }
            (Completeness::Unknown, _) | (_, Completeness::Unknown) => Completeness::Unknown,
            (Completeness::Complete, Completeness::Complete) => Completeness::Complete,
        };
    }

    fn lose(&mut self) {
        self.broken += 1;
        self.completeness = Completeness::Incomplete;
    }
}

/// Passes every page of the input to `on_page`, in the order of the files. Issues are passed to `messages` when a file
/// has been read: one line for each rule that cost something, with a count and the first case, and one line for all
/// others together. Missing parts are reported, too, and change [`Totals::completeness`]; reading continues after them.
///
/// A part of an index on disk is searched below the folder of the index, by the longest end of its loc's path for which
/// a file exists: `https://example.com/maps/a.xml` is `maps/a.xml`, or `a.xml`, each with `.gz` added or removed. A loc
/// with a query is searched under the name that ends in this query, as wget saves it. No file is used for two locs. In
/// a folder the indexes are read first; a sitemap that no index names is read, too, except the gzipped twin of one that
/// was read, a part with a fingerprint that an index in the same folder no longer names, and the former index of a set
/// that has got another name.
///
/// # Errors
///
/// Those of `on_page`; an input that cannot be opened or is not a sitemap; a folder without a sitemap; an index that is
/// not on disk. Never for a sitemap that breaks off: its pages have been returned, and the totals are `Incomplete`.
pub(crate) fn read(
    input: &Input,
    messages: &Messages,
    on_page: &mut dyn FnMut(Page<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Totals> {
    read_all(std::slice::from_ref(input), messages, on_page)
}

/// As [`read`], for one input after the other. A file that several of them name, or are, is read once: `public/*.xml` is
/// an index and its parts.
///
/// # Errors
///
/// Like those of `read`.
pub(crate) fn read_all(
    inputs: &[Input],
    messages: &Messages,
    on_page: &mut dyn FnMut(Page<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Totals> {
    let mut walk = Walk {
        messages,
        on_page,
        totals: Totals::NONE,
        root: Listing::new(PathBuf::new()),
        within: None,
        claims: Claims::default(),
        open: Vec::new(),
        missing: 0,
        empty: Empty::default(),
        again: 0,
    };
    for input in inputs {
        walk.input(input)?;
    }
    walk.say_missing();
    walk.empty.finish(messages);
    Ok(walk.totals)
}

/// Indexes that lie within each other; the protocol allows one.
const DEEPEST: usize = 16;

/// Missing parts that are named; the others are counted.
const NAMED: u64 = 5;

/// One input being read.
struct Walk<'w> {
    messages: &'w Messages,
    on_page: &'w mut dyn FnMut(Page<'_>) -> anyhow::Result<()>,
    totals: Totals,
    /// The folder that parts are looked for in, besides that of the index that names them.
    root: Listing,
    /// The input, if it is a folder, without links: nothing outside it is read.
    within: Option<PathBuf>,
    /// The files that have been begun.
    claims: Claims,
    /// The indexes that are being read, the outermost first.
    open: Vec<PathBuf>,
    missing: u64,
    empty: Empty,
    /// Inputs that had been read as parts of others.
    again: u64,
}

impl Walk<'_> {
    fn input(&mut self, input: &Input) -> anyhow::Result<()> {
        match input {
            Input::File(path) if fs::metadata(path).is_ok_and(|file| file.is_dir()) => {
                self.folder(path)
            }
            Input::File(path) => {
                self.root = Listing::new(folder_of(path).to_owned());
                self.within = None;
                let file = File::open(path)
                    .map_err(|error| or_url(path, error))
                    .with_context(|| input.to_string())?;
                let file = input::content(path, file);
                match self.claim(path, None) {
                    Claim::New => {
                        let (rows, file) =
                            rows::detect(Some(path), file).with_context(|| input.to_string())?;
                        match rows {
                            Some(format) => self.rows(&input.to_string(), format, file),
                            None => self.on_disk(path, file),
                        }
                    }
                    Claim::Known | Claim::Taken => {
                        self.again += 1;
                        Ok(())
                    }
                }
            }
            Input::Stdin => {
                let name = input.to_string();
                let (rows, reader) =
                    rows::detect(None, input::stdin()).with_context(|| name.clone())?;
                match rows {
                    Some(format) => self.rows(&name, format, reader),
                    None => self.streamed(&name, Reader::new(reader)),
                }
            }
            Input::Url(_) => {
                let opened = input.open()?;
                let builder = match opened.location {
                    Some(location) => ReaderBuilder::new().base_url(location),
                    None => ReaderBuilder::new(),
                };
                let name = input.to_string();
                let (rows, reader) =
                    rows::detect(None, opened.reader).with_context(|| name.clone())?;
                match rows {
                    Some(format) => self.rows(&name, format, reader),
                    None => self.streamed(&name, builder.build(reader)),
                }
            }
        }
    }

    fn claim(&mut self, path: &Path, loc: Option<&Url>) -> Claim {
        let path = canonical(path);
        if self.open.contains(&path) {
            return Claim::Taken;
        }
        self.claims.claim(path, loc)
    }

    /// A sitemap on disk, with its parts if it is an index.
    fn on_disk(&mut self, path: &Path, file: impl Read) -> anyhow::Result<()> {
        let name = path.display().to_string();
        self.open.push(canonical(path));
        let folder = Listing::new(folder_of(path).to_owned()).within(self.within.as_deref());
        let mut reader = Reader::new(file);
        let read = self.entries(&name, &mut reader, &mut |walk, part| {
            walk.part(&name, &folder, part)
        });
        self.open.pop();
        read
    }

    /// A sitemap outside of a folder.
    fn streamed<R: Read>(&mut self, name: &str, mut reader: Reader<R>) -> anyhow::Result<()> {
        if reader.format() == Some(Format::Index) {
            anyhow::bail!(
                "{name} is an index, and only indexes in files are followed, to parts in the same folder; use \
                 `sitemap crawl` to fetch the sitemaps that an index lists"
            );
        }
        self.entries(name, &mut reader, &mut |walk, part| {
            walk.totals.completeness = Completeness::Incomplete;
            walk.messages.warning(format_args!(
                "{name}: the sitemap {} is listed among pages, and is not read",
                clipped(part.loc.as_str())
            ));
            Ok(())
        })
    }

    /// A list of pages as JSON Lines, CSV or TSV.
    fn rows(&mut self, name: &str, format: RowFormat, reader: impl BufRead) -> anyhow::Result<()> {
        let mut rows =
            Rows::new(format, reader, None).map_err(|error| error.context(format!("{name}:1")))?;
        self.totals.fields = self.totals.fields.both(rows.fields());
        let mut refusals = Refusals::default();
        let (mut pages, mut sitemaps) = (0_u64, 0);
        let failure = loop {
            let row = match rows.next_noting(name, self.messages) {
                Ok(Some(row)) => row,
                Ok(None) => break None,
                Err(error) => break Some(error),
            };
            match row.entry {
                Ok(Entry::Url(entry)) => {
                    pages += 1;
                    self.totals.pages += 1;
                    progress::entry();
                    let place = Place {
                        file: name,
                        line: row.line,
                    };
                    (self.on_page)(Page { entry, place })?;
                }
                Ok(Entry::Sitemap(_)) => sitemaps += 1,
                Err(refused) => refusals.count(row.line, refused),
            }
        };
        refusals.say(name, self.messages);
        self.totals.files += 1;
        self.totals.skipped += refusals.total();
        // The end of a list cannot be recognized.
        self.totals.lessen(match refusals.total() {
            0 => Completeness::Unknown,
            _ => Completeness::Incomplete,
        });
        if sitemaps > 0 {
            self.totals.lessen(Completeness::Incomplete);
            self.messages.warning(format_args!(
                "{name}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                Count(sitemaps, "sitemap"),
                if sitemaps == 1 { "is" } else { "are" },
            ));
        }
        if let Some(error) = failure {
            // A failure that stops all reading is not a problem of the list.
            interrupt::check()?;
            let read = match pages {
                1 => "the page before that was".to_owned(),
                pages => format!("the {} before that were", Count(pages, "page")),
            };
            self.messages.error(format_args!("{error:#}; {read} read"));
            self.totals.lose();
        } else if pages + sitemaps + refusals.total() == 0 {
            self.empty.add(name, self.messages);
        }
        Ok(())
    }

    /// A part of an index.
    fn part(&mut self, index: &str, folder: &Listing, part: SitemapEntry) -> anyhow::Result<()> {
        let found = parts::find(&[folder, &self.root], &part.loc);
        let Some(path) = found else {
            self.lose_part(
                index,
                &part.loc,
                "there is no file with that name in the folder of the index",
            );
            return Ok(());
        };
        match self.claim(&path, Some(&part.loc)) {
            Claim::Known => return Ok(()),
            Claim::Taken => {
                self.lose_part(
                    index,
                    &part.loc,
                    "the only file with that name is another sitemap of the index",
                );
                return Ok(());
            }
            Claim::New => {}
        }
        if self.open.len() >= DEEPEST {
            self.lose_part(index, &part.loc, "too many indexes list each other");
            return Ok(());
        }
        let read = match open_regular(&path) {
            Ok(file) => self.on_disk(&path, input::content(&path, file)),
            Err(error) => Err(Unusable(format!("{}: {error}", path.display())).into()),
        };
        self.go_on(read)
    }

    /// A sitemap that is none costs its own pages, where there are others.
    fn go_on(&mut self, read: anyhow::Result<()>) -> anyhow::Result<()> {
        let Err(error) = read else {
            return Ok(());
        };
        match error.downcast_ref::<Unusable>() {
            Some(unusable) => {
                self.messages.warning(unusable);
                self.totals.lose();
                Ok(())
            }
            None => Err(error),
        }
    }

    fn lose_part(&mut self, index: &str, loc: &Url, why: &str) {
        self.totals.lose();
        self.missing += 1;
        if self.missing <= NAMED {
            let loc = clipped(loc.as_str());
            self.messages
                .warning(format_args!("{index}: {loc} is not read: {why}"));
        }
    }

    fn say_missing(&self) {
        if self.again > 0 {
            let inputs = Count(self.again, "input");
            self.messages.note(format_args!(
                "{inputs} had already been read as part of another input"
            ));
        }
        if self.missing > NAMED {
            let more = Count(self.missing - NAMED, "more sitemap");
            self.messages
                .warning(format_args!("{more} that indexes list are not read"));
        }
        if self.missing > 0 {
            self.messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
    }

    /// Passes the pages of one document to `on_page`, and the sitemaps that it lists to `on_part`.
    fn entries<R: Read>(
        &mut self,
        name: &str,
        reader: &mut Reader<R>,
        on_part: &mut dyn FnMut(&mut Self, SitemapEntry) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if reader.format() == Some(Format::Text) {
            self.totals.fields = Fields::NONE;
        }
        let mut issues = Issues::default();
        let failure = loop {
            let line = match reader.read_raw() {
                Ok(Some(raw)) => raw.position().line(),
                Ok(None) => break None,
                Err(error) => break Some(error),
            };
            let entry = match reader.to_entry() {
                Ok(entry) => entry,
                Err(error) => break Some(error),
            };
            issues.count(reader.issues());
            match entry {
                Some(Entry::Url(entry)) => {
                    self.totals.pages += 1;
                    progress::entry();
                    let place = Place { file: name, line };
                    (self.on_page)(Page { entry, place })?;
                }
                Some(Entry::Sitemap(part)) => on_part(self, part)?,
                None => {}
            }
        };
        issues.count(reader.issues());
        if failure.is_some() {
            interrupt::check()?;
        }
        if let Some(error) = &failure
            && is_no_sitemap(error)
        {
            return Err(Unusable(format!("{name}:{}", printed(error))).into());
        }
        issues.say(name, self.messages);
        self.totals.files += 1;
        self.totals.skipped += reader.summary().skipped;
        self.totals.dropped += reader.summary().dropped;
        match failure {
            Some(error) => {
                self.messages.error(format_args!(
                    "{name}:{}; {} read",
                    printed(&error),
                    match reader.summary().entries {
                        1 => "the entry before that was".to_owned(),
                        entries => format!("the {} before that were", entries_of(entries)),
                    }
                ));
                self.totals.lose();
            }
            None => {
                let summary = reader.summary();
                self.totals.lessen(summary.completeness());
                if summary.entries + summary.skipped == 0 {
                    self.empty.add(name, self.messages);
                }
            }
        }
        Ok(())
    }
}

fn entries_of(entries: u64) -> String {
    format!("{} entries", crate::term::count::Grouped(entries))
}

/// An error after the name of a file and a colon: a position follows directly, anything else after a space.
fn printed(error: &Error) -> String {
    match error.position() {
        Some(_) => format!("{error:#}"),
        None => format!(" {error:#}"),
    }
}

fn is_no_sitemap(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotASitemap(_) | ErrorKind::UnknownRoot(_)
    )
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A file without pages, because it is not a sitemap or cannot be opened.
#[derive(Debug)]
struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}
