//! Judgements beyond the rules of the library: one table of verdicts with severities, dates, duplicates, hreflang.

pub(crate) mod advice;
mod deprecated;
pub(crate) mod entry_source;
mod lastmods;
pub(crate) mod rules;
mod unknown;
pub(crate) mod verdicts;
