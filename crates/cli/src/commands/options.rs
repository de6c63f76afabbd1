//! The options of `check` and `report`, which read and judge alike.

use std::path::PathBuf;

use clap::Args;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use crate::findings::settings::Settings;
use crate::judge::rules::RuleName;
use crate::judge::verdicts::Verdicts;
use crate::source::input::{self, Input};
use crate::source::options::ReadOptions;

#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct Options {
    /// Findings of the rule are errors; `all` stands for all rules not named in another option
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName::ToJudge, hide_possible_values = true)]
    pub(crate) deny: Vec<String>,

    /// Findings of the rule are not reported; `all` stands for all rules not named in another option
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName::ToJudge, hide_possible_values = true)]
    pub(crate) allow: Vec<String>,

    /// The URL of the sitemap; relative URLs are resolved, and pages that a sitemap at this URL may not list are
    /// reported
    ///
    /// For a folder, and for several files, it is the URL of the folder that they are in, and ends with a slash. A sitemap
    /// that is read from a URL has that URL as its location.
    #[arg(long, value_name = "URL", value_parser = input::web_url)]
    pub(crate) location: Option<Url>,

    /// The configuration file, instead of `sitemap.toml` in the working folder
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Report an error for each URL of this file (one per line) that no sitemap lists; `*` stands for anything within a
    /// path
    #[arg(long, value_name = "FILE|-")]
    pub(crate) must_list: Option<Input>,

    /// Read only the file at a URL: do not follow an index, and do not read robots.txt
    #[arg(long)]
    pub(crate) no_follow: bool,

    #[command(flatten)]
    pub(crate) reading: ReadOptions,
}

impl Options {
    /// # Errors
    ///
    /// If two options contradict each other about a rule.
    pub(crate) fn settings(
        &self,
        with_advice: bool,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Settings> {
        let mut verdicts = Verdicts::default();
        verdicts.with_advice = with_advice;
        verdicts.set(&self.deny, &self.allow)?;
        Ok(Settings {
            verdicts,
            location: self.location.clone(),
            now,
            must_list: self.must_list.clone(),
            reading: self.reading.clone(),
            no_follow: self.no_follow,
        })
    }
}
