//! The only home of quick-xml: XML's syntax, read and written.

mod attributes;
mod between;
pub(crate) mod builder;
mod closing;
mod declaration;
pub(crate) mod namespace;
mod outer;
pub(crate) mod reading;
mod resync;
mod root;
mod shortcut;
mod skip;
pub(crate) mod source;
mod tag;
pub(crate) mod text;
pub(crate) mod token;
pub(crate) mod writer;
