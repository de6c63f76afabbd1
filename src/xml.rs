//! The syntax of XML, read and written, independent of the elements of a sitemap. The module
//! [`vocabulary`](crate::vocabulary) classifies namespaces. URLs and dates have their own code for writing.

pub(crate) mod attributes;
pub(crate) mod construct;
pub(crate) mod lexer;
pub(crate) mod name;
pub(crate) mod namespaces;
pub(crate) mod references;
pub(crate) mod stylesheet;
pub(crate) mod writer;
