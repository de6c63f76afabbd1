//! [`BatchDecoder`]: the record batches of many files.

use std::io;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use quick_sitemap::{Decoder, Entry, Format, Step, Summary};

use crate::columns::Column;
use crate::error::{Error, NO_ENTRIES, error_text, no_entries_text};
use crate::options::{Fatal, Options};
use crate::plain::plain_row;
use crate::row::Row;
use crate::rows::Rows;
use crate::skipped::Skipped;
use crate::source_name::SourceName;

/// The record batches of many files, without I/O: you push names and bytes, and take batches out.
///
/// For each file, call [`begin`](Self::begin), [`push`](Self::push) for each chunk, and
/// [`finish`](Self::finish). After each `push` and after `finish`, call [`next_batch`](Self::next_batch) until it returns
/// `None`, because pushed bytes are buffered until then. They are decompressed one window at a time. A batch can contain
/// rows of many files, so call [`flush`](Self::flush) after the last file. Neither the rows nor their order depend on how
/// the bytes are divided into chunks.
///
/// Every file has at least one row: a row per entry, a row for an error that ended the file, or a row with the error that
/// the file has no entries.
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
    fatal: Fatal,
    /// `true` if entries in the usual form can be copied without being interpreted: the reader has no policy, location
    /// or callback, and no column of issues is requested.
    allows_plain: bool,
    state: State,
    /// `true` until a row or an error of the file has been returned.
    is_silent: bool,
    /// The first entry of the file that was skipped, if that was before the first row.
    skipped: Skipped,
    /// Full, and the next to be returned.
    ready: Option<RecordBatch>,
    /// To be raised once the rows before it have been returned.
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
    /// Creates a decoder with the defaults of [`BatchesBuilder`](crate::BatchesBuilder).
    #[must_use]
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        let rows = Rows::new(&options);
        Self {
            allows_plain: options.reader.is_none() && !rows.has(Column::Issues),
            decoder: options.reader.unwrap_or_default().decoder(),
            rows,
            fatal: options.fatal,
            state: State::BetweenFiles,
            is_silent: true,
            skipped: Skipped::default(),
            ready: None,
            raised: None,
        }
    }

    /// Returns the schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.rows.schema().clone()
    }

    /// Begins the next file. Its name appears in [`Column::Source`].
    ///
    /// # Errors
    ///
    /// [`Error::Unfinished`] if the file before has not been read to its end; [`Error::NameTooLong`] if the name has more
    /// than 65,536 bytes.
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
        self.rows.begin_file(name.map(SourceName::new));
        self.state = State::Reading;
        self.is_silent = true;
        self.skipped = Skipped::default();
        Ok(())
    }

    /// Adds bytes of the file: any number of bytes, divided anywhere. Between files, and after an error that ended the
    /// file, they are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.state == State::Reading {
            self.decoder.push(bytes);
        }
    }

    /// Marks the end of the file.
    pub fn finish(&mut self) {
        if self.state == State::Reading {
            self.decoder.finish();
        }
    }

    /// Marks the end of the file because the transport failed. The complete entries are still returned, then the error, as
    /// set by [`Fatal`].
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

    /// Returns `true` if the file has been read to its end, or no file has begun.
    #[must_use]
    pub fn is_between_files(&self) -> bool {
        self.state == State::BetweenFiles && self.raised.is_none()
    }

    /// Returns how many entries of the file were returned and lost so far, and whether all were returned. Between files,
    /// this is the summary of the last file.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.decoder.summary()
    }

    /// Returns the next full batch. Returns `None` if more must be pushed, or if the file
    /// [has ended](Self::is_between_files) and the next one can begin.
    ///
    /// # Errors
    ///
    /// [`Error::Sitemap`] or [`Error::NoEntries`] if [`Fatal::Raise`] is set, after the rows before it. The next call
    /// continues.
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
            if self.rows.is_full() && self.rows.is_closed() {
                return self.flush();
            }
            if self.state == State::BetweenFiles {
                return Ok(None);
            }
            let goes_on = if self.allows_plain {
                self.read_plain()?
            } else {
                self.read_interpreted()?
            };
            if !goes_on {
                return Ok(None);
            }
        }
    }

    /// Returns the rows that do not fill a batch, or `None` if there are none. Call it after the last file.
    ///
    /// It can be called at any time. But if it is called in the middle of a file, and the rest of the file has no rows, no
    /// row contains the number of skipped entries of that file. [`summary`](Self::summary) contains it.
    ///
    /// # Errors
    ///
    /// Only [`Error::Arrow`], which would be a bug in this crate.
    pub fn flush(&mut self) -> Result<Option<RecordBatch>, Error> {
        if self.rows.len() == 0 {
            return Ok(None);
        }
        Ok(Some(self.rows.take()?))
    }

    /// Adds rows until a batch is ready, the file ends, or the bytes are used up (then it returns `false`). An entry in
    /// the usual form is not interpreted.
    fn read_plain(&mut self) -> Result<bool, Error> {
        let allows_more = !self.rows.has_extensions();
        let wants_host = self.rows.has(Column::Host);
        while self.ready.is_none() {
            match self.decoder.advance() {
                Ok(Step::Entry) => {}
                Ok(Step::NeedMore) => return Ok(false),
                Ok(Step::End) => {
                    self.look_for_skipped();
                    self.end_file()?;
                    break;
                }
                Err(error) => {
                    self.refuse(error)?;
                    break;
                }
            }
            if self.decoder.issues().is_empty()
                && !self.is_feed()
                && let Some(raw) = self.decoder.raw()
                && let Some(row) = plain_row(raw, allows_more, wants_host)
            {
                if self.rows.is_full() {
                    self.ready = Some(self.rows.take()?);
                }
                self.is_silent = false;
                self.rows.add(&row);
                continue;
            }
            let entry = self.decoder.take_entry();
            self.look_for_skipped();
            match entry {
                Ok(Some(entry)) => self.add(&entry)?,
                Ok(None) => {}
                Err(error) => {
                    self.refuse(error)?;
                    break;
                }
            }
        }
        Ok(true)
    }

    fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        self.make_room()?;
        self.is_silent = false;
        let priority = self.decoder.raw().and_then(|raw| raw.priority());
        self.rows.add_entry(entry, priority);
        Ok(())
    }

    /// Dates of feeds are written in other ways.
    #[inline]
    fn is_feed(&self) -> bool {
        !matches!(
            self.decoder.format(),
            Some(Format::Urlset | Format::Index | Format::Text)
        )
    }

    /// Adds one row, interpreted, with its issues. Returns `false` if the bytes are used up.
    fn read_interpreted(&mut self) -> Result<bool, Error> {
        let next = self.decoder.next_entry();
        self.look_for_skipped();
        match next {
            Ok(Some(entry)) => {
                self.add(&entry)?;
                self.rows.add_issues(self.decoder.issues());
            }
            Ok(None) if self.decoder.is_done() => self.end_file()?,
            Ok(None) => return Ok(false),
            Err(error) => self.refuse(error)?,
        }
        Ok(true)
    }

    /// Only as long as the file has no row: then its only row names the first skipped entry.
    #[inline]
    fn look_for_skipped(&mut self) {
        if self.is_silent {
            self.skipped.look_at(self.decoder.issues());
        }
    }

    /// A full batch waits until the next row is there, because its last row may be the last of its file, and then gets
    /// the issues after it and the number of skipped entries.
    fn make_room(&mut self) -> Result<(), Error> {
        if self.rows.is_full() && self.ready.is_none() {
            self.ready = self.flush()?;
        }
        Ok(())
    }

    /// Ends the file. The last row gets what comes after it; if there is no row, the file gets one.
    fn end_file(&mut self) -> Result<(), Error> {
        self.state = State::BetweenFiles;
        let skipped = self.decoder.summary().skipped;
        if std::mem::take(&mut self.is_silent) {
            self.skipped.count = skipped;
            match self.fatal {
                // A feed without items is not a mistake.
                Fatal::Raise if skipped > 0 || !self.is_feed() => {
                    self.raised = Some(Error::NoEntries {
                        source_name: self.rows.name().cloned(),
                        skipped: self.skipped,
                    });
                }
                _ => self.add_error(NO_ENTRIES, &no_entries_text(self.skipped))?,
            }
        }
        self.rows.add_issues(self.decoder.issues());
        self.rows.end_file(skipped);
        Ok(())
    }

    fn add_error(&mut self, kind: &'static str, text: &str) -> Result<(), Error> {
        self.make_room()?;
        self.rows.add(&Row::of_error(kind, text));
        Ok(())
    }

    /// An error becomes a row, or is raised after the rows before it.
    fn refuse(&mut self, error: quick_sitemap::Error) -> Result<(), Error> {
        self.is_silent = false;
        match self.fatal {
            Fatal::Row => {
                self.add_error(error.kind().name(), &error_text(&error))?;
                self.rows.add_issues(self.decoder.issues());
            }
            Fatal::Raise => {
                self.rows.add_issues(self.decoder.issues());
                self.raised = Some(Error::Sitemap {
                    source_name: self.rows.name().cloned(),
                    error,
                });
            }
        }
        if self.decoder.is_done() {
            self.state = State::BetweenFiles;
            self.rows.end_file(self.decoder.summary().skipped);
        }
        Ok(())
    }
}
