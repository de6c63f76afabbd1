//! All pages of a live site, for the commands whose input it is.

mod counts;
mod outcome;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use quick_sitemap::crawl::State;
use quick_sitemap::{Effect, Entry, Format, Issue, Position};

pub(crate) use self::counts::Counts;
use self::outcome::Task;
pub(crate) use self::outcome::{Ends, Outcome, Skipped};
use crate::findings::finding::Finding;
use crate::judge::verdicts::Verdicts;
use crate::net::driver::{Document, Driver, Next, is_site};
use crate::net::fetch;
use crate::net::scope::Scope;
use crate::source::walk::{self, Content, End, Item, Origin};
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::{self, Progress};
use crate::term::shortened::shortened;

/// Characters of a finding that are kept.
const LONGEST: usize = 600;

/// Takes what is read. The sitemap is named as it may be shown.
pub(crate) trait Sink {
    fn page(&mut self, sitemap: &str, page: &Entry) -> anyhow::Result<()>;

    fn finding(&mut self, _sitemap: &str, _finding: &Finding) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap has been read, or cannot be read any further. If `is_done`, it was read to its end, so that it is not read
    /// again.
    fn end(&mut self, _is_done: bool) -> anyhow::Result<()> {
        Ok(())
    }

    /// Stores how far the crawl is, always if it `is_urgent`.
    fn save(
        &mut self,
        _driver: &mut Driver,
        _tally: &Tally,
        _is_urgent: bool,
    ) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns `true` if the pages of a sitemap that was not read to its end are left out.
    fn is_whole_only(&self) -> bool {
        false
    }
}

impl<F: FnMut(&str, &Entry) -> anyhow::Result<()>> Sink for F {
    fn page(&mut self, sitemap: &str, page: &Entry) -> anyhow::Result<()> {
        self(sitemap, page)
    }
}

/// Results of the finished sitemaps, in addition to the state of the library's crawl.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) pages: u64,
    pub(crate) issues: Counts,
    /// By the URLs of sitemaps.
    pub(crate) skipped: HashMap<String, Skipped>,
}

/// Passes all pages of a site to `on_page`, with the sitemap that lists each.
///
/// # Errors
///
/// Those of `on_page`, and of temporary files.
pub(crate) fn pages(
    site: &Address,
    scope: &Scope,
    network: &fetch::Options,
    messages: &Messages,
    on_page: &mut dyn FnMut(&str, &Entry) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let _progress = Progress::start("crawling", messages);
    let mut driver = Driver::of(site, scope, network, messages)?;
    let mut sink = |sitemap: &str, page: &Entry| on_page(sitemap, page);
    read(&mut driver, scope, Tally::default(), messages, &mut sink)
}

/// Reads all sitemaps of a crawl, which may go on with an earlier `tally`.
///
/// # Errors
///
/// Those of the sink, and of temporary files.
pub(crate) fn read(
    driver: &mut Driver,
    scope: &Scope,
    mut tally: Tally,
    messages: &Messages,
    sink: &mut dyn Sink,
) -> anyhow::Result<Outcome> {
    let verdicts = Verdicts::default();
    let (mut unfinished, mut partial) = (Counts::default(), HashMap::new());
    let mut read = 0;
    sink.save(driver, &tally, true)?;
    while let Some(next) = driver.next()? {
        let Next::Document(mut document) = next else {
            continue;
        };
        if is_site(driver.address().url()) {
            document.builder = driver.may_list_all(document.builder.clone());
        }
        let (number, url) = (document.number, document.sitemap.to_string());
        let mut reading = Reading {
            shown: driver.shown(&document.sitemap),
            verdicts: &verdicts,
            counts: Counts::default(),
            pages: 0,
            skipped: None,
            first: None,
            format: None,
            sink: &mut *sink,
        };
        reading.document(&mut document, messages)?;
        let Reading {
            counts,
            pages,
            skipped,
            ..
        } = reading;
        let ended = if interrupt::is_requested() {
            // The crawl requests it again, if it goes on.
            drop(document);
            Ok(State::Queued)
        } else {
            driver.end(*document)
        };
        let is_done = matches!(ended, Ok(State::Done(_)));
        if let Err(error) = ended.and_then(|_| sink.end(is_done)) {
            driver.crawl().requeue(number);
            // Earlier results stay.
            let _ = sink.end(false);
            let _ = sink.save(driver, &tally, true);
            return Err(error);
        }
        if is_done {
            tally.pages += pages;
            tally.issues.merge(counts);
            if let Some(skipped) = skipped {
                tally.skipped.insert(url, skipped);
            }
        } else {
            unfinished.merge(counts);
            if !sink.is_whole_only() && pages > 0 {
                partial.insert(number, pages);
            }
        }
        sink.save(driver, &tally, false)?;
        read += 1;
        progress::sitemaps(read, driver.crawl().sitemaps().len());
    }
    driver.fetcher().abandon();
    sink.save(driver, &tally, true)?;
    let summary = driver.summary();
    let sitemaps = driver.crawl().sitemaps().enumerate();
    let tasks: Vec<_> = sitemaps
        .filter_map(|(number, sitemap)| {
            let url = sitemap.url();
            Some(Task {
                url: url.parse().ok()?,
                state: sitemap.state(),
                reason: sitemap.failure().map(ToString::to_string),
                skipped: tally.skipped.remove(url),
                pages: partial.get(&number).copied().unwrap_or_default(),
            })
        })
        .collect();
    let reasons = |(number, task): (usize, Task)| Task {
        reason: driver.reason(number).map(str::to_owned).or(task.reason),
        ..task
    };
    let sitemaps = tasks.into_iter().enumerate().map(reasons).collect();
    tally.issues.merge(unfinished);
    let entrance = summary.robots_failure.as_ref().and_then(|_| {
        let place = driver.address().url().join("/robots.txt").ok()?;
        let robots = driver.address().shown(&place).clipped();
        Some(format!("{robots}: {}", driver.robots().failure.as_ref()?))
    });
    Ok(Outcome {
        sitemaps,
        site: driver.address().clone(),
        entrance_failure: entrance,
        is_unauthorized: driver.is_unauthorized(),
        refusal: driver.refusal(),
        left_out: summary.left_out,
        max_depth: scope.max_depth,
        full: summary.has_more_sitemaps.then_some(scope.max_sitemaps),
        max_pages: summary.has_more_pages.then_some(scope.max_pages),
        pages: tally.pages + partial.values().sum::<u64>(),
        issues: tally.issues,
        bytes: driver.fetcher().received(),
        is_interrupted: interrupt::is_requested(),
    })
}

/// The results of one sitemap.
struct Reading<'r> {
    shown: String,
    verdicts: &'r Verdicts,
    counts: Counts,
    pages: u64,
    skipped: Option<Skipped>,
    /// The first issue that has cost an entry.
    first: Option<String>,
    format: Option<Format>,
    sink: &'r mut dyn Sink,
}

impl Reading<'_> {
    /// Reads the document to its end, or to the bound of the crawl, or until there is a request to stop.
    fn document(&mut self, document: &mut Document, messages: &Messages) -> anyhow::Result<()> {
        let bytes = std::mem::replace(&mut document.bytes, Box::new(io::empty()));
        let name = self.shown.clone();
        let document = walk::Document {
            name: &name,
            bytes,
            builder: document.builder.clone(),
            path: None,
            base: None,
            may_be_list: false,
            follower: Some(document.receiver.get_mut()),
        };
        walk::walk(document, messages, self)
    }

    fn found(&mut self, finding: &Finding) -> anyhow::Result<()> {
        let rule = Cow::Borrowed(finding.rule);
        self.counts.add(finding.severity, rule, 1);
        self.sink.finding(&self.shown, finding)
    }

    fn issues(&mut self, issues: &[Issue], about: Option<(Position, &str)>) -> anyhow::Result<()> {
        if self.first.is_none() {
            let worst = issues
                .iter()
                .find(|issue| issue.effect == Effect::EntrySkipped);
            self.first = worst.map(ToString::to_string);
        }
        for issue in issues {
            if let Some(severity) = self.verdicts.of_issue(issue) {
                let finding = Finding::issue(issue, severity);
                self.found(&match about {
                    Some((start, loc)) => finding.about_entry(start, loc),
                    None => finding,
                })?;
            }
        }
        Ok(())
    }
}

impl walk::Sink for Reading<'_> {
    fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        if let Content::Sitemap(format) = content {
            self.format = format;
        }
        Ok(())
    }

    fn item(&mut self, item: Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let about = match &item.origin {
            Origin::Entry(raw) => raw.loc().map(|loc| (raw.position(), loc)),
            Origin::Row { .. } => None,
        };
        self.issues(item.issues, about)?;
        if let Ok(page @ Entry::Url(_)) = &item.entry {
            self.pages += 1;
            self.sink.page(&self.shown, page)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, end: &End<'_>) -> anyhow::Result<()> {
        self.issues(end.issues, None)?;
        if let walk::Outcome::Failed(error) = &end.outcome {
            self.found(&Finding::error(error, self.format))?;
        }
        self.skipped = self.first.take().map(|first| Skipped {
            count: end.skipped.max(1),
            first: shortened(&first, LONGEST).into_owned(),
        });
        Ok(())
    }
}
