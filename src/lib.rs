//! Read and write [sitemaps](https://www.sitemaps.org/protocol.html): urlsets, indexes and text, RSS and Atom feeds,
//! gzipped or not, in constant memory. Broken ones are read as far as they make sense, and every fault is named with its
//! line and column.
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
//! let reader = ReaderBuilder::new().on_issue(|issue| eprintln!("{issue}")).from_path("sitemap.xml.gz")?;
//! for entry in reader {
//!     println!("{}", entry?.loc()); // 3:14: priority `1.5` is not a number from 0.0 to 1.0, dropped
//! }
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! Write, in as many files as it takes:
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
//! More programs are in the [cookbook].
//!
//! # What it does
//!
//! * **Reads** whatever a site serves as its sitemap. The format is told by the content, not by the file's name or type.
//!   Gzip (also twice over), UTF-8, UTF-16, and the encodings of the web, by mark or declaration.
//!   As typed entries ([`Reader`] is an iterator of [`Entry`]), or as they are spelt ([`Reader::read_raw`]) without an
//!   allocation.
//! * **Without I/O**, if need be: [`Decoder`] is pushed bytes as they come, so it fits any async runtime. With the
//!   feature `stream`, `ReaderBuilder::stream` turns the body of a response into a stream of entries.
//! * **Extensions**: hreflang alternates, images, videos, news ([`extension`]); elements of other vocabularies are
//!   carried through.
//! * **Values that print back as they were written**: [`W3cDatetime`] keeps precision, fraction and offset.
//! * **Says what is wrong**: each [`Rule`] has a name ([all of them](guide::rules)), each breach an [`Issue`] with line,
//!   column, span and effect.
//! * **Says whether that was all**: [`Summary::completeness`] is what a program asks before it deletes what is no longer
//!   listed.
//! * **Writes** urlsets, indexes and text ([`UrlsetWriter`], [`IndexWriter`], [`TextWriter`]), and sets of any size
//!   ([`SplitWriter`]). What would break a rule is refused, and nothing of it is written. A set in a [`Directory`] is
//!   replaced as one, wherever a run is killed.
//! * **Finds** the sitemaps that a robots.txt names ([`robots`]).
//!
//! The program `sitemap` in the package `quick-sitemap-cli` shows, checks, crawls, compares, writes and edits sitemaps
//! without a line of Rust.
//!
//! # What it does not do
//!
//! * It fetches nothing and follows nothing: an index gives its entries, [and you fetch them](cookbook#crawl-a-site).
//! * It does not judge robots.txt's `Allow` and `Disallow`.
//! * It does not sort, or drop duplicates: entries come in the order of the file.
//! * It does not ask whether a page exists, or what a search engine thinks of it (the program `sitemap check --advice`
//!   does some of that).
//! * It writes no RSS or Atom, and knows no compression but gzip.
//!
//! # Broken sitemaps
//!
//! A fault costs as little as it can:
//!
//! | What it costs | For example | What you get |
//! |---|---|---|
//! | [noted](Effect::Noted) | `2024-03-04 05:06:07`, a bare `&`, an unclosed `<url>`, a wrong namespace | what was meant is given |
//! | [value dropped](Effect::ValueDropped) | a priority of `1.5`, the date `2024-13-01` | nothing is clamped or guessed |
//! | [entry skipped](Effect::EntrySkipped) | no `<loc>`, `www.example.com`, malformed markup | the next entry is read as if nothing had been |
//! | [fatal](Error::is_fatal) | a file that is cut off, a broken gzip stream, an HTML error page | the entries before it have been given; never a silent success, with one exception |
//!
//! The exception is a plain text file that was cut: nothing in it says where it should end, so what is left of it counts
//! as all, half a last line included. XML and feeds miss their root's end tag then, and gzip its trailer
//! ([`Truncated`](ErrorKind::Truncated)); of the last line of a gzipped text nothing is given.
//!
//! [Another page](guide::broken) says symptom by symptom what comes out.
//!
//! # Strict, lenient and your own policy
//!
//! What a breach costs is fixed; whether it is an error is up to the [`Policy`].
//!
//! * [`Policy::LENIENT`], the default: none is. It is in [`Reader::issues`], and reading goes on.
//! * [`Policy::STRICT`]: each is. An entry raises one `Err`, for the first rule that it breaks, and is not given; the rest
//!   is in `issues`. The call after it gives the next entry.
//! * One's own: `Policy::LENIENT.deny(Rule::MissingLoc)`, `Policy::STRICT.allow(Rule::UrlNotEscaped)`, in a `const` too.
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
//! # The loop under other policies
//!
//! `?` on every step ends a program at the first `Err`: right for a lenient reader, whose errors are fatal. Under any
//! other policy, continue past errors that are a [violation](Error::violation), and only past these:
//!
//! ```
//! use quick_sitemap::{Policy, ReaderBuilder};
//!
//! let reader = ReaderBuilder::new().policy(Policy::STRICT).from_bytes("nonsense\nhttps://example.com/b\n");
//! let (mut pages, mut refused) = (Vec::new(), Vec::new());
//! for step in reader {
//!     match step {
//!         Ok(entry) => pages.push(entry.into_loc()),
//!         Err(error) if error.violation().is_some() => refused.push(error), // the next entry follows
//!         Err(error) => return Err(error),
//!     }
//! }
//! assert_eq!((pages.len(), refused.len()), (1, 1));
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! To continue while [`Error::is_fatal`] is `false` is not the same. An input that says `WouldBlock` or `TimedOut` has
//! not ended, so that error is not fatal; but whoever asks again at once gets it again, hundreds of thousands of times a
//! second. Such an error is for programs that wait until the input is ready, and then call `next` again: nothing is lost.
//! ([`Decoder::fail`] and `ReaderBuilder::stream` never give one: where the transport has failed, that is the end.)
//!
//! # Limits and memory
//!
//! Memory does not grow with the document: a reader holds a window of 64 KiB of text, or what the largest entry needs.
//!
//! | bound | default | beyond it |
//! |---|---|---|
//! | bytes of a document, unpacked and decoded ([`max_bytes`](ReaderBuilder::max_bytes)) | 500 MiB | [`LimitExceeded`](ErrorKind::LimitExceeded) |
//! | bytes of an entry ([`max_entry_bytes`](ReaderBuilder::max_entry_bytes)) | 2 MiB | the entry is skipped |
//! | elements and attributes of an entry, and pieces of text | 65,536 each | the entry is skipped |
//! | different namespaces of an entry, with those of the root | 4,096, and 1.5 MiB of text | the entry is skipped |
//! | memory of an entry as it is read, beside its text: elements, attributes, decoded text, namespaces | 2.75 MiB more than the bytes of an entry | the entry is skipped |
//! | levels of elements below an entry | 64 | the entry is skipped |
//! | memory of an entry's extensions and foreign elements, as measured on the heap | 4 MiB | the element that would need more is dropped, with those after it ([`EntryTooLarge`](Rule::EntryTooLarge)) |
//! | layers of gzip | 3 | [`LimitExceeded`](ErrorKind::LimitExceeded) |
//! | issues of one call | 1,000 | they are counted ([`IssuesOmitted`](Rule::IssuesOmitted)) |
//! | entries, bytes of a file by the protocol | 50,000; 52,428,800 | noted when read, refused when written |
//!
//! With the defaults no entry costs more than 12 MiB in all, whatever it holds.
//! Entities are never expanded, nothing is fetched or opened. Time is linear in the input, however it is cut into pieces.
//! A [`Decoder`] keeps the bytes that are pushed until entries are asked for: ask after every push.
//!
//! A writer holds one entry and about 32 KiB; a [`Directory`] that gzips, three MiB a thread. A writer that is dropped
//! unfinished leaves a file that is cut off, and reads as such.
//!
//! # How fast
//!
//! Beside quick-xml's bare event loop, which throws every event away, over the same 10 MB of 50,000 pages:
//!
//! | | of the loop's time |
//! |---|--:|
//! | [`read_raw`](Reader::read_raw) | 0.3 |
//! | with every date, changefreq and priority parsed | 0.37 |
//! | typed [`UrlEntry`]s, `Url`s and all | 0.6 |
//! | typed, with three alternates and an image (of that document's own loop) | 1.1 |
//! | the same URLs as a text sitemap | 0.1 |
//!
//! On a core of a server that is 0.9 GB/s raw, 460 MB/s typed, and 0.7 GB/s written. The other crates that read extensions
//! take 6 to 8 times as long as typed reading for these pages, and 4 to 6 times with alternates and images; those that
//! ignore extensions 3 to 30 times, and 1.1 to 20 times. From text to the file others take 1.3 to 4 times as long. The
//! tables, and how to measure, are in [the guide](guide::benchmarks).
//!
//! Raw reading and writing allocate nothing for an entry, typed reading nothing but the text of each `Url` and the lists
//! of what is beside the loc. For many files at once, a reader in each thread is all it takes.
//!
//! # Features
//!
//! None is on by default.
//!
//! | | |
//! |---|---|
//! | `stream` | `ReaderBuilder::stream`: entries from a `Stream` of chunks, of any runtime; depends on `futures-core` alone |
//! | `serde` | `Serialize` and `Deserialize` for entries, extensions, values, issues and policies: dates as they are written, URLs as text, priorities as numbers, absent fields left out |
//!
//! What is deserialized has values of the right form; that a loc is one which a sitemap may hold is checked when it is
//! written. Names of fields that are not known are ignored.
//!
//! `chrono` and `url`, whose types show in the API, are re-exported, `chrono` without its features: for `Utc::now()`
//! depend on `chrono` yourself. There is no `unsafe` in the crate, and no C under it.
//!
//! Rust 1.86 or later. A newer one is a minor version of this crate.

#![cfg_attr(test, allow(clippy::string_slice))]

mod budget;
pub mod cookbook;
mod decoder;
mod dialect;
mod engine;
mod entry;
mod error;
pub mod extension;
mod extent;
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
mod prolog;
mod raw;
mod reader;
mod report;
pub mod robots;
mod search;
#[cfg(feature = "serde")]
mod serde;
mod span;
mod split;
#[cfg(feature = "stream")]
mod stream;
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
pub use error::{Bound, Error, ErrorKind, GzipFault, LooksLike, Result};
pub use extension::foreign::{Attribute, Element, Node};
pub use extension::{Alternate, Image, News, Video};
pub use format::{EntryKind, Format};
pub use limits::Limits;
pub use outcomes::Outcomes;
pub use position::Position;
pub use raw::{RawAttributes, RawElement, RawElements, RawEntry};
pub use reader::{Reader, ReaderBuilder};
pub use split::{
    Directory, Earlier, Group, PartFile, Parts, Progress, Published, PublishedPart, SplitWriter,
};
#[cfg(feature = "stream")]
pub use stream::EntryStream;
pub use summary::{Completeness, Summary};
pub use value::{ChangeFreq, NamespaceUri, Precision, Priority, W3cDatetime};
pub use violation::{Effect, Issue, Policy, Rule, UnknownRule, Violation};
pub use writer::{IndexWriter, Namespace, TextWriter, UrlsetWriter, WriterBuilder};

/// The programs of the README run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
