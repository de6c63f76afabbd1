//! XML's syntax, read and written. The only home of quick-xml; nothing here knows a sitemap.

pub(crate) mod attributes;
pub(crate) mod lexer;
pub(crate) mod namespaces;
pub(crate) mod references;
pub(crate) mod skip;
pub(crate) mod writer;
