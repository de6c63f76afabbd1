//! How a check judges.

use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use super::entry_source::Advice;
use super::finding::Finding;
use super::format::Format;
use super::summary::SummaryForm;
use super::verdicts::Verdicts;

/// What the command line and the configuration file say together.
pub(super) struct Settings {
    pub(super) format: Format,
    /// The form of the summary, if it is written instead of the findings.
    pub(super) summary: Option<SummaryForm>,
    pub(super) verdicts: Verdicts,
    pub(super) advice: bool,
    pub(super) looks_for_advice: bool,
    pub(super) all: bool,
    pub(super) location: Option<Url>,
    /// The moment that dates are judged at.
    pub(super) now: DateTime<Utc>,
    /// For URLs that are not followed.
    #[cfg(feature = "full")]
    pub(super) network: crate::net::fetch::Options,
}

impl Settings {
    /// The advice that is to be mentioned.
    pub(super) fn of_advice(
        &self,
        advice: impl IntoIterator<Item = Advice>,
    ) -> impl Iterator<Item = Finding> {
        advice.into_iter().filter_map(|advice| {
            let severity = self.verdicts.of_advice(advice.rule, self.advice)?;
            Some(Finding::advice(advice, severity))
        })
    }
}
