//! A sink of a check that counts: all figures of a report about the sitemaps themselves, in one pass.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Entry, Precision, UrlEntry, W3cDatetime};

use super::against::Against;
use super::found::Rules;
use super::model::{Media, NotReadRow, Report, SharedDate, Sitemap, SitemapStatus, VERSION};
use crate::figures::tree::{Place, Tree};
use crate::findings::checker::Checked;
use crate::findings::sink::{End, Read, Sink};
use crate::judge::dates;
use crate::judge::finding::Finding;
use crate::judge::page_key::page_key;
use crate::rows::Fields;
use crate::source::not_read::NotRead;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Rows of the table of sitemaps.
const SITEMAPS: usize = 1_000;
/// Number of days that are distinguished.
const DAYS: usize = 20_000;
/// Examples of sitemaps that were not read for one reason.
const EXAMPLES: usize = 20;
/// Days that are shown.
const SHARED: usize = 10;

pub(crate) struct Gatherer<'a> {
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
    /// Hashes of the pages, each of which counts once.
    pages: HashSet<u64>,
    hasher: RandomState,
    /// The fields that all pages can have.
    fields: Fields,
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
    pub(crate) fn new(now: DateTime<Utc>, against: Option<&'a mut Against>, rules: Rules) -> Self {
        Self {
            now,
            against,
            report: Report::default(),
            numbers: HashMap::new(),
            current: Current::default(),
            rules,
            tree: Tree::new(now),
            days: HashMap::new(),
            pages: HashSet::new(),
            hasher: RandomState::new(),
            fields: Fields::ALL,
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
        totals.entries += 1;
        let is_new = self.pages.insert(self.hasher.hash_one(page_key(&page.loc)));
        totals.pages += u64::from(is_new);
        let sitemap = self.current.number;
        let sitemap = sitemap.and_then(|number| sitemaps.get_mut(number));
        // A date that cannot be true would be the newest, or the oldest, for good.
        let is_plausible = |date: &W3cDatetime| dates::implausible(*date, self.now).is_none();
        let plausible = page.lastmod.filter(is_plausible);
        if let Some(sitemap) = sitemap {
            sitemap.dated += u64::from(page.lastmod.is_some());
            sitemap.newest = sitemap.newest.max(plausible);
        }
        totals.newest = totals.newest.max(plausible);
        let oldest = totals.oldest.into_iter().chain(plausible);
        totals.oldest = oldest.min();
        let place = self.tree.place(&page.loc);
        (self.current.place, self.current.before) = (Some(place), Some(place));
        if is_new {
            totals.dated += u64::from(page.lastmod.is_some());
            self.tree.add(place, page.lastmod);
            let day = page.lastmod.map(|date| date.with_precision(Precision::Day));
            if let Some(day) = day
                && (self.days.len() < DAYS || self.days.contains_key(&day))
            {
                *self.days.entry(day).or_default() += 1;
            }
        }
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
    pub(crate) fn finish(self, subject: String, checked: &Checked) -> (Report, Rules, Fields) {
        let (mut report, mut rules) = (self.report, self.rules);
        report.totals.sitemaps = checked.files;
        report.is_bounded = checked.has_more;
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
        let totals = &mut report.totals;
        let counts = &checked.tally;
        totals.errors = counts.of(Severity::Error);
        totals.warnings = counts.of(Severity::Warning);
        totals.advice = counts.of(Severity::Advice);
        report.rules = rules.findings(&checked.tally);
        report.sections = self.tree.sections();
        report.months = self.tree.months();
        report.languages = checked.languages.clone();
        (report, rules, self.fields)
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
        self.rules.earlier.begin(name);
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

    fn finding(&mut self, file: &str, finding: &Finding, _: bool) -> anyhow::Result<()> {
        let name = shown(file);
        self.rules.add(&name, finding)?;
        let sitemaps = &mut self.report.sitemaps;
        let is_it = |number: &usize| sitemaps.get(*number).is_some_and(|own| own.name == name);
        let current = self.current.number.filter(is_it);
        let number = current.or_else(|| self.numbers.get(&name).copied());
        let Some(sitemap) = number.and_then(|number| sitemaps.get_mut(number)) else {
            return Ok(());
        };
        match finding.severity {
            Severity::Error => sitemap.errors += 1,
            Severity::Warning => sitemap.warnings += 1,
            Severity::Advice => sitemap.advice += 1,
        }
        if current.is_none() {
            return Ok(());
        }
        if let (Some(place), Some(_)) = (self.current.place, finding.position) {
            self.tree.found(place, finding.severity);
        }
        if finding.severity == Severity::Error && finding.effect.is_none() {
            self.current.reason = Some(shown(&finding.message));
        }
        Ok(())
    }

    fn end(&mut self, end: End) {
        let Current { number, reason, .. } = std::mem::take(&mut self.current);
        let report = &mut self.report;
        let Some(number) = number else {
            return;
        };
        let is_failed = end.read == Read::Failed;
        report.totals.unread += u64::from(is_failed);
        report.totals.partly += u64::from(is_failed && end.format.is_some());
        report.totals.not_read += u64::from(is_failed && end.format.is_none());
        self.fields = self.fields.both(end.fields);
        if number >= SITEMAPS {
            report.more_sitemaps += 1;
            // Its row is the last one.
            let row = report.sitemaps.pop().unwrap_or_default();
            if self.numbers.get(&row.name) == Some(&number) {
                self.numbers.remove(&row.name);
            }
        } else if let Some(sitemap) = report.sitemaps.get_mut(number) {
            sitemap.format = end.format.map(str::to_owned);
            sitemap.status = match (end.read, end.format) {
                (Read::Whole, _) => SitemapStatus::Read,
                (Read::Cut, _) => SitemapStatus::Cut,
                (_, Some(_)) => SitemapStatus::Partly,
                (_, None) => SitemapStatus::Unreadable,
            };
            sitemap.reason = match end.read {
                Read::Whole => None,
                Read::Cut => Some("read up to a bound".to_owned()),
                Read::Failed => reason,
            };
            sitemap.bytes = end.bytes;
        }
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) {
        let report = &mut self.report;
        if not_read.why.is_lost() {
            report.totals.not_read += not_read.count;
        }
        if not_read.why.is_failure() {
            report.totals.unread += not_read.count;
        } else {
            report.count_not_read(not_read);
        }
        let status = match (not_read.why.is_failure(), not_read.why.is_lost()) {
            (true, _) => SitemapStatus::Unreadable,
            (false, true) => SitemapStatus::NotRead,
            // Nobody asked for them.
            (false, false) => return,
        };
        for name in not_read.names {
            if self.report.sitemaps.len() >= SITEMAPS {
                self.report.more_sitemaps += 1;
                continue;
            }
            self.push(Sitemap {
                name: shown(name),
                status,
                reason: Some(shown(not_read.reason)),
                ..Sitemap::default()
            });
        }
    }
}

impl Report {
    /// Adds sitemaps or pages to those that were not read for this reason.
    fn count_not_read(&mut self, not_read: &NotRead<'_>) {
        let reason = shown(not_read.reason);
        let rows = &mut self.not_read;
        let number = rows.iter().position(|row| row.reason == reason);
        let number = number.unwrap_or_else(|| {
            rows.push(NotReadRow {
                reason,
                is_lost: not_read.why.is_lost(),
                ..NotReadRow::default()
            });
            rows.len() - 1
        });
        let Some(row) = rows.get_mut(number) else {
            return;
        };
        row.sitemaps += not_read.count;
        let room = EXAMPLES.saturating_sub(row.examples.len());
        let names = not_read.names.iter().take(room);
        row.examples.extend(names.map(|name| shown(name)));
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
