//! Record batches of one source after the other, as they are requested.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use quick_sitemap_arrow::BatchDecoder;

use crate::source::{Failure, Input, Source};

/// Sources are taken from the iterator one by one, each when the one before has been read.
pub(crate) struct Stream {
    sources: Py<PyIterator>,
    decoder: BatchDecoder,
    /// The source that is being read, or `None` after its end.
    input: Option<Input>,
    buffer: Vec<u8>,
    is_done: bool,
}

impl Stream {
    pub(crate) fn new(sources: Py<PyIterator>, decoder: BatchDecoder) -> Self {
        Self {
            sources,
            decoder,
            input: None,
            buffer: Vec::new(),
            is_done: false,
        }
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while !self.is_done {
            if let Some(batch) = self.decoder.next_batch()? {
                return Ok(Some(batch));
            }
            if self.decoder.is_between_files() {
                self.begin()?;
            } else {
                self.feed()?;
            }
        }
        Ok(self.decoder.flush()?)
    }

    /// Begins with the next source, if there is one.
    fn begin(&mut self) -> Result<(), ArrowError> {
        let next = Python::attach(|py| {
            let next = self.sources.bind(py).clone().next();
            next.map(|object| Source::of(&object?)).transpose()
        });
        match next.map_err(raised)? {
            Some(source) => {
                self.decoder.begin(source.name.as_deref())?;
                self.input = Some(source.input);
            }
            None => self.is_done = true,
        }
        Ok(())
    }

    fn feed(&mut self) -> Result<(), ArrowError> {
        let Some(input) = &mut self.input else {
            self.decoder.finish();
            return Ok(());
        };
        let decoder = &mut self.decoder;
        match input.read(&mut self.buffer, |bytes| decoder.push(bytes)) {
            Ok(true) => return Ok(()),
            Ok(false) => self.decoder.finish(),
            Err(Failure::Io(error)) => self.decoder.fail(error),
            Err(Failure::Python(error)) => {
                self.is_done = true;
                return Err(raised(error));
            }
        }
        self.input = None;
        Ok(())
    }
}

/// After an exception of Python, no more rows follow.
fn raised(error: PyErr) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    /// It may be called with or without the GIL, which is held only while Python provides sources and bytes.
    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::attach(|py| py.detach(|| self.next_batch()));
        if next.is_err() {
            self.is_done = true;
        }
        next.transpose()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.decoder.schema()
    }
}
