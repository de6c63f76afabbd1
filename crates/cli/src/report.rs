//! A report: what sitemaps hold and what is wrong with them, as figures, as a page and as JSON.

pub(crate) mod changes;
pub(crate) mod earlier;
pub(crate) mod figures;
pub(crate) mod found;
pub(crate) mod gather;
pub(crate) mod history;
pub(crate) mod model;
pub(crate) mod output;
pub(crate) mod page;
pub(crate) mod probed;
pub(crate) mod sections;
pub(crate) mod terminal;
pub(crate) mod words;
