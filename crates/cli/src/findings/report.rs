//! Findings on their way to the output.

use std::io::Write;

use super::baseline::Baseline;
use super::checker::Checked;
use super::form::Form;
use super::sink::Sink;
use super::totals::Totals;
use crate::disk::destination::Destination;
use crate::judge::finding::Finding;

/// Findings of the baseline are counted by it, and not reported.
pub(crate) struct Report<'o> {
    pub(crate) out: Destination,
    pub(crate) form: Box<dyn Form>,
    pub(crate) all: bool,
    pub(crate) baseline: Option<Baseline<'o>>,
}

impl Report<'_> {
    pub(crate) fn start(&mut self) -> anyhow::Result<()> {
        self.form.begin(&mut self.out)
    }

    /// Ends the findings. Returns the output.
    pub(crate) fn finish(
        mut self,
        checked: &Checked,
        totals: &Totals,
    ) -> anyhow::Result<Destination> {
        self.form.end(&mut self.out, checked, totals)?;
        // Before the note about them.
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Sink for Report<'_> {
    fn wants_excerpts(&self) -> bool {
        self.form.wants_excerpts()
    }

    fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        let Some(baseline) = &mut self.baseline else {
            return Ok(false);
        };
        let is_known = baseline.knows(file, finding)?;
        if is_known {
            self.form.known(&mut self.out, file, finding)?;
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
        if is_first || self.all {
            self.form.finding(&mut self.out, file, finding)?;
        }
        Ok(())
    }

    fn end_findings(&mut self, file: &str, hidden: &[Finding]) -> anyhow::Result<()> {
        if !hidden.is_empty() && !self.all {
            self.form.hidden(&mut self.out, file, hidden)?;
        }
        Ok(())
    }
}
