//! The pages of one document.

use std::ops::ControlFlow;

use quick_sitemap::{Completeness, Entry, Format, Issue, Rule};

use super::{Listed, Page, Walk, canonical, is_no_sitemap, printed};
use crate::disk::folder_of;
use crate::judge::verdicts::INVALID_ROW;
use crate::sets::faults::Faults;
use crate::source::folder::parts::Listing;
use crate::source::walk::{self, Content, Document, End, Item, Outcome, Sink, walk};
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Severity;

impl Walk<'_> {
    /// Returns why the document is not a sitemap, if it is none.
    pub(super) fn document(&mut self, document: Document<'_>) -> anyhow::Result<Option<String>> {
        let name = document.name;
        let path = document.path.clone();
        let folder = path.as_deref().map(|path| {
            self.open.push(canonical(path));
            self.root.beside(folder_of(path))
        });
        let messages = self.messages;
        let mut entries = Entries {
            walk: self,
            name,
            folder,
            is_list: false,
            faults: Faults::default(),
            sitemaps: 0,
            unusable: None,
        };
        let read = walk(document, messages, &mut entries);
        let unusable = entries.unusable;
        if path.is_some() {
            self.open.pop();
        }
        read.map(|_| unusable)
    }
}

/// Gives the pages of a document to `on_page`, and reads the parts that it lists.
struct Entries<'e, 'w> {
    walk: &'e mut Walk<'w>,
    name: &'e str,
    /// The folder of an index on disk.
    folder: Option<Listing>,
    is_list: bool,
    faults: Faults,
    /// Sitemaps of a list.
    sitemaps: u64,
    unusable: Option<String>,
}

impl Entries<'_, '_> {
    fn issues(&mut self, issues: &[Issue]) -> anyhow::Result<()> {
        let verdicts = &self.walk.verdicts;
        self.faults.issues(issues, verdicts, &mut |_, _| Ok(()))
    }
}

impl Sink for Entries<'_, '_> {
    fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        let name = self.name;
        if content == Content::Sitemap(Some(Format::Index)) && self.folder.is_none() {
            anyhow::bail!(
                "{name} is an index, and only indexes in files are followed, to parts in the same folder; use \
                 `sitemap crawl` to fetch the sitemaps that an index lists"
            );
        }
        self.is_list = matches!(content, Content::List(_));
        Ok(())
    }

    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let name = self.name;
        self.issues(item.issues)?;
        match item.take() {
            Ok(Entry::Url(entry)) => self.walk.page(Page {
                entry,
                listed: Listed {
                    file: name,
                    origin: &item.origin,
                    issues: item.issues,
                },
            })?,
            Ok(Entry::Sitemap(_)) if self.is_list => self.sitemaps += 1,
            Ok(Entry::Sitemap(part)) => match &self.folder {
                Some(folder) => self.walk.part(name, folder, part)?,
                None => {
                    self.walk.totals.completeness = Completeness::Incomplete;
                    self.walk.messages.warning(format_args!(
                        "{name}: the sitemap {} is listed among pages, and is not read",
                        clipped(part.loc.as_str())
                    ));
                }
            },
            Err(walk::Unusable::Refused(refused)) => {
                let rule = refused.rule.map_or(INVALID_ROW, Rule::name);
                self.faults.add(rule, Severity::Error);
                let line = item.origin.line();
                self.faults.skips(format_args!("{line}: {}", refused.why));
            }
            Err(walk::Unusable::Skipped) => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, end: &End<'_>) -> anyhow::Result<()> {
        // A request to stop is not a fault of the document.
        interrupt::check()?;
        let (name, messages) = (self.name, self.walk.messages);
        self.issues(end.issues)?;
        match &end.outcome {
            Outcome::Unopened(error) => anyhow::bail!("{error:#}"),
            Outcome::Failed(error) if is_no_sitemap(error) => {
                self.unusable = Some(format!("{name}:{}", printed(error)));
                return Ok(());
            }
            _ => {}
        }
        if let Some(skipped) = self.faults.skipped(end.skipped) {
            messages.warning(format_args!("{name}: {skipped}"));
        }
        let counts = &self.faults.counts;
        if !counts.is_empty() {
            let counts = counts.text();
            messages.note(format_args!("{name}: {counts}; `sitemap check` shows them"));
        }
        let totals = &mut self.walk.totals;
        totals.files += 1;
        totals.skipped += end.skipped;
        totals.fields = totals.fields.both(end.fields);
        if self.sitemaps > 0 {
            totals.lessen(Completeness::Incomplete);
            messages.warning(format_args!(
                "{name}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                Count(self.sitemaps, "sitemap"),
                if self.sitemaps == 1 { "is" } else { "are" },
            ));
        }
        let failure = match &end.outcome {
            Outcome::Failed(error) => Some(format!("{name}:{}", printed(error))),
            Outcome::Broken(error) => Some(format!("{error:#}")),
            Outcome::Whole | Outcome::Stopped | Outcome::Unopened(_) => None,
        };
        if let Some(failure) = failure {
            let what = if self.is_list { "page" } else { "entry" };
            let read = match end.entries - self.sitemaps {
                1 => format!("the {what} before that was"),
                entries => format!("the {} before that were", Count(entries, what)),
            };
            messages.error(format_args!("{failure}; {read} read"));
            totals.lose();
            return Ok(());
        }
        totals.lessen(match end.summary {
            Some(summary) => summary.completeness(),
            None if end.skipped > 0 => Completeness::Incomplete,
            // The end of a list cannot be recognized.
            None => Completeness::Unknown,
        });
        if end.entries + end.skipped == 0 {
            self.walk.empty.add(name, messages);
        }
        Ok(())
    }
}
