//! All pages of a live site, for the commands whose input it is.

mod counts;
mod outcome;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};

use quick_sitemap::crawl::State;
use quick_sitemap::{Decoder, Effect, Entry};

pub(crate) use self::counts::Counts;
use self::outcome::Task;
pub(crate) use self::outcome::{Ends, Outcome, Skipped};
use crate::findings::finding::Finding;
use crate::judge::verdicts::Verdicts;
use crate::net::driver::{Document, Driver, Next};
use crate::net::fetch;
use crate::net::scope::Scope;
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::{self, Progress};
use crate::term::shortened::shortened;

/// Characters of a finding that are kept.
const LONGEST: usize = 600;
const PIECE: usize = 64 << 10;

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
    fn save(&mut self, _crawled: &mut Crawled<'_>, _is_urgent: bool) -> anyhow::Result<()> {
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

/// The crawl, and what came of it until now.
pub(crate) struct Crawled<'c> {
    pub(crate) driver: &'c mut Driver,
    pub(crate) tally: &'c Tally,
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
    read(&mut driver, scope, Tally::default(), &mut sink)
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
    sink: &mut dyn Sink,
) -> anyhow::Result<Outcome> {
    let verdicts = Verdicts::default();
    let (mut unfinished, mut partial) = (Counts::default(), HashMap::new());
    let mut read = 0;
    sink.save(
        &mut Crawled {
            driver,
            tally: &tally,
        },
        true,
    )?;
    while let Some(next) = driver.next()? {
        let Next::Document(mut document) = next else {
            continue;
        };
        let (number, url) = (document.number, document.sitemap.to_string());
        let mut reading = Reading {
            shown: driver.shown(&document.sitemap),
            verdicts: &verdicts,
            counts: Counts::default(),
            pages: 0,
            skipped: None,
        };
        reading.document(&mut document, sink)?;
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
            let _ = sink.save(
                &mut Crawled {
                    driver,
                    tally: &tally,
                },
                true,
            );
            return Err(error);
        }
        if is_done {
            tally.pages += reading.pages;
            tally.issues.merge(reading.counts);
            if let Some(skipped) = reading.skipped {
                tally.skipped.insert(url, skipped);
            }
        } else {
            unfinished.merge(reading.counts);
            if !sink.is_whole_only() && reading.pages > 0 {
                partial.insert(number, reading.pages);
            }
        }
        sink.save(
            &mut Crawled {
                driver,
                tally: &tally,
            },
            false,
        )?;
        read += 1;
        progress::sitemaps(read, driver.crawl().sitemaps().len());
    }
    driver.fetcher().abandon();
    sink.save(
        &mut Crawled {
            driver,
            tally: &tally,
        },
        true,
    )?;
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
}

impl Reading<'_> {
    /// Reads the document to its end, or as far as the crawl needs it, or until the program is interrupted.
    fn document(&mut self, document: &mut Document, sink: &mut dyn Sink) -> anyhow::Result<()> {
        let receiver = document.receiver.get_mut();
        let mut first = None;
        let mut piece = vec![0; PIECE];
        while !interrupt::is_requested() {
            let entry = receiver.next_entry();
            let issues = receiver.decoder().map_or(&[][..], Decoder::issues);
            if first.is_none() {
                let worst = issues
                    .iter()
                    .find(|issue| issue.effect == Effect::EntrySkipped);
                first = worst.map(ToString::to_string);
            }
            let is_entry = matches!(entry, Ok(Some(_)));
            let raw = receiver.decoder().filter(|_| is_entry).map(Decoder::raw);
            for issue in issues {
                if let Some(severity) = self.verdicts.of_issue(issue) {
                    let mut finding = Finding::issue(issue, severity);
                    // Issues before the entry are those of markup and of skipped entries.
                    if let Some(raw) = raw
                        && issue.position.byte() >= raw.position().byte()
                        && let Some(loc) = raw.loc()
                    {
                        finding = finding.on_page(loc);
                    }
                    self.found(&finding, sink)?;
                }
            }
            match entry {
                Ok(Some(Entry::Sitemap(_))) => {}
                Ok(Some(page)) => {
                    self.pages += 1;
                    progress::entry();
                    sink.page(&self.shown, &page)?;
                }
                Ok(None) if receiver.wants_more() => match document.bytes.read(&mut piece) {
                    Ok(0) => receiver.finish(),
                    Ok(count) => receiver.push(piece.get(..count).unwrap_or_default()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => receiver.fail(error),
                },
                Ok(None) => break,
                // The reader is lenient: an error is fatal.
                Err(error) => {
                    let format = receiver.decoder().and_then(Decoder::format);
                    self.found(&Finding::error(&error, format), sink)?;
                    break;
                }
            }
        }
        let skips = receiver
            .decoder()
            .map_or(0, |decoder| decoder.summary().skipped);
        self.skipped = first.map(|first| Skipped {
            count: skips.max(1),
            first: shortened(&first, LONGEST).into_owned(),
        });
        Ok(())
    }

    fn found(&mut self, finding: &Finding, sink: &mut dyn Sink) -> anyhow::Result<()> {
        let rule = Cow::Borrowed(finding.rule);
        self.counts.add(finding.severity, rule, 1);
        sink.finding(&self.shown, finding)
    }
}
