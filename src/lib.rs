//! A library for reading and writing [sitemaps](https://www.sitemaps.org/protocol.html) in constant memory. It reads XML
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
//! // Prints, for example: 3:14: priority `1.5` is not a number from 0.0 to 1.0, dropped
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
//! Each [`Entry`] is a page ([`Entry::Url`]) or, in an index, a sitemap ([`Entry::Sitemap`]). A reader of an index returns
//! the sitemaps that it lists, not their pages: to read those too, use a [crawl](mod@crawl).
//!
//! The [cheat sheet](guide::cheatsheet) lists the call for each task on one page, and the [cookbook] contains more programs.
//!
//! # What it does
//!
//! * **Reads** whatever a site serves as its sitemap. The format is detected from the content, not from the file name or
//!   content type. The reader accepts gzip (up to three layers), UTF-8, UTF-16 and the other encodings used on the web. The
//!   encoding is taken from a byte order mark, the XML declaration, or the first bytes. Entries are returned as typed values
//!   ([`Reader`] is an iterator over `Result<Entry>`) or as raw text without allocation ([`Reader::read_raw`]).
//! * **Without I/O**, if you need it: you push bytes into a [`Decoder`] as they arrive, so it works with any async runtime.
//!   With the feature `stream`, `ReaderBuilder::stream` turns the body of a response into a stream of entries.
//! * **Extensions**: hreflang alternates, images, videos and news ([`extension`]). Elements from other namespaces are kept
//!   and can be written again.
//! * **Lossless dates**: a [`W3cDatetime`] is printed exactly as it was written, with its precision, fraction and offset.
//! * **Reports problems**: each [`Rule`] has a name ([list of all rules](guide::rules)), and each violation is an
//!   [`Issue`] with line, column, span and effect. The [glossary](guide::glossary) defines these words.
//! * **Detects missing entries**: check [`Summary::completeness`] before you delete pages that are no longer listed.
//! * **Writes** urlsets, indexes and text sitemaps ([`UrlsetWriter`], [`IndexWriter`], [`TextWriter`]), and sets of any
//!   size ([`SplitWriter`]). An entry that would break a rule is rejected, and no part of it is written. With
//!   [fingerprints](Directory::fingerprint), a set in a [`Directory`] is replaced atomically, even if a run is killed.
//! * **Finds** the sitemaps that a robots.txt lists ([`robots`]).
//! * **Crawls** the sitemaps of a site without I/O ([`mod@crawl`]): it returns the URL to fetch next, takes the
//!   response in pieces, and decides about hosts, redirects, retries, loops and bounds. You fetch with any client, in threads or tasks.
//!
//! The program `sitemap` in the package `quick-sitemap-cli` shows, checks, crawls, compares, writes and edits sitemaps
//! from the command line.
//!
//! # What it does not do
//!
//! * It does not fetch anything. A [`Reader`] of an index returns its entries; a [`Crawl`](crawl::Crawl) tells you
//!   [what to fetch](cookbook#crawl-a-site).
//! * It ignores `Allow` and `Disallow` in robots.txt.
//! * It does not sort entries or drop duplicates. Entries are returned in the order of the file.
//! * It does not check whether a page exists, or whether search engines will accept it. (`sitemap check --advice`
//!   reports some reasons why they do not.)
//! * It does not write RSS or Atom, and supports no compression other than gzip.
//!
//! # Broken sitemaps
//!
//! If a sitemap breaks a rule, the reader discards as little as possible:
//!
//! | Effect | Example | Result |
//! |---|---|---|
//! | [noted](Effect::Noted) | `2024-03-04 05:06:07`, a bare `&`, an unclosed `<url>`, a wrong namespace | nothing is lost; values are returned as intended |
//! | [value dropped](Effect::ValueDropped) | a priority of `1.5`, the date `2024-13-01` | the entry is returned without the value; values are never clamped or guessed |
//! | [entry skipped](Effect::EntrySkipped) | no `<loc>`, `www.example.com`, malformed markup | the entry is skipped; the next one is not affected |
//! | [fatal error](Error::is_fatal) | a truncated file, a damaged gzip stream, an HTML error page | the entries before the error are returned, then the error |
//!
//! With one exception, a truncated file never reads as a success. The exception is a truncated text sitemap that is not
//! gzipped. The format has no end marker, so the reader takes the rest for the entire file, including a partial last line.
//! In all other formats, a missing end is detected. Truncated XML documents and feeds lack the end tag of the root, and
//! truncated gzip data lacks its trailer; both are reported as [`Truncated`](ErrorKind::Truncated). The partial last line
//! of a truncated gzipped text is not returned.
//!
//! Damaged gzip data is always an error ([`ErrorKind::Gzip`]), but often only the checksum at the end shows the damage. So
//! entries that were returned before this error can be wrong; discard them.
//!
//! [Broken sitemaps](guide::broken) lists the result for each symptom.
//!
//! # Strict, lenient and your own policy
//!
//! The effect of a violation is fixed. The [`Policy`] decides whether it is an error.
//!
//! * [`Policy::LENIENT`] (the default): no violation is an error. Violations are listed in [`Reader::issues`], and reading
//!   continues.
//! * [`Policy::STRICT`]: every violation is an error. An entry that breaks rules is returned as one `Err`, for the first
//!   violation; its other violations are in `issues`. The next call returns the next entry.
//! * Custom: `Policy::LENIENT.deny(Rule::MissingLoc)` or `Policy::STRICT.allow(Rule::UrlNotEscaped)`, which also work in a
//!   `const`.
//!
//! ```
//! use quick_sitemap::{Policy, ReaderBuilder, Rule};
//!
//! const POLICY: Policy = Policy::LENIENT.deny(Rule::InvalidPriority);
//!
//! let input = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//! <url><loc>https://example.com/a</loc><priority>high</priority></url>
//! <url><loc>https://example.com/b</loc><changefreq>often</changefreq></url>
//! </urlset>";
//! let mut reader = ReaderBuilder::new().policy(POLICY).build(input.as_bytes());
//! let error = reader.next().unwrap().unwrap_err();
//! assert!(!error.is_fatal());
//! assert_eq!(error.to_string(), "2:48: priority `high` is not a number from 0.0 to 1.0");
//! let entry = reader.next().unwrap()?;
//! assert_eq!(entry.loc().path(), "/b");
//! assert_eq!(reader.issues()[0].to_string(), "3:50: changefreq `often` is not one of \
//!     always, hourly, daily, weekly, monthly, yearly, never, dropped");
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # Continuing after errors
//!
//! With `?`, the loop ends at the first `Err`. That is right for a lenient reader, because all of its errors are fatal.
//! Under any other policy, continue only after errors that are a [violation](Error::violation):
//!
//! ```
//! use quick_sitemap::{Policy, ReaderBuilder};
//!
//! let reader = ReaderBuilder::new().policy(Policy::STRICT).from_bytes("nonsense\nhttps://example.com/b\n");
//! let (mut pages, mut rejected) = (Vec::new(), Vec::new());
//! for step in reader {
//!     match step {
//!         Ok(entry) => pages.push(entry.into_loc()),
//!         Err(error) if error.violation().is_some() => rejected.push(error), // the next entry follows
//!         Err(error) => return Err(error),
//!     }
//! }
//! assert_eq!((pages.len(), rejected.len()), (1, 1));
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! Do not use `!error.is_fatal()` as the condition of the loop. If the input returns `WouldBlock` or `TimedOut`, the error
//! is not fatal because the input has not ended, but calling `next` again immediately returns the same error, and the
//! program spins. A program that can wait until the input is ready can call `next` again then; no data is lost.
//! ([`Decoder::fail`] and `ReaderBuilder::stream` treat every transport error as fatal.)
//!
//! # Limits and memory
//!
//! Memory use does not depend on the size of the document. The reader keeps a window of 64 KiB of text, or more if an entry
//! is larger.
//!
//! | limit | default | beyond it |
//! |---|---|---|
//! | bytes of a document, unpacked and decoded ([`max_bytes`](ReaderBuilder::max_bytes)) | 500 MiB | fatal error [`LimitExceeded`](ErrorKind::LimitExceeded) |
//! | bytes of an entry ([`max_entry_bytes`](ReaderBuilder::max_entry_bytes)) | 2 MiB | the entry is skipped |
//! | elements and attributes of an entry, together; pieces of text | 65,536; 65,536 | the entry is skipped |
//! | different namespaces in an entry, including those declared on the root | 4,096, and 1.5 MiB of text | the entry is skipped |
//! | bytes of the texts of an entry in which references are resolved or which are joined from parts | 2 MiB, or `max_entry_bytes` if that is more | the entry is skipped |
//! | levels of elements below an entry | 64 | the entry is skipped |
//! | memory of an entry's extensions and foreign elements: namespaces and text, and twice the size of every list | 4 MiB | the element that exceeds the limit and all later ones are dropped ([`EntryTooLarge`](Rule::EntryTooLarge)) |
//! | namespaces of foreign elements in a file that is written | 64, of less than 2,048 bytes each | the entry is rejected ([`EntryTooLarge`](Rule::EntryTooLarge)) |
//! | layers of gzip | 3 | fatal error [`LimitExceeded`](ErrorKind::LimitExceeded) |
//! | issues per call | 1,000 | further issues are counted, not listed ([`IssuesOmitted`](Rule::IssuesOmitted)); [`on_issue`](ReaderBuilder::on_issue) gets those that are listed |
//! | entries and bytes of a file, by the protocol | 50,000; 52,428,800 | noted by readers, rejected by writers |
//!
//! With the default limits, no entry uses more than 16 MiB of memory in total. Entities that a document declares are never
//! expanded, and nothing is fetched or opened. Reading takes time linear in the size of the input, no matter how it is
//! divided into chunks. A [`Decoder`] buffers pushed bytes until you ask for entries, so ask for entries after every push.
//!
//! A writer buffers one entry and about 32 KiB of output. A [`Directory`] with gzip uses about 3 MiB per thread. If a
//! writer is dropped before `finish` is called, the file is incomplete. Readers report an incomplete XML file as truncated;
//! an incomplete text file is not recognized as such.
//!
//! # How fast
//!
//! Time relative to quick-xml, over the same document of 10 MB with 50,000 pages. The bare event loop reads every event and
//! discards it.
//!
//! | | pages | with three alternates and an image each |
//! |---|--:|--:|
//! | [`read_raw`](Reader::read_raw), relative to the bare event loop | 0.3 | |
//! | `read_raw` with every date, changefreq and priority parsed, relative to the bare event loop | 0.36 | |
//! | typed [`UrlEntry`]s with a `Url` for every loc, relative to the bare event loop | 0.5 | 0.9 |
//! | the same URLs as a text sitemap, relative to the bare event loop over the XML | 0.1 | |
//! | writing, relative to quick-xml's `Writer` | 0.2 | 0.3 |
//!
//! On one core of a server, reading runs at 1.5 GB/s raw and 930 MB/s typed, and writing at 1.9 GB/s. Time of other
//! crates, relative to this crate:
//!
//! | | pages | with alternates and an image |
//! |---|--:|--:|
//! | typed reading: `sitemapo`, `indexflow-sitemap` (read extensions) | 8–14× | 6–10× |
//! | typed reading: `sitemaps`, `sitemap_generator`, `sitemap` (ignore extensions) | 3–42× | 1.5–32× |
//! | from strings to a file: `sitemapo` / `sitemap-writer` (which checks nothing) | 7× / 1.7× | |
//!
//! [Benchmarks](guide::benchmarks) has all results and explains how to run them.
//!
//! Raw reading and writing do not allocate per entry. Typed reading allocates only the text of each `Url` and the lists of
//! extension values. To read many files in parallel, use one reader per thread.
//!
//! # Features
//!
//! `encodings` and `sets` are on by default, the others are off. No feature changes what the others read or write.
//!
//! | | |
//! |---|---|
//! | `encodings` | all encodings used on the web, by `encoding_rs`. Without it, UTF-8, UTF-16, Latin-1 and windows-1252 are read; a document in another encoding ends with [`ErrorKind::UnsupportedEncoding`] |
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

mod budget;
pub mod cookbook;
#[cfg(feature = "crawl")]
pub mod crawl;
mod decoder;
mod dialect;
mod encode;
mod engine;
mod entry;
mod error;
mod excerpt;
pub mod extension;
mod format;
pub mod guide;
mod input;
mod interpret;
mod limits;
mod location;
mod options;
mod outcomes;
mod parse;
mod position;
mod printable;
mod prolog;
mod raw;
mod reader;
mod report;
pub mod robots;
mod search;
#[cfg(feature = "serde")]
mod serde;
pub mod sets;
mod span;
mod split;
#[cfg(feature = "stream")]
mod stream;
mod stylesheet;
mod summary;
mod tape;
mod value;
mod violation;
mod vocabulary;
mod writer;
mod xml;

pub use chrono;
pub use url;

pub use decoder::{Decoder, Outcome};
pub use engine::Step;
pub use entry::{Entry, SitemapEntry, UrlEntry};
pub use error::{Bound, Error, ErrorKind, GzipFault, LooksLike, Markup, Result, Unclosed};
pub use extension::foreign::{Attribute, Element, Node};
pub use extension::{Alternate, Extension, Image, News, Video};
pub use format::{EntryKind, Format};
pub use limits::Limits;
pub use outcomes::Outcomes;
pub use position::Position;
pub use printable::is_printable;
pub use raw::{RawAttributes, RawElement, RawElements, RawEntry};
pub use reader::{Reader, ReaderBuilder};
#[cfg(feature = "sets")]
pub use split::Directory;
pub use split::{Parts, SplitWriter};
#[cfg(feature = "stream")]
pub use stream::EntryStream;
pub use stylesheet::{STYLESHEET, Stylesheet};
pub use summary::{Completeness, Summary};
pub use value::{ChangeFreq, FractionDigits, NamespaceUri, Precision, Priority, W3cDatetime};
pub use violation::{Effect, Issue, Policy, Rule, UnknownRule, Violation};
pub use writer::{IndexWriter, Namespace, NewFile, TextWriter, UrlsetWriter, WriterBuilder};

/// The programs of the README run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
