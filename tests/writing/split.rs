//! Splitting into parts, in memory, through the public API.

mod failures;
mod limits;
mod memory;
mod recorder;
mod single;
