//! [`Crawled`]: record batches of the pages that a crawl finds.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use quick_sitemap_arrow::EntryBatches;

use crate::page::Page;
use crate::receiver::Entries;
use crate::stream::raised;

/// The rows of a crawl, whose loop is an iterator of Python.
pub(crate) struct Crawled {
    /// `None` after its end.
    items: Option<Py<PyIterator>>,
    rows: EntryBatches,
    /// Pages that have no row yet.
    pages: std::vec::IntoIter<Page>,
    /// The sitemap of the latest row.
    sitemap: Option<Arc<str>>,
    is_exported: bool,
}

/// One item that the loop of a crawl yields.
enum Item {
    Pages(Vec<Page>),
    /// The sitemap, the kind and the text of an error.
    Error(String, String, String),
}

impl Crawled {
    pub(crate) fn new(items: Py<PyIterator>, rows: EntryBatches, is_exported: bool) -> Self {
        Self {
            items: Some(items),
            rows,
            pages: Vec::new().into_iter(),
            sitemap: None,
            is_exported,
        }
    }

    /// Returns a full batch, the last one, or `None` at the end. Batches do not end with a sitemap.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if self.rows.is_full() {
                return Ok(self.rows.take()?);
            }
            if let Some(page) = self.pages.next() {
                self.add(&page);
                continue;
            }
            let Some(items) = &self.items else {
                return Ok(self.rows.take()?);
            };
            let item = Python::attach(|py| {
                let next = items.bind(py).clone().next();
                next.map(|item| item_of(&item?)).transpose()
            });
            match item.map_err(|error| raised(error, self.is_exported))? {
                Some(Item::Pages(pages)) => self.pages = pages.into_iter(),
                Some(Item::Error(sitemap, kind, text)) => {
                    self.sitemap = None;
                    self.rows.begin(&sitemap);
                    self.rows.add_error(&kind, &text);
                }
                None => self.close(),
            }
        }
    }

    fn add(&mut self, page: &Page) {
        if let Some(sitemap) = page.listed_in()
            && self.sitemap.as_ref() != Some(sitemap)
        {
            self.rows.begin(sitemap);
            self.sitemap = Some(Arc::clone(sitemap));
        }
        self.rows.add(page.entry(), page.own_issues());
    }

    /// Closes the generator, which closes the responses that are open.
    fn close(&mut self) {
        if self.items.is_some() {
            Python::try_attach(|_| self.items = None);
        }
    }
}

impl Drop for Crawled {
    fn drop(&mut self) {
        self.close();
    }
}

fn item_of(item: &Bound<'_, PyAny>) -> PyResult<Item> {
    if let Ok(entries) = item.cast::<Entries>() {
        return Ok(Item::Pages(entries.get().pages()));
    }
    let (sitemap, kind, text) = item.extract()?;
    Ok(Item::Error(sitemap, kind, text))
}

impl Iterator for Crawled {
    type Item = Result<RecordBatch, ArrowError>;

    /// It may be called with or without the GIL, which is held only while the loop of the crawl runs.
    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::attach(|py| py.detach(|| self.next_batch()));
        if next.is_err() {
            self.close();
            self.pages = Vec::new().into_iter();
        }
        next.transpose()
    }
}
