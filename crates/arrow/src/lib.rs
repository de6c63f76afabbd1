//! Sitemaps as [Arrow](https://arrow.apache.org/) record batches, for engines such as Spark, DuckDB, DataFusion, Polars
//! and pandas.
//!
//! [`Batches`] reads one file; [`BatchDecoder`] reads many, whose bytes you push. Both read with [`quick_sitemap`]: XML,
//! text, RSS and Atom, gzipped or not, broken or not, in constant memory.
//!
//! ```
//! use quick_sitemap_arrow::arrow_array::cast::AsArray;
//! use quick_sitemap_arrow::arrow_array::types::{Float64Type, TimestampMicrosecondType};
//! use quick_sitemap_arrow::{Batches, Column};
//!
//! let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!   <url><loc>https://example.com/a</loc><lastmod>2024-05</lastmod><priority>0.8</priority></url>
//!   <url><loc>https://EXAMPLE.com/b</loc></url>
//! </urlset>";
//! let mut rows = 0;
//! for batch in Batches::from_reader(text.as_bytes()) {
//!     let batch = batch?;
//!     let column = |column: Column| batch.column_by_name(column.name()).unwrap();
//!     assert_eq!(column(Column::Loc).as_string::<i32>().value(1), "https://example.com/b");
//!     assert_eq!(column(Column::Lastmod).as_primitive::<TimestampMicrosecondType>().value(0), 1_714_521_600_000_000);
//!     assert_eq!(column(Column::Priority).as_primitive::<Float64Type>().value(0), 0.8);
//!     rows += batch.num_rows();
//! }
//! assert_eq!(rows, 2);
//! # Ok::<(), quick_sitemap_arrow::arrow_schema::ArrowError>(())
//! ```
//!
//! # Rows
//!
//! A row is an entry or an error. By default ([`Fatal::Row`]), two kinds of errors are rows: an error that ended a file,
//! after the rows that could be read, and the error that a file has no entries. So every file has at least one row. The last
//! row of each file has the number of entries that were skipped ([`Column::Skipped`]).
//!
//! The rows are those that typed reading returns: an entry that is skipped there is not a row here. Neither their number
//! nor their order depends on the [columns](Column) that you choose, on the size of batches, or on how the bytes are
//! divided into chunks.
//!
//! An entry whose loc is in normalized form, and whose values are in the protocol's form, is copied from the text as it is,
//! without an allocation. Every other entry is interpreted. A projection saves the work for columns that it leaves out:
//! extensions are only read if one of their columns is requested.
//!
//! # Memory
//!
//! By default, a batch has at most 8,192 rows and 16 MiB ([`batch_rows`](BatchesBuilder::batch_rows),
//! [`batch_bytes`](BatchesBuilder::batch_bytes)), and can exceed those bytes by one row. The reader adds a window of 64 KiB
//! of text, or the size of the largest entry. If all rows of a batch have the same `source`, `kind` or `error`, the array of
//! this column is kept, and later batches with the same text share it.
//!
//! # Versions of Arrow
//!
//! The crate works with two major versions of arrow-array, arrow-buffer and arrow-schema, 59 and 60, so that a program can
//! use the version of its engine. Take the types of Arrow from the re-exports [`arrow_array`] and [`arrow_schema`], whose
//! version is that of the batches. Cargo selects the newest version. So if your engine requires 59, both may end up in the
//! lock file, and their types do not match. One command selects 59 for all crates of Arrow:
//!
//! ```text
//! cargo update arrow-array@60 --precise 59.3.2
//! ```
//!
//! Both versions build with Rust 1.89, which this crate needs.

mod batches;
mod builder;
mod cells;
mod columns;
mod decoder;
mod entry_batches;
mod error;
mod extensions;
mod issues;
mod options;
mod plain;
mod row;
mod rows;
mod skipped;
mod source_name;
mod typed;

pub use arrow_array;
pub use arrow_schema;
pub use quick_sitemap;

pub use batches::Batches;
pub use builder::BatchesBuilder;
pub use columns::{Column, UnknownColumn};
pub use decoder::BatchDecoder;
pub use entry_batches::EntryBatches;
pub use error::Error;
pub use options::Fatal;
pub use skipped::Skipped;
pub use source_name::{SourceName, message};
