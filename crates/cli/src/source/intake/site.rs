//! A site, or an index at a URL: the one loop over a [`Driver`].

use std::io;
use std::mem;
use std::sync::Arc;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::{Answer, Rules, Why::Page};
use quick_sitemap_crawl::{Crawl, CrawlBuilder, Reason, State};

use super::reading::{Fetched, OTHER_HOST, Place, Reading};
use super::{Intake, Options};
use crate::net::driver::{self, Document, Driver, Missing, Next, is_site};
use crate::net::failure::what_to_do;
use crate::net::fetch::Fetcher;
use crate::net::hosts::Hosts;
use crate::net::robots::{NotAsked, Readers, SiteRobots, Wanted};
use crate::net::spelling::site_key;
use crate::source::account::Account;
use crate::source::documents::Target;
use crate::source::not_read::{Names, NotRead, Why};
use crate::source::scope::Scope;
use crate::source::sink::{About, RobotsOf, RobotsTxt, Sink};
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
        .ignore_robots(scope.ignore_robots)
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

/// Reads all sitemaps of a crawl, which may go on with an earlier one. Returns the account of what was read, also before.
///
/// # Errors
///
/// Those of the sink, and of temporary files.
pub(crate) fn crawl(
    driver: &mut Driver,
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> anyhow::Result<Account> {
    let mut intake = Intake::new(options, sink);
    intake.crawl(driver, None)?;
    // A bound on pages is that of the crawl, which reports it.
    intake.is_cut = false;
    intake.finish()
}

impl Intake<'_> {
    pub(super) fn site(&mut self, target: &Target, address: &Address) -> anyhow::Result<()> {
        let Options {
            reading, messages, ..
        } = self.options;
        if self.is_full() {
            self.beyond.add(&target.name);
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
        let judges = self.options.judges_places;
        let hosts = Hosts::new(driver, judges, self.options.messages);
        let mut found = None;
        if !is_site && judges {
            found = hosts.ask_own()?;
        }
        let mut next = driver.next()?;
        if interrupt::is_requested() {
            return Ok(());
        }
        if is_site && let Some(robots) = driver.robots.clone() {
            hosts.add(&robots);
            // A sitemap that robots.txt lists can list all pages of the site.
            let lists = robots.sitemaps().next().is_some();
            found = Some((robots, lists));
        }
        let (mut is_waived, mut is_known) = (false, true);
        if let Some((robots, is_listed)) = &found {
            // Of a robots.txt that was not read, it is not known whether it lists a sitemap.
            is_known = robots.answer.rules().is_some() || robots.answer.is_gone();
            is_waived = *is_listed || !is_known;
            self.robots(driver, robots, is_site)?;
        }
        let (mut documents, mut missing) = (0, 0_u64);
        while let Some(found) = next {
            match found {
                Next::Missing(part) => {
                    missing += 1;
                    self.missing(driver, part)?;
                }
                Next::Document(document) => {
                    documents += 1;
                    let place = Standing {
                        hosts: &hosts,
                        location,
                        is_waived,
                        is_known,
                    };
                    self.part_of_site(driver, document, &place)?;
                    progress::sitemaps(documents, driver.crawl.sitemaps().len());
                    if self.is_over {
                        return Ok(());
                    }
                }
            }
            next = driver.next()?;
        }
        if interrupt::is_requested() {
            return Ok(());
        }
        self.left_out(driver)?;
        hosts.print_unknown();
        for resumed in driver.read_before() {
            self.account.resume(resumed);
        }
        let is_nothing = documents + missing + self.account.resumed == 0;
        self.why_nothing(driver, is_nothing)
    }

    /// Passes the robots.txt of a site, or of the site of a sitemap, to the sink.
    fn robots(
        &mut self,
        driver: &Driver,
        robots: &SiteRobots,
        is_site: bool,
    ) -> anyhow::Result<()> {
        let why = robots.why.clone();
        let why = why.map(|why| driver.address.or_file(why));
        let is_absent = matches!(robots.answer, Answer::Absent(_) | Answer::Refused(_));
        if is_site && is_absent && !robots.answer.is_gone() {
            let why = why.as_deref().unwrap_or_default();
            let why = format!("{}: {why}", driver.robots_name());
            if !self.options.judges_places {
                self.options.messages.note(format_args!(
                    "{why}; sitemaps are looked for at the usual places"
                ));
            }
            self.account.hide_list(why);
        }
        if let (Answer::Read(rules), true) = (&robots.answer, is_site) {
            self.unusable_lines(driver, rules)?;
        }
        self.sink.robots(&RobotsTxt {
            of: if is_site {
                RobotsOf::Site
            } else {
                RobotsOf::Sitemap
            },
            name: &driver.robots_name(),
            site: Some(&robots.site),
            answer: &robots.answer,
            why: why.as_deref(),
        })
    }

    /// Counts the sitemaps that a robots.txt names so that they cannot be requested.
    fn unusable_lines(&mut self, driver: &Driver, rules: &Rules) -> anyhow::Result<()> {
        let name = driver.robots_name();
        if rules.is_cut() {
            self.account.lose(format!("{name} was not read to its end"));
        }
        let unusable = rules.sitemap_lines().filter(|line| !line.is_usable);
        let reason = format!("{name} names it by no URL that can be used");
        let not_read = NotRead {
            count: unusable.count() as u64,
            is_robots: true,
            ..NotRead::new(&[], Why::Refused, &reason)
        };
        match not_read.count {
            0 => Ok(()),
            _ => self.not_read(&not_read),
        }
    }

    fn part_of_site(
        &mut self,
        driver: &mut Driver,
        mut document: Box<Document>,
        standing: &Standing<'_>,
    ) -> anyhow::Result<()> {
        let hosts = standing.hosts;
        let bytes = mem::replace(&mut document.bytes, Box::new(io::empty()));
        let name = driver.shown(&document.location);
        let listed = driver.shown(&document.sitemap);
        let sitemap = driver.crawl.get(document.number);
        let index = sitemap.and_then(|sitemap| Some(driver.named(sitemap.parent()?)));
        let is_site = is_site(driver.address.url());
        let is_only = !is_site && document.depth == 1;
        if !is_only && !self.is_new(&document.sitemap) {
            document.bytes = bytes;
            return driver.pass(*document);
        }
        let location = standing.of(&document.location, is_only, is_site);
        let charset = document.charset.clone();
        let readers = Readers::of(&self.options.reading.network.user_agent);
        let forbids = |url: &Url, wanted: Wanted| {
            let robots = hosts.robots(url).ok_or(NotAsked)?;
            readers.forbidden_by(&robots.answer, url, wanted)
        };
        let asked = document.sitemap.clone();
        let parent = sitemap.and_then(|sitemap| sitemap.parent());
        hosts.read(&asked, parent, &document.location);
        // Where a site will be, nobody can be asked.
        let is_moved = standing.location.is_some() && location != document.location;
        let is_there = |page: &Url| Some(page.origin() == location.origin());
        let may_list = |page: &Url| match is_there(page) {
            there if is_moved => there,
            _ => hosts.may_list(&asked, page),
        };
        let about = About {
            name: &name,
            path: None,
            location: Some(&location),
            listed: Some(&listed),
            listed_in: index.as_deref(),
            charset: charset.as_deref(),
            is_input: is_only,
            content: None,
            robots: &forbids,
            asked: Some(&asked),
            is_unlisted: false,
            judges_places: standing.is_known,
            is_redirected: site_key(&asked) != site_key(&document.location),
            may_list: Some(&may_list),
        };
        let reader = self.begin(&about, standing.is_waived);
        let reader = reader.max_bytes(driver.fetcher.options.max_bytes);
        let place = Place::Site(Fetched { driver, document });
        Reading::new(about, place, self).read(bytes, &reader)
    }

    /// A sitemap that is listed, and could not be fetched.
    fn missing(&mut self, driver: &Driver, missing: Missing) -> anyhow::Result<()> {
        let listed_in = match &missing.parent {
            Some(parent) => Some(driver.shown(parent)),
            None => is_site(driver.address.url()).then(|| driver.robots_name()),
        };
        let why = match missing.reason {
            Reason::Status(404 | 410) => Why::Missing,
            _ if missing.is_wall => Why::Denied,
            Reason::Status(429) => Why::Failed,
            Reason::Status(400..=499) => Why::Denied,
            Reason::Paused => Why::Paused,
            Reason::OtherHost => Why::OtherHost,
            Reason::OtherScheme | Reason::UrlTooLong | Reason::Downgrade => Why::Refused,
            _ => Why::Failed,
        };
        self.not_read(&NotRead {
            listed_in: listed_in.as_deref(),
            is_input: listed_in.is_none(),
            ..NotRead::new(&[driver.shown(&missing.url)], why, &missing.why)
        })
    }

    /// Reports the sitemaps that were left out, and those that a bound has kept from being read.
    fn left_out(&mut self, driver: &Driver) -> anyhow::Result<()> {
        let failures: Vec<_> = driver.not_requested().collect();
        for missing in failures {
            self.missing(driver, missing)?;
        }
        let scope = &self.options.reading.scope;
        let summary = driver.crawl.summary();
        for left_out in &summary.left_out {
            let (why, reason) = match left_out.reason {
                Reason::OtherHost => (Why::OtherHost, OTHER_HOST.to_owned()),
                Reason::Rejected => (Why::Excluded, "not selected by the options".to_owned()),
                Reason::TooDeep => (Why::Bound, scope.too_deep()),
                Reason::TooMany => (Why::Bound, scope.more_sitemaps()),
                reason => (Why::Refused, reason.to_string()),
            };
            let examples = left_out.examples.iter();
            let names: Vec<_> = examples.map(|url| driver.named(url)).collect();
            self.not_read(&NotRead {
                count: left_out.count,
                is_at_entry: why == Why::OtherHost,
                ..NotRead::new(&names, why, &reason)
            })?;
        }
        if summary.has_more_pages {
            let mut waiting = Names::default();
            for sitemap in driver.crawl.sitemaps() {
                if matches!(sitemap.state(), State::Queued | State::Active) {
                    waiting.add(&driver.named(sitemap.url()));
                }
            }
            let reason = scope.more_pages();
            self.not_read(&NotRead::of(&waiting, Why::Bound, &reason))?;
        }
        Ok(())
    }

    /// Reports a robots.txt that cannot be read, and the reason if a site gave nothing.
    fn why_nothing(&mut self, driver: &Driver, is_nothing: bool) -> anyhow::Result<()> {
        let answer = driver.robots.as_ref().map(|robots| &robots.answer);
        let is_refused = matches!(answer, Some(Answer::Refused(_)));
        if let (false, Some(failure)) = (is_refused, driver.crawl.summary().robots_failure) {
            let robots = driver.robots.as_ref();
            let reason = robots.and_then(|robots| robots.why.clone());
            let reason = reason.unwrap_or_else(|| failure.to_string());
            let reason = driver.address.or_file(reason);
            return self.not_read(&NotRead {
                is_input: is_nothing,
                is_robots: true,
                ..NotRead::new(&[driver.robots_name()], Why::Failed, &reason)
            });
        }
        if !is_nothing || !is_site(driver.address.url()) {
            return Ok(());
        }
        let reason = driver.address.or_file(why_nothing(driver));
        let reason = format!("{}: {reason}", driver.address);
        self.not_read(&NotRead {
            is_input: true,
            ..NotRead::new(&[], Why::Failed, &reason)
        })
    }
}

/// What the documents of a crawl have in common.
#[derive(Clone, Copy)]
struct Standing<'s> {
    hosts: &'s Hosts,
    /// The URL of the sitemap, or of the folder in which a site will be.
    location: Option<&'s Url>,
    /// Its sitemaps may list all pages of the site, as far as that is known.
    is_waived: bool,
    is_known: bool,
}

impl Standing<'_> {
    /// The URL at which the document will be.
    fn of(&self, document: &Url, is_only: bool, is_site: bool) -> Url {
        match self.location {
            Some(location) if is_only => location.clone(),
            Some(location) if is_site => moved(document, location),
            _ => document.clone(),
        }
    }
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
        let robots = driver.robots.as_ref();
        let robots = robots.is_some_and(|robots| robots.answer == Answer::Absent(Page));
        let robots = if robots { "robots.txt and for " } else { "" };
        return format!(
            "the server answers with an HTML page for {robots}all usual places of sitemaps"
        );
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
