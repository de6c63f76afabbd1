//! [`EntryBatches`]: record batches of entries that were read elsewhere.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use quick_sitemap::{Entry, Issue};

use crate::error::Error;
use crate::options::Options;
use crate::row::Row;
use crate::rows::Rows;
use crate::source_name::SourceName;

/// Record batches of entries that another reader has read, such as the receivers of a crawl.
/// Returned by [`BatchesBuilder::entries`](crate::BatchesBuilder::entries).
///
/// The rows of several documents can be mixed. [`Column::Skipped`](crate::Column::Skipped) is always null. The number in
/// [`Column::Priority`](crate::Column::Priority) is the shortest decimal that represents the priority, because the text of
/// the document is not known.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Reader;
/// use quick_sitemap_arrow::arrow_array::cast::AsArray;
/// use quick_sitemap_arrow::{BatchesBuilder, Column};
///
/// let mut rows = BatchesBuilder::new().columns([Column::Source, Column::Loc, Column::Error]).entries();
/// rows.begin("a.txt");
/// for entry in Reader::from_bytes("https://example.com/a\nhttps://example.com/b\n") {
///     rows.add(&entry?, &[]);
/// }
/// rows.begin("b.txt");
/// rows.add_error("status", "status 404");
/// let batch = rows.take()?.unwrap();
/// let texts = |column: usize| batch.column(column).as_string::<i32>();
/// assert_eq!((texts(0).value(1), texts(1).value(1)), ("a.txt", "https://example.com/b"));
/// assert_eq!((texts(0).value(2), texts(2).value(2)), ("b.txt", "status 404"));
/// assert!(rows.take()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EntryBatches(Rows);

impl EntryBatches {
    pub(crate) fn new(options: &Options) -> Self {
        Self(Rows::new(options))
    }

    /// Returns the schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.0.schema().clone()
    }

    /// Sets the document of the next rows, whose name appears in [`Column::Source`](crate::Column::Source).
    pub fn begin(&mut self, name: &str) {
        self.0.begin_file(Some(SourceName::new(name)));
    }

    /// Adds the row of an entry, with its issues.
    pub fn add(&mut self, entry: &Entry, issues: &[Issue]) {
        self.0.add_entry(entry, None);
        self.0.add_issues(issues);
    }

    /// Adds the row of an error. `kind` appears in [`Column::Kind`](crate::Column::Kind), `text` in
    /// [`Column::Error`](crate::Column::Error).
    pub fn add_error(&mut self, kind: &str, text: &str) {
        self.0.add(&Row::of_error(kind, text));
    }

    /// Returns `true` if a batch has the number of rows or bytes that is set. [Take](Self::take) it then.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Returns the rows that were added since the last call, or `None` if there are none.
    ///
    /// # Errors
    ///
    /// Only [`Error::Arrow`], which would be a bug in this crate.
    pub fn take(&mut self) -> Result<Option<RecordBatch>, Error> {
        if self.0.len() == 0 {
            return Ok(None);
        }
        Ok(Some(self.0.take()?))
    }
}
