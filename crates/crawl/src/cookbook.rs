//! Complete programs that crawl a site. This module contains only text. The tests of the repository compile and run every
//! program.
//!
//! They are tested with these versions. tokio needs the features `rt`, `sync` and `time`.
//!
//! ```toml
//! reqwest = "0.13"
//! robotxt = "0.6"
//! tokio = "1.44"
//! ureq = "3"
//! ```
//!
//! # Crawl a site
//!
//! This crate does not fetch anything. A [`Crawl`](crate::Crawl) returns what to fetch next, and takes the responses;
//! it follows indexes and redirects, repeats requests that failed, and never fetches a sitemap twice. It has bounds, so an
//! index that lists itself, or a million others, does no harm. The [crate](crate) explains the rules, and
//! `examples/crawl.rs` of the repository is a program without any client.
//!
//! The program `sitemap crawl` of the package `quick-sitemap-cli` is a complete crawler over HTTP, built on this crate.
//! The tests of the repository run the four programs below against a server (`crates/integration/tests/crawl.rs`), also with
//! sitemaps without end, which take less than 100 MB of memory. The summary that they return has the number of sitemaps that
//! failed; [`Crawl::sitemaps`](crate::Crawl::sitemaps) returns each sitemap with the reason.
//!
//! The programs pass pages on as they arrive, so a sitemap of any size takes little memory. If a connection breaks off, the
//! sitemap is requested again and its pages come again, so store them by their URLs. The pages that a sitemap lists before
//! the place where it is truncated or damaged are passed on, too. If gzip data is damaged, some of them can be wrong. To keep
//! none, hold the pages of a sitemap back until [`Crawl::end`](crate::Crawl::end) returns a
//! [`State::Done`](crate::State::Done).
//!
//! To fetch only what has changed, store the [validators](crate::Ended::validators) that `end` returns with the URL of
//! the response, and return them from [`CrawlBuilder::validators`](crate::CrawlBuilder::validators) in the next run.
//!
//! ## With reqwest and tokio
//!
//! Eight sitemaps are fetched at a time. The client has a user agent, because reqwest sends none by default and some sites
//! reject such requests. A failure prints its causes, and is repeated only if another attempt may succeed: a timeout of the
//! client, an unknown host or an invalid certificate is not.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/reqwest.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## With ureq and threads
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/ureq.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## From an archive of responses
//!
//! A crawl needs no network. This program reads the responses of a site from a WARC file, so the result is that of the day
//! when the archive was made. It keeps the places of the responses, not their bodies. A `.warc.gz` has to be unpacked before,
//! because its places cannot be sought.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/warc.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## With Allow and Disallow
//!
//! The rules of robots.txt are for pages, and this crate does not apply them. The crate robotxt does. The crawl requests
//! robots.txt anyway, so it is not fetched twice. `fetch` can use any client, as in the programs above.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/allowed.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
