//! The crawl itself: jobs that take sitemaps from the frontier, read them, and put their pages out.
//!
//! Each job has a slot, which holds the lines of the sitemap that it is reading. Whoever ends the crawl (Ctrl-C,
//! `--max-pages`) takes the lines out of the slots, so that it does not have to wait for jobs that wait for the network.
//!
//! Locks are taken in this order: slot, output, inner; saved, which guards the state file, before inner, and with none of
//! the others. A slot and the output stay locked while lines are written, which
//! may take long; `inner` is never locked for longer than it takes to look something up or to note it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use quick_sitemap::{Effect, Entry, Error, ErrorKind, Reader, ReaderBuilder};

use super::frontier::{Added, Bounds, Frontier, Given, Lister, Skipped, State, Task};
use super::lines::{Format, Spool};
use super::output::{Output, Target};
use super::progress::Progress;
use super::report::Outcome;
use super::resume::{Resume, Snapshot};
use super::scope::Scope;
use crate::address::Address;
use crate::fetch::{self, Fetcher, Request};
use crate::messages::Messages;

/// How often a crawl that waits looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
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
    pub(super) messages: &'p Messages,
}

/// A crawl whose files are open, and which has not begun.
pub(super) struct Opened<'p> {
    plan: Plan<'p>,
    earlier: Option<Resume>,
    fetcher: Fetcher,
    output: Output,
}

impl<'p> Opened<'p> {
    /// Reads the state file and the certificates, and opens the output.
    ///
    /// # Errors
    ///
    /// If one of them cannot be used.
    pub(super) fn new(plan: Plan<'p>) -> anyhow::Result<Self> {
        let earlier = match plan.resume {
            Some(path) => Resume::read(path, &plan.site, plan.format, plan.source)?,
            None => None,
        };
        Ok(Self {
            fetcher: Fetcher::new(plan.network)?,
            output: Output::open(plan.output, plan.resume, earlier.as_ref())?,
            plan,
            earlier,
        })
    }
}

pub(super) struct Crawl {
    site: Address,
    scope: Scope,
    fetcher: Fetcher,
    format: Format,
    source: bool,
    progress: Progress,
    slots: Vec<Mutex<Option<Slot>>>,
    output: Mutex<Output>,
    inner: Mutex<Inner>,
    /// Something in `inner` has changed.
    changed: Condvar,
    /// Pages in the output and in the slots.
    pages: AtomicU64,
    stop: AtomicBool,
    has_all_pages: AtomicBool,
    state_file: Option<PathBuf>,
    saved: Mutex<Saved>,
}

/// What a job is reading.
struct Slot {
    number: usize,
    /// As which it is read.
    depth: usize,
    spool: Spool,
}

pub(super) struct Inner {
    pub(super) frontier: Frontier,
    /// Jobs that are at work, and may find more of it.
    active: usize,
    is_entered: bool,
    /// robots.txt could not be read.
    pub(super) entrance_failure: Option<String>,
    /// There is nobody to be asked for anything else.
    pub(super) is_unreachable: bool,
    /// In the output.
    pages: u64,
    output_bytes: Option<u64>,
    /// What keeps pages from being put out.
    fault: Option<anyhow::Error>,
}

struct Saved {
    at: Option<Instant>,
    took: Duration,
    output: Option<File>,
}

/// What came of a sitemap.
enum Read {
    Finished(State),
    /// The crawl ends; whoever ends it sees to the slot.
    Stopped,
}

impl Crawl {
    /// Writes the state file and starts the jobs.
    pub(super) fn begin(opened: Opened<'_>) -> anyhow::Result<Arc<Self>> {
        let Opened {
            plan,
            earlier,
            fetcher,
            mut output,
        } = opened;
        let mut inner = Inner {
            frontier: Frontier::new(Bounds {
                sitemaps: plan.scope.max_sitemaps,
                depth: plan.scope.max_depth,
                other_hosts: plan.scope.other_hosts,
            }),
            active: 0,
            is_entered: false,
            entrance_failure: None,
            is_unreachable: false,
            pages: 0,
            output_bytes: output.length(),
            fault: None,
        };
        match earlier {
            None => {
                let header = plan.format.header(plan.source);
                output.append(|out| out.write_all(header.as_bytes()))?;
                inner.output_bytes = output.length();
            }
            Some(earlier) => {
                inner.pages = earlier.pages;
                // Where nothing was found, the site is looked at anew.
                let is_something =
                    |task: &Task| task.given.pages > 0 || matches!(task.state, State::Done { .. });
                if earlier.sitemaps.iter().any(is_something) {
                    inner.is_entered = earlier.is_entered;
                    inner.frontier.resume(earlier.sitemaps, earlier.hosts);
                }
            }
        }
        let jobs = usize::from(plan.scope.jobs);
        let crawl = Arc::new(Self {
            progress: Progress::new(jobs, plan.messages.is_quiet()),
            fetcher,
            slots: (0..jobs).map(|_| Mutex::new(None)).collect(),
            saved: Mutex::new(Saved {
                at: None,
                took: Duration::ZERO,
                output: output.handle()?,
            }),
            output: Mutex::new(output),
            pages: AtomicU64::new(inner.pages),
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            has_all_pages: AtomicBool::new(false),
            state_file: plan.resume.map(Path::to_owned),
            site: plan.site,
            scope: plan.scope.clone(),
            format: plan.format,
            source: plan.source,
        });
        // Before there is anything to do, so that whoever is asked to write it hears at once if it cannot be.
        crawl.save(true)?;
        crawl.inner().active = 1;
        for job in 0..jobs {
            let crawl = Arc::clone(&crawl);
            thread::Builder::new()
                .name(format!("job {job}"))
                .spawn(move || {
                    if job == 0 {
                        crawl.enter_once();
                    }
                    crawl.work(job);
                })
                .context("a thread cannot be started")?;
        }
        Ok(crawl)
    }

    /// Waits for the end, and says what came of it.
    pub(super) fn finish(&self) -> anyhow::Result<Outcome> {
        let mut inner = self.inner();
        loop {
            let is_idle = inner.active == 0 && !inner.frontier.has_queued();
            if is_idle || self.is_stopped() || inner.fault.is_some() {
                break;
            }
            self.progress.totals(
                inner.frontier.tasks.len(),
                self.pages.load(Ordering::Relaxed),
                self.fetcher.received(),
            );
            inner = match self.changed.wait_timeout(inner, TICK) {
                Ok((inner, _)) => inner,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        drop(inner);
        self.halt();
        for slot in &self.slots {
            let mut slot = lock(slot);
            if let Some(mut slot) = slot.take() {
                self.put_out(&mut slot, State::Partial);
            }
        }
        self.fetcher.abandon();
        self.progress.clear();
        // A statement of its own: the lock is held to the end of an `if let`, and `save` takes it.
        let fault = self.inner().fault.take();
        if let Some(fault) = fault {
            // The output is broken, but what is known of it is not.
            let _ = self.save(true);
            return Err(fault);
        }
        self.save(true)?;
        Ok(self.outcome())
    }

    fn outcome(&self) -> Outcome {
        let mut inner = self.inner();
        let frontier = &mut inner.frontier;
        Outcome {
            site: self.site.clone(),
            // Jobs that still wait for the network look for nothing in it any more.
            sitemaps: std::mem::take(&mut frontier.tasks),
            other_host: std::mem::take(&mut frontier.other_host),
            too_deep: std::mem::take(&mut frontier.too_deep),
            too_long: std::mem::take(&mut frontier.too_long),
            entrance_failure: inner.entrance_failure.clone(),
            max_depth: self.scope.max_depth,
            full: inner.frontier.is_full.then_some(self.scope.max_sitemaps),
            max_pages: self
                .has_all_pages
                .load(Ordering::SeqCst)
                .then_some(self.scope.max_pages),
            pages: inner.pages,
            bytes: self.fetcher.received(),
            is_interrupted: crate::interrupt::is_requested(),
        }
    }

    pub(super) fn site(&self) -> &Address {
        &self.site
    }

    pub(super) fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || crate::interrupt::is_requested()
    }

    fn enter_once(&self) {
        if !self.inner().is_entered {
            self.enter();
        }
        let mut inner = self.inner();
        inner.is_entered = !crate::interrupt::is_requested();
        inner.active -= 1;
        self.changed.notify_all();
    }

    fn work(&self, job: usize) {
        while let Some((number, task)) = self.take() {
            self.progress.begin(job, &self.site.shown(&task.url));
            if let Read::Finished(state) = self.read(job, number, &task) {
                if let Some(slot) = self.slots.get(job) {
                    let mut slot = lock(slot);
                    if let Some(mut slot) = slot.take() {
                        self.put_out(&mut slot, state);
                    }
                }
                if let Err(error) = self.save(false) {
                    self.inner().fault.get_or_insert(error);
                }
            }
            self.progress.end(job);
            self.inner().active -= 1;
            self.changed.notify_all();
        }
    }

    /// The next sitemap, as soon as there is one; `None` at the end.
    fn take(&self) -> Option<(usize, Task)> {
        let mut inner = self.inner();
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(number) = inner.frontier.next()
                && let Some(task) = inner.frontier.tasks.get(number).cloned()
            {
                inner.active += 1;
                return Some((number, task));
            }
            if inner.active == 0 {
                self.changed.notify_all();
                return None;
            }
            inner = match self.changed.wait_timeout(inner, TICK) {
                Ok((inner, _)) => inner,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    fn read(&self, job: usize, number: usize, task: &Task) -> Read {
        let Some(slot) = self.slots.get(job) else {
            return Read::Stopped;
        };
        {
            let mut slot = lock(slot);
            if self.is_stopped() {
                return Read::Stopped;
            }
            *slot = Some(Slot {
                number,
                depth: task.depth,
                spool: Spool::new(task.given),
            });
        }
        let mut attempt = 0;
        loop {
            let sent = self.fetcher.send(&Request {
                url: &task.url,
                site: &self.site,
                // What the site itself names may be anywhere.
                may_follow: &|to| {
                    task.depth == 1 || self.inner().frontier.is_trusted_by(to, &task.url)
                },
                on_wait: &|wait, cause| self.progress.wait(job, wait, cause),
            });
            let response = match sent {
                Ok(response) => response,
                Err(_) if self.is_stopped() => return Read::Stopped,
                Err(error) if task.is_guess && error.cause.is_missing() => {
                    return Read::Finished(State::Absent);
                }
                Err(error) => {
                    return Read::Finished(State::failed(&error.reason()));
                }
            };
            if response.location != task.url
                && !self.inner().frontier.claim(number, &response.location)
            {
                return Read::Finished(State::Alias);
            }
            let lister = Lister::new(number, task.depth, &response.location);
            let reader = ReaderBuilder::new()
                .base_url(response.location)
                .max_bytes(self.fetcher.max_bytes())
                .build(response.body);
            let error = match self.entries(job, slot, task, &lister, reader) {
                Ok(read) => return read,
                Err(error) => error,
            };
            if self.is_stopped() {
                return Read::Stopped;
            }
            let is_transient =
                matches!(error.kind(), ErrorKind::Io(error) if fetch::is_transient(error));
            if !is_transient || attempt == self.fetcher.retries() {
                return Read::Finished(failed(task, &error));
            }
            // Put out are only the pages of the last attempt.
            if let Some(Slot { spool, .. }) = &mut *lock(slot) {
                self.pages.fetch_sub(spool.clear(), Ordering::Relaxed);
            }
            let on_wait = |wait| self.progress.wait(job, wait, &reason(&error));
            if !self.fetcher.back_off(attempt, &on_wait) {
                return Read::Stopped;
            }
            attempt += 1;
        }
    }

    /// The error is one of the sitemap's, or of its response.
    fn entries(
        &self,
        job: usize,
        slot: &Mutex<Option<Slot>>,
        task: &Task,
        lister: &Lister,
        mut reader: Reader<Box<dyn std::io::Read + Send>>,
    ) -> Result<Read, Error> {
        let source = self.source.then(|| self.site.shown(&task.url).to_string());
        let mut has_left_out = false;
        let mut skipped = None;
        let mut line = Vec::new();
        loop {
            let entry = reader.next().transpose();
            if skipped.is_none() {
                let worst = reader
                    .issues()
                    .iter()
                    .find(|issue| issue.effect == Effect::EntrySkipped);
                skipped = worst.map(ToString::to_string);
            }
            match entry? {
                None => break,
                Some(Entry::Sitemap(entry)) => {
                    match self.inner().frontier.add(entry.loc, lister) {
                        Added::Queued => self.changed.notify_one(),
                        Added::Known => {}
                        Added::LeftOut => has_left_out = true,
                        // There is no use in the rest of an index.
                        Added::Full => return Ok(Read::Finished(State::Partial)),
                    }
                }
                Some(page) => {
                    line.clear();
                    let written = self.format.line(&page, source.as_deref(), &mut line);
                    let mut slot = lock(slot);
                    let Some(Slot { spool, .. }) = &mut *slot else {
                        return Ok(Read::Stopped);
                    };
                    if self.is_stopped() {
                        return Ok(Read::Stopped);
                    }
                    // What is repeated from an earlier crawl counts already. If it turns out to be something else, it has
                    // been read, and there may be more pages than are wanted.
                    let is_new = spool.expects_new();
                    if is_new && self.pages.fetch_add(1, Ordering::Relaxed) >= self.scope.max_pages
                    {
                        self.pages.fetch_sub(1, Ordering::Relaxed);
                        self.has_all_pages.store(true, Ordering::SeqCst);
                        self.halt();
                        return Ok(Read::Stopped);
                    }
                    match written.and_then(|()| spool.push(&line)) {
                        Ok(unexpected) => {
                            self.pages.fetch_add(unexpected, Ordering::Relaxed);
                        }
                        Err(error) => {
                            let error = anyhow::Error::new(error).context("a temporary file");
                            self.inner().fault.get_or_insert(error);
                            self.halt();
                            return Ok(Read::Stopped);
                        }
                    }
                    let pages = spool.pages();
                    drop(slot);
                    if pages % 1_000 == 0 {
                        self.progress.pages(job, pages);
                    }
                }
            }
        }
        Ok(Read::Finished(State::Done {
            completeness: reader.summary().completeness(),
            skipped: skipped.map(|first| Skipped::new(reader.summary().skipped.max(1), &first)),
            has_left_out,
        }))
    }

    /// Appends the lines to the output and notes what has become of the sitemap. The slot is locked meanwhile.
    fn put_out(&self, slot: &mut Slot, state: State) {
        let &mut Slot {
            number,
            depth,
            ref mut spool,
        } = slot;
        if matches!(state, State::Done { .. }) {
            self.pages.fetch_add(spool.decide(), Ordering::Relaxed);
        }
        let written = {
            let mut output = lock(&self.output);
            let written = self
                .progress
                .suspend(|| output.append(|output| spool.write_to(output)));
            let mut inner = self.inner();
            if written.is_ok() {
                inner.pages += spool.new_pages();
                inner.output_bytes = output.length();
                let task = inner.frontier.tasks.get(number);
                let (is_guess, is_index) =
                    task.map_or((false, false), |task| (task.is_guess, task.is_index));
                let given = match &state {
                    // It is not read again. An index may be.
                    State::Done { .. } if !is_index => Given::default(),
                    _ => spool.given(),
                };
                match &state {
                    State::Absent | State::Failed { .. } | State::Alias if is_guess => {
                        inner.frontier.next_guess();
                    }
                    _ if is_guess => inner.frontier.end_guesses(),
                    _ => {}
                }
                self.progress
                    .finished(matches!(state, State::Failed { .. }));
                inner.frontier.finish(number, depth, state, given);
            }
            written
        };
        if let Err(error) = written {
            self.inner().fault.get_or_insert(error.into());
            self.halt();
        }
    }

    fn halt(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.changed.notify_all();
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
        if !is_urgent && (is_early || self.is_stopped()) {
            return Ok(());
        }
        let begin = Instant::now();
        let json = {
            let inner = self.inner();
            serde_json::to_vec(&Snapshot {
                version: Snapshot::VERSION,
                site: self.site.url(),
                login: self.site.has_login(),
                format: self.format,
                source: self.source,
                pages: inner.pages,
                output_bytes: inner.output_bytes,
                is_entered: inner.is_entered
                    && inner.entrance_failure.is_none()
                    && !inner.frontier.has_guesses(),
                hosts: inner.frontier.hosts().collect(),
                sitemaps: &inner.frontier.tasks,
            })?
        };
        if let Some(output) = &saved.output {
            output.sync_data()?;
        }
        super::resume::write(path, &json)?;
        saved.at = Some(Instant::now());
        saved.took = begin.elapsed();
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sitemap could not be read to its end.
fn failed(task: &Task, error: &Error) -> State {
    let is_none = matches!(
        error.kind(),
        ErrorKind::NotASitemap(_) | ErrorKind::UnknownRoot(_)
    );
    match task.is_guess && is_none {
        true => State::Absent,
        false => State::failed(&reason(error)),
    }
}

fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Io(error) => error.to_string(),
        _ => format!("{error:#}"),
    }
}
