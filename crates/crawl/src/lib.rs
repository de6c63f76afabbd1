//! Crawling the sitemaps of a site without I/O: which sitemap to fetch next, and the results.
//!
//! A [`Crawl`] keeps the list of the sitemaps of a site, and which of them have been read. It does not fetch anything,
//! reads no [clock](Clock) of its own, and does not depend on a runtime. [`Crawl::next`] returns what to do at this time;
//! you fetch the URL of a [`Request`] with any client, and the [`Receiver`] of the response returns the pages. To fetch
//! several sitemaps at a time, take several requests: requests and receivers are `Send` and independent of the crawl, so
//! each can have its own thread or task.
//!
//! ```
//! use std::collections::HashMap;
//! use std::thread;
//!
//! use quick_sitemap_crawl::{Clock, Coverage, Crawl, Failure, Next, Response};
//! use quick_sitemap::url::Url;
//!
//! // What a client would fetch.
//! let web = HashMap::from([
//!     ("https://example.com/robots.txt", "Sitemap: /index.xml"),
//!     ("https://example.com/index.xml", "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
//!         <sitemap><loc>https://example.com/index.xml</loc></sitemap>
//!         <sitemap><loc>https://example.com/a.txt</loc></sitemap>
//!         <sitemap><loc>https://example.com/lost.txt</loc></sitemap></sitemapindex>"),
//!     ("https://example.com/a.txt", "https://example.com/1\nhttps://example.com/2\n"),
//! ]);
//!
//! let (mut crawl, clock) = (Crawl::site(&Url::parse("https://example.com/")?), Clock::new());
//! let mut paths = Vec::new();
//! loop {
//!     match crawl.next(clock.now()) {
//!         Next::Fetch(request) => {
//!             let body = web.get(request.url.as_str());
//!             let mut receiver = crawl.begin(request, Response::new(if body.is_some() { 200 } else { 404 }));
//!             for page in receiver.pages(body.unwrap_or(&"").as_bytes()) {
//!                 paths.push(page.loc.path().to_owned());
//!             }
//!             crawl.end(receiver);
//!         }
//!         Next::Wait(until) => thread::sleep(clock.until(until)),
//!         Next::Busy => unreachable!("only with several requests at work"),
//!         Next::Done => break,
//!     }
//! }
//! assert_eq!(paths, ["/1", "/2"]);
//!
//! let failed: Vec<_> = crawl.sitemaps().filter_map(|sitemap| Some((sitemap.url(), sitemap.failure()?))).collect();
//! assert_eq!(failed, [("https://example.com/lost.txt", &Failure::status(404))]);
//! let summary = crawl.summary();
//! assert_eq!((summary.done, summary.failed, summary.pages), (2, 1, 2));
//! assert_eq!(summary.coverage(), Coverage::Incomplete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`cookbook`] has complete programs with HTTP clients.
//!
//! # What is read
//!
//! [`Crawl::site`] starts with the sitemaps that robots.txt lists. If it lists none, the usual places are tried one after
//! the other (`/sitemap.xml`, `/sitemap_index.xml` and five others), until there is a sitemap. They are those of the site
//! that was asked, and then those of another spelling of it (with or without `www.`, https for http), if its robots.txt was
//! found there. A place that is missing or refused, or is not a sitemap, is passed for the next; any other failure ends the
//! search. If robots.txt is [not understood](robots::Answer::NotUnderstood) or [unreachable](robots::Answer::Unreachable),
//! no place is tried, unless [`ignore_robots`](CrawlBuilder::ignore_robots) is set. [`Crawl::sitemap`] starts with one
//! sitemap or index, and [`CrawlBuilder::sitemaps`] with several. The sitemaps that an index lists are read too, in any
//! number of levels up to [`max_depth`](CrawlBuilder::max_depth).
//!
//! Each sitemap is read once, even if it is listed several times, with different fragments or
//! [percent-encodings](page_key), or under a URL that redirects to another one.
//!
//! All sitemaps of one depth are read before those of the next depth, even if some must be retried. Hosts take turns, and so
//! do the indexes of a host, so an index of 100,000 sitemaps does not keep a small one waiting. A retry whose time has come
//! goes first.
//!
//! The pages, the failures and the sitemaps that are left out do not depend on the order of responses, with these
//! exceptions:
//!
//! * which sitemaps are left out if there are more than [`max_sitemaps`](CrawlBuilder::max_sitemaps), and which pages are
//!   returned if there are more than [`max_pages`](CrawlBuilder::max_pages);
//! * the numbers [`CrawlSummary::duplicates`] and [`CrawlSummary::sitemaps`];
//! * the examples of sitemaps that are left out, if there are many.
//!
//! # Hosts
//!
//! A site decides which sitemaps belong to it, but it must not make a crawler fetch arbitrary URLs. So a host is trusted
//! if it is that of the site, or if robots.txt lists a sitemap there. `www.example.com` and `example.com` are the same
//! host here, and the scheme does not matter, but another port is another host. A host to which robots.txt is redirected is
//! not trusted for that. A sitemap that robots.txt lists, or that the caller names, can redirect to any host; sitemaps that
//! it lists can be on that host too, but the host is not trusted otherwise. All other sitemaps on other hosts are left out
//! and counted ([`Reason::OtherHost`]), unless [`any_host`](CrawlBuilder::any_host) is set. A redirect from https to http is
//! not followed, unless [`allow_downgrade`](CrawlBuilder::allow_downgrade) is set.
//!
//! A user and a password in a URL that a server names are removed, so only the caller decides who gets them.
//!
//! # Time and politeness
//!
//! The time is an argument of [`Crawl::next`]. Take it from a [`Clock`], because the time of the system may be set back.
//! The crawl waits before it requests a failed sitemap again. By default, there is [one request](CrawlBuilder::per_host) at
//! a time to each host and port. A [delay](CrawlBuilder::delay) begins at the end of a response.
//! [`CrawlBuilder::user_agent`] keeps the `Crawl-delay` of robots.txt. Several crawls can share a [`Pace`].
//!
//! A `Retry-After` pauses its host: until then, the crawl sends no request to that host and port. If the host requires more
//! than [`max_retry_after`](CrawlBuilder::max_retry_after), all of its remaining sitemaps fail at once, without a request
//! ([`Reason::Paused`]). A crawl that is resumed keeps the pauses.
//!
//! # The next run
//!
//! [`Ended::known`] returns what was seen of a document: its validators, and the sitemaps that it lists. Store it with the
//! URL, and return it from [`CrawlBuilder::known`] in the next run. Then a document that has not changed is not transferred
//! again, and the sitemaps of an unchanged index are still read. With the small state of `Crawl::save` (feature `serde`),
//! the stored values also continue a crawl that was interrupted.
//!
//! To delete what is no longer listed, ask the crawl, which says so only if it has looked everywhere:
//! [`Ended::rows_may_go`] for the pages of one sitemap, [`Crawl::gone`] for sitemaps and [`Crawl::pages_may_go`] for pages
//! that no sitemap lists. The program of the README does that every night.
//!
//! # Memory
//!
//! Memory grows with the number of known sitemaps, up to the [maximum](CrawlBuilder::max_sitemaps): at most 220 bytes per
//! sitemap, in addition to its URL, which has at most 2,047 characters, and 400 bytes while its index is taken over. A
//! sitemap that failed or was redirected takes 420 bytes, and its message or target. If each sitemap is on a host of its
//! own, one that waits takes 900 bytes. These figures are measured. A robots.txt takes up to 8 MiB while it is read, and
//! its rules and the lines that name sitemaps are kept. Memory does not grow with the number of pages, nor with the number
//! of sitemaps that are left out: for each reason, only 20 URLs of 200 characters are kept as examples.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod children;
mod clock;
pub mod cookbook;
mod crawl;
mod failure;
mod frontier;
mod identity;
mod known;
mod licence;
mod pace;
mod receiver;
mod record;
mod request;
mod responses;
pub mod robots;
mod rules;
#[cfg(feature = "serde")]
mod saved;
mod schedule;
mod sealed;
mod seen;
mod summary;
mod text;

pub use self::builder::{Child, CrawlBuilder};
pub use self::clock::Clock;
pub use self::crawl::{Crawl, Next};
pub use self::failure::{Failure, Reason};
pub use self::identity::{ParseError, page_key, same_page, site};
pub use self::known::Known;
pub use self::licence::NotLooked;
pub use self::pace::{Pace, Permit, Turn};
pub use self::receiver::{Ended, Receiver};
pub use self::record::State;
pub use self::request::{Request, RequestKind, Response};
#[cfg(feature = "serde")]
pub use self::saved::Saved;
pub use self::seen::KnownKind;
pub use self::summary::{Coverage, CrawlSummary, LeftOut, Sitemap};

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
