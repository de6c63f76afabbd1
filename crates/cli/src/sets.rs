//! Output of pages: one file or a set of sitemaps, compared with the earlier one.

pub(crate) mod alarms;
pub(crate) mod arrange;
pub(crate) mod change;
pub(crate) mod comparison;
pub(crate) mod destination;
pub(crate) mod digest;
pub(crate) mod files;
pub(crate) mod replacement;
pub(crate) mod sort;
pub(crate) mod spool;
pub(crate) mod target;
