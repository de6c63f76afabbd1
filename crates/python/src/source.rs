//! [`Source`]: a file and where its bytes come from.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyException, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString, PyTuple};
use quick_sitemap::url::Url;
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
    /// One that a callable has opened.
    Opened(Opened),
    /// Returns any of the others. It is called when the source's turn comes.
    Callable(Py<PyAny>),
}

/// An object that a callable has opened for us, and that we close: at its end, or when no more of it is needed.
pub(crate) struct Opened(Py<PyAny>);

impl Drop for Opened {
    fn drop(&mut self) {
        // Not while the interpreter ends.
        Python::try_attach(|py| {
            // Another exception can be on its way, which the call would clear.
            let raised = PyErr::take(py);
            let object = self.0.bind(py);
            if let Err(error) = object.call_method0("close")
                && !error.is_instance_of::<PyException>(py)
            {
                // Nothing that is read depends on it, but an interrupt must not vanish.
                error.write_unraisable(py, Some(object));
            }
            if let Some(raised) = raised {
                raised.restore(py);
            }
        });
    }
}

/// The reason why there are no bytes.
pub(crate) enum Failure {
    /// The input failed, or an exception of the caller's code that provides it.
    Io(io::Error),
    /// A source of a wrong type, or an interrupt.
    Python(PyErr),
}

/// Bytes that are requested at a time: even if each of them becomes a thousand when they are unpacked, that takes less
/// than a tenth of a second.
const CHUNK: usize = 32 << 10;

impl Source {
    /// A path, bytes, a file object, a callable that returns one of these, or a pair of a name and one of these.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(pair) = object.cast::<PyTuple>() else {
            return Self::unnamed(object);
        };
        let (name, object): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            pair.extract().map_err(|_| {
                let text =
                    "a tuple must be (name, bytes), (name, file), (name, path) or (name, callable)";
                PyTypeError::new_err(text)
            })?;
        let source = Self::unnamed(&object)?;
        let name = if name.is_none() {
            None
        } else if let Some(name) = text_of(&name) {
            Some(name)
        } else {
            return Err(PyTypeError::new_err(format!(
                "the name of a source must be a str or None, not {}",
                message(&name.get_type().name()?.to_string())
            )));
        };
        Ok(Self {
            name: name.or(source.name),
            ..source
        })
    }

    /// Detects the kind of a source by its content: bytes, an object with `read`, a function that returns bytes, or a
    /// path.
    fn unnamed(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(bytes) = bytes(object)? {
            let input = Input::Bytes { bytes, read: 0 };
            return Ok(Self { name: None, input });
        }
        if object.hasattr("read")? {
            let name = object.getattr("name").ok();
            return Ok(Self {
                name: name.and_then(|name| text_of(&name)),
                input: Input::Object(object.clone().unbind()),
            });
        }
        if !is_path(object)? {
            if object.is_callable() {
                let input = Input::Callable(object.clone().unbind());
                return Ok(Self { name: None, input });
            }
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "a path, bytes, a file object or a callable is expected, not {}",
                message(&found.to_string())
            )));
        }
        let path: PathBuf = object.extract()?;
        Ok(Self {
            name: Some(path.to_string_lossy().into_owned()),
            input: Input::Path(path),
        })
    }

    /// Returns `true` if this is one source, not an iterable of several. Two texts are two paths; a name and a body are
    /// a pair.
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

/// A text, with U+FFFD for what is not Unicode, such as the bytes of a file's name.
fn text_of(object: &Bound<'_, PyAny>) -> Option<String> {
    let text = object.cast::<PyString>().ok()?;
    Some(text.to_string_lossy().into_owned())
}

fn is_path(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?)
}

/// Bytes, an object that can be read, or a callable. (A collection that can be called is a collection.)
fn is_body(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(view_of_bytes(object)?.is_some()
        || object.hasattr("read")?
        || (object.is_callable() && !object.hasattr("__iter__")?))
}

/// Opens a file. If it cannot be opened because it is something else, the error names what to pass instead.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        let text = "this is a folder; pass its files, such as sorted(pathlib.Path(folder).glob('**/*.xml*'))";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, text));
    }
    File::open(path).map_err(|error| {
        let text = path.to_string_lossy();
        let hint = if is_url(&text) {
            "this is a URL, and nothing is fetched; pass a callable that opens it, such as (url, lambda: urllib.request.urlopen(url))"
        } else if error.kind() == io::ErrorKind::NotFound && text.contains(['*', '?', '[']) {
            "there is no such file; if this is a pattern, pass its files: sorted(glob.glob(pattern, recursive=True))"
        } else {
            return error;
        };
        io::Error::new(io::ErrorKind::NotFound, hint)
    })
}

/// Begins with a scheme and two slashes, as `https://` and `s3://` do.
fn is_url(text: &str) -> bool {
    // A letter is a drive of Windows.
    let has_scheme = text.find("://").is_some_and(|len| len > 1);
    has_scheme && Url::parse(text).is_ok()
}

/// The bytes of anything that exports a buffer: `bytes` as it is, others as a copy. A `pyarrow.Buffer` exports signed
/// bytes, so it is read through a memoryview.
fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Option<PyBackedBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(PyBackedBytes::from(bytes.clone())));
    }
    let Some(view) = view_of_bytes(object)? else {
        return Ok(None);
    };
    let copy = view.call_method0("tobytes")?;
    Ok(Some(PyBackedBytes::from(copy.cast_into::<PyBytes>()?)))
}

/// The buffer of an object, if its items are bytes. The items of an array of texts or objects are not, but it can be iterated
/// over.
fn view_of_bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
    let Ok(view) = PyMemoryView::from(object) else {
        return Ok(None);
    };
    let size: usize = view.getattr("itemsize")?.extract()?;
    Ok((size == 1).then_some(view))
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
                    *self = Self::File(open(path).map_err(Failure::Io)?);
                }
                Self::Callable(callable) => {
                    *self = Python::attach(|py| opened(callable.bind(py)))?;
                }
                Self::File(file) => {
                    buffer.resize(CHUNK, 0);
                    return match file.read(buffer) {
                        Ok(0) => Ok(false),
                        Ok(n) => {
                            push(buffer.get(..n).unwrap_or(buffer));
                            Ok(true)
                        }
                        // A signal interrupted the call; it can be Ctrl-C.
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                            Python::attach(|py| py.check_signals()).map_err(Failure::Python)?;
                            continue;
                        }
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
                Self::Object(object) | Self::Opened(Opened(object)) => {
                    let read = Python::attach(|py| read_object(object.bind(py)))?;
                    push(&read);
                    return Ok(!read.is_empty());
                }
            }
        }
    }
}

/// Calls the callable, and returns its input.
fn opened(callable: &Bound<'_, PyAny>) -> Result<Input, Failure> {
    let object = callable
        .call0()
        .map_err(|error| failure(callable.py(), error))?;
    let source = Source::unnamed(&object).map_err(Failure::Python)?;
    match source.input {
        Input::Object(object) => Ok(Input::Opened(Opened(object))),
        Input::Callable(_) => Err(Failure::Python(PyTypeError::new_err(
            "a callable must return a path, bytes or a file object, not another callable",
        ))),
        input => Ok(input),
    }
}

/// An exception of the caller's code is an error of this source. KeyboardInterrupt, SystemExit and the like are not.
fn failure(py: Python<'_>, error: PyErr) -> Failure {
    if error.is_instance_of::<PyOSError>(py) {
        Failure::Io(io::Error::from(error))
    } else if error.is_instance_of::<PyException>(py) {
        Failure::Io(io::Error::other(error))
    } else {
        Failure::Python(error)
    }
}

fn read_object(object: &Bound<'_, PyAny>) -> Result<PyBackedBytes, Failure> {
    let read = object
        .call_method1("read", (CHUNK,))
        .map_err(|error| failure(object.py(), error))?;
    let found = bytes(&read).map_err(Failure::Python)?;
    found.ok_or_else(|| {
        let text = "a file object must be opened for reading bytes: open(path, 'rb')";
        Failure::Python(PyTypeError::new_err(text))
    })
}
