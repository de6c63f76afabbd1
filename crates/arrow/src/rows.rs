//! The rows of the batch that is being filled.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use quick_sitemap::{Entry, EntryKind, Issue};

use crate::columns::{Cells, Column};
use crate::options::Options;
use crate::row::Row;
use crate::source_name::SourceName;

/// The requested columns, filled row by row. Each row appends a value or a null to every column, so all columns have
/// the same length.
#[derive(Debug)]
pub(crate) struct Rows {
    schema: SchemaRef,
    order: Vec<Column>,
    cells: Cells,
    len: usize,
    batch_rows: usize,
    batch_bytes: usize,
    /// The approximate number of bytes of the rows.
    bytes: usize,
    /// The last row may still get issues and the number of skipped entries.
    is_open: bool,
    /// The name of the file that is read.
    name: Option<SourceName>,
    run: Run,
}

/// Rows of one file and one kind. Their source, their kind and their error are appended together when the run ends.
#[derive(Debug, Default)]
struct Run {
    /// `None` for the row of an error, and before the first run.
    kind: Option<EntryKind>,
    rows: usize,
    /// The approximate number of bytes per row in these three columns.
    bytes: usize,
}

impl Rows {
    pub(crate) fn new(options: &Options) -> Self {
        let (order, strings) = (options.columns.clone(), options.strings);
        let field = |column: &Column| {
            let name = match column {
                Column::Source => &*options.source_column,
                column => column.name(),
            };
            Field::new(name, column.data_type(strings), true)
        };
        let fields: Vec<Field> = order.iter().map(field).collect();
        Self {
            schema: Arc::new(Schema::new(fields)),
            cells: Cells::new(&order, strings),
            order,
            len: 0,
            batch_rows: options.batch_rows,
            batch_bytes: options.batch_bytes,
            bytes: 0,
            is_open: false,
            name: None,
            run: Run::default(),
        }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the batch has reached the number of rows or of bytes that is set.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= self.batch_rows || self.bytes >= self.batch_bytes
    }

    /// `true` if the last row is complete.
    pub(crate) fn is_closed(&self) -> bool {
        !self.is_open
    }

    pub(crate) fn has(&self, column: Column) -> bool {
        self.order.contains(&column)
    }

    /// Returns `true` if a column of extensions is requested.
    pub(crate) fn has_extensions(&self) -> bool {
        Cells::has_extensions(&self.order)
    }

    /// Begins a file of this name.
    pub(crate) fn begin_file(&mut self, name: Option<SourceName>) {
        self.end_run();
        self.is_open = false;
        self.name = name;
    }

    pub(crate) fn name(&self) -> Option<&SourceName> {
        self.name.as_ref()
    }

    /// Appends a row, whose source is the name of the file.
    #[inline(always)]
    pub(crate) fn add(&mut self, row: &Row<'_>) {
        if self.run.kind != row.kind || row.kind.is_none() {
            self.begin_run(row);
        }
        self.run.rows += 1;
        self.len += 1;
        self.is_open = true;
        self.bytes += self.run.bytes + self.cells.append(row);
    }

    /// Appends the row of a typed entry. `priority` is the text in the document, if it is known.
    pub(crate) fn add_entry(&mut self, entry: &Entry, priority: Option<&str>) {
        let lastmod = entry.lastmod().filter(|_| self.has(Column::LastmodText));
        let lastmod = lastmod.map(|date| date.to_string());
        self.add(&Row::of_entry(entry, priority, lastmod.as_deref()));
    }

    /// Begins rows that have the values of this row in common.
    #[cold]
    fn begin_run(&mut self, row: &Row<'_>) {
        self.end_run();
        let row = Row {
            source: self.name.as_ref().map(SourceName::as_str),
            ..*row
        };
        self.run = Run {
            kind: row.kind,
            rows: 0,
            bytes: self.cells.begin_run(&row),
        };
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.cells.end_run(run.rows);
    }

    /// Adds to the issues of the last row.
    pub(crate) fn add_issues(&mut self, found: &[Issue]) {
        if let Some(issues) = self.cells.issues.as_mut().filter(|_| self.is_open) {
            let bytes: usize = found.iter().map(|issue| issues.push(issue)).sum();
            self.bytes += bytes;
        }
    }

    /// Completes the last row, which is the last of its file. `skipped` is the number of skipped entries of the file.
    pub(crate) fn end_file(&mut self, skipped: u64) {
        self.end_run();
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        if let Some(column) = &mut self.cells.skipped {
            column.set(i64::try_from(skipped).unwrap_or(i64::MAX));
        }
    }

    /// Returns the rows so far. The next ones begin another batch.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.end_run();
        self.is_open = false;
        let Self { order, cells, .. } = self;
        let arrays = order.iter().filter_map(|column| cells.finish(*column));
        let arrays: Result<Vec<ArrayRef>, ArrowError> = arrays.collect();
        self.bytes = 0;
        // A batch without columns needs the number of its rows.
        let len = std::mem::take(&mut self.len);
        let options = RecordBatchOptions::new().with_row_count(Some(len));
        RecordBatch::try_new_with_options(self.schema.clone(), arrays?, &options)
    }
}
