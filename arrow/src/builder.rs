//! The options of record batches.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quick_sitemap::ReaderBuilder;

use crate::batches::Batches;
use crate::cells::Strings;
use crate::columns::Column;
use crate::decoder::BatchDecoder;
use crate::error::Error;

/// What becomes of an error that ends the reading of a file.
///
/// There are no more than these two, so the enum may be matched without a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fatal {
    /// A row with [`Column::Error`], after the rows that could be read. This is the default, since one HTML page among a
    /// million files must not end a job. Who leaves the column out gets rows of nulls.
    #[default]
    Row,
    /// An `Err`, after the rows that could be read.
    Raise,
}

/// What the record batches are to be.
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
#[derive(Debug, Clone)]
#[must_use = "it is `build` or `decoder` that makes something of the options"]
pub struct BatchesBuilder {
    pub(crate) columns: Vec<Column>,
    pub(crate) strings: Strings,
    pub(crate) batch_rows: usize,
    pub(crate) batch_bytes: usize,
    pub(crate) fatal: Fatal,
    pub(crate) reader: Option<ReaderBuilder>,
    source: Option<Box<str>>,
}

/// So that no offset into the texts of a batch is more than an `i32` holds: this, and one more row.
const MOST_BYTES: usize = 1 << 30;

impl Default for BatchesBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl BatchesBuilder {
    /// The defaults: [`Column::DEFAULT`], 8,192 rows or 16 MiB a batch, errors as rows, a lenient reader.
    pub fn new() -> Self {
        Self {
            columns: Column::DEFAULT.to_vec(),
            strings: Strings::default(),
            batch_rows: 8192,
            batch_bytes: 16 << 20,
            fatal: Fatal::Row,
            reader: None,
            source: None,
        }
    }

    /// Which columns, in this order; what is named twice is there once. None at all is allowed: then batches have rows
    /// and no columns, which is what `count(*)` asks for.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> Self {
        self.columns.clear();
        for column in columns {
            if !self.columns.contains(&column) {
                self.columns.push(column);
            }
        }
        self
    }

    /// The rows of a batch, from 1 on; the default is 8,192. Only the last has fewer, and one that has reached
    /// [`batch_bytes`](Self::batch_bytes).
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows.max(1);
        self
    }

    /// A batch that takes so many bytes, about, gets no more rows; the default is 16 MiB, the most 1 GiB. It is beyond
    /// that by no more than one row, which the reader bounds: with the reader's own defaults, 12 MiB.
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes.clamp(1, MOST_BYTES);
        self
    }

    /// What becomes of errors; the default is [`Fatal::Row`].
    pub fn fatal(mut self, fatal: Fatal) -> Self {
        self.fatal = fatal;
        self
    }

    /// Lays text out as views (`Utf8View`), which DataFusion and Polars prefer; by default it is `Utf8`, which all
    /// engines take.
    pub fn string_views(mut self, views: bool) -> Self {
        self.strings = if views { Strings::Views } else { Strings::Utf8 };
        self
    }

    /// Reads with a policy, bounds, a location or a callback of one's own.
    ///
    /// A violation that the policy denies is an error like any other, a row or an `Err`, but the file goes on behind it.
    /// Since a policy, a location and a callback have to be told of what the columns do not show, every entry is
    /// interpreted then, which takes twice as long. With [`on_issue`](ReaderBuilder::on_issue) the issues go there, and
    /// [`Column::Issues`] stays empty.
    pub fn reader(mut self, reader: ReaderBuilder) -> Self {
        self.reader = Some(reader);
        self
    }

    /// The name of the file that [`build`](Self::build) reads, for [`Column::Source`]; null by default.
    pub fn source(mut self, name: impl Into<String>) -> Self {
        self.source = Some(name.into().into_boxed_str());
        self
    }

    /// Record batches of one file.
    ///
    /// A name that is [too long](Error::NameTooLong) is the first item.
    pub fn build<R: Read>(self, input: R) -> Batches<R> {
        let name = self.source.clone();
        let mut decoder = self.decoder();
        let begun = decoder.begin(name.as_deref());
        Batches::new(input, decoder, begun.err())
    }

    /// Opens a file and reads record batches of it. Its name is the path, unless another was given.
    ///
    /// # Errors
    ///
    /// [`Error::Sitemap`] if the file can't be opened, whatever [`Fatal`] says.
    pub fn from_path(mut self, path: impl AsRef<Path>) -> Result<Batches<File>, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let input = File::open(path).map_err(|error| Error::Sitemap {
            source_name: Some(name.as_str().into()),
            error: error.into(),
        })?;
        self.source.get_or_insert(name.into());
        Ok(self.build(input))
    }

    /// A decoder, which is pushed the bytes of one file after the other.
    #[must_use]
    pub fn decoder(self) -> BatchDecoder {
        BatchDecoder::with(self)
    }
}
