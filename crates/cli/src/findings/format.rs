//! `--format`: the forms that findings are written in.

pub(crate) mod csv;
mod github;
pub(crate) mod json;
mod junit;
mod repository;
mod sarif;
mod short;
mod text;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::Deserialize;

use super::form::{Form, LineForm};
use super::summary::SummaryForm;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingFormat {
    /// With the line, the place underlined
    #[default]
    Text,
    /// For editors: file:line:column: severity: message [rule]
    Short,
    /// JSON Lines: one object per finding, not limited to five per rule; `json` is another name
    #[value(alias = "json")]
    #[serde(alias = "json")]
    Jsonl,
    /// One row per finding: sitemap, line, column, severity, rule, page, message; not limited to five per rule
    Csv,
    /// Commands of GitHub Actions, which annotate a pull request; the summary is appended to the page of the job
    Github,
    /// SARIF 2.1.0, which code hosting services display; not limited to five per rule
    Sarif,
    /// JUnit XML, which CI systems show as tests: one test per finding, which fails if it is an error, and one for the run
    Junit,
    /// The summary (see --summary) as a table in Markdown
    #[value(alias = "md")]
    Markdown,
}

#[derive(PartialEq, Eq)]
enum ReadBy {
    /// The totals follow.
    People,
    /// It groups findings itself, so all of them are listed.
    Program,
    Page,
}

impl FindingFormat {
    /// The form; with `is_summary`, findings are only summed up. With a baseline, SARIF says which findings are new.
    ///
    /// # Errors
    ///
    /// If the format has no summary.
    pub(crate) fn form(self, is_summary: bool, has_baseline: bool) -> Result<Box<dyn Form>> {
        Ok(match self {
            Self::Markdown => Box::new(SummaryForm::Markdown),
            // GitHub shows the annotations and, on the page of the job, the summary.
            Self::Github => Box::new(github::write as LineForm),
            Self::Text if is_summary => Box::new(SummaryForm::Table),
            Self::Jsonl if is_summary => Box::new(SummaryForm::Json),
            Self::Short | Self::Csv | Self::Sarif | Self::Junit if is_summary => bail!(
                "--summary cannot be printed in this format; use --format text, markdown, jsonl or github"
            ),
            Self::Text => Box::new(text::Text::new()),
            Self::Short => Box::new(short::write as LineForm),
            Self::Jsonl => Box::new(json::write as LineForm),
            Self::Csv => Box::new(csv::Csv),
            Self::Sarif => Box::new(sarif::Sarif::new(has_baseline)),
            Self::Junit => Box::<junit::Junit>::default(),
        })
    }

    fn read_by(self) -> ReadBy {
        match self {
            Self::Text | Self::Short => ReadBy::People,
            Self::Jsonl | Self::Csv | Self::Sarif | Self::Junit => ReadBy::Program,
            Self::Github | Self::Markdown => ReadBy::Page,
        }
    }

    pub(crate) fn is_for_people(self) -> bool {
        self.read_by() == ReadBy::People
    }

    pub(crate) fn lists_all(self) -> bool {
        self.read_by() == ReadBy::Program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::rules::{Class, TABLE};

    /// The documentation has a row for each.
    #[test]
    fn formats_and_advice_are_documented() {
        let documented = include_str!("../../README.md");
        for format in FindingFormat::value_variants() {
            let value = format.to_possible_value().unwrap();
            let row = format!("\n| `{}` | ", value.get_name());
            assert!(
                documented.contains(&row),
                "crates/cli/README.md: the table of formats needs a row `{}`",
                row.trim()
            );
        }
        for rule in TABLE.iter().filter(|rule| rule.class == Class::Advice) {
            let name = format!("`{}`", rule.name);
            let mut rows = documented.lines().filter(|line| line.starts_with('|'));
            assert!(
                rows.any(|row| row.contains(&name)),
                "crates/cli/README.md, section sitemap check: add a row with {name}"
            );
        }
    }
}
