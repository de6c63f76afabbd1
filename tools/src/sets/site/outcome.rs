//! The result of a crawl: the list of failures, and the exit status.

use quick_sitemap::Completeness;
use quick_sitemap::crawl::{LeftOut, Reason, State};
use quick_sitemap::url::Url;

use crate::net::failure::what_to_do;
use crate::sets::faults::{Counts, Skipped};
use crate::term::address::{Address, LONGEST};
use crate::term::count::{Count, Grouped};
use crate::term::messages::Messages;
use crate::term::status::Status;

/// One sitemap.
pub(super) struct Task {
    pub(super) url: Url,
    pub(super) state: State,
    /// Why it failed, as it may be shown.
    pub(super) reason: Option<String>,
    pub(super) skipped: Option<Skipped>,
    /// Its pages, if it was not read to its end and they count all the same.
    pub(super) pages: u64,
}

pub(crate) struct Outcome {
    pub(super) site: Address,
    pub(super) sitemaps: Vec<Task>,
    pub(super) entrance_failure: Option<String>,
    /// The site requires a user and a password, or others.
    pub(super) is_unauthorized: bool,
    /// The status that the server answers everything with.
    pub(super) refusal: Option<String>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) max_depth: usize,
    /// `--max-sitemaps`, if there are more.
    pub(super) full: Option<usize>,
    /// `--max-pages`, if there are more.
    pub(super) max_pages: Option<u64>,
    pub(super) pages: u64,
    pub(super) issues: Counts,
    pub(super) bytes: u64,
    pub(super) is_interrupted: bool,
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

impl Outcome {
    /// Sitemaps that were read to their end.
    pub(crate) fn done(&self) -> u64 {
        let is_done = |task: &&Task| matches!(task.state, State::Done(_));
        self.sitemaps.iter().filter(is_done).count() as u64
    }

    pub(crate) fn has_found_nothing(&self) -> bool {
        let is_something = |task: &Task| match task.state {
            State::Done(_) | State::Partial => true,
            _ => task.pages > 0,
        };
        self.pages == 0 && !self.sitemaps.iter().any(is_something)
    }

    /// Sitemaps that are listed and were not read, but not because that was wanted.
    fn left_out(&self) -> u64 {
        let unwanted = |left_out: &&LeftOut| left_out.reason != Reason::Rejected;
        let left_out = self.left_out.iter().filter(unwanted);
        left_out.map(|left_out| left_out.count).sum()
    }

    /// The completeness of the pages: that of the least complete sitemap, or of the crawl itself.
    pub(crate) fn completeness(&self) -> Completeness {
        let is_cut = self.is_interrupted
            || self.full.is_some()
            || self.max_pages.is_some()
            || self.entrance_failure.is_some()
            || self.left_out() > 0
            || self.has_found_nothing();
        let of_task = |task: &Task| match task.state {
            State::Done(completeness) => completeness,
            State::Duplicate | State::Missing => Completeness::Complete,
            _ => Completeness::Incomplete,
        };
        let least = self.sitemaps.iter().map(of_task).max();
        match least {
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
                messages.error(format_args!("{}: {}", self.site, self.why_nothing()));
            }
            return Ok(Status::Failure);
        }
        let failed = match failed {
            0 => String::new(),
            failed => format!(", {} failed", Grouped(failed)),
        };
        messages.note(format_args!(
            "{} in {}{failed}, {:.1} MB received",
            Count(self.pages, "page"),
            Count(self.done(), "sitemap"),
            self.bytes as f64 / 1e6
        ));
        if !self.issues.is_empty() {
            messages.note(format_args!("{}{}", self.issues.text(), notes.issues));
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

    /// The reason why the site gave no pages.
    fn why_nothing(&self) -> String {
        if self.is_unauthorized {
            return format!("401 Unauthorized{}", what_to_do(&self.site));
        }
        if let Some(refusal) = &self.refusal {
            return refusal.clone();
        }
        let mut places = self
            .sitemaps
            .iter()
            .filter(|task| task.state == State::Missing);
        match places.next() {
            Some(first) => format!(
                "robots.txt lists no sitemap, and there is no sitemap at {} or {}",
                self.site.shown(&first.url).clipped(),
                Count(places.count() as u64, "other usual place")
            ),
            None => "there is no sitemap".to_owned(),
        }
    }

    /// Prints the sitemaps that failed, and those with entries that cannot be used. Returns the number of failures.
    fn print_failures(&self, messages: &Messages, notes: &ClosingNotes) -> u64 {
        let mut count = 0;
        if let Some(failure) = &self.entrance_failure {
            messages.error(failure);
            count += 1;
        }
        for task in &self.sitemaps {
            match (&task.state, &task.reason, &task.skipped) {
                (State::Failed, Some(reason), _) => {
                    count += 1;
                    messages.error(format_args!(
                        "{}: {reason}{}",
                        self.site.shown(&task.url).clipped(),
                        match task.pages {
                            0 => String::new(),
                            1 => format!("; the page before that was {}", notes.done),
                            pages => {
                                let pages = Count(pages, "page");
                                format!("; the {pages} before that were {}", notes.done)
                            }
                        }
                    ));
                }
                (State::Done(_), _, Some(skipped)) => {
                    let sitemap = self.site.shown(&task.url).clipped();
                    messages.warning(format_args!("{sitemap}: {skipped}"));
                }
                _ => {}
            }
        }
        count
    }

    /// Prints the number of sitemaps that were left out for each reason, with examples, and the bounds that were
    /// reached.
    fn print_left_out(&self, messages: &Messages, notes: &ClosingNotes) {
        for left_out in &self.left_out {
            let why = match left_out.reason {
                Reason::OtherHost => "on another host (see --other-hosts)".to_owned(),
                Reason::TooDeep => format!("listed deeper than --max-depth {}", self.max_depth),
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
            let more = match left_out
                .count
                .saturating_sub(left_out.examples.len() as u64)
            {
                0 => None,
                more => Some(format!("and {} more", Grouped(more))),
            };
            let named = left_out.examples.iter().chain(&more);
            let below: Vec<&str> = named.map(String::as_str).collect();
            messages.warning_with(text, &below);
        }
        if let Some(bound) = self.full {
            messages.warning(format_args!(
                "there are more than {}; the others were not read (--max-sitemaps)",
                Count(bound as u64, "sitemap")
            ));
        }
        if let Some(bound) = self.max_pages {
            messages.warning(format_args!(
                "there are more than {}; the others were not {} (--max-pages)",
                Count(bound, "page"),
                notes.done
            ));
        }
    }
}
