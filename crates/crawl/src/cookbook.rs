//! Complete programs that crawl a site. This module contains only text. The tests of the repository compile and run every
//! program.
//!
//! They are tested with these versions. tokio needs the features `rt`, `sync` and `time`.
//!
//! ```toml
//! reqwest = "0.13"
//! robotxt = "0.6"
//! rusqlite = "0.43"
//! serde_json = "1.0.100"
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
//! The tests of the repository run the programs below against a server (`crates/integration/tests/crawl/main.rs`), also with
//! sitemaps without end, which take less than 100 MB of memory. The summary that they return has the number of sitemaps that
//! failed; [`Crawl::sitemaps`](crate::Crawl::sitemaps) returns each sitemap with the reason.
//!
//! The programs pass pages on as they arrive, so a sitemap of any size takes little memory. If a connection breaks off, the
//! sitemap is requested again and its pages come again, so store them by their URLs. The pages that a sitemap lists before
//! the place where it is truncated or damaged are passed on, too. If gzip data is damaged, some of them can be wrong. To keep
//! none, hold the pages of a sitemap back until [`Crawl::end`](crate::Crawl::end) returns a
//! [`State::Done`](crate::State::Done).
//!
//! ## One site, with ureq and threads
//!
//! The threads share the crawl. A thread that finds nothing to fetch sleeps until the time that the crawl returns, or until
//! another one has ended a request. By default, one request to each host is at work, so more threads only help if the sitemaps
//! are on several hosts, or with [`CrawlBuilder::per_host`](crate::CrawlBuilder::per_host).
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/ureq.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## Many sites at a time, with reqwest and tokio
//!
//! Each site has a task and one request at a time, so nothing has to be woken: a task sleeps until the time that its crawl
//! returns. 300 sites take little more than the connections of the client, which is why few idle ones are kept. If some sites
//! have their sitemaps on one host, give all crawls clones of one [`Pace`](crate::Pace). For thousands of sites, pass the
//! crawls in portions, or let each task wait for a permit of a semaphore.
//!
//! The client has a user agent, because reqwest sends none by default and some sites reject such requests. A failure prints its
//! causes, and is repeated only if another attempt may succeed: a timeout of the client, an unknown host or an invalid
//! certificate is not.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/reqwest.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## A database that is kept up to date, and a crawl that goes on after it was killed
//!
//! Each sitemap is one transaction: its pages, what is [known](crate::Known) of it, and the small state of the
//! crawl (feature `serde`). So a crawl that is killed continues with the sitemap that it was reading. In the next run, a
//! sitemap that has not changed keeps its rows, one that was read has its rows replaced, and one that is not listed any more
//! ([`Crawl::gone`](crate::Crawl::gone)) loses them. A sitemap that fails keeps its rows.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/incremental.rs"))]
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
