//! The Python module `quick_sitemap._native`; what is public of it is in `python/quick_sitemap/__init__.py`.

mod batches;
mod error;
mod page;
mod pages;
mod source;
mod stream;

use pyo3::prelude::*;

/// The compiled part of quick_sitemap.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::batches::{Batches, read_many};
    #[pymodule_export]
    use crate::error::{
        BrokenGzipError, LimitExceededError, NotASitemapError, SitemapError, TruncatedError,
    };
    #[pymodule_export]
    use crate::page::Page;
    #[pymodule_export]
    use crate::pages::{Pages, read};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = quick_sitemap_arrow::Column::ALL
            .iter()
            .map(|column| column.name());
        module.add("COLUMNS", names.collect::<Vec<_>>())?;
        let names = quick_sitemap_arrow::Column::DEFAULT
            .iter()
            .map(|column| column.name());
        module.add("DEFAULT_COLUMNS", names.collect::<Vec<_>>())
    }
}
