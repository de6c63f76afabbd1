//! Hostile inputs: what they cost in memory and time is bounded.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;

mod growth;
mod memory;
