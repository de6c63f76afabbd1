//! Findings by rule: a row per rule, with the numbers of sitemaps and of findings, and one example.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

use super::checker::Checked;
use super::form::Form;
use super::tally::Row;
use super::totals::Totals;
use crate::judge::finding::Finding;
use crate::term::clipped::clipped;
use crate::term::count::Grouped;
use crate::term::json;
use crate::term::table::{Cell, Table};

/// The variable that names the file to which a step of GitHub Actions appends Markdown.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The form of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SummaryForm {
    /// Aligned columns.
    Table,
    Markdown,
    /// One object per rule.
    Json,
}

/// Writes the rows as aligned columns.
pub(crate) fn table(out: &mut dyn Write, rows: &[Row<'_>]) -> io::Result<()> {
    let mut table = Table::new(["severity", "rule", "sitemaps", "findings", "example"]);
    for row in rows {
        table.row([
            Cell::styled(row.severity.name(), row.severity.style()),
            Cell::text(row.rule),
            Cell::number(row.sitemaps),
            Cell::number(row.findings),
            Cell::text(&row.example),
        ]);
    }
    table.write(out)
}

impl Form for SummaryForm {
    fn finding(&mut self, _: &mut dyn Write, _: &str, _: &Finding) -> anyhow::Result<()> {
        Ok(())
    }

    fn end(
        &mut self,
        out: &mut dyn Write,
        checked: &Checked,
        totals: &Totals,
    ) -> anyhow::Result<()> {
        let rows = checked.tally.rows();
        match self {
            Self::Table => Ok(table(out, &rows)?),
            Self::Markdown => markdown(out, &rows, totals),
            Self::Json => rows.iter().try_for_each(|row| {
                json::write(out, row)?;
                Ok(out.write_all(b"\n")?)
            }),
        }
    }
}

/// Writes the summary as Markdown, for the page of a run of a CI system.
fn markdown(out: &mut dyn Write, rows: &[Row<'_>], totals: &Totals) -> anyhow::Result<()> {
    writeln!(out, "### sitemap check: {}\n", totals.found)?;
    if !rows.is_empty() {
        writeln!(out, "| severity | rule | sitemaps | findings | example |")?;
        writeln!(out, "|---|---|--:|--:|---|")?;
    }
    for row in rows {
        writeln!(
            out,
            "| {} | `{}` | {} | {} | {} |",
            row.severity.name(),
            row.rule,
            Grouped(row.sitemaps),
            Grouped(row.findings),
            code(&clipped(&row.example))
        )?;
    }
    if !rows.is_empty() {
        writeln!(out)?;
    }
    Ok(writeln!(out, "{}", totals.read)?)
}

/// Appends the summary as Markdown to the file of this step, if the program runs in GitHub Actions.
///
/// # Errors
///
/// With the name of the file.
pub(crate) fn append_to_step(rows: &[Row<'_>], totals: &Totals) -> anyhow::Result<()> {
    let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = PathBuf::from(path);
    let mut text = Vec::new();
    markdown(&mut text, rows, totals)?;
    // The next step's text begins a paragraph of its own.
    text.push(b'\n');
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .and_then(|mut file| file.write_all(&text))
        .with_context(|| format!("${STEP_SUMMARY}: {}", path.display()))
}

/// A text as a code span in a cell of a table. Nothing in a code span is markup, so only its end and that of the cell
/// have to be kept out of it.
fn code(text: &str) -> String {
    // A pipe would end the cell even here, and whether a backslash before it helps depends on the one before that.
    let text = text.replace('|', "\\u{7c}");
    let marks = text.split(|character| character != '`').map(str::len);
    let fence = "`".repeat(marks.max().unwrap_or(0) + 1);
    let touches = text.starts_with('`') || text.ends_with('`');
    let space = if touches { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_in_its_cell() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("<b>|@x"), "`<b>\\u{7c}@x`");
        assert_eq!(code("\\|"), "`\\\\u{7c}`");
        assert_eq!(code("a `b` ``c"), "```a `b` ``c```");
        assert_eq!(code("`b`"), "`` `b` ``");
    }
}
