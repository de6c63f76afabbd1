//! All sitemaps of a live site, or of an index at a URL, judged.

use std::mem;
use std::ops::ControlFlow;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{CrawlSummary, Reason, State};

use super::{Checker, Context};
use crate::findings::sink::Absence;
use crate::judge::finding::Finding;
use crate::judge::verdicts::{MISSING_PART, ROBOTS_WITHOUT_SITEMAP, UNREADABLE_ROBOTS};
use crate::net::driver::{self, Driver, Missing};
use crate::net::failure;
use crate::source::site::{self, Visitor};
use crate::source::targets::Target;
use crate::source::walk::Document;
use crate::term::address::Address;
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::output;
use crate::term::status::Status;

impl Checker<'_> {
    /// All sitemaps of a site, or of an index.
    pub(super) fn site(
        &mut self,
        target: &Target,
        address: &Address,
        mut live: Driver,
    ) -> anyhow::Result<()> {
        let is_site = driver::is_site(address.url());
        let robots = address.url().join("/robots.txt").ok();
        let mut site = Site {
            checker: self,
            target,
            is_site,
            is_listed: !is_site && live.is_listed()?,
            robots: robots.map(|url| live.shown(&url)).unwrap_or_default(),
            documents: 0,
            missing: Vec::new(),
            is_over: false,
        };
        site::read(&mut live, &mut site)?;
        if site.is_over {
            return Ok(());
        }
        let is_empty = site.documents == 0 && site.missing.is_empty();
        site.report_missing()?;
        if interrupt::is_requested() {
            return Ok(());
        }
        let robots = site.robots;
        let summary = live.crawl.summary();
        if let Some(failure) = &summary.robots_failure {
            self.unopened(&robots, &anyhow::Error::msg(failure.to_string()))?;
        } else if is_empty && is_site {
            self.checked.unreadable += 1;
            let why = if live.is_unauthorized {
                format!("401 Unauthorized{}", failure::what_to_do(address))
            } else {
                live.refusal().unwrap_or_else(|| {
                    "robots.txt lists no sitemap, and there is none in the usual places, such as /sitemap.xml"
                        .to_owned()
                })
            };
            self.messages.error(format_args!("{}: {why}", target.name));
        }
        self.left_out(&summary);
        Ok(())
    }

    /// Counts the sitemaps that a bound has kept from being read.
    fn left_out(&mut self, summary: &CrawlSummary) {
        for left_out in &summary.left_out {
            // Each sitemap on another host is a finding, and those that --sitemaps rejects are not missed.
            if matches!(left_out.reason, Reason::OtherHost | Reason::Rejected) {
                continue;
            }
            let sitemaps = Count(left_out.count, "sitemap").to_string();
            let reason = left_out.reason.to_string();
            self.checked.has_more = true;
            self.sink.absent(&sitemaps, Absence::LeftOut, &reason);
            let were = if left_out.count == 1 { "was" } else { "were" };
            self.messages
                .warning(format_args!("{sitemaps} {were} not read: {reason}"));
        }
        if summary.has_more_pages {
            self.checked.has_more = true;
            self.messages
                .warning("there are more pages, which were not read (--max-pages)");
        }
    }
}

/// A site that is being read.
struct Site<'s, 'a> {
    checker: &'s mut Checker<'a>,
    target: &'s Target,
    /// Not a sitemap at a URL.
    is_site: bool,
    /// The robots.txt of its site lists the sitemap.
    is_listed: bool,
    /// The name of robots.txt.
    robots: String,
    documents: u64,
    /// Each with the file that lists it. They are reported together, so that only the first ones are shown.
    missing: Vec<(String, String, String)>,
    /// Nobody reads the output any longer.
    is_over: bool,
}

impl Site<'_, '_> {
    /// Reports the parts that indexes list and that could not be read, in the order of their indexes.
    fn report_missing(&mut self) -> anyhow::Result<()> {
        let mut missing = mem::take(&mut self.missing);
        missing.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut missing = missing.into_iter().peekable();
        let checker = &mut *self.checker;
        while let Some((lister, message, part)) = missing.next() {
            let finding = Finding::new(MISSING_PART, &message).on_page(&part);
            checker.finding(&lister, finding)?;
            if missing.peek().is_none_or(|(next, ..)| *next != lister) {
                checker.sink.end_findings(&lister)?;
            }
        }
        Ok(())
    }
}

impl Visitor for Site<'_, '_> {
    fn begin(&mut self, live: &Driver) -> anyhow::Result<()> {
        if !self.is_site || live.crawl.summary().robots_failure.is_some() {
            return Ok(());
        }
        let robots = &live.robots;
        let (rule, message) = match (&robots.failure, &robots.read) {
            (Some(why), _) => (
                UNREADABLE_ROBOTS,
                format!("robots.txt cannot be read: {why}"),
            ),
            (None, None) => (
                ROBOTS_WITHOUT_SITEMAP,
                "there is no robots.txt, which should list the sitemaps".to_owned(),
            ),
            (None, Some(_)) if robots.sitemaps.is_empty() => (
                ROBOTS_WITHOUT_SITEMAP,
                "robots.txt lists no sitemap".to_owned(),
            ),
            _ => return Ok(()),
        };
        let finding = Finding::new(rule, &message);
        self.checker.finding(&self.robots, finding)?;
        self.checker.sink.end_findings(&self.robots)
    }

    fn missing(&mut self, live: &Driver, missing: Missing) -> anyhow::Result<()> {
        let Missing { url, parent, why } = missing;
        let lister = match &parent {
            Some(parent) => live.shown(parent),
            None if self.is_site => self.robots.clone(),
            // Nothing lists it: it is the input.
            None => {
                let error = anyhow::Error::msg(why);
                return self.checker.unopened(&self.target.name, &error);
            }
        };
        let name = live.shown(&url);
        let sink = &mut *self.checker.sink;
        sink.absent(&name, Absence::Unreadable, &why);
        let message = format!("the part `{}` is missing: {why}", clipped(url.as_str()));
        self.missing.push((lister, message, name));
        Ok(())
    }

    fn document(
        &mut self,
        live: &Driver,
        about: &driver::Document,
        mut document: Document<'_>,
    ) -> anyhow::Result<()> {
        self.documents += 1;
        let location = match &self.target.location {
            Some(location) if !self.is_site && about.depth == 1 => location.clone(),
            _ => about.location.clone(),
        };
        document.builder = document.builder.location(location.clone());
        let robots = &live.robots;
        // A sitemap that robots.txt lists can list all pages of the host.
        let may_list_all = self.is_listed || self.is_site && !robots.sitemaps.is_empty();
        if may_list_all {
            document.builder = live.may_list_all(document.builder);
        }
        document.base = Some(location.clone());
        document.may_be_list = true;
        let forbidden = |url: &Url| {
            let (place, rules) = robots.read.as_ref()?;
            let rules = Some(rules).filter(|_| place.origin() == url.origin())?;
            rules.forbidden_for(url).map(str::to_owned)
        };
        let context = Context {
            is_guess: about.is_guess,
            folders: None,
            location: Some(location),
            is_elsewhere: Some(&|part| live.leaves_out(part, about)),
            forbidden: Some(&forbidden),
            robots_failure: robots.failure.as_deref().filter(|_| !may_list_all),
        };
        self.checker.document(document, &context).map(drop)
    }

    fn end(
        &mut self,
        _: &mut Driver,
        _: usize,
        state: anyhow::Result<State>,
    ) -> anyhow::Result<ControlFlow<()>> {
        state?;
        // Stop fetching when standard output is closed and the exit status is decided.
        self.is_over = output::is_closed() && self.checker.checked.status() != Status::Success;
        if !self.is_over {
            return Ok(ControlFlow::Continue(()));
        }
        self.checker.checked.has_more = true;
        self.checker.messages.note(format_args!(
            "{}: nobody reads the output any longer, so no more sitemaps are read",
            self.target.name
        ));
        Ok(ControlFlow::Break(()))
    }
}
