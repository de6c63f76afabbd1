//! The library with runtimes, servers and object stores, and the chapters of the cookbook that use them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../../../../docs/cookbook/serve_body.rs"]
mod serve_body;

mod miette;
mod object_store;
mod serve;
mod streams;
mod versions;
