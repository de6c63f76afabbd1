//! [`Table`]: many files, or a crawl, as Arrow record batches.

use std::iter;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyMapping};
use quick_sitemap_arrow::{BatchesBuilder, Column, Error, Fatal, message};

use crate::crawled::Crawled;
use crate::error::{exception, no_entries};
use crate::progress::Meter;
use crate::source::Source;
use crate::stream::Stream;
use crate::turns::{InUse, Turns};
use crate::value;

/// Returns the rows of many sitemaps. `_quick_sitemap.reading` documents it.
#[pyfunction]
pub(crate) fn read_many(
    sources: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    is_raising: bool,
    batch_rows: usize,
    string_views: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let fatal = if is_raising { Fatal::Raise } else { Fatal::Row };
    let builder = builder(columns, batch_rows, string_views)?.fatal(fatal);
    let sources = if let Ok(named) = sources.cast::<PyMapping>() {
        named.call_method0("items")?
    } else if Source::is_one(sources)? {
        PyList::new(sources.py(), [sources])?.into_any()
    } else {
        // Raises here if it can't be iterated over, and not later in an engine.
        sources.try_iter()?;
        sources.clone()
    };
    Ok(Table {
        origin: Origin::Files(sources.unbind(), on_progress),
        builder,
        is_used: AtomicBool::new(false),
        rows: Arc::new(UNKNOWN.into()),
    })
}

/// Returns the rows of a crawl. `items` is an iterator of Entries, and of tuples for errors: the sitemap, the kind and the
/// text. The column `source` has the name `sitemap`.
#[pyfunction]
pub(crate) fn crawl_table(
    items: Py<PyAny>,
    columns: &Bound<'_, PyAny>,
    batch_rows: usize,
    string_views: bool,
) -> PyResult<Table> {
    Ok(Table {
        origin: Origin::Crawl(items),
        builder: builder(Some(columns), batch_rows, string_views)?.source_column("sitemap"),
        is_used: AtomicBool::new(false),
        rows: Arc::new(UNKNOWN.into()),
    })
}

/// The builder of record batches with these options, which are checked.
fn builder(
    columns: Option<&Bound<'_, PyAny>>,
    batch_rows: usize,
    string_views: bool,
) -> PyResult<BatchesBuilder> {
    if batch_rows == 0 {
        return Err(PyValueError::new_err("batch_rows must be 1 or more"));
    }
    let builder = BatchesBuilder::new()
        .batch_rows(batch_rows)
        .string_views(string_views);
    Ok(match columns {
        Some(names) => builder.columns(columns_of(names)?),
        None => builder,
    })
}

/// The columns with these names.
fn columns_of(names: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
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
pub(crate) struct Table {
    origin: Origin,
    builder: BatchesBuilder,
    /// An iterator has been handed out.
    is_used: AtomicBool,
    /// How many rows the last complete reading has returned.
    rows: Arc<AtomicUsize>,
}

/// The number of rows of a table that has not been read to its end.
const UNKNOWN: usize = usize::MAX;

/// The batches of all sources, or of a crawl.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The origin of the rows.
enum Origin {
    /// An iterable of sources, and the function `on_progress`.
    Files(Py<PyAny>, Option<Py<PyAny>>),
    /// An iterator of what a crawl finds.
    Crawl(Py<PyAny>),
}

#[pymethods]
impl Table {
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
        let schema = self.schema();
        let schema = FFI_ArrowSchema::try_from(schema.as_ref())
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, each as a dict.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Rows> {
        let batches = self.stream(py, false)?;
        let rows = batches.flat_map(|batch| -> RowsOfBatch {
            match batch {
                Ok(batch) => {
                    Box::new((0..batch.num_rows()).map(move |row| Ok((batch.clone(), row))))
                }
                Err(error) => Box::new(iter::once(Err(error))),
            }
        });
        Ok(Rows(Turns::new(Box::new(rows))))
    }

    /// The number of rows, once they have been read. (The files are not read for it, because `list` asks for it, too.)
    fn __len__(&self) -> PyResult<usize> {
        match self.rows.load(Ordering::Relaxed) {
            UNKNOWN => Err(PyTypeError::new_err(
                "the rows are counted as they are read; pass the table to pyarrow.table, for example",
            )),
            rows => Ok(rows),
        }
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let schema = self.schema();
        let fields = schema.fields().iter();
        let columns = fields.map(|field| (field.name().clone(), field.data_type().to_string()));
        let html = py.import("_quick_sitemap.html")?;
        html.call_method1(
            "of_columns",
            (columns.collect::<Vec<_>>(), self.__len__().ok()),
        )
    }

    fn __repr__(&self) -> String {
        let schema = self.schema();
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        format!("<quick_sitemap.Table of {}>", names.join(", "))
    }
}

impl Table {
    fn schema(&self) -> SchemaRef {
        self.builder.entries().schema()
    }

    /// Begins to read the sources. An iterator can be read once only, so a second call is an error.
    fn stream(&self, py: Python<'_>, is_exported: bool) -> PyResult<RecordBatchIterator<Batches>> {
        let (Origin::Files(items, _) | Origin::Crawl(items)) = &self.origin;
        let items = items.bind(py);
        let iterator = items.try_iter()?;
        if iterator.is(items) && self.is_used.swap(true, Ordering::Relaxed) {
            return Err(PyValueError::new_err(match self.origin {
                Origin::Files(..) => {
                    "the iterator of sources has been read; pass a list to read it again"
                }
                Origin::Crawl(_) => "the table of the crawl has been read; begin another crawl",
            }));
        }
        let iterator = iterator.unbind();
        let mut batches: Batches = match &self.origin {
            Origin::Files(_, on_progress) => {
                let meter = on_progress.as_ref();
                let meter = meter.map(|call| Meter::new(call.clone_ref(py)));
                let decoder = self.builder.decoder();
                Box::new(Stream::new(iterator, decoder, meter, is_exported))
            }
            Origin::Crawl(_) => {
                Box::new(Crawled::new(iterator, self.builder.entries(), is_exported))
            }
        };
        let (mut rows, total) = (0, Arc::clone(&self.rows));
        let counted = iter::from_fn(move || {
            let next = batches.next();
            match &next {
                Some(Ok(batch)) => rows += batch.num_rows(),
                Some(Err(_)) => {}
                None => total.store(rows, Ordering::Relaxed),
            }
            next
        });
        Ok(RecordBatchIterator::new(Box::new(counted), self.schema()))
    }
}

/// An iterator of rows, each of them a dict.
#[pyclass(frozen, module = "_quick_sitemap._native")]
pub(crate) struct Rows(Turns<RowsOfBatch>);

/// A batch and the number of a row in it.
type RowsOfBatch = Box<dyn Iterator<Item = Result<(RecordBatch, usize), ArrowError>> + Send>;

#[pymethods]
impl Rows {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = self.0.with(py, |rows| rows.next().transpose()).map_err(|InUse| {
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
