//! Values as Python has them: dates, and the cells of Arrow arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use quick_sitemap::chrono::{DateTime, Datelike, Timelike};

/// Microseconds since 1970 as a datetime in UTC. `None` outside the years that Python has.
pub(crate) fn datetime(py: Python<'_>, micros: i64) -> PyResult<Option<Bound<'_, PyAny>>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static UTC: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(time) = DateTime::from_timestamp_micros(micros) else {
        return Ok(None);
    };
    if !(1..=9999).contains(&time.year()) {
        return Ok(None);
    }
    let class = CLASS.get_or_try_init(py, || {
        let class = py.import("datetime")?.getattr("datetime")?;
        PyResult::Ok(class.unbind())
    })?;
    let utc = UTC.get_or_try_init(py, || {
        let utc = py.import("datetime")?.getattr("timezone")?.getattr("utc")?;
        PyResult::Ok(utc.unbind())
    })?;
    let parts = (
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.timestamp_subsec_micros(),
        utc,
    );
    class.bind(py).call1(parts).map(Some)
}

/// The number that the shortest decimal text of an `f32` means: 4.2 stays 4.2.
pub(crate) fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

/// A text in the form of Python's own `repr`, which escapes characters that cannot be printed.
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

/// The value of a cell as a Python object; dates are aware `datetime`s in UTC.
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
