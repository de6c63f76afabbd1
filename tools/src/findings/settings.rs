//! How a check judges.

use quick_sitemap::chrono::{DateTime, Utc};

use super::finding::Finding;
use super::format::Format;
use super::summary::SummaryForm;
use crate::judge::entry_source::Advice;
use crate::judge::verdicts::Verdicts;
use crate::source::input::Network;
use crate::source::targets::Location;

/// The combined settings of the command line and the configuration file.
pub(crate) struct Settings {
    pub(crate) format: Format,
    /// The form of the summary, if it is written instead of the findings.
    pub(crate) summary: Option<SummaryForm>,
    pub(crate) verdicts: Verdicts,
    pub(crate) all: bool,
    pub(crate) location: Location,
    /// The moment that dates are judged at.
    pub(crate) now: DateTime<Utc>,
    /// For URLs that are not followed.
    pub(crate) network: Network,
}

impl Settings {
    /// The advice that is to be mentioned.
    pub(crate) fn of_advice(
        &self,
        advice: impl IntoIterator<Item = Advice>,
    ) -> impl Iterator<Item = Finding> {
        advice.into_iter().filter_map(|advice| {
            let severity = self.verdicts.of(advice.rule)?;
            Some(Finding::advice(advice, severity))
        })
    }
}
