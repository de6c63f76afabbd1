//! Reading and writing [sitemaps](https://www.sitemaps.org/protocol.html) in constant memory. It reads XML
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
//! Read and report problems:
//!
//! ```no_run
//! use quick_sitemap::ReaderBuilder;
//!
//! // Prints, for example: 3:14: priority `1.5` is not a number from 0.0 to 1.0; value dropped
//! let reader = ReaderBuilder::new().on_issue(|issue| eprintln!("{issue}")).from_path("sitemap.xml.gz")?;
//! for entry in reader {
//!     println!("{}", entry?.loc());
//! }
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! Write any number of pages, split into as many files as needed:
//!
//! ```
//! use quick_sitemap::{Directory, SplitWriter, UrlEntry};
//!
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-crate-{}", std::process::id()));
//! # struct Page { url: quick_sitemap::url::Url, date: chrono::NaiveDate }
//! # let base: quick_sitemap::url::Url = "https://example.com/".parse()?;
//! # let pages = [Page { url: base.join("a")?, date: chrono::NaiveDate::MIN.with_year(2024).unwrap() }];
//! # use chrono::Datelike;
//! let mut site = SplitWriter::new(Directory::create(&public, &base)?.gzip(true).fingerprint(true));
//! for page in pages {
//!     site.write(&UrlEntry::new(page.url).with_lastmod(page.date))?;
//! }
//! site.finish()?; // sitemap-1-3f9a….xml.gz …, sitemap.xml
//! # assert!(public.join("sitemap.xml").exists());
//! # std::fs::remove_dir_all(&public)?;
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
//! and convert those that you keep with [`Reader::to_entry`].
//!
//! **Problems.** Every violation has a named [`Rule`] and is an [`Issue`] with line, column and [`Effect`]. A
//! [`Policy`] decides which of them are errors: [policies](guide::policy) explains how to continue after one.
//! [`Summary::completeness`] tells you whether entries are missing; check it before you delete pages.
//!
//! **A site.** A [crawl](mod@crawl) returns the URL to fetch next, and handles hosts, redirects, retries, loops and limits; you
//! fetch with any client. [`robots`] finds the sitemaps that a robots.txt lists.
//!
//! **Writing.** [`UrlsetWriter`], [`IndexWriter`] and [`TextWriter`] write one file to any `io::Write`. A [`SplitWriter`] writes
//! a set of any size, which a [`Directory`] replaces atomically. An entry that would break a rule is rejected, and no part of it
//! is written. If a writer is dropped before `finish`, its file is incomplete.
//!
//! **Elsewhere.** The program `sitemap` of the package `quick-sitemap-cli` works with sitemaps on the command line, the crate
//! `quick-sitemap-arrow` reads record batches, and the Python package `quick-sitemap` reads pages and tables.
//!
//! The [cheat sheet](guide::cheatsheet) lists the call for each task, the [cookbook](guide::cookbook) contains complete programs, and the
//! [guide] has the [limits](guide::limits), the [benchmarks](guide::benchmarks) and the [design](guide::design).
//!
//! # Items
//!
//! | to | |
//! |---|---|
//! | read | [`Reader`], [`ReaderBuilder`], [`Decoder`], [`Step`], [`Format`], [`RawEntry`], [`RawElement`] |
//! | get results | [`Entry`], [`UrlEntry`], [`SitemapEntry`], [`Outcome`], [`Summary`], [`Completeness`] |
//! | use values | [`W3cDatetime`], [`Precision`], [`ChangeFreq`], [`Priority`], [`mod@extension`] |
//! | handle problems | [`Error`], [`ErrorKind`], [`Rule`], [`Violation`], [`Effect`], [`Issue`], [`Policy`], [`Position`] |
//! | write | [`UrlsetWriter`], [`IndexWriter`], [`TextWriter`], [`WriterBuilder`], [`Limits`] |
//! | write sets | [`SplitWriter`], [`Directory`], [`Parts`], [`mod@sets`] |
//! | find sitemaps | [`mod@crawl`], [`robots`] |
//!
//! # What it does not do
//!
//! * It does not fetch anything. A [`Reader`] of an index returns its entries; a [`Crawl`](crawl::Crawl) tells you
//!   [what to fetch](guide::cookbook#crawl-a-site).
//! * It ignores `Allow` and `Disallow` in robots.txt.
//! * It does not sort entries or drop duplicates. Entries are returned in the order of the file.
//! * It does not check whether a page exists, or whether search engines will accept it. (`sitemap check --advice`
//!   reports some reasons why they do not.)
//! * It does not write RSS or Atom, and supports no compression other than gzip.
//!
//! # Features
//!
//! `encodings`, `sets` and `crawl` are on by default, the others are off. No feature changes what the others read or write.
//!
//! | | |
//! |---|---|
//! | `encodings` | all encodings used on the web, by `encoding_rs`. Without it, only UTF-8 is read; a document in another encoding ends with [`ErrorKind::UnsupportedEncoding`] |
//! | `crawl` | [`mod@crawl`]: which sitemap of a site to fetch next |
//! | `sets` | [`Directory`], which replaces a set of files atomically. Without it, [`SplitWriter`] writes to other targets ([`Parts`]) |
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
//! The minimum Rust version is 1.89. Raising it is not a breaking change; it comes with a new minor version.

#![cfg_attr(test, allow(clippy::string_slice))]

#[cfg(feature = "crawl")]
pub mod crawl;
mod engine;
mod entry;
mod error;
pub mod extension;
mod format;
pub mod guide;
mod head;
mod input;
mod interpret;
mod limits;
mod parse;
mod raw;
mod reader;
mod report;
pub mod robots;
pub mod sets;
mod summary;
mod tape;
mod text;
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
pub use raw::{RawElement, RawElements, RawEntry};
#[cfg(feature = "stream")]
pub use reader::EntryStream;
pub use reader::{Decoder, Outcome, Outcomes, Reader, ReaderBuilder};
#[cfg(feature = "sets")]
pub use sets::Directory;
pub use sets::{Parts, SplitWriter};
pub use summary::{Completeness, Summary};
pub use text::piece::TextPiece;
pub use text::position::Position;
#[doc(hidden)]
pub use text::printable::is_printable;
pub use value::{ChangeFreq, NamespaceUri, Precision, Priority, W3cDatetime};
pub use violation::{Effect, Issue, Policy, Rule, Violation};
pub use writer::{
    IndexWriter, Namespace, NewFile, STYLESHEET, TextWriter, UrlsetWriter, WriterBuilder,
};
pub use xml::stylesheet::Stylesheet;

/// The programs of the README run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
