//! The commands that write, and the pages that show their output.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

#[cfg(unix)]
#[path = "../common/ended.rs"]
mod ended;
#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/served.rs"]
mod served;

mod readme;
mod write_edit;
