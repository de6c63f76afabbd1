//! Splitting into parts, in memory, through the public API.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::panic
)]

mod failures;
mod limits;
mod memory;
mod recorder;
mod single;
