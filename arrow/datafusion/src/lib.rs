//! Sitemaps as tables of [DataFusion](https://datafusion.apache.org/):
//! `SELECT host, count(*) FROM sitemaps('…') GROUP BY host`.
//!
//! ```
//! use datafusion::assert_batches_sorted_eq;
//! use datafusion::prelude::SessionContext;
//! use quick_sitemap_datafusion::{SitemapFormat, register};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let context = SessionContext::new();
//! register(&context, SitemapFormat::default());
//! let hosts = context
//!     .sql("SELECT host, count(*) AS pages FROM sitemaps('../../tests/data/urlset.xml*') GROUP BY host")
//!     .await?
//!     .collect()
//!     .await?;
//! // Two files of ten pages each; the third is compressed with brotli, which is an error, and that is a row.
//! let expected = [
//!     "+-----------------+-------+",
//!     "| host            | pages |",
//!     "+-----------------+-------+",
//!     "|                 | 1     |",
//!     "| www.example.com | 20    |",
//!     "+-----------------+-------+",
//! ];
//! assert_batches_sorted_eq!(expected, &hosts);
//! # Ok(())
//! # }
//! ```
//!
//! [`SitemapFormat`] is for a `ListingTable` of your own. [`SitemapTable`] is a table that finds its files in the
//! expected way, and [`register`] makes it available in SQL.

mod format;
mod opener;
mod source;
mod sql;
mod table;

pub use format::SitemapFormat;
pub use source::SitemapSource;
pub use sql::register;
pub use table::SitemapTable;
