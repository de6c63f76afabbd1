//! [`BatchDecoder`]: the record batches of many files.

use std::io;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use quick_sitemap::{Decoder, Entry, Format, Step, Summary};

use crate::builder::{BatchesBuilder, Fatal};
use crate::error::Error;
use crate::rows::{Plain, Rows};

/// Record batches of many files, without I/O: names and bytes are pushed in, batches taken out.
///
/// For each file: [`begin`](Self::begin), [`push`](Self::push) as often as there are bytes, [`finish`](Self::finish).
/// After each of the last two take the batches out, until [`next_batch`](Self::next_batch) gives none: pushed bytes are
/// stored until then, and unpacked a window at a time. A batch holds rows of as many files as fit into it, so what is
/// left after the last file is to be had from [`flush`](Self::flush). Neither rows nor their order depend on how the
/// bytes are cut.
///
/// Its buffers are kept from one file to the next.
///
/// # Examples
///
/// ```
/// use quick_sitemap_arrow::BatchDecoder;
///
/// let files = [
///     ("a.txt", &b"https://example.com/a\nhttps://example.com/b\n"[..]),
///     ("b.xml", b"<html><body>404</body></html>"),
///     ("c.txt", b"https://example.com/c\n"),
/// ];
/// let mut decoder = BatchDecoder::new();
/// for (name, bytes) in files {
///     decoder.begin(name)?;
///     for chunk in bytes.chunks(16) {
///         decoder.push(chunk);
///         assert!(decoder.next_batch()?.is_none()); // not full yet
///     }
///     decoder.finish();
///     assert!(decoder.next_batch()?.is_none());
/// }
/// let batch = decoder.flush()?.unwrap();
/// assert_eq!(batch.num_rows(), 4); // three pages and an error
/// # Ok::<(), quick_sitemap_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct BatchDecoder {
    decoder: Decoder,
    rows: Rows,
    batch_rows: usize,
    batch_bytes: usize,
    fatal: Fatal,
    /// The reader has no policy, location or callback that would have to be told what the columns do not show.
    is_lenient: bool,
    state: State,
    /// Full, and next to be given.
    ready: Option<RecordBatch>,
    /// To be raised once the rows before it have been given.
    raised: Option<Error>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    BetweenFiles,
    Reading,
}

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 64 << 10;

impl Default for BatchDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl BatchDecoder {
    /// A decoder with the defaults of [`BatchesBuilder`].
    #[must_use]
    pub fn new() -> Self {
        BatchesBuilder::new().decoder()
    }

    pub(crate) fn with(options: BatchesBuilder) -> Self {
        let is_lenient = options.reader.is_none();
        Self {
            decoder: options.reader.unwrap_or_default().decoder(),
            rows: Rows::new(options.columns, options.strings),
            batch_rows: options.batch_rows,
            batch_bytes: options.batch_bytes,
            fatal: options.fatal,
            is_lenient,
            state: State::BetweenFiles,
            ready: None,
            raised: None,
        }
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.rows.schema().clone()
    }

    /// Begins with the next file, whose name is for [`Column::Source`](crate::Column::Source).
    ///
    /// # Errors
    ///
    /// [`Error::Unfinished`] if the file before has not been read to its end; [`Error::NameTooLong`].
    pub fn begin<'a>(&mut self, name: impl Into<Option<&'a str>>) -> Result<(), Error> {
        if self.state == State::Reading || self.raised.is_some() {
            return Err(Error::Unfinished);
        }
        let name = name.into();
        let bytes = name.map_or(0, str::len);
        if bytes > LONGEST_NAME {
            return Err(Error::NameTooLong(bytes));
        }
        self.decoder.reset();
        self.rows.set_name(name);
        self.state = State::Reading;
        Ok(())
    }

    /// Takes bytes of the file, as they come: any number, cut anywhere. Between files they are ignored, as they are after
    /// an error that ended the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.state == State::Reading {
            self.decoder.push(bytes);
        }
    }

    /// Says that these were all the bytes of the file.
    pub fn finish(&mut self) {
        if self.state == State::Reading {
            self.decoder.finish();
        }
    }

    /// Says that no more bytes of the file will come because the transport failed. What is complete is still given, then
    /// the error, as [`Fatal`] says.
    ///
    /// # Examples
    ///
    /// ```
    /// use arrow_array::cast::AsArray;
    /// use quick_sitemap_arrow::{BatchesBuilder, Column};
    ///
    /// let mut decoder = BatchesBuilder::new().columns([Column::Error]).decoder();
    /// decoder.begin("a.xml")?;
    /// decoder.fail(std::io::Error::new(std::io::ErrorKind::NotFound, "no such object"));
    /// assert!(decoder.next_batch()?.is_none() && decoder.is_between_files());
    /// let batch = decoder.flush()?.unwrap();
    /// assert_eq!(batch.column(0).as_string::<i32>().value(0), "I/O error: no such object");
    /// # Ok::<(), quick_sitemap_arrow::Error>(())
    /// ```
    pub fn fail(&mut self, error: io::Error) {
        if self.state == State::Reading {
            self.decoder.fail(error);
        }
    }

    /// Whether the file has been read to its end, or none has begun.
    #[must_use]
    pub fn is_between_files(&self) -> bool {
        self.state == State::BetweenFiles && self.raised.is_none()
    }

    /// What has come out of the file so far, and whether that is all. Between files it is that of the last one.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.decoder.summary()
    }

    /// The next batch that is full. `None`: push more, or begin with the next file if this one
    /// [has ended](Self::is_between_files).
    ///
    /// # Errors
    ///
    /// [`Error::Sitemap`], if [`Fatal::Raise`] is set, after the rows before it; the next call goes on.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        loop {
            if let Some(batch) = self.ready.take() {
                return Ok(Some(batch));
            }
            if self.raised.is_some() {
                if let Some(rows) = self.flush()? {
                    return Ok(Some(rows));
                }
                if let Some(error) = self.raised.take() {
                    return Err(error);
                }
            }
            if self.is_full() && self.rows.is_closed() {
                return self.flush();
            }
            if self.state == State::BetweenFiles {
                return Ok(None);
            }
            let goes_on = if self.rows.has_issues() || !self.is_lenient {
                self.read_interpreted()?
            } else {
                self.read_plain()?
            };
            if !goes_on {
                return Ok(None);
            }
        }
    }

    /// The rows that do not fill a batch; `None` if there are none. It may be called at any time, and is to be called
    /// after the last file.
    ///
    /// # Errors
    ///
    /// [`Error::Arrow`] only, which would be a fault of this crate.
    pub fn flush(&mut self) -> Result<Option<RecordBatch>, Error> {
        if self.rows.len() == 0 {
            return Ok(None);
        }
        Ok(Some(self.rows.take()?))
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.rows.len() >= self.batch_rows || self.rows.bytes() >= self.batch_bytes
    }

    /// Rows until the batch is full, or the bytes are used up: `false`. An entry that is spelt as most are is not
    /// interpreted.
    fn read_plain(&mut self) -> Result<bool, Error> {
        let allows_more = !self.rows.has_extensions();
        let wants_host = self.rows.has_host();
        while !self.is_full() {
            match self.decoder.advance() {
                Ok(Step::Entry) => {}
                Ok(Step::NeedMore) => return Ok(false),
                Ok(Step::End) => {
                    self.state = State::BetweenFiles;
                    break;
                }
                Err(error) => {
                    self.refuse(error)?;
                    break;
                }
            }
            if self.decoder.issues().is_empty() && !self.is_feed() {
                let plain = Plain::read(self.decoder.raw(), allows_more, wants_host);
                if let Some(plain) = plain {
                    self.rows.add_plain(&plain);
                    continue;
                }
            }
            match self.decoder.to_entry() {
                Ok(Some(entry)) => self.add(&entry),
                Ok(None) => {}
                Err(error) => self.refuse(error)?,
            }
        }
        Ok(true)
    }

    fn add(&mut self, entry: &Entry) {
        let priority = self.decoder.raw().priority();
        self.rows.add_entry(entry, priority);
    }

    /// Dates of feeds are spelt in other ways.
    #[inline]
    fn is_feed(&self) -> bool {
        !matches!(
            self.decoder.format(),
            Some(Format::Urlset | Format::Index | Format::Text)
        )
    }

    /// One row, interpreted, with its issues; or none if the bytes are used up: `false`.
    fn read_interpreted(&mut self) -> Result<bool, Error> {
        match self.decoder.next_entry() {
            Ok(Some(entry)) => {
                self.make_room()?;
                self.add(&entry);
                self.rows.add_issues(self.decoder.issues());
            }
            Ok(None) if self.decoder.is_done() => {
                // What stands behind the last entry.
                self.rows.add_issues(self.decoder.issues());
                self.rows.close();
                self.state = State::BetweenFiles;
            }
            Ok(None) => {
                self.decoder.keep_issues();
                return Ok(false);
            }
            Err(error) => self.refuse(error)?,
        }
        Ok(true)
    }

    /// A full batch waits for issues that may belong to its last row until the next row is there.
    fn make_room(&mut self) -> Result<(), Error> {
        if self.is_full() {
            self.ready = self.flush()?;
        }
        Ok(())
    }

    /// An error becomes a row, or is raised after the rows before it.
    fn refuse(&mut self, error: quick_sitemap::Error) -> Result<(), Error> {
        match self.fatal {
            Fatal::Row => {
                self.make_room()?;
                let text = format!("{error:#}");
                self.rows.add_error(&text);
                self.rows.add_issues(self.decoder.issues());
            }
            Fatal::Raise => {
                self.rows.add_issues(self.decoder.issues());
                self.rows.close();
                self.raised = Some(Error::Sitemap {
                    source_name: self.rows.name().map(Into::into),
                    error,
                });
            }
        }
        if self.decoder.is_done() {
            self.rows.close();
            self.state = State::BetweenFiles;
        }
        Ok(())
    }
}
