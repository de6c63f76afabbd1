//! The content of a report: aggregates, never the pages, so its size does not depend on their number.
//!
//! The same value is printed to the terminal, written as JSON, drawn as a page, and read back from an earlier report.

use std::borrow::Cow;
use std::collections::BTreeMap;

use clap::ValueEnum;
use quick_sitemap::W3cDatetime;
use serde::{Deserialize, Serialize};

use crate::figures::tree::Section;
use crate::findings::identity::Identity;
use crate::judge::host_changes::HostChanges;
use crate::judge::hreflang::Languages;
use crate::judge::page_key::stable_name;
use crate::probe::found::{Found, Verdict};
use crate::source::account::Whole;
use crate::source::not_read::were_not_read;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// The version of [`Report`] as JSON. A report of a later version is rejected.
pub(crate) const VERSION: u32 = 2;

/// A report on one or more sitemaps.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Report {
    pub(crate) version: u32,
    /// The inputs, without secrets: a site, or the names of files.
    pub(crate) subject: String,
    /// A heading of the user's.
    pub(crate) title: Option<String>,
    /// Name of the table that has all findings.
    pub(crate) csv: Option<String>,
    /// When it was read: a W3C date-time in UTC.
    pub(crate) made: String,
    pub(crate) totals: Totals,
    /// A bound or a host has kept sitemaps or pages from being read.
    pub(crate) is_bounded: bool,
    /// Everything that belongs to the site was read and understood.
    pub(crate) whole: Option<Whole>,
    /// What was not read or not understood of the inputs, or what an option left out.
    pub(crate) not_whole: Option<String>,
    /// Findings that `--allow` hides.
    pub(crate) allowed: u64,
    /// The findings that hide most pages.
    pub(crate) unseen: Option<Unseen>,
    /// Sitemaps and pages that were not read, by reason, apart from failures.
    pub(crate) left_out: Vec<NotReadRow>,
    /// In the order in which they were read.
    pub(crate) sitemaps: Vec<Sitemap>,
    /// Sitemaps that were read, but came too late for the table.
    pub(crate) more_sitemaps: u64,
    /// Worst first.
    pub(crate) rules: Vec<Findings>,
    /// Hosts, with their folders inside.
    pub(crate) sections: Vec<Section>,
    /// Pages by month of lastmod, oldest first.
    pub(crate) months: Vec<(String, u64)>,
    /// Dates that more than one page has, the commonest first.
    pub(crate) shared_dates: Vec<(String, u64)>,
    pub(crate) languages: Languages,
    pub(crate) media: Media,
    pub(crate) changes: Option<Changes>,
    pub(crate) probe: Option<Probed>,
    /// Runs before this one, and this one; oldest first.
    pub(crate) history: Vec<Run>,
}

/// The figures at the top.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Totals {
    /// Distinct pages.
    pub(crate) pages: u64,
    /// Entries of pages: a page that is listed twice has two.
    pub(crate) entries: u64,
    /// Sitemaps that were read, whether to their end or not.
    pub(crate) sitemaps: u64,
    /// Sitemaps that the inputs ask for, and that were not read: they failed, or a bound or their host left them out.
    pub(crate) not_read: u64,
    /// Sitemaps that could not be read, or not to their end.
    pub(crate) unread: u64,
    /// Those of them that were read in part.
    pub(crate) partly: u64,
    /// Pages with a lastmod, or with the publication date of an article.
    pub(crate) dated: u64,
    /// Lastmod, except for dates that cannot be true.
    pub(crate) newest: Option<W3cDatetime>,
    pub(crate) oldest: Option<W3cDatetime>,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) advice: u64,
}

/// Sitemaps or pages that were not read for one reason.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct NotReadRow {
    pub(crate) reason: String,
    /// 0 if a bound has ended the reading of the last one.
    pub(crate) sitemaps: u64,
    /// The inputs ask for them, so that the report is incomplete.
    pub(crate) is_lost: bool,
}

impl Report {
    /// Names sitemaps and hosts as if the site had been where it is now. Findings are recognized by their identities.
    pub(crate) fn move_to(&mut self, hosts: &HostChanges) {
        for sitemap in &mut self.sitemaps {
            sitemap.name = hosts.done(&sitemap.name).into_owned();
        }
        for section in &mut self.sections {
            section.name = hosts.host(&section.name).to_owned();
        }
    }

    /// Sentences about what was not read, apart from failures, and about what `--allow` hides.
    pub(crate) fn lost(&self) -> Vec<String> {
        let rows = self.left_out.iter();
        let lost = rows.map(|row| were_not_read(row.sitemaps, &row.reason));
        lost.chain(self.allowed()).collect()
    }

    /// The sentence about what `--allow` hides.
    pub(crate) fn allowed(&self) -> Option<String> {
        let are = if self.allowed == 1 { "is" } else { "are" };
        let findings = Count(self.allowed, "finding");
        (self.allowed > 0).then(|| format!("{findings} {are} hidden by --allow"))
    }

    /// `Search engines do not see 36,000 of 40,019 pages, because 3 indexes are listed in an index.`
    pub(crate) fn of_unseen(&self) -> Option<String> {
        let Unseen { pages, heading, .. } = self.unseen.as_ref()?;
        let of = Count(self.totals.pages, "page");
        let pages = Grouped(*pages);
        Some(format!(
            "Search engines do not see {pages} of {of}, because {heading}."
        ))
    }
}

/// Pages that a search engine does not see because of the findings of a rule.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Unseen {
    pub(crate) rule: String,
    pub(crate) pages: u64,
    /// `3 indexes are listed in an index`
    pub(crate) heading: String,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Sitemap {
    pub(crate) name: String,
    /// `urlset`, `index`, `text`, `rss`, `atom`, or `list` for a list of pages; `None` if that is not known.
    pub(crate) format: Option<String>,
    pub(crate) status: SitemapStatus,
    /// Why it was not read, or not to its end; why it was left out.
    pub(crate) reason: Option<String>,
    pub(crate) entries: u64,
    /// Uncompressed.
    pub(crate) bytes: u64,
    pub(crate) newest: Option<W3cDatetime>,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    pub(crate) advice: u64,
}

impl Sitemap {
    /// The name that it has in every run.
    pub(crate) fn stable_name(&self) -> Cow<'_, str> {
        stable_name(&self.name)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SitemapStatus {
    #[default]
    Read,
    /// Not to its end.
    Partly,
    Unreadable,
    /// Up to a bound.
    Cut,
    /// On a host that is not trusted, or beyond a bound.
    NotRead,
}

impl SitemapStatus {
    /// Returns `true` if it could not be read, or not to its end.
    pub(crate) fn is_unread(self) -> bool {
        matches!(self, Self::Partly | Self::Unreadable)
    }

    /// Returns `true` if it was not read, or not to its end, because of a bound or of its host.
    pub(crate) fn is_bounded(self) -> bool {
        matches!(self, Self::Cut | Self::NotRead)
    }
}

/// All findings by one rule.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Findings {
    pub(crate) rule: String,
    pub(crate) level: Severity,
    pub(crate) count: u64,
    /// Findings that the earlier report, if there is one, does not have.
    pub(crate) new: u64,
    /// Number of sitemaps with a finding.
    pub(crate) sitemaps: u64,
    /// A description of the problem: `2 sitemaps that your index names are missing`.
    pub(crate) heading: String,
    /// The consequence.
    pub(crate) why: String,
    /// The solution.
    pub(crate) fix: String,
    /// The requirement and the details, as `sitemap check --explain` prints them.
    pub(crate) explanation: String,
    /// The loss: an entry, a value, the file, nothing.
    pub(crate) cost: Option<String>,
    /// Pages that a search engine does not see because of them, if they hide more than single entries.
    pub(crate) unseen: u64,
    /// The first findings, and those that are new.
    pub(crate) examples: Vec<Example>,
    /// All findings by sitemap, for a later report.
    pub(crate) identities: BTreeMap<String, Vec<Identity>>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Example {
    pub(crate) sitemap: String,
    /// From 1.
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
    /// URL of the page or the part that it is about.
    pub(crate) page: Option<String>,
    pub(crate) message: String,
    /// The loss because of it, such as `entry skipped`.
    pub(crate) cost: Option<String>,
    /// The earlier report, if there is one, does not have it.
    pub(crate) is_new: bool,
    pub(crate) identity: Identity,
    /// The line, or a part of it.
    pub(crate) excerpt: Option<String>,
    /// Bytes of the excerpt that are meant.
    pub(crate) marked: Option<(usize, usize)>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Media {
    pub(crate) images: u64,
    pub(crate) pages_with_images: u64,
    pub(crate) videos: u64,
    pub(crate) pages_with_videos: u64,
    pub(crate) news: u64,
    /// News of the last two days, which is all that news search takes.
    pub(crate) recent_news: u64,
}

/// Compared with an earlier report.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Changes {
    /// Its name.
    pub(crate) earlier: String,
    /// When it was made.
    pub(crate) made: String,
    pub(crate) pages_before: u64,
    /// The largest changes first.
    pub(crate) sections: Vec<Compared>,
    /// Parts that could not be compared, and the reasons, as sentences.
    pub(crate) notes: Vec<String>,
    /// Figures of the earlier report.
    pub(crate) totals: Totals,
    pub(crate) findings: FindingChanges,
    /// Sitemaps that came, went, or changed.
    pub(crate) sitemaps: Vec<SitemapChange>,
    /// Results of the probe, before and now.
    pub(crate) verdicts: Vec<Compared>,
}

/// Findings of two reports.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct FindingChanges {
    pub(crate) new: u64,
    pub(crate) fixed: u64,
    /// Still there.
    pub(crate) still: u64,
    /// Earlier findings of sitemaps that could not be read to their end now.
    pub(crate) unread: u64,
    /// Rules with findings that are new, fixed or not looked for; the worst first.
    pub(crate) rules: Vec<RuleChange>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct RuleChange {
    pub(crate) rule: String,
    pub(crate) level: Severity,
    pub(crate) heading: String,
    pub(crate) before: u64,
    pub(crate) now: u64,
    pub(crate) new: u64,
    pub(crate) fixed: u64,
    /// Still there.
    pub(crate) still: u64,
    /// Earlier findings of sitemaps that could not be read to their end now.
    pub(crate) unread: u64,
    /// Those that are fixed, as far as the earlier report has them.
    pub(crate) examples: Vec<Example>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct SitemapChange {
    pub(crate) name: String,
    /// `new`, `gone`, `now unreadable`, `readable again`, `other entries`.
    pub(crate) change: String,
    /// Entries.
    pub(crate) before: Option<u64>,
    pub(crate) now: Option<u64>,
}

/// Pages of a section, or with a result of the probe.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Compared {
    pub(crate) name: String,
    pub(crate) before: u64,
    pub(crate) now: u64,
}

/// The results of `sitemap probe`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Probed {
    pub(crate) pages: u64,
    /// The number of pages of which these are a sample, with the same number of each sitemap.
    pub(crate) sample_of: Option<u64>,
    /// Those that are not good are all that is known, not how many pages were requested.
    pub(crate) only_bad: bool,
    /// The pages are old URLs, with the pages to which they should lead.
    pub(crate) is_map: bool,
    /// `ok`, `redirect`, `missing`, … with their numbers, in that order.
    pub(crate) verdicts: Vec<(String, u64)>,
    /// Pages with each of them, by section.
    pub(crate) sections: Vec<(String, [u64; Verdict::COUNT])>,
    /// Without secrets.
    pub(crate) examples: Vec<Found>,
}

impl Probed {
    /// The number of pages with this result.
    pub(crate) fn with(&self, verdict: &str) -> u64 {
        let of = self.verdicts.iter().filter(|(name, _)| name == verdict);
        of.map(|(_, pages)| pages).sum()
    }

    /// The number of pages that are not as they should be.
    pub(crate) fn bad(&self) -> u64 {
        let verdicts = Verdict::value_variants().iter();
        let bad = verdicts.filter(|verdict| !verdict.is_good());
        bad.map(|verdict| self.with(&verdict.to_string())).sum()
    }
}

/// A run, as a line of the history.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Run {
    pub(crate) made: String,
    /// The version of the line.
    #[serde(default)]
    pub(crate) version: u32,
    pub(crate) subject: String,
    /// Why the figures are not about everything: a bound, an option, or what could not be read.
    #[serde(default)]
    pub(crate) part: Option<String>,
    #[serde(flatten)]
    pub(crate) totals: Totals,
}
