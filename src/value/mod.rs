//! The values of an entry: each parsed, salvaged and printed in one place.

mod changefreq;
mod datetime;
pub(crate) mod decimal;
mod priority;
pub(crate) mod url_assembly;

pub use changefreq::ChangeFreq;
pub use datetime::{Precision, W3cDatetime};
pub use priority::Priority;
