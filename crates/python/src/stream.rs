//! Record batches of one source after the other, as they are requested.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use quick_sitemap_arrow::{BatchDecoder, SourceName};

use crate::progress::Meter;
use crate::signals::Signals;
use crate::source::{Failure, Input, Source};

/// Sources are taken from the iterator one by one, each when the one before has been read.
pub(crate) struct Stream {
    sources: Py<PyIterator>,
    decoder: BatchDecoder,
    /// The source that is being read, or `None` after its end.
    input: Option<Input>,
    buffer: Vec<u8>,
    /// A source has begun, and its end has not been counted.
    has_begun: bool,
    is_done: bool,
    /// `true` if an engine reads the stream, which gets an exception only as a text.
    is_exported: bool,
    signals: Signals,
    meter: Option<Meter>,
}

impl Stream {
    pub(crate) fn new(
        sources: Py<PyIterator>,
        decoder: BatchDecoder,
        meter: Option<Meter>,
        is_exported: bool,
    ) -> Self {
        Self {
            sources,
            decoder,
            input: None,
            buffer: Vec::new(),
            has_begun: false,
            is_done: false,
            is_exported,
            signals: Signals::new(),
            meter,
        }
    }

    /// Reads sources until a batch is full. An interrupt by the user is an error.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        while !self.is_done {
            if let Err(error) = self.signals.check() {
                return Err(self.raised(error));
            }
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
        self.input = None;
        if std::mem::take(&mut self.has_begun) {
            let entries = self.decoder.summary().entries;
            self.report(|meter| {
                meter.files += 1;
                meter.entries = meter.entries.saturating_add(entries);
                meter.tick(0)
            })?;
        }
        let next = Python::attach(|py| {
            let next = self.sources.bind(py).clone().next();
            next.map(|object| Source::of(&object?)).transpose()
        });
        match next.map_err(|error| self.raised(error))? {
            Some(source) => {
                self.decoder.begin(source.name.as_deref())?;
                self.has_begun = true;
                if let Some(meter) = &mut self.meter {
                    meter.source = source.name.as_deref().map(SourceName::new);
                }
                self.input = Some(source.input);
            }
            None => {
                self.is_done = true;
                self.report(|meter| meter.report(0))?;
            }
        }
        Ok(())
    }

    /// Moves a piece of the current source to the decoder, and reports the progress.
    fn feed(&mut self) -> Result<(), ArrowError> {
        let Some(input) = &mut self.input else {
            self.decoder.finish();
            return Ok(());
        };
        let decoder = &mut self.decoder;
        let mut read = 0;
        let fed = input.read(&mut self.buffer, |bytes| {
            read = bytes.len() as u64;
            decoder.push(bytes);
        });
        match fed {
            Ok(true) => {
                let entries = self.decoder.summary().entries;
                return self.report(|meter| {
                    meter.bytes += read;
                    meter.tick(entries)
                });
            }
            Ok(false) => self.decoder.finish(),
            Err(Failure::Io(error)) => self.decoder.fail(error),
            Err(Failure::Python(error)) => return Err(self.raised(error)),
        }
        self.input = None;
        Ok(())
    }

    fn report(&mut self, call: impl FnOnce(&mut Meter) -> PyResult<()>) -> Result<(), ArrowError> {
        match self.meter.as_mut().map(call) {
            Some(Err(error)) => Err(self.raised(error)),
            _ => Ok(()),
        }
    }

    /// After an exception of Python, no more rows follow.
    fn raised(&mut self, error: PyErr) -> ArrowError {
        self.is_done = true;
        raised(error, self.is_exported)
    }
}

/// Raises KeyboardInterrupt in the main thread as soon as it runs Python code. Unlike `_thread.interrupt_main`, it does not
/// disturb the printing of an exception, which looks for signals. No Python code runs here after the call.
fn interrupt_main(py: Python<'_>) -> PyResult<()> {
    let main = py.import("threading")?.call_method0("main_thread")?;
    let ctypes = py.import("ctypes")?;
    let main = ctypes.call_method1("c_ulong", (main.getattr("ident")?,))?;
    let interrupt = ctypes.call_method1("py_object", (py.get_type::<PyKeyboardInterrupt>(),))?;
    let api = ctypes.getattr("pythonapi")?;
    let raised = api.call_method1("PyThreadState_SetAsyncExc", (main, interrupt));
    raised.map(drop)
}

/// Converts an exception of Python to an error of Arrow. The engine raises its own exception instead, so after Ctrl-C,
/// Python is interrupted once more, and raises KeyboardInterrupt as soon as it runs again.
pub(crate) fn raised(error: PyErr, is_exported: bool) -> ArrowError {
    let is_interrupt = || Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
    if is_exported && is_interrupt() {
        // Without it, the exception of the engine is all that is raised.
        let _ = Python::attach(interrupt_main);
        // Passed as a text, because printing the exception would run Python code, which would be interrupted.
        return ArrowError::ExternalError("KeyboardInterrupt".into());
    }
    ArrowError::ExternalError(Box::new(error))
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    /// It may be called with or without the GIL, which is held only while Python provides sources and bytes.
    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::attach(|py| py.detach(|| self.next_batch()));
        if next.is_err() {
            self.is_done = true;
            self.input = None;
        }
        next.transpose()
    }
}
