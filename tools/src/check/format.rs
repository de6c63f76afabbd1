//! `--format`.

use clap::ValueEnum;
use serde::Deserialize;

use super::form::Form;
use super::form::github::Github;
use super::form::json::Json;
use super::form::sarif::Sarif;
use super::form::short::Short;
use super::form::text::Text;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// With the line, the place underlined
    #[default]
    Text,
    /// For editors: file:line:column: severity: message [rule]
    Short,
    /// JSON Lines: one object per finding, not limited to five per rule
    Json,
    /// Commands of GitHub Actions, which annotate a pull request
    Github,
    /// SARIF 2.1.0, which code hosting services display
    Sarif,
}

impl Format {
    pub(super) fn form(self) -> Box<dyn Form> {
        match self {
            Self::Text => Box::new(Text::new()),
            Self::Short => Box::new(Short),
            Self::Json => Box::new(Json),
            Self::Github => Box::new(Github),
            Self::Sarif => Box::new(Sarif::new()),
        }
    }
}
