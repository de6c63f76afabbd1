use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use quick_sitemap::{Decoder, Error, Policy, ReaderBuilder};

use crate::error::exception;
use crate::page::Page;
use crate::source::{Failure, Input, Source};

/// The pages of a sitemap, one after the other: of a path, of bytes, or of a file object that is open for bytes.
///
/// XML, text, RSS and Atom, gzipped or not; which of them, the content says. What is not as it should be is understood or
/// left out, unless `strict` is set: then the first fault raises SitemapError, and the next call goes on behind it.
///
/// Raises OSError, TruncatedError, NotASitemapError, BrokenGzipError or LimitExceededError where reading ends early,
/// after all pages that could be read.
///
/// >>> [page.loc for page in read(b"https://example.com/a")]
/// ['https://example.com/a']
#[pyfunction]
#[pyo3(signature = (source, *, strict=false))]
pub(crate) fn read(source: &Bound<'_, PyAny>, strict: bool) -> PyResult<Pages> {
    let py = source.py();
    let mut source = Source::of(source)?;
    if let Input::Path(path) = &source.input {
        // What can't be opened is raised here, as `open` does it.
        let opened = std::fs::File::open(path);
        let file = opened.map_err(|error| exception(py, error.into(), source.name.as_deref()));
        source.input = Input::File(file?);
    }
    let policy = if strict {
        Policy::STRICT
    } else {
        Policy::LENIENT
    };
    Ok(Pages {
        name: source.name,
        reading: Mutex::new(Reading {
            input: source.input,
            decoder: ReaderBuilder::new().policy(policy).decoder(),
            buffer: Vec::new(),
        }),
    })
}

/// An iterator of pages.
#[pyclass(frozen, module = "quick_sitemap")]
pub(crate) struct Pages {
    name: Option<String>,
    reading: Mutex<Reading>,
}

struct Reading {
    input: Input,
    decoder: Decoder,
    buffer: Vec<u8>,
}

/// What ends a step.
enum Refused {
    Sitemap(Error),
    Python(PyErr),
}

impl Reading {
    fn next(&mut self) -> Result<Option<Page>, Refused> {
        loop {
            match self.decoder.next_entry() {
                Ok(Some(entry)) => return Ok(Some(Page(entry))),
                Ok(None) if self.decoder.is_done() => return Ok(None),
                Ok(None) => {}
                Err(error) => return Err(Refused::Sitemap(error)),
            }
            let decoder = &mut self.decoder;
            match self
                .input
                .read(&mut self.buffer, |bytes| decoder.push(bytes))
            {
                Ok(true) => {}
                Ok(false) => self.decoder.finish(),
                Err(Failure::Io(error)) => self.decoder.fail(error),
                Err(Failure::Python(error)) => return Err(Refused::Python(error)),
            }
        }
    }
}

#[pymethods]
impl Pages {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Page>> {
        let next = py.detach(|| {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            reading.next()
        });
        next.map_err(|refused| match refused {
            Refused::Sitemap(error) => exception(py, error, self.name.as_deref()),
            Refused::Python(error) => error,
        })
    }
}
