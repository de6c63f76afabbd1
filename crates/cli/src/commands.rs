//! The commands: options and wiring. No command imports another.

pub(crate) mod check;
#[cfg(feature = "full")]
pub(crate) mod completions;
#[cfg(feature = "full")]
pub(crate) mod config;
#[cfg(feature = "full")]
pub(crate) mod crawl;
#[cfg(feature = "full")]
pub(crate) mod diff;
#[cfg(feature = "full")]
pub(crate) mod edit;
pub(crate) mod options;
#[cfg(feature = "full")]
pub(crate) mod probe;
#[cfg(feature = "full")]
pub(crate) mod report;
pub(crate) mod show;
#[cfg(feature = "full")]
pub(crate) mod write;
