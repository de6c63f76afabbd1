//! Advice: how search engines treat sitemaps that break no rule of the protocol.

use std::collections::{HashMap, HashSet};

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Entry, Stylesheet, UrlEntry, W3cDatetime};

use super::codes::unknown_code;
use super::dates;
use super::deprecated::deprecated;
use super::duplicates::{FileKind, Listings};
use super::entry_source::{Advice, EntrySource};
use super::lastmods::LastmodCounts;
use super::verdicts::UNKNOWN_CODE;
use crate::source::span::SourceSpan;
use crate::term::clipped::clipped;

/// It remembers a few numbers for each page.
pub(crate) struct Adviser {
    now: DateTime<Utc>,
    /// Names of the files.
    files: Vec<Box<str>>,
    /// Advice that is reported once per file.
    reported: HashSet<&'static str>,
    lastmods: LastmodCounts,
    listings: Listings,
}

impl Adviser {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            files: Vec::new(),
            reported: HashSet::new(),
            lastmods: LastmodCounts::default(),
            listings: Listings::default(),
        }
    }

    /// The entries of the file of that name follow.
    pub(crate) fn begin(&mut self, file: &str) {
        self.files.push(file.into());
        self.reported.clear();
        self.lastmods = LastmodCounts::default();
        self.listings.begin();
    }

    pub(crate) fn is_of_kind(&mut self, kind: FileKind) {
        self.listings.is_of_kind(kind);
    }

    /// Returns all advice on an entry, in the order of the checks.
    pub(crate) fn judge(&mut self, entry: &Entry, source: EntrySource<'_>) -> Vec<Advice> {
        let mut advice = Vec::new();
        let mut lastmod = entry.lastmod();
        if let Some(date) = lastmod
            && let Some(why) = dates::implausible(date, self.now)
        {
            let message = format!("lastmod `{date}` {why}");
            advice.push(source.advice_on("lastmod", "implausible-lastmod", message));
            lastmod = None;
        }
        escaped_twice(entry, source, &mut advice);
        if let Entry::Url(page) = entry {
            self.listed(page, source, &mut advice);
            self.ignored(page, source, &mut advice);
            self.deprecated(page, source, &mut advice);
            // A news sitemap holds the articles of two days, which may well have one date.
            if page.news.is_none() {
                self.lastmods.add(lastmod, || {
                    source.advice_on("lastmod", "shared-lastmod", String::new())
                });
            }
            self.news(page, source, &mut advice);
            alternates(page, source, &mut advice);
        }
        advice
    }

    /// Reports a page that is listed twice, with the place where it was listed first.
    fn listed(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let span = source.span("loc");
        let Some(found) = self.listings.add(page, span.position.line()) else {
            return;
        };
        let line = found.line;
        let place = if found.file + 1 == self.files.len() {
            format!("on line {line}")
        } else {
            let file = self.files.get(found.file).map_or("", |file| &**file);
            format!("in {file}, on line {line}")
        };
        let loc = clipped(page.loc.as_str());
        let (rule, how) = if found.is_same_spelling {
            ("duplicate-url", "already listed")
        } else {
            ("several-spellings", "listed in another spelling")
        };
        advice.push(source.advice(span, rule, format!("`{loc}` is {how} {place}")));
    }

    /// Reports, once per document, elements that search engines ignore.
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
            if is_there && self.reported.insert(rule) {
                let message = format!("Google ignores `{element}` (reported once per file)");
                advice.push(source.advice_on(element, rule, message));
            }
        }
    }

    /// Reports, once per document, each element that is no longer used.
    fn deprecated(&mut self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let EntrySource::Raw { raw, .. } = source else {
            return;
        };
        if page.images.is_empty() && page.videos.is_empty() {
            return;
        }
        for (name, span) in deprecated(&raw) {
            if self.reported.insert(name) {
                let message =
                    format!("Google has ignored {name} since August 2022 (reported once per file)");
                advice.push(source.advice(span, "deprecated-tag", message));
            }
        }
    }

    /// Advice that is only known when all entries of a file have been read.
    pub(crate) fn end(&mut self) -> Option<Advice> {
        self.lastmods.take()
    }

    fn news(&self, page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
        let date = page.news.as_ref().and_then(|news| news.publication_date);
        // A date without a time may be the end of its day.
        let is_old = |date: &W3cDatetime| !date.may_be_since(self.now - Days::new(2));
        advice.extend(date.filter(is_old).map(|date| {
            let message = format!("published `{date}`, more than two days ago");
            source.advice_on("news", "old-news", message)
        }));
    }
}

/// A loc in which a reference is left once it is decoded.
fn escaped_twice(entry: &Entry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
    const AMPERSANDS: [&str; 3] = ["&amp;", "&#38;", "&#x26;"];
    let loc = entry.loc().as_str();
    if !loc.contains('&') || !AMPERSANDS.iter().any(|reference| loc.contains(reference)) {
        return;
    }
    let meant = AMPERSANDS
        .iter()
        .fold(loc.to_owned(), |url, reference| url.replace(reference, "&"));
    let message = format!(
        "`{}` was escaped twice; `{}` was probably meant",
        clipped(loc),
        clipped(&meant)
    );
    advice.push(source.advice_on("loc", "escaped-twice", message));
}

/// Alternates that contradict each other. Codes and returned links are judged without `--advice`, too.
fn alternates(page: &UrlEntry, source: EntrySource<'_>, advice: &mut Vec<Advice>) {
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
}

/// Codes of alternates that do not exist.
pub(crate) fn unknown_codes(page: &UrlEntry, source: EntrySource<'_>) -> Vec<Advice> {
    let unknown = page.alternates.iter().filter_map(|alternate| {
        let tag = alternate.hreflang.as_str();
        let found = unknown_code(tag)?;
        let meant = match found.meant {
            Some(meant) => format!(" (`{meant}`?)"),
            None => String::new(),
        };
        let message = format!(
            "`{}` is no {} of {}{meant}",
            clipped(found.code),
            found.kind,
            found.standard
        );
        let message = if found.code == tag {
            message
        } else {
            format!("`{}`: {message}", clipped(tag))
        };
        Some(source.advice(source.span_of_link(tag), UNKNOWN_CODE, message))
    });
    unknown.collect()
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
    fn advice_and_its_places() {
        let mut reader = ReaderBuilder::new().excerpts(true).from_bytes(FILE);
        let mut adviser = Adviser::new("2026-01-01T12:00:00Z".parse().unwrap());
        adviser.begin("s.xml");
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
            ]
        );
    }
}
