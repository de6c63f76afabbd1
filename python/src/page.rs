use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use quick_sitemap::chrono::{Datelike, Timelike};
use quick_sitemap::{Entry, UrlEntry};
use serde::Serialize;

/// A page, or a sitemap that an index lists.
#[pyclass(frozen, eq, hash, module = "quick_sitemap")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page(pub(crate) Entry);

impl Hash for Page {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.loc().hash(state);
    }
}

#[pymethods]
impl Page {
    /// 'url' for a page, 'sitemap' for a sitemap that an index lists.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0 {
            Entry::Url(_) => "url",
            Entry::Sitemap(_) => "sitemap",
        }
    }

    /// The URL, normalised: absolute, http or https.
    #[getter]
    fn loc(&self) -> &str {
        self.0.loc().as_str()
    }

    /// The host of the URL.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.0.loc().host_str()
    }

    /// When it was last changed: the start of the period that is named, in UTC. None if it is not said.
    #[getter]
    fn lastmod<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(date) = self.0.lastmod() else {
            return Ok(None);
        };
        let start = date.start().naive_utc();
        let datetime = py.import("datetime")?;
        let utc = datetime.getattr("timezone")?.getattr("utc")?;
        let parts = (
            start.year(),
            start.month(),
            start.day(),
            start.hour(),
            start.minute(),
            start.second(),
            start.nanosecond() / 1000,
            utc,
        );
        datetime.getattr("datetime")?.call1(parts).map(Some)
    }

    /// The same with the precision and the offset that were written, such as '2024-05'.
    #[getter]
    fn lastmod_text(&self) -> Option<String> {
        self.0.lastmod().map(|date| date.to_string())
    }

    /// One of always, hourly, daily, weekly, monthly, yearly, never; or None.
    #[getter]
    fn changefreq(&self) -> Option<&'static str> {
        self.page()?.changefreq.map(|word| word.as_str())
    }

    /// From 0.0 to 1.0; None, which counts as 0.5, if it is not said.
    #[getter]
    fn priority(&self) -> Option<f64> {
        let priority = self.page()?.priority?;
        priority.to_string().parse().ok()
    }

    /// The versions of the page in other languages: dicts with 'hreflang' and 'href'.
    #[getter]
    fn alternates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.page().map_or(&[][..], |page| &page.alternates))
    }

    /// The images of the page: dicts with 'loc' and what else is said.
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.page().map_or(&[][..], |page| &page.images))
    }

    /// The videos of the page, as dicts.
    #[getter]
    fn videos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.page().map_or(&[][..], |page| &page.videos))
    }

    /// The news article that the page is, as a dict; None if it is none.
    #[getter]
    fn news<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.page().and_then(|page| page.news.as_deref()))
    }

    fn __str__(&self) -> &str {
        self.loc()
    }

    fn __repr__(&self) -> String {
        format!("<quick_sitemap.Page {}>", self.loc())
    }
}

impl Page {
    fn page(&self) -> Option<&UrlEntry> {
        self.0.as_url()
    }
}

/// What the library's serialization gives, as Python has it. Absent parts are left out, dates are as they are written.
fn python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value)
        .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
