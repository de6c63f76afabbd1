//! The forms that findings are written in.

pub(crate) mod csv;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod short;
pub(crate) mod text;

use std::io::Write;

use super::finding::{Finding, cost};
use crate::term::messages::Severity;
use crate::term::status::Status;
use anyhow::Result;

/// How often a rule was broken beyond what was shown, how bad that is, and the rule.
pub(crate) type Hidden = (u64, Severity, &'static str);

pub(crate) trait Form {
    /// Returns `true` if it shows the line of a finding.
    fn wants_excerpts(&self) -> bool {
        false
    }

    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn finding(&mut self, out: &mut dyn Write, file: &str, finding: &Finding) -> Result<()>;

    /// Reports the findings of a file that were not shown.
    fn hidden(&mut self, _out: &mut dyn Write, _file: &str, _hidden: &[Hidden]) -> Result<()> {
        Ok(())
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
