//! A form that findings are written in.

use std::io::Write;

use anyhow::Result;

use super::checker::Checked;
use super::totals::Totals;
use crate::judge::finding::Finding;

pub(crate) trait Form {
    /// Returns `true` if it shows the line of a finding.
    fn wants_excerpts(&self) -> bool {
        false
    }

    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()>;

    /// A finding that the baseline knows, which most forms leave out.
    fn known(&mut self, _out: &mut dyn Write, _file: &str, _finding: &Finding) -> Result<()> {
        Ok(())
    }

    /// Reports the findings of a file that were not shown: one for each rule, whose message is `and 12 more`.
    fn hidden(&mut self, out: &mut dyn Write, file: &str, hidden: &[Finding]) -> Result<()> {
        hidden
            .iter()
            .try_for_each(|finding| self.finding(out, file, finding))
    }

    fn end(&mut self, _out: &mut dyn Write, _checked: &Checked, _totals: &Totals) -> Result<()> {
        Ok(())
    }
}

/// A form that has nothing but a line for each finding.
pub(crate) type LineForm = fn(&mut dyn Write, &str, &Finding) -> Result<()>;

impl Form for LineForm {
    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()> {
        self(out, file, finding)
    }
}
