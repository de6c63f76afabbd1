//! Complete programs that crawl a site. This module contains only text. The tests of the repository compile and run every
//! program.
//!
//! They are tested with these versions. tokio needs the features `rt`, `sync` and `time`.
//!
//! ```toml
//! reqwest = "0.13"
//! rusqlite = "0.43"
//! serde_json = "1.0.100"
//! tokio = "1.44"
//! ureq = "3"
//! ```
//!
//! # Crawl a site
//!
//! A [`Crawl`](crate::Crawl) returns the URL to fetch next, and takes the response. It follows indexes and redirects, and
//! repeats requests that failed. It has bounds, so an index that lists itself, or a million others, does no harm. The
//! documentation of the [crate](crate) explains the rules. `examples/crawl.rs` of the repository is a program without a client,
//! and `sitemap crawl` of the package `quick-sitemap-cli` is a complete crawler.
//!
//! The programs return a summary with the number of sitemaps that failed. [`Crawl::sitemaps`](crate::Crawl::sitemaps) returns
//! each sitemap with the reason.
//!
//! The programs store pages as they arrive, so a sitemap of any size takes little memory. If a connection breaks off, the
//! sitemap is requested again and its pages are returned again, so store them by their URLs. The pages before the place where
//! a sitemap is truncated or damaged are stored, too. If gzip data is damaged, some of them can be wrong. To store only
//! complete sitemaps, hold the pages back until [`Crawl::end`](crate::Crawl::end) returns a
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
//! Each site has a task and one request at a time, so a task can sleep until the time that its crawl returns. Most memory is
//! that of the client's connections, so few idle ones are kept. If some sites have their sitemaps on one host, give all crawls
//! clones of one [`Pace`](crate::Pace). For thousands of sites, take a permit of a semaphore for each request, not for each
//! task, because a site in a pause would keep it.
//!
//! The program asks for gzip, because reqwest does not do so by default: an index of 300 sitemaps took 126 KB instead of 1.4 MB.
//! The receiver unpacks it, so the client needs no feature for that.
//!
//! The client has a user agent, because reqwest sends none by default and some sites reject such requests. A request is only
//! repeated if another attempt may succeed, which excludes a timeout of the client, an unknown host and an invalid certificate.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/reqwest.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## A database that is kept up to date, and a crawl that goes on after it was killed
//!
//! Each sitemap is one transaction: its pages, its [`Known`](crate::Known), and the small state of the crawl (feature
//! `serde`). So a crawl that is killed continues with the sitemap that it was reading.
//!
//! The table `listed` has a row for each sitemap that lists a page. The rows that a sitemap no longer has are deleted if they
//! [may go](crate::Ended::rows_may_go), and all rows of a sitemap that is [gone](crate::Crawl::gone). A page without a row is
//! deleted if [pages may go](crate::Crawl::pages_may_go). If one of these is not known, nothing is deleted, and the next run
//! checks it again. The site is part of each key, because a crawl covers one site.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/incremental.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## From an archive of responses
//!
//! A crawl needs no network. This program reads the responses of a site from a WARC file. It keeps the places of the responses
//! in memory, not their bodies. A `.warc.gz` must be unpacked first, because a place in it cannot be sought.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/warc.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
//!
//! ## With Allow and Disallow
//!
//! The rules of robots.txt are for pages, so a crawl requests sitemaps even if they are forbidden. The
//! [answer](crate::Crawl::robots) to the request for robots.txt judges pages of its site. `fetch` can use any client, as in the
//! programs above.
//!
#![cfg_attr(not(doctest), doc = "```")]
#![cfg_attr(not(doctest), doc = include_str!("../cookbook/allowed.rs"))]
#![cfg_attr(not(doctest), doc = "```")]
