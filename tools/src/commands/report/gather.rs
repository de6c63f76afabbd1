//! A sink of a check that counts: all figures of a report about the sitemaps themselves, in one pass.

use std::collections::HashMap;

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Entry, Format, Precision, UrlEntry, W3cDatetime};

use super::found::Rules;
use super::model::{Media, Report, SharedDate, Sitemap, SitemapStatus, Totals, VERSION};
use crate::figures::tree::{Place, Tree};
use crate::findings::checker::Checked;
use crate::findings::finding::Finding;
use crate::findings::sink::{Absence, End, Sink};
use crate::judge::dates;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Rows of the table of sitemaps.
const SITEMAPS: usize = 1_000;
/// Number of days that are distinguished.
const DAYS: usize = 20_000;
/// Days that are shown.
const SHARED: usize = 10;

/// Called for each page in addition to counting it.
pub(super) type OnPage<'a> = dyn FnMut(&UrlEntry) -> anyhow::Result<()> + 'a;

pub(super) struct Gatherer<'a> {
    now: DateTime<Utc>,
    on_page: Option<&'a mut OnPage<'a>>,
    totals: Totals,
    newest: Option<W3cDatetime>,
    oldest: Option<W3cDatetime>,
    sitemaps: Vec<Sitemap>,
    more_sitemaps: u64,
    /// The sitemaps of the table, by name.
    numbers: HashMap<String, usize>,
    /// The sitemap that is being read.
    current: Current,
    rules: Rules,
    tree: Tree,
    days: HashMap<W3cDatetime, u64>,
    media: Media,
}

#[derive(Default)]
struct Current {
    is_open: bool,
    /// In the table.
    number: Option<usize>,
    sitemap: Sitemap,
    newest: Option<W3cDatetime>,
    /// Why it could not be read any further.
    reason: Option<String>,
    /// The folder that findings are counted in.
    place: Option<Place>,
    /// That of the page before.
    before: Option<Place>,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(
        now: DateTime<Utc>,
        on_page: Option<&'a mut OnPage<'a>>,
        rules: Rules,
    ) -> Self {
        Self {
            now,
            on_page,
            totals: Totals::default(),
            newest: None,
            oldest: None,
            sitemaps: Vec::new(),
            more_sitemaps: 0,
            numbers: HashMap::new(),
            current: Current::default(),
            rules,
            tree: Tree::new(now),
            days: HashMap::new(),
            media: Media::default(),
        }
    }

    /// Counts a page, with its date, its folder and its media, and passes it on.
    fn page(&mut self, page: &UrlEntry) -> anyhow::Result<()> {
        let lastmod = page.lastmod;
        self.totals.pages += 1;
        if let Some(lastmod) = lastmod {
            self.totals.dated += 1;
            self.current.sitemap.dated += 1;
            // A date that cannot be true would be the newest, or the oldest, for good.
            if dates::implausible(lastmod, self.now).is_none() {
                self.newest = self.newest.max(Some(lastmod));
                self.current.newest = self.current.newest.max(Some(lastmod));
                let oldest = self.oldest.map_or(lastmod, |oldest| oldest.min(lastmod));
                self.oldest = Some(oldest);
            }
            let day = lastmod.with_precision(Precision::Day);
            let is_full = self.days.len() >= DAYS;
            match self.days.get_mut(&day) {
                Some(pages) => *pages += 1,
                None if is_full => {}
                None => drop(self.days.insert(day, 1)),
            }
        }
        let place = self.tree.add(&page.loc, lastmod);
        (self.current.place, self.current.before) = (Some(place), Some(place));
        self.media.add(page, self.now);
        match &mut self.on_page {
            Some(on_page) => on_page(page),
            None => Ok(()),
        }
    }

    /// Puts a sitemap into the table, if there is room.
    fn push(&mut self, sitemap: Sitemap) -> Option<usize> {
        let number = self.sitemaps.len();
        if number >= SITEMAPS {
            self.more_sitemaps += 1;
            return None;
        }
        self.numbers.entry(sitemap.name.clone()).or_insert(number);
        self.sitemaps.push(sitemap);
        Some(number)
    }

    /// The report, without the parts that are not about the sitemaps.
    pub(super) fn finish(mut self, subject: String, checked: &Checked) -> (Report, Rules) {
        let mut shared: Vec<_> = self
            .days
            .into_iter()
            .filter(|(_, pages)| *pages > 1)
            .collect();
        shared.sort_by(|(a_day, a), (b_day, b)| b.cmp(a).then_with(|| b_day.cmp(a_day)));
        shared.truncate(SHARED);
        let shared_dates = shared.into_iter().map(|(day, pages)| SharedDate {
            date: day.to_string(),
            pages,
        });
        let date = |date: Option<W3cDatetime>| date.map(|date| date.to_string());
        let [advice, warnings, errors] = checked.counts;
        let report = Report {
            version: VERSION,
            subject,
            made: made(self.now),
            totals: Totals {
                // Those that could not be read are in the table, too.
                sitemaps: self.sitemaps.len() as u64 + self.more_sitemaps,
                newest: date(self.newest),
                oldest: date(self.oldest),
                errors,
                warnings,
                advice,
                ..self.totals
            },
            more_sitemaps: self.more_sitemaps,
            rules: self.rules.findings(),
            sections: self.tree.sections(),
            months: self.tree.months(),
            shared_dates: shared_dates.collect(),
            languages: checked.languages.clone(),
            media: self.media,
            sitemaps: self.sitemaps,
            ..Report::default()
        };
        (report, self.rules)
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
        let sitemap = Sitemap {
            name: shown(name),
            ..Sitemap::default()
        };
        let number = self.push(sitemap.clone());
        self.current = Current {
            is_open: true,
            number,
            sitemap,
            ..Current::default()
        };
    }

    fn entry(&mut self, entry: Option<&Entry>) -> anyhow::Result<()> {
        // It may be about the document, or about an entry that cannot be used: the host is that of the others.
        self.current.place = self.current.before.and_then(|place| self.tree.host(place));
        let Some(entry) = entry else {
            return Ok(());
        };
        self.current.sitemap.entries += 1;
        match entry {
            Entry::Url(page) => self.page(page),
            Entry::Sitemap(_) => Ok(()),
        }
    }

    fn finding(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        let name = shown(file);
        self.rules.add(&name, finding)?;
        let is_current = self.current.is_open && self.current.sitemap.name == name;
        let sitemap = if is_current {
            Some(&mut self.current.sitemap)
        } else {
            let number = self.numbers.get(&name);
            number.and_then(|number| self.sitemaps.get_mut(*number))
        };
        if let Some(sitemap) = sitemap {
            match finding.severity {
                Severity::Error => sitemap.errors += 1,
                Severity::Warning => sitemap.warnings += 1,
                Severity::Advice => sitemap.advice += 1,
            }
        }
        if !is_current {
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
        let current = std::mem::take(&mut self.current);
        if end.is_something_else {
            // It is the last one.
            match current.number {
                Some(number) => {
                    self.sitemaps.truncate(number);
                    self.numbers.retain(|_, known| *known != number);
                }
                None => self.more_sitemaps -= 1,
            }
            return;
        }
        let is_read = end.format.is_some() || end.is_list;
        self.totals.unread += u64::from(!end.is_whole);
        self.totals.partly += u64::from(!end.is_whole && is_read);
        if let Some(sitemap) = current
            .number
            .and_then(|number| self.sitemaps.get_mut(number))
        {
            *sitemap = Sitemap {
                format: if end.is_list {
                    Some("list".to_owned())
                } else {
                    end.format.map(|format| name_of(format).to_owned())
                },
                status: match (end.is_whole, is_read) {
                    (true, _) => SitemapStatus::Read,
                    (false, true) => SitemapStatus::Partly,
                    (false, false) => SitemapStatus::Unreadable,
                },
                reason: current.reason.filter(|_| !end.is_whole),
                bytes: end.bytes,
                newest: current.newest.map(|newest| newest.to_string()),
                ..current.sitemap
            };
        }
    }

    fn absent(&mut self, name: &str, why: Absence, reason: &str) {
        let status = match why {
            Absence::Unreadable => SitemapStatus::Unreadable,
            Absence::LeftOut => SitemapStatus::LeftOut,
        };
        self.totals.unread += u64::from(why == Absence::Unreadable);
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

/// In one word.
fn name_of(format: Format) -> &'static str {
    match format {
        Format::Index => "index",
        format => format.as_str(),
    }
}

/// A W3C date-time in UTC.
fn made(now: DateTime<Utc>) -> String {
    W3cDatetime::from(now)
        .with_precision(Precision::Second)
        .to_string()
}
