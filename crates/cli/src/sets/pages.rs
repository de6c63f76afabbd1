//! All pages of an input, one after the other, in constant memory.
//!
//! | input | its pages |
//! |---|---|
//! | a file, standard input | those of the sitemap, or of a list as JSON Lines, CSV or TSV |
//! | an index on disk | those of its parts, which are next to it: see [`read`] |
//! | a folder | those of the sitemaps in it and below it, each read once |
//!
//! An index on standard input is an error: its parts would have to be fetched, which `sitemap crawl` does.

mod entries;
mod folder;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::slice;

use anyhow::bail;
use quick_sitemap::url::Url;
use quick_sitemap::{Completeness, Effect, Error, ErrorKind, Issue, SitemapEntry, UrlEntry};

use crate::disk::folder_of;
use crate::judge::verdicts::Verdicts;
use crate::rows::Fields;
use crate::source::empty::Empty;
use crate::source::folder::parts::{self, Claim, Claims, Listing};
use crate::source::input::{Input, Network};
use crate::source::targets::{Target, targets};
use crate::source::walk::Origin;
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::messages::Messages;

/// A page, and where it is listed.
pub(crate) struct Page<'f> {
    pub(crate) entry: UrlEntry,
    pub(crate) listed: Listed<'f>,
}

/// The entry of a page. It is displayed with its place and with the first problem that has cost it a value, because of
/// which the page may not be usable.
pub(crate) struct Listed<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    pub(crate) origin: &'f Origin<'f>,
    pub(crate) issues: &'f [Issue],
}

impl<'f> Listed<'f> {
    /// Counting the lines before an entry takes as long as reading it.
    pub(crate) fn place(&self) -> Place<'f> {
        Place {
            file: self.file,
            line: self.origin.line(),
        }
    }
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().fmt(f)?;
        let mut issues = self.issues.iter();
        match issues.find(|issue| issue.effect != Effect::Noted) {
            Some(cause) => write!(f, ": {}", cause.violation),
            None => Ok(()),
        }
    }
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

    pub(crate) fn lessen(&mut self, completeness: Completeness) {
        self.completeness = self.completeness.max(completeness);
    }

    fn lose(&mut self) {
        self.broken += 1;
        self.completeness = Completeness::Incomplete;
    }
}

/// Passes every page of the input to `on_page`, in the order of the files. When a file has been read, `messages` gets the
/// number of issues by rule, and the first that has cost an entry. Missing parts are reported, too, and change [`Totals::completeness`]; reading continues after them.
///
/// A part of an index on disk is looked for below the folder of the index, by as much of the end of its loc's path as
/// there is a file for: `https://example.com/maps/a.xml` is `maps/a.xml`, or `a.xml`, and either with `.gz` put behind it
/// or taken off. A loc with a query is looked for under the name that ends in this query, as wget saves it. No file
/// stands for two locs. In a folder the indexes are read first; a sitemap that no index names is read, too, but not the
/// gzipped copy of the file next to it, nor a part with a fingerprint that no index in the same folder names.
///
/// # Errors
///
/// Those of `on_page`; an input that cannot be opened or is not a sitemap; a folder without a sitemap; an index that is
/// not on disk. Never for a sitemap that breaks off: its pages have been returned, and the totals are `Incomplete`.
pub(crate) fn read(
    input: &Input,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Totals> {
    let mut walk = Walk::new(messages, on_page);
    walk.input(input)?;
    Ok(walk.finish())
}

pub(crate) type OnPage<'p> = dyn FnMut(Page<'_>) -> anyhow::Result<()> + 'p;

/// Indexes that lie within each other; the protocol allows one.
const DEEPEST: usize = 16;

/// Missing parts that are named; the others are counted.
const NAMED: u64 = 5;

/// Inputs being read, one after the other, as by [`read`]. A file that several of them name, or are, is read once:
/// `public/*.xml` is an index and its parts.
pub(crate) struct Walk<'w> {
    messages: &'w Messages,
    verdicts: Verdicts,
    on_page: &'w mut OnPage<'w>,
    pub(crate) totals: Totals,
    /// The folder that parts are looked for in, besides that of the index that names them. Nothing outside it is read if
    /// it is the input.
    root: Rc<Listing>,
    /// The files that have been begun.
    claims: Claims,
    /// Gzipped copies of files of a folder, with the files that are read instead.
    copies: HashMap<PathBuf, PathBuf>,
    /// The indexes that are being read, the outermost first.
    open: Vec<PathBuf>,
    missing: u64,
    pub(crate) empty: Empty,
    /// Inputs that had been read as parts of others.
    again: u64,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(messages: &'w Messages, on_page: &'w mut OnPage<'w>) -> Self {
        Self {
            messages,
            verdicts: Verdicts::default(),
            on_page,
            totals: Totals::NONE,
            root: Rc::new(Listing::new(PathBuf::new())),
            claims: Claims::default(),
            copies: HashMap::new(),
            open: Vec::new(),
            missing: 0,
            empty: Empty::default(),
            again: 0,
        }
    }

    /// Takes a page, which may be one that was not read here.
    pub(crate) fn page(&mut self, page: Page<'_>) -> anyhow::Result<()> {
        self.totals.pages += 1;
        let issues = page.listed.issues.iter();
        let dropped = issues.filter(|issue| issue.effect == Effect::ValueDropped);
        self.totals.dropped += dropped.count() as u64;
        (self.on_page)(page)
    }

    /// # Errors
    ///
    /// Those of [`read`].
    pub(crate) fn input(&mut self, input: &Input) -> anyhow::Result<()> {
        let targets = targets(slice::from_ref(input), None, self.messages)?;
        if let Some(root) = targets.iter().find_map(|target| target.root.as_ref()) {
            self.root = Rc::clone(root);
            return self.folder(&input.to_string(), &targets);
        }
        for target in &targets {
            let opened = target.open(&Network::default())?;
            if let Some(path) = input.path() {
                self.root = Rc::new(Listing::new(folder_of(path).to_owned()));
                if self.claim(target, None) != Claim::New {
                    self.again += 1;
                    continue;
                }
            }
            if let Some(unusable) = self.document(target.document(opened))? {
                bail!("{unusable}");
            }
        }
        Ok(())
    }

    /// Prints what concerns all inputs.
    pub(crate) fn finish(self) -> Totals {
        let messages = self.messages;
        if self.again > 0 {
            let inputs = Count(self.again, "input");
            messages.note(format_args!(
                "{inputs} had already been read as part of another input"
            ));
        }
        if self.missing > NAMED {
            let more = Count(self.missing - NAMED, "more sitemap");
            messages.warning(format_args!("{more} that indexes list are not read"));
        }
        if self.missing > 0 {
            messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
        self.empty.finish(messages);
        self.totals
    }

    fn claim(&mut self, file: &Target, loc: Option<&Url>) -> Claim {
        let path = file.input.path().map(canonical).unwrap_or_default();
        if self.open.contains(&path) {
            return Claim::Taken;
        }
        self.claims.claim(path, loc)
    }

    /// A sitemap on disk, with its parts if it is an index. If the file is not a sitemap, only
    /// its own pages are missing, provided that there are other inputs.
    fn on_disk(&mut self, file: &Target) -> anyhow::Result<()> {
        let unusable = match file.open(&Network::default()) {
            Ok(opened) => self.document(file.document(opened))?,
            Err(error) => Some(format!("{}: {error:#}", file.name)),
        };
        if let Some(unusable) = unusable {
            self.messages.warning(unusable);
            self.totals.lose();
        }
        Ok(())
    }

    /// A part of an index.
    fn part(&mut self, index: &str, folder: &Listing, part: SitemapEntry) -> anyhow::Result<()> {
        let why = match parts::find(&[folder, &self.root], &part.loc) {
            None => "there is no file with that name in the folder of the index",
            Some(path) => {
                let path = self.copies.get(&canonical(&path)).cloned().unwrap_or(path);
                let file = Target::found(path, &self.root);
                match self.claim(&file, Some(&part.loc)) {
                    Claim::Known => return Ok(()),
                    Claim::Taken => "the only file with that name is another sitemap of the index",
                    Claim::New if self.open.len() < DEEPEST => return self.on_disk(&file),
                    Claim::New => "too many indexes list each other",
                }
            }
        };
        self.totals.lose();
        self.missing += 1;
        if self.missing <= NAMED {
            let loc = clipped(part.loc.as_str());
            self.messages
                .warning(format_args!("{index}: {loc} is not read: {why}"));
        }
        Ok(())
    }
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
