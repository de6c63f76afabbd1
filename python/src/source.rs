//! [`Source`]: a file and where its bytes come from.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString, PyTuple};
use quick_sitemap_arrow::message;

/// A file with its name, whose bytes have not been read.
pub(crate) struct Source {
    pub(crate) name: Option<String>,
    pub(crate) input: Input,
}

/// An input that can be read.
pub(crate) enum Input {
    /// Opened when it is read, so that a file that can't be opened is one error row.
    Path(PathBuf),
    File(File),
    /// Not copied: Python's bytes don't change.
    Bytes {
        bytes: PyBackedBytes,
        read: usize,
    },
    /// Anything with a method `read`.
    Object(Py<PyAny>),
}

/// Why there are no bytes.
pub(crate) enum Failure {
    /// The input failed.
    Io(io::Error),
    /// A bug of the program, or an interrupt.
    Python(PyErr),
}

/// Bytes that are requested at a time.
const CHUNK: usize = 64 << 10;

impl Source {
    /// A path, bytes, a file object, or a pair of a name and one of these.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(pair) = object.cast::<PyTuple>() else {
            return Self::unnamed(object);
        };
        let (name, object): (Option<String>, Bound<'_, PyAny>) = pair.extract().map_err(|_| {
            PyTypeError::new_err("a tuple must be (name, bytes), (name, file) or (name, path)")
        })?;
        let source = Self::unnamed(&object)?;
        Ok(Self {
            name: name.or(source.name),
            ..source
        })
    }

    fn unnamed(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(bytes) = bytes(object)? {
            let input = Input::Bytes { bytes, read: 0 };
            return Ok(Self { name: None, input });
        }
        if object.hasattr("read")? {
            let name = object.getattr("name").and_then(|name| name.extract());
            return Ok(Self {
                name: name.ok(),
                input: Input::Object(object.clone().unbind()),
            });
        }
        if !is_path(object)? {
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "a path, bytes or a file object is expected, not {}",
                message(&found.to_string())
            )));
        }
        let path: PathBuf = object.extract()?;
        Ok(Self {
            name: Some(path.to_string_lossy().into_owned()),
            input: Input::Path(path),
        })
    }

    /// Whether this is one source, not an iterable of several. Two texts are two paths; a name and a body are a pair.
    pub(crate) fn is_one(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(pair) = object.cast::<PyTuple>() {
            let Ok((name, body)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
                return Ok(false);
            };
            let is_name = name.is_none() || name.is_instance_of::<PyString>();
            return Ok(is_name && is_body(&body)?);
        }
        Ok(is_path(object)? || is_body(object)?)
    }
}

fn is_path(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?)
}

/// Bytes, or an object that can be read.
fn is_body(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(PyMemoryView::from(object).is_ok() || object.hasattr("read")?)
}

/// The bytes of anything that exports a buffer: `bytes` as it is, others as a copy. A `pyarrow.Buffer` exports signed
/// bytes, so it is read through a memoryview.
fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Option<PyBackedBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(PyBackedBytes::from(bytes.clone())));
    }
    match PyMemoryView::from(object) {
        Ok(view) => {
            let copy = view.call_method0("tobytes")?;
            Ok(Some(PyBackedBytes::from(copy.cast_into::<PyBytes>()?)))
        }
        Err(_) => Ok(None),
    }
}

impl Input {
    /// Hands the next bytes to `push`. Returns `false` at the end. The GIL is only held if Python must be called.
    pub(crate) fn read(
        &mut self,
        buffer: &mut Vec<u8>,
        push: impl FnOnce(&[u8]),
    ) -> Result<bool, Failure> {
        loop {
            match self {
                Self::Path(path) => {
                    *self = Self::File(File::open(path).map_err(Failure::Io)?);
                }
                Self::File(file) => {
                    buffer.resize(CHUNK, 0);
                    return match file.read(buffer) {
                        Ok(0) => Ok(false),
                        Ok(n) => {
                            push(buffer.get(..n).unwrap_or(buffer));
                            Ok(true)
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => Err(Failure::Io(error)),
                    };
                }
                Self::Bytes { bytes, read } => {
                    let rest = bytes.get(*read..).unwrap_or_default();
                    let chunk = rest.get(..CHUNK).unwrap_or(rest);
                    *read += chunk.len();
                    push(chunk);
                    return Ok(!chunk.is_empty());
                }
                Self::Object(object) => {
                    let read = Python::attach(|py| read_object(object.bind(py)))?;
                    push(&read);
                    return Ok(!read.is_empty());
                }
            }
        }
    }
}

fn read_object(object: &Bound<'_, PyAny>) -> Result<PyBackedBytes, Failure> {
    let py = object.py();
    let read = object.call_method1("read", (CHUNK,)).map_err(|error| {
        if error.is_instance_of::<PyOSError>(py) {
            Failure::Io(io::Error::from(error))
        } else {
            Failure::Python(error)
        }
    })?;
    let found = bytes(&read).map_err(Failure::Python)?;
    found.ok_or_else(|| {
        let text = "a file object must be opened for reading bytes: open(path, 'rb')";
        Failure::Python(PyTypeError::new_err(text))
    })
}
