//! Output of pages: one file or a set of sitemaps, compared with the earlier one.

pub(crate) mod alarms;
pub(crate) mod arrange;
pub(crate) mod change;
pub(crate) mod comparison;
mod concerns;
mod left;
pub(crate) mod options;
mod robots;
mod section;
pub(crate) mod target;
mod writer;
