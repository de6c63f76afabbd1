//! Complete programs for common tasks. This module contains only text. The tests compile and run every program. The crates
//! `quick-sitemap-crawl` and `quick-sitemap-set` have cookbooks of their own, for crawling and for publishing.
//!
//! * [Read an async response](#read-an-async-response), chunk by chunk, in any runtime
//! * [Lint a file](#lint-a-file)
//! * [Problems in colour](#problems-in-colour), with miette
//! * [Only what changed](#only-what-changed) since a date
//! * [Keep a database in sync](#keep-a-database-in-sync): add, update, and remove pages only if no entry is missing
//! * [Merge, filter and split](#merge-filter-and-split)
//! * [Check hreflang sets](#check-hreflang-sets): alternates must link back
//! * [News of the last two days](#news-of-the-last-two-days)
//! * [From a database cursor to gzip](#from-a-database-cursor-to-gzip)
//! * [Serve from axum, actix or hyper](#serve-from-axum-actix-or-hyper), from a stream of rows
//! * [Serve a sitemap as it is generated](#serve-a-sitemap-as-it-is-generated), from an iterator and a blocking server
//! * [Serve numbered parts from a database](#serve-numbered-parts-from-a-database), without files
//! * [Upload to an object store](#upload-to-an-object-store), and the line for robots.txt
//! * [Keep unknown extensions](#keep-unknown-extensions)
//! * [JSON Lines](#json-lines), for DuckDB and other engines
//!
//! The programs with other crates are tested with these versions. tokio needs the features `rt`, `sync` and `time`, and
//! hyper the features `http1` and `server`.
//!
//! ```toml
//! actix-web = "4"
//! axum = "0.8"
//! flate2 = "1.1.10"
//! futures-util = "0.3.31"
//! http-body-util = "0.1"
//! hyper = "1"
//! miette = "7"
//! object_store = "0.14.0"
//! percent-encoding = "2.3"
//! tokio = "1.44"
//! ```
//!
//! # Read an async response
//!
//! With the feature `stream`, a stream of chunks becomes a stream of entries, in any runtime. The chunks can come from
//! reqwest's `response.bytes_stream()` or hyper's `response.into_body().into_data_stream()`. The next chunk is requested
//! when the entries of the previous chunks have been taken. If the connection breaks, the complete entries are returned
//! first, then the error.
//!
//! ```
//! # #[cfg(not(feature = "stream"))]
//! # fn main() {}
//! # #[cfg(feature = "stream")]
//! # mod program {
//! # use std::pin::Pin;
//! # use std::task::{Context, Poll, Waker};
//! # struct Response(Vec<std::io::Result<&'static [u8]>>);
//! # impl Response { fn bytes_stream(self) -> Body { Body(self.0.into_iter()) } }
//! # struct Body(std::vec::IntoIter<std::io::Result<&'static [u8]>>);
//! # impl futures_core::Stream for Body {
//! #     type Item = std::io::Result<&'static [u8]>;
//! #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
//! #         Poll::Ready(self.0.next())
//! #     }
//! # }
//! # fn block_on<T>(future: impl Future<Output = T>) -> T {
//! #     match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
//! #         Poll::Ready(value) => value,
//! #         Poll::Pending => unreachable!(),
//! #     }
//! # }
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{Error, ReaderBuilder};
//!
//! /// The pages that arrived, and the error if the connection broke.
//! async fn pages(response: Response, url: Url) -> (Vec<Url>, Option<Error>) {
//!     let mut entries = ReaderBuilder::new().base_url(url).stream(response.bytes_stream());
//!     let mut pages = Vec::new();
//!     while let Some(entry) = entries.next().await {
//!         match entry {
//!             Ok(entry) => pages.push(entry.loc().clone()),
//!             Err(error) => return (pages, Some(error)),
//!         }
//!     }
//!     (pages, None)
//! }
//!
//! # pub
//! fn main() {
//!     let response = Response(vec![
//!         Ok(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/a</loc></url><url>"),
//!         Ok(b"<loc>/b</loc></url><url><loc>/c</"),
//!         Err(std::io::ErrorKind::ConnectionReset.into()),
//!     ]);
//!     let (pages, error) = block_on(pages(response, "https://example.com/sitemap.xml".parse().unwrap()));
//!     assert_eq!(pages.iter().map(Url::path).collect::<Vec<_>>(), ["/a", "/b"]);
//!     assert_eq!(format!("{:#}", error.unwrap()), "I/O error: connection reset");
//! }
//! # }
//! # #[cfg(feature = "stream")]
//! # fn main() { program::main() }
//! ```
//!
//! Without that feature, write a loop around a [`Decoder`](crate::Decoder), which does no I/O. If the transport fails, call
//! [`fail`](crate::Decoder::fail), so that the decoder returns the complete entries before the error. With `?` on the chunk,
//! these entries would be lost.
//!
//! ```
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{Decoder, Error};
//! # /// A response whose body comes in chunks.
//! # struct Response(std::vec::IntoIter<std::io::Result<Vec<u8>>>);
//! # impl Response {
//! #     async fn chunk(&mut self) -> std::io::Result<Option<Vec<u8>>> { self.0.next().transpose() }
//! # }
//!
//! async fn pages(mut response: Response) -> (Vec<Url>, Option<Error>) {
//!     let mut decoder = Decoder::new();
//!     let mut pages = Vec::new();
//!     while !decoder.is_done() {
//!         match response.chunk().await {
//!             Ok(Some(bytes)) => decoder.push(&bytes),
//!             Ok(None) => decoder.finish(),
//!             Err(error) => decoder.fail(error),
//!         }
//!         // Take the entries after every push, because the decoder buffers unread bytes.
//!         for entry in decoder.entries() {
//!             match entry {
//!                 Ok(entry) => pages.push(entry.loc().clone()),
//!                 Err(error) => return (pages, Some(error)),
//!             }
//!         }
//!     }
//!     (pages, None)
//! }
//!
//! fn main() {
//!     let body = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!         <url><loc>https://example.com/a</loc></url>
//!         <url><loc>https://example.com/b</loc></url>
//!         <url><loc>https://example.c";
//!     let mut chunks: Vec<_> = body.chunks(7).map(|chunk| Ok(chunk.to_vec())).collect();
//!     chunks.push(Err(std::io::ErrorKind::ConnectionReset.into()));
//!     let response = Response(chunks.into_iter());
//! #   use std::future::Future;
//! #   fn block_on<T>(future: impl Future<Output = T>) -> T {
//! #       let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #       match std::pin::pin!(future).poll(&mut context) {
//! #           std::task::Poll::Ready(value) => value,
//! #           std::task::Poll::Pending => unreachable!(),
//! #       }
//! #   }
//!     let (pages, error) = block_on(pages(response));
//!     assert_eq!(pages.len(), 2);
//!     assert!(error.unwrap().is_fatal());
//! }
//! ```
//!
//! # Lint a file
//!
//! Every issue has a position, a rule with a name, and an effect. The names of the denied rules can come from the command
//! line. The program does not pass the [`Policy`](crate::Policy) to the reader, because the reader would then return only one
//! error per entry. It reads leniently, and calls [`Policy::denies`](crate::Policy::denies) for each issue.
//!
//! `sitemap check` of the package `quick-sitemap-cli` is a complete linter.
//!
//! ```
//! use quick_sitemap::{Policy, Reader, Rule};
//!
//! /// Returns a line for each problem, and whether the file passes.
//! fn lint(name: &str, bytes: &[u8], policy: Policy) -> (Vec<String>, bool) {
//!     let (mut lines, mut passes) = (Vec::new(), true);
//!     for outcome in Reader::from_bytes(bytes).outcomes() {
//!         for issue in &outcome.issues {
//!             let is_error = policy.denies(issue.rule(), issue.effect);
//!             let severity = if is_error { "error" } else { "warning" };
//!             lines.push(format!("{name}:{issue} [{severity}: {}]", issue.rule()));
//!             passes &= !is_error;
//!         }
//!         if let Err(error) = outcome.entry {
//!             passes = false;
//!             lines.push(format!("{name}:{error:#} [error: {}]", error.kind().name()));
//!         }
//!     }
//!     (lines, passes)
//! }
//!
//! /// Returns the policy that denies the rules with these names.
//! fn denying(names: &[&str]) -> Result<Policy, Box<dyn std::error::Error>> {
//!     let rules = names.iter().map(|name| name.parse()).collect::<Result<Vec<Rule>, _>>()?;
//!     Ok(rules.into_iter().fold(Policy::LENIENT, Policy::deny))
//! }
//!
//! let file = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//! <url><loc>https://example.com/</loc><priority>1.5</priority></url>
//! <url><lastmod>2024-05-06</lastmod></url>
//! ";
//! let (lines, passes) = lint("sitemap.xml", file, denying(&["missing-loc"]).unwrap());
//! assert_eq!(lines, [
//!     "sitemap.xml:2:47: priority `1.5` is not a number from 0.0 to 1.0; value dropped [warning: invalid-priority]",
//!     "sitemap.xml:3:1: `url` has no loc; entry skipped [error: missing-loc]",
//!     "sitemap.xml:4:1: the document is truncated [error: truncated]",
//! ]);
//! assert!(!passes);
//! assert!(lint("sitemap.xml", file, Policy::LOSSLESS).0[1].ends_with("[error: missing-loc]"));
//! assert_eq!(denying(&["no-such-rule"]).unwrap_err().to_string(), "there is no rule `no-such-rule`");
//! ```
//!
//! # Problems in colour
//!
//! miette, ariadne and codespan show a problem under its line. They need the byte range of the offending text, which
//! [`Issue::span`](crate::Issue::span) and [`Error::span`](crate::Error::span) return, and the line, which
//! [`excerpts`](crate::ReaderBuilder::excerpts) keeps, so the file need not be in memory. With miette:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/miette.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! # Only what changed
//!
//! [`read_raw`](crate::Reader::read_raw) returns the entry as borrowed text, and [`take_entry`](crate::Reader::take_entry)
//! interprets it. So entries that are filtered out need no allocation.
//!
//! A `lastmod` of `2024-05` may be the 20th of May. [`may_be_since`](crate::W3cDatetime::may_be_since) treats a date as a
//! period, so no possible change is missed. Entries without a readable date may have changed, too. For the last seven days,
//! pass `DateTime::<Utc>::from(SystemTime::now()) - Days::new(7)`.
//!
//! ```
//! use quick_sitemap::chrono::{DateTime, Utc};
//! use quick_sitemap::{Reader, Result, UrlEntry, W3cDatetime};
//!
//! fn changed_since(since: DateTime<Utc>, input: impl std::io::Read) -> Result<Vec<UrlEntry>> {
//!     let mut reader = Reader::new(input);
//!     let mut changed = Vec::new();
//!     while let Some(raw) = reader.read_raw()? {
//!         let written: Option<W3cDatetime> = raw.lastmod().and_then(|text| text.parse().ok());
//!         if written.is_some_and(|date| !date.may_be_since(since)) {
//!             continue;
//!         }
//!         // `take_entry` also understands dates in other forms, such as `2024-03-04 05:06`.
//!         if let Some(page) = reader.take_entry()?.and_then(|entry| entry.into_url()) {
//!             if page.lastmod.is_none_or(|date| date.may_be_since(since)) {
//!                 changed.push(page);
//!             }
//!         }
//!     }
//!     Ok(changed)
//! }
//!
//! let input = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!     <url><loc>https://example.com/old</loc><lastmod>2024-05-09</lastmod></url>
//!     <url><loc>https://example.com/old-too</loc><lastmod>2024-05-09 23:59:58</lastmod></url>
//!     <url><loc>https://example.com/new</loc><lastmod>2024-05-10T08:00:00+02:00</lastmod></url>
//!     <url><loc>https://example.com/may-be</loc><lastmod>2024-05</lastmod></url>
//!     <url><loc>https://example.com/who-knows</loc></url>
//! </urlset>";
//! let changed = changed_since("2024-05-10T00:00:00Z".parse().unwrap(), input.as_bytes())?;
//! let paths: Vec<&str> = changed.iter().map(|page| page.loc.path()).collect();
//! assert_eq!(paths, ["/new", "/may-be", "/who-knows"]);
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # Keep a database in sync
//!
//! The program stores the pages that are new or may have changed, and removes the pages that are no longer listed. Removing
//! is safe only if the [`completeness`](crate::Summary::completeness) is `Complete`: the sitemap was read to its end, and no
//! entry is missing. For a text sitemap or a feed, it is [`Unknown`](crate::Completeness::Unknown), because a truncated text
//! sitemap cannot be detected, and a feed lists only recent items. This program does not remove pages then.
//!
//! If gzip data is damaged ([`ErrorKind::Gzip`](crate::ErrorKind::Gzip)), entries before the error can be wrong, so roll
//! back the transaction.
//!
//! The database here is a `HashMap`. In SQLite, the key is the sitemap with the URL, `seen` is a column with the number of the
//! run, and the three steps are
//!
//! ```sql
//! INSERT INTO page (sitemap, url, lastmod, seen) VALUES (?1, ?2, ?3, ?4)
//!     ON CONFLICT (sitemap, url) DO UPDATE SET lastmod = excluded.lastmod, seen = excluded.seen;  -- each entry
//! DELETE FROM page WHERE sitemap = ?1 AND seen < ?2;                                             -- only if Complete
//! COMMIT;                                                                                         -- unless the error is `Gzip`
//! ```
//!
//! ```
//! use std::collections::{HashMap, HashSet};
//!
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{Completeness, Reader, W3cDatetime};
//!
//! #[derive(Default)]
//! struct Store {
//!     pages: HashMap<Url, Option<W3cDatetime>>,
//! }
//!
//! /// The result of one run.
//! #[derive(Debug, PartialEq)]
//! struct Run {
//!     changed: usize,
//!     removed: usize,
//!     error: Option<String>,
//! }
//!
//! impl Store {
//!     fn update(&mut self, input: impl std::io::Read) -> Run {
//!         let mut reader = Reader::new(input);
//!         let mut run = Run { changed: 0, removed: 0, error: None };
//!         let mut seen = HashSet::new();
//!         for entry in &mut reader {
//!             match entry {
//!                 Ok(entry) => {
//!                     let lastmod = entry.lastmod();
//!                     let loc = entry.loc().clone();
//!                     let before = self.pages.insert(loc.clone(), lastmod);
//!                     // A page without a date may have changed.
//!                     run.changed += usize::from(before.is_none_or(|date| date.is_none() || date != lastmod));
//!                     seen.insert(loc);
//!                 }
//!                 // The entries before the error are valid, unless it is `ErrorKind::Gzip`.
//!                 Err(error) => {
//!                     run.error = Some(format!("{error:#}"));
//!                     break;
//!                 }
//!             }
//!         }
//!         if reader.summary().completeness() == Completeness::Complete {
//!             let before = self.pages.len();
//!             self.pages.retain(|url, _| seen.contains(url));
//!             run.removed = before - self.pages.len();
//!         }
//!         run
//!     }
//! }
//!
//! let sitemap = |body: &str| format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{body}</urlset>");
//! let page = |loc: &str, date: &str| format!("<url><loc>{loc}</loc><lastmod>{date}</lastmod></url>");
//! let (a, b) = ("https://example.com/a", "https://example.com/b");
//! let first = sitemap(&(page(a, "2024-05-01") + &page(b, "2024-05-01")));
//! let second = sitemap(&page(a, "2024-05-02"));
//! let broken = sitemap(&page("www.example.com/b", "2024-05-02"));
//!
//! let mut store = Store::default();
//! assert_eq!(store.update(first.as_bytes()), Run { changed: 2, removed: 0, error: None });
//! assert_eq!(store.update(first.as_bytes()), Run { changed: 0, removed: 0, error: None });
//! // If the file is truncated, or an entry cannot be understood, nothing is removed.
//! let run = store.update(&first.as_bytes()[..150]);
//! assert_eq!((run.removed, run.error.as_deref()), (0, Some("1:151: the document is truncated")));
//! assert_eq!(store.update(broken.as_bytes()), Run { changed: 0, removed: 0, error: None });
//! assert_eq!(store.pages.len(), 2);
//! assert_eq!(store.update(second.as_bytes()), Run { changed: 1, removed: 1, error: None });
//! ```
//!
//! # Merge, filter and split
//!
//! The program reads several sitemaps, and writes as many files as the limits require, with their index. The set of URLs
//! that finds duplicates grows with the input. The files are in memory here; `Directory` of the crate `quick-sitemap-set`
//! stores them on disk. `sitemap edit` of the package `quick-sitemap-cli` does the same from the command line.
//!
//! ```
//! use std::collections::HashSet;
//! use std::error::Error;
//!
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{Entry, Limits, Memory, Reader, WriterBuilder};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let inputs: [&[u8]; 2] = [
//!         b"https://example.com/a\nhttps://example.com/b\nhttps://example.com/private/c\n",
//!         b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!             <url><loc>https://example.com/b</loc><priority>0.8</priority></url>
//!             <url><loc>https://example.com/d</loc><priority>0.8</priority></url>
//!           </urlset>",
//!     ];
//!     let limits = Limits::default().with_entries(2); // to show the splitting; the default is 50,000
//!     let mut site = WriterBuilder::new().limits(limits).split(Memory::new(&Url::parse("https://example.com/")?));
//!     let mut seen = HashSet::new();
//!     for input in inputs {
//!         for entry in Reader::new(input) {
//!             let Entry::Url(mut page) = entry? else { continue };
//!             if page.loc.path().starts_with("/private/") || !seen.insert(page.loc.clone()) {
//!                 continue;
//!             }
//!             page.priority = None;
//!             site.write(&page)?;
//!         }
//!     }
//!     let mut pages = Vec::new();
//!     for (name, bytes) in site.finish()? {
//!         for entry in Reader::new(&*bytes) {
//!             pages.push(format!("{name}: {}", entry?.loc().path()));
//!         }
//!     }
//!     assert_eq!(pages, [
//!         "sitemap-1.xml: /a", "sitemap-1.xml: /b", "sitemap-2.xml: /d",
//!         "sitemap.xml: /sitemap-1.xml", "sitemap.xml: /sitemap-2.xml",
//!     ]);
//!     Ok(())
//! }
//! ```
//!
//! # Check hreflang sets
//!
//! Search engines ignore an alternate that does not link back to the page. The alternates of a page must include the page
//! itself.
//!
//! ```
//! use std::collections::{HashMap, HashSet};
//!
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{Reader, Result, UrlEntry};
//!
//! fn check(pages: &[UrlEntry]) -> Vec<String> {
//!     let links: HashMap<&Url, HashSet<&Url>> = pages
//!         .iter()
//!         .map(|page| (&page.loc, page.alternates.iter().map(|alternate| &alternate.href).collect()))
//!         .collect();
//!     let mut problems = Vec::new();
//!     for page in pages.iter().filter(|page| !page.alternates.is_empty()) {
//!         if !links[&page.loc].contains(&page.loc) {
//!             problems.push(format!("{} does not list itself", page.loc));
//!         }
//!         for alternate in &page.alternates {
//!             match links.get(&alternate.href) {
//!                 None => problems.push(format!("{} is not in the sitemap", alternate.href)),
//!                 Some(back) if !back.contains(&page.loc) => {
//!                     problems.push(format!("{} does not link back to {}", alternate.href, page.loc));
//!                 }
//!                 Some(_) => {}
//!             }
//!         }
//!     }
//!     problems
//! }
//!
//! let input = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
//!   <url><loc>https://example.com/en</loc>
//!     <xhtml:link rel="alternate" hreflang="en" href="https://example.com/en"/>
//!     <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
//!     <xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr"/></url>
//!   <url><loc>https://example.com/de</loc>
//!     <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
//! </urlset>"#;
//! let pages = Reader::new(input.as_bytes())
//!     .filter_map(|entry| entry.map(|entry| entry.into_url()).transpose())
//!     .collect::<Result<Vec<_>>>()?;
//! assert_eq!(check(&pages), [
//!     "https://example.com/de does not link back to https://example.com/en",
//!     "https://example.com/fr is not in the sitemap",
//! ]);
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # News of the last two days
//!
//! A news sitemap lists the articles of the last two days, at most 1,000 per file. If there may be more, use a
//! [`SplitWriter`](crate::SplitWriter).
//!
//! ```
//! use quick_sitemap::chrono::{DateTime, Days, Utc};
//! use quick_sitemap::extension::{News, Publication};
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{UrlEntry, UrlsetWriter};
//!
//! struct Article {
//!     url: Url,
//!     published: DateTime<Utc>,
//!     headline: String,
//! }
//!
//! fn news(articles: &[Article], now: DateTime<Utc>) -> quick_sitemap::Result<Vec<u8>> {
//!     let mut writer = UrlsetWriter::new(Vec::new());
//!     let times = Publication::new("The Example Times", "en");
//!     for article in articles.iter().filter(|article| article.published >= now - Days::new(2)) {
//!         let news = News::new(times.clone(), article.published, article.headline.as_str());
//!         writer.write(&UrlEntry::new(article.url.clone()).with_news(news))?;
//!     }
//!     writer.finish()
//! }
//!
//! let article = |path: &str, published: &str| Article {
//!     url: Url::parse("https://example.com/").and_then(|base| base.join(path)).unwrap(),
//!     published: published.parse().unwrap(),
//!     headline: format!("Of {path} & others"),
//! };
//! let articles = [article("cats", "2024-05-06T07:08:09Z"), article("dogs", "2024-05-03T00:00:00Z")];
//! let xml = String::from_utf8(news(&articles, "2024-05-07T00:00:00Z".parse().unwrap())?).unwrap();
//! assert!(xml.contains("<news:publication_date>2024-05-06T07:08:09Z</news:publication_date><news:title>Of cats &amp; others</news:title>"));
//! assert!(!xml.contains("dogs"));
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # From a database cursor to gzip
//!
//! Each row is written as it arrives, so memory use does not grow. [`finish`](crate::UrlsetWriter::finish) returns the
//! encoder of `flate2`, which the caller must finish. For more than 50,000 rows, use a [`SplitWriter`](crate::SplitWriter)
//! with a `Directory` of the crate `quick-sitemap-set`, which can compress the files itself.
//!
//! ```
//! use std::error::Error;
//! use std::io::{self, Write};
//!
//! use flate2::Compression;
//! use flate2::write::GzEncoder;
//! use quick_sitemap::chrono::NaiveDate;
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{ChangeFreq, UrlEntry, UrlsetWriter};
//!
//! struct Row {
//!     slug: String,
//!     changed: NaiveDate,
//! }
//!
//! fn export<W: Write>(
//!     rows: impl Iterator<Item = io::Result<Row>>, // a cursor: each row may fail
//!     base: &Url,
//!     output: W,
//! ) -> Result<W, Box<dyn Error>> {
//!     let mut writer = UrlsetWriter::new(GzEncoder::new(output, Compression::default()));
//!     for row in rows {
//!         let row = row?;
//!         let page = UrlEntry::new(base.join(&row.slug)?)
//!             .with_lastmod(row.changed)
//!             .with_changefreq(ChangeFreq::Weekly);
//!         writer.write(&page)?;
//!     }
//!     Ok(writer.finish()?.finish()?)
//! }
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     let first = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap();
//!     let cursor = first.iter_days().take(366).enumerate().map(|(number, changed)| {
//!         Ok(Row { slug: format!("page-{number}"), changed })
//!     });
//!     let gzipped = export(cursor, &Url::parse("https://example.com/")?, Vec::new())?;
//!
//!     let pages = quick_sitemap::Reader::new(&gzipped[..]).collect::<quick_sitemap::Result<Vec<_>>>()?;
//!     assert_eq!(pages.len(), 366);
//!     assert_eq!(pages[365].lastmod(), Some(NaiveDate::from_ymd_opt(2024, 12, 31).unwrap().into()));
//!     Ok(())
//! }
//! ```
//!
//! # Serve from axum, actix or hyper
//!
//! The rows of a query become the chunks of a response. [`UrlsetWriter::take`](crate::UrlsetWriter::take) returns the bytes
//! that are complete so far, so memory is bounded, and a slow client slows the query down. A row that no sitemap can contain
//! is logged and omitted. If the query fails midway, the stream ends with an error, and the server closes the connection. The
//! sitemap then has no end tag, so crawlers detect that it is truncated. For more than 50,000 entries, see
//! [Serve numbered parts from a database](#serve-numbered-parts-from-a-database).
//!
//! All servers share `serve_body.rs`:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/serve_body.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! With axum, gzipped if the client accepts it. `Vary` keeps a shared cache from sending the gzipped body to a client that
//! cannot read it, and a client that has the current version gets a 304 without a body, before the rows are read:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/axum.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! The parts of a set are files, which `ServeDir` of tower-http can send. It also sends hidden folders, such as the
//! `.sitemap.set` of the crate `quick-sitemap-set`. This layer answers 404 for them:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/hidden_files.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! With actix-web, a gzipped file. Here `Content-Encoding: identity` is necessary, because it switches off the compression of
//! actix; other servers need no such header:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/actix.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! With hyper:
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/hyper.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! # Serve a sitemap as it is generated
//!
//! This is the same for an iterator of pages and a blocking server, which pulls the body in chunks. For each chunk, the
//! program writes pages until 16 KiB of compressed data are ready, so memory is bounded. Send it with the headers
//! `Content-Type: application/xml`, `Content-Encoding: gzip` and `Vary: Accept-Encoding`, to clients that accept gzip (see
//! `accepts_gzip` [above](#serve-from-axum-actix-or-hyper)). If the database fails midway, end the response with an
//! error.
//!
//! ```
//! use std::io;
//!
//! use flate2::{Compression, write::GzEncoder};
//! use quick_sitemap::{UrlEntry, UrlsetWriter};
//!
//! struct Body<P> {
//!     pages: P,
//!     /// `None` after the last chunk.
//!     writer: Option<UrlsetWriter<GzEncoder<Vec<u8>>>>,
//! }
//!
//! impl<P: Iterator<Item = io::Result<UrlEntry>>> Body<P> {
//!     fn new(pages: P) -> Self {
//!         let encoder = GzEncoder::new(Vec::new(), Compression::fast());
//!         Self { pages, writer: Some(UrlsetWriter::new(encoder)) }
//!     }
//!
//!     fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
//!         let Some(mut writer) = self.writer.take() else { return Ok(None) };
//!         // Write pages until enough compressed bytes are ready.
//!         while writer.get_ref().get_ref().len() < 16 << 10 {
//!             let Some(page) = self.pages.next().transpose()? else {
//!                 let encoder = writer.finish().map_err(io::Error::other)?;
//!                 return encoder.finish().map(Some);
//!             };
//!             writer.write(&page).map_err(io::Error::other)?;
//!         }
//!         let ready = std::mem::take(writer.get_mut().get_mut());
//!         self.writer = Some(writer);
//!         Ok(Some(ready))
//!     }
//! }
//!
//! impl<P: Iterator<Item = io::Result<UrlEntry>>> Iterator for Body<P> {
//!     type Item = io::Result<Vec<u8>>;
//!
//!     fn next(&mut self) -> Option<Self::Item> {
//!         self.chunk().transpose()
//!     }
//! }
//!
//! let page = |number: u32| UrlEntry::try_from(&*format!("https://example.com/{}", number.wrapping_mul(2_654_435_761)));
//! let pages = (0..20_000).map(|number| page(number).map_err(io::Error::other));
//! let mut body = Vec::new();
//! for chunk in Body::new(pages) {
//!     let chunk = chunk?;
//!     assert!(chunk.len() < 64 << 10);
//!     body.extend(chunk);
//! }
//! assert_eq!(quick_sitemap::Reader::new(&body[..]).count(), 20_000);
//! # Ok::<(), io::Error>(())
//! ```
//!
//! # Serve numbered parts from a database
//!
//! The program serves `/sitemap.xml`, `/sitemap-1.xml` and so on without files. A part is a range of 50,000 keys, not of
//! rows, so no row moves to another part if one is deleted, and caches stay correct. A part can be empty.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{IndexWriter, Result, SitemapEntry, UrlEntry, UrlsetWriter};
//!
//! /// A stand-in for the table, by primary key.
//! struct Database(BTreeMap<u64, String>);
//!
//! impl Database {
//!     // select max(id) from page
//!     fn last(&self) -> Option<u64> { self.0.keys().next_back().copied() }
//!     // select path from page where id >= $1 and id < $2 order by id
//!     fn range(&self, from: u64, to: u64) -> impl Iterator<Item = &String> { self.0.range(from..to).map(|(_, path)| path) }
//! }
//!
//! const RANGE: u64 = 50_000;
//!
//! /// Returns the body of a response, or `None` for the status 404.
//! fn serve(path: &str, base: &Url, database: &Database) -> Result<Option<Vec<u8>>> {
//!     let parts = database.last().map_or(0, |last| last / RANGE + 1);
//!     let join = |path: &str| base.join(path).map_err(std::io::Error::other);
//!     if path == "/sitemap.xml" {
//!         let mut index = IndexWriter::new(Vec::new());
//!         for number in 1..=parts {
//!             index.write(&SitemapEntry::new(join(&format!("/sitemap-{number}.xml"))?))?;
//!         }
//!         return index.finish().map(Some);
//!     }
//!     let number = path.strip_prefix("/sitemap-").and_then(|rest| rest.strip_suffix(".xml"));
//!     let number = number.and_then(|digits| digits.parse().ok()).filter(|number| (1..=parts).contains(number));
//!     let Some(number) = number else { return Ok(None) };
//!     let mut urlset = UrlsetWriter::new(Vec::new());
//!     for path in database.range((number - 1) * RANGE, number * RANGE) {
//!         urlset.write(&UrlEntry::new(join(path)?))?;
//!     }
//!     urlset.finish().map(Some)
//! }
//!
//! # fn main() -> Result<()> {
//! let base: Url = "https://example.com/".parse().unwrap();
//! let mut database = Database((0..120_000).map(|id| (id, format!("/page/{id}"))).collect());
//! let get = |database: &Database, path| serve(path, &base, database);
//! let second = get(&database, "/sitemap-2.xml")?;
//! assert_eq!(quick_sitemap::Reader::new(&get(&database, "/sitemap.xml")?.unwrap()[..]).count(), 3);
//! database.0.remove(&7);
//! assert_eq!(get(&database, "/sitemap-2.xml")?, second);
//! assert_eq!(get(&database, "/sitemap-4.xml")?, None);
//! # Ok(())
//! # }
//! ```
//!
//! # Upload to an object store
//!
//! Implement [`Parts`](crate::Parts) to store the files of a set elsewhere. An object store takes each object in one
//! request, which may have to be repeated, so a part stays in memory until the request succeeds (at most 50 MiB).
//!
//! The names of the parts contain the generation. The index is uploaded last, and is the only object that is replaced. So a
//! client that reads the index finds one complete generation, even if the upload of the next one fails midway. Keep the parts
//! of the previous generation for clients that have read the old index.
//!
//! The example uses the crate `object_store`, whose clients also retry by themselves (`RetryConfig`).
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../../docs/cookbook/object_store.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! # Keep unknown extensions
//!
//! Elements of unknown namespaces are kept in [`UrlEntry::foreign`](crate::UrlEntry::foreign), and are written again. You can
//! also inspect and create them.
//!
//! ```
//! use quick_sitemap::extension::foreign::Element;
//! use quick_sitemap::{Reader, UrlsetWriter};
//!
//! let input = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="urn:x-stock">
//!   <url><loc>http://example.com/kettle</loc><x:stock unit="piece"><x:left>12</x:left> in Cork</x:stock></url>
//! </urlset>"#;
//! let mut writer = UrlsetWriter::new(Vec::new());
//! for entry in Reader::new(input.as_bytes()) {
//!     let Some(mut page) = entry?.into_url() else { continue };
//!     let _ = page.loc.set_scheme("https");
//!     let element = &page.foreign[0];
//!     assert_eq!((element.name.as_str(), element.namespace.as_str()), ("stock", "urn:x-stock"));
//!     assert_eq!(element.attribute("unit"), Some("piece"));
//!     page.foreign.push(Element::new("seen", "urn:x-stock").with_prefix("x").with_text("today"));
//!     writer.write(&page)?;
//! }
//! let xml = String::from_utf8(writer.finish()?).unwrap();
//! assert!(xml.contains("<loc>https://example.com/kettle</loc>\
//!     <x:stock unit=\"piece\"><x:left>12</x:left> in Cork</x:stock><x:seen>today</x:seen></url>"), "{xml}");
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # JSON Lines
//!
//! With the feature `serde`, entries are serialized as JSON objects. Dates are text as in the sitemap, and absent fields are
//! omitted. DuckDB, Spark and other engines read files with one object per line:
//! `duckdb -c "select count(*) from 'pages.jsonl' where lastmod >= '2024-05'"`. An [`Entry`](crate::Entry) also has its
//! type, `"type":"url"` or `"type":"sitemap"`; a [`UrlEntry`](crate::UrlEntry) does not. The example uses the crate
//! `serde_json`.
//!
//! ```
//! # #[cfg(not(feature = "serde"))]
//! # fn main() {}
//! # #[cfg(feature = "serde")]
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     use quick_sitemap::{Entry, Reader};
//!     use std::io::Write;
//!
//!     let input = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!         <url><loc>https://example.com/</loc><lastmod>2024-05</lastmod><priority>0.8</priority></url>
//!     </urlset>";
//!     let mut lines = Vec::new();
//!     for entry in Reader::new(input.as_bytes()) {
//!         let Entry::Url(page) = entry? else { continue };
//!         serde_json::to_writer(&mut lines, &page)?;
//!         writeln!(lines)?;
//!     }
//!     assert_eq!(lines, br#"{"loc":"https://example.com/","lastmod":"2024-05","priority":0.8}
//! "#);
//!
//!     let page: quick_sitemap::UrlEntry = serde_json::from_slice(&lines)?;
//!     assert_eq!(page.lastmod.unwrap().to_string(), "2024-05");
//!     Ok(())
//! }
//! ```
