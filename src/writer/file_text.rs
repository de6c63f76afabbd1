//! The text of one file that grows entry by entry, and what limits it. An entry is added completely or not at all.

use std::fmt;
use std::io::{self, Write};

use url::Url;

use super::builder::WriterBuilder;
use super::failure::WriteFailure;
use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::{Error, Result};
use crate::extension::foreign::Element;
use crate::limits::{MAX_BYTES, MAX_ENTRIES};
use crate::value::location::Location;
use crate::value::url::check_url;
use crate::violation::{Detail, Rule, Violation, case, grouped};
use crate::vocabulary::{Extension, InFile, SITEMAP};
use crate::xml::stylesheet::media_type;
use crate::xml::writer::XmlWriter;

/// Bytes that are collected before they are written to the output.
const PIECE: usize = 32 << 10;

/// An entry. Of a page in a file without a root, which is text, only the loc is written.
#[derive(Clone, Copy)]
pub(crate) enum Content<'e> {
    Page(&'e UrlEntry),
    Sitemap(&'e SitemapEntry),
}

impl<'e> Content<'e> {
    fn foreign(self) -> &'e [Element] {
        match self {
            Self::Page(page) => &page.foreign,
            Self::Sitemap(sitemap) => &sitemap.foreign,
        }
    }
}

/// The text of a file, without the part that was already written to the output. The code is the same for every output.
pub(super) struct FileText {
    xml: XmlWriter,
    root: Option<&'static str>,
    settings: WriterBuilder,
    /// Number of bytes that were written to the output, without those that are still in `xml`.
    handed_on: u64,
    pub(super) entries: u64,
    in_file: InFile,
    started: bool,
    failed: Option<WriteFailure>,
}

impl FileText {
    pub(super) fn new(settings: &WriterBuilder, root: Option<&'static str>) -> Self {
        let mut settings = settings.clone();
        settings.limits.entries = settings.limits.entries.min(MAX_ENTRIES);
        settings.limits.bytes = settings.limits.bytes.min(MAX_BYTES);
        Self {
            xml: XmlWriter::new(settings.indent),
            root,
            settings,
            handed_on: 0,
            entries: 0,
            in_file: InFile::default(),
            started: false,
            failed: None,
        }
    }

    /// Adds an entry, with escaped URLs if that is necessary and allowed.
    pub(super) fn add(&mut self, entry: Content<'_>) -> Result<()> {
        self.check_usable()?;
        let added = match self.add_as_it_is(entry) {
            Err(violation) if self.settings.escape && violation.rule() == Rule::UrlNotEscaped => {
                self.add_escaped(entry)
            }
            added => added,
        };
        Ok(added?)
    }

    #[cold]
    fn add_escaped(&mut self, entry: Content<'_>) -> Result<(), Violation> {
        match entry {
            Content::Page(page) => self.add_as_it_is(Content::Page(&page.clone().escaped())),
            Content::Sitemap(sitemap) => {
                self.add_as_it_is(Content::Sitemap(&sitemap.clone().escaped()))
            }
        }
    }

    pub(super) fn add_as_it_is(&mut self, entry: Content<'_>) -> Result<(), Violation> {
        let mark = self.xml.mark();
        match self.encode(entry) {
            Ok(in_file) => self.in_file = in_file,
            Err(violation) => {
                self.xml.rewind(mark);
                return Err(violation);
            }
        }
        self.started = true;
        self.entries += 1;
        Ok(())
    }

    /// Violations of the entry itself are reported before the limits of the file, because another file may have room for
    /// the entry.
    // It has one caller, so that it is inlined.
    fn encode(&mut self, entry: Content<'_>) -> Result<InFile, Violation> {
        if !self.started {
            self.begin(Some(entry))?;
        }
        self.xml.begin_entry();
        match entry {
            Content::Page(page) if self.root.is_none() => self.xml.line(check_url(&page.loc)?),
            Content::Page(page) => page.encode(&mut self.xml)?,
            Content::Sitemap(sitemap) => sitemap.encode(&mut self.xml)?,
        }
        self.xml.end_entry()?;
        if let Content::Page(page) = entry {
            check_loc(&self.settings.location, &page.loc)?;
        }
        if self.entries >= self.settings.limits.entries {
            // A full urlset can be followed by another one, a full index cannot.
            let detail = match self.root {
                Some("sitemapindex") => Detail::from("in one index"),
                _ if self.settings.limits.entries == 1 => case::SINGLE.into(),
                _ => Detail::None,
            };
            let limit = grouped(self.settings.limits.entries);
            return Err(Violation::with_detail(Rule::TooManyEntries, &limit, detail));
        }
        let in_file = self.checked_extensions(entry)?;
        self.check_bytes()?;
        Ok(in_file)
    }

    /// The number of elements of each extension in the file with this entry.
    fn checked_extensions(&self, entry: Content<'_>) -> Result<InFile, Violation> {
        let mut in_file = self.in_file;
        let Content::Page(page) = entry else {
            return Ok(in_file);
        };
        for (extension, most, rule) in Extension::IN_FILE.iter().filter(|_| self.root.is_some()) {
            let Some(count) = in_file.get_mut(*extension as usize) else {
                continue;
            };
            *count += page.count(*extension) as u64;
            if *count > *most {
                let (most, detail) = (grouped(*most), "in one file");
                return Err(Violation::with_detail(*rule, &most, detail));
            }
        }
        Ok(in_file)
    }

    /// Writes what is before the first entry. The root declares the namespaces that this entry needs.
    fn begin(&mut self, first: Option<Content<'_>>) -> Result<(), Violation> {
        let Some(root) = self.root else {
            return Ok(());
        };
        self.xml.declaration();
        if let Some(href) = &self.settings.stylesheet {
            self.xml.stylesheet(media_type(href), href)?;
        }
        self.xml.root(root, SITEMAP.uri)?;
        for namespace in &self.settings.namespaces {
            self.xml
                .declare_in_root(namespace.prefix(), namespace.uri())?;
        }
        if let Some(Content::Page(page)) = first {
            for (extension, _) in page.extensions() {
                self.xml.hoist(extension.prefix(), extension.namespace());
            }
        }
        for element in first.into_iter().flat_map(Content::foreign) {
            self.xml
                .hoist(element.free_prefix(), element.namespace.as_str());
        }
        self.xml.open_root();
        Ok(())
    }

    fn check_bytes(&self) -> Result<(), Violation> {
        if self.len_if_finished() > self.settings.limits.bytes {
            let detail = match self.entries {
                0 => "with its first entry",
                _ => "",
            };
            let limit = grouped(self.settings.limits.bytes);
            return Err(Violation::with_detail(Rule::TooManyBytes, &limit, detail));
        }
        Ok(())
    }

    /// The size of the file if it ended now. Before the first entry, the root is not included.
    fn len_if_finished(&self) -> u64 {
        let end = self.root.map_or(0, |root| "</>\n".len() + root.len());
        self.handed_on + (self.xml.out.len() + end) as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        if self.started {
            self.len_if_finished()
        } else {
            0
        }
    }

    /// Adds the end of the file.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.check_usable()?;
        if !self.started {
            self.begin(None)?;
            self.check_bytes()?;
        }
        if let Some(root) = self.root {
            self.xml.end_root(root);
        }
        Ok(())
    }

    fn check_usable(&self) -> Result<()> {
        let failed = self.failed.as_ref();
        failed.map_or(Ok(()), |failure| Err(failure.again()))
    }

    /// Returns `true` if there is so much text that it must be handed on.
    pub(super) fn is_piece(&self) -> bool {
        self.xml.out.len() >= PIECE
    }

    /// Writes the text to the output. If the output panics, the writer must not be used again.
    pub(super) fn hand_on(&mut self, output: &mut dyn Write) -> Result<()> {
        self.failed = Some(WriteFailure::panic());
        let written = output.write_all(&self.xml.out);
        let written = written.map_err(|error| Error::from(permanent(error)));
        self.failed = written.as_ref().err().map(WriteFailure::of);
        written?;
        self.handed_on += self.xml.out.len() as u64;
        self.xml.out.clear();
        Ok(())
    }

    pub(super) fn debug(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        f.debug_struct(name)
            .field("entries", &self.entries)
            .field("limits", &self.settings.limits)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// Checks that a file at `location` can contain this URL.
fn check_loc(location: &Location, loc: &Url) -> Result<(), Violation> {
    let has_user = || !loc.username().is_empty() || loc.password().is_some();
    if location.is_known() && has_user() {
        let (rule, found) = (Rule::OutsideLocation, loc.as_str());
        return Err(Violation::with_detail(rule, found, case::USER));
    }
    location.violation(loc, loc.as_str()).map_or(Ok(()), Err)
}

/// Makes an error permanent. A part of the data may have been written, so calling again cannot help.
pub(super) fn permanent(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => io::Error::other(error),
        _ => error,
    }
}
