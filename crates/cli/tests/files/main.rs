//! The commands that read local files, as they are run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

#[cfg(all(unix, feature = "full"))]
#[path = "../common/ended.rs"]
mod ended;
#[path = "../common/program.rs"]
mod program;
#[cfg(feature = "full")]
#[path = "../common/served.rs"]
mod served;

mod check;
#[cfg(feature = "full")]
mod completions;
#[cfg(feature = "full")]
mod configured;
mod findings;
#[cfg(all(unix, feature = "full"))]
mod folders;
#[cfg(all(unix, feature = "full"))]
mod hostile;
#[cfg(feature = "full")]
mod options;
#[cfg(feature = "full")]
mod recount;
#[cfg(feature = "full")]
mod report;
mod show;
#[cfg(feature = "full")]
mod two_weeks;
