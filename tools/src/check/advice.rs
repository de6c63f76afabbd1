//! What search engines make of sitemaps that break no rule of the protocol.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Position, RawEntry, UrlEntry, W3cDatetime};
use serde_json::json;

use crate::clipped::clipped;

/// The names of what is not a rule of the protocol.
pub(crate) const RULES: [&str; 9] = [
    "ignored-changefreq",
    "ignored-priority",
    "implausible-lastmod",
    "duplicate-url",
    "several-spellings",
    "old-news",
    "hreflang-twice",
    "hreflang-without-self",
    WITHOUT_RETURN,
];

pub(crate) const WITHOUT_RETURN: &str = "hreflang-without-return";

/// Where something stands: its start tag, or the line of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) position: Position,
    /// Bytes that are meant.
    pub(crate) len: u64,
}

impl Place {
    /// The line on which a row begins. `entry` is its number, from 1.
    pub(crate) fn of_row(byte: u64, line: u64, entry: u64) -> Option<Self> {
        // The library makes positions only for what it has read itself, and from their JSON.
        let position = json!({ "byte": byte, "line": line, "column": 1, "entry": entry });
        Some(Self {
            position: serde_json::from_value(position).ok()?,
            // To the end of the line.
            len: u64::MAX,
        })
    }
}

/// Where the parts of an entry stand.
#[derive(Debug)]
pub(crate) struct Places {
    entry: Place,
    named: HashMap<&'static str, Place>,
}

impl Places {
    pub(crate) fn of(raw: RawEntry<'_>) -> Self {
        const NAMES: [&str; 6] = ["loc", "lastmod", "changefreq", "priority", "news", "link"];
        let mut named = HashMap::new();
        let mut is_text = true;
        for element in raw.elements() {
            is_text = false;
            if let Some(name) = NAMES.iter().find(|name| **name == element.name()) {
                let prefix = match element.prefix() {
                    "" => 0,
                    prefix => prefix.len() + 1,
                };
                named.entry(*name).or_insert_with(|| Place {
                    position: element.position(),
                    len: (1 + prefix + element.name().len()) as u64,
                });
            }
        }
        let line = raw.loc().filter(|_| is_text);
        Self {
            entry: Place {
                position: raw.position(),
                len: line.map_or(0, |line| line.len() as u64),
            },
            named,
        }
    }

    /// Those of a row are all in its line.
    pub(crate) fn of_row(row: Place) -> Self {
        Self {
            entry: row,
            named: HashMap::new(),
        }
    }

    /// The entry's own place, if it has no such element.
    pub(crate) fn at(&self, name: &str) -> Place {
        self.named.get(name).copied().unwrap_or(self.entry)
    }
}

/// One piece of advice.
#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) place: Place,
    pub(crate) rule: &'static str,
    pub(crate) message: String,
}

/// It remembers a few numbers for each URL, and each hreflang link.
pub(crate) struct Adviser {
    now: DateTime<Utc>,
    file: usize,
    /// Files that are feeds. They list pages of a site once more, for its readers.
    feeds: HashSet<usize>,
    /// What is said once a file.
    said: HashSet<&'static str>,
    /// By the hash of a URL without what spellings differ in: the hash of its first spelling, its file and its line.
    seen: HashMap<u64, (u64, usize, u64)>,
    /// Page and alternate, by their hashes.
    links: HashSet<(u64, u64)>,
    /// Pages that have alternates: page, alternate, where.
    to_check: Vec<(Url, Url, usize, Place)>,
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
    }

    /// The file is a feed.
    pub(crate) fn is_feed(&mut self) {
        self.feeds.insert(self.file);
    }

    pub(crate) fn judge(&mut self, entry: &Entry, places: &Places) -> Vec<Advice> {
        let mut advice = Vec::new();
        if let Some(lastmod) = entry.lastmod() {
            let start = lastmod.start();
            let when = match start {
                start if start > self.now => Some("in the future"),
                start if start.timestamp() < 0 => Some("before 1970"),
                _ => None,
            };
            advice.extend(when.map(|when| Advice {
                place: places.at("lastmod"),
                rule: "implausible-lastmod",
                message: format!("lastmod `{lastmod}` is {when}"),
            }));
        }
        if let Entry::Url(page) = entry {
            self.spelling(page, places, &mut advice);
            self.ignored(page, places, &mut advice);
            self.news(page, places, &mut advice);
            self.alternates(page, places, &mut advice);
        }
        advice
    }

    fn spelling(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let (spelling, place) = (hash(&page.loc), places.at("loc"));
        let key = hash(&sameness(&page.loc));
        let line = place.position.line();
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
        advice.push(match first == spelling {
            true => Advice {
                place,
                rule: "duplicate-url",
                message: format!("`{loc}` is already listed {before}"),
            },
            false => Advice {
                place,
                rule: "several-spellings",
                message: format!("`{loc}` is listed in another spelling {before}"),
            },
        });
    }

    fn ignored(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
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
                advice.push(Advice {
                    place: places.at(element),
                    rule,
                    message: format!("Google ignores `{element}` (reported once per file)"),
                });
            }
        }
    }

    fn news(&self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let date = page.news.as_ref().and_then(|news| news.publication_date);
        // A date without a time may be the end of its day.
        let limit = self.now - Days::new(2);
        let is_old = |date: &W3cDatetime| !date.may_be_since(limit);
        advice.extend(date.filter(is_old).map(|date| Advice {
            place: places.at("news"),
            rule: "old-news",
            message: format!("published `{date}`, more than two days ago"),
        }));
    }

    fn alternates(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let own = hash(&page.loc);
        if !self.ignores_links {
            self.pages.insert(own);
        }
        if page.alternates.is_empty() {
            return;
        }
        let place = places.at("link");
        let mut languages = HashMap::new();
        for alternate in &page.alternates {
            let first = languages
                .entry(alternate.hreflang.as_str().to_ascii_lowercase())
                .or_insert(&alternate.href);
            if *first != &alternate.href {
                let (language, loc) = (&alternate.hreflang, clipped(page.loc.as_str()));
                advice.push(Advice {
                    place,
                    rule: "hreflang-twice",
                    message: format!("the alternates of `{loc}` name two pages for `{language}`"),
                });
            }
        }
        let mut hrefs = page.alternates.iter().map(|alternate| &alternate.href);
        if !hrefs.any(|href| *href == page.loc) {
            let loc = clipped(page.loc.as_str());
            advice.push(Advice {
                place,
                rule: "hreflang-without-self",
                message: format!("the alternates of `{loc}` do not list the page itself"),
            });
        }
        if self.ignores_links {
            return;
        }
        let mut listed = HashSet::new();
        for alternate in &page.alternates {
            if alternate.href != page.loc && listed.insert(&alternate.href) {
                self.links.insert((own, hash(&alternate.href)));
                let link = (page.loc.clone(), alternate.href.clone(), self.file, place);
                self.to_check.push(link);
            }
        }
    }

    /// Links that do not come back, of pages that are in the files, each with its file: nothing is known of others. In
    /// the order of the files.
    pub(crate) fn unreturned(self) -> impl Iterator<Item = (usize, Advice)> {
        let Self {
            links,
            pages,
            to_check,
            ..
        } = self;
        to_check
            .into_iter()
            .filter_map(move |(page, alternate, file, place)| {
                let (from, to) = (hash(&page), hash(&alternate));
                if !pages.contains(&to) || links.contains(&(to, from)) {
                    return None;
                }
                let advice = Advice {
                    place,
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
    use quick_sitemap::Reader;

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
        let mut reader = Reader::from_bytes(FILE);
        let mut adviser = Adviser::new("2026-01-01T12:00:00Z".parse().unwrap());
        adviser.begin(0);
        let mut found = Vec::new();
        while let Some(raw) = reader.read_raw().unwrap() {
            let places = Places::of(raw);
            let entry = reader.to_entry().unwrap().unwrap();
            found.extend(adviser.judge(&entry, &places));
        }
        found.extend(adviser.unreturned().map(|(_, advice)| advice));
        let marked = |place: Place| {
            let start = place.position.byte() as usize;
            &FILE[start..start + place.len as usize]
        };
        let found: Vec<_> = found
            .iter()
            .map(|advice| {
                (
                    advice.place.position.line(),
                    marked(advice.place),
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
