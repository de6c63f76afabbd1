//! The order of the modules, and the links of pages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

mod levels;
mod links;
