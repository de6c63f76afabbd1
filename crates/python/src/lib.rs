//! The Python module `_quick_sitemap._native`. Its public names are those that `python/quick_sitemap/__init__.py` imports.

mod crawl;
mod crawled;
mod error;
mod page;
mod pages;
mod progress;
mod raised;
mod receiver;
mod records;
mod returned;
mod signals;
mod source;
mod stream;
mod table;
mod turns;
mod value;

use pyo3::prelude::*;

/// The compiled part of quick_sitemap.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::crawl::{Crawl, Ticket};
    #[pymodule_export]
    use crate::error::{
        BrokenGzipError, EmptySitemapWarning, LimitExceededError, NoEntriesError, NotASitemapError,
        SitemapError, SkippedEntriesWarning, TruncatedError,
    };
    #[pymodule_export]
    use crate::page::{_page, Page};
    #[pymodule_export]
    use crate::pages::{Pages, read};
    #[pymodule_export]
    use crate::receiver::{Entries, Receiver};
    #[pymodule_export]
    use crate::table::{Rows, Table, crawl_table, read_many};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // `==` brings all six comparisons into a class, but pages have no order.
        let page = module.py().get_type::<Page>();
        for order in ["__lt__", "__le__", "__gt__", "__ge__"] {
            page.delattr(order)?;
        }
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
