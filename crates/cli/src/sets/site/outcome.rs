//! The result of a crawl: the list of failures, and the exit status.

use std::collections::HashMap;

use quick_sitemap::Completeness;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{CrawlSummary, LeftOut, Reason, State};

use crate::net::driver::Driver;
use crate::net::scope::Scope;
use crate::sets::site::{Crawled, Tally};
use crate::source::intake::why_nothing;
use crate::term::address::LONGEST;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::status::Status;

/// Sitemaps that are named of those that were left out for a reason.
const EXAMPLES: usize = 5;

pub(crate) struct Outcome<'d> {
    driver: &'d Driver,
    summary: CrawlSummary,
    scope: &'d Scope,
    /// The sum for all sitemaps.
    tally: Tally,
    /// Number of pages of each incomplete sitemap, by its number. These pages are included in the total.
    partial: HashMap<usize, u64>,
    is_interrupted: bool,
}

/// The texts of the last lines of a crawl.
pub(crate) struct ClosingNotes {
    /// The verb for the pages.
    pub(crate) done: &'static str,
    /// The place of the issues.
    pub(crate) issues: String,
    pub(crate) interrupted: &'static str,
}

impl ClosingNotes {
    /// Those of a crawl whose pages are the input of another command.
    pub(crate) fn collected() -> Self {
        Self {
            done: "read",
            issues: "; `sitemap check` shows them".to_owned(),
            interrupted: "interrupted",
        }
    }
}

impl<'d> Outcome<'d> {
    pub(crate) fn new(driver: &'d Driver, scope: &'d Scope, crawled: Crawled) -> Self {
        let Crawled {
            mut tally,
            unfinished,
            partial,
            ..
        } = crawled;
        tally.issues.merge(unfinished);
        tally.pages += partial.values().sum::<u64>();
        Self {
            summary: driver.crawl.summary(),
            driver,
            scope,
            tally,
            partial,
            is_interrupted: interrupt::is_requested(),
        }
    }

    pub(crate) fn pages(&self) -> u64 {
        self.tally.pages
    }

    fn states(&self) -> impl Iterator<Item = State> {
        self.driver.crawl.sitemaps().map(|sitemap| sitemap.state())
    }

    /// Sitemaps that were read to their end.
    pub(crate) fn done(&self) -> u64 {
        let is_done = |state: &State| matches!(state, State::Done(_));
        self.states().filter(is_done).count() as u64
    }

    pub(crate) fn has_found_nothing(&self) -> bool {
        let is_something = |state| matches!(state, State::Done(_) | State::Partial);
        self.tally.pages == 0 && !self.states().any(is_something)
    }

    /// Sitemaps that are listed and were not read, but not because that was wanted.
    fn left_out(&self) -> u64 {
        let unwanted = |left_out: &&LeftOut| left_out.reason != Reason::Rejected;
        let left_out = self.summary.left_out.iter().filter(unwanted);
        left_out.map(|left_out| left_out.count).sum()
    }

    /// The completeness of the pages: that of the least complete sitemap, or of the crawl itself.
    pub(crate) fn completeness(&self) -> Completeness {
        let is_cut = self.is_interrupted
            || self.summary.has_more_sitemaps
            || self.summary.has_more_pages
            || self.summary.robots_failure.is_some()
            || self.left_out() > 0
            || self.has_found_nothing();
        let of_state = |state| match state {
            State::Done(completeness) => completeness,
            State::Duplicate | State::Missing => Completeness::Complete,
            _ => Completeness::Incomplete,
        };
        match self.states().map(of_state).max() {
            _ if is_cut => Completeness::Incomplete,
            least => least.unwrap_or(Completeness::Complete),
        }
    }

    /// Prints the failures, each sitemap with its reason, and then the totals.
    pub(crate) fn report(
        &self,
        messages: &Messages,
        notes: &ClosingNotes,
    ) -> anyhow::Result<Status> {
        let failed = self.print_failures(messages, notes);
        self.print_left_out(messages, notes);
        if self.has_found_nothing() && !self.is_interrupted {
            if failed == 0 {
                let site = &self.driver.address;
                messages.error(format_args!("{site}: {}", why_nothing(self.driver)));
            }
            return Ok(Status::Failure);
        }
        let failed = match failed {
            0 => String::new(),
            failed => format!(", {} failed", Grouped(failed)),
        };
        messages.note(format_args!(
            "{} in {}{failed}, {:.1} MB received",
            Count(self.tally.pages, "page"),
            Count(self.done(), "sitemap"),
            self.driver.fetcher.received() as f64 / 1e6
        ));
        if !self.tally.issues.is_empty() {
            messages.note(format_args!("{}{}", self.tally.issues.text(), notes.issues));
        }
        if self.is_interrupted {
            messages.error(notes.interrupted);
            return Ok(Status::Interrupted);
        }
        let is_whole = self.completeness() != Completeness::Incomplete;
        Ok(if is_whole {
            Status::Success
        } else {
            Status::Findings
        })
    }

    /// The URL of a sitemap, as it may be shown.
    fn shown(&self, url: &str) -> String {
        let shown = |url: Url| self.driver.address.shown(&url).clipped().to_string();
        url.parse().map(shown).unwrap_or_default()
    }

    /// Prints the sitemaps that failed, and those with entries that cannot be used. Returns the number of failures.
    fn print_failures(&self, messages: &Messages, notes: &ClosingNotes) -> u64 {
        let mut count = 0;
        let failure = self.driver.robots.failure.as_ref();
        if let Some(failure) = failure.filter(|_| self.summary.robots_failure.is_some())
            && let Ok(robots) = self.driver.address.url().join("/robots.txt")
        {
            let robots = self.driver.address.shown(&robots).clipped();
            messages.error(format_args!("{robots}: {failure}"));
            count += 1;
        }
        for (number, sitemap) in self.driver.crawl.sitemaps().enumerate() {
            let url = sitemap.url();
            match (sitemap.state(), self.tally.skipped.get(url)) {
                (State::Failed, _) => {
                    let reason = self.driver.reason(number).map(str::to_owned);
                    let failure = || sitemap.failure().map(ToString::to_string);
                    let Some(reason) = reason.or_else(failure) else {
                        continue;
                    };
                    let before = match self.partial.get(&number) {
                        None => String::new(),
                        Some(1) => format!("; the page before that was {}", notes.done),
                        Some(pages) => {
                            let pages = Count(*pages, "page");
                            format!("; the {pages} before that were {}", notes.done)
                        }
                    };
                    let shown = self.shown(url);
                    count += 1;
                    messages.error(format_args!("{shown}: {reason}{before}"));
                }
                (State::Done(_), Some(skipped)) => {
                    messages.warning(format_args!("{}: {skipped}", self.shown(url)));
                }
                _ => {}
            }
        }
        count
    }

    /// Prints the number of sitemaps that were left out for each reason, with examples, and the bounds that were
    /// reached.
    fn print_left_out(&self, messages: &Messages, notes: &ClosingNotes) {
        for left_out in &self.summary.left_out {
            let why = match left_out.reason {
                Reason::OtherHost => "on another host (see --other-hosts)".to_owned(),
                Reason::TooDeep => {
                    format!("listed deeper than --max-depth {}", self.scope.max_depth)
                }
                Reason::UrlTooLong => format!(
                    "with a URL of more than {} characters",
                    Grouped(LONGEST as u64)
                ),
                // The URL of the caller, and the rule of the message below.
                _ => continue,
            };
            let text = match left_out.count {
                1 => format!("1 sitemap {why} was not read:"),
                count => format!("{} sitemaps {why} were not read:", Grouped(count)),
            };
            let examples = || left_out.examples.iter().take(EXAMPLES);
            let more = match left_out.count.saturating_sub(examples().count() as u64) {
                0 => None,
                more => Some(format!("and {} more", Grouped(more))),
            };
            let named = examples().chain(&more);
            let below: Vec<&str> = named.map(String::as_str).collect();
            messages.warning_with(text, &below);
        }
        if self.summary.has_more_sitemaps {
            messages.warning(format_args!(
                "there are more than {}; the others were not read (--max-sitemaps)",
                Count(self.scope.max_sitemaps as u64, "sitemap")
            ));
        }
        if self.summary.has_more_pages {
            messages.warning(format_args!(
                "there are more than {}; the others were not {} (--max-pages)",
                Count(self.scope.max_pages, "page"),
                notes.done
            ));
        }
    }
}
