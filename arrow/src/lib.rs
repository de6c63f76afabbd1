//! Sitemaps as Arrow record batches, for the engines that take them.

mod batches;
mod builder;
mod cells;
mod columns;
mod decoder;
mod error;
mod extensions;
mod issues;
mod rows;

pub use arrow_array;
pub use arrow_schema;
pub use quick_sitemap;

pub use batches::Batches;
pub use builder::{BatchesBuilder, Fatal};
pub use columns::{Column, UnknownColumn};
pub use decoder::BatchDecoder;
pub use error::Error;
