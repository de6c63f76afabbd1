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

/// So that no offset into the texts of a batch is more than an `i32` holds: this, and one more row.
const MOST_BYTES: usize = 1 << 30;

impl BatchesBuilder {
    /// The defaults: [`Column::DEFAULT`], 8,192 rows or 16 MiB per batch, errors as rows, a lenient reader.
    pub fn new() -> Self {
        Self::default()
    }

    /// Which columns, in this order. A column that is named twice is there once. Without any, batches have rows and no
    /// columns, which is enough for `count(*)`.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> Self {
        self.options.columns.clear();
        for column in columns {
            if !self.options.columns.contains(&column) {
                self.options.columns.push(column);
            }
        }
        self
    }

    /// The rows of a batch, at least 1; the default is 8,192. The last batch may have fewer, and so may one that has
    /// reached [`batch_bytes`](Self::batch_bytes).
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.options.batch_rows = rows.max(1);
        self
    }

    /// A batch that takes about this many bytes gets no more rows. The default is 16 MiB, the most 1 GiB. A batch exceeds
    /// it by at most one row, whose size the reader bounds: 12 MiB with the reader's own defaults.
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.options.batch_bytes = bytes.clamp(1, MOST_BYTES);
        self
    }

    /// How errors are returned. The default is [`Fatal::Row`].
    pub fn fatal(mut self, fatal: Fatal) -> Self {
        self.options.fatal = fatal;
        self
    }

    /// Lays text out as views (`Utf8View`), which DataFusion and Polars prefer. The default is `Utf8`, which all engines
    /// accept.
    pub fn string_views(mut self, views: bool) -> Self {
        self.options.strings = if views { Strings::Views } else { Strings::Utf8 };
        self
    }

    /// Reads with a custom policy, bounds, location or callback.
    ///
    /// A violation that the policy denies is an error like any other, a row or an `Err`, but the file is read on after
    /// it. Every entry is interpreted then, which takes twice as long, because a policy, a location and a callback also
    /// need what the columns do not show.
    pub fn reader(mut self, reader: ReaderBuilder) -> Self {
        self.options.reader = Some(reader);
        self
    }

    /// The name of the file that [`build`](Self::build) reads, for [`Column::Source`]. By default it is null.
    pub fn source(mut self, name: impl Into<String>) -> Self {
        self.source = Some(name.into().into_boxed_str());
        self
    }

    /// The record batches of one file.
    ///
    /// If its name is [too long](Error::NameTooLong), that error is the first item.
    pub fn build<R: Read>(self, input: R) -> Batches<R> {
        let name = self.source.clone();
        let mut decoder = self.decoder();
        let begun = decoder.begin(name.as_deref());
        Batches::new(input, decoder, begun.err())
    }

    /// Opens a file and reads record batches from it. Its name is the path, unless another was set.
    ///
    /// # Errors
    ///
    /// [`Error::Sitemap`] if the file can't be opened, even with [`Fatal::Row`].
    pub fn from_path(mut self, path: impl AsRef<Path>) -> Result<Batches<File>, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let input = File::open(path).map_err(|error| Error::Sitemap {
            source_name: Some(SourceName::new(&name)),
            error: error.into(),
        })?;
        self.source.get_or_insert(name.into());
        Ok(self.build(input))
    }

    /// A decoder, into which you push the bytes of one file after the other.
    #[must_use]
    pub fn decoder(self) -> BatchDecoder {
        BatchDecoder::with(self.options)
    }
}
