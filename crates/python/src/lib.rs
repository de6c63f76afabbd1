//! The Python module `_quick_sitemap._native`. Its public names are those that `python/quick_sitemap/__init__.py` imports.

mod clock;
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
use quick_sitemap_arrow::Column;

/// The compiled part of quick_sitemap.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::clock::now;
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
        let names =
            |columns: &[Column]| -> Vec<_> { columns.iter().map(|column| column.name()).collect() };
        module.add("COLUMNS", names(Column::ALL))?;
        module.add("DEFAULT_COLUMNS", names(Column::DEFAULT))
    }
}
