//! A sink of a check that counts: all figures of a report about the sitemaps themselves, in one pass.

use std::collections::HashMap;

use hashbrown::HashTable;
use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Precision, UrlEntry, W3cDatetime};

use super::found::Rules;
use super::model::{NotReadRow, Report, Sitemap, SitemapStatus, Unseen, VERSION};
use crate::figures::dates::Dates;
use crate::figures::tree::{Place, Tree};
use crate::findings::checker::Checked;
use crate::findings::sink::Sink;
use crate::judge::dates;
use crate::judge::digest::Digester;
use crate::judge::finding::Finding;
use crate::judge::page_key::page_key;
use crate::source::not_read::{NotRead, Why};
use crate::source::walk::{End, Outcome};
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Rows of the table of sitemaps.
const SITEMAPS: usize = 1_000;

/// What is known of a page, which counts once however often it is listed.
const LISTED: u64 = 1;
const DATED: u64 = 2;
const WITH_IMAGES: u64 = 4;
const WITH_VIDEOS: u64 = 8;
const WITH_NEWS: u64 = 16;
/// The bits of all that may be known.
const FACTS: u64 = 0xFF;

pub(crate) struct Gatherer {
    now: DateTime<Utc>,
    /// The figures so far, with a row for each sitemap.
    report: Report,
    /// The rows of the sitemaps, by name.
    rows: HashMap<String, usize>,
    /// The sitemap that is being read.
    current: Current,
    rules: Rules,
    tree: Tree,
    dates: Dates,
    /// Seven bytes of a hash of each page, and what is known of it.
    pages: HashTable<u64>,
    digester: Digester,
}

#[derive(Default)]
struct Current {
    row: Option<usize>,
    /// Why it could not be read any further.
    reason: Option<String>,
    /// The host of the page before.
    host: Option<Place>,
}

impl Gatherer {
    pub(crate) fn new(now: DateTime<Utc>, rules: Rules) -> Self {
        Self {
            now,
            report: Report::default(),
            rows: HashMap::new(),
            current: Current::default(),
            rules,
            tree: Tree::new(now),
            dates: Dates::default(),
            pages: HashTable::new(),
            digester: Digester::default(),
        }
    }

    fn key(&self, page: &Url) -> u64 {
        self.digester.word(page_key(page).as_bytes()) & !FACTS
    }

    /// Counts an entry of a page, with its date, its folder and its media.
    fn page(&mut self, page: &UrlEntry) {
        let fact = |is_there: bool, fact: u64| if is_there { fact } else { 0 };
        let facts = LISTED
            | fact(dates::of_page(page).is_some(), DATED)
            | fact(!page.images.is_empty(), WITH_IMAGES)
            | fact(!page.videos.is_empty(), WITH_VIDEOS)
            | fact(page.news.is_some(), WITH_NEWS);
        let key = self.key(&page.loc);
        let is_it = |known: &u64| *known & !FACTS == key;
        let known = self.pages.entry(spread(&key), is_it, spread);
        let mut known = known.or_insert(key);
        let news = facts & !*known.get();
        *known.get_mut() |= facts;
        let first = |fact: u64| u64::from(news & fact != 0);
        let place = self.tree.place(&page.loc);
        self.current.host = self.tree.host(place);
        // A date that cannot be true would be the newest, or the oldest, for good.
        let plausible = dates::plausible_of_page(page, self.now);
        if news & DATED != 0 {
            self.dates.add(plausible);
        }
        let date = plausible.filter(|_| news & DATED != 0);
        self.tree.add(place, [first(LISTED), first(DATED)], date);
        let Report { totals, media, .. } = &mut self.report;
        totals.entries += 1;
        totals.pages += first(LISTED);
        totals.dated += first(DATED);
        media.images += page.images.len() as u64;
        media.pages_with_images += first(WITH_IMAGES);
        media.videos += page.videos.len() as u64;
        media.pages_with_videos += first(WITH_VIDEOS);
        media.news += first(WITH_NEWS);
        let published = page.news.as_ref().and_then(|news| news.publication_date);
        let now = self.now;
        let is_recent = published.is_some_and(|date| date.may_be_since(now - Days::new(2)));
        media.recent_news += first(WITH_NEWS) * u64::from(is_recent);
        totals.newest = totals.newest.max(plausible);
        totals.oldest = totals.oldest.into_iter().chain(plausible).min();
        if let Some(row) = self.row() {
            row.newest = row.newest.max(plausible);
        }
    }

    /// The row of the sitemap that is being read.
    fn row(&mut self) -> Option<&mut Sitemap> {
        self.report.sitemaps.get_mut(self.current.row?)
    }

    /// Adds a row to the table of sitemaps.
    fn push(&mut self, name: &str, status: SitemapStatus, reason: Option<String>) {
        let sitemap = Sitemap {
            name: shown(name),
            status,
            reason,
            ..Sitemap::default()
        };
        let row = self.report.sitemaps.len();
        self.rows.insert(sitemap.name.clone(), row);
        self.report.sitemaps.push(sitemap);
    }

    /// The report, without the parts that are not about the sitemaps.
    pub(crate) fn finish(self, subject: String, checked: &Checked) -> (Report, Rules) {
        let (mut report, mut rules) = (self.report, self.rules);
        report.version = VERSION;
        report.subject = subject;
        let made = W3cDatetime::from(self.now).with_precision(Precision::Second);
        report.made = made.to_string();
        let account = &checked.account;
        report.is_bounded = account.has_more;
        report.whole = account.whole_site().ok();
        report.not_whole = account.whole().err().map(|why| shown(&why.to_string()));
        report.allowed = checked.allowed;
        let more = report.sitemaps.len().saturating_sub(SITEMAPS);
        report.sitemaps.truncate(SITEMAPS);
        report.more_sitemaps += more as u64;
        let totals = &mut report.totals;
        totals.sitemaps = account.read;
        totals.unread = account.broken;
        totals.partly = account.partly;
        totals.not_read = account.not_read;
        totals.errors = checked.tally.of(Severity::Error);
        totals.warnings = checked.tally.of(Severity::Warning);
        totals.advice = checked.tally.of(Severity::Advice);
        report.rules = rules.findings(&checked.tally, account);
        let worst = report.rules.iter().max_by_key(|rule| rule.unseen);
        report.unseen = worst.filter(|rule| rule.unseen > 0).map(|rule| Unseen {
            rule: rule.rule.clone(),
            pages: rule.unseen.min(report.totals.pages),
            heading: rule.heading.clone(),
        });
        report.sections = self.tree.sections();
        report.months = self.dates.months();
        report.shared_dates = self.dates.shared();
        report.languages = checked.languages.clone();
        (report, rules)
    }
}

/// The hash of a key, whose lowest bits are those of a table.
fn spread(known: &u64) -> u64 {
    known & !FACTS | known >> 56
}

impl Sink for Gatherer {
    fn wants_excerpts(&self) -> bool {
        true
    }

    fn wants_links(&self) -> bool {
        true
    }

    fn begin(&mut self, name: &str) {
        self.current = Current {
            row: Some(self.report.sitemaps.len()),
            ..Current::default()
        };
        self.push(name, SitemapStatus::Read, None);
    }

    fn entry(&mut self, entry: Option<&Entry>) -> anyhow::Result<()> {
        if let Some(row) = self.row().filter(|_| entry.is_some()) {
            row.entries += 1;
        }
        if let Some(Entry::Url(page)) = entry {
            self.page(page);
        }
        Ok(())
    }

    fn has_earlier(&self) -> bool {
        self.rules.has_earlier()
    }

    fn not_judged(&mut self, file: &str, finding: &Finding) {
        self.rules.earlier.not_judged(&shown(file), finding);
    }

    fn finding(&mut self, file: &str, finding: &Finding, _: bool) -> anyhow::Result<()> {
        let name = shown(file);
        self.rules.add(&name, finding)?;
        let row = self.rows.get(&name).copied();
        let Some(sitemap) = row.and_then(|row| self.report.sitemaps.get_mut(row)) else {
            return Ok(());
        };
        match finding.severity {
            Severity::Error => sitemap.errors += 1,
            Severity::Warning => sitemap.warnings += 1,
            Severity::Advice => sitemap.advice += 1,
        }
        let page = finding.page.as_deref().and_then(|page| page.parse().ok());
        let page = page.filter(|page| {
            let key = self.key(page);
            let known = self
                .pages
                .find(spread(&key), |known| *known & !FACTS == key);
            known.is_some()
        });
        let place = match page {
            Some(page) => Some(self.tree.place(&page)),
            // It may be about the document, or about an entry that cannot be used: the host is that of the others.
            None => self.current.host.filter(|_| finding.position.is_some()),
        };
        if let Some(place) = place {
            self.tree.found(place, finding.severity);
        }
        let is_end = finding.severity == Severity::Error && finding.effect.is_none();
        if is_end && row == self.current.row {
            self.current.reason = Some(shown(&finding.message));
        }
        Ok(())
    }

    fn end(&mut self, format: Option<&'static str>, end: &End<'_>) {
        let reason = self.current.reason.take();
        let (status, reason) = match (&end.outcome, format) {
            (Outcome::Whole, _) => (SitemapStatus::Read, None),
            (Outcome::Stopped | Outcome::Cut, _) => {
                (SitemapStatus::Cut, Some("read up to a bound".to_owned()))
            }
            (_, Some(_)) => (SitemapStatus::Partly, reason),
            (_, None) => (SitemapStatus::Unreadable, reason),
        };
        if let Some(row) = self.row() {
            row.format = format.map(str::to_owned);
            // Of another document only the beginning was read.
            let is_sitemap = status != SitemapStatus::Unreadable;
            row.bytes = if is_sitemap { end.bytes } else { 0 };
            (row.status, row.reason) = (status, reason);
        }
        self.current = Current::default();
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) {
        let (is_lost, is_failure) = (not_read.why.is_lost(), not_read.why.is_failure());
        let (count, reason) = (not_read.count, shown(not_read.reason));
        let report = &mut self.report;
        let mut rows = report.left_out.iter_mut();
        match rows.find(|row| row.reason == reason) {
            _ if is_failure || not_read.why == Why::Other => {}
            Some(row) => row.sitemaps += count,
            None => report.left_out.push(NotReadRow {
                reason: reason.clone(),
                sitemaps: count,
                is_lost,
            }),
        }
        let status = if is_failure {
            SitemapStatus::Unreadable
        } else {
            SitemapStatus::NotRead
        };
        // Nobody asked for the others.
        for name in not_read.names.iter().filter(|_| is_lost) {
            self.push(name, status, Some(reason.clone()));
        }
    }
}
