//! What a crawl does with the sitemaps of a site: it puts their pages out, and records in the state file what is done.
//!
//! Each job has a slot, which holds the lines of the sitemap that it is reading. Whoever ends the crawl (Ctrl-C,
//! `--max-pages`) takes the lines out of the slots, so that it does not have to wait for jobs that wait for the network.
//!
//! Locks are taken in this order: saved, slot, output, the site's crawl, inner. The output stays locked from the end of a
//! sitemap until its lines have been written, so that whoever writes the state file meanwhile finds a sitemap done only
//! if all of its pages are in the output. The site's crawl and `inner` are never locked for longer than it takes to look
//! something up or to note it.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quick_sitemap::crawl::{Receiver, State};
use quick_sitemap::{Decoder, Effect, Entry};

use super::given::{Given, Skipped};
use super::issues::{Counts, Issues, IssuesFile};
use super::lines::{Format, Spool};
use super::output::{Output, Target};
use super::progress::Progress;
use super::report::{Outcome, Task};
use super::resume::{Resume, Same, Written};
use crate::net::fetch::{self, Fetcher};
use crate::net::site::{self, Asked, Ended, Scope, Site, Visitor};
use crate::term::address::Address;
use crate::term::messages::Messages;

/// The state file is not written more often than would take this part of the time,
const SAVING: u32 = 20;
/// unless it has not been written for so long.
const LONGEST_UNSAVED: Duration = Duration::from_secs(5);

pub(super) struct Plan<'p> {
    pub(super) site: Address,
    pub(super) scope: &'p Scope,
    pub(super) network: &'p fetch::Options,
    pub(super) format: Format,
    pub(super) source: bool,
    pub(super) output: Target<'p>,
    pub(super) resume: Option<&'p Path>,
    /// The file of `--issues`.
    pub(super) issues: Option<&'p Path>,
    pub(super) messages: &'p Messages,
}

/// A crawl whose files are open, and which has not begun.
pub(super) struct Opened<'p> {
    plan: Plan<'p>,
    earlier: Option<Resume>,
    fetcher: Fetcher,
    outputs: Outputs,
}

/// What the crawl writes.
struct Outputs {
    pages: Output,
    issues: Option<IssuesFile>,
}

impl<'p> Opened<'p> {
    /// Reads the state file and the certificates, and opens the output.
    ///
    /// # Errors
    ///
    /// If one of them cannot be used.
    pub(super) fn new(plan: Plan<'p>) -> anyhow::Result<Self> {
        let earlier = match plan.resume {
            Some(path) => {
                let same = Same {
                    site: &plan.site,
                    format: plan.format,
                    source: plan.source,
                    has_issues: plan.issues.is_some(),
                };
                Resume::read(path, &same)?
            }
            None => None,
        };
        let fetcher = Fetcher::new(plan.network)?;
        let before = earlier.as_ref().map(|earlier| earlier.output_bytes);
        let pages = Output::open(plan.output, plan.resume, before)?;
        let before = earlier.as_ref().and_then(|earlier| earlier.issues.as_ref());
        let before = before.map(|issues| issues.bytes);
        let open = |path| IssuesFile::open(path, plan.resume, before);
        let issues = plan.issues.map(open).transpose()?;
        Ok(Self {
            fetcher,
            outputs: Outputs { pages, issues },
            plan,
            earlier,
        })
    }
}

pub(super) struct Crawl {
    site: Arc<Site>,
    scope: Scope,
    format: Format,
    source: bool,
    progress: Progress,
    writes_issues: bool,
    slots: Vec<Mutex<Option<Slot>>>,
    output: Mutex<Outputs>,
    inner: Mutex<Inner>,
    /// Pages in the output and in the slots.
    pages: AtomicU64,
    has_all_pages: AtomicBool,
    state_file: Option<PathBuf>,
    saved: Mutex<Saved>,
}

/// What a job is reading.
struct Slot {
    url: String,
    /// The sitemap as it may be shown.
    shown: String,
    spool: Spool,
    issues: Issues,
    /// The first entry that could not be used.
    skipped: Option<String>,
    /// How many there were.
    skips: u64,
}

#[derive(Default)]
struct Inner {
    /// In the output.
    pages: u64,
    output_bytes: Option<u64>,
    /// By the URLs of sitemaps that are not done.
    given: HashMap<String, Given>,
    /// By the URLs of sitemaps that are done.
    skipped: HashMap<String, Skipped>,
    /// Of the sitemaps that are done.
    issues: Counts,
    issues_bytes: Option<u64>,
    /// Of the others.
    unfinished_issues: Counts,
    /// Why sitemaps have failed, by their numbers.
    reasons: HashMap<usize, String>,
    /// robots.txt could not be read.
    entrance_failure: Option<String>,
    /// What keeps pages from being put out.
    fault: Option<anyhow::Error>,
}

struct Saved {
    at: Option<Instant>,
    took: Duration,
    outputs: Vec<File>,
}

impl Crawl {
    /// Writes the state file and starts the jobs.
    pub(super) fn begin(opened: Opened<'_>) -> anyhow::Result<Arc<Self>> {
        let Opened {
            plan,
            earlier,
            fetcher,
            mut outputs,
        } = opened;
        let builder = site::builder(plan.scope, plan.network);
        let mut inner = Inner::default();
        let crawl = match earlier {
            None => {
                let header = plan.format.header(plan.source);
                outputs
                    .pages
                    .append(|out| out.write_all(header.as_bytes()))?;
                site::crawl_of(builder, &plan.site)
            }
            Some(earlier) => {
                inner.pages = earlier.output_pages;
                inner.given = earlier.given;
                inner.skipped = earlier.findings;
                inner.issues = earlier.issue_counts;
                builder.resume(earlier.crawl)
            }
        };
        inner.output_bytes = outputs.pages.length();
        inner.issues_bytes = outputs.issues.as_ref().and_then(IssuesFile::length);
        let mut handles = Vec::from_iter(outputs.pages.handle()?);
        if let Some(issues) = &outputs.issues {
            handles.extend(issues.handle()?);
        }
        let jobs = usize::from(plan.scope.jobs);
        let crawl = Arc::new(Self {
            progress: Progress::new(jobs, plan.messages.is_quiet()),
            slots: (0..jobs).map(|_| Mutex::new(None)).collect(),
            saved: Mutex::new(Saved {
                at: None,
                took: Duration::ZERO,
                outputs: handles,
            }),
            writes_issues: outputs.issues.is_some(),
            output: Mutex::new(outputs),
            pages: AtomicU64::new(inner.pages),
            inner: Mutex::new(inner),
            has_all_pages: AtomicBool::new(false),
            state_file: plan.resume.map(Path::to_owned),
            site: Site::new(plan.site, fetcher, crawl),
            scope: plan.scope.clone(),
            format: plan.format,
            source: plan.source,
        });
        // Before there is anything to do, so that whoever is asked to write it hears at once if it cannot be.
        crawl.save(true)?;
        crawl.site.start(jobs, &crawl)?;
        Ok(crawl)
    }

    /// Waits for the end, and says what came of it.
    pub(super) fn finish(&self) -> anyhow::Result<Outcome> {
        self.site.wait(|crawl| {
            self.progress.totals(
                crawl.sitemaps().len(),
                self.pages.load(Ordering::Relaxed),
                self.site.fetcher().received(),
            );
        });
        self.site.stop();
        for slot in &self.slots {
            let mut slot = lock(slot);
            if let Some(slot) = slot.take() {
                let mut output = lock(&self.output);
                self.put_out(&mut output, slot, false);
            }
        }
        self.site.fetcher().abandon();
        self.progress.clear();
        // A statement of its own: the lock is held to the end of an `if let`, and `save` takes it.
        let fault = self.inner().fault.take();
        if let Some(fault) = fault {
            // The output is broken, but what is known of it is not.
            let _ = self.save(true);
            return Err(fault);
        }
        self.save(true)?;
        if let Some(issues) = &mut lock(&self.output).issues {
            issues.finish()?;
        }
        Ok(self.outcome())
    }

    fn outcome(&self) -> Outcome {
        let crawl = self.site.crawl();
        let mut inner = self.inner();
        let summary = crawl.summary();
        let tasks = crawl
            .sitemaps()
            .enumerate()
            .filter_map(|(number, sitemap)| {
                let url = sitemap.url();
                let failure = sitemap.failure().map(ToString::to_string);
                Some(Task {
                    url: url.parse().ok()?,
                    state: sitemap.state(),
                    reason: inner.reasons.remove(&number).or(failure),
                    skipped: inner.skipped.remove(url),
                    given: inner.given.get(url).copied().unwrap_or_default(),
                })
            });
        Outcome {
            site: self.site.address().clone(),
            sitemaps: tasks.collect(),
            left_out: summary.left_out,
            entrance_failure: inner.entrance_failure.clone(),
            is_unauthorized: self.site.is_unauthorized(),
            max_depth: self.scope.max_depth,
            full: summary.has_more_sitemaps.then_some(self.scope.max_sitemaps),
            max_pages: self
                .has_all_pages
                .load(Ordering::SeqCst)
                .then_some(self.scope.max_pages),
            pages: inner.pages,
            issues: {
                let mut issues = inner.issues.clone();
                issues.merge(std::mem::take(&mut inner.unfinished_issues));
                issues
            },
            bytes: self.site.fetcher().received(),
            is_interrupted: crate::term::interrupt::is_requested(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// The crawl ends because of this.
    fn break_off(&self, fault: anyhow::Error) {
        self.inner().fault.get_or_insert(fault);
        self.site.stop();
    }

    /// Appends the lines to the outputs. Returns `false` if that fails.
    fn put_out(&self, outputs: &mut Outputs, mut slot: Slot, is_done: bool) -> bool {
        let spool = &mut slot.spool;
        if is_done {
            self.pages.fetch_add(spool.decide(), Ordering::Relaxed);
        }
        let counts = std::mem::take(&mut slot.issues.counts);
        let written = self.progress.suspend(|| {
            outputs.pages.append(|output| spool.write_to(output))?;
            match &mut outputs.issues {
                Some(issues) => issues.append(slot.issues, is_done),
                None => Ok(()),
            }
        });
        if let Err(error) = written {
            self.break_off(error);
            return false;
        }
        let mut inner = self.inner();
        inner.pages += spool.new_pages();
        inner.output_bytes = outputs.pages.length();
        inner.issues_bytes = outputs.issues.as_ref().and_then(IssuesFile::length);
        match is_done {
            true => inner.issues.merge(counts),
            false => inner.unfinished_issues.merge(counts),
        }
        let given = spool.given();
        // What is done is not read again.
        if is_done || given.pages == 0 {
            inner.given.remove(&slot.url);
        } else {
            inner.given.insert(slot.url.clone(), given);
        }
        if let (true, Some(first)) = (is_done, slot.skipped) {
            let skipped = Skipped::new(slot.skips.max(1), &first);
            inner.skipped.insert(slot.url, skipped);
        }
        true
    }

    /// Forgets the lines.
    fn drop_lines(&self, mut slot: Slot) {
        self.pages.fetch_sub(slot.spool.clear(), Ordering::Relaxed);
    }

    /// Writes the state file, if there is one, and if it is time.
    fn save(&self, is_urgent: bool) -> anyhow::Result<()> {
        let Some(path) = &self.state_file else {
            return Ok(());
        };
        let mut saved = lock(&self.saved);
        let is_early = saved
            .at
            .is_some_and(|at| at.elapsed() < (saved.took * SAVING).min(LONGEST_UNSAVED));
        // At the end it is written by whoever ends the crawl, and by nobody after that.
        if !is_urgent && (is_early || self.site.is_stopped()) {
            return Ok(());
        }
        let begin = Instant::now();
        let state = {
            let _output = lock(&self.output);
            let crawl = self.site.crawl().save();
            let inner = self.inner();
            Resume {
                login: self.site.address().has_login(),
                format: self.format,
                source: self.source,
                output_pages: inner.pages,
                output_bytes: inner.output_bytes,
                given: inner.given.clone(),
                findings: inner.skipped.clone(),
                issues: self.writes_issues.then_some(Written {
                    bytes: inner.issues_bytes,
                }),
                issue_counts: inner.issues.clone(),
                crawl,
            }
        };
        let json = serde_json::to_vec(&state)?;
        for output in &saved.outputs {
            output.sync_data()?;
        }
        super::resume::write(path, &json)?;
        saved.at = Some(Instant::now());
        saved.took = begin.elapsed();
        Ok(())
    }
}

impl Visitor for Crawl {
    fn begin(&self, job: usize, asked: &Asked) {
        let shown = self.site.address().shown(&asked.sitemap);
        self.progress.begin(job, &shown);
        let Some(slot) = self.slots.get(job).filter(|_| asked.number.is_some()) else {
            return;
        };
        let url = String::from(asked.sitemap.clone());
        let given = self.inner().given.get(&url).copied();
        let mut slot = lock(slot);
        if !self.site.is_stopped() {
            *slot = Some(Slot {
                url,
                shown: shown.to_string(),
                spool: Spool::new(given.unwrap_or_default()),
                issues: Issues::new(self.writes_issues),
                skipped: None,
                skips: 0,
            });
        }
    }

    fn read(&self, job: usize, _: &Asked, receiver: &mut Receiver) -> bool {
        let mut line = Vec::new();
        loop {
            let entry = receiver.next_entry();
            let slot = self.slots.get(job).map(lock);
            let Some(mut slot) = slot else {
                return false;
            };
            let Some(slot) = slot.as_mut() else {
                // robots.txt has none, and no entries.
                return matches!(entry, Ok(None)) && receiver.decoder().is_none();
            };
            let issues = receiver.decoder().map_or(&[][..], Decoder::issues);
            if slot.skipped.is_none() {
                let worst = issues
                    .iter()
                    .find(|issue| issue.effect == Effect::EntrySkipped);
                slot.skipped = worst.map(ToString::to_string);
            }
            slot.issues.repeated(receiver.is_repeated());
            let mut noted = slot.issues.add(&slot.shown, issues);
            if let Err(error) = &entry {
                noted = noted.and_then(|()| slot.issues.fatal(&slot.shown, error));
            }
            if let Err(error) = noted {
                self.break_off(anyhow::Error::new(error).context("a temporary file"));
                return false;
            }
            let page = match entry {
                // An error is fatal, and the crawl says what becomes of that.
                Ok(None) | Err(_) => {
                    slot.skips = receiver
                        .decoder()
                        .map_or(0, |decoder| decoder.summary().skipped);
                    return true;
                }
                Ok(Some(Entry::Sitemap(_))) => continue,
                Ok(Some(page)) => page,
            };
            if self.site.is_stopped() {
                return false;
            }
            line.clear();
            let source = self.source.then_some(slot.shown.as_str());
            let written = self.format.line(&page, source, &mut line);
            // What is repeated from an earlier crawl counts already. If it turns out to be something else, it has been
            // read, and there may be more pages than are wanted.
            let is_new = slot.spool.expects_new();
            if is_new && self.pages.fetch_add(1, Ordering::Relaxed) >= self.scope.max_pages {
                self.pages.fetch_sub(1, Ordering::Relaxed);
                self.has_all_pages.store(true, Ordering::SeqCst);
                self.site.stop();
                return false;
            }
            match written.and_then(|()| slot.spool.push(&line)) {
                Ok(unexpected) => {
                    self.pages.fetch_add(unexpected, Ordering::Relaxed);
                }
                Err(error) => {
                    self.break_off(anyhow::Error::new(error).context("a temporary file"));
                    return false;
                }
            }
            let pages = slot.spool.pages();
            if pages % 1_000 == 0 {
                self.progress.pages(job, pages);
            }
        }
    }

    fn end(&self, job: usize, asked: &Asked, end: &mut dyn FnMut() -> Option<Ended>) {
        let Some(number) = asked.number else {
            if let Some(Ended {
                state: State::Failed,
                reason: Some(reason),
                ..
            }) = end()
            {
                let robots = self.site.address().shown(&asked.sitemap).clipped();
                self.inner().entrance_failure = Some(format!("{robots}: {reason}"));
            }
            return;
        };
        {
            let Some(mut slot) = self.slots.get(job).map(lock) else {
                return;
            };
            // Whoever ends the crawl may have taken it.
            let Some(slot) = slot.take() else {
                return;
            };
            let mut output = lock(&self.output);
            let Some(Ended { state, reason }) = end() else {
                return;
            };
            let is_put_out = match state {
                State::Done(_) => self.put_out(&mut output, slot, true),
                State::Failed | State::Partial => self.put_out(&mut output, slot, false),
                _ => {
                    self.drop_lines(slot);
                    true
                }
            };
            if !is_put_out {
                self.site.crawl().requeue(number);
            }
            if let (State::Failed, Some(reason)) = (state, reason) {
                self.inner().reasons.insert(number, reason);
            }
            if state != State::Queued {
                self.progress.finished(state == State::Failed);
            }
        }
        if let Err(error) = self.save(false) {
            self.break_off(error);
        }
    }

    fn idle(&self, job: usize) {
        self.progress.end(job);
    }

    fn wait(&self, job: usize, wait: Duration, reason: &str) {
        self.progress.wait(job, wait, &reason);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
