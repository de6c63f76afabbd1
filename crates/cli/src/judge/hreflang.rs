//! Links between the languages of a page, and those that are not returned.
//!
//! A link is kept as a hash and as what its URL does not share with that of its page, which is a few bytes.

use hashbrown::{HashMap, HashSet};
use indexmap::IndexSet;
use quick_sitemap::url::Url;
use quick_sitemap::{Position, UrlEntry};
use serde::{Deserialize, Serialize};

use crate::judge::finding::Finding;
use crate::judge::page_hash::PageHasher;
use crate::judge::rules::rule;
use crate::source::account::{AllRead, Whole};
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

#[derive(Debug, Default)]
pub(crate) struct Links {
    hasher: PageHasher,
    /// Hashes of the listed pages.
    listed: Vec<u64>,
    /// Those of texts and feeds.
    of_texts: Vec<u64>,
    /// Not all listed pages are remembered.
    has_forgotten: bool,
    pages: Vec<LinkedPage>,
    /// Those of all pages, one page after another.
    links: Vec<Link>,
    /// Of each page its URL, and of each of its links the part between what both share.
    texts: String,
    /// As the first page writes it.
    languages: Vec<Language>,
    /// The hosts of the listed pages.
    hosts: IndexSet<Box<str>>,
    /// The first pages with an upper-case letter, by the hash of their URL in lower case.
    upper: HashMap<u64, Box<str>>,
}

/// A page with alternates.
#[derive(Debug)]
struct LinkedPage {
    hash: u64,
    position: Position,
    file: usize,
    /// Its first link, and their number.
    links: usize,
    alternates: usize,
    /// The start of its texts, and the bytes of the URL.
    text: usize,
    len: usize,
}

/// A link of a page, and the part of its URL that is not that of the page.
type Named<'l> = (&'l LinkedPage, &'l Link, &'l str);

/// Groups of pages that link to each other: for a page another one of its group. A page without one stands for the group.
#[derive(Default)]
struct Groups(HashMap<u64, u64>);

/// The links of a group, by language and by target, to find contradictions.
#[derive(Default)]
struct Group<'l> {
    /// The first link to a page of each language.
    languages: HashMap<u16, Named<'l>>,
    /// The first link to each page with a language.
    pages: HashMap<u64, Named<'l>>,
    /// Target and language of each link of the page that is the first to link to the target.
    tags: HashSet<(u64, u16)>,
    /// Contradictions that were found: target and language.
    found: HashSet<(u64, u16)>,
}

/// A link that contradicts an earlier one of its group.
struct Contradiction<'l> {
    /// The number of the page.
    page: usize,
    first: Named<'l>,
    named: Named<'l>,
    /// It names another page for the language; otherwise, another language for the page.
    is_language: bool,
}

#[derive(Debug)]
struct Link {
    to: u64,
    language: u16,
    /// Bytes at both ends of the URL that it shares with that of the page, and those between them.
    before: u16,
    behind: u16,
    between: u16,
}

/// Alternates (hreflang) of all pages, as a report has them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Languages {
    /// Pages with alternates.
    pub(crate) pages: u64,
    /// The most frequent first.
    pub(crate) languages: Vec<Language>,
    /// It is known of every listed page whether it links back.
    #[serde(default)]
    pub(crate) is_whole: bool,
    /// Links to pages that were read and do not link back.
    pub(crate) unreturned: u64,
    /// Links to pages that no sitemap lists; 0 if that is not known.
    pub(crate) unlisted: u64,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Language {
    pub(crate) hreflang: String,
    pub(crate) links: u64,
    /// Those to pages that were read and do not link back.
    pub(crate) unreturned: u64,
}

impl Links {
    /// `hasher` hashes the pages that are added.
    pub(crate) fn new(hasher: &PageHasher) -> Self {
        let hasher = hasher.clone();
        Self {
            hasher,
            ..Self::default()
        }
    }

    /// Adds a listed page. `hash` returns the hash of its key, and `position` the place of its alternates. Texts and feeds
    /// have none, so those of their pages are not known.
    pub(crate) fn add(
        &mut self,
        page: &UrlEntry,
        hash: impl FnOnce() -> u64,
        file: usize,
        can_have_links: bool,
        position: impl FnOnce() -> Position,
    ) {
        if page.alternates.is_empty() && self.pages.is_empty() && self.listed.len() >= EARLIER {
            self.has_forgotten = true;
            return;
        }
        let (hash, loc) = (hash(), page.loc.as_str());
        self.listed.push(hash);
        if !can_have_links {
            self.of_texts.push(hash);
        }
        let host = page.loc.host_str().unwrap_or_default();
        // Most pages are on the host of the one before.
        let is_last = self.hosts.last().is_some_and(|last| **last == *host);
        if !is_last && self.hosts.len() < HOSTS && !self.hosts.contains(host) {
            self.hosts.insert(host.into());
        }
        // Without a branch per byte, so that the compiler looks at many bytes at once.
        let path = page.loc.path().bytes();
        let has_upper = path.fold(false, |any, byte| any | byte.is_ascii_uppercase());
        if has_upper && self.upper.len() < UPPER {
            let folded = self.hasher.folded(loc);
            self.upper.entry(folded).or_insert_with(|| loc.into());
        }
        if page.alternates.is_empty() {
            return;
        }
        let (links, text) = (self.links.len(), self.texts.len());
        self.texts.push_str(loc);
        for alternate in &page.alternates {
            let language = self.language(alternate.hreflang.as_str());
            let to = self.hasher.of(&alternate.href).key;
            let (link, between) = Link::new(to, language, alternate.href.as_str(), loc);
            self.links.push(link);
            self.texts.push_str(between);
        }
        self.pages.push(LinkedPage {
            hash,
            position: position(),
            file,
            links,
            alternates: page.alternates.len(),
            text,
            len: loc.len(),
        });
    }

    /// Counts a link to this language, and returns its number. Languages beyond the first ones share one number.
    fn language(&mut self, tag: &str) -> u16 {
        let all = &mut self.languages;
        let find = |all: &[Language], tag: &str| {
            let mut all = all.iter();
            all.position(|known| known.hreflang.eq_ignore_ascii_case(tag))
        };
        let tag = clipped(tag);
        let is_known = all.len() < LANGUAGES || find(all, &tag).is_some();
        let tag = if is_known { &*tag } else { OTHERS };
        let number = find(all, tag).unwrap_or_else(|| {
            all.push(Language {
                hreflang: tag.to_owned(),
                ..Language::default()
            });
            all.len() - 1
        });
        if let Some(language) = all.get_mut(number) {
            language.links += 1;
        }
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    /// The listed page whose URL differs only in its final slash or in its case.
    fn near(&self, url: &str) -> Option<String> {
        let without_slash = url.trim_end_matches('/');
        let forms = [without_slash.to_owned(), format!("{without_slash}/")];
        let lower = forms.clone().map(|form| form.to_ascii_lowercase());
        let listed = forms.into_iter().chain(lower).find(|form| {
            let hash = form.parse().map(|url| self.hasher.of(&url).key);
            hash.is_ok_and(|hash| self.listed.binary_search(&hash).is_ok())
        });
        listed.or_else(|| {
            self.upper
                .get(&self.hasher.folded(url))
                .map(|url| url.to_string())
        })
    }

    /// The finding on a link to a page that is not listed, if its host is one of the listed pages.
    fn unlisted(&self, alternate: &str, page: &str) -> Option<Finding> {
        let url = alternate.parse::<Url>().ok()?;
        if !self.hosts.contains(url.host_str()?) {
            return None;
        }
        let (alternate, near) = (clipped(alternate), self.near(alternate));
        let near = near.map_or(String::new(), |near| {
            format!("; `{}` is listed", clipped(&near))
        });
        let message = format!(
            "no sitemap lists the alternate `{alternate}` of `{}`{near}",
            clipped(page)
        );
        Some(Finding::new(rule!("hreflang-unlisted"), &message))
    }

    /// Returns `true` if a document that can have alternates lists the page.
    fn are_links_known(&self, page: u64) -> bool {
        let count = |hashes: &[u64]| {
            let end = hashes.partition_point(|hash| *hash <= page);
            end - hashes.partition_point(|hash| *hash < page)
        };
        count(&self.listed) > count(&self.of_texts)
    }

    /// Returns `true` if no page has alternates.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Calls `found` with the number of the file, in the order of the files, for each contradiction of pages that link to
    /// each other; if everything was read, for each link to a listed page that does not link back; with the licence for the
    /// `site`, also for each one to a page of these hosts that is not listed.
    ///
    /// # Errors
    ///
    /// Those of `found`.
    pub(crate) fn finish<E>(
        mut self,
        all_read: Option<AllRead>,
        site: Option<Whole>,
        mut found: impl FnMut(usize, Finding) -> Result<(), E>,
    ) -> Result<Languages, E> {
        if self.is_empty() {
            return Ok(Languages {
                is_whole: all_read.is_some(),
                ..Languages::default()
            });
        }
        self.listed.sort_unstable();
        self.of_texts.sort_unstable();
        let mut languages = self.languages.clone();
        let (mut unreturned, mut unlisted, mut is_whole) = (0, 0, all_read.is_some());
        let pairs = self.pairs();
        let mut contradictions = self.contradictions(&pairs).into_iter().peekable();
        let mut of_page = HashSet::new();
        for (number, page) in self.pages.iter().enumerate() {
            let (url, links) = self.links_of(page);
            of_page.clear();
            while let Some(two) = contradictions.next_if(|two| two.page == number) {
                let finding = self.contradiction(&two);
                found(page.file, finding.on_page(url).at(page.position))?;
            }
            for (link, between) in links {
                let is_new = of_page.insert(link.to);
                let is_listed = self.listed.binary_search(&link.to).is_ok();
                let is_returned = || pairs.binary_search(&pair(link.to, page.hash)).is_ok();
                if link.to == page.hash || is_listed && is_returned() {
                    continue;
                }
                if is_listed && (all_read.is_none() || !self.are_links_known(link.to)) {
                    is_whole = false;
                    continue;
                }
                let finding = if is_listed {
                    if let Some(language) = languages.get_mut(usize::from(link.language)) {
                        language.unreturned += 1;
                    }
                    unreturned += u64::from(is_new);
                    is_new.then(|| unreturned_link(&link.url(between, url), url))
                } else {
                    let is_known = is_new && !self.has_forgotten && site.is_some();
                    unlisted += u64::from(is_known);
                    is_known
                        .then(|| self.unlisted(&link.url(between, url), url))
                        .flatten()
                };
                if let Some(finding) = finding {
                    found(page.file, finding.on_page(url).at(page.position))?;
                }
            }
        }
        sort(&mut languages);
        let pages: HashSet<u64> = self.pages.iter().map(|page| page.hash).collect();
        Ok(Languages {
            pages: pages.len() as u64,
            languages,
            is_whole,
            unreturned,
            unlisted,
        })
    }

    /// The hashes of all links, sorted.
    fn pairs(&self) -> Vec<u64> {
        let of_page = |page| {
            self.links_of(page)
                .1
                .map(|(link, _)| pair(page.hash, link.to))
        };
        let mut pairs: Vec<u64> = self.pages.iter().flat_map(of_page).collect();
        pairs.sort_unstable();
        pairs
    }

    /// The URL of a page, and its links.
    fn links_of(&self, page: &LinkedPage) -> (&str, impl Iterator<Item = (&Link, &str)>) {
        let mut texts = self.texts.get(page.text..).unwrap_or_default();
        let url = next(&mut texts, page.len);
        let links = self.links.get(page.links..).unwrap_or_default().iter();
        let links = links.take(page.alternates);
        let links = links.map(move |link| (link, next(&mut texts, usize::from(link.between))));
        (url, links)
    }

    /// The links that contradict an earlier one of their group, each once, in the order of the pages.
    fn contradictions(&self, pairs: &[u64]) -> Vec<Contradiction<'_>> {
        let mut groups = Groups::default();
        for page in &self.pages {
            for (link, _) in self.links_of(page).1 {
                if link.to != page.hash && pairs.binary_search(&pair(link.to, page.hash)).is_ok() {
                    groups.join(page.hash, link.to);
                }
            }
        }
        let pages = self.pages.iter().enumerate();
        // By group, so that one `Group` at a time is in memory.
        let mut pages: Vec<_> = pages
            .map(|(number, page)| (groups.of(page.hash), number, page))
            .collect();
        pages.sort_unstable_by_key(|(group, number, _)| (*group, *number));
        let special = ["x-default", OTHERS].map(|tag| {
            let mut languages = self.languages.iter();
            languages.position(|language| language.hreflang.eq_ignore_ascii_case(tag))
        });
        let mut found = Vec::new();
        for pages in pages.chunk_by(|(one, ..), (other, ..)| one == other) {
            let mut group = Group::default();
            for (_, number, page) in pages {
                self.contradictions_of(page, *number, &mut group, special, &mut found);
            }
        }
        found.sort_by_key(|two| two.page);
        found
    }

    /// Adds each link of a page that names another page for a language than its group does, or another language for a page.
    /// The two numbers are those of `x-default`, and of all languages that are not told apart.
    fn contradictions_of<'l>(
        &'l self,
        page: &'l LinkedPage,
        number: usize,
        group: &mut Group<'l>,
        [default, others]: [Option<usize>; 2],
        found: &mut Vec<Contradiction<'l>>,
    ) {
        let is_language = |link: &Link| Some(usize::from(link.language)) != default;
        let is_known = |link: &Link| Some(usize::from(link.language)) != others;
        let links = || self.links_of(page).1.filter(|(link, _)| is_known(link));
        let mut agreed = HashSet::new();
        for (link, between) in links().filter(|(link, _)| is_language(link)) {
            let named = (page, link, between);
            let first = group.pages.entry(link.to).or_insert(named);
            let tag = (link.to, link.language);
            // A page may be listed twice.
            if first.0.hash == page.hash {
                group.tags.insert(tag);
            }
            if group.tags.contains(&tag) {
                agreed.insert(link.to);
            }
        }
        for (link, between) in links() {
            let named = (page, link, between);
            let of_language = *group.languages.entry(link.language).or_insert(named);
            let of_page = group.pages.get(&link.to).copied();
            let of_page = of_page.filter(|_| is_language(link) && !agreed.contains(&link.to));
            let is_other = of_language.1.to != link.to;
            let Some(first) = Some(of_language).filter(|_| is_other).or(of_page) else {
                continue;
            };
            if group.found.insert((link.to, link.language)) {
                found.push(Contradiction {
                    page: number,
                    first,
                    named,
                    is_language: is_other,
                });
            }
        }
    }

    fn contradiction(&self, two: &Contradiction<'_>) -> Finding {
        let ((one, earlier, from), (page, link, between)) = (two.first, two.named);
        let [(one_url, _), (url, _)] = [one, page].map(|page| self.links_of(page));
        let targets = [earlier.url(from, one_url), link.url(between, url)];
        let [before, target] = targets.each_ref().map(|target| clipped(target));
        let tags = [earlier, link].map(|link| self.languages.get(usize::from(link.language)));
        let [old, tag] = tags.map(|language| language.map_or("", |language| &*language.hreflang));
        let (one_url, url) = (clipped(one_url), clipped(url));
        let message = if one.hash == page.hash {
            format!(
                "the alternates of `{url}` name two pages for `{tag}`: `{before}` and `{target}`"
            )
        } else if two.is_language {
            format!(
                "`{url}` names `{target}` for `{tag}`, and `{one_url}`, of the same group, `{before}`"
            )
        } else if link.to == page.hash {
            format!(
                "`{url}` calls itself `{tag}`, and `{one_url}`, of the same group, calls it `{old}`"
            )
        } else {
            format!(
                "`{url}` calls `{target}` `{tag}`, and `{one_url}`, of the same group, calls it `{old}`"
            )
        };
        Finding::new(rule!("hreflang-group"), &message)
    }
}

/// Keeps the most frequent, as they may be shown.
fn sort(languages: &mut Vec<Language>) {
    languages.sort_by(|a, b| (b.links, &a.hreflang).cmp(&(a.links, &b.hreflang)));
    languages.truncate(KEPT);
    for language in languages {
        language.hreflang = shown(&language.hreflang);
    }
}

/// A hash of both ends.
fn pair(from: u64, to: u64) -> u64 {
    // An uneven factor preserves all bits; the two directions differ.
    from.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ to.rotate_left(23)
}

/// The next text of this length.
fn next<'t>(texts: &mut &'t str, len: usize) -> &'t str {
    let (text, rest) = texts.split_at_checked(len).unwrap_or_default();
    *texts = rest;
    text
}

impl Groups {
    /// The page that stands for the group of a page.
    fn of(&mut self, mut page: u64) -> u64 {
        while let Some(next) = self.0.get(&page).copied() {
            if let Some(further) = self.0.get(&next).copied() {
                self.0.insert(page, further);
            }
            page = next;
        }
        page
    }

    fn join(&mut self, one: u64, other: u64) {
        let (one, other) = (self.of(one), self.of(other));
        if one != other {
            self.0.insert(other, one);
        }
    }
}

impl Link {
    /// The link, and the part of its URL that differs from that of the page: most alternates differ in one part of the path.
    fn new<'u>(to: u64, language: u16, url: &'u str, page: &str) -> (Self, &'u str) {
        let is_shared = |pair: &(u8, u8)| pair.0 == pair.1;
        let before = url.bytes().zip(page.bytes()).take_while(is_shared).count();
        let before = u16::try_from(before).unwrap_or(u16::MAX);
        let rest = url.len().min(page.len()) - usize::from(before);
        let ends = url.bytes().rev().zip(page.bytes().rev());
        let behind = ends.take(rest).take_while(is_shared).count();
        let behind = u16::try_from(behind).unwrap_or(u16::MAX);
        let between = usize::from(before)..url.len() - usize::from(behind);
        // A URL is ASCII. What has no room is longer than a sitemap may have.
        let between = url.get(between).unwrap_or_default();
        let between = between.get(..usize::from(u16::MAX)).unwrap_or(between);
        let link = Self {
            to,
            language,
            before,
            behind,
            between: between.len() as u16,
        };
        (link, between)
    }

    fn url(&self, between: &str, page: &str) -> String {
        let before = page.get(..usize::from(self.before)).unwrap_or_default();
        let behind = page.len().saturating_sub(usize::from(self.behind));
        let behind = page.get(behind..).unwrap_or_default();
        format!("{before}{between}{behind}")
    }
}

fn unreturned_link(alternate: &str, page: &str) -> Finding {
    let (alternate, page) = (clipped(alternate), clipped(page));
    let message = format!("the alternate `{alternate}` does not link back to `{page}`");
    Finding::new(rule!("hreflang-without-return"), &message)
}

#[cfg(test)]
mod tests {
    use quick_sitemap::extension::Alternate;

    use super::*;
    use crate::source::account::Account;
    use crate::source::span::position;

    fn page(loc: &str, alternates: &[(&str, &str)]) -> UrlEntry {
        let mut page = UrlEntry::new(loc.parse().unwrap());
        for (language, href) in alternates {
            let alternate = Alternate::new(*language, href.parse().unwrap());
            page.alternates.push(alternate);
        }
        page
    }

    fn add(
        links: &mut Links,
        page: &UrlEntry,
        file: usize,
        can_have_links: bool,
        position: impl FnOnce() -> Position,
    ) {
        let hash = links.hasher.of(&page.loc).key;
        links.add(page, || hash, file, can_have_links, position);
    }

    fn at(line: u64) -> Position {
        position(0, line, 1, line).unwrap()
    }

    fn finish(pages: &[UrlEntry]) -> (Vec<String>, Languages) {
        let mut links = Links::default();
        for (page, line) in pages.iter().zip(1..) {
            add(&mut links, page, 3, true, || at(line));
        }
        let mut messages = Vec::new();
        let figures = links.finish(Account::default().all_read(), None, |file, found| {
            assert_eq!(file, 3);
            let line = found.position.unwrap().line();
            messages.push(format!("{line}: {}", found.message));
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
            (3, 2, 0)
        );
        let languages = figures.languages.iter();
        let languages: Vec<_> = languages
            .map(|language| (&*language.hreflang, language.links, language.unreturned))
            .collect();
        assert_eq!(languages[0], ("en", 4, 2));
        assert!(languages.contains(&("it", 1, 1)), "{languages:?}");
    }

    /// The messages about these pages, each with its alternates. All URLs are paths.
    fn of_group(pages: &[(&str, &[(&str, &str)])]) -> Vec<String> {
        let url = |path: &str| format!("https://e.com/{path}");
        let pages = pages.iter().map(|(loc, alternates)| {
            let alternates: Vec<_> = alternates
                .iter()
                .map(|(tag, path)| (*tag, url(path)))
                .collect();
            let alternates: Vec<_> = alternates
                .iter()
                .map(|(tag, href)| (*tag, &**href))
                .collect();
            page(&url(loc), &alternates)
        });
        let (messages, _) = finish(&pages.collect::<Vec<_>>());
        let short = |message: String| message.replace("https://e.com/", "");
        messages.into_iter().map(short).collect()
    }

    #[test]
    fn a_group_has_one_page_per_language() {
        let all = [("en", "en"), ("de", "de")];
        let with = |tag, path| [all[0], all[1], (tag, path)];
        let (at_en, at_de) = (with("x-default", "en"), with("X-Default", "de"));
        assert_eq!(
            of_group(&[("en", &at_en), ("de", &at_de)]),
            ["2: `de` names `de` for `x-default`, and `en`, of the same group, `en`"]
        );
        // Each contradiction once, whatever the number of pages.
        let pages: [(&str, &[_]); 4] = [
            ("fr", &[("en", "en"), ("fr", "fr")]),
            ("en", &with("fr", "fr")),
            ("de", &with("fr", "fr2")),
            ("fr2", &[("de", "de"), ("fr", "fr2")]),
        ];
        assert_eq!(
            of_group(&pages),
            ["3: `de` names `fr2` for `fr`, and `fr`, of the same group, `fr`"]
        );
        assert_eq!(
            of_group(&[("en", &[("en", "en"), ("EN", "uk"), ("en", "uk")])]),
            ["1: the alternates of `en` name two pages for `en`: `en` and `uk`"]
        );
    }

    #[test]
    fn a_group_has_one_language_per_page() {
        let en = [("en", "en"), ("de", "de")];
        assert_eq!(
            of_group(&[("en", &en), ("de", &[("en", "en"), ("fr", "de")])]),
            ["2: `de` calls itself `fr`, and `en`, of the same group, calls it `de`"]
        );
        let it = [("en", "en"), ("de", "de"), ("it", "x"), ("x-default", "x")];
        let es = [("en", "en"), ("de", "de"), ("es", "x"), ("es-MX", "x")];
        assert_eq!(
            of_group(&[("en", &it), ("de", &es)]),
            [
                "2: `de` calls `x` `es`, and `en`, of the same group, calls it `it`",
                "2: `de` calls `x` `es-MX`, and `en`, of the same group, calls it `it`",
            ]
        );
        // A page with several languages, some of which all name.
        let both = [
            ("en", "en"),
            ("en-GB", "en"),
            ("de", "de"),
            ("x-default", "en"),
        ];
        assert_eq!(of_group(&[("en", &both), ("de", &en)]), [""; 0]);
        // That it is the page for all others is no language.
        let other = [("de", "de"), ("x-default", "en")];
        assert_eq!(of_group(&[("en", &en), ("de", &other)]), [""; 0]);
        // So has a page that two sitemaps list, each with another one.
        let us = [("en-US", "en"), ("de", "de")];
        assert_eq!(of_group(&[("en", &en), ("en", &us), ("de", &en)]), [""; 0]);
    }

    #[test]
    fn pages_without_returned_links_are_no_group() {
        let found = of_group(&[
            ("en", &[("en", "en"), ("de", "de"), ("x-default", "en")]),
            ("de", &[("de", "de"), ("x-default", "de")]),
            ("fr", &[("fr", "fr"), ("de", "de2"), ("x-default", "fr")]),
        ]);
        assert_eq!(found, ["1: the alternate `de` does not link back to `en`"]);
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
            add(&mut links, &page(loc, &[]), 0, true, || at(1));
        }
        let others = [
            "https://e.fr/",
            "https://www.e.com/de",
            "https://e.com/%c3%a9",
            en,
        ];
        let hrefs = targets.iter().map(|(url, _)| *url).chain(others);
        let hrefs: Vec<_> = hrefs.map(|href| ("de", href)).collect();
        add(&mut links, &page(en, &hrefs), 0, true, || at(2));
        let mut found = Vec::new();
        let whole = Account::default().whole().ok();
        let figures = links.finish(Account::default().all_read(), whole, |_, finding| {
            if finding.rule == rule!("hreflang-unlisted") {
                found.push(finding.message);
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
        for page in &urls {
            for url in &urls {
                let (link, between) = Link::new(0, 0, url, page);
                assert_eq!(link.url(between, page), *url);
            }
        }
        // Both ends of a URL that is too long are kept.
        let long = "x".repeat(200_000);
        let long = format!("a{long}b");
        let (link, between) = Link::new(0, 0, &long, "ab");
        let url = link.url(between, "ab");
        assert!(url.starts_with("axx") && url.ends_with("xxb") && url.len() < 70_000);
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
            add(&mut links, &entry, 0, true, || at(1));
        }
        assert_eq!(links.links.len(), 2_000);
        let of_pages: usize = links.pages.iter().map(|page| page.len).sum();
        let of_links = links.texts.len() - of_pages + 2_000 * size_of::<Link>();
        assert!(of_links < 2_000 * 20, "{of_links}");
    }

    /// Languages beyond the bound are not told apart, so nothing is said of them.
    #[test]
    fn many_languages_are_no_contradiction() {
        let tags: Vec<_> = (0..2 * LANGUAGES)
            .map(|number| format!("x{number}"))
            .collect();
        let alternates: Vec<_> = tags.iter().map(|tag| (&**tag, &**tag)).collect();
        assert_eq!(of_group(&[("x1", &alternates)]), [""; 0]);
    }

    #[test]
    fn languages_are_bounded() {
        let mut links = Links::default();
        for number in 0..10 * LANGUAGES {
            links.language(&format!("x{number}"));
            links.language("X1");
        }
        assert_eq!(links.languages.len(), LANGUAGES + 1);
        let counts = |number: usize| links.languages[number].links;
        assert_eq!((counts(1), counts(LANGUAGES)), (3_001, 2_700));
    }
}
