//! The one reader of entries and of rows.

use std::io::{BufReader, Read};
use std::slice;

use anyhow::bail;
use flate2::read::GzDecoder;
use quick_sitemap::url::Url;
use quick_sitemap::{Format, Reader, ReaderBuilder, Summary};

use super::Intake;
use super::files::Files;
use super::reading::{Place, Reading};
use crate::disk::GZIP;
use crate::net::robots::{NotAsked, Readers, Wanted};
use crate::rows::{Begun, Fields, Form, RowFormat, Rows, Unknown, is_utf_16, listed};
use crate::source::documents::Target;
use crate::source::input::Input;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::span::first_line;
use crate::source::walk::{Content, End, Item, Origin, Outcome, Part, Unusable};
use crate::term::clipped::clipped;
use crate::term::interrupt;
use crate::term::progress;

/// Bytes of a packed document that are looked at for its encoding.
const HEAD: u64 = 1 << 10;
/// Layers of gzip that the library undoes.
const LAYERS: usize = 3;

impl Intake<'_> {
    /// Reads a file, standard input, or only the document at a URL.
    pub(super) fn file(&mut self, target: &Target) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        if self.is_full() {
            self.beyond.add(&target.name);
            return Ok(());
        }
        let is_input = target.root.is_none() && target.index.is_none();
        let opened = match target.open(&self.options.reading.network) {
            Ok(opened) => opened,
            Err(error) => {
                let reason = format!("{error:#}");
                let is_file = !matches!(target.input, Input::Url(_));
                let why = if is_input && is_file {
                    Why::Unopened
                } else {
                    Why::Failed
                };
                return self.not_read(&NotRead {
                    listed_in: target.index.as_deref(),
                    is_input,
                    ..NotRead::new(slice::from_ref(&target.name), why, &reason)
                });
            }
        };
        let location = target.location.as_ref().or(opened.location.as_ref());
        let charset = opened.charset.as_deref();
        let readers = Readers::of(&self.options.reading.network.user_agent);
        let forbids = |url: &Url, wanted: Wanted| {
            let robots = target.robots.as_ref().ok_or(NotAsked)?;
            readers.forbidden_by(robots.answer(url)?, url, wanted)
        };
        let about = About {
            name: &target.name,
            path: target.path(),
            location,
            listed: None,
            listed_in: target.index.as_deref(),
            charset,
            is_input,
            content: None,
            robots: &forbids,
            asked: None,
            is_redirected: false,
            is_unlisted: target.is_unlisted,
            judges_places: location.is_some(),
            may_list: None,
        };
        let builder = self.begin(&about, target.is_waived);
        let place = Place::Files(Files::new(target));
        Reading::new(about, place, self).read(opened.reader, &builder)
    }

    /// Begins a document. Returns its reader, which judges the places of pages unless it may list all of its host.
    pub(super) fn begin(&mut self, about: &About<'_>, is_waived: bool) -> ReaderBuilder {
        self.sitemaps += 1;
        self.sink.document(about);
        let mut reader = self.options.reader.clone();
        if let Some(location) = about.location {
            reader = reader.base_url(location.clone());
        }
        if let Some(location) = about.location.filter(|_| self.options.judges_places) {
            reader = reader.location(location.clone());
        }
        if is_waived {
            reader = reader.any_directory();
        }
        match about.charset {
            Some(charset) => reader.charset(charset),
            None => reader,
        }
    }
}

impl Reading<'_, '_> {
    /// Reads a document to its end, unless the sink has enough or there is a request to stop.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub(super) fn read(self, bytes: Box<dyn Read>, builder: &ReaderBuilder) -> anyhow::Result<()> {
        let options = self.intake.options;
        // Only what the user names is a list.
        let form = if self.about.is_input {
            options.form
        } else {
            Form::Sitemap
        };
        let begun = Begun::new(bytes);
        match begun.format(form, self.about.path, &options.reading.columns) {
            Ok(None) => {
                let head = begun.head.clone();
                self.entries_of(begun.into_bytes(), head, builder)
            }
            Ok(Some(RowFormat::Text)) => self.urls(begun, builder),
            Ok(Some(format)) => self.list(begun, format),
            Err(error) => {
                let name = self.about.name.to_owned();
                self.broken(error.context(name))
            }
        }
    }

    /// Reads a list of URLs, or of paths of the site of `--base`.
    fn urls(mut self, begun: Begun<'_>, builder: &ReaderBuilder) -> anyhow::Result<()> {
        let base = self.intake.options.base.or(self.about.location);
        if begun.is_blank() {
            self.begin(Content::List(RowFormat::Text))?;
            return self.end(End::new(Outcome::Whole, &Summary::default()));
        }
        let builder = match base {
            Some(base) => builder.clone().base_url(base.clone()),
            None => builder.clone(),
        };
        self.entries_of(begun.into_urls(base), Vec::new(), &builder)
    }

    /// Reads a sitemap and passes its entries, issues and errors on.
    fn entries_of(
        mut self,
        bytes: Box<dyn Read + '_>,
        head: Vec<u8>,
        builder: &ReaderBuilder,
    ) -> anyhow::Result<()> {
        let mut reader = builder.build(bytes);
        let format = reader.format();
        self.begin(Content::Sitemap(format))?;
        let outcome = self.entries(&mut reader)?;
        self.end(End {
            issues: reader.issues(),
            stylesheet: reader.stylesheet(),
            fields: match format {
                Some(Format::Text) => Fields::NONE,
                _ => Fields::ALL,
            },
            bytes: reader.position().byte(),
            is_gzipped: head.starts_with(&GZIP),
            sure: encoding(&unpacked(head)),
            ..End::new(outcome, reader.summary())
        })
    }

    fn entries(&mut self, reader: &mut Reader<Box<dyn Read + '_>>) -> anyhow::Result<Outcome> {
        loop {
            // Raw first: that finds the place of each element.
            let raw = reader.read_raw().map(drop);
            if interrupt::is_requested() {
                return Ok(Outcome::Stopped);
            }
            // The entry is large: a step between these would copy it once more.
            let entry = match raw.and_then(|()| reader.take_entry()) {
                Ok(Some(entry)) => Ok(entry),
                Ok(None) => Err(Unusable::Skipped),
                Err(error) => return Ok(Outcome::Failed(error)),
            };
            let Some(raw) = reader.raw() else {
                return Ok(Outcome::Whole);
            };
            progress::entry();
            let flow = self.item(&mut Item {
                entry,
                issues: reader.issues(),
                origin: Origin::Entry(raw),
                part: Part::default(),
                expected: None,
            })?;
            if flow.is_break() {
                return Ok(Outcome::Stopped);
            }
        }
    }

    /// Reads the rows of a list.
    fn list(mut self, begun: Begun<'_>, format: RowFormat) -> anyhow::Result<()> {
        self.begin(Content::List(format))?;
        let options = self.intake.options;
        let bytes = BufReader::new(begun.into_text());
        let base = options.base.or(self.about.location);
        let columns = &options.reading.columns;
        let mut rows = match Rows::new(self.about.name, format, columns, bytes, base) {
            Ok(rows) => rows,
            Err(error) => return self.broken(error),
        };
        let mut summary = Summary::default();
        let outcome = loop {
            if let Some(unknown) = rows.take_unknown()
                && let Err(error) = self.unknown(&unknown)
            {
                break Outcome::Broken(error);
            }
            let read = rows.next();
            if interrupt::is_requested() {
                break Outcome::Stopped;
            }
            let row = match read {
                Ok(Some(row)) => row,
                Ok(None) => break Outcome::Whole,
                Err(error) => break Outcome::Broken(error),
            };
            summary.entries += u64::from(row.entry.is_ok());
            summary.skipped += u64::from(row.entry.is_err());
            progress::entry();
            let flow = self.item(&mut Item {
                entry: row.entry.map_err(Unusable::Refused),
                issues: &[],
                origin: Origin::Row {
                    line: row.line,
                    byte: row.byte,
                    number: summary.entries + summary.skipped,
                    text: &|| first_line(rows.line()),
                },
                part: Part::default(),
                expected: row.expected,
            })?;
            if flow.is_break() {
                break Outcome::Stopped;
            }
        };
        self.end(End {
            fields: rows.fields(),
            bytes: rows.bytes(),
            ..End::new(outcome, &summary)
        })
    }

    fn broken(self, error: anyhow::Error) -> anyhow::Result<()> {
        self.end(End::new(Outcome::Broken(error), &Summary::default()))
    }

    /// Reports columns and fields whose names are unknown, or returns an error if none may be.
    fn unknown(&self, unknown: &Unknown) -> anyhow::Result<()> {
        let (name, Unknown { line, what, names }) = (self.about.name, unknown);
        match self.intake.options.form {
            Form::List(_, true) => Ok(()),
            Form::List(_, false) => {
                let first = names.first().map(|name| clipped(name)).unwrap_or_default();
                let named = match *what {
                    "column" => {
                        format!("--column FIELD={first} if it is another name of a field, or ")
                    }
                    _ => String::new(),
                };
                bail!(
                    "{name}:{line}: unknown {what} `{first}`; use {named}--ignore-unknown to ignore it"
                )
            }
            Form::Sitemap | Form::Any => {
                self.intake.options.messages.note(format_args!(
                    "{name}: unknown {what}s are ignored: {}",
                    listed(names)
                ));
                Ok(())
            }
        }
    }
}

/// The beginning of a document without the layers of gzip that the library undoes.
fn unpacked(mut head: Vec<u8>) -> Vec<u8> {
    for _ in 0..LAYERS {
        if head.starts_with(&GZIP) {
            let mut first = Vec::new();
            // The end is missing, which is an error after the bytes before it.
            let _ = GzDecoder::new(&*head).take(HEAD).read_to_end(&mut first);
            head = first;
        }
    }
    head
}

/// The encoding that a mark or the pattern of the first bytes leaves no doubt of.
fn encoding(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => Some("UTF-8"),
        [0, b'<', ..] | [b'<', 0, ..] => Some("UTF-16"),
        head => is_utf_16(head).then_some("UTF-16"),
    }
}
