//! The requests for listed pages: the selection, the verdicts, and the results.

pub(crate) mod ask;
pub(crate) mod found;
mod judge;
pub(crate) mod logins;
pub(crate) mod queue;
pub(crate) mod report;
pub(crate) mod results;
mod sample;
pub(crate) mod selection;
