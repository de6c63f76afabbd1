//! [`Page`]: one entry, as Python sees it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use quick_sitemap::{Entry, Issue, UrlEntry};

use crate::records;
use crate::value;

/// A page, or a sitemap that an index lists.
///
/// Pages do not change, can be copied and pickled, and are equal if everything that the sitemap lists about them is
/// equal. Their issues and their sitemap are not compared, because these depend on where a page was found. Pages
/// cannot be ordered.
///
/// >>> from quick_sitemap import read
/// >>> [page] = read(b"https://example.com/a")
/// >>> page
/// <quick_sitemap.Page 'https://example.com/a'>
/// >>> page.loc, page.host, page.lastmod
/// ('https://example.com/a', 'example.com', None)
#[pyclass(frozen, eq, hash, module = "quick_sitemap")]
#[derive(Debug, Clone)]
pub(crate) struct Page {
    entry: Entry,
    issues: Vec<Issue>,
    /// All pages of a sitemap share it.
    sitemap: Option<Arc<str>>,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.entry == other.entry
    }
}

impl Eq for Page {}

impl Hash for Page {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entry.loc().hash(state);
    }
}

#[pymethods]
impl Page {
    /// 'url' for a page, 'sitemap' for a sitemap that an index lists.
    #[getter]
    fn kind(&self) -> &'static str {
        self.page().map_or("sitemap", |_| "url")
    }

    /// The URL in normalized form: absolute, http or https.
    #[getter]
    fn loc(&self) -> &str {
        self.entry.loc().as_str()
    }

    /// The host of the URL.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.entry.loc().host_str()
    }

    /// The date of the last change: the start of the period that is named, in UTC. None if there is none, or if it is
    /// outside the years 1 to 9999.
    #[getter]
    fn lastmod<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.entry.lastmod() {
            Some(date) => value::datetime(py, date.timestamp_micros()),
            None => Ok(None),
        }
    }

    /// The same date with the precision and the offset that were written, such as '2024-05'.
    #[getter]
    fn lastmod_text(&self) -> Option<String> {
        self.entry.lastmod().map(|date| date.to_string())
    }

    /// One of always, hourly, daily, weekly, monthly, yearly, never; or None.
    #[getter]
    fn changefreq(&self) -> Option<&'static str> {
        self.page()?.changefreq.map(|word| word.as_str())
    }

    /// A number from 0.0 to 1.0; None if there is none, which means 0.5.
    #[getter]
    fn priority(&self) -> Option<f64> {
        Some(self.page()?.priority?.into())
    }

    /// The versions of the page in other languages: a list of Alternate.
    #[getter]
    fn alternates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "alternates")
    }

    /// The images of the page: a list of Image.
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "images")
    }

    /// The videos of the page: a list of Video.
    #[getter]
    fn videos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "videos")
    }

    /// The news article that the page is, as News; None if it is not one.
    #[getter]
    fn news<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "news")
    }

    /// The elements of other namespaces: a list of Element.
    #[getter]
    fn foreign<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "foreign")
    }

    /// The problems of the page, and of entries that were skipped before it: a list of Issue.
    #[getter]
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let issues = records::issues(py, &self.issues)?;
        records::call(py, "of_property", ("issues", issues))
    }

    /// The URL of the sitemap that lists the page, if crawl() or crawl_async() returned it; otherwise None.
    #[getter]
    fn sitemap(&self) -> Option<&str> {
        self.sitemap.as_deref()
    }

    /// All properties as a dict, in which extensions and issues are tuples of dicts.
    ///
    /// >>> from quick_sitemap import read
    /// >>> [page] = read(b"https://example.com/a")
    /// >>> {name: value for name, value in page.to_dict().items() if value}
    /// {'kind': 'url', 'loc': 'https://example.com/a', 'host': 'example.com'}
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item(intern!(py, "kind"), self.kind())?;
        dict.set_item(intern!(py, "loc"), self.loc())?;
        dict.set_item(intern!(py, "host"), self.host())?;
        dict.set_item(intern!(py, "lastmod"), self.lastmod(py)?)?;
        dict.set_item(intern!(py, "lastmod_text"), self.lastmod_text())?;
        dict.set_item(intern!(py, "changefreq"), self.changefreq())?;
        dict.set_item(intern!(py, "priority"), self.priority())?;
        for name in ["alternates", "images", "videos", "news", "foreign"] {
            dict.set_item(name, PyTuple::empty(py))?;
        }
        dict.set_item(intern!(py, "news"), py.None())?;
        let is_plain = |page: &UrlEntry| page.extensions().next().is_none();
        if !self
            .page()
            .is_some_and(|page| is_plain(page) && page.foreign.is_empty())
        {
            let base = ["loc", "lastmod", "changefreq", "priority"];
            records::add_fields(&self.entry, |name| !base.contains(&name), &dict)?;
            records::call(py, "complete", (&dict,))?;
        }
        dict.set_item(intern!(py, "issues"), records::issues(py, &self.issues)?)?;
        dict.set_item(intern!(py, "sitemap"), self.sitemap())?;
        Ok(dict)
    }

    fn _repr_html_<'py>(slf: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let html = py.import("_quick_sitemap.html")?;
        html.call_method1("of_page", (slf,))
    }

    fn __str__(&self) -> &str {
        self.loc()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("<quick_sitemap.Page {}", value::quoted(py, self.loc())?);
        if self.kind() == "sitemap" {
            text += " (a sitemap)";
        }
        for (name, value) in [
            ("lastmod", self.lastmod_text()),
            ("changefreq", self.changefreq().map(str::to_owned)),
            ("priority", self.priority().map(|number| number.to_string())),
        ] {
            let shown = value.map(|value| format!(" {name}={value}"));
            text += &shown.unwrap_or_default();
        }
        if let Some(page) = self.page() {
            for (extension, count) in page.extensions() {
                text += &format!(" {extension}: {count}");
            }
        }
        if !self.issues.is_empty() {
            text += &format!(" issues: {}", self.issues.len());
        }
        Ok(text + ">")
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    /// A page is pickled as JSON, which the library reads again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = json(&(&self.entry, &self.issues, self.sitemap()))?;
        let function = py.import("_quick_sitemap._native")?.getattr("_page")?;
        Ok((function, (text,)))
    }
}

/// A page from its pickle.
#[pyfunction]
pub(crate) fn _page(state: &str) -> PyResult<Page> {
    let (entry, issues, sitemap): (_, _, Option<String>) = serde_json::from_str(state)
        .map_err(|error| PyValueError::new_err(format!("not a pickled page: {error}")))?;
    Ok(Page {
        entry,
        issues,
        sitemap: sitemap.map(Arc::from),
    })
}

impl Page {
    pub(crate) fn new(entry: Entry, issues: Vec<Issue>) -> Self {
        Self {
            entry,
            issues,
            sitemap: None,
        }
    }

    /// A copy of the page, listed by this sitemap.
    pub(crate) fn listed_by(mut self, sitemap: &Arc<str>) -> Self {
        self.sitemap = Some(Arc::clone(sitemap));
        self
    }

    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    pub(crate) fn own_issues(&self) -> &[Issue] {
        &self.issues
    }

    pub(crate) fn listed_in(&self) -> Option<&Arc<str>> {
        self.sitemap.as_ref()
    }

    fn page(&self) -> Option<&UrlEntry> {
        self.entry.as_url()
    }

    /// A list of the page, or its article. A sitemap has no such parts, except elements of other namespaces.
    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let fields = PyDict::new(py);
        records::add_fields(&self.entry, |field| field == name, &fields)?;
        match fields.get_item(name)? {
            Some(value) => records::call(py, "of_property", (name, value)),
            None if name == "news" => Ok(py.None().into_bound(py)),
            None => Ok(PyList::empty(py).into_any()),
        }
    }
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
