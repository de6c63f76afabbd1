//! The values of an entry: each parsed, salvaged and printed in one place.

mod changefreq;
mod datetime;
pub(crate) mod decimal;
pub(crate) mod escape;
mod language;
pub(crate) mod location;
mod namespace;
mod priority;
mod text;
pub(crate) mod url;
mod words;

pub use changefreq::ChangeFreq;
pub use datetime::{Precision, W3cDatetime};
pub use language::LanguageTag;
pub use namespace::NamespaceUri;
pub use priority::Priority;
pub(crate) use words::words;
