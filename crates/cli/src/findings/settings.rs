//! The options of `check` and `report`, which read and judge alike: how a check judges, and which inputs it follows.

use std::path::PathBuf;

use clap::Args;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use crate::judge::rules::RuleName;
use crate::judge::verdicts::Verdicts;
use crate::source::input::{self, Input};
use crate::source::options::ReadOptions;

#[derive(Args, Clone, Debug)]
#[group(skip)]
pub(crate) struct Settings {
    /// Findings of the rule are errors; `all` stands for all rules not named in another option
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName::ToJudge, hide_possible_values = true)]
    deny: Vec<String>,

    /// Findings of the rule are not reported; `all` stands for all rules not named in another option
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName::ToJudge, hide_possible_values = true)]
    allow: Vec<String>,

    /// The URL of the sitemap; relative URLs are resolved, and pages that a sitemap at this URL may not list are
    /// reported
    ///
    /// For a folder, and for several files, it is the URL of the folder that they are in, and ends with a slash. A sitemap
    /// that is read from a URL has that URL as its location.
    #[arg(long, value_name = "URL", value_parser = input::web_url)]
    pub(crate) location: Option<Url>,

    /// The configuration file, instead of `sitemap.toml` in the working folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Report an error for each URL of this file (one per line) that no sitemap lists; `*` stands for anything within a
    /// path
    #[arg(long, value_name = "FILE|-")]
    pub(crate) must_list: Option<Input>,

    /// Read only the file at a URL: do not follow an index, and do not read robots.txt
    #[arg(long)]
    pub(crate) no_follow: bool,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,

    #[arg(skip)]
    pub(crate) verdicts: Verdicts,

    /// The moment that dates are judged at.
    #[arg(skip)]
    pub(crate) now: DateTime<Utc>,
}

impl Settings {
    /// The options with their verdicts.
    ///
    /// # Errors
    ///
    /// If two options contradict each other about a rule.
    pub(crate) fn judged(&self, with_advice: bool, now: DateTime<Utc>) -> anyhow::Result<Self> {
        let mut settings = Self {
            now,
            ..self.clone()
        };
        settings.verdicts.with_advice = with_advice;
        settings.verdicts.set(&self.deny, &self.allow)?;
        Ok(settings)
    }
}
