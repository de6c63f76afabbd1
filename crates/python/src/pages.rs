//! [`Pages`]: one file, page by page.

use std::ffi::CString;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use quick_sitemap::{Decoder, Error, Format, Issue, Policy, ReaderBuilder};
use quick_sitemap_arrow::{Skipped, SourceName};

use crate::error::{
    EmptySitemapWarning, SkippedEntriesWarning, exception, no_entries, of_skipped, without_entries,
};
use crate::page::Page;
use crate::receiver::MAX_ISSUES;
use crate::records;
use crate::signals::Signals;
use crate::source::{Failure, Input, Source, open};
use crate::turns::{InUse, Turns};
use crate::value;

/// Returns the pages of a sitemap. `_quick_sitemap.reading` documents it.
#[pyfunction]
#[pyo3(signature = (source, *, strict=false))]
pub(crate) fn read(source: &Bound<'_, PyAny>, strict: bool) -> PyResult<Pages> {
    let py = source.py();
    let source = Source::of(source)?;
    let name = source.name.as_deref().map(SourceName::new);
    let input = match source.input {
        // A file that can't be opened raises here, as `open` does.
        Input::Path(path) => {
            let opened = open(&path);
            Input::File(opened.map_err(|error| exception(py, error.into(), name.as_ref()))?)
        }
        input => input,
    };
    let policy = if strict {
        Policy::STRICT
    } else {
        Policy::LENIENT
    };
    Ok(Pages {
        name,
        reading: Turns::new(Reading {
            input: Some(input),
            decoder: ReaderBuilder::new().policy(policy).decoder(),
            buffer: Vec::new(),
            signals: Signals::new(),
            issues: Vec::new(),
            skipped: Skipped::default(),
            is_strict: strict,
            is_silent: true,
            has_ended: false,
        }),
    })
}

/// The pages of one file, from read(): an iterator, and a context manager that closes the file.
///
/// >>> from quick_sitemap import read
/// >>> with read(b"https://example.com/a\nhttps://example.com/b\n") as pages:
/// ...     first = next(pages)
/// >>> first.loc
/// 'https://example.com/a'
#[pyclass(frozen, module = "quick_sitemap")]
pub(crate) struct Pages {
    name: Option<SourceName>,
    reading: Turns<Reading>,
}

struct Reading {
    /// `None` once it is closed.
    input: Option<Input>,
    decoder: Decoder,
    buffer: Vec<u8>,
    signals: Signals,
    /// The first issues of the file.
    issues: Vec<Issue>,
    skipped: Skipped,
    is_strict: bool,
    /// `true` until a page or an error has been returned.
    is_silent: bool,
    /// The end, or the error that ended the file, has been reported.
    has_ended: bool,
}

/// The result of a step.
#[expect(clippy::large_enum_variant, reason = "nearly every step returns a page")]
enum Next {
    Page(Page),
    End,
    /// The end of a file with skipped entries, and the number of entries that were returned.
    EndWithout(Skipped, u64),
    /// The end of a file all of whose entries were skipped.
    NoEntries(Skipped),
    /// The end of a sitemap that lists nothing.
    Empty,
}

/// The reason why a step returns nothing.
enum Refused {
    Sitemap(Error),
    Python(PyErr),
    Closed,
}

impl Reading {
    /// Reads up to the next page. The first call after the end tells whether entries were skipped or absent.
    fn next(&mut self) -> Result<Next, Refused> {
        if self.input.is_none() && !self.has_ended {
            return Err(Refused::Closed);
        }
        loop {
            let next = self.decoder.next_entry();
            let is_done = self.decoder.is_done();
            if matches!(next, Ok(None)) && !is_done {
                self.feed()?;
                continue;
            }
            let found = self.decoder.issues();
            if !std::mem::replace(&mut self.has_ended, is_done) {
                let room = MAX_ISSUES.saturating_sub(self.issues.len());
                self.issues.extend(found.iter().take(room).cloned());
                self.skipped.look_at(found);
                if is_done {
                    // No more bytes of it are needed, so it is closed.
                    self.input = None;
                }
            } else {
                return Ok(Next::End);
            }
            let is_first = std::mem::replace(&mut self.is_silent, false);
            return match next {
                Ok(Some(entry)) => Ok(Next::Page(Page::new(entry, found.to_vec()))),
                Ok(None) => Ok(self.end(is_first)),
                Err(error) => Err(Refused::Sitemap(error)),
            };
        }
    }

    /// The end of the document: nothing to report, or the reason why there are no pages or fewer of them.
    fn end(&mut self, is_silent: bool) -> Next {
        let summary = self.decoder.summary();
        self.skipped.count = summary.skipped;
        if is_silent && summary.skipped > 0 {
            Next::NoEntries(self.skipped)
        } else if is_silent {
            // A feed without news is not a mistake.
            match self.decoder.format() {
                Some(Format::Rss | Format::Atom) => Next::End,
                _ => Next::Empty,
            }
        } else if summary.skipped > 0 && !self.is_strict {
            Next::EndWithout(self.skipped, summary.entries)
        } else {
            Next::End
        }
    }

    /// Moves a piece of the source to the decoder.
    fn feed(&mut self) -> Result<(), Refused> {
        self.signals.check().map_err(Refused::Python)?;
        let input = self.input.as_mut().ok_or(Refused::Closed)?;
        let decoder = &mut self.decoder;
        match input.read(&mut self.buffer, |bytes| decoder.push(bytes)) {
            Ok(true) => {}
            Ok(false) => self.decoder.finish(),
            Err(Failure::Io(error)) => self.decoder.fail(error),
            Err(Failure::Python(error)) => return Err(Refused::Python(error)),
        }
        Ok(())
    }
}

impl Pages {
    /// Calls `look` with the state. Waits without the GIL while another thread is reading.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&mut Reading) -> T + Send,
    ) -> PyResult<T> {
        self.reading.with(py, look).map_err(|InUse| {
            PyRuntimeError::new_err(
                "the sitemap is being read; a function that is called meanwhile, or a handler of a signal, cannot use it",
            )
        })
    }
}

#[pymethods]
impl Pages {
    /// The numbers of pages that were returned and skipped so far, as a Summary. Its completeness shows whether pages are
    /// missing.
    ///
    /// >>> from quick_sitemap import read
    /// >>> pages = read(b"https://example.com/a")
    /// >>> len(list(pages)), pages.summary.skipped, pages.summary.completeness
    /// (1, 0, 'unknown')
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let summary = self.with(py, |reading| reading.decoder.summary().clone())?;
        let values = (
            summary.entries,
            summary.skipped,
            summary.dropped,
            summary.noted,
            summary.completeness().name(),
        );
        py.import("_quick_sitemap.reading")?
            .getattr("Summary")?
            .call1(values)
    }

    /// The problems that have been found so far, at most 1,000, in the order of the file: a list of Issue. The summary
    /// contains the number of all problems.
    #[getter]
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let issues = self.with(py, |reading| reading.issues.clone())?;
        let issues = records::issues(py, &issues)?;
        records::call(py, "of_property", ("issues", issues))
    }

    /// Closes the file, if read() opened it. Then next() raises ValueError, unless all pages were returned.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let input = self.with(py, |reading| reading.input.take())?;
        drop(input);
        Ok(())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Page>> {
        let source = self.name.as_ref();
        match self.with(py, Reading::next)? {
            Ok(Next::Page(page)) => Ok(Some(page)),
            Ok(Next::End) => Ok(None),
            Ok(Next::EndWithout(skipped, entries)) => {
                let text = CString::new(of_skipped(entries, skipped, source))?;
                PyErr::warn(py, &py.get_type::<SkippedEntriesWarning>(), &text, 1)?;
                Ok(None)
            }
            Ok(Next::Empty) => {
                let text = CString::new(without_entries(source))?;
                PyErr::warn(py, &py.get_type::<EmptySitemapWarning>(), &text, 1)?;
                Ok(None)
            }
            Ok(Next::NoEntries(skipped)) => Err(no_entries(py, skipped, source)),
            Err(Refused::Sitemap(error)) => Err(exception(py, error, source)),
            Err(Refused::Python(error)) => Err(error),
            Err(Refused::Closed) => Err(PyValueError::new_err("the sitemap has been closed")),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let entries = self
            .reading
            .with(py, |reading| reading.decoder.summary().entries);
        let read = match entries {
            Ok(entries) => format!("{entries} read so far"),
            Err(InUse) => "being read".to_owned(),
        };
        let name = match &self.name {
            Some(name) => format!(" of {}", value::quoted(py, name.as_str())?),
            None => String::new(),
        };
        Ok(format!("<quick_sitemap.Pages{name}, {read}>"))
    }
}
