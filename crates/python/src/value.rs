//! Values as Python has them: dates, and the cells of Arrow arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Fields};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDateTime, PyDict, PyList, PyString, PyTzInfo};
use quick_sitemap::chrono::{DateTime, Datelike, Timelike};

/// Microseconds since 1970 as a datetime in UTC. `None` outside the years that Python has.
pub(crate) fn datetime(py: Python<'_>, micros: i64) -> PyResult<Option<Bound<'_, PyAny>>> {
    let time = DateTime::from_timestamp_micros(micros);
    let Some(time) = time.filter(|time| (1..=9999).contains(&time.year())) else {
        return Ok(None);
    };
    let [month, day, hour, minute, second] = [
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
    ]
    .map(|part| part as u8);
    let micros = time.timestamp_subsec_micros();
    let utc = Some(&*PyTzInfo::utc(py)?);
    PyDateTime::new(
        py,
        time.year(),
        month,
        day,
        hour,
        minute,
        second,
        micros,
        utc,
    )
    .map(|date| Some(date.into_any()))
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
    fields(py, batch.schema_ref().fields(), batch.columns(), row)
}

fn fields<'py>(
    py: Python<'py>,
    fields: &Fields,
    columns: &[ArrayRef],
    row: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, column) in fields.iter().zip(columns) {
        dict.set_item(field.name(), cell(py, column.as_ref(), row)?)?;
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
        DataType::Struct(of) => Ok(fields(py, of, array.as_struct().columns(), row)?.into_any()),
        other => {
            let text = format!("a column of type {other} can't be read as Python values");
            Err(PyTypeError::new_err(text))
        }
    }
}
