//! Links between the languages of a page, and those that are not returned.
//!
//! A link is kept as a hash and as what its URL does not share with that of its page, which is a few bytes.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};

use crate::judge::page_key::page_key;
use crate::judge::rules::{FindingRule, rule};
use crate::source::span::SourceSpan;
use crate::term::address::shown;
use crate::term::clipped::clipped;

/// Pages that are remembered as listed before the first page with alternates. A site without any needs no more memory for
/// being large.
const EARLIER: usize = 1 << 17;
/// Hosts that are remembered.
const HOSTS: usize = 1_000;
/// Pages with an upper-case letter that are remembered.
const UPPER: usize = 10_000;
/// Number of languages that are distinguished.
const LANGUAGES: usize = 300;
/// Languages of a report, the most frequent.
const KEPT: usize = 60;
/// Represents all further languages.
const OTHERS: &str = "(others)";

type Number = u16;

#[derive(Debug, Default)]
pub(crate) struct Links {
    hasher: RandomState,
    /// Hashes of the listed pages.
    listed: Vec<u64>,
    /// Not all listed pages are remembered.
    has_forgotten: bool,
    pages: Vec<LinkedPage>,
    /// Hashes of the alternates, with their languages.
    targets: Vec<u64>,
    of_language: Vec<Number>,
    /// The URLs of pages and alternates.
    texts: Texts,
    numbers: HashMap<String, Number>,
    /// As the first page writes it.
    languages: Vec<Language>,
    hosts: Hosts,
    /// The first pages with an upper-case letter, by the hash of their URL in lower case.
    upper: HashMap<u64, Box<str>>,
}

/// The hosts of the listed pages.
#[derive(Debug, Default)]
struct Hosts {
    all: HashSet<Box<str>>,
    last: Box<str>,
}

impl Hosts {
    fn add(&mut self, host: &str) {
        if *self.last != *host {
            self.last = host.into();
            if self.all.len() < HOSTS {
                self.all.insert(host.into());
            }
        }
    }
}

/// A page with alternates.
#[derive(Debug)]
struct LinkedPage {
    hash: u64,
    file: u32,
    span: SourceSpan,
    alternates: u32,
}

/// A link that search engines ignore, or that may lead nowhere.
#[derive(Debug)]
pub(crate) struct BadLink {
    pub(crate) file: usize,
    pub(crate) span: SourceSpan,
    pub(crate) page: String,
    alternate: String,
    problem: LinkProblem,
}

#[derive(Debug)]
enum LinkProblem {
    /// The page is listed and does not link back.
    Unreturned,
    /// The page is not listed, but perhaps one with this URL.
    Unlisted(Option<String>),
}

impl BadLink {
    pub(crate) fn rule(&self) -> &'static FindingRule {
        match self.problem {
            LinkProblem::Unreturned => rule!("hreflang-without-return"),
            LinkProblem::Unlisted(_) => rule!("hreflang-unlisted"),
        }
    }

    pub(crate) fn message(&self) -> String {
        let (page, alternate) = (clipped(&self.page), clipped(&self.alternate));
        match &self.problem {
            LinkProblem::Unreturned => {
                format!("the alternate `{alternate}` does not link back to `{page}`")
            }
            LinkProblem::Unlisted(None) => {
                format!("no sitemap lists the alternate `{alternate}` of `{page}`")
            }
            LinkProblem::Unlisted(Some(near)) => format!(
                "no sitemap lists the alternate `{alternate}` of `{page}`; `{}` is listed",
                clipped(near)
            ),
        }
    }
}

/// Alternates (hreflang) of all pages, as a report has them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Languages {
    /// Pages with alternates.
    pub(crate) pages: u64,
    /// The most frequent first.
    pub(crate) languages: Vec<Language>,
    /// Links to pages that were read and do not link back.
    pub(crate) unreturned: u64,
    /// Links to pages that no sitemap lists; 0 if too many pages were listed before the first link.
    pub(crate) unlisted: u64,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Language {
    pub(crate) hreflang: String,
    pub(crate) links: u64,
    /// Those to pages that were read and do not link back.
    #[serde(default)]
    pub(crate) unreturned: u64,
}

impl Links {
    /// Adds a listed page. `span` returns the place of its alternates.
    pub(crate) fn add(&mut self, page: &UrlEntry, file: usize, span: impl FnOnce() -> SourceSpan) {
        if page.alternates.is_empty() && self.pages.is_empty() && self.listed.len() >= EARLIER {
            self.has_forgotten = true;
            return;
        }
        let hash = self.hash(&page.loc);
        self.listed.push(hash);
        self.hosts.add(page.loc.host_str().unwrap_or_default());
        let path = page.loc.path();
        if path.bytes().any(|byte| byte.is_ascii_uppercase()) && self.upper.len() < UPPER {
            let loc = page.loc.as_str();
            self.upper
                .entry(self.folded(loc))
                .or_insert_with(|| loc.into());
        }
        if page.alternates.is_empty() {
            return;
        }
        self.texts.push_page(page.loc.as_str());
        for alternate in &page.alternates {
            let number = self.number(alternate.hreflang.as_str());
            if let Some(language) = self.languages.get_mut(usize::from(number)) {
                language.links += 1;
            }
            self.targets.push(self.hash(&alternate.href));
            self.of_language.push(number);
            self.texts.push(alternate.href.as_str());
        }
        self.pages.push(LinkedPage {
            hash,
            file: u32::try_from(file).unwrap_or(u32::MAX),
            span: span(),
            alternates: u32::try_from(page.alternates.len()).unwrap_or(u32::MAX),
        });
    }

    fn hash(&self, url: &Url) -> u64 {
        self.hasher.hash_one(page_key(url))
    }

    /// The hash of a URL without its final slash, in lower case.
    fn folded(&self, url: &str) -> u64 {
        self.hasher
            .hash_one(url.trim_end_matches('/').to_ascii_lowercase())
    }

    /// The listed page whose URL differs only in its final slash or in its case.
    fn near(&self, url: &str) -> Option<String> {
        let without_slash = url.trim_end_matches('/');
        let with_slash = format!("{without_slash}/");
        let forms = [without_slash.to_owned(), with_slash];
        let lower = forms.clone().map(|form| form.to_ascii_lowercase());
        let mut forms = forms.into_iter().chain(lower);
        let listed = forms.find(|form| {
            let hash = form.parse().map(|url| self.hash(&url));
            hash.is_ok_and(|hash| self.listed.binary_search(&hash).is_ok())
        });
        listed.or_else(|| self.upper.get(&self.folded(url)).map(|url| url.to_string()))
    }

    /// The problem of a link to a page that is not listed, if its host is one of the listed pages.
    fn unlisted(&self, url: &str) -> Option<LinkProblem> {
        let host = url.parse::<Url>().ok()?;
        let is_own = self.hosts.all.contains(host.host_str()?);
        is_own.then(|| LinkProblem::Unlisted(self.near(url)))
    }

    /// The number of a language. Languages beyond the first ones share the number of the others.
    fn number(&mut self, language: &str) -> Number {
        if let Some(number) = self.numbers.get(language) {
            return *number;
        }
        let key = language.to_ascii_lowercase();
        let is_full = self.languages.len() >= LANGUAGES;
        let known = self.numbers.get(&key).copied();
        let number = match known.or_else(|| self.numbers.get(OTHERS).copied().filter(|_| is_full)) {
            Some(number) => number,
            None => {
                let number = Number::try_from(self.languages.len()).unwrap_or(Number::MAX);
                let name = if is_full { OTHERS } else { language };
                self.languages.push(Language {
                    hreflang: shown(name),
                    ..Language::default()
                });
                number
            }
        };
        if is_full {
            self.numbers.entry(OTHERS.to_owned()).or_insert(number);
        } else {
            self.numbers.insert(key, number);
            // Codes in another case are few, but there is no limit.
            if self.numbers.len() < 4 * LANGUAGES {
                self.numbers.insert(language.to_owned(), number);
            }
        }
        number
    }

    /// Calls `found` for each link to a listed page that does not link back, in the order of the files; with
    /// `wants_unlisted`, also for each one to a page of these hosts that is not listed.
    ///
    /// # Errors
    ///
    /// Those of `found`.
    pub(crate) fn finish<E>(
        mut self,
        wants_unlisted: bool,
        mut found: impl FnMut(BadLink) -> Result<(), E>,
    ) -> Result<Languages, E> {
        self.listed.sort_unstable();
        let links = self.links();
        let (mut unreturned, mut unlisted) = (0, 0);
        let mut by_language = vec![0; self.languages.len()];
        let mut targets = self.targets.iter().zip(&self.of_language);
        let mut texts = self.texts.read();
        let mut of_page = HashSet::new();
        for page in &self.pages {
            texts.next_page();
            of_page.clear();
            for (target, language) in targets.by_ref().take(page.alternates as usize) {
                texts.next();
                if *target == page.hash {
                    continue;
                }
                let is_new = of_page.insert(*target);
                let problem = if self.listed.binary_search(target).is_err() {
                    let counts = is_new && !self.has_forgotten;
                    unlisted += u64::from(counts);
                    let url = String::from_utf8_lossy(&texts.text);
                    let is_wanted = counts && wants_unlisted;
                    is_wanted.then(|| self.unlisted(&url)).flatten()
                } else if links.binary_search(&link(*target, page.hash)).is_err() {
                    if let Some(count) = by_language.get_mut(usize::from(*language)) {
                        *count += 1;
                    }
                    unreturned += u64::from(is_new);
                    is_new.then_some(LinkProblem::Unreturned)
                } else {
                    None
                };
                if let Some(problem) = problem {
                    found(BadLink {
                        file: page.file as usize,
                        span: page.span,
                        page: String::from_utf8_lossy(&texts.page).into_owned(),
                        alternate: String::from_utf8_lossy(&texts.text).into_owned(),
                        problem,
                    })?;
                }
            }
        }
        for (language, count) in self.languages.iter_mut().zip(by_language) {
            language.unreturned = count;
        }
        let mut languages = self.languages;
        languages.retain(|language| language.links > 0);
        languages.sort_by(|a, b| (b.links, &a.hreflang).cmp(&(a.links, &b.hreflang)));
        languages.truncate(KEPT);
        Ok(Languages {
            pages: self.pages.len() as u64,
            languages,
            unreturned,
            unlisted,
        })
    }
}

impl Links {
    /// The hashes of all links, sorted.
    fn links(&self) -> Vec<u64> {
        let mut links: Vec<u64> = Vec::with_capacity(self.targets.len());
        let mut targets = self.targets.iter();
        for page in &self.pages {
            let targets = targets.by_ref().take(page.alternates as usize);
            links.extend(targets.map(|target| link(page.hash, *target)));
        }
        links.sort_unstable();
        links
    }
}

/// A hash of both ends.
fn link(from: u64, to: u64) -> u64 {
    // An uneven factor preserves all bits; the two directions differ.
    from.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ to.rotate_left(23)
}

/// URLs one after another, each as its difference from the page before: the lengths of the common parts at both ends,
/// and the text between them.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    page: Vec<u8>,
}

impl Texts {
    fn push_page(&mut self, url: &str) {
        self.push(url);
        self.page.clear();
        self.page.extend(url.bytes());
    }

    /// Appends a URL as its difference from the URL of the page, since most alternates differ in one part of the path.
    fn push(&mut self, url: &str) {
        let (url, page) = (url.as_bytes(), &self.page);
        let shared = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let before = url.iter().zip(page).take_while(shared).count();
        let rest = url.len().min(page.len()) - before;
        let ends = url.iter().rev().zip(page.iter().rev());
        let behind = ends.take(rest).take_while(shared).count();
        let between = url.get(before..url.len() - behind).unwrap_or_default();
        for mut number in [before, behind, between.len()] {
            while number >= 0x80 {
                self.bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            self.bytes.push(number as u8);
        }
        self.bytes.extend(between);
    }

    fn read(&self) -> TextsRead<'_> {
        TextsRead {
            bytes: &self.bytes,
            page: Vec::new(),
            text: Vec::new(),
        }
    }
}

/// Reads them in the order in which they were pushed.
struct TextsRead<'t> {
    bytes: &'t [u8],
    page: Vec<u8>,
    text: Vec<u8>,
}

impl TextsRead<'_> {
    fn next_page(&mut self) {
        self.next();
        self.page.clone_from(&self.text);
    }

    fn next(&mut self) {
        let [before, behind, between] = [self.number(), self.number(), self.number()];
        let (between, rest) = self.bytes.split_at_checked(between).unwrap_or_default();
        self.bytes = rest;
        self.text.clear();
        let page = &self.page;
        self.text.extend(page.get(..before).unwrap_or_default());
        self.text.extend(between);
        let behind = page.len().saturating_sub(behind);
        self.text.extend(page.get(behind..).unwrap_or_default());
    }

    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::extension::Alternate;

    use super::*;

    fn page(loc: &str, alternates: &[(&str, &str)]) -> UrlEntry {
        let mut page = UrlEntry::new(loc.parse().unwrap());
        for (language, href) in alternates {
            let alternate = Alternate::new(*language, href.parse().unwrap());
            page.alternates.push(alternate);
        }
        page
    }

    fn finish(pages: &[UrlEntry]) -> (Vec<String>, Languages) {
        let mut links = Links::default();
        for (page, line) in pages.iter().zip(1..) {
            links.add(page, 3, || SourceSpan::of_row(0, line, line).unwrap());
        }
        let mut messages = Vec::new();
        let figures = links.finish(false, |found| {
            messages.push(format!(
                "{}: {}",
                found.span.position.line(),
                found.message()
            ));
            Ok::<_, ()>(())
        });
        (messages, figures.unwrap())
    }

    #[test]
    fn links_come_back_or_not() {
        let (en, de, fr) = ("https://e.com/en", "https://e.com/de", "https://e.com/fr");
        let (messages, figures) = finish(&[
            page("https://e.com/plain", &[]),
            page(en, &[("x-default", en), ("en", en), ("de", de), ("fr", fr)]),
            page(de, &[("DE", de), ("en", en), ("x-default", en)]),
            page(
                "https://e.com/it",
                &[("en", en), ("EN", en), ("it", "https://e.com/plain")],
            ),
        ]);
        assert_eq!(
            messages,
            [
                "4: the alternate `https://e.com/en` does not link back to `https://e.com/it`",
                "4: the alternate `https://e.com/plain` does not link back to `https://e.com/it`",
            ]
        );
        assert_eq!(
            (figures.pages, figures.unreturned, figures.unlisted),
            (3, 2, 1)
        );
        let languages = figures.languages.iter();
        let languages: Vec<_> = languages
            .map(|language| (&*language.hreflang, language.links, language.unreturned))
            .collect();
        assert_eq!(languages[0], ("en", 4, 2));
        assert!(languages.contains(&("it", 1, 1)), "{languages:?}");
    }

    #[test]
    fn alternates_that_no_entry_lists() {
        let en = "https://e.com/en";
        let listed = [
            "https://e.com/de/",
            "https://e.com/Fr",
            "https://e.com/%C3%A9",
        ];
        let targets = [
            ("https://e.com/de", Some("https://e.com/de/")),
            ("https://e.com/DE/", Some("https://e.com/de/")),
            ("https://e.com/fr/", Some("https://e.com/Fr")),
            ("https://e.com/it", None),
            ("https://e.com/de?x", None),
        ];
        let mut links = Links::default();
        for loc in listed {
            links.add(&page(loc, &[]), 0, || SourceSpan::of_row(0, 1, 1).unwrap());
        }
        let others = [
            "https://e.fr/",
            "https://www.e.com/de",
            "https://e.com/%c3%a9",
            en,
        ];
        let hrefs = targets.iter().map(|(url, _)| *url).chain(others);
        let hrefs: Vec<_> = hrefs.map(|href| ("de", href)).collect();
        links.add(&page(en, &hrefs), 0, || {
            SourceSpan::of_row(0, 2, 2).unwrap()
        });
        let mut found = Vec::new();
        let figures = links.finish(true, |link| {
            if link.rule() == rule!("hreflang-unlisted") {
                found.push(link.message());
            }
            Ok::<_, ()>(())
        });
        let expected = targets.map(|(url, near)| {
            let near = near
                .map(|near| format!("; `{near}` is listed"))
                .unwrap_or_default();
            format!("no sitemap lists the alternate `{url}` of `{en}`{near}")
        });
        assert_eq!(found, expected);
        assert_eq!(figures.unwrap().unlisted, 7);
    }

    #[test]
    fn urls_are_what_they_were() {
        let urls = [
            "https://example.com/en/products/1",
            "https://example.com/de/products/1",
            "https://example.com/",
            "https://e.com/a/a/a/a/a",
            "https://e.com/a/a/a",
        ];
        let long = format!("https://e.com/{}", "x".repeat(300));
        let urls: Vec<&str> = urls.iter().copied().chain([&*long, ""]).collect();
        let mut texts = Texts::default();
        for page in &urls {
            texts.push_page(page);
            urls.iter().for_each(|url| texts.push(url));
        }
        let mut read = texts.read();
        for page in &urls {
            read.next_page();
            assert_eq!(read.page, page.as_bytes());
            for url in &urls {
                read.next();
                assert_eq!(read.text, url.as_bytes());
            }
        }
    }

    /// Twenty alternates of a page: what is kept of a link does not grow with its URL.
    #[test]
    fn a_link_takes_few_bytes() {
        let mut links = Links::default();
        let path = "a-long-path/".repeat(20);
        for number in 0..100 {
            let url = |language: usize| format!("https://e.com/{language}/{path}{number}");
            let mut entry = page(&url(0), &[]);
            for language in 0..20 {
                let alternate = Alternate::new("de", url(language).parse().unwrap());
                entry.alternates.push(alternate);
            }
            links.add(&entry, 0, || SourceSpan::of_row(0, 1, 1).unwrap());
        }
        assert_eq!(links.targets.len(), 2_000);
        assert!(
            links.texts.bytes.len() < 2_000 * 8,
            "{}",
            links.texts.bytes.len()
        );
    }

    #[test]
    fn languages_are_bounded() {
        let mut links = Links::default();
        for number in 0..10 * LANGUAGES {
            links.number(&format!("x{number}"));
        }
        assert!(links.languages.len() <= LANGUAGES + 1);
        assert!(links.numbers.len() <= 4 * LANGUAGES + 1);
    }
}
