//! Values as Python has them: dates, issues, and the cells of Arrow arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use quick_sitemap::{Completeness, Effect, Issue};
use quick_sitemap_arrow::message;

/// Microseconds since 1970 as a datetime in UTC. `None` outside the years that Python has.
pub(crate) fn datetime(py: Python<'_>, micros: i64) -> PyResult<Option<Bound<'_, PyAny>>> {
    let datetime = py.import("datetime")?;
    let utc = datetime.getattr("timezone")?.getattr("utc")?;
    let epoch = (1970, 1, 1, 0, 0, 0, 0, utc);
    let epoch = datetime.getattr("datetime")?.call1(epoch)?;
    let since = datetime.getattr("timedelta")?.call1((0, 0, micros))?;
    match epoch.add(since) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Issues as dicts, with the names that the column `issues` has.
pub(crate) fn issues<'py>(py: Python<'py>, issues: &[Issue]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for found in issues {
        list.append(issue(py, found)?)?;
    }
    Ok(list)
}

/// One of them.
pub(crate) fn issue<'py>(py: Python<'py>, issue: &Issue) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rule", issue.rule().name())?;
    dict.set_item(
        "effect",
        match issue.effect {
            Effect::Noted => "noted",
            Effect::ValueDropped => "value-dropped",
            Effect::EntrySkipped => "entry-skipped",
        },
    )?;
    dict.set_item("message", message(&issue.violation.to_string()))?;
    dict.set_item("line", issue.position.line())?;
    dict.set_item("column", issue.position.column())?;
    dict.set_item("byte", issue.position.byte())?;
    Ok(dict)
}

/// The name of a completeness.
pub(crate) fn completeness(completeness: Completeness) -> &'static str {
    match completeness {
        Completeness::Complete => "complete",
        Completeness::Unknown => "unknown",
        Completeness::Incomplete => "incomplete",
    }
}

/// A text as Python's own `repr` shows it, which escapes whatever can't be printed.
pub(crate) fn quoted(py: Python<'_>, text: &str) -> PyResult<String> {
    Ok(PyString::new(py, text).repr()?.to_string())
}

/// A row of a batch, as a dict.
pub(crate) fn row<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    row: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        dict.set_item(field.name(), cell(py, array.as_ref(), row)?)?;
    }
    Ok(dict)
}

fn cell<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Utf8View => array.as_string_view().value(row).into_bound_py_any(py),
        DataType::Int64 => array
            .as_primitive::<Int64Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::Float64 => array
            .as_primitive::<Float64Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::Boolean => array.as_boolean().value(row).into_bound_py_any(py),
        DataType::Timestamp(..) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            datetime(py, micros)?.into_bound_py_any(py)
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let list = PyList::empty(py);
            for item in 0..items.len() {
                list.append(cell(py, items.as_ref(), item)?)?;
            }
            Ok(list.into_any())
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), cell(py, column.as_ref(), row)?)?;
            }
            Ok(dict.into_any())
        }
        other => {
            let text = format!("a column of type {other} can't be read as Python values");
            Err(PyTypeError::new_err(text))
        }
    }
}
