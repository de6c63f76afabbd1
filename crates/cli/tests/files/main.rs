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

#[cfg(unix)]
#[path = "../common/ended.rs"]
mod ended;
#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/served.rs"]
mod served;
#[path = "../../../../tests/common/written.rs"]
mod written;

mod account;
mod check;
mod completions;
mod configured;
mod consoles;
mod findings;
#[cfg(unix)]
mod folders;
mod help;
#[cfg(unix)]
mod hostile;
mod options;
mod page;
mod report;
mod show;
mod two_weeks;
