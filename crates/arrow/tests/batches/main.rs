//! Sitemaps as record batches.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

mod common;
mod errors;
mod parquet;
mod rows;
