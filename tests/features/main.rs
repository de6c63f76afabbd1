//! Reading in every build: `.ci/run` runs this with the default features, and with none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;

mod absent;
mod io;
mod items;
