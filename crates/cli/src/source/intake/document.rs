//! The one reader of entries and of rows.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::mem;

use anyhow::bail;
use flate2::read::GzDecoder;
use quick_sitemap::{Format, Reader, ReaderBuilder};

use super::reading::{Files, Lister, Reading};
use super::{Intake, NOT_FOLLOWED, waived};
use crate::disk::{Counted, GZIP, peek};
use crate::rows::{self, Fields, Form, Row, Rows};
use crate::source::documents::Target;
use crate::source::input::Opened;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::span::first_line;
use crate::source::walk::{Content, End, Item, Origin, Outcome, Unusable};
use crate::term::clipped::clipped;
use crate::term::count::First;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress;

/// First bytes that are kept, as they are sent: enough for those of a document that is packed.
const HEAD: usize = 1 << 10;
/// Layers of gzip that the library undoes.
const LAYERS: usize = 3;

impl Intake<'_> {
    /// Reads an opened document.
    pub(super) fn document(
        &mut self,
        target: &Target,
        opened: Opened,
        depth: usize,
        is_waived: bool,
    ) -> anyhow::Result<()> {
        let location = target.location.clone().or(opened.location);
        let about = About {
            name: &target.name,
            path: target.input.path(),
            location: location.as_ref(),
            listed: None,
            charset: None,
            is_input: target.root.is_none() && depth == 1,
            #[cfg(feature = "full")]
            robots: None,
            is_waived,
        };
        let mut builder = ReaderBuilder::new();
        if let Some(location) = &location {
            builder = builder
                .base_url(location.clone())
                .location(location.clone());
            if is_waived {
                builder = waived(builder, location.host_str());
            }
        }
        let builder = self.sink.document(&about, builder);
        let lister = Lister::Files(Files::new(target, depth));
        let mut reading = Reading::new(about, lister, self);
        read(&mut reading, opened.reader, &builder)?;
        let (excluded, is_cut) = (reading.excluded(), reading.is_cut);
        self.beyond.is_cut |= is_cut;
        if excluded.count == 0 || self.is_over() {
            return Ok(());
        }
        // The parts of an index in a file, which nobody asked for.
        self.sink.not_read(&NotRead {
            listed_in: Some(&target.name),
            count: excluded.count,
            ..NotRead::new(&excluded.first, Why::Excluded, NOT_FOLLOWED)
        })
    }
}

/// Reads a document to its end, unless the sink has enough or there is a request to stop.
///
/// # Errors
///
/// Those of the sink.
pub(super) fn read(
    reading: &mut Reading<'_, '_>,
    bytes: Box<dyn Read>,
    builder: &ReaderBuilder,
) -> anyhow::Result<()> {
    let (about, options) = (reading.about, reading.intake.options);
    // Only what the user names is a list.
    let form = if about.is_input {
        options.form
    } else {
        Form::Sitemap
    };
    let columns = &options.reading.columns;
    let (head, bytes) = peek(bytes, HEAD);
    let (format, bytes) = match rows::detect(form, about.path, columns, bytes) {
        Ok(detected) => detected,
        Err(error) => {
            let error = error.context(about.name.to_owned());
            return reading.end(&List::unopened(error).end(Fields::ALL, 0));
        }
    };
    let Some(format) = format else {
        return sitemap(builder, Box::new(bytes), &head, reading);
    };
    reading.begin(Content::List(format))?;
    let size = Cell::new(0);
    let bytes = BufReader::new(Counted(bytes, &size));
    let base = options.base.or(about.location);
    let (list, fields) = match Rows::new(format, columns, bytes, base) {
        Ok(mut rows) => {
            let unknown = match form {
                Form::List(_, true) => Unknown::Ignored,
                Form::List(_, false) => Unknown::Refused,
                Form::Sitemap | Form::Any => Unknown::Noted(options.messages),
            };
            (
                list(&mut rows, about.name, unknown, reading)?,
                rows.fields(),
            )
        }
        Err(error) => {
            let error = error.context(format!("{}:1", about.name));
            (List::unopened(error), Fields::ALL)
        }
    };
    reading.end(&list.end(fields, size.get()))
}

/// Reads a sitemap and passes its entries, issues and errors on.
fn sitemap(
    builder: &ReaderBuilder,
    bytes: Box<dyn Read>,
    head: &[u8],
    reading: &mut Reading<'_, '_>,
) -> anyhow::Result<()> {
    let mut reader = builder.build(bytes);
    let format = reader.format();
    reading.begin(Content::Sitemap(format))?;
    let outcome = entries(&mut reader, reading)?;
    let summary = reader.summary();
    reading.end(&End {
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
        is_gzipped: head.starts_with(&GZIP),
        sure: encoding(&unpacked(head)),
    })
}

/// The beginning of a document without the layers of gzip that the library undoes.
fn unpacked(head: &[u8]) -> Vec<u8> {
    let mut head = head.to_vec();
    for _ in 0..LAYERS {
        if head.starts_with(&GZIP) {
            let mut first = Vec::new();
            // The end is missing, which is an error after the bytes before it.
            let _ = GzDecoder::new(&*head)
                .take(HEAD as u64)
                .read_to_end(&mut first);
            head = first;
        }
    }
    head
}

/// The encoding that a mark or the pattern of the first bytes leaves no doubt of.
fn encoding(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => Some("UTF-8"),
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..] => Some("UTF-16"),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] | [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some("UTF-16"),
        _ => None,
    }
}

/// Passes the entries on.
fn entries(
    reader: &mut Reader<Box<dyn Read + '_>>,
    reading: &mut Reading<'_, '_>,
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
        let flow = reading.item(&mut Item {
            entry,
            issues: reader.issues(),
            origin: Origin::Entry(reader.raw()),
            not_read: None,
            is_nested: false,
            expected: None,
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
            sure: None,
        }
    }
}

/// Gives all rows on, without a begin and an end.
///
/// # Errors
///
/// Those of the sink.
fn list<R: BufRead>(
    rows: &mut Rows<R>,
    name: &str,
    mut unknown: Unknown<'_>,
    reading: &mut Reading<'_, '_>,
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
        let flow = reading.item(&mut Item {
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
            expected: row.expected,
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
