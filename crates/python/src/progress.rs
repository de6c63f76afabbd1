//! [`Meter`]: the counts that `on_progress` is called with.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use quick_sitemap_arrow::SourceName;

/// Counts what has been read, and reports it.
pub(crate) struct Meter {
    on_progress: Py<PyAny>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// In the files that have been read.
    pub(crate) entries: u64,
    pub(crate) source: Option<SourceName>,
    reported: Option<Instant>,
}

/// Between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

impl Meter {
    pub(crate) fn new(on_progress: Py<PyAny>) -> Self {
        Self {
            on_progress,
            files: 0,
            bytes: 0,
            entries: 0,
            source: None,
            reported: None,
        }
    }

    /// Reports, unless that was a moment ago. `entries` are those of the file that is being read.
    pub(crate) fn tick(&mut self, entries: u64) -> PyResult<()> {
        if self.reported.is_some_and(|at| at.elapsed() < INTERVAL) {
            return Ok(());
        }
        self.report(entries)
    }

    /// Reports now.
    pub(crate) fn report(&mut self, entries: u64) -> PyResult<()> {
        self.reported = Some(Instant::now());
        let source = self.source.as_ref().map(SourceName::as_str);
        let values = (
            self.files,
            self.bytes,
            self.entries.saturating_add(entries),
            source,
        );
        Python::attach(|py| {
            let class = py.import("_quick_sitemap.reading")?.getattr("Progress")?;
            self.on_progress
                .call1(py, (class.call1(values)?,))
                .map(drop)
        })
    }
}
