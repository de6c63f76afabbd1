//! Reading and writing [sitemaps](https://www.sitemaps.org/protocol.html) in constant memory. This crate reads XML
//! sitemaps, sitemap indexes, text sitemaps, and RSS and Atom feeds, gzipped or not. It writes all of these except feeds.
//! It reads as much as it can of a broken sitemap, and reports every problem with its line and column.
//!
//! Read:
//!
//! ```no_run
//! use quick_sitemap::Reader;
//!
//! for entry in Reader::from_path("sitemap.xml.gz")? {
//!     println!("{}", entry?.loc());
//! }
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! Read and report problems, also those of entries that must be skipped:
//!
//! ```no_run
//! use quick_sitemap::Reader;
//!
//! for outcome in Reader::from_path("sitemap.xml.gz")?.outcomes() {
//!     for issue in &outcome.issues {
//!         eprintln!("{issue}"); // 3:14: priority `1.5` is not a number from 0.0 to 1.0; value dropped
//!     }
//!     if let Some(entry) = outcome.entry? {
//!         println!("{}", entry.loc());
//!     }
//! }
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! Write, rejecting every entry that would break a rule:
//!
//! ```
//! use quick_sitemap::{UrlEntry, UrlsetWriter};
//!
//! let mut writer = UrlsetWriter::new(Vec::new()); // or a file, a response, a `GzEncoder` of flate2
//! writer.write(&UrlEntry::try_from("https://example.com/?a=1&b=2")?.try_lastmod("2024-03-04")?)?;
//! assert!(UrlEntry::try_from("example.com").is_err());
//! let xml = writer.finish()?;
//! # assert!(String::from_utf8(xml).unwrap().contains("?a=1&amp;b=2</loc><lastmod>2024-03-04</lastmod>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each [`Entry`] is a page ([`Entry::Url`]) or, in an index, a sitemap ([`Entry::Sitemap`]). The format is detected from the
//! content, gzip is unpacked, and dates are printed as they were written. A violation of the protocol costs as little as
//! possible: [broken sitemaps](guide::broken) lists the result for each symptom.
//!
//! # More ways in
//!
//! **Without I/O.** A [`Decoder`] takes bytes as they arrive, so it works with any async runtime. With the feature `stream`,
//! `ReaderBuilder::stream` turns the body of a response into a stream of entries.
//!
//! **Raw.** [`Reader::read_raw`] borrows the text of an entry without interpreting or allocating anything. Filter raw entries
//! and convert those that you keep with [`Reader::take_entry`].
//!
//! **Problems.** Every violation has a named [`Rule`] and is an [`Issue`] with line, column and [`Effect`]. A
//! [`Policy`] decides which of them are errors: under [`Policy::LOSSLESS`], an entry that would be lost is one. The page
//! [policies](guide::policy) explains how to continue after an error.
//! [`Summary::completeness`] tells you whether entries are missing; check it before you delete pages.
//!
//! **Writing.** [`UrlsetWriter`], [`IndexWriter`] and [`TextWriter`] write one file to any `io::Write`. A [`SplitWriter`] writes
//! any number of pages in as many [`Parts`] as needed. An entry that would break a rule is rejected, and no part of it
//! is written. If a writer is dropped before `finish`, its file is incomplete.
//!
//! **Other crates.** Each is built on this one:
//!
//! | | |
//! |---|---|
//! | `quick-sitemap-set` | a set of files in a directory that is replaced at one instant |
//! | `quick-sitemap-crawl` | which sitemap of a site to fetch next, with any client; robots.txt |
//! | `quick-sitemap-arrow` | record batches of Arrow, for DataFusion, DuckDB, Spark, Polars |
//! | `quick-sitemap-cli` | the program `sitemap` |
//!
//! The Python package `quick-sitemap` returns pages, or tables for pandas and other engines.
//!
//! The [cheat sheet](guide::cheatsheet) lists the call for each task, the [cookbook](guide::cookbook) contains complete programs, and the
//! [guide] has the [limits](guide::limits). `DESIGN.md` and `benches/README.md` in the repository have the main decisions and the
//! benchmarks.
//!
//! # Items
//!
//! | to | |
//! |---|---|
//! | read | [`Reader`], [`ReaderBuilder`], [`Outcomes`], [`Outcome`]; `EntryStream` with the feature `stream` |
//! | read without I/O, or without interpreting | [`Decoder`], [`Step`]; [`RawEntry`], [`RawElement`] |
//! | get results | [`Entry`], [`EntryKind`], [`UrlEntry`], [`SitemapEntry`], [`Format`], [`Summary`], [`Completeness`] |
//! | use values | [`W3cDatetime`], [`Precision`], [`ChangeFreq`], [`Priority`] |
//! | use extensions | [`Image`], [`Video`], [`News`], [`Alternate`], [`Extension`]; [`mod@extension`] has their parts, and foreign elements |
//! | handle problems | [`Error`], [`Result`], [`ErrorKind`], [`LooksLike`], [`Issue`], [`Violation`], [`Rule`], [`Effect`], [`Policy`], [`Position`] |
//! | write | [`UrlsetWriter`], [`IndexWriter`], [`TextWriter`], [`WriterBuilder`], [`Limits`], [`Namespace`], [`NamespaceUri`] |
//! | write many pages | [`SplitWriter`], [`Group`], [`Parts`], [`PartId`], [`CompleteSet`], [`Progress`], [`Memory`] |
//! | make tools | [`TextPiece`]: the decoded text; [`mod@text`]: what can be printed; [`Stylesheet`], [`STYLESHEET`]: for browsers |
//!
//! # What it does not do
//!
//! * It does not fetch anything, and locks and replaces no files. A [`Reader`] of an index returns the sitemaps that it
//!   lists, not their pages; `quick-sitemap-crawl` tells you what to fetch, or which file of a folder to open.
//! * It does not sort entries or drop duplicates. Entries are returned in the order of the file.
//! * It does not check whether a page exists, or whether search engines will accept it. (`sitemap check --advice`
//!   reports some reasons why they do not.)
//! * It does not write RSS or Atom, and supports no compression other than gzip.
//!
//! # Features
//!
//! `encodings` and `fast-urls` are on by default, the others are off. No feature changes what the others read or write.
//!
//! | | |
//! |---|---|
//! | `encodings` | all encodings used on the web, by `encoding_rs`. Without it, only UTF-8 is read; a document in another encoding ends with [`ErrorKind::UnsupportedEncoding`] |
//! | `fast-urls` | a loc in canonical form becomes a `Url` without being parsed again. Without it, the results are the same, reading typed entries takes two to three times as long, and serde is not built |
//! | `stream` | `ReaderBuilder::stream` reads entries from a `Stream` of chunks, with any async runtime; adds only the dependency `futures-core` |
//! | `serde` | `Serialize` and `Deserialize` for entries, extensions, values, issues and policies: dates as they are written, URLs as text, priorities as numbers, absent fields left out |
//!
//! Deserializing checks the format of values; whether a loc is allowed in a sitemap is checked when the entry is written.
//! Unknown fields are ignored.
//!
//! `chrono` and `url` are re-exported because their types are part of the API, `chrono` without its default features. So
//! `Utc::now()` is missing; `DateTime::<Utc>::from(SystemTime::now())` is the same time. The crate contains no `unsafe` code
//! and does not link C code.
//!
//! The crate needs `std`, and has not been compiled for `no_std` or for WebAssembly.
//!
//! The minimum Rust version is 1.88. Raising it is not a breaking change; it comes with a new minor version.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::string_slice))]

mod engine;
mod entry;
mod error;
pub mod extension;
mod format;
pub mod guide;
mod input;
mod interpret;
mod limits;
mod parse;
mod raw;
mod reader;
mod report;
mod summary;
mod tape;
pub mod text;
mod value;
mod violation;
mod vocabulary;
mod writer;
mod xml;

pub use chrono;
pub use url;

pub use engine::Step;
pub use entry::{Entry, SitemapEntry, UrlEntry};
pub use error::{Error, ErrorKind, LooksLike, Result};
pub use extension::{Alternate, Extension, Image, News, Video};
pub use format::{EntryKind, Format};
pub use limits::Limits;
pub use raw::{RawElement, RawEntry};
#[cfg(feature = "stream")]
pub use reader::EntryStream;
pub use reader::{Decoder, Outcome, Outcomes, Reader, ReaderBuilder};
pub use report::options::TextPiece;
pub use summary::{Completeness, Summary};
pub use text::position::Position;
pub use value::{ChangeFreq, NamespaceUri, Precision, Priority, W3cDatetime};
pub use violation::{Effect, Issue, Policy, Rule, Violation};
pub use writer::{
    CompleteSet, Group, IndexWriter, Memory, Namespace, PartId, Parts, Progress, STYLESHEET,
    SplitWriter, TextWriter, UrlsetWriter, WriterBuilder,
};
pub use xml::stylesheet::Stylesheet;
