//! Advice: how search engines treat sitemaps that break no rule of the protocol.

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Entry, Stylesheet, UrlEntry, W3cDatetime};

use super::codes::{unknown_code, unknown_country, unknown_language};
use super::dates;
use super::deprecated::deprecated;
use super::duplicates::{FileKind, Listings};
use super::entry_source::EntrySource;
use super::finding::Finding;
use super::lastmods::{LastmodCounts, SharedDate};
use super::page_hash::PageHash;
use super::page_key::page_key;
use super::rules::rule;
use super::urls;
use super::videos;
use crate::term::clipped::clipped;

/// It remembers a few numbers for each page.
pub(crate) struct Adviser {
    now: DateTime<Utc>,
    /// Advice that is reported once per file.
    reported: Vec<String>,
    lastmods: LastmodCounts,
    listings: Listings,
}

impl Adviser {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            reported: Vec::new(),
            lastmods: LastmodCounts::default(),
            listings: Listings::default(),
        }
    }

    /// The entries of the file of that name follow.
    pub(crate) fn begin(&mut self, file: &str, kind: FileKind) {
        self.reported.clear();
        self.lastmods = LastmodCounts::default();
        self.listings.begin(file, kind);
    }

    /// Adds the problems of an entry that are only advice.
    pub(crate) fn judge(&self, entry: &Entry, found: &mut Vec<Finding>) {
        let page = page_of(entry);
        dates::judge(entry.lastmod(), page, self.now, found);
        urls::advice(entry.loc(), page, found);
        videos::judge(page, self.now, found);
    }

    /// Adds the advice on a page that depends on the pages before, or on how it is written.
    pub(crate) fn judge_page(
        &mut self,
        page: &UrlEntry,
        hash: PageHash,
        source: EntrySource<'_>,
        found: &mut Vec<Finding>,
    ) {
        found.extend(self.listed(page, hash, source));
        self.ignored(page, found);
        self.deprecated(page, source, found);
        // A news sitemap holds the articles of two days, which may well have one date.
        if page.news.is_none() {
            let lastmod = page.lastmod.filter(|date| self.is_plausible(*date));
            self.lastmods.add(lastmod, || {
                source.placed(Finding::of("lastmod", rule!("shared-lastmod"), ""))
            });
        }
        found.extend(self.news(page));
        found.extend(self.publication(page));
        alternates(page, source, found);
    }

    /// A page that is listed twice, with the place where it was listed first.
    fn listed(
        &mut self,
        page: &UrlEntry,
        hash: PageHash,
        source: EntrySource<'_>,
    ) -> Option<Finding> {
        let span = source.span("loc");
        let first = self.listings.add(page, hash, span.position.line())?;
        let line = first.line;
        let place = match first.file {
            None => format!("on line {line}"),
            Some(file) => format!("in {file}, on line {line}"),
        };
        let loc = clipped(page.loc.as_str());
        let (rule, how) = if first.is_same_spelling {
            (rule!("duplicate-url"), "already listed")
        } else {
            let how = match page.loc.fragment() {
                Some(_) => "listed in another spelling (what follows `#` is ignored)",
                None => "listed in another spelling",
            };
            (rule!("several-spellings"), how)
        };
        let message = format!("`{loc}` is {how} {place}");
        Some(source.at(span, Finding::new(rule, &message)))
    }

    /// Returns `true` for the first time in a file.
    fn is_first(&mut self, name: &str) -> bool {
        let is_first = !self.reported.iter().any(|reported| reported == name);
        if is_first {
            self.reported.push(name.to_owned());
        }
        is_first
    }

    /// Reports, once per document, elements that search engines ignore.
    fn ignored(&mut self, page: &UrlEntry, found: &mut Vec<Finding>) {
        let (changefreq, priority) = (page.changefreq.is_some(), page.priority.is_some());
        for (has_it, element, rule) in [
            (changefreq, "changefreq", rule!("ignored-changefreq")),
            (priority, "priority", rule!("ignored-priority")),
        ] {
            if has_it && self.is_first(rule.name) {
                let message = format!("Google ignores `{element}` (reported once per file)");
                found.push(Finding::of(element, rule, &message));
            }
        }
    }

    /// Reports, once per document, each element that is no longer used.
    fn deprecated(&mut self, page: &UrlEntry, source: EntrySource<'_>, found: &mut Vec<Finding>) {
        let EntrySource::Raw { raw, .. } = source else {
            return;
        };
        if page.images.is_empty() && page.videos.is_empty() {
            return;
        }
        for (name, span) in deprecated(&raw) {
            if self.is_first(&name) {
                let message =
                    format!("Google has ignored {name} since August 2022 (reported once per file)");
                let finding = Finding::new(rule!("deprecated-tag"), &message);
                found.push(source.at(span, finding));
            }
        }
    }

    /// Advice that is only known when all entries of a file have been read.
    pub(crate) fn end(&mut self) -> Option<Finding> {
        self.lastmods.take().map(SharedDate::finding)
    }

    fn is_plausible(&self, date: W3cDatetime) -> bool {
        dates::implausible(date, self.now).is_none()
    }

    /// The first name in a file that has something in parentheses.
    fn publication(&mut self, page: &UrlEntry) -> Option<Finding> {
        let publication = page.news.as_ref()?.publication.as_ref()?;
        let name = publication.name.as_deref();
        let name = name.filter(|name| name.contains('('))?;
        self.is_first("publication-name").then(|| {
            let name = clipped(name);
            let message = format!("`news:name` has parentheses: `{name}` (reported once per file)");
            Finding::of("news", rule!("publication-name"), &message)
        })
    }

    fn news(&self, page: &UrlEntry) -> Option<Finding> {
        let date = page.news.as_ref()?.publication_date;
        let date = date.filter(|date| self.is_plausible(*date))?;
        // A date without a time may be the end of its day.
        let is_old = !date.may_be_since(self.now - Days::new(2));
        is_old.then(|| {
            let message = format!("published `{date}`, more than two days ago");
            Finding::of("news", rule!("old-news"), &message)
        })
    }
}

/// The entry, if it is a page.
pub(crate) fn page_of(entry: &Entry) -> Option<&UrlEntry> {
    match entry {
        Entry::Url(page) => Some(page),
        Entry::Sitemap(_) => None,
    }
}

/// Alternates without the page itself. Codes, returned links and groups are judged without `--advice`, too.
fn alternates(page: &UrlEntry, source: EntrySource<'_>, found: &mut Vec<Finding>) {
    if page.alternates.is_empty() {
        return;
    }
    let span = source.span("link");
    let mut hrefs = page.alternates.iter().map(|alternate| &alternate.href);
    if !hrefs.any(|href| page_key(href) == page_key(&page.loc)) {
        let loc = clipped(page.loc.as_str());
        let message = format!("the alternates of `{loc}` do not list the page itself");
        let finding = Finding::new(rule!("hreflang-without-self"), &message);
        found.push(source.at(span, finding));
    }
}

/// Codes of languages and countries that do not exist.
pub(crate) fn unknown_codes(
    page: &UrlEntry,
    source: EntrySource<'_>,
) -> impl Iterator<Item = Finding> {
    let of_links = page.alternates.iter().filter_map(move |alternate| {
        let tag = alternate.hreflang.as_str();
        let message = unknown_code(tag)?;
        let span = source.span_of_link(tag);
        let finding = Finding::new(rule!("hreflang-unknown-code"), &message);
        Some(source.at(span, finding))
    });
    let publication = page
        .news
        .as_ref()
        .and_then(|news| news.publication.as_ref());
    let language = publication.and_then(|publication| publication.language.as_deref());
    // There is no list of the codes of three letters here, and longer ones have a rule of the library.
    let language = language.filter(|code| code.len() == 2);
    let of_news = language.and_then(unknown_language).map(|why| ("news", why));
    let restrictions = page
        .videos
        .iter()
        .filter_map(|video| video.restriction.as_ref());
    let countries = restrictions.flat_map(|restriction| &restriction.countries);
    let of_videos = countries.filter_map(|code| Some(("video", unknown_country(code)?)));
    let others = of_news.into_iter().chain(of_videos);
    of_links.chain(others.map(|(element, why)| Finding::of(element, rule!("unknown-code"), &why)))
}

/// The advice about the style sheet that a sitemap names.
pub(crate) fn of_stylesheet(stylesheet: &Stylesheet) -> Option<Finding> {
    const XSLT: [&str; 5] = [
        "text/xsl",
        "text/xml",
        "application/xml",
        "application/xslt+xml",
        "application/xsl",
    ];
    let kind = stylesheet.media_type.split(';').next().unwrap_or_default();
    let is_xslt = XSLT.contains(&&*kind.trim().to_ascii_lowercase());
    is_xslt.then(|| {
        let href = clipped(&stylesheet.href);
        let message =
            format!("browsers are removing XSLT, so the style sheet `{href}` will have no effect");
        Finding::new(rule!("xslt-stylesheet"), &message).at(stylesheet.position)
    })
}

#[cfg(test)]
mod tests {
    use quick_sitemap::ReaderBuilder;

    use super::super::page_hash::PageHasher;
    use super::*;

    /// Adds all advice on an entry.
    fn judged(
        adviser: &mut Adviser,
        hasher: &PageHasher,
        entry: &Entry,
        source: EntrySource<'_>,
        found: &mut Vec<Finding>,
    ) {
        let (mut own, page) = (Vec::new(), entry.as_url().unwrap());
        adviser.judge(entry, &mut own);
        adviser.judge_page(page, hasher.of(&page.loc), source, &mut own);
        found.extend(own.into_iter().map(|finding| source.placed(finding)));
    }

    const FILE: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc>https://example.com/a</loc><lastmod>2031-01-01</lastmod><priority>0.5</priority></url>
<url><loc>https://www.example.com/a/</loc><changefreq>daily</changefreq></url>
<url><loc>https://example.com/en</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
<url><loc>https://example.com/de</loc><lastmod>1969-12-31</lastmod></url>
<url><loc>https://example.com/a</loc><changefreq>daily</changefreq></url>
<url><loc>https://example.com/old</loc><n:news><n:publication><n:name>N</n:name><n:language>en</n:language></n:publication><n:publication_date>2025-12-29</n:publication_date><n:title>T</n:title></n:news></url>
<url><loc>https://example.com/fr</loc><xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr"/><xhtml:link rel="alternate" hreflang="FR" href="https://example.com/fr"/><xhtml:link rel="alternate" hreflang="FR" href="https://example.com/fr2"/></url>
<url><loc>https://example.com/new</loc><n:news><n:publication><n:name>N</n:name><n:language>en</n:language></n:publication><n:publication_date>2025-12-30</n:publication_date><n:title>T</n:title></n:news></url>
</urlset>"#;

    #[test]
    fn advice_and_its_places() {
        let mut reader = ReaderBuilder::new().excerpts(true).from_bytes(FILE);
        let hasher = PageHasher::default();
        let mut adviser = Adviser::new("2026-01-01T12:00:00Z".parse().unwrap());
        adviser.begin("s.xml", FileKind::Sitemap);
        let mut found = Vec::new();
        while reader.read_raw().unwrap().is_some() {
            let entry = reader.take_entry().unwrap().unwrap();
            let raw = reader.raw().unwrap();
            let source = EntrySource::Raw {
                raw,
                keeps_line: true,
            };
            judged(&mut adviser, &hasher, &entry, source, &mut found);
        }
        let found: Vec<_> = found
            .iter()
            .map(|finding| {
                let (position, (line, span)) = (finding.position?, finding.line.as_ref()?);
                let marked = &line[span.clone()];
                assert!(FILE[position.byte() as usize..].starts_with(marked));
                Some((position.line(), marked, finding.rule.name))
            })
            .map(Option::unwrap)
            .collect();
        assert_eq!(
            found,
            [
                (2, "<lastmod", "implausible-lastmod"),
                (2, "<priority", "ignored-priority"),
                (3, "<loc", "several-spellings"),
                (3, "<changefreq", "ignored-changefreq"),
                (4, "<xhtml:link", "hreflang-without-self"),
                (5, "<lastmod", "implausible-lastmod"),
                (6, "<loc", "duplicate-url"),
                (7, "<n:news", "old-news"),
            ]
        );
    }

    /// What is said of an article with this date, on 2026-01-01 at noon.
    fn of_article(date: &str) -> Vec<&'static str> {
        of_news("N", date)
    }

    fn of_news(name: &str, date: &str) -> Vec<&'static str> {
        let xml = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'>\
             <url><loc>https://e.com/a</loc><n:news><n:publication><n:name>{name}</n:name><n:language>en</n:language></n:publication>\
             <n:publication_date>{date}</n:publication_date><n:title>T</n:title></n:news></url></urlset>"
        );
        let mut reader = ReaderBuilder::new().from_bytes(&xml);
        reader.read_raw().unwrap();
        let entry = reader.take_entry().unwrap().unwrap();
        let source = EntrySource::Raw {
            raw: reader.raw().unwrap(),
            keeps_line: false,
        };
        let hasher = PageHasher::default();
        let mut adviser = Adviser::new("2026-01-01T12:00:00Z".parse().unwrap());
        adviser.begin("s.xml", FileKind::Sitemap);
        let mut found = Vec::new();
        judged(&mut adviser, &hasher, &entry, source, &mut found);
        found.iter().map(|finding| finding.rule.name).collect()
    }

    #[test]
    fn the_name_of_a_publication_has_no_parentheses() {
        for name in ["N", "N &amp; M", "N, M"] {
            assert_eq!(of_news(name, "2026-01-01"), [""; 0], "{name}");
        }
        for name in ["The Example Times (subscription)", "(N)"] {
            assert_eq!(of_news(name, "2026-01-01"), ["publication-name"], "{name}");
        }
    }

    #[test]
    fn news_of_the_future() {
        for date in [
            "2026-01-03",
            "2026-01-02T12:00:01Z",
            "2026-01-02T12:00:00-00:30",
            "2026-02",
            "2031",
            "1970-01-01",
            "1969-12-31T23:00:00Z",
        ] {
            assert_eq!(of_article(date), ["implausible-news-date"], "{date}");
        }
        // A day of tolerance, and two days in which an article is news.
        for date in [
            "2026-01-02",
            "2026-01-02T12:00:00Z",
            "2026-01-02T20:00:00+09:00",
            "2026-01-01T12:00:00Z",
            "2025-12-31",
            "2025-12-30",
        ] {
            assert_eq!(of_article(date), [""; 0], "{date}");
        }
        assert_eq!(of_article("2025-12-29"), ["old-news"]);
    }
}
