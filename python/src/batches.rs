use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use quick_sitemap_arrow::{BatchesBuilder, Column, Fatal};

use crate::source::Source;
use crate::stream::Stream;

/// The rows of many sitemaps, as an object that every engine takes which speaks Arrow: pyarrow, DuckDB, Polars, pandas.
///
/// `sources` is a path, bytes, a file object that is open for bytes, a pair of a name and one of these, or an iterable of
/// them, which is asked for one after the other while rows are read. Nothing is read before the rows are asked for.
///
/// `columns` are names of quick_sitemap.COLUMNS; None stands for quick_sitemap.DEFAULT_COLUMNS. With on_error='row', what
/// can't be read, or not any further, is a row of its own with a text in `error`; with 'raise' it ends the rows with the
/// consumer's exception. `batch_rows` are the rows of a batch. `string_views` lays text out as Polars prefers it.
///
/// >>> import pyarrow
/// >>> pyarrow.table(read_many([b"https://example.com/a", b"<html/>"])).num_rows
/// 2
#[pyfunction]
#[pyo3(signature = (sources, columns=None, on_error="row", *, batch_rows=8192, string_views=false))]
pub(crate) fn read_many(
    sources: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    on_error: &str,
    batch_rows: usize,
    string_views: bool,
) -> PyResult<Batches> {
    let fatal = match on_error {
        "row" => Fatal::Row,
        "raise" => Fatal::Raise,
        other => {
            let text = format!("on_error is to be 'row' or 'raise', not {other:?}");
            return Err(PyValueError::new_err(text));
        }
    };
    if batch_rows == 0 {
        return Err(PyValueError::new_err("batch_rows is to be 1 or more"));
    }
    let mut builder = BatchesBuilder::new()
        .fatal(fatal)
        .batch_rows(batch_rows)
        .string_views(string_views);
    if let Some(names) = columns {
        let columns: Result<Vec<Column>, _> =
            names.iter().map(|name| Column::from_str(name)).collect();
        builder =
            builder.columns(columns.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    let sources = if Source::is_one(sources)? {
        PyList::new(sources.py(), [sources])?.into_any()
    } else {
        // What can't be iterated over is said to be wrong here, not later by an engine.
        sources.try_iter()?;
        sources.clone()
    };
    Ok(Batches {
        sources: sources.unbind(),
        builder,
        is_used: AtomicBool::new(false),
    })
}

/// From read_many: an object with the methods of the Arrow PyCapsule interface. A list of sources may be read any number
/// of times, an iterator of them once.
#[pyclass(frozen, module = "quick_sitemap")]
pub(crate) struct Batches {
    sources: Py<PyAny>,
    builder: BatchesBuilder,
    /// An iterator has been handed out.
    is_used: AtomicBool,
}

#[pymethods]
impl Batches {
    /// The rows, as a capsule with an ArrowArrayStream. Another schema than one's own is not offered.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to the producer whether it can do what is requested.
        drop(requested_schema);
        let sources = self.sources.bind(py);
        let iterator = sources.try_iter()?;
        if iterator.is(sources) && self.is_used.swap(true, Ordering::Relaxed) {
            let text = "the iterator of sources has been read; give a list to read it again";
            return Err(PyValueError::new_err(text));
        }
        let stream = Stream::new(iterator.unbind(), self.builder.clone().decoder());
        let stream = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema, as a capsule with an ArrowSchema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.builder.clone().decoder().schema();
        let schema = FFI_ArrowSchema::try_from(schema.as_ref())
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        let schema = self.builder.clone().decoder().schema();
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        format!("<quick_sitemap.Batches of {}>", names.join(", "))
    }
}
