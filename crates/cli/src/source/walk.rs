//! The one reader of entries and of rows: it gives what a document contains to a [`Sink`].

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use quick_sitemap::url::Url;
use quick_sitemap::{
    Entry, Error, Format, Issue, RawEntry, Reader, ReaderBuilder, Stylesheet, Summary,
};

use crate::disk::{Counted, GZIP, peek};
use crate::rows::{self, ColumnNames, Fields, Form, Refused, Row, RowFormat, Rows};
use crate::source::not_read::Why;
use crate::source::span::{MarkedLine, first_line};
use crate::term::clipped::clipped;
use crate::term::count::First;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress;

/// An opened sitemap or list of pages.
pub(crate) struct Document<'d> {
    /// As a message names it, without users and passwords.
    pub(crate) name: &'d str,
    pub(crate) bytes: Box<dyn Read>,
    /// How a sitemap is read.
    pub(crate) builder: ReaderBuilder,
    /// Its file.
    pub(crate) path: Option<PathBuf>,
    /// The names of the columns of a table.
    pub(crate) columns: &'d ColumnNames,
    /// Paths in a list are resolved against this URL.
    pub(crate) base: Option<Url>,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// `None` if it is not a sitemap, which the end reports.
    Sitemap(Option<Format>),
    List(RowFormat),
}

/// Takes what is read, in the order of the document. An error ends the walk, and is returned.
pub(crate) trait Sink {
    /// The document has been opened. Not called if its beginning cannot be read.
    fn begin(&mut self, _content: Content) -> anyhow::Result<()> {
        Ok(())
    }

    /// The next entry, or something in place of one.
    // The entry is large, so it is not moved to a sink that only looks at it.
    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>>;

    /// The document has been read, or cannot be read any further.
    fn end(&mut self, _end: &End<'_>) -> anyhow::Result<()> {
        Ok(())
    }
}

pub(crate) struct Item<'r> {
    pub(crate) entry: Result<Entry, Unusable>,
    /// Problems of the entry, and of the text before it.
    pub(crate) issues: &'r [Issue],
    pub(crate) origin: Origin<'r>,
    /// Why the sitemap that the entry names is not read, if that is known.
    pub(crate) not_read: Option<(Why, String)>,
    /// The sitemap that the entry names is an index.
    pub(crate) is_nested: bool,
}

/// Why there is no entry.
pub(crate) enum Unusable {
    /// The issues give the reason.
    Skipped,
    Refused(Refused),
}

/// An entry as the document has it.
pub(crate) enum Origin<'r> {
    Entry(RawEntry<'r>),
    Row {
        /// The line on which it begins, from 1.
        line: u64,
        /// Bytes before it.
        byte: u64,
        /// From 1.
        number: u64,
        text: &'r dyn Fn() -> MarkedLine,
    },
}

impl Item<'_> {
    /// Moves the entry out.
    pub(crate) fn take(&mut self) -> Result<Entry, Unusable> {
        mem::replace(&mut self.entry, Err(Unusable::Skipped))
    }
}

impl Origin<'_> {
    /// The line on which the entry begins, from 1.
    pub(crate) fn line(&self) -> u64 {
        match self {
            Self::Entry(raw) => raw.position().line(),
            Self::Row { line, .. } => *line,
        }
    }
}

pub(crate) struct End<'r> {
    pub(crate) outcome: Outcome,
    /// Problems after the last entry.
    pub(crate) issues: &'r [Issue],
    /// Entries that could be used.
    pub(crate) entries: u64,
    pub(crate) skipped: u64,
    /// That of a sitemap.
    pub(crate) summary: Option<&'r Summary>,
    pub(crate) stylesheet: Option<&'r Stylesheet>,
    /// The fields that the pages can have.
    pub(crate) fields: Fields,
    /// Bytes that were read, decoded.
    pub(crate) bytes: u64,
    pub(crate) is_gzipped: bool,
    /// It begins like UTF-16.
    pub(crate) is_utf_16: bool,
}

/// What every command calls an index that is [empty](End::is_empty): search engines reject it.
pub(crate) const EMPTY_INDEX: &str = "the index lists no sitemap";

impl End<'_> {
    /// Returns `true` for a document that was read to its end, and has no entry, not even one that cannot be used.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.outcome, Outcome::Whole) && self.entries + self.skipped == 0
    }
}

pub(crate) enum Outcome {
    /// Read to the end.
    Whole,
    /// The sink has enough, or there is a request to stop.
    Stopped,
    /// A bound has ended it.
    Cut,
    /// It is not a sitemap, or cannot be read any further.
    Failed(Error),
    /// The list cannot be read any further.
    Broken(anyhow::Error),
    /// Nothing could be read: an I/O error, or the header of a table does not name a column of URLs.
    Unopened(anyhow::Error),
}

/// Reads a document to its end, unless the sink has enough or there is a request to stop.
///
/// # Errors
///
/// Those of the sink.
pub(crate) fn walk(
    document: Document<'_>,
    messages: &Messages,
    sink: &mut dyn Sink,
) -> anyhow::Result<()> {
    let Document {
        name,
        bytes,
        builder,
        path,
        columns,
        base,
        form,
    } = document;
    let (head, bytes) = peek(bytes, GZIP.len());
    let (format, bytes) = match rows::detect(form, path.as_deref(), columns, bytes) {
        Ok(detected) => detected,
        Err(error) => {
            let error = error.context(name.to_owned());
            return sink.end(&List::unopened(error).end(Fields::ALL, 0));
        }
    };
    let Some(format) = format else {
        return sitemap(&builder, Box::new(bytes), &head, sink);
    };
    sink.begin(Content::List(format))?;
    let size = Cell::new(0);
    let bytes = BufReader::new(Counted(bytes, &size));
    let (read, fields) = match Rows::new(format, columns, bytes, base.as_ref()) {
        Ok(mut rows) => {
            let unknown = match form {
                Form::List(_, true) => Unknown::Ignored,
                Form::List(_, false) => Unknown::Refused,
                Form::Sitemap | Form::Any => Unknown::Noted(messages),
            };
            (list(&mut rows, name, unknown, sink)?, rows.fields())
        }
        Err(error) => {
            let error = error.context(format!("{name}:1"));
            (List::unopened(error), Fields::ALL)
        }
    };
    sink.end(&read.end(fields, size.get()))
}

/// Reads a sitemap and passes its entries, issues and errors to the sink.
fn sitemap(
    builder: &ReaderBuilder,
    bytes: Box<dyn Read>,
    head: &[u8],
    sink: &mut dyn Sink,
) -> anyhow::Result<()> {
    let mut reader = builder.build(bytes);
    let format = reader.format();
    sink.begin(Content::Sitemap(format))?;
    let outcome = entries(&mut reader, sink)?;
    let summary = reader.summary();
    sink.end(&End {
        outcome,
        issues: reader.issues(),
        entries: summary.entries,
        skipped: summary.skipped,
        summary: Some(summary),
        stylesheet: reader.stylesheet(),
        fields: if format == Some(Format::Text) {
            Fields::NONE
        } else {
            Fields::ALL
        },
        bytes: reader.position().byte(),
        is_gzipped: head == GZIP,
        is_utf_16: matches!(*head, [0xFE, 0xFF] | [0xFF, 0xFE] | [0, b'<'] | [b'<', 0]),
    })
}

/// Passes the entries to the sink.
fn entries(
    reader: &mut Reader<Box<dyn Read + '_>>,
    sink: &mut dyn Sink,
) -> anyhow::Result<Outcome> {
    loop {
        // Raw first: that finds the place of each element.
        let raw = reader.read_raw().map(|raw| raw.is_some());
        if interrupt::is_requested() {
            return Ok(Outcome::Stopped);
        }
        // The entry is large: a step between these would copy it once more.
        let entry = match raw {
            Ok(true) => match reader.to_entry() {
                Ok(Some(entry)) => Ok(entry),
                Ok(None) => Err(Unusable::Skipped),
                Err(error) => return Ok(Outcome::Failed(error)),
            },
            Ok(false) => return Ok(Outcome::Whole),
            Err(error) => return Ok(Outcome::Failed(error)),
        };
        progress::entry();
        let flow = sink.item(&mut Item {
            entry,
            issues: reader.issues(),
            origin: Origin::Entry(reader.raw()),
            not_read: None,
            is_nested: false,
        })?;
        if flow.is_break() {
            return Ok(Outcome::Stopped);
        }
    }
}

/// What becomes of columns and fields whose names are unknown.
enum Unknown<'m> {
    Noted(&'m Messages),
    Refused,
    Ignored,
}

impl Unknown<'_> {
    fn columns(&mut self, name: &str, columns: &[String]) -> anyhow::Result<()> {
        let Some(first) = columns.first() else {
            return Ok(());
        };
        match mem::replace(self, Self::Ignored) {
            Self::Noted(messages) => {
                let named = columns.iter().take(First::NAMED);
                let named: Vec<_> = named
                    .map(|column| format!("`{}`", clipped(column)))
                    .collect();
                let more = match columns.len() - named.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                messages.note(format_args!(
                    "{name}: unknown columns are ignored: {}{more}",
                    named.join(", ")
                ));
                Ok(())
            }
            Self::Refused => bail!(
                "{name}:1: unknown column `{first}` (not loc, lastmod, changefreq or priority); use --ignore-unknown to ignore it"
            ),
            Self::Ignored => Ok(()),
        }
    }

    fn field(&mut self, name: &str, row: &Row) -> anyhow::Result<()> {
        let Some(field) = &row.unknown else {
            return Ok(());
        };
        match self {
            Self::Noted(messages) => {
                let field = clipped(field);
                messages.note(format_args!(
                    "{name}: the field `{field}` is unknown and ignored"
                ));
                *self = Self::Ignored;
                Ok(())
            }
            Self::Refused => bail!(
                "{name}:{}: unknown field `{field}`; use --ignore-unknown to ignore it",
                row.line
            ),
            Self::Ignored => Ok(()),
        }
    }
}

/// The result of reading a list.
struct List {
    outcome: Outcome,
    entries: u64,
    skipped: u64,
}

impl List {
    fn unopened(error: anyhow::Error) -> Self {
        Self {
            outcome: Outcome::Unopened(error),
            entries: 0,
            skipped: 0,
        }
    }

    fn end(self, fields: Fields, bytes: u64) -> End<'static> {
        End {
            outcome: self.outcome,
            issues: &[],
            entries: self.entries,
            skipped: self.skipped,
            summary: None,
            stylesheet: None,
            fields,
            bytes,
            is_gzipped: false,
            is_utf_16: false,
        }
    }
}

/// Gives all rows to the sink, without a begin and an end.
///
/// # Errors
///
/// Those of the sink.
fn list<R: BufRead>(
    rows: &mut Rows<R>,
    name: &str,
    mut unknown: Unknown<'_>,
    sink: &mut dyn Sink,
) -> anyhow::Result<List> {
    let (mut entries, mut skipped) = (0, 0);
    if let Err(error) = unknown.columns(name, rows.unknown_columns()) {
        return Ok(List::unopened(error));
    }
    let outcome = loop {
        let read = rows.next(name);
        if interrupt::is_requested() {
            break Outcome::Stopped;
        }
        let row = match read {
            Ok(Some(row)) => row,
            Ok(None) => break Outcome::Whole,
            Err(error) => break Outcome::Broken(error),
        };
        if let Err(error) = unknown.field(name, &row) {
            break Outcome::Broken(error);
        }
        if row.entry.is_ok() {
            entries += 1;
        } else {
            skipped += 1;
        }
        progress::entry();
        let flow = sink.item(&mut Item {
            entry: row.entry.map_err(Unusable::Refused),
            issues: &[],
            origin: Origin::Row {
                line: row.line,
                byte: row.byte,
                number: entries + skipped,
                text: &|| first_line(&rows.line()),
            },
            not_read: None,
            is_nested: false,
        })?;
        if flow.is_break() {
            break Outcome::Stopped;
        }
    };
    Ok(List {
        outcome,
        entries,
        skipped,
    })
}
