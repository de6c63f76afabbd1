//! The events of the intake, as pages.

use std::ops::ControlFlow;

use quick_sitemap::{Completeness, Effect, Entry, Format, Issue};
use quick_sitemap_crawl::State;

use super::{Current, Listed, Page, Pages, printed};
use crate::judge::rules::{self, rule};
use crate::net::driver::Driver;
use crate::sets::site::outcome::{ClosingNotes, Outcome as SiteOutcome};
use crate::source::documents::is_no_sitemap;
use crate::source::not_read::NotRead;
use crate::source::sink::{About, Sink};
use crate::source::walk::{self, Content, End, Item, Outcome};
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Severity;
use crate::term::status::Status;

impl Pages<'_> {
    fn issues(&mut self, issues: &[Issue]) -> anyhow::Result<()> {
        let faults = &mut self.current.faults;
        faults.issues(issues, &self.verdicts, &mut |_, _| Ok(()))
    }

    /// Passes a page on.
    fn page(&mut self, page: Page<'_>) -> anyhow::Result<()> {
        self.totals.pages += 1;
        let issues = page.listed.issues.iter();
        let dropped = issues.filter(|issue| issue.effect == Effect::ValueDropped);
        self.totals.dropped += dropped.count() as u64;
        (self.on_page)(page)
    }

    /// A sitemap that an entry names, and that no index lists.
    fn sitemap(&mut self, name: &str, loc: &str) {
        if self.current.is_list {
            self.current.sitemaps += 1;
            return;
        }
        self.totals.completeness = Completeness::Incomplete;
        self.messages.warning(format_args!(
            "{name}: the sitemap {} is listed among pages, and is not read",
            clipped(loc)
        ));
    }

    /// The end of a file, whose problems are reported with its name.
    fn end_of_file(&mut self, name: &str, end: &End<'_>) -> anyhow::Result<()> {
        let messages = self.messages;
        let mut current = std::mem::take(&mut self.current);
        if let Some(skipped) = current.faults.skipped(end.skipped) {
            messages.warning(format_args!("{name}: {skipped}"));
        }
        let counts = &current.faults.counts;
        if !counts.is_empty() {
            let counts = counts.text();
            messages.note(format_args!("{name}: {counts}; `sitemap check` shows them"));
        }
        let totals = &mut self.totals;
        totals.files += 1;
        totals.skipped += end.skipped;
        totals.fields = totals.fields.both(end.fields);
        if current.sitemaps > 0 {
            totals.lessen(Completeness::Incomplete);
            messages.warning(format_args!(
                "{name}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                Count(current.sitemaps, "sitemap"),
                if current.sitemaps == 1 { "is" } else { "are" },
            ));
        }
        let failure = match &end.outcome {
            Outcome::Failed(error) => Some(format!("{name}:{}", printed(error))),
            Outcome::Broken(error) => Some(format!("{error:#}")),
            Outcome::Whole | Outcome::Stopped | Outcome::Cut | Outcome::Unopened(_) => None,
        };
        if let Some(failure) = failure {
            let what = if current.is_list { "page" } else { "entry" };
            let read = match end.entries - current.sitemaps {
                1 => format!("the {what} before that was"),
                entries => format!("the {} before that were", Count(entries, what)),
            };
            messages.error(format_args!("{failure}; {read} read"));
            totals.lose();
            return Ok(());
        }
        totals.lessen(match end.summary {
            _ if matches!(end.outcome, Outcome::Cut) => Completeness::Incomplete,
            Some(summary) => summary.completeness(),
            None if end.skipped > 0 => Completeness::Incomplete,
            // The end of a list cannot be recognized.
            None => Completeness::Unknown,
        });
        if end.entries + end.skipped == 0 {
            self.empty.add(name, messages);
        }
        Ok(())
    }
}

impl Sink for Pages<'_> {
    fn is_over(&self) -> bool {
        self.failure.is_some()
    }

    fn begin(&mut self, about: &About<'_>, content: Content) -> anyhow::Result<()> {
        self.current = Current {
            is_list: matches!(content, Content::List(_)),
            is_index: content == Content::Sitemap(Some(Format::Index)),
            ..Current::default()
        };
        if about.listed.is_some() {
            self.site.begin(about, content);
            return Ok(());
        }
        if self.current.is_index && about.path.is_none() {
            anyhow::bail!(
                "{} is an index, and only indexes in files are followed, to parts in the same folder; use \
                 `sitemap crawl` to fetch the sitemaps that an index lists",
                about.name
            );
        }
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        interrupt::check()?;
        // As it is listed.
        let name = about.listed.map_or(about.name, |listed| listed.name);
        if about.listed.is_some() {
            self.site.item(item, &mut |_| Ok(()))?;
            if matches!(item.entry, Ok(Entry::Url(_))) {
                self.site.page();
            }
        } else {
            self.issues(item.issues)?;
        }
        let is_index = self.current.is_index;
        match item.take() {
            Ok(Entry::Url(entry)) => self.page(Page {
                entry,
                listed: Listed {
                    file: name,
                    origin: &item.origin,
                    issues: item.issues,
                },
            })?,
            Ok(Entry::Sitemap(_)) if is_index => {}
            Ok(Entry::Sitemap(part)) => self.sitemap(name, part.loc.as_str()),
            Err(walk::Unusable::Refused(refused)) => {
                let rule = refused.rule.map_or(rule!("invalid-row"), rules::of).name;
                self.current.faults.add(rule, Severity::Error);
                let line = item.origin.line();
                let problem = format_args!("{line}: {}", refused.why);
                self.current.faults.skips(problem);
            }
            Err(walk::Unusable::Skipped) => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        // A request to stop is not a fault of the document.
        interrupt::check()?;
        if about.listed.is_some() {
            self.totals.fields = self.totals.fields.both(end.fields);
            return self.site.end(end, &mut |_| Ok(()));
        }
        match &end.outcome {
            Outcome::Unopened(error) => anyhow::bail!("{error:#}"),
            Outcome::Failed(error) if is_no_sitemap(error.kind()) => {
                let unusable = format!("{}:{}", about.name, printed(error));
                if about.is_input {
                    anyhow::bail!("{unusable}");
                }
                self.messages.warning(unusable);
                self.totals.lose();
                return Ok(());
            }
            _ => {}
        }
        self.issues(end.issues)?;
        self.end_of_file(about.name, end)
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        if !not_read.why.is_lost() {
            return Ok(());
        }
        self.totals.completeness = Completeness::Incomplete;
        if not_read.is_on_site {
            // The end of the crawl reports it.
            return Ok(());
        }
        let names = not_read.names.first().map_or("", String::as_str);
        if not_read.is_input {
            anyhow::bail!("{names}: {}", not_read.reason);
        }
        if not_read.is_at_entry {
            self.totals.broken += not_read.count;
            if self.missing.names() {
                let index = not_read.listed_in.unwrap_or_default();
                let (loc, why) = (clipped(names), not_read.reason);
                let text = format_args!("{index}: {loc} is not read: {why}");
                self.messages.warning(text);
            }
            return Ok(());
        }
        if not_read.why.is_failure() {
            self.totals.broken += not_read.count;
        }
        self.messages.warning(not_read);
        Ok(())
    }

    fn settled(
        &mut self,
        _: &mut Driver,
        number: usize,
        state: anyhow::Result<State>,
    ) -> anyhow::Result<()> {
        let is_done = matches!(state?, State::Done(_));
        self.site.settle(number, is_done, true);
        Ok(())
    }

    fn site(&mut self, driver: &Driver) -> anyhow::Result<()> {
        let site = std::mem::take(&mut self.site);
        let outcome = SiteOutcome::new(driver, self.scope, site);
        let status = outcome.report(self.messages, &ClosingNotes::collected())?;
        self.totals.files += outcome.done();
        self.totals.lessen(outcome.completeness());
        let is_empty = outcome.pages() == 0;
        if is_empty && outcome.completeness() != Completeness::Incomplete {
            self.empty.add(&driver.address, self.messages);
        }
        if matches!(status, Status::Failure | Status::Interrupted) {
            self.failure = Some(status);
        }
        Ok(())
    }
}
