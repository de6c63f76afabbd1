//! [`Batches`]: the record batches of one file.

use std::io::{self, Read};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use quick_sitemap::Summary;

use crate::decoder::BatchDecoder;
use crate::error::Error;

/// The record batches of one file: an iterator, and a `RecordBatchReader`. Returned by
/// [`BatchesBuilder::build`](crate::BatchesBuilder::build) or, with the defaults, by [`from_reader`](Self::from_reader).
///
/// If the input returns `WouldBlock` or `TimedOut`, the iterator returns that as an `Err`, and the next call reads again.
/// Every other failure of the input ends the file, as set by [`Fatal`](crate::Fatal).
///
/// # Examples
///
/// ```
/// use arrow_array::cast::AsArray;
/// use quick_sitemap_arrow::Batches;
///
/// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
///   <url><loc>https://example.com/a</loc><lastmod>2024-05</lastmod></url>";
/// let batch = Batches::from_reader(text.as_bytes()).next().unwrap()?;
/// let column = |name| batch.column_by_name(name).unwrap();
/// assert_eq!(column("loc").as_string::<i32>().value(0), "https://example.com/a");
/// assert_eq!(column("error").as_string::<i32>().value(1), "2:72: the document is truncated");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug)]
pub struct Batches<R> {
    input: R,
    decoder: BatchDecoder,
    buffer: Vec<u8>,
    /// An error from the start.
    refused: Option<Error>,
}

/// Size of one read from the input, in bytes.
const BUFFER: usize = 64 << 10;

impl<R: Read> Batches<R> {
    /// Creates the record batches of one file with the default options. See [`BatchesBuilder`](crate::BatchesBuilder) for
    /// other options. Nothing is read yet.
    pub fn from_reader(input: R) -> Self {
        let mut decoder = BatchDecoder::new();
        let begun = decoder.begin(None);
        Self::new(input, decoder, begun.err())
    }

    pub(crate) fn new(input: R, decoder: BatchDecoder, refused: Option<Error>) -> Self {
        Self {
            input,
            decoder,
            buffer: Vec::new(),
            refused,
        }
    }

    /// Returns how many entries were returned and lost so far, and whether all were returned.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.decoder.summary()
    }

    /// Returns the next full batch, the last one at the end of the input, or `None`.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if let Some(error) = self.refused.take() {
            return Err(error.into());
        }
        loop {
            if let Some(batch) = self.decoder.next_batch()? {
                return Ok(Some(batch));
            }
            if self.decoder.is_between_files() {
                return Ok(self.decoder.flush()?);
            }
            self.read_more()?;
        }
    }

    /// Reads once. After an error, the input can be read again.
    fn read_more(&mut self) -> Result<(), ArrowError> {
        use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        self.buffer.resize(BUFFER, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(0) => self.decoder.finish(),
                Ok(n) => {
                    // A `Read` that claims more than there was room for has no more than that.
                    let read = self.buffer.get(..n).unwrap_or(&self.buffer);
                    self.decoder.push(read);
                }
                Err(error) if error.kind() == Interrupted => continue,
                Err(error) if matches!(error.kind(), WouldBlock | TimedOut) => {
                    return Err(error.into());
                }
                Err(error) => self.decoder.fail(error),
            }
            return Ok(());
        }
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

impl<R: Read> std::iter::FusedIterator for Batches<R> {}

impl<R: Read> RecordBatchReader for Batches<R> {
    fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }
}
