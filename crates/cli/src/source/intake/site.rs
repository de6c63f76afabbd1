//! A site, or an index at a URL: the one loop over a [`Driver`].

use std::io;
use std::mem;
use std::sync::Arc;

use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlBuilder, Reason, State};

use super::document::read;
use super::reading::{Lister, Reading};
use super::{EXAMPLES, Intake, Options, waived};
use crate::net::driver::{self, Driver, Missing, Next, is_site};
use crate::net::failure::what_to_do;
use crate::net::fetch::Fetcher;
use crate::source::documents::Target;
use crate::source::not_read::{NotRead, Why};
use crate::source::scope::Scope;
use crate::source::sink::{About, Sink};
use crate::term::address::Address;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::progress;

/// The options of the command line for a crawl.
pub(crate) fn builder(scope: &Scope, fetcher: &Arc<Fetcher>) -> CrawlBuilder {
    let selected = scope.clone();
    driver::builder(fetcher)
        .per_host(scope.jobs())
        .max_depth(u32::try_from(scope.max_depth).unwrap_or(u32::MAX))
        .max_sitemaps(scope.max_sitemaps)
        .max_pages(scope.max_pages)
        .any_host(scope.other_hosts)
        .filter_children(move |child| selected.selects(child.url, child.lastmod))
}

/// A crawl of a site, or of one sitemap if the URL has a path that is not that of a robots.txt.
pub(crate) fn begin(builder: CrawlBuilder, address: &Address) -> Crawl {
    let url = address.url();
    if is_site(url) {
        builder.site(url)
    } else {
        builder.sitemap(url)
    }
}

/// Reads all sitemaps of a crawl, which may go on with an earlier one.
///
/// # Errors
///
/// Those of the sink, and of temporary files.
pub(crate) fn crawl(
    driver: &mut Driver,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> anyhow::Result<()> {
    Intake::new(options, sink).crawl(driver, None)
}

impl Intake<'_> {
    pub(super) fn site(&mut self, target: &Target, address: &Address) -> anyhow::Result<()> {
        let Options {
            reading, messages, ..
        } = self.options;
        if self.is_full() {
            self.beyond.sitemaps.add(&target.name);
            return Ok(());
        }
        let mut scope = reading.scope.clone();
        scope.max_pages -= self.pages;
        let fetcher = Arc::new(Fetcher::new(&reading.network)?);
        let crawl = begin(builder(&scope, &fetcher), address);
        let mut driver = Driver::new(crawl, address, fetcher, scope.jobs(), messages);
        self.crawl(&mut driver, target.location.as_ref())
    }

    /// `location` is the URL of the sitemap, or of the folder in which a site will be.
    fn crawl(&mut self, driver: &mut Driver, location: Option<&Url>) -> anyhow::Result<()> {
        let is_site = is_site(driver.address.url());
        let mut is_waived = true;
        if !is_site && self.sink.judges_places() {
            is_waived = driver.is_listed_by_robots()?;
        }
        let mut next = driver.next()?;
        if interrupt::is_requested() {
            return self.sink.site(driver);
        }
        if is_site {
            // A sitemap that robots.txt lists can list all pages of the host.
            is_waived = !driver.robots.sitemaps.is_empty();
            if driver.crawl.summary().robots_failure.is_none() {
                let name = driver.robots_name();
                self.sink.robots(&name, &driver.robots)?;
            }
        }
        let (mut documents, mut missing) = (0, 0);
        while let Some(found) = next {
            match found {
                Next::Missing(part) => {
                    missing += 1;
                    self.missing(driver, part)?;
                }
                Next::Document(document) => {
                    documents += 1;
                    self.part_of_site(driver, *document, location, is_waived)?;
                    progress::sitemaps(documents, driver.crawl.sitemaps().len());
                    if self.sink.is_over() {
                        return Ok(());
                    }
                }
            }
            next = driver.next()?;
        }
        if !interrupt::is_requested() {
            self.left_out(driver, documents + missing == 0)?;
        }
        self.sink.site(driver)
    }

    fn part_of_site(
        &mut self,
        driver: &mut Driver,
        mut document: driver::Document,
        location: Option<&Url>,
        is_waived: bool,
    ) -> anyhow::Result<()> {
        let number = document.number;
        let bytes = mem::replace(&mut document.bytes, Box::new(io::empty()));
        let name = driver.shown(&document.location);
        let listed_as = driver.shown(&document.sitemap);
        let is_site = is_site(driver.address.url());
        let is_only = !is_site && document.depth == 1;
        let location = match location {
            Some(location) if is_only => location.clone(),
            Some(location) if is_site => moved(&document.location, location),
            _ => document.location.clone(),
        };
        let about = About {
            name: &name,
            path: None,
            location: Some(&location),
            listed: Some(&listed_as),
            charset: document.charset.as_deref(),
            is_input: is_only,
            robots: Some(&driver.robots),
            is_waived,
        };
        let own = driver.address.url();
        let host = if is_site { &location } else { own };
        let host = host.host_str().filter(|_| is_waived);
        let builder = self.reader(&document, &location, host);
        let builder = self.sink.document(&about, builder);
        let lister = Lister::Site(driver, &document);
        read(&mut Reading::new(about, lister, self), bytes, &builder)?;
        let state = if interrupt::is_requested() {
            // The crawl requests it again, if it goes on.
            Ok(State::Queued)
        } else {
            driver.end(document)
        };
        self.sitemaps += 1;
        self.sink.settled(driver, number, state)
    }

    /// How a sitemap is read: the places of its pages are judged if the sink judges them, unless it can list all pages of
    /// the host.
    fn reader(
        &self,
        document: &driver::Document,
        location: &Url,
        waived_for: Option<&str>,
    ) -> ReaderBuilder {
        let builder = document.builder.clone().base_url(location.clone());
        if !self.sink.judges_places() {
            return builder;
        }
        let builder = builder.location(location.clone());
        match waived_for {
            Some(host) => waived(builder, Some(host)),
            None => builder,
        }
    }

    /// A sitemap that is listed, and could not be fetched.
    fn missing(&mut self, driver: &Driver, missing: Missing) -> anyhow::Result<()> {
        let Missing {
            url,
            parent,
            why,
            reason,
        } = missing;
        let is_site = is_site(driver.address.url());
        let listed_in = match &parent {
            Some(parent) => Some(driver.shown(parent)),
            None => is_site.then(|| driver.robots_name()),
        };
        let kind = match reason {
            Reason::Status(404 | 410) => Why::Missing,
            Reason::Paused => Why::Paused,
            Reason::OtherHost => Why::OtherHost,
            Reason::OtherScheme | Reason::UrlTooLong | Reason::Downgrade => Why::Refused,
            _ => Why::Failed,
        };
        self.sink.not_read(&NotRead {
            is_on_site: true,
            listed_in: listed_in.as_deref(),
            is_input: listed_in.is_none(),
            ..NotRead::new(&[driver.shown(&url)], kind, &why)
        })
    }

    /// Reports the sitemaps that were left out, those that a bound has kept from being read, and why there are none.
    fn left_out(&mut self, driver: &Driver, is_empty: bool) -> anyhow::Result<()> {
        let failures: Vec<_> = driver.not_requested().collect();
        for missing in failures {
            self.missing(driver, missing)?;
        }
        let scope = &self.options.reading.scope;
        let summary = driver.crawl.summary();
        for left_out in &summary.left_out {
            let Some((why, reason)) = why_left_out(left_out.reason, scope) else {
                continue;
            };
            let examples = left_out.examples.iter();
            let names: Vec<_> = examples.map(|url| driver.named(url)).collect();
            self.sink.not_read(&NotRead {
                is_on_site: true,
                count: left_out.count,
                ..NotRead::new(&names, why, &reason)
            })?;
        }
        if summary.has_more_pages {
            let is_waiting = |state| matches!(state, State::Queued | State::Active);
            let sitemaps = driver.crawl.sitemaps();
            let waiting = sitemaps.filter(|sitemap| is_waiting(sitemap.state()));
            let waiting: Vec<_> = waiting
                .filter_map(|sitemap| sitemap.url().parse().ok())
                .collect();
            let names = waiting.iter().take(EXAMPLES).map(|url| driver.shown(url));
            self.sink.not_read(&NotRead {
                is_on_site: true,
                count: waiting.len() as u64,
                ..NotRead::new(&names.collect::<Vec<_>>(), Why::Bound, &scope.more_pages())
            })?;
        }
        let is_site = is_site(driver.address.url());
        if let Some(failure) = &summary.robots_failure {
            let reason = driver.robots.failure.clone();
            let reason = reason.unwrap_or_else(|| failure.to_string());
            return self.sink.not_read(&NotRead {
                is_on_site: true,
                is_input: is_empty,
                ..NotRead::new(&[driver.robots_name()], Why::Failed, &reason)
            });
        }
        if !(is_empty && is_site) {
            return Ok(());
        }
        let reason = format!("{}: {}", driver.address, why_nothing(driver));
        self.sink.not_read(&NotRead {
            is_on_site: true,
            is_input: true,
            ..NotRead::new(&[], Why::Failed, &reason)
        })
    }
}

/// Why a crawl leaves sitemaps out. `None` for those on another host, each of which was reported with its entry.
fn why_left_out(reason: Reason, scope: &Scope) -> Option<(Why, String)> {
    Some(match reason {
        Reason::OtherHost => return None,
        Reason::Rejected => (Why::Excluded, "not selected by the options".to_owned()),
        Reason::TooDeep => (Why::Bound, scope.too_deep()),
        Reason::TooMany => (Why::Bound, scope.more_sitemaps()),
        reason => (Why::Refused, reason.to_string()),
    })
}

/// Returns the URL with the same path and query at the place where a site will be.
fn moved(url: &Url, to: &Url) -> Url {
    let mut moved = to.clone();
    let path = url.path().trim_start_matches('/');
    moved.set_path(&format!("{}{path}", to.path()));
    moved.set_query(url.query());
    moved
}

/// The reason why a site gave nothing.
fn why_nothing(driver: &Driver) -> String {
    if driver.is_unauthorized {
        return format!("401 Unauthorized{}", what_to_do(&driver.address));
    }
    if let Some(refusal) = driver.refusal() {
        return refusal;
    }
    if driver.answers_html() {
        let places = "all usual places of sitemaps";
        return if driver.robots.is_html {
            format!("the server answers with an HTML page for robots.txt and for {places}")
        } else {
            format!("the server answers with an HTML page for {places}")
        };
    }
    let sitemaps = driver.crawl.sitemaps();
    let mut places = sitemaps.filter(|sitemap| sitemap.state() == State::Missing);
    let first = places.next().and_then(|first| first.url().parse().ok());
    match first {
        Some(first) => format!(
            "robots.txt lists no sitemap, and there is no sitemap at {} or {}",
            driver.shown(&first),
            Count(places.count() as u64, "other usual place")
        ),
        None => "there is no sitemap".to_owned(),
    }
}
