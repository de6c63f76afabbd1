//! Exceptions and warnings.

use std::io;

use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};
use quick_sitemap::{Error, ErrorKind, Position};
use quick_sitemap_arrow::{Skipped, SourceName, message};

/// For each exception: its base, and its documentation.
macro_rules! exceptions {
    ($($name:ident($base:ty) = $doc:literal;)*) => {
        $(create_exception!(quick_sitemap, $name, $base, $doc);)*
    };
}

exceptions! {
    SitemapError(PyValueError) = "A file could not be read as a sitemap, or not to its end. The pages before the error have \
        been returned.\n\nAttributes: kind (str, such as 'truncated'), source (str or None), line and column (int or None).";
    TruncatedError(SitemapError) = "The document or its gzip stream ends early.";
    NotASitemapError(SitemapError) = "The file is something else, such as an HTML page or JSON, or it is empty.";
    BrokenGzipError(SitemapError) = "The gzip stream is broken.";
    LimitExceededError(SitemapError) = "A limit that protects the reader was reached.";
    NoEntriesError(SitemapError) = "A sitemap was read to its end, and all of its entries were skipped. \
        read_many(on_error='raise') also raises it for a file that lists nothing, unless it is a feed.\n\n\
        The attribute skipped (int) is the number of skipped entries. line and column are those of the first of them.";
    SkippedEntriesWarning(PyUserWarning) = "Entries of a sitemap were skipped because they have no usable URL. \
        Pages.issues says why, Pages.summary how many.";
    EmptySitemapWarning(PyUserWarning) = "A sitemap or an index was read to its end, and it lists nothing. That is usually \
        a mistake. An empty feed is none.";
}

/// The exception for an error. An error of the operating system becomes the subclass of `OSError` that Python has for it.
pub(crate) fn exception(py: Python<'_>, error: Error, source: Option<&SourceName>) -> PyErr {
    let kind = error.kind().name();
    let position = error.position();
    let text = named(source, &message(&format!("{error:#}")));
    let raised = match error.kind() {
        ErrorKind::Io(_) => {
            let ErrorKind::Io(cause) = error.into_kind() else {
                return SitemapError::new_err(text);
            };
            // Like `open`, `OSError` selects the subclass by the number.
            let reason = match (cause.raw_os_error(), errno(&cause)) {
                (Some(number), _) => strerror(py, number).map(|reason| (number, reason)),
                (None, Some(number)) => Ok((number, cause.to_string())),
                (None, None) => return cause.into(),
            };
            return match reason {
                Ok((number, reason)) => {
                    let source = source.map(|name| name.as_str().to_owned());
                    PyOSError::new_err((number, reason, source))
                }
                Err(error) => error,
            };
        }
        ErrorKind::Truncated => TruncatedError::new_err(text),
        ErrorKind::UnknownRoot(_) | ErrorKind::NotASitemap(_) => NotASitemapError::new_err(text),
        ErrorKind::Gzip(_) => BrokenGzipError::new_err(text),
        ErrorKind::LimitExceeded(_) => LimitExceededError::new_err(text),
        _ => SitemapError::new_err(text),
    };
    with_attributes(py, raised, kind, source, position)
}

/// The exception for a file without a single page.
pub(crate) fn no_entries(py: Python<'_>, skipped: Skipped, source: Option<&SourceName>) -> PyErr {
    let error = quick_sitemap_arrow::Error::NoEntries {
        source_name: source.cloned(),
        skipped,
    };
    let raised = NoEntriesError::new_err(error.to_string());
    if let Err(error) = raised.value(py).setattr("skipped", skipped.count) {
        return error;
    }
    let position = skipped.first.map(|(position, _)| position);
    with_attributes(py, raised, error.kind_name(), source, position)
}

/// The text of the warning at the end of a file with skipped entries.
pub(crate) fn of_skipped(entries: u64, skipped: Skipped, source: Option<&SourceName>) -> String {
    let total = entries.saturating_add(skipped.count);
    named(source, &format!("of {total} entries, {skipped}"))
}

/// The text of the warning at the end of a sitemap that lists nothing.
pub(crate) fn without_entries(source: Option<&SourceName>) -> String {
    named(source, "the sitemap is empty")
}

fn named(source: Option<&SourceName>, text: &str) -> String {
    match source {
        Some(source) => format!("{source}: {text}"),
        None => text.to_owned(),
    }
}

/// Returns the number that Python uses for this kind of error, if the error has none of its own. Returns `None` for an
/// exception of Python, which is raised unchanged.
fn errno(error: &io::Error) -> Option<i32> {
    let is_python = error.get_ref().is_some_and(|cause| cause.is::<PyErr>());
    match error.kind() {
        _ if is_python => None,
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::IsADirectory => Some(21),
        _ => None,
    }
}

fn strerror(py: Python<'_>, number: i32) -> PyResult<String> {
    py.import("os")?
        .call_method1("strerror", (number,))?
        .extract()
}

/// Sets the attributes that every exception of this module has.
fn with_attributes(
    py: Python<'_>,
    raised: PyErr,
    kind: &str,
    source: Option<&SourceName>,
    position: Option<Position>,
) -> PyErr {
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("kind", kind)?;
        value.setattr("source", source.map(SourceName::as_str))?;
        value.setattr("line", position.map(|at| at.line()))?;
        value.setattr("column", position.map(|at| at.column()))
    };
    match set() {
        Ok(()) => raised,
        Err(error) => error,
    }
}
