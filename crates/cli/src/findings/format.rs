//! `--format`: the forms that findings are written in.

pub(crate) mod csv;
mod github;
pub(crate) mod json;
mod sarif;
mod short;
mod text;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::Deserialize;

use super::form::Form;
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
    #[value(alias = "md")]
    Markdown,
}

/// Who reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// People: the totals follow.
    People,
    /// A service that shows findings to people.
    Service,
    /// A program that groups findings itself, so that all of them are listed.
    Program,
}

/// The properties of a format.
pub(crate) struct Properties {
    /// `None` if findings are only summed up.
    pub(crate) form: Option<Box<dyn Form>>,
    pub(crate) audience: Audience,
    /// The form of `--summary`, if it has one.
    summary: Option<SummaryForm>,
}

impl FindingFormat {
    /// All that differs from one format to the next.
    pub(crate) fn properties(self) -> Properties {
        use Audience::{People, Program, Service};
        let of = |form: Box<dyn Form>, audience, summary| Properties {
            form: Some(form),
            audience,
            summary,
        };
        match self {
            Self::Text => of(
                Box::new(text::Text::new()),
                People,
                Some(SummaryForm::Table),
            ),
            Self::Short => of(Box::new(short::Short), People, None),
            Self::Jsonl => of(Box::new(json::Json), Program, Some(SummaryForm::Json)),
            Self::Csv => of(Box::new(csv::Csv), Program, None),
            Self::Github => of(Box::new(github::Github), Service, None),
            Self::Sarif => of(Box::<sarif::Sarif>::default(), Service, None),
            Self::Markdown => Properties {
                form: None,
                audience: Service,
                summary: Some(SummaryForm::Markdown),
            },
        }
    }

    /// The form of the summary, if it is written instead of the findings.
    ///
    /// # Errors
    ///
    /// If it `is_wanted`, and this format has none.
    pub(crate) fn summary(self, is_wanted: bool) -> Result<Option<SummaryForm>> {
        let Properties { form, summary, .. } = self.properties();
        // GitHub shows the annotations and, on the page of the job, the summary.
        if is_wanted && summary.is_none() && self != Self::Github {
            bail!(
                "--summary cannot be printed in this format; use --format text, markdown, jsonl or github"
            );
        }
        Ok(summary.filter(|_| is_wanted || form.is_none()))
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
            assert!(documented.contains(&row), "{row}");
        }
        for rule in TABLE.iter().filter(|rule| rule.class == Class::Advice) {
            let name = format!("`{}`", rule.name);
            let mut rows = documented.lines().filter(|line| line.starts_with('|'));
            assert!(rows.any(|row| row.contains(&name)), "{name}");
        }
    }
}
