//! The result of requesting a page.

use std::fmt;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};

use crate::term::address::{bare, without_logins};
use crate::term::clipped::clipped;
use crate::term::messages::Severity;

/// Verdict on a listed page.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// Status 404 or 410.
    Missing,
    /// Another status that is neither success nor a redirect, or no answer.
    Error,
    /// HTML whose head was not read whole, or not understood.
    Unread,
    Redirect,
    Noindex,
    CanonicalElsewhere,
    /// It leads to another page than the expected one.
    WrongTarget,
    /// It redirects to the home page, and that is not expected.
    HomePage,
    /// It leads to the expected page, but one of the redirects is temporary.
    TemporaryRedirect,
    /// No sitemap lists the page to which it leads.
    Unlisted,
    /// It leads to the expected page by more redirects than from http to https and to the page.
    RedirectChain,
    /// robots.txt forbids it, so it was not requested.
    Disallowed,
    /// robots.txt of its host cannot be read, and may forbid it, so it was not requested.
    Robots,
    /// Its sitemap may not list its host, so it was not requested.
    OtherHost,
    #[default]
    Ok,
}

impl Verdict {
    pub(crate) const COUNT: usize = Self::Ok as usize + 1;

    /// Returns `true` if the page is as it should be, or nothing is known of it.
    pub(crate) fn is_good(self) -> bool {
        matches!(self, Self::Ok | Self::OtherHost)
    }

    /// Pages that no visitor gets are errors.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Missing | Self::Error => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.pad(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

/// A page that is listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// The sitemap that lists it, as messages show it.
    pub(crate) sitemap: String,
    pub(crate) url: Url,
    /// The page to which it should lead, or the text that is no URL.
    pub(crate) expected: Option<String>,
    /// Another page to which it should lead by another entry.
    pub(crate) contrary: Option<String>,
    /// Its sitemap may not list its host.
    pub(crate) is_elsewhere: bool,
}

impl Listed {
    /// `expected` is a URL, or a path of the page's site.
    pub(crate) fn new(url: Url, sitemap: &str, expected: Option<String>) -> Self {
        let expected = expected.map(|text| match target(&url, &text) {
            Some(target) => target.into(),
            None => without_logins(&text).into_owned(),
        });
        Self {
            sitemap: sitemap.to_owned(),
            url,
            expected,
            contrary: None,
            is_elsewhere: false,
        }
    }

    /// Why no page is the expected one, if entries contradict each other.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let expected = self.expected.as_deref().zip(self.contrary.as_deref());
        let (a, b) = expected?;
        let (a, b) = (clipped(a), clipped(b));
        Some(format!("two pages are expected: {a} and {b}"))
    }
}

fn target(page: &Url, expected: &str) -> Option<Url> {
    let target = if expected.starts_with('/') {
        page.join(expected).ok()
    } else {
        expected.parse().ok()
    };
    let is_page = |url: &Url| matches!(url.scheme(), "http" | "https");
    target.filter(is_page).map(bare)
}

/// One line of the results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) url: String,
    /// The sitemap that lists the page.
    pub(crate) sitemap: String,
    /// `None` if the page was not requested, or there was no answer.
    pub(crate) status: Option<u16>,
    /// The target of the redirect; if redirects are followed, the URL at their end.
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
    /// Why there was no usable answer, or why a redirect was not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The status of the first response, if redirects are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first_status: Option<u16>,
    /// One of the redirects has the status 302, 303 or 307, or is a refresh after a delay.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) temporary: bool,
    /// Redirects, if they are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hops: Option<u32>,
    /// A sitemap lists the page at the end of the redirects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) listed: Option<bool>,
    /// The page to which it should lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<String>,
    /// The number of pages from which the sample was drawn that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sample_of: Option<u64>,
    /// It is one of results of which only those that are not good were written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only_bad: bool,
}

/// Results by verdict.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: [u64; Verdict::COUNT],
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

    pub(crate) fn count(&self, verdict: Verdict) -> u64 {
        let count = self.counts.get(verdict as usize);
        count.copied().unwrap_or_default()
    }

    /// Each verdict with the number of its pages.
    pub(crate) fn verdicts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        let verdicts = Verdict::value_variants().iter().copied();
        verdicts.zip(self.counts)
    }
}

impl Found {
    /// Only the page is kept, and the kinds of the redirects to it, not what else an earlier response was.
    pub(crate) fn begin_anew(&mut self, hops: Option<u32>) {
        let listed = std::mem::take(self);
        let is_redirected = hops > Some(0);
        *self = Self {
            url: listed.url,
            sitemap: listed.sitemap,
            expected: listed.expected,
            disallowed: listed.disallowed,
            verdict: Verdict::Error,
            first_status: listed.first_status.filter(|_| is_redirected),
            temporary: listed.temporary && is_redirected,
            hops,
            ..Self::default()
        };
    }

    /// The target of the last redirect was not requested, so nothing is known of the page there.
    pub(crate) fn is_not_followed(&self) -> bool {
        self.verdict == Verdict::Redirect && self.error.is_some()
    }

    /// The URL at the end of all redirects.
    pub(crate) fn end(&self) -> &str {
        self.location.as_deref().unwrap_or(&self.url)
    }

    /// Details in addition to status and URL.
    pub(crate) fn remark(&self) -> String {
        let (canonical, expected) = match self.verdict {
            Verdict::CanonicalElsewhere => (self.canonical.as_ref(), None),
            Verdict::WrongTarget | Verdict::HomePage | Verdict::Missing | Verdict::Redirect => {
                (None, self.expected.as_ref())
            }
            _ => (None, None),
        };
        let expected = expected.filter(|to| self.location.as_ref() != Some(to));
        let hops = self.hops.filter(|hops| *hops > 1);
        let remarks = [
            self.location.as_ref().map(|to| format!(" → {to}")),
            hops.map(|hops| format!(" ({hops} hops)")),
            self.temporary.then(|| " (temporary)".to_owned()),
            canonical.map(|to| format!(" canonical: {to}")),
            self.error.as_ref().map(|error| format!(" ({error})")),
            expected.map(|to| format!(" (expected {to})")),
        ];
        remarks.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_target_is_a_url_or_a_path() {
        let page = "https://e.com/p/1?a=b".parse().unwrap();
        for (text, url) in [
            ("https://www.e.com/slug", Some("https://www.e.com/slug")),
            ("/slug?x=y", Some("https://e.com/slug?x=y")),
            ("//cdn.e.com/a", Some("https://cdn.e.com/a")),
            ("https://me:secret@e.com/a", Some("https://e.com/a")),
            ("www.e.com/slug", None),
            ("slug", None),
            ("ftp://e.com/a", None),
            ("410", None),
            ("", None),
        ] {
            let found = target(&page, text);
            assert_eq!(found.as_ref().map(Url::as_str), url, "{text}");
        }
    }
}
