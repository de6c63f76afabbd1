//! Takes findings and what was read, for the output or for a report.

use quick_sitemap::Entry;

use crate::judge::finding::Finding;
use crate::source::not_read::NotRead;
use crate::source::walk::End;

/// Is called in the order of reading.
pub(crate) trait Sink {
    /// Findings have the line that they are on.
    fn wants_excerpts(&self) -> bool;

    /// The links between languages are counted even if no rule is about them.
    fn wants_links(&self) -> bool {
        false
    }

    /// There are findings of an earlier run.
    fn has_earlier(&self) -> bool {
        false
    }

    /// It is not known whether there is such a finding.
    fn not_judged(&mut self, _file: &str, _finding: &Finding) {}

    /// A sitemap is read from here on.
    fn begin(&mut self, _name: &str) {}

    /// The next entry; `None` if it cannot be used, and at the end. The findings that follow are about it.
    fn entry(&mut self, _entry: Option<&Entry>) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns `true` if the finding was known before, so that it is neither counted nor reported.
    fn knows(&mut self, _file: &str, _finding: &Finding) -> anyhow::Result<bool> {
        Ok(false)
    }

    /// Something was found in the file of that name. `is_first` is true for the first findings of the rule in this file.
    fn finding(&mut self, file: &str, finding: &Finding, is_first: bool) -> anyhow::Result<()>;

    /// The sitemap has been read, or cannot be read any further.
    /// `format`: `urlset`, `index`, `text`, `rss`, `atom`, or `list` for a list of pages; `None` if it is not a sitemap, or
    /// could not be opened.
    fn end(&mut self, _format: Option<&'static str>, _end: &End<'_>) {}

    /// All findings of the file, or those of one kind, have been made. `hidden` counts those that were not among the first.
    fn end_findings(&mut self, _file: &str, _hidden: &[Finding]) -> anyhow::Result<()> {
        Ok(())
    }

    /// Something was not read.
    fn not_read(&mut self, _not_read: &NotRead<'_>) {}
}
