//! Findings, where they go, and the forms in which they are written.

pub(crate) mod answered;
pub(crate) mod baseline;
pub(crate) mod checker;
pub(crate) mod form;
pub(crate) mod format;
pub(crate) mod identity;
pub(crate) mod must_list;
pub(crate) mod report;
pub(crate) mod settings;
pub(crate) mod sink;
pub(crate) mod summary;
pub(crate) mod tally;
pub(crate) mod totals;
