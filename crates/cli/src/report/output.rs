//! The formats of a report, and the file or the standard output that it is written to.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;

use super::model::Report;
use super::{page, terminal};
use crate::disk::destination::{Destination, format_of_name};
use crate::term::interrupt;
use crate::term::json;
use crate::term::output;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// The figures, the worst findings and bar charts, for a terminal
    Text,
    /// One page with all figures, charts and tables, which can be compared with --against
    Html,
    /// The complete report as one JSON object, in one line; `jsonl` is another name
    #[value(alias = "jsonl")]
    Json,
}

impl ReportFormat {
    /// The format for `out`, the file of `--out` if there is one.
    ///
    /// # Errors
    ///
    /// If neither `--format` nor the name of the file decides it: a page must not replace a sitemap.
    pub(crate) fn find(typed: Option<Self>, out: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = out else {
            return Ok(typed.unwrap_or(Self::Text));
        };
        let named = || format_of_name("--out", path).ok().flatten();
        typed.or_else(named).with_context(|| {
            format!(
                "--out {}: the name ends in none of .html, .json and .txt, so --format is needed; --csv writes a table of all findings",
                path.display()
            )
        })
    }

    /// Writes the report to a file, all or nothing, or to standard output.
    pub(crate) fn write(self, report: &Report, out: Option<&Path>) -> anyhow::Result<()> {
        // In memory: a report is small.
        let mut content = Vec::new();
        match self {
            Self::Text => {
                let width = out.is_none().then(output::columns).flatten();
                terminal::write(report, &mut content, width)?;
            }
            Self::Html => page::write(report, &mut content)?,
            Self::Json => writeln!(content, "{}", json::text(report)?)?,
        }
        interrupt::check()?;
        let mut file = Destination::at(out.unwrap_or(Path::new("-")))?;
        file.write_all(&content)?;
        Ok(file.complete()?)
    }
}
