//! Sitemaps as [Arrow](https://arrow.apache.org/) record batches, for the engines that take them: Spark, DuckDB,
//! DataFusion, Polars, pandas.
//!
//! [`Batches`] reads one file, [`BatchDecoder`] is pushed the bytes of many. Reading is that of [`quick_sitemap`]: XML,
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
//! for batch in Batches::from_reader(text.as_bytes()) {
//!     let batch = batch?;
//!     let column = |column: Column| batch.column_by_name(column.name()).unwrap();
//!     assert_eq!(column(Column::Loc).as_string::<i32>().value(1), "https://example.com/b");
//!     assert_eq!(column(Column::Lastmod).as_primitive::<TimestampMicrosecondType>().value(0), 1_714_521_600_000_000);
//!     assert_eq!(column(Column::Priority).as_primitive::<Float64Type>().value(0), 0.8);
//! }
//! # Ok::<(), quick_sitemap_arrow::arrow_schema::ArrowError>(())
//! ```
//!
//! # Rows
//!
//! A row is an entry, or an error that ended the reading of a file ([`Fatal::Row`], the default), which comes after the
//! rows that could be read. The rows are those that typed reading gives: what is skipped there is no row here. Neither
//! their number nor their order depends on the [columns](Column) that are asked for, on the size of batches, or on how
//! the bytes are cut into pushes.
//!
//! An entry whose loc is spelt as `Url` spells it, and whose values are as the protocol has them, is taken from the text
//! as it stands, and nothing is allocated for it; any other is interpreted. A projection saves what it leaves out:
//! extensions are only read if a column of theirs is asked for.
//!
//! # Memory
//!
//! A batch has at most 8,192 rows and 16 MiB ([`batch_rows`](BatchesBuilder::batch_rows),
//! [`batch_bytes`](BatchesBuilder::batch_bytes)), and one row more than those bytes if that row is large. Beside it there
//! is what the reader holds: a window of 64 KiB of text, or what the largest entry needs. An array of `source`, `kind` or
//! `error` that has one text, or none, in all its rows, as in the middle of a large file, is kept until a batch has another,
//! and equal batches share it.
//!
//! # Versions of Arrow
//!
//! Two majors of arrow-array, arrow-buffer and arrow-schema will do, 59 and 60, so that a program can have the one that
//! its engine has. Cargo does not unify them by itself: where it has locked the newer one beside an engine that wants the
//! older, the types don't match, and
//!
//! ```text
//! cargo update --precise 59.3.2 arrow-array@60.1.0
//! cargo update --precise 59.3.2 arrow-buffer@60.1.0
//! cargo update --precise 59.3.2 arrow-schema@60.1.0
//! ```
//!
//! puts that right, in this order (the other way round with the versions exchanged). They are [re-exported](arrow_array). Arrow 60 wants Rust 1.88, 59 takes the
//! 1.86 of this crate.

mod batches;
mod builder;
mod cells;
mod columns;
mod decoder;
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
pub use error::Error;
pub use options::Fatal;
pub use skipped::Skipped;
pub use source_name::{SourceName, message};
