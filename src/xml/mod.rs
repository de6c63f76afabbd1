//! The syntax of XML, read and written. This is the only folder that imports quick-xml, so that its versions can be
//! changed in one place. What the elements of a sitemap mean is not known here; namespaces are judged by
//! [`vocabulary`](crate::vocabulary), and URLs and dates that are written by their own types.

pub(crate) mod attributes;
pub(crate) mod lexer;
pub(crate) mod namespaces;
pub(crate) mod references;
pub(crate) mod skip;
pub(crate) mod writer;
