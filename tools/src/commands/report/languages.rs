//! Alternates: links between languages, and those that are not returned.
//!
//! A link is kept as two hashes. If there are too many links, a sample is compared: of two pages that link to each other,
//! either both links are in it or none.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::rc::Rc;

use quick_sitemap::url::Url;
use quick_sitemap::{Position, UrlEntry};

use super::model::{Example, Language, LanguageLink, Languages};
use super::text::{OTHERS, shown};
use crate::judge::advice::without_return;

/// Links that are compared.
const LINKS: usize = 1 << 20;
/// Links whose URLs are kept, for examples.
const TEXTS: usize = 20_000;
/// Examples, and how many of them may be of one sitemap.
const EXAMPLES: usize = 4;
const OF_SITEMAP: usize = 2;
/// Pages that are known to be listed.
const PAGES: usize = 1 << 22;
/// Languages that are told apart.
const LANGUAGES: usize = 300;
/// Languages of the report, the commonest.
const KEPT: usize = 60;
/// Languages of the matrix.
const IN_MATRIX: usize = 16;

type Number = u16;

#[derive(Debug, Default)]
pub(super) struct Links {
    hasher: RandomState,
    pages: u64,
    numbers: HashMap<String, Number>,
    /// As the first page writes it, and the number of links to it.
    languages: Vec<(String, u64)>,
    pairs: HashMap<(Number, Number), u64>,
    links: Vec<Link>,
    listed: Vec<u64>,
    texts: Vec<Text>,
    /// One of 2 to the power of this many links is kept, and the URLs of one of so many.
    halvings: u32,
    text_halvings: u32,
}

/// Where a page is listed.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    /// The sitemap as a number in the table.
    pub(super) number: Option<usize>,
    pub(super) name: Rc<str>,
    pub(super) position: Option<Position>,
}

/// A link as an example shows it.
#[derive(Debug)]
struct Text {
    link: Link,
    page: Rc<str>,
    alternate: String,
    listing: Listing,
}

/// Links to pages that were read and do not link back.
#[derive(Debug, Default)]
pub(super) struct Unreturned {
    pub(super) count: u64,
    /// By the number of the sitemap; `None` for those that came too late for the table.
    pub(super) sitemaps: HashMap<Option<usize>, u64>,
    pub(super) examples: Vec<Example>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    from: u64,
    to: u64,
    languages: (Number, Number),
    /// As a number in the table.
    sitemap: u32,
}

/// Of a sitemap that is not in the table.
const NOT_IN_TABLE: u32 = u32::MAX;

impl Links {
    pub(super) fn add(&mut self, page: &UrlEntry, listing: &Listing) {
        let from = self.hash(&page.loc);
        if self.listed.len() < PAGES {
            self.listed.push(from);
        }
        if page.alternates.is_empty() {
            return;
        }
        self.pages += 1;
        let own = page.alternates.iter().find(|alternate| {
            alternate.href == page.loc && !is_default(alternate.hreflang.as_str())
        });
        let own = own.map_or("", |alternate| alternate.hreflang.as_str());
        let own = self.number(own);
        for alternate in &page.alternates {
            let language = self.number(alternate.hreflang.as_str());
            if let Some((_, links)) = self.languages.get_mut(usize::from(language)) {
                *links += 1;
            }
            if alternate.href != page.loc {
                *self.pairs.entry((own, language)).or_default() += 1;
                let sitemap = listing.number.and_then(|number| u32::try_from(number).ok());
                let link = Link {
                    from,
                    to: self.hash(&alternate.href),
                    languages: (own, language),
                    sitemap: sitemap.unwrap_or(NOT_IN_TABLE),
                };
                self.keep(link);
                self.keep_text(link, page, &alternate.href, listing);
            }
        }
    }

    fn hash(&self, url: &Url) -> u64 {
        self.hasher.hash_one(url.as_str())
    }

    fn number(&mut self, language: &str) -> Number {
        let key = language.to_ascii_lowercase();
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let (key, name) = match self.languages.len() < LANGUAGES {
            true => (key, shown(language)),
            false => (OTHERS.to_owned(), OTHERS.to_owned()),
        };
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = Number::try_from(self.languages.len()).unwrap_or(Number::MAX);
        self.languages.push((name, 0));
        self.numbers.insert(key, number);
        number
    }

    fn keep(&mut self, link: Link) {
        if !is_in_sample(&link, self.halvings) {
            return;
        }
        if self.links.len() >= LINKS {
            self.halvings += 1;
            let halvings = self.halvings;
            self.links.retain(|link| is_in_sample(link, halvings));
            return self.keep(link);
        }
        self.links.push(link);
    }

    fn keep_text(&mut self, link: Link, page: &UrlEntry, alternate: &Url, listing: &Listing) {
        if !is_in_sample(&link, self.text_halvings.max(self.halvings)) {
            return;
        }
        while self.texts.len() >= TEXTS {
            self.text_halvings += 1;
            let halvings = self.text_halvings;
            self.texts.retain(|text| is_in_sample(&text.link, halvings));
            if !is_in_sample(&link, halvings) {
                return;
            }
        }
        self.texts.push(Text {
            link,
            page: shown(page.loc.as_str()).into(),
            alternate: shown(alternate.as_str()),
            listing: listing.clone(),
        });
    }

    pub(super) fn finish(mut self) -> (Languages, Unreturned) {
        self.links.sort_unstable();
        self.listed.sort_unstable();
        let (mut unreturned, mut unlisted) = (Unreturned::default(), 0);
        let mut of_pairs: HashMap<(Number, Number), u64> = HashMap::new();
        let mut before = None;
        for link in &self.links {
            let is_new = before.replace((link.from, link.to)) != Some((link.from, link.to));
            if !self.lists(link) {
                // If not all pages are known, nothing can be said.
                unlisted += u64::from(is_new && self.listed.len() < PAGES);
                continue;
            }
            if !self.returns(link) {
                *of_pairs.entry(link.languages).or_default() += 1;
                if is_new {
                    let sitemap = (link.sitemap != NOT_IN_TABLE).then_some(link.sitemap as usize);
                    unreturned.count += 1;
                    *unreturned.sitemaps.entry(sitemap).or_default() += 1;
                }
            }
        }
        unreturned.examples = self.examples();
        let mut order: Vec<(Number, &(String, u64))> = (0..).zip(&self.languages).collect();
        order.sort_by(|(_, (a_name, a)), (_, (b_name, b))| {
            b.cmp(a).then_with(|| a_name.cmp(b_name))
        });
        let in_matrix: Vec<Number> = order
            .iter()
            .take(IN_MATRIX)
            .map(|(number, _)| *number)
            .collect();
        let has_place = |number: &Number| in_matrix.contains(number) || self.is_unnamed(*number);
        let name = |number: Number| {
            let language = self.languages.get(usize::from(number));
            language.map_or(String::new(), |(name, _)| name.clone())
        };
        let mut links: Vec<_> = self
            .pairs
            .iter()
            .filter(|((from, to), _)| has_place(from) && has_place(to))
            .map(|(pair, links)| LanguageLink {
                from: name(pair.0),
                to: name(pair.1),
                links: *links,
                unreturned: of_pairs.get(pair).copied().unwrap_or(0),
            })
            .collect();
        links.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
        let languages = Languages {
            pages: self.pages,
            languages: order
                .iter()
                .filter(|(_, (_, links))| *links > 0)
                .take(KEPT)
                .map(|(_, (name, links))| Language {
                    hreflang: name.clone(),
                    links: *links,
                })
                .collect(),
            links,
            unreturned: unreturned.count,
            unlisted,
            compared: (self.halvings > 0).then_some(self.links.len() as u64),
        };
        (languages, unreturned)
    }

    /// Whether the page that it leads to was read. The pages are sorted.
    fn lists(&self, link: &Link) -> bool {
        self.listed.binary_search(&link.to).is_ok()
    }

    /// Whether there is a link back. The links are sorted.
    fn returns(&self, link: &Link) -> bool {
        let back = |other: &Link| (other.from, other.to).cmp(&(link.to, link.from));
        self.links.binary_search_by(back).is_ok()
    }

    fn examples(&self) -> Vec<Example> {
        let mut examples: Vec<Example> = Vec::new();
        let unreturned = |text: &&Text| {
            let link = &text.link;
            is_in_sample(link, self.halvings) && self.lists(link) && !self.returns(link)
        };
        for text in self.texts.iter().filter(unreturned) {
            let name = &*text.listing.name;
            let here = examples.iter().filter(|example| example.sitemap == name);
            if here.count() >= OF_SITEMAP {
                continue;
            }
            examples.push(Example {
                sitemap: name.to_owned(),
                line: text.listing.position.map(|position| position.line()),
                column: text.listing.position.map(|position| position.column()),
                message: without_return(&text.page, &text.alternate),
                excerpt: None,
                marked: None,
            });
            if examples.len() >= EXAMPLES {
                break;
            }
        }
        examples
    }

    /// That of pages that do not name themselves.
    fn is_unnamed(&self, number: Number) -> bool {
        let language = self.languages.get(usize::from(number));
        language.is_some_and(|(name, _)| name.is_empty())
    }
}

fn is_default(hreflang: &str) -> bool {
    hreflang.eq_ignore_ascii_case("x-default")
}

/// The same for a link and for the one back.
fn is_in_sample(link: &Link, halvings: u32) -> bool {
    let mixed = (link.from ^ link.to).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed.checked_shr(u64::BITS - halvings).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use quick_sitemap::Alternate;

    use super::*;

    fn page(loc: &str, alternates: &[(&str, &str)]) -> UrlEntry {
        let mut page = UrlEntry::new(loc.parse().unwrap());
        for (language, href) in alternates {
            page.alternates
                .push(Alternate::new(*language, href.parse().unwrap()));
        }
        page
    }

    #[test]
    fn links_come_back_or_not() {
        let (en, de, fr) = ("https://e.com/en", "https://e.com/de", "https://e.com/fr");
        let listing = Listing {
            number: Some(3),
            name: "s.xml".into(),
            position: None,
        };
        let mut links = Links::default();
        for page in [
            page(en, &[("x-default", en), ("en", en), ("de", de), ("fr", fr)]),
            page(de, &[("DE", de), ("en", en), ("x-default", en)]),
            page("https://e.com/it", &[("en", en)]),
        ] {
            links.add(&page, &listing);
        }
        let (found, unreturned) = links.finish();
        assert_eq!(unreturned.sitemaps, HashMap::from([(Some(3), 1)]));
        let message = &unreturned.examples[0].message;
        assert_eq!(
            message,
            "the alternate `https://e.com/en` does not link back to `https://e.com/it`"
        );
        assert_eq!((found.pages, found.unreturned, found.unlisted), (3, 1, 1));
        assert_eq!(found.compared, None);
        let pairs: Vec<_> = found
            .links
            .iter()
            .map(|link| {
                (
                    link.from.as_str(),
                    link.to.as_str(),
                    link.links,
                    link.unreturned,
                )
            })
            .collect();
        assert_eq!(
            pairs,
            [
                ("", "en", 1, 1),
                ("de", "en", 1, 0),
                ("de", "x-default", 1, 0),
                ("en", "de", 1, 0),
                ("en", "fr", 1, 0),
            ]
        );
        assert_eq!(found.languages[0].hreflang, "en");
        assert_eq!(found.languages[0].links, 3);
    }

    #[test]
    fn a_sample_of_too_many_is_compared_with_its_returns() {
        let mut links = Links::default();
        for number in 0..LINKS as u64 {
            let (en, de) = (
                format!("https://e.com/en/{number}"),
                format!("https://e.com/de/{number}"),
            );
            let hash = |text: &String| links.hasher.hash_one(text.as_str());
            let (from, to) = (hash(&en), hash(&de));
            links.listed.extend([from, to]);
            // Every fourth link does not come back.
            links.keep(Link {
                from,
                to,
                languages: (0, 1),
                sitemap: 0,
            });
            if number % 4 > 0 {
                links.keep(Link {
                    from: to,
                    to: from,
                    languages: (1, 0),
                    sitemap: 0,
                });
            }
        }
        let kept = links.links.len() as f64;
        assert!(links.links.len() <= LINKS && links.halvings == 1, "{kept}");
        let (found, _) = links.finish();
        assert_eq!(found.compared, Some(kept as u64));
        let share = found.unreturned as f64 / kept;
        assert!((0.13..0.16).contains(&share), "{share}");
        assert_eq!(found.unlisted, 0);
    }
}
