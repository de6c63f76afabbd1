//! Judgements beyond the rules of the library: one table of verdicts with severities, dates, duplicates, hreflang.

pub(crate) mod advice;
mod codes;
pub(crate) mod dates;
mod deprecated;
pub(crate) mod digest;
pub(crate) mod duplicates;
pub(crate) mod entry_source;
pub(crate) mod excerpt;
pub(crate) mod finding;
pub(crate) mod host_changes;
pub(crate) mod hreflang;
pub(crate) mod lastmods;
mod links;
pub(crate) mod page_hash;
pub(crate) mod page_key;
pub(crate) mod rules;
pub(crate) mod sites;
pub(crate) mod urls;
pub(crate) mod verdicts;
mod videos;
pub(crate) mod wellformed;
