//! What search engines make of sitemaps that break no rule of the protocol.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Stylesheet, UrlEntry, W3cDatetime};

use super::deprecated::TAGS;
use super::entry_source::{Advice, EntrySource};
use super::lastmods::LastmodCounts;
use crate::source::span::SourceSpan;
use crate::term::clipped::clipped;

/// The names of what is not a rule of the protocol.
pub(crate) const RULES: [&str; 12] = [
    "ignored-changefreq",
    "ignored-priority",
    "deprecated-tag",
    "implausible-lastmod",
    "shared-lastmod",
    "duplicate-url",
    "several-spellings",
    "old-news",
    "hreflang-twice",
    "hreflang-without-self",
    WITHOUT_RETURN,
    "xslt-stylesheet",
];

pub(crate) const WITHOUT_RETURN: &str = "hreflang-without-return";

/// It remembers a few numbers for each URL, and each hreflang link.
pub(crate) struct Adviser {
    now: DateTime<Utc>,
    file: usize,
    /// Files that are feeds. They list pages of a site once more, for its readers.
    feeds: HashSet<usize>,
    /// What is said once a file.
    said: HashSet<&'static str>,
    lastmods: LastmodCounts,
    /// By the hash of a URL without what spellings differ in: the hash of its first spelling, its file and its line.
    seen: HashMap<u64, (u64, usize, u64)>,
    /// Page and alternate, by their hashes.
    links: HashSet<(u64, u64)>,
    /// Pages that have alternates: page, alternate, where.
    to_check: Vec<(Url, Url, usize, SourceSpan)>,
    pages: HashSet<u64>,
    /// Whether somebody else looks for links that do not come back.
    ignores_links: bool,
}

impl Adviser {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            file: 0,
            feeds: HashSet::new(),
            said: HashSet::new(),
            lastmods: LastmodCounts::default(),
            seen: HashMap::new(),
            links: HashSet::new(),
            to_check: Vec::new(),
            pages: HashSet::new(),
            ignores_links: false,
        }
    }

    /// Keeps no links, so there is nothing that is [unreturned](Self::unreturned).
    pub(crate) fn without_links(mut self) -> Self {
        self.ignores_links = true;
        self
    }

    /// The entries of another file follow.
    pub(crate) fn begin(&mut self, file: usize) {
        self.file = file;
        self.said.clear();
        self.lastmods = LastmodCounts::default();
    }

    /// The file is a feed.
    pub(crate) fn is_feed(&mut self) {
        self.feeds.insert(self.file);
    }

    pub(crate) fn judge(&mut self, entry: &Entry, source: EntrySource<'_>) -> Vec<Advice> {
        let mut advice = Vec::new();
        if let Some(lastmod) = entry.lastmod() {
            let start = lastmod.start();
            let when = match start {
                start if start > self.now => Some("in the future"),
                start if start.timestamp() < 0 => Some("before 1970"),
                _ => None,
            };
            advice.extend(when.map(|when| {
                let message = format!("lastmod `{lastmod}` is {when}");
                source.advice_on("lastmod", "implausible-lastmod", message)
            }));
        }
        if let Entry::Url(page) = entry {
            self.spelling(page, source, &mut advice);
            self.ignored(page, source, &mut advice);
            self.deprecated(page, source, &mut advice);
            // A news sitemap holds the articles of two days, which may well have one date.
            if page.news.is_none() {
                self.lastmods.add(page.lastmod, || {
                    source.advice_on("lastmod", "shared-lastmod", String::new())
                });
            }
            self.news(page, source, &mut advice);
            self.alternates(page, source, &mut advice);
        }
        advice
    }

    fn spelling(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let (spelling, span) = (hash(&page.loc), source.span("loc"));
        let key = hash(&sameness(&page.loc));
        let line = span.position.line();
        let Some(&(first, file, at)) = self.seen.get(&key) else {
            self.seen.insert(key, (spelling, self.file, line));
            return;
        };
        let is_feed = |file| self.feeds.contains(&file);
        if file != self.file && (is_feed(file) || is_feed(self.file)) {
            if !is_feed(self.file) {
                self.seen.insert(key, (spelling, self.file, line));
            }
            return;
        }
        let before = match file == self.file {
            true => format!("on line {at}"),
            false => format!("in an earlier file, on line {at}"),
        };
        let loc = clipped(page.loc.as_str());
        let (rule, how) = match first == spelling {
            true => ("duplicate-url", "already listed"),
            false => ("several-spellings", "listed in another spelling"),
        };
        advice.push(source.advice(span, rule, format!("`{loc}` is {how} {before}")));
    }

    fn ignored(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let found = [
            (
                page.changefreq.is_some(),
                "changefreq",
                "ignored-changefreq",
            ),
            (page.priority.is_some(), "priority", "ignored-priority"),
        ];
        for (is_there, element, rule) in found {
            if is_there && self.said.insert(rule) {
                let message = format!("Google ignores `{element}` (reported once per file)");
                advice.push(source.advice_on(element, rule, message));
            }
        }
    }

    fn deprecated(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        for tag in TAGS.iter().filter(|tag| (tag.is_in)(page)) {
            if self.said.contains(tag.name) {
                continue;
            }
            let span = match source {
                EntrySource::Row { span, .. } => Some(span),
                EntrySource::Raw { raw, .. } => tag.find(&raw),
            };
            if let Some(span) = span {
                self.said.insert(tag.name);
                let message = format!(
                    "Google has ignored {} since August 2022 (reported once per file)",
                    tag.name
                );
                advice.push(source.advice(span, "deprecated-tag", message));
            }
        }
    }

    /// What is only known when all entries of a file have been read.
    pub(crate) fn end(&mut self) -> Option<Advice> {
        self.lastmods.take()
    }

    fn news(&self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let date = page.news.as_ref().and_then(|news| news.publication_date);
        // A date without a time may be the end of its day.
        let limit = self.now - Days::new(2);
        let is_old = |date: &W3cDatetime| !date.may_be_since(limit);
        advice.extend(date.filter(is_old).map(|date| {
            let message = format!("published `{date}`, more than two days ago");
            source.advice_on("news", "old-news", message)
        }));
    }

    fn alternates(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let own = hash(&page.loc);
        if !self.ignores_links {
            self.pages.insert(own);
        }
        if page.alternates.is_empty() {
            return;
        }
        let span = source.span("link");
        let mut languages = HashMap::new();
        for alternate in &page.alternates {
            let first = languages
                .entry(alternate.hreflang.as_str().to_ascii_lowercase())
                .or_insert(&alternate.href);
            if *first != &alternate.href {
                let (language, loc) = (&alternate.hreflang, clipped(page.loc.as_str()));
                let message = format!("the alternates of `{loc}` name two pages for `{language}`");
                advice.push(source.advice(span, "hreflang-twice", message));
            }
        }
        let mut hrefs = page.alternates.iter().map(|alternate| &alternate.href);
        if !hrefs.any(|href| *href == page.loc) {
            let loc = clipped(page.loc.as_str());
            let message = format!("the alternates of `{loc}` do not list the page itself");
            advice.push(source.advice(span, "hreflang-without-self", message));
        }
        if self.ignores_links {
            return;
        }
        let mut listed = HashSet::new();
        for alternate in &page.alternates {
            if alternate.href != page.loc && listed.insert(&alternate.href) {
                self.links.insert((own, hash(&alternate.href)));
                let link = (page.loc.clone(), alternate.href.clone(), self.file, span);
                self.to_check.push(link);
            }
        }
    }

    /// Links that do not come back, of pages that are in the files, each with its file: nothing is known of others. In
    /// the order of the files, and without their lines.
    pub(crate) fn unreturned(self) -> impl Iterator<Item = (usize, Advice)> {
        let Self {
            links,
            pages,
            to_check,
            ..
        } = self;
        to_check
            .into_iter()
            .filter_map(move |(page, alternate, file, span)| {
                let (from, to) = (hash(&page), hash(&alternate));
                if !pages.contains(&to) || links.contains(&(to, from)) {
                    return None;
                }
                let advice = Advice {
                    span,
                    line: None,
                    rule: WITHOUT_RETURN,
                    message: without_return(page.as_str(), alternate.as_str()),
                };
                Some((file, advice))
            })
    }
}

/// What is said of an alternate that does not link back.
pub(crate) fn without_return(page: &str, alternate: &str) -> String {
    let (page, alternate) = (clipped(page), clipped(alternate));
    format!("the alternate `{alternate}` does not link back to `{page}`")
}

/// The advice about the style sheet that a sitemap names.
pub(crate) fn of_stylesheet(stylesheet: &Stylesheet) -> Option<Advice> {
    const XSLT: [&str; 5] = [
        "text/xsl",
        "text/xml",
        "application/xml",
        "application/xslt+xml",
        "application/xsl",
    ];
    let kind = stylesheet.media_type.split(';').next().unwrap_or_default();
    let is_xslt = XSLT.contains(&&*kind.trim().to_ascii_lowercase());
    is_xslt.then(|| Advice {
        span: SourceSpan {
            position: stylesheet.position,
            len: 0,
        },
        line: None,
        rule: "xslt-stylesheet",
        message: format!(
            "browsers are removing XSLT, so the style sheet `{}` will have no effect",
            clipped(&stylesheet.href)
        ),
    })
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A URL without what spellings of one page differ in: scheme, `www.`, a final slash, the fragment.
fn sameness(url: &Url) -> (&str, &str, Option<&str>) {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    (host, url.path().trim_end_matches('/'), url.query())
}

#[cfg(test)]
mod tests {
    use quick_sitemap::ReaderBuilder;

    use super::*;

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
    fn what_is_said_and_where() {
        let mut reader = ReaderBuilder::new().excerpts(true).from_bytes(FILE);
        let mut adviser = Adviser::new("2026-01-01T12:00:00Z".parse().unwrap());
        adviser.begin(0);
        let marked = |span: SourceSpan| {
            let start = span.position.byte() as usize;
            &FILE[start..start + span.len]
        };
        let mut found = Vec::new();
        while reader.read_raw().unwrap().is_some() {
            let entry = reader.to_entry().unwrap().unwrap();
            let raw = reader.raw();
            let source = EntrySource::Raw {
                raw,
                keeps_line: true,
            };
            for advice in adviser.judge(&entry, source) {
                let (line, span) = advice.line.clone().unwrap();
                assert_eq!(&line[span], marked(advice.span));
                found.push(advice);
            }
        }
        found.extend(adviser.unreturned().map(|(_, advice)| advice));
        let found: Vec<_> = found
            .iter()
            .map(|advice| {
                (
                    advice.span.position.line(),
                    marked(advice.span),
                    advice.rule,
                )
            })
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
                (8, "<xhtml:link", "hreflang-twice"),
                (4, "<xhtml:link", "hreflang-without-return"),
            ]
        );
    }
}
