//! Parts of entries, and issues, as Python values: dicts and tuples, of which `records.py` makes dataclasses and lists.

use std::iter::Peekable;
use std::vec::IntoIter;

use pyo3::IntoPyObjectExt;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use quick_sitemap::extension::Part;
use quick_sitemap::extension::foreign::{Element, Node};
use quick_sitemap::{Entry, Issue};
use quick_sitemap_arrow::message;

use crate::value;

/// A part that was visited: the number of names that lead to it, and the last of them.
struct Visited<'py> {
    depth: usize,
    name: &'static str,
    found: Found<'py>,
}

enum Found<'py> {
    List(usize),
    Struct,
    Value(Bound<'py, PyAny>),
}

/// The parts that follow, in the order of the visit.
type Rest<'py> = Peekable<IntoIter<Visited<'py>>>;

/// Puts the fields of an entry that are `wanted` into a dict.
pub(crate) fn add_fields(
    entry: &Entry,
    wanted: impl Fn(&str) -> bool,
    fields: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let py = fields.py();
    let mut parts = Vec::new();
    let mut visit = |names: &[&'static str], part: Part<'_>| {
        // The first part has no name, because it is the entry. A field without a value keeps its default.
        if let [first, ..] = names
            && let Some(name) = names.last()
            && wanted(first)
            && part != Part::Absent
        {
            let depth = names.len();
            let found = found(py, part);
            parts.push(found.map(|found| Visited { depth, name, found }));
        }
    };
    match entry {
        Entry::Url(page) => page.visit(&mut visit),
        Entry::Sitemap(sitemap) => sitemap.visit(&mut visit),
    }
    let parts: PyResult<Vec<_>> = parts.into_iter().collect();
    let mut parts = parts?.into_iter().peekable();
    while let Some(part) = parts.next() {
        let name = part.name;
        fields.set_item(name, value_of(py, part, &mut parts)?)?;
    }
    Ok(())
}

fn found<'py>(py: Python<'py>, part: Part<'_>) -> PyResult<Found<'py>> {
    let value = match part {
        Part::List(items) => return Ok(Found::List(items)),
        Part::Struct => return Ok(Found::Struct),
        Part::Text(text) => text.into_bound_py_any(py),
        Part::Url(url) => url.as_str().into_bound_py_any(py),
        Part::Date(date) => value::datetime(py, date.timestamp_micros())?.into_bound_py_any(py),
        Part::Decimal(number) => number.into_bound_py_any(py),
        Part::Integer(number) => number.into_bound_py_any(py),
        Part::Flag(flag) => flag.into_bound_py_any(py),
        Part::Element(element) => element_of(py, element),
        // A type of value that is new in the library.
        other => format!("{other:?}").into_bound_py_any(py),
    };
    value.map(Found::Value)
}

fn value_of<'py>(
    py: Python<'py>,
    part: Visited<'py>,
    rest: &mut Rest<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match part.found {
        Found::Value(value) => Ok(value),
        Found::List(items) => {
            let mut values = Vec::new();
            while values.len() < items
                && let Some(item) = rest.next()
            {
                values.push(value_of(py, item, rest)?);
            }
            tuple(py, values)
        }
        Found::Struct => {
            let fields = PyDict::new(py);
            add(part.depth, rest, &fields, "")?;
            Ok(fields.into_any())
        }
    }
}

/// Adds the fields of a structure. Those of a structure within it are its own, such as `player_loc`.
fn add<'py>(
    depth: usize,
    rest: &mut Rest<'py>,
    fields: &Bound<'py, PyDict>,
    parent: &str,
) -> PyResult<()> {
    while let Some(part) = rest.next_if(|part| part.depth > depth) {
        // The name of the attribute is a keyword of Rust.
        let name = Some(part.name)
            .filter(|name| *name != "kind")
            .unwrap_or("type");
        let name = match name.strip_prefix(parent) {
            Some(_) => name.to_owned(),
            None => format!("{parent}_{name}"),
        };
        match part.found {
            Found::Struct => add(part.depth, rest, fields, &name)?,
            _ => fields.set_item(name, value_of(fields.py(), part, rest)?)?,
        }
    }
    Ok(())
}

/// Python's garbage collector looks at every list, but not at an empty tuple, nor at a dict without lists.
fn tuple<'py>(py: Python<'py>, values: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyTuple::new(py, values)?.into_any())
}

fn element_of<'py>(py: Python<'py>, element: &Element) -> PyResult<Bound<'py, PyAny>> {
    let attributes = element.attributes.iter().map(|attribute| {
        let fields = PyDict::new(py);
        fields.set_item("name", &attribute.name)?;
        fields.set_item("namespace", attribute.namespace.as_str())?;
        fields.set_item("value", &attribute.value)?;
        Ok(fields.into_any())
    });
    let children = element.children.iter().map(|child| match child {
        Node::Element(child) => element_of(py, child),
        Node::Text(text) => text.into_bound_py_any(py),
    });
    let fields = PyDict::new(py);
    fields.set_item("name", &element.name)?;
    fields.set_item("namespace", element.namespace.as_str())?;
    fields.set_item("prefix", &element.prefix)?;
    let attributes: PyResult<_> = attributes.collect();
    fields.set_item("attributes", tuple(py, attributes?)?)?;
    let children: PyResult<_> = children.collect();
    fields.set_item("children", tuple(py, children?)?)?;
    Ok(fields.into_any())
}

/// Issues as a tuple of dicts.
pub(crate) fn issues<'py>(py: Python<'py>, issues: &[Issue]) -> PyResult<Bound<'py, PyAny>> {
    let values = issues.iter().map(|issue| {
        let fields = PyDict::new(py);
        fields.set_item("rule", issue.rule().name())?;
        fields.set_item("effect", issue.effect.name())?;
        fields.set_item("message", message(&issue.violation.to_string()))?;
        fields.set_item("line", issue.position.line())?;
        fields.set_item("column", issue.position.column())?;
        fields.set_item("byte", issue.position.byte())?;
        Ok(fields.into_any())
    });
    tuple(py, values.collect::<PyResult<_>>()?)
}

/// Calls a function of `records.py`.
pub(crate) fn call<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || py.import("_quick_sitemap.records").map(Bound::unbind);
    let records = RECORDS.get_or_try_init(py, import)?;
    records.bind(py).call_method1(function, arguments)
}
