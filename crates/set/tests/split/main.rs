//! Splitting into parts, in memory and in a directory, through the public API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr
)]

mod carrying_on;
mod directory;
mod failures;
mod folder;
mod guards;
#[cfg(unix)]
mod interrupted;
mod kill;
mod limits;
mod memory;
#[cfg(unix)]
mod neighbours;
#[cfg(unix)]
mod one_name;
#[path = "../common/schema.rs"]
mod schema;
mod single;
#[cfg(unix)]
mod switching;
