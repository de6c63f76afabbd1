//! A document that is being read: what the sink gets of it, up to the bounds.

use std::ops::ControlFlow;

use quick_sitemap::{Entry, Error, SitemapEntry};
use quick_sitemap_crawl::State;

use super::Intake;
use super::files::Files;
use crate::net::driver::{Document, Driver};
use crate::source::lost::Lost;
use crate::source::not_read::{Names, NotRead, Why};
use crate::source::sink::About;
use crate::source::walk::{Content, EMPTY_INDEX, End, Item, Outcome, Part, Unusable};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;

/// The reason for a part that is on a host that is not trusted.
pub(super) const OTHER_HOST: &str = "on another host (see --other-hosts)";

/// Passes what is read to the sink of the intake.
pub(super) struct Reading<'r, 'i> {
    pub(super) about: About<'r>,
    place: Place<'r>,
    /// Entries of pages, and sitemaps that a document lists which is not an index.
    pages: u64,
    sitemaps: u64,
    lost: Lost,
    /// A bound was reached.
    is_cut: bool,
    /// Parts of an index that are not read, and why.
    not_read: Vec<(Why, String, Names)>,
    pub(super) intake: &'r mut Intake<'i>,
}

/// A sitemap of a site.
pub(super) struct Fetched<'r> {
    pub(super) driver: &'r mut Driver,
    pub(super) document: Box<Document>,
}

/// Reports to the crawl how the document has ended.
fn take_back(driver: &mut Driver, document: Box<Document>, end: &End<'_>) -> anyhow::Result<State> {
    match &end.outcome {
        Outcome::Whole => document.finish(Ok(end.summary)),
        Outcome::Failed(error) => document.finish(Err(error)),
        _ => {}
    }
    if interrupt::is_requested() {
        // The crawl requests it again, if it goes on.
        return Ok(State::Queued);
    }
    driver.end(*document)
}

/// Where a document is, with the parts of an index.
pub(super) enum Place<'r> {
    Files(Files<'r>),
    Site(Fetched<'r>),
}

impl<'r, 'i> Reading<'r, 'i> {
    pub(super) fn new(about: About<'r>, place: Place<'r>, intake: &'r mut Intake<'i>) -> Self {
        Self {
            about,
            place,
            pages: 0,
            sitemaps: 0,
            lost: Lost::default(),
            is_cut: false,
            not_read: Vec::new(),
            intake,
        }
    }

    /// The document has been opened. Not called if its beginning cannot be read.
    pub(super) fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        self.about.content = Some(content);
        self.intake.sink.begin(&self.about)
    }

    pub(super) fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        if !self.takes(item) {
            self.is_cut = true;
            return Ok(ControlFlow::Break(()));
        }
        self.lost.issues(item.issues);
        match &item.entry {
            Ok(Entry::Url(_)) => self.pages += 1,
            Ok(Entry::Sitemap(part)) if self.about.is_index() => {
                item.part = self.part_of_index(part);
            }
            Ok(Entry::Sitemap(_)) => self.sitemaps += 1,
            Err(Unusable::Refused(refused)) => self.lost.row(item.origin.line(), &refused.why),
            Err(Unusable::Skipped) => {}
        }
        let flow = self.intake.sink.item(&self.about, item)?;
        self.intake.is_over |= flow.is_break();
        Ok(flow)
    }

    /// Counts a part that will not be read.
    fn part_of_index(&mut self, part: &SitemapEntry) -> Part {
        let found = self.part(part);
        // A site reports those on other hosts together, because another sitemap may lead there.
        if let Some((why, reason)) = &found.not_read
            && let Place::Files(_) = self.place
        {
            self.not_read(*why, reason, &without_logins(part.loc.as_str()));
        }
        found
    }

    /// Returns `false` if a bound forbids the entry.
    fn takes(&mut self, item: &mut Item<'_>) -> bool {
        if let Place::Site(site) = &self.place
            && item.entry.is_ok()
            && let Ok(entry) = item.take()
        {
            match site.document.take(entry) {
                Some(entry) => item.entry = Ok(entry),
                None => return false,
            }
        }
        !matches!(item.entry, Ok(Entry::Url(_))) || self.intake.may_take_page()
    }

    fn part(&mut self, part: &SitemapEntry) -> Part {
        match &mut self.place {
            Place::Files(files) => files.part(part, &self.about, self.intake),
            Place::Site(site) => {
                let is_out = site.driver.leaves_out(&part.loc, &site.document);
                let not_read = is_out.then(|| (Why::OtherHost, OTHER_HOST.to_owned()));
                Part {
                    not_read,
                    ..Part::default()
                }
            }
        }
    }

    fn not_read(&mut self, why: Why, reason: &str, name: &str) {
        let mut known = self.not_read.iter_mut();
        let known = known.find(|(_, known, _)| known == reason);
        match known {
            Some((.., names)) => names.add(name),
            None => {
                let mut names = Names::default();
                names.add(name);
                self.not_read.push((why, reason.to_owned(), names));
            }
        }
    }

    pub(super) fn end(self, mut end: End<'_>) -> anyhow::Result<()> {
        let Self {
            about,
            place,
            intake,
            ..
        } = self;
        end.lost = self.lost;
        if !matches!(end.outcome, Outcome::Stopped) && !self.is_cut {
            end.lost.issues(end.issues);
        }
        (end.lost.skipped, end.lost.outside) = (end.summary.skipped, end.summary.outside);
        (end.pages, end.sitemaps) = (self.pages, self.sitemaps);
        let is_whole = matches!(end.outcome, Outcome::Whole);
        end.completeness = is_whole.then(|| end.summary.completeness());
        end.failure = failure(&about, &end);
        let cut = self.is_cut.then_some(Outcome::Cut);
        match place {
            Place::Files(_) => {
                intake.is_cut |= self.is_cut;
                end.outcome = cut.unwrap_or(end.outcome);
                intake.end(&about, &end)?;
            }
            Place::Site(Fetched { driver, document }) => {
                let number = document.number;
                let state = take_back(driver, document, &end);
                end.outcome = cut.unwrap_or(end.outcome);
                let ended = state.and_then(|state| {
                    end.completeness = match state {
                        State::Done(completeness) => Some(completeness),
                        _ => None,
                    };
                    if state == State::Failed {
                        let reason = driver.reason(number).unwrap_or("cannot be read");
                        let name = clipped(about.listed_name());
                        let redirected = about.redirected();
                        end.failure = Some(format!("{name}: {reason}{redirected}"));
                    }
                    intake.end(&about, &end)
                });
                if ended.is_err() {
                    driver.requeue(number);
                    // The error that ends the run is the first one.
                    let _ = intake.sink.taken(driver, false);
                    return ended;
                }
                intake.sink.taken(driver, true)?;
            }
        }
        for (why, reason, names) in &self.not_read {
            intake.not_read(&NotRead {
                listed_in: Some(about.name),
                is_at_entry: true,
                ..NotRead::of(names, *why, reason)
            })?;
        }
        Ok(())
    }
}

impl Intake<'_> {
    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        self.account.end(about, end);
        if end.sitemaps > 0 && !self.options.no_follow {
            let sitemaps = Count(end.sitemaps, "sitemap");
            let name = clipped(about.listed_name());
            self.account
                .lose(format!("{name}: {sitemaps} listed among pages, not read"));
        }
        self.is_over |= self.sink.end(about, end)?.is_break();
        Ok(())
    }
}

/// Why the document is not what it should be.
fn failure(about: &About<'_>, end: &End<'_>) -> Option<String> {
    match &end.outcome {
        Outcome::Failed(error) => Some(failed(about.name, error)),
        Outcome::Broken(error) => Some(format!("{error:#}")),
        _ if end.is_empty() && about.is_index() => {
            Some(format!("{}: {EMPTY_INDEX}", clipped(about.listed_name())))
        }
        _ => None,
    }
}

/// The error that ended a document, after its name: a position in a file follows directly, anything else after a space.
fn failed(name: &str, error: &Error) -> String {
    let gap = if error.position().is_some() { "" } else { " " };
    format!("{}:{gap}{error:#}", clipped(name))
}
