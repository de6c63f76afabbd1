//! The formats of a report, and the file or the standard output that it is written to.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;

use super::model::Report;
use super::{page, terminal};
use crate::disk::destination::Destination;
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
        let extension = path.extension().unwrap_or_default();
        let is = |name: &str| extension.eq_ignore_ascii_case(name);
        match typed {
            Some(format) => Ok(format),
            None if is("html") || is("htm") => Ok(Self::Html),
            None if is("json") => Ok(Self::Json),
            None => bail!(
                "--out {}: the name ends neither in .html nor in .json, so --format is needed",
                path.display()
            ),
        }
    }
}

/// Writes to a file, all or nothing, or to standard output.
pub(crate) fn write(
    report: &Report,
    format: ReportFormat,
    out: Option<&Path>,
) -> anyhow::Result<()> {
    let Some(path) = out else {
        let mut out = output::stdout();
        print(report, format, &mut out, output::columns())?;
        out.flush()?;
        return Ok(());
    };
    // In memory: a report is small.
    let mut content = Vec::new();
    print(report, format, &mut content, None)?;
    interrupt::check()?;
    let mut file = Destination::at(path)?;
    file.write_all(&content)?;
    file.complete()?;
    Ok(())
}

/// Writes the report in this format.
fn print(
    report: &Report,
    format: ReportFormat,
    out: &mut dyn Write,
    width: Option<usize>,
) -> anyhow::Result<()> {
    match format {
        ReportFormat::Text => terminal::write(report, out, width)?,
        ReportFormat::Html => page::write(report, out)?,
        ReportFormat::Json => {
            out.write_all(json::text(report)?.as_bytes())?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}
