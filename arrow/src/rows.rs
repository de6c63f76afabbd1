//! The rows of the batch that is being filled.

mod raw;
mod typed;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use quick_sitemap::{Alternate, EntryKind, Image, Issue, News, Video};

use crate::cells::{Cell, List, Number, OFFSET, OpenList, Runs, Strings, Text, Timestamp};
use crate::columns::Column;
use crate::extensions::{AlternateRecord, ImageRecord, NewsRecord, VideoRecord};
use crate::issues::IssueRecord;

pub(crate) use self::raw::Plain;

/// The columns that are asked for, filled row by row. In each row every one of them takes a value or a null, so that they
/// stay of one length.
#[derive(Debug)]
pub(crate) struct Rows {
    schema: SchemaRef,
    order: Vec<Column>,
    len: usize,
    /// About what the rows take.
    bytes: usize,
    /// The list of issues of the last row may still grow.
    is_open: bool,
    /// The name of the file that is read.
    name: Option<Box<str>>,
    /// What the last rows are of; none of these rows is an error.
    run: Run,
    source: Option<Runs>,
    kind: Option<Runs>,
    loc: Option<Text>,
    lastmod: Option<Timestamp>,
    changefreq: Option<Text>,
    priority: Option<Number>,
    error: Option<Runs>,
    host: Option<Text>,
    lastmod_text: Option<Text>,
    alternates: Option<List<AlternateRecord, Alternate>>,
    images: Option<List<ImageRecord, Image>>,
    videos: Option<List<VideoRecord, Video>>,
    news: Option<List<NewsRecord, News>>,
    issues: Option<OpenList<IssueRecord>>,
}

impl Rows {
    pub(crate) fn new(order: Vec<Column>, strings: Strings) -> Self {
        fn cell<C: Cell>(order: &[Column], column: Column, strings: Strings) -> Option<C> {
            order.contains(&column).then(|| C::new(strings))
        }
        let has_issues = order.contains(&Column::Issues);
        Self {
            schema: schema(&order, strings),
            len: 0,
            bytes: 0,
            is_open: false,
            name: None,
            run: Run::default(),
            source: cell(&order, Column::Source, strings),
            kind: cell(&order, Column::Kind, strings),
            loc: cell(&order, Column::Loc, strings),
            lastmod: cell(&order, Column::Lastmod, strings),
            changefreq: cell(&order, Column::Changefreq, strings),
            priority: cell(&order, Column::Priority, strings),
            error: cell(&order, Column::Error, strings),
            host: cell(&order, Column::Host, strings),
            lastmod_text: cell(&order, Column::LastmodText, strings),
            alternates: cell(&order, Column::Alternates, strings),
            images: cell(&order, Column::Images, strings),
            videos: cell(&order, Column::Videos, strings),
            news: cell(&order, Column::News, strings),
            issues: has_issues.then(|| OpenList::new(strings)),
            order,
        }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether the last row is complete.
    pub(crate) fn is_closed(&self) -> bool {
        !self.is_open
    }

    /// Whether anything of extensions is asked for.
    pub(crate) fn has_extensions(&self) -> bool {
        self.alternates.is_some()
            || self.images.is_some()
            || self.videos.is_some()
            || self.news.is_some()
    }

    pub(crate) fn has_issues(&self) -> bool {
        self.issues.is_some()
    }

    /// Rows from now on are of this file.
    pub(crate) fn set_name(&mut self, name: Option<&str>) {
        self.end_run();
        self.name = name.map(Into::into);
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// A row that says what went wrong.
    pub(crate) fn add_error(&mut self, error: &str) {
        self.end_run();
        self.add_row();
        let mut bytes = put(&mut self.source, self.name.as_deref());
        bytes += put(&mut self.kind, None);
        bytes += put(&mut self.loc, None);
        bytes += put(&mut self.lastmod, None);
        bytes += put(&mut self.changefreq, None);
        bytes += put(&mut self.priority, None);
        bytes += put(&mut self.error, Some(error));
        bytes += put(&mut self.host, None);
        bytes += put(&mut self.lastmod_text, None);
        bytes += put(&mut self.alternates, None);
        bytes += put(&mut self.images, None);
        bytes += put(&mut self.videos, None);
        bytes += put(&mut self.news, None);
        self.bytes += bytes;
    }

    #[inline]
    fn add_row(&mut self) {
        self.close();
        self.is_open = self.issues.is_some();
        self.len += 1;
    }

    /// A row that is no error. Its source, its kind and that there is no error stay the same over many rows, so they are
    /// appended together when the run ends.
    #[inline]
    fn begin_entry(&mut self, kind: EntryKind) {
        self.add_row();
        if self.run.kind != Some(kind) {
            self.begin_run(kind);
        }
        self.run.rows += 1;
        self.bytes += self.run.bytes;
    }

    #[cold]
    fn begin_run(&mut self, kind: EntryKind) {
        self.end_run();
        let text = |is_there, text: usize| if is_there { OFFSET + text } else { 0 };
        let name = self.name.as_deref().map_or(0, str::len);
        self.run = Run {
            kind: Some(kind),
            rows: 0,
            bytes: text(self.source.is_some(), name)
                + text(self.kind.is_some(), kind_name(kind).len())
                + text(self.error.is_some(), 0),
        };
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let fill = |cell: &mut Option<Runs>, value| {
            if let Some(cell) = cell {
                cell.append_many(value, run.rows);
            }
        };
        fill(&mut self.source, self.name.as_deref());
        fill(&mut self.kind, run.kind.map(kind_name));
        fill(&mut self.error, None);
    }

    /// Adds to the issues of the last row.
    pub(crate) fn add_issues(&mut self, found: &[Issue]) {
        let Some(issues) = self.issues.as_mut().filter(|_| self.is_open) else {
            return;
        };
        let bytes: usize = found.iter().map(|issue| issues.push(issue)).sum();
        self.bytes += bytes;
    }

    /// Completes the last row.
    #[inline]
    pub(crate) fn close(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        if let Some(issues) = &mut self.issues {
            issues.close(true);
        }
    }

    /// The rows so far; the next begin another batch.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.close();
        self.end_run();
        let order = std::mem::take(&mut self.order);
        let arrays = order.iter().filter_map(|column| self.finish(*column));
        let arrays: Result<Vec<ArrayRef>, ArrowError> = arrays.collect();
        self.order = order;
        self.bytes = 0;
        // Of no columns at all there are so many rows all the same.
        let len = std::mem::take(&mut self.len);
        let options = RecordBatchOptions::new().with_row_count(Some(len));
        RecordBatch::try_new_with_options(self.schema.clone(), arrays?, &options)
    }

    fn finish(&mut self, column: Column) -> Option<Result<ArrayRef, ArrowError>> {
        match column {
            Column::Source => finish(&mut self.source),
            Column::Kind => finish(&mut self.kind),
            Column::Loc => finish(&mut self.loc),
            Column::Lastmod => finish(&mut self.lastmod),
            Column::Changefreq => finish(&mut self.changefreq),
            Column::Priority => finish(&mut self.priority),
            Column::Error => finish(&mut self.error),
            Column::Host => finish(&mut self.host),
            Column::LastmodText => finish(&mut self.lastmod_text),
            Column::Alternates => finish(&mut self.alternates),
            Column::Images => finish(&mut self.images),
            Column::Videos => finish(&mut self.videos),
            Column::News => finish(&mut self.news),
            Column::Issues => self.issues.as_mut().map(OpenList::finish),
        }
    }
}

/// Rows of one file and one kind.
#[derive(Debug, Default)]
struct Run {
    kind: Option<EntryKind>,
    rows: usize,
    /// Of a row, in the columns that are filled when the run ends.
    bytes: usize,
}

/// Appends to a column, if it is asked for.
#[inline]
fn put<C: Cell>(cell: &mut Option<C>, value: C::Value<'_>) -> usize {
    cell.as_mut().map_or(0, |cell| cell.append(value))
}

fn finish<C: Cell>(cell: &mut Option<C>) -> Option<Result<ArrayRef, ArrowError>> {
    cell.as_mut().map(Cell::finish)
}

const fn kind_name(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Url => "url",
        EntryKind::Sitemap => "sitemap",
    }
}

/// The schema of these columns.
pub(crate) fn schema(order: &[Column], strings: Strings) -> SchemaRef {
    let text = || Text::data_type(strings);
    let fields = order.iter().map(|column| {
        let data_type = match column {
            Column::Source
            | Column::Kind
            | Column::Loc
            | Column::Changefreq
            | Column::Error
            | Column::Host
            | Column::LastmodText => text(),
            Column::Lastmod => Timestamp::data_type(strings),
            Column::Priority => Number::data_type(strings),
            Column::Alternates => list::<AlternateRecord>(strings),
            Column::Images => list::<ImageRecord>(strings),
            Column::Videos => list::<VideoRecord>(strings),
            Column::News => list::<NewsRecord>(strings),
            Column::Issues => list::<IssueRecord>(strings),
        };
        Field::new(column.name(), data_type, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn list<C: Cell>(strings: Strings) -> DataType {
    OpenList::<C>::data_type(strings)
}
