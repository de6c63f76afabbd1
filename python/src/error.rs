//! What is raised.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};
use quick_sitemap::{Error, ErrorKind};

create_exception!(
    quick_sitemap,
    SitemapError,
    PyValueError,
    "A file could not be read as a sitemap, or not any further. What came before has been given.\n\n\
     Attributes: kind (str, such as 'truncated'), source (str or None), line and column (int or None)."
);
create_exception!(
    quick_sitemap,
    TruncatedError,
    SitemapError,
    "The document or its gzip stream ends early."
);
create_exception!(
    quick_sitemap,
    NotASitemapError,
    SitemapError,
    "It is something else: an HTML page, JSON, nothing at all."
);
create_exception!(
    quick_sitemap,
    BrokenGzipError,
    SitemapError,
    "The gzip stream is broken."
);
create_exception!(
    quick_sitemap,
    LimitExceededError,
    SitemapError,
    "A bound that protects the caller was reached."
);

/// The exception for an error. Failures of the system are `OSError`s, of the class that Python has for each.
pub(crate) fn exception(py: Python<'_>, error: Error, source: Option<&str>) -> PyErr {
    let kind = error.kind().name();
    let position = error.position();
    let text = match source {
        Some(source) => format!("{source}: {error:#}"),
        None => format!("{error:#}"),
    };
    let raised = match error.kind() {
        ErrorKind::Io(_) => {
            let ErrorKind::Io(cause) = error.into_kind() else {
                return SitemapError::new_err(text);
            };
            return match cause.raw_os_error() {
                // As `open` raises it: the number decides of which class it is.
                Some(number) => pyo3::exceptions::PyOSError::new_err((
                    number,
                    cause.to_string(),
                    source.map(str::to_owned),
                )),
                None => cause.into(),
            };
        }
        ErrorKind::Truncated => TruncatedError::new_err(text),
        ErrorKind::UnknownRoot(_) | ErrorKind::NotASitemap(_) => NotASitemapError::new_err(text),
        ErrorKind::Gzip(_) => BrokenGzipError::new_err(text),
        ErrorKind::LimitExceeded(_) => LimitExceededError::new_err(text),
        _ => SitemapError::new_err(text),
    };
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("kind", kind)?;
        value.setattr("source", source)?;
        value.setattr("line", position.map(|at| at.line()))?;
        value.setattr("column", position.map(|at| at.column()))
    };
    match set() {
        Ok(()) => raised,
        Err(error) => error,
    }
}
