//! Read and write sitemaps.

#![cfg_attr(test, allow(clippy::string_slice))]

mod decoder;
mod engine;
mod entry;
mod error;
pub mod extension;
mod input;
mod limits;
mod location;
mod position;
mod raw;
mod reader;
mod report;
pub mod robots;
#[cfg(feature = "serde")]
mod serde;
mod source;
mod split;
mod tape;
mod value;
mod violation;
mod writer;
mod xml;

pub use chrono;
pub use url;

pub use decoder::{Decoder, Step};
pub use entry::{Attribute, Element, Entry, Node, SitemapEntry, UrlEntry};
pub use error::{Error, ErrorKind, Result};
pub use extension::{Alternate, Image, News, Video};
pub use limits::Limits;
pub use position::Position;
pub use raw::{EntryKind, RawAttributes, RawElement, RawElements, RawEntry};
pub use reader::{Format, Reader, ReaderBuilder};
pub use split::{Directory, Earlier, PartFile, Parts, SplitWriter};
pub use value::{ChangeFreq, Precision, Priority, W3cDatetime};
pub use violation::{Effect, Issue, Policy, Rule, Violation};
pub use writer::{IndexWriter, Namespace, TextWriter, UrlsetWriter, WriterBuilder};
