//! Findings on their way to the output.

use std::io::Write;

use super::baseline::Baseline;
use super::checker::Checked;
use super::form::Form;
use super::sink::Sink;
use super::summary::{SummaryForm, Totals};
use crate::disk::destination::Destination;
use crate::judge::finding::Finding;
use crate::term::interrupt;
use crate::term::messages::Messages;

pub(crate) struct Report<'o> {
    out: Destination,
    /// `None` if only the summary is written.
    form: Option<Box<dyn Form>>,
    all: bool,
    baseline: Option<Baseline<'o>>,
}

impl<'o> Report<'o> {
    /// Findings of the baseline are counted by it, and not reported.
    pub(crate) fn new(
        out: Destination,
        form: Option<Box<dyn Form>>,
        all: bool,
        baseline: Option<Baseline<'o>>,
    ) -> Self {
        Self {
            out,
            form,
            all,
            baseline,
        }
    }

    pub(crate) fn start(&mut self) -> anyhow::Result<()> {
        match &mut self.form {
            Some(form) => form.begin(&mut self.out),
            None => Ok(()),
        }
    }

    /// Ends the findings, and writes the summary in that form. Returns the output.
    pub(crate) fn finish(
        mut self,
        checked: &Checked,
        summary: Option<SummaryForm>,
        totals: &Totals,
    ) -> anyhow::Result<Destination> {
        if let Some(form) = &mut self.form {
            form.end(&mut self.out, checked.status())?;
        }
        if let Some(summary) = summary {
            summary.write(&mut self.out, &checked.tally.rows(), totals)?;
        }
        // Before the note about them.
        self.out.flush()?;
        Ok(self.out)
    }

    /// Numbers of the baseline, if there is one: `200 known, 12 fixed`. With `is_verbose`, its findings that are fixed are
    /// named.
    ///
    /// # Errors
    ///
    /// Those of its file.
    pub(crate) fn known(
        &mut self,
        checked: &Checked,
        is_verbose: bool,
        messages: &Messages,
    ) -> anyhow::Result<Option<String>> {
        let is_whole = !checked.has_more && !interrupt::is_requested();
        let Some(baseline) = &mut self.baseline else {
            return Ok(None);
        };
        let known = baseline.finish(is_whole, &mut |fixed| {
            if is_verbose {
                messages.note(format_args!("fixed: {fixed}"));
            }
        });
        if baseline.is_of_others() && is_whole {
            messages.warning(
                "no sitemap of --baseline is among the inputs; they must be named as when it was made",
            );
        }
        known.map(Some)
    }
}

impl Sink for Report<'_> {
    fn begin(&mut self, name: &str) {
        if let Some(baseline) = &mut self.baseline {
            baseline.begin(name);
        }
    }

    fn wants_excerpts(&self) -> bool {
        self.form.as_ref().is_some_and(|form| form.wants_excerpts())
    }

    fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        match &mut self.baseline {
            Some(baseline) => baseline.knows(file, finding),
            None => Ok(false),
        }
    }

    fn finding(&mut self, file: &str, finding: &Finding, is_first: bool) -> anyhow::Result<()> {
        match &mut self.form {
            Some(form) if is_first || self.all => form.finding(&mut self.out, file, finding),
            _ => Ok(()),
        }
    }

    fn end_findings(&mut self, file: &str, hidden: &[Finding]) -> anyhow::Result<()> {
        match &mut self.form {
            Some(form) if !hidden.is_empty() && !self.all => {
                form.hidden(&mut self.out, file, hidden)
            }
            _ => Ok(()),
        }
    }
}
