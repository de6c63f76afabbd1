//! One file that grows entry by entry. An entry is written completely or not at all.

use std::fmt;
use std::io::{self, Write};

use url::Url;

use super::builder::WriterBuilder;
use super::failure::WriteFailure;
use super::location_check::LocationCheck;
use super::namespace::Namespace;
use crate::entry::UrlEntry;
use crate::error::Result;
use crate::extension::foreign::Element;
use crate::limits::{Limits, MAX_BYTES, MAX_ENTRIES, MAX_NEWS};
use crate::stylesheet::media_type;
use crate::violation::{Rule, Violation, grouped};
use crate::vocabulary::SITEMAP;
use crate::xml::writer::XmlWriter;

/// Bytes that are collected before they are written to the output.
const PIECE: usize = 32 << 10;

/// The parts of an entry that decide which namespaces the root declares, and whether the file may list the entry.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs<'e> {
    /// The URL of a page, which must be at the location of the file or below.
    pub(super) loc: Option<&'e Url>,
    pub(super) page: Option<&'e UrlEntry>,
    pub(super) foreign: &'e [Element],
}

/// A file that grows entry by entry.
pub(super) struct SitemapFile<W> {
    output: W,
    xml: XmlWriter,
    root: Option<&'static str>,
    stylesheet: Option<String>,
    namespaces: Vec<Namespace>,
    wanted: Vec<Namespace>,
    limits: Limits,
    place: Option<LocationCheck>,
    escape: bool,
    /// Number of bytes that were written to the output, without those that are still in `xml`.
    handed_on: u64,
    pub(super) entries: u64,
    news: u64,
    started: bool,
    panicking: bool,
    failed: Option<WriteFailure>,
    /// Called when everything has been written and flushed.
    complete: fn(&mut W) -> io::Result<()>,
}

impl<W: Write> SitemapFile<W> {
    pub(super) fn new(settings: &WriterBuilder, root: Option<&'static str>, output: W) -> Self {
        Self {
            output,
            xml: XmlWriter::new(settings.indent),
            root,
            stylesheet: settings.stylesheet.clone(),
            namespaces: settings.namespaces.clone(),
            wanted: settings.wanted.clone(),
            limits: Limits {
                entries: settings.limits.entries.min(MAX_ENTRIES),
                bytes: settings.limits.bytes.min(MAX_BYTES),
            },
            place: LocationCheck::new(&settings.location),
            escape: settings.escape,
            handed_on: 0,
            entries: 0,
            news: 0,
            started: false,
            panicking: false,
            failed: None,
            complete: |_| Ok(()),
        }
    }

    /// Sets what is called when everything has been written and flushed.
    pub(super) fn completed_by(mut self, complete: fn(&mut W) -> io::Result<()>) -> Self {
        self.complete = complete;
        self
    }

    pub(super) fn write(
        &mut self,
        needs: Needs<'_>,
        news: u64,
        encode: impl FnOnce(&mut XmlWriter) -> Result<(), Violation>,
    ) -> Result<()> {
        self.check_usable()?;
        let mark = self.xml.mark();
        if let Err(violation) = self.encode(needs, news, encode) {
            self.xml.rewind(mark);
            return Err(violation.into());
        }
        self.started = true;
        self.entries += 1;
        self.news += news;
        if self.xml.len() >= PIECE {
            self.hand_on()?;
        }
        Ok(())
    }

    /// Returns whether a rejected entry must be written again with escaped URLs.
    #[inline]
    pub(super) fn must_escape(&self, written: &Result<()>) -> bool {
        self.escape
            && written.as_ref().is_err_and(|error| {
                let violation = error.violation();
                violation.is_some_and(|violation| violation.rule() == Rule::UrlNotEscaped)
            })
    }

    /// Violations of the entry itself are reported before the limits of the file, because another file may have room for
    /// the entry.
    fn encode(
        &mut self,
        needs: Needs<'_>,
        news: u64,
        encode: impl FnOnce(&mut XmlWriter) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        if !self.started {
            self.begin(needs)?;
        }
        self.xml.begin_entry();
        encode(&mut self.xml)?;
        self.xml.end_entry()?;
        if let (Some(place), Some(loc)) = (&self.place, needs.loc) {
            place.check(loc)?;
        }
        if self.entries >= self.limits.entries {
            // A full urlset can be followed by another one, a full index cannot.
            let detail = match self.root {
                Some("sitemapindex") => "in one index",
                _ => "",
            };
            let limit = grouped(self.limits.entries);
            return Err(Violation::with_detail(Rule::TooManyEntries, &limit, detail));
        }
        if self.news + news > MAX_NEWS {
            return Err(Violation::with_detail(
                Rule::TooManyNews,
                "1,000",
                "in one file",
            ));
        }
        self.check_bytes()
    }

    fn begin(&mut self, needs: Needs<'_>) -> Result<(), Violation> {
        let Some(root) = self.root else {
            return Ok(());
        };
        self.xml.declaration();
        if let Some(href) = &self.stylesheet {
            self.xml.stylesheet(media_type(href), href)?;
        }
        let declared = self.namespaces.iter().map(|n| (n.prefix(), n.uri()));
        let extensions = needs.page.into_iter().flat_map(UrlEntry::extensions);
        let extensions =
            extensions.map(|(extension, _)| (extension.prefix(), extension.namespace()));
        let foreign = needs.foreign.iter();
        let foreign = foreign.map(|e| (e.prefix.as_str(), e.namespace.as_str()));
        let wanted = self.wanted.iter().map(|n| (n.prefix(), n.uri()));
        let wanted = extensions.chain(foreign).chain(wanted);
        self.xml.root(root, SITEMAP.uri, declared, wanted)
    }

    fn check_bytes(&self) -> Result<(), Violation> {
        if self.len_if_finished() > self.limits.bytes {
            let detail = match self.entries {
                0 => "with its first entry",
                _ => "",
            };
            let limit = grouped(self.limits.bytes);
            return Err(Violation::with_detail(Rule::TooManyBytes, &limit, detail));
        }
        Ok(())
    }

    /// The size of the file if it ended now. Before the first entry, the root is not included.
    fn len_if_finished(&self) -> u64 {
        let end = self.root.map_or(0, |root| "</>\n".len() + root.len());
        self.handed_on + (self.xml.len() + end) as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        if self.started {
            self.len_if_finished()
        } else {
            0
        }
    }

    pub(super) const fn get_ref(&self) -> &W {
        &self.output
    }

    pub(super) const fn get_mut(&mut self) -> &mut W {
        &mut self.output
    }

    pub(super) fn finish(mut self) -> Result<W> {
        self.check_usable()?;
        if !self.started {
            self.begin(Needs::default())?;
            self.check_bytes()?;
        }
        if let Some(root) = self.root {
            self.xml.end_root(root);
        }
        self.hand_on()?;
        self.output.flush().map_err(permanent)?;
        (self.complete)(&mut self.output).map_err(permanent)?;
        Ok(self.output)
    }

    fn check_usable(&self) -> Result<()> {
        if self.panicking {
            return Err(WriteFailure::panic().again());
        }
        match &self.failed {
            Some(failure) => Err(failure.again()),
            None => Ok(()),
        }
    }

    pub(super) fn hand_on(&mut self) -> Result<()> {
        // If the output panics, the writer must not be used again.
        self.panicking = true;
        let written = self.output.write_all(self.xml.as_bytes());
        self.panicking = false;
        if let Err(error) = written.map_err(permanent) {
            self.failed = Some(WriteFailure::of_io(&error));
            return Err(error.into());
        }
        self.handed_on += self.xml.len() as u64;
        self.xml.clear();
        Ok(())
    }

    pub(super) fn debug(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        f.debug_struct(name)
            .field("entries", &self.entries)
            .field("limits", &self.limits)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// Makes an error permanent. A part of the data may have been written, so calling again cannot help.
fn permanent(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => io::Error::other(error),
        _ => error,
    }
}
