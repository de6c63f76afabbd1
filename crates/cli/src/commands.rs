//! The commands: options and wiring. No command imports another.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod crawl;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod write;
