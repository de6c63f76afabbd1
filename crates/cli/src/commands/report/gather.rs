//! A sink of a check that counts: all figures of a report about the sitemaps themselves, in one pass.

use std::cmp::Reverse;
use std::collections::HashMap;

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Entry, Precision, UrlEntry, W3cDatetime};

use super::against::Against;
use super::found::Rules;
use super::model::{Media, Report, SharedDate, Sitemap, SitemapStatus, VERSION};
use crate::figures::tree::{Place, Tree};
use crate::findings::checker::Checked;
use crate::findings::sink::{Absence, End, Sink};
use crate::judge::dates;
use crate::judge::finding::Finding;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Rows of the table of sitemaps.
const SITEMAPS: usize = 1_000;
/// Number of days that are distinguished.
const DAYS: usize = 20_000;
/// Days that are shown.
const SHARED: usize = 10;

pub(super) struct Gatherer<'a> {
    now: DateTime<Utc>,
    /// The pages are compared with earlier ones, too.
    against: Option<&'a mut Against>,
    /// The figures so far. While a sitemap is read, the table can have one row too many.
    report: Report,
    /// The sitemaps of the table, by name.
    numbers: HashMap<String, usize>,
    /// The sitemap that is being read.
    current: Current,
    rules: Rules,
    tree: Tree,
    days: HashMap<W3cDatetime, u64>,
}

#[derive(Default)]
struct Current {
    /// Its row in the table.
    number: Option<usize>,
    /// Why it could not be read any further.
    reason: Option<String>,
    /// The folder that findings are counted in.
    place: Option<Place>,
    /// That of the page before.
    before: Option<Place>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(now: DateTime<Utc>, against: Option<&'a mut Against>, rules: Rules) -> Self {
        Self {
            now,
            against,
            report: Report::default(),
            numbers: HashMap::new(),
            current: Current::default(),
            rules,
            tree: Tree::new(now),
            days: HashMap::new(),
        }
    }

    /// Counts a page, with its date, its folder and its media, and passes it on.
    fn page(&mut self, page: &UrlEntry) -> anyhow::Result<()> {
        let Report {
            totals,
            sitemaps,
            media,
            ..
        } = &mut self.report;
        totals.pages += 1;
        let sitemap = self.current.number;
        let sitemap = sitemap.and_then(|number| sitemaps.get_mut(number));
        if let (Some(lastmod), Some(sitemap)) = (page.lastmod, sitemap) {
            totals.dated += 1;
            sitemap.dated += 1;
            // A date that cannot be true would be the newest, or the oldest, for good.
            if dates::implausible(lastmod, self.now).is_none() {
                totals.newest = totals.newest.max(Some(lastmod));
                sitemap.newest = sitemap.newest.max(Some(lastmod));
                let oldest = totals.oldest.map_or(lastmod, |oldest| oldest.min(lastmod));
                totals.oldest = Some(oldest);
            }
            let day = lastmod.with_precision(Precision::Day);
            if self.days.len() < DAYS || self.days.contains_key(&day) {
                *self.days.entry(day).or_default() += 1;
            }
        }
        let place = self.tree.add(&page.loc, page.lastmod);
        (self.current.place, self.current.before) = (Some(place), Some(place));
        media.add(page, self.now);
        match &mut self.against {
            Some(against) => against.now(page),
            None => Ok(()),
        }
    }

    fn push(&mut self, sitemap: Sitemap) {
        let number = self.report.sitemaps.len();
        self.numbers.entry(sitemap.name.clone()).or_insert(number);
        self.report.sitemaps.push(sitemap);
    }

    /// The report, without the parts that are not about the sitemaps.
    pub(super) fn finish(self, subject: String, checked: &Checked) -> (Report, Rules) {
        let (mut report, mut rules) = (self.report, self.rules);
        let mut shared: Vec<_> = self.days.into_iter().collect();
        shared.retain(|(_, pages)| *pages > 1);
        shared.sort_by_key(|(day, pages)| Reverse((*pages, *day)));
        let shared = shared.into_iter().take(SHARED);
        report.shared_dates = shared
            .map(|(day, pages)| SharedDate {
                date: day.to_string(),
                pages,
            })
            .collect();
        report.version = VERSION;
        report.subject = subject;
        report.made = W3cDatetime::from(self.now)
            .with_precision(Precision::Second)
            .to_string();
        // Those that could not be read are in the table, too.
        report.totals.sitemaps = report.sitemaps.len() as u64 + report.more_sitemaps;
        let totals = &mut report.totals;
        [totals.advice, totals.warnings, totals.errors] = checked.counts;
        report.rules = rules.findings();
        report.sections = self.tree.sections();
        report.months = self.tree.months();
        report.languages = checked.languages.clone();
        (report, rules)
    }
}

impl Sink for Gatherer<'_> {
    fn wants_excerpts(&self) -> bool {
        true
    }

    fn wants_links(&self) -> bool {
        true
    }

    fn begin(&mut self, name: &str) {
        self.current = Current {
            number: Some(self.report.sitemaps.len()),
            ..Current::default()
        };
        self.push(Sitemap {
            name: shown(name),
            ..Sitemap::default()
        });
    }

    fn entry(&mut self, entry: Option<&Entry>) -> anyhow::Result<()> {
        // It may be about the document, or about an entry that cannot be used: the host is that of the others.
        self.current.place = self.current.before.and_then(|place| self.tree.host(place));
        let sitemap = self.current.number.filter(|_| entry.is_some());
        if let Some(sitemap) = sitemap.and_then(|number| self.report.sitemaps.get_mut(number)) {
            sitemap.entries += 1;
        }
        match entry {
            Some(Entry::Url(page)) => self.page(page),
            Some(Entry::Sitemap(_)) | None => Ok(()),
        }
    }

    fn finding(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        let name = shown(file);
        self.rules.add(&name, finding)?;
        let sitemaps = &mut self.report.sitemaps;
        let is_it = |number: &usize| sitemaps.get(*number).is_some_and(|own| own.name == name);
        let current = self.current.number.filter(is_it);
        let number = current.or_else(|| self.numbers.get(&name).copied());
        let Some(sitemap) = number.and_then(|number| sitemaps.get_mut(number)) else {
            return Ok(true);
        };
        match finding.severity {
            Severity::Error => sitemap.errors += 1,
            Severity::Warning => sitemap.warnings += 1,
            Severity::Advice => sitemap.advice += 1,
        }
        if current.is_none() {
            return Ok(true);
        }
        if let (Some(place), Some(_)) = (self.current.place, finding.position) {
            self.tree.found(place, finding.severity);
        }
        if finding.severity == Severity::Error && finding.effect.is_none() {
            self.current.reason = Some(shown(&finding.message));
        }
        Ok(true)
    }

    fn end(&mut self, end: End) {
        let Current { number, reason, .. } = std::mem::take(&mut self.current);
        let report = &mut self.report;
        let Some(number) = number else {
            return;
        };
        if !end.is_something_else {
            report.totals.unread += u64::from(!end.is_whole);
            report.totals.partly += u64::from(!end.is_whole && end.format.is_some());
        }
        if end.is_something_else || number >= SITEMAPS {
            report.more_sitemaps += u64::from(!end.is_something_else);
            // Its row is the last one.
            let row = report.sitemaps.pop().unwrap_or_default();
            if self.numbers.get(&row.name) == Some(&number) {
                self.numbers.remove(&row.name);
            }
        } else if let Some(sitemap) = report.sitemaps.get_mut(number) {
            sitemap.format = end.format.map(str::to_owned);
            sitemap.status = match (end.is_whole, end.format) {
                (true, _) => SitemapStatus::Read,
                (false, Some(_)) => SitemapStatus::Partly,
                (false, None) => SitemapStatus::Unreadable,
            };
            sitemap.reason = reason.filter(|_| !end.is_whole);
            sitemap.bytes = end.bytes;
        }
    }

    fn absent(&mut self, name: &str, why: Absence, reason: &str) {
        let status = match why {
            Absence::Unreadable => SitemapStatus::Unreadable,
            Absence::LeftOut => SitemapStatus::LeftOut,
        };
        self.report.totals.unread += u64::from(why == Absence::Unreadable);
        if self.report.sitemaps.len() >= SITEMAPS {
            self.report.more_sitemaps += 1;
            return;
        }
        self.push(Sitemap {
            name: shown(name),
            status,
            reason: Some(shown(reason)),
            ..Sitemap::default()
        });
    }
}

impl Media {
    fn add(&mut self, page: &UrlEntry, now: DateTime<Utc>) {
        let (images, videos) = (page.images.len() as u64, page.videos.len() as u64);
        self.images += images;
        self.pages_with_images += u64::from(images > 0);
        self.videos += videos;
        self.pages_with_videos += u64::from(videos > 0);
        if let Some(news) = &page.news {
            let date = news.publication_date;
            let is_recent = date.is_some_and(|date| date.may_be_since(now - Days::new(2)));
            self.news += 1;
            self.recent_news += u64::from(is_recent);
        }
    }
}
