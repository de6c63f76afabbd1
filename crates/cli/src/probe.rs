//! What listed pages answer: which are requested, their verdicts, and the results.

pub(crate) mod ask;
pub(crate) mod found;
pub(crate) mod report;
pub(crate) mod results;
mod sample;
pub(crate) mod selection;
