//! The options of record batches.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quick_sitemap::ReaderBuilder;

use crate::batches::Batches;
use crate::cells::Strings;
use crate::columns::Column;
use crate::decoder::BatchDecoder;
use crate::entry_batches::EntryBatches;
use crate::error::Error;
use crate::options::{Fatal, Options};
use crate::source_name::SourceName;

/// The options of record batches: the columns, the size of a batch, and how errors are returned.
///
/// # Examples
///
/// ```
/// use quick_sitemap_arrow::{BatchesBuilder, Column};
///
/// let text = "https://example.com/a\nhttps://example.com/b\nhttps://example.com/c\n";
/// let batches = BatchesBuilder::new().columns([Column::Host, Column::Loc]).batch_rows(2).build(text.as_bytes());
/// let rows = batches.map(|batch| Ok(batch?.num_rows())).collect::<Result<Vec<_>, arrow_schema::ArrowError>>()?;
/// assert_eq!(rows, [2, 1]);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "`build` or `decoder` uses the options"]
pub struct BatchesBuilder {
    options: Options,
    source: Option<Box<str>>,
}

/// Upper limit for the bytes of a batch: with one more row, the offsets of all texts still fit into an `i32`.
const MOST_BYTES: usize = 1 << 30;

impl BatchesBuilder {
    /// Creates the default options: [`Column::DEFAULT`], 8,192 rows or 16 MiB per batch, errors as rows, a lenient reader.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the columns, in this order. A column that is named twice appears once. If there are no columns, batches still
    /// have rows, which is enough for `count(*)`.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> Self {
        self.options.columns.clear();
        for column in columns {
            if !self.options.columns.contains(&column) {
                self.options.columns.push(column);
            }
        }
        self
    }

    /// Sets the name that [`Column::Source`] has in the schema, such as `sitemap` for the pages of a site. The default is
    /// `source`.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_arrow::{BatchesBuilder, Column};
    ///
    /// let columns = [Column::Source, Column::Loc];
    /// let rows = BatchesBuilder::new().columns(columns).source_column("sitemap").entries();
    /// assert_eq!(rows.schema().field(0).name(), "sitemap");
    /// ```
    pub fn source_column(mut self, name: impl Into<String>) -> Self {
        self.options.source_column = name.into().into_boxed_str();
        self
    }

    /// Sets the number of rows per batch, at least 1. The default is 8,192. The last batch can have fewer rows, and so can
    /// a batch that has reached [`batch_bytes`](Self::batch_bytes).
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.options.batch_rows = rows.max(1);
        self
    }

    /// Sets the number of bytes per batch: a batch of about this size gets no more rows. The default is 16 MiB, the
    /// maximum 1 GiB. A batch can exceed this by one row. The reader limits the size of a row, by default to 16 MiB.
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.options.batch_bytes = bytes.clamp(1, MOST_BYTES);
        self
    }

    /// Sets how errors are returned. The default is [`Fatal::Row`].
    pub fn fatal(mut self, fatal: Fatal) -> Self {
        self.options.fatal = fatal;
        self
    }

    /// Sets whether text is returned as views (`Utf8View`), which DataFusion and Polars prefer. The default is `Utf8`, which
    /// all engines accept.
    pub fn string_views(mut self, views: bool) -> Self {
        self.options.strings = if views { Strings::Views } else { Strings::Utf8 };
        self
    }

    /// Sets the options of the reader: policy, limits, location or callback.
    ///
    /// A violation that the policy denies is an error like any other, a row or an `Err`, but reading continues after it.
    /// With a policy, a location or a callback, every entry is interpreted, because these also apply to values that are
    /// not in the columns. Reading then takes twice as long.
    pub fn reader(mut self, reader: ReaderBuilder) -> Self {
        self.options.reader = Some(reader);
        self
    }

    /// Sets the name of the file that [`build`](Self::build) reads, for [`Column::Source`]. By default, that column is null.
    pub fn source(mut self, name: impl Into<String>) -> Self {
        self.source = Some(name.into().into_boxed_str());
        self
    }

    /// Creates the record batches of one file. Nothing is read yet.
    ///
    /// If its name is [too long](Error::NameTooLong), that error is the first item.
    pub fn build<R: Read>(&self, input: R) -> Batches<R> {
        self.named(self.source.as_deref(), input)
    }

    /// Opens a file and reads record batches from it. Its name is the path, unless another was set.
    ///
    /// # Errors
    ///
    /// [`Error::Sitemap`] if the file cannot be opened, even with [`Fatal::Row`].
    pub fn from_path(&self, path: impl AsRef<Path>) -> Result<Batches<File>, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let input = File::open(path).map_err(|error| Error::Sitemap {
            source_name: Some(SourceName::new(&name)),
            error: error.into(),
        })?;
        let name = self.source.as_deref().unwrap_or(&name);
        Ok(self.named(Some(name), input))
    }

    fn named<R: Read>(&self, name: Option<&str>, input: R) -> Batches<R> {
        let mut decoder = self.decoder();
        let begun = decoder.begin(name);
        Batches::new(input, decoder, begun.err())
    }

    /// Creates a decoder, into which you push the bytes of one file after the other.
    #[must_use]
    pub fn decoder(&self) -> BatchDecoder {
        BatchDecoder::with(self.options.clone())
    }

    /// Creates record batches of entries that another reader has read. They have the [columns](Self::columns), the
    /// size and the layout that are set here.
    #[must_use]
    pub fn entries(&self) -> EntryBatches {
        EntryBatches::new(&self.options)
    }
}
