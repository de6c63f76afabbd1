//! Findings on their way to the output.

use std::io::Write;

use super::baseline::Baseline;
use super::checker::Checked;
use super::form::Form;
use super::sink::Sink;
use super::summary::{SummaryForm, Totals};
use crate::disk::destination::Destination;
use crate::judge::finding::Finding;

/// Findings of the baseline are counted by it, and not reported.
pub(crate) struct Report<'o> {
    pub(crate) out: Destination,
    /// `None` if only the summary is written.
    pub(crate) form: Option<Box<dyn Form>>,
    pub(crate) all: bool,
    pub(crate) baseline: Option<Baseline<'o>>,
}

impl Report<'_> {
    pub(crate) fn start(&mut self) -> anyhow::Result<()> {
        let form = self.form.as_mut();
        form.map_or(Ok(()), |form| form.begin(&mut self.out))
    }

    /// Ends the findings, and writes the summary in that form. Returns the output.
    pub(crate) fn finish(
        mut self,
        checked: &Checked,
        summary: Option<SummaryForm>,
        totals: &Totals,
    ) -> anyhow::Result<Destination> {
        if let Some(form) = &mut self.form {
            form.end(&mut self.out, checked)?;
        }
        if let Some(summary) = summary {
            summary.write(&mut self.out, &checked.tally.rows(), totals)?;
        }
        // Before the note about them.
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Sink for Report<'_> {
    fn wants_excerpts(&self) -> bool {
        self.form.as_ref().is_some_and(|form| form.wants_excerpts())
    }

    fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        let Some(baseline) = &mut self.baseline else {
            return Ok(false);
        };
        let is_known = baseline.knows(file, finding)?;
        match &mut self.form {
            Some(form) if is_known => form.known(&mut self.out, file, finding)?,
            _ => {}
        }
        Ok(is_known)
    }

    fn has_earlier(&self) -> bool {
        self.baseline.is_some()
    }

    fn not_judged(&mut self, file: &str, finding: &Finding) {
        if let Some(baseline) = &mut self.baseline {
            baseline.not_judged(file, finding);
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
