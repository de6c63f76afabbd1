//! `--format`.

use anyhow::bail;
use clap::ValueEnum;
use serde::Deserialize;

use super::form::Form;
use super::form::csv::Csv;
use super::form::github::Github;
use super::form::json::Json;
use super::form::sarif::Sarif;
use super::form::short::Short;
use super::form::text::Text;
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
    /// SARIF 2.1.0, which code hosting services display
    Sarif,
    /// The summary (see --summary) as a table in Markdown
    Markdown,
}

impl FindingFormat {
    /// Returns `true` if all findings are listed, because a program that reads them groups them itself.
    pub(crate) fn lists_all(self) -> bool {
        matches!(self, Self::Jsonl | Self::Csv)
    }

    /// Returns `true` if people read it, so that the totals follow.
    pub(crate) fn is_for_readers(self) -> bool {
        matches!(self, Self::Text | Self::Short)
    }

    /// `None` if findings are only summed up.
    pub(crate) fn form(self) -> Option<Box<dyn Form>> {
        Some(match self {
            Self::Text => Box::new(Text::new()),
            Self::Short => Box::new(Short),
            Self::Jsonl => Box::new(Json),
            Self::Csv => Box::new(Csv),
            Self::Github => Box::new(Github),
            Self::Sarif => Box::new(Sarif::new()),
            Self::Markdown => return None,
        })
    }

    /// The form of the summary, if it is written instead of the findings.
    ///
    /// # Errors
    ///
    /// If it `is_wanted`, and this format has none.
    pub(crate) fn summary(self, is_wanted: bool) -> anyhow::Result<Option<SummaryForm>> {
        match self {
            Self::Markdown => Ok(Some(SummaryForm::Markdown)),
            // It shows the annotations and, on the page of the job, the summary.
            Self::Github => Ok(None),
            _ if !is_wanted => Ok(None),
            Self::Text => Ok(Some(SummaryForm::Table)),
            Self::Jsonl => Ok(Some(SummaryForm::Json)),
            Self::Short | Self::Csv | Self::Sarif => bail!(
                "--summary cannot be printed in this format; use --format text, markdown, jsonl or github"
            ),
        }
    }
}
