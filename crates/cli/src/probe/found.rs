//! The result of requesting a page.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Verdict on a listed page, worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// Status 404 or 410.
    Missing,
    /// Another status that is neither success nor a redirect, or no answer.
    Error,
    Redirect,
    Noindex,
    CanonicalElsewhere,
    /// robots.txt forbids it, so it was not requested.
    Disallowed,
    #[default]
    Ok,
}

impl Verdict {
    pub(crate) const ALL: [Self; 7] = [
        Self::Missing,
        Self::Error,
        Self::Redirect,
        Self::Noindex,
        Self::CanonicalElsewhere,
        Self::Disallowed,
        Self::Ok,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Error => "error",
            Self::Redirect => "redirect",
            Self::Noindex => "noindex",
            Self::CanonicalElsewhere => "canonical-elsewhere",
            Self::Disallowed => "disallowed",
            Self::Ok => "ok",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A page that is listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) url: String,
    /// The sitemap that lists it, as messages show it.
    pub(crate) sitemap: String,
}

/// One line of the results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    pub(crate) url: String,
    /// The sitemap that lists the page.
    pub(crate) sitemap: String,
    /// `None` if the page was not requested, or there was no answer.
    pub(crate) status: Option<u16>,
    /// The target of a redirect.
    pub(crate) location: Option<String>,
    /// By the header or the page.
    pub(crate) noindex: bool,
    /// The canonical URL that the header or the page names.
    pub(crate) canonical: Option<String>,
    pub(crate) disallowed: bool,
    /// The size as it is sent, if it is known.
    pub(crate) bytes: Option<u64>,
    /// Milliseconds from the request to the last byte that was read.
    pub(crate) ms: Option<u64>,
    pub(crate) verdict: Verdict,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// Results by verdict.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: [u64; Verdict::ALL.len()],
    /// The first pages of each verdict but the last.
    pub(crate) first: Vec<Found>,
}

impl Tally {
    /// Counts a result, and keeps it if fewer than `most` of its verdict are kept.
    pub(crate) fn add(&mut self, found: Found, most: usize) {
        let verdict = found.verdict;
        if let Some(count) = self.counts.get_mut(verdict as usize) {
            *count += 1;
        }
        let same = self.first.iter().filter(|first| first.verdict == verdict);
        if verdict != Verdict::Ok && same.count() < most {
            self.first.push(found);
        }
    }

    pub(crate) fn pages(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Each verdict with the number of its pages.
    pub(crate) fn verdicts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        Verdict::ALL.into_iter().zip(self.counts)
    }
}

impl Found {
    /// Details in addition to status and URL.
    pub(crate) fn remark(&self) -> Option<String> {
        match self.verdict {
            Verdict::Redirect => self.location.as_ref().map(|to| format!("→ {to}")),
            Verdict::CanonicalElsewhere => {
                self.canonical.as_ref().map(|to| format!("canonical: {to}"))
            }
            Verdict::Error => self.error.as_ref().map(|error| format!("({error})")),
            Verdict::Missing | Verdict::Noindex | Verdict::Disallowed | Verdict::Ok => None,
        }
    }
}
