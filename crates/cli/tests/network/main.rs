//! The commands that fetch, as they are run, on sites that are served on loopback.

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

mod crawl_login;
#[cfg(unix)]
mod crawl_resume;
mod crawl_site;
mod diff_sides;
mod help;
mod live;
#[cfg(unix)]
mod looked;
mod probe;
mod proxies;
#[cfg(unix)]
mod questions;
