//! [`Batches`]: many files, as Arrow record batches.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::RecordBatch;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ArrowError;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};
use quick_sitemap_arrow::{BatchesBuilder, Column, Error, Fatal, message};

use crate::error::{exception, no_entries};
use crate::progress::Meter;
use crate::source::Source;
use crate::stream::Stream;
use crate::turns::{InUse, Turns};
use crate::value;

/// Returns the rows of many sitemaps, as an object that pyarrow, DuckDB, Polars, pandas and other Arrow engines accept.
///
/// `sources` is a path, bytes, a file object that is open for bytes, a callable that returns one of these, a pair of a
/// name and one of these, or an iterable of them. Nothing is read before rows are requested, and the sources are taken one
/// after the other. A callable is called when its turn comes; if it raises an exception, its source has an error row.
///
/// `columns` are names from quick_sitemap.COLUMNS; None means quick_sitemap.DEFAULT_COLUMNS. Every source has at least one
/// row. With on_error='row', a source that cannot be read to its end, or has no entries, has a row with a message in
/// `error` and the kind of the error in `kind`; with 'raise', the engine raises an exception instead. The last row of
/// each source has the number of skipped entries in `skipped`. `batch_rows` is the number of rows per batch.
/// `string_views` lays text out as Polars prefers it. `on_progress` is called with a Progress at most ten times per second,
/// and at the end.
///
/// >>> from quick_sitemap import read_many
/// >>> rows = list(read_many([b"https://example.com/a", b"<html/>"], columns=["loc", "kind"]))
/// >>> rows[0]
/// {'loc': 'https://example.com/a', 'kind': 'url'}
/// >>> rows[1]
/// {'loc': None, 'kind': 'unknown-root'}
#[pyfunction]
#[pyo3(signature = (sources, columns=None, on_error="row", *, batch_rows=8192, string_views=false, on_progress=None))]
pub(crate) fn read_many(
    sources: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    on_error: &str,
    batch_rows: usize,
    string_views: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Batches> {
    let fatal = match on_error {
        "row" => Fatal::Row,
        "raise" => Fatal::Raise,
        other => {
            let text = format!(
                "on_error must be 'row' or 'raise', not '{}'",
                message(other)
            );
            return Err(PyValueError::new_err(text));
        }
    };
    if batch_rows == 0 {
        return Err(PyValueError::new_err("batch_rows must be 1 or more"));
    }
    let mut builder = BatchesBuilder::new()
        .fatal(fatal)
        .batch_rows(batch_rows)
        .string_views(string_views);
    if let Some(names) = columns {
        builder = builder.columns(columns_of(names)?);
    }
    if let Some(call) = &on_progress
        && !call.bind(sources.py()).is_callable()
    {
        let text = "on_progress must be a function of a Progress";
        return Err(PyTypeError::new_err(text));
    }
    let sources = if Source::is_one(sources)? {
        PyList::new(sources.py(), [sources])?.into_any()
    } else {
        // Raises here if it can't be iterated over, and not later in an engine.
        sources.try_iter()?;
        sources.clone()
    };
    Ok(Batches {
        sources: sources.unbind(),
        builder,
        on_progress,
        is_used: AtomicBool::new(false),
    })
}

/// The columns with these names.
fn columns_of(names: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    if names.is_instance_of::<PyString>() {
        let text = "columns must be a list of names, not one text";
        return Err(PyTypeError::new_err(text));
    }
    let mut columns = Vec::new();
    for name in names.try_iter()? {
        let name: String = name?.extract()?;
        let column = Column::from_str(&name);
        columns.push(column.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    Ok(columns)
}

/// The rows of many sitemaps, from read_many(): an object with the methods of the Arrow PyCapsule interface.
///
/// Pass it to pyarrow.table, polars.DataFrame, pandas.DataFrame.from_arrow or a DuckDB query. pandas.DataFrame takes it
/// as well, row by row, which is slower: iterating over it returns each row as a dict. If the sources are a list, they
/// can be read any number of times; an iterator of sources can be read only once.
///
/// >>> from quick_sitemap import read_many
/// >>> for row in read_many([("a.txt", b"https://example.com/a")], columns=["source", "loc", "skipped"]):
/// ...     print(row)
/// {'source': 'a.txt', 'loc': 'https://example.com/a', 'skipped': 0}
#[pyclass(frozen, module = "quick_sitemap")]
pub(crate) struct Batches {
    sources: Py<PyAny>,
    builder: BatchesBuilder,
    on_progress: Option<Py<PyAny>>,
    /// An iterator has been handed out.
    is_used: AtomicBool,
}

#[pymethods]
impl Batches {
    /// Returns the rows as a capsule with an ArrowArrayStream, which engines call. A requested schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the request.
        drop(requested_schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(self.stream(py, true)?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Returns the schema as a capsule with an ArrowSchema, which engines call.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.builder.decoder().schema();
        let schema = FFI_ArrowSchema::try_from(schema.as_ref())
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, each as a dict.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Rows> {
        Ok(Rows(Turns::new(State {
            stream: self.stream(py, false)?,
            batch: None,
            next: 0,
        })))
    }

    fn __repr__(&self) -> String {
        let schema = self.builder.decoder().schema();
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        format!("<quick_sitemap.Batches of {}>", names.join(", "))
    }
}

impl Batches {
    fn stream(&self, py: Python<'_>, is_exported: bool) -> PyResult<Stream> {
        let sources = self.sources.bind(py);
        let iterator = sources.try_iter()?;
        if iterator.is(sources) && self.is_used.swap(true, Ordering::Relaxed) {
            let text = "the iterator of sources has been read; pass a list to read it again";
            return Err(PyValueError::new_err(text));
        }
        let decoder = self.builder.decoder();
        let meter = self
            .on_progress
            .as_ref()
            .map(|call| Meter::new(call.clone_ref(py)));
        Ok(Stream::new(iterator.unbind(), decoder, meter, is_exported))
    }
}

/// An iterator of rows, each of them a dict.
#[pyclass(frozen, module = "quick_sitemap._native")]
pub(crate) struct Rows(Turns<State>);

struct State {
    stream: Stream,
    batch: Option<RecordBatch>,
    /// The next row of the batch.
    next: usize,
}

impl State {
    /// A batch that has a row left, and the number of that row.
    fn next(&mut self) -> Result<Option<(RecordBatch, usize)>, ArrowError> {
        loop {
            if let Some(batch) = self
                .batch
                .as_ref()
                .filter(|batch| self.next < batch.num_rows())
            {
                let row = self.next;
                self.next += 1;
                return Ok(Some((batch.clone(), row)));
            }
            let Some(batch) = self.stream.next().transpose()? else {
                return Ok(None);
            };
            self.batch = Some(batch);
            self.next = 0;
        }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = self.0.with(py, State::next).map_err(|InUse| {
            PyRuntimeError::new_err(
                "the rows are being read; a function that is called meanwhile, or a handler of a signal, cannot read them",
            )
        })?;
        match next.map_err(|error| raised(py, error))? {
            Some((batch, row)) => value::row(py, &batch, row).map(Some),
            None => Ok(None),
        }
    }
}

/// The exception that is inside an error of Arrow.
fn raised(py: Python<'_>, error: ArrowError) -> PyErr {
    let ArrowError::ExternalError(cause) = error else {
        return PyRuntimeError::new_err(message(&error.to_string()));
    };
    let cause = match cause.downcast::<PyErr>() {
        Ok(error) => return *error,
        Err(cause) => cause,
    };
    match cause.downcast::<Error>().map(|error| *error) {
        Ok(Error::Sitemap { source_name, error }) => exception(py, error, source_name.as_ref()),
        Ok(Error::NoEntries {
            source_name,
            skipped,
        }) => no_entries(py, skipped, source_name.as_ref()),
        Ok(error) => PyValueError::new_err(error.to_string()),
        Err(cause) => PyRuntimeError::new_err(message(&cause.to_string())),
    }
}
