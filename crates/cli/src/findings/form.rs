//! The forms that findings are written in.

pub(crate) mod csv;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod short;
pub(crate) mod text;

use std::io::Write;

use crate::judge::finding::{Finding, cost};
use crate::term::status::Status;
use anyhow::Result;

pub(crate) trait Form {
    /// Returns `true` if it shows the line of a finding.
    fn wants_excerpts(&self) -> bool {
        false
    }

    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()>;

    /// Reports the findings of a file that were not shown: one for each rule, whose message is `and 12 more`.
    fn hidden(&mut self, out: &mut dyn Write, file: &str, hidden: &[Finding]) -> Result<()> {
        hidden
            .iter()
            .try_for_each(|finding| self.finding(out, file, finding))
    }

    fn end(&mut self, _out: &mut dyn Write, _status: Status) -> Result<()> {
        Ok(())
    }
}

/// The message, followed by the loss.
pub(crate) fn message(finding: &Finding) -> String {
    match cost(finding.effect) {
        Some(cost) => format!("{}; {cost}", finding.message),
        None => finding.message.clone(),
    }
}
