//! A set in a directory, through the public API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr
)]

mod directory;
#[cfg(unix)]
mod dry_run;
mod folder;
mod guards;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod keep;
#[cfg(unix)]
mod neighbours;
mod new_file;
#[cfg(unix)]
mod one_name;
#[path = "../../../../tests/common/schema.rs"]
mod schema;
mod single;
#[cfg(unix)]
mod switching;
