//! All pages of a live site, for the commands whose input it is.

mod outcome;

use std::collections::HashMap;
use std::mem;
use std::ops::ControlFlow;

use quick_sitemap::{Entry, Format, Issue, Position};
use quick_sitemap_crawl::State;

pub(crate) use self::outcome::{ClosingNotes, Outcome, Tally};
use crate::judge::finding::Finding;
use crate::judge::verdicts::Verdicts;
use crate::net::driver::{Document, Driver, is_site};
use crate::net::scope::Scope;
use crate::sets::faults::{Counts, Faults, Skipped};
use crate::sets::pages::{Listed, Page};
use crate::source;
use crate::source::site::Visitor;
use crate::source::walk::{self, Content, End, Item, Origin};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress;

/// Takes what is read. The sitemap is named as it may be shown.
pub(crate) trait Sink {
    fn page(&mut self, page: Page<'_>) -> anyhow::Result<()>;

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

impl<F: FnMut(Page<'_>) -> anyhow::Result<()>> Sink for F {
    fn page(&mut self, page: Page<'_>) -> anyhow::Result<()> {
        self(page)
    }
}

/// Reads all sitemaps of a crawl, which may go on with an earlier `tally`.
///
/// # Errors
///
/// Those of the sink, and of temporary files.
pub(crate) fn read<'d>(
    driver: &'d mut Driver,
    scope: &'d Scope,
    tally: Tally,
    messages: &Messages,
    sink: &mut dyn Sink,
) -> anyhow::Result<Outcome<'d>> {
    let mut crawling = Crawling {
        tally,
        unfinished: Counts::default(),
        partial: HashMap::new(),
        read: 0,
        verdicts: Verdicts::default(),
        current: Sitemap::default(),
        messages,
        sink,
    };
    crawling.sink.save(driver, &crawling.tally, true)?;
    source::site::read(driver, &mut crawling)?;
    crawling.sink.save(driver, &crawling.tally, true)?;
    let (mut tally, partial) = (crawling.tally, crawling.partial);
    tally.issues.merge(crawling.unfinished);
    tally.pages += partial.values().sum::<u64>();
    Ok(Outcome {
        summary: driver.crawl.summary(),
        driver,
        scope,
        tally,
        partial,
        is_interrupted: interrupt::is_requested(),
    })
}

/// The crawl so far.
struct Crawling<'c> {
    tally: Tally,
    /// Findings of the sitemaps that were not read to their end, and the pages of those that count all the same.
    unfinished: Counts,
    partial: HashMap<usize, u64>,
    read: u64,
    verdicts: Verdicts,
    current: Sitemap,
    messages: &'c Messages,
    sink: &'c mut dyn Sink,
}

/// The results of one sitemap.
#[derive(Default)]
struct Sitemap {
    url: String,
    shown: String,
    faults: Faults,
    pages: u64,
    skipped: Option<Skipped>,
    format: Option<Format>,
}

impl Visitor for Crawling<'_> {
    fn document(
        &mut self,
        driver: &Driver,
        about: &Document,
        mut document: walk::Document<'_>,
    ) -> anyhow::Result<()> {
        if is_site(driver.address.url()) {
            document.builder = driver.may_list_all(document.builder);
        }
        self.current = Sitemap {
            url: about.sitemap.to_string(),
            shown: driver.shown(&about.sitemap),
            ..Sitemap::default()
        };
        walk::walk(document, self.messages, self)
    }

    fn end(
        &mut self,
        driver: &mut Driver,
        number: usize,
        state: anyhow::Result<State>,
    ) -> anyhow::Result<ControlFlow<()>> {
        let sitemap = mem::take(&mut self.current);
        let is_done = matches!(state, Ok(State::Done(_)));
        if let Err(error) = state.and_then(|_| self.sink.end(is_done)) {
            driver.requeue(number);
            // Earlier results stay.
            let _ = self.sink.end(false);
            let _ = self.sink.save(driver, &self.tally, true);
            return Err(error);
        }
        if is_done {
            self.tally.pages += sitemap.pages;
            self.tally.issues.merge(sitemap.faults.counts);
            if let Some(skipped) = sitemap.skipped {
                self.tally.skipped.insert(sitemap.url, skipped);
            }
        } else {
            self.unfinished.merge(sitemap.faults.counts);
            if !self.sink.is_whole_only() && sitemap.pages > 0 {
                self.partial.insert(number, sitemap.pages);
            }
        }
        self.sink.save(driver, &self.tally, false)?;
        self.read += 1;
        progress::sitemaps(self.read, driver.crawl.sitemaps().len());
        Ok(ControlFlow::Continue(()))
    }
}

impl Crawling<'_> {
    /// Passes the issues of the current sitemap on as findings.
    fn issues(&mut self, issues: &[Issue], about: Option<(Position, &str)>) -> anyhow::Result<()> {
        let Sitemap { faults, shown, .. } = &mut self.current;
        let sink = &mut self.sink;
        faults.issues(issues, &self.verdicts, &mut |issue, severity| {
            let finding = Finding::issue(issue, severity);
            let finding = match about {
                Some((start, loc)) => finding.about_entry(start, loc),
                None => finding,
            };
            sink.finding(shown, &finding)
        })
    }
}

impl walk::Sink for Crawling<'_> {
    fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        if let Content::Sitemap(format) = content {
            self.current.format = format;
        }
        Ok(())
    }

    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let about = match &item.origin {
            Origin::Entry(raw) => raw.loc().map(|loc| (raw.position(), loc)),
            Origin::Row { .. } => None,
        };
        self.issues(item.issues, about)?;
        if let Ok(Entry::Url(entry)) = item.take() {
            self.current.pages += 1;
            self.sink.page(Page {
                entry,
                listed: Listed {
                    file: &self.current.shown,
                    origin: &item.origin,
                    issues: item.issues,
                },
            })?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, end: &End<'_>) -> anyhow::Result<()> {
        self.issues(end.issues, None)?;
        if let walk::Outcome::Failed(error) = &end.outcome {
            let finding = Finding::error(error, self.current.format);
            self.current.faults.add(finding.rule, finding.severity);
            self.sink.finding(&self.current.shown, &finding)?;
        }
        self.current.skipped = self.current.faults.skipped(end.skipped);
        Ok(())
    }
}
