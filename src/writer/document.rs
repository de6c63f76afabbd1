use std::fmt;
use std::io::{self, Write};

use super::{Namespace, WriterBuilder};
use crate::entry::UrlEntry;
use crate::error::Result;
use crate::extension::EXTENSIONS;
use crate::extension::foreign::Element;
use crate::limits::{Limits, MAX_BYTES, MAX_ENTRIES, MAX_NEWS};
use crate::violation::{Rule, Violation, grouped};
use crate::xml::writer::XmlWriter;

/// Bytes that are collected before they are handed on.
const PIECE: usize = 32 << 10;

/// What the first entry wants declared on the root.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs<'e> {
    pub(super) page: Option<&'e UrlEntry>,
    pub(super) foreign: &'e [Element],
}

/// A file that grows entry by entry.
pub(super) struct Document<W> {
    output: W,
    xml: XmlWriter,
    root: Option<&'static str>,
    stylesheet: Option<String>,
    namespaces: Vec<Namespace>,
    limits: Limits,
    /// Bytes handed to the output; those in `xml` come after them.
    handed_on: u64,
    pub(super) entries: u64,
    news: u64,
    started: bool,
    failed: bool,
}

impl<W: Write> Document<W> {
    pub(super) fn new(settings: &WriterBuilder, root: Option<&'static str>, output: W) -> Self {
        Self {
            output,
            xml: XmlWriter::new(settings.indent),
            root,
            stylesheet: settings.stylesheet.clone(),
            namespaces: settings.namespaces.clone(),
            limits: Limits {
                entries: settings.limits.entries.min(MAX_ENTRIES),
                bytes: settings.limits.bytes.min(MAX_BYTES),
            },
            handed_on: 0,
            entries: 0,
            news: 0,
            started: false,
            failed: false,
        }
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

    /// What the entry itself breaks comes first: an entry that only came too late fits another file.
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
        if self.entries >= self.limits.entries {
            return Err(Violation::new(
                Rule::TooManyEntries,
                &grouped(self.limits.entries),
            ));
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
        let stylesheet = self.stylesheet.as_deref();
        let declared = self.namespaces.iter().map(|n| (&*n.prefix, &*n.uri));
        let extensions = EXTENSIONS
            .iter()
            .filter(|extension| needs.page.is_some_and(extension.is_in))
            .map(|extension| (extension.known.prefix, extension.known.uri));
        let foreign = needs.foreign.iter().map(|e| (&*e.prefix, &*e.namespace));
        self.xml
            .root(root, stylesheet, declared, extensions.chain(foreign))
    }

    fn check_bytes(&self) -> Result<(), Violation> {
        if self.len_if_finished() > self.limits.bytes {
            return Err(Violation::new(
                Rule::TooManyBytes,
                &grouped(self.limits.bytes),
            ));
        }
        Ok(())
    }

    /// An empty file that has not begun yet is not counted.
    pub(super) fn len_if_finished(&self) -> u64 {
        let end = self.root.map_or(0, |root| "</>\n".len() + root.len());
        self.handed_on + (self.xml.len() + end) as u64
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
        Ok(self.output)
    }

    fn check_usable(&self) -> Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed").into());
        }
        Ok(())
    }

    fn hand_on(&mut self) -> Result<()> {
        // Should the output panic, the writer is not to be used again either.
        self.failed = true;
        self.output
            .write_all(self.xml.as_str().as_bytes())
            .map_err(permanent)?;
        self.failed = false;
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

/// Part of a piece may have been written: no error of the output can be made good by calling again.
fn permanent(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => io::Error::other(error),
        _ => error,
    }
}
