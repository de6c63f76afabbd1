//! Which site a sitemap may list: the one place that says so.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use url::Url;

use super::Answer;
use crate::identity::page_key;

/// Pairs of an index and a sitemap that are kept. Beyond that, nobody can say that a page may not be listed.
const MAX_PAIRS: usize = 1_000_000;

/// Which site a sitemap may list.
///
/// A site is a scheme, a host and a port. A sitemap may list pages of its own site: that of its URL, and that of the URL where
/// it was [found](Self::found_at) after redirects. It may also list pages of each site whose robots.txt names it, or names an
/// index that lists it, in any number of levels. The source is
/// [sitemaps.org](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
///
/// [`Crawl::listings`](crate::Crawl::listings) returns what a crawl has found. To ask more robots.txt, clone that value, and
/// [add](Self::add) the answers.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::Response;
/// use quick_sitemap_crawl::robots::{Answer, Listings};
///
/// let url = |text: &str| Url::parse(text).unwrap();
/// let (sitemap, page) = (url("https://cdn.example.net/a.xml"), url("https://example.com/1"));
/// let mut listings = Listings::default();
/// assert_eq!(listings.may_list(&sitemap, &page), None); // example.com was not asked
///
/// let robots = b"Sitemap: https://cdn.example.net/index.xml";
/// listings.add(&url("https://example.com/"), &Answer::new(&Response::new(200), robots));
/// listings.lists(&url("https://cdn.example.net/index.xml"), &sitemap);
/// assert_eq!(listings.may_list(&sitemap, &page), Some(true));
/// assert_eq!(listings.may_list(&url("https://example.org/b.xml"), &page), Some(false));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Listings {
    /// The numbers of sitemaps, by their [keys](page_key).
    numbers: HashMap<Arc<str>, u32>,
    /// Sitemaps, each with an index that lists it.
    pairs: BTreeSet<(u32, u32)>,
    /// Sitemaps, each with a site whose robots.txt names it.
    named: BTreeSet<(u32, Arc<str>)>,
    /// Sitemaps, each with the site where it was found.
    found: BTreeSet<(u32, Arc<str>)>,
    /// The sites whose robots.txt could be read or does not exist, each with the hosts of the sitemaps that it names.
    asked: HashMap<Arc<str>, BTreeSet<String>>,
    is_cut: bool,
}

impl Listings {
    /// Adds the answer of a site to the request for its robots.txt. An answer from which the sitemaps are not known has no
    /// effect.
    pub fn add(&mut self, site: &Url, answer: &Answer) {
        let name = origin(site);
        if answer.is_gone() {
            self.asked.entry(name).or_default();
        } else if let Some(rules) = answer.rules()
            && let Ok(robots) = site.join("/robots.txt")
        {
            let mut hosts = BTreeSet::new();
            for sitemap in rules.sitemaps(&robots) {
                let number = self.number(page_key(&sitemap).into());
                self.named.insert((number, Arc::clone(&name)));
                hosts.extend(sitemap.host_str().map(str::to_owned));
            }
            self.asked.entry(name).or_default().extend(hosts);
        }
    }

    /// Adds that an index lists a sitemap.
    pub fn lists(&mut self, index: &Url, sitemap: &Url) {
        self.pair(page_key(index).into(), page_key(sitemap).into());
    }

    /// The same, with the keys of both.
    pub(crate) fn pair(&mut self, index: Arc<str>, sitemap: Arc<str>) {
        if self.pairs.len() >= MAX_PAIRS {
            self.is_cut = true;
            return;
        }
        let pair = (self.number(sitemap), self.number(index));
        self.pairs.insert(pair);
    }

    /// Adds that redirects have led from a sitemap to this URL.
    pub fn found_at(&mut self, sitemap: &Url, location: &Url) {
        if sitemap.origin() != location.origin() {
            let number = self.number(page_key(sitemap).into());
            self.found.insert((number, origin(location)));
        }
    }

    /// Returns whether a sitemap may list a page. `sitemap` is the URL under which it is listed.
    ///
    /// Returns `None` if that is not known: the robots.txt of the page's site was not added, or it names other sitemaps on the
    /// host of this one, which may be indexes that list it.
    #[must_use]
    pub fn may_list(&self, sitemap: &Url, page: &Url) -> Option<bool> {
        if sitemap.origin() == page.origin() {
            return Some(true);
        }
        let site = origin(page);
        let number = self.numbers.get(&*page_key(sitemap)).copied();
        let is_found = |number| self.found.contains(&(number, Arc::clone(&site)));
        if number.is_some_and(is_found) {
            return Some(true);
        }
        let is_named = |above: u32| self.named.contains(&(above, Arc::clone(&site)));
        if self.above(number).into_iter().any(is_named) {
            return Some(true);
        }
        let hosts = self.asked.get(&site)?;
        let is_near = sitemap.host_str().is_some_and(|host| hosts.contains(host));
        (!is_near && !self.is_cut).then_some(false)
    }

    /// Returns the sites in addition to its own that a sitemap may list.
    pub(crate) fn sites(&self, sitemap: &Url) -> BTreeSet<Arc<str>> {
        let number = self.numbers.get(&*page_key(sitemap)).copied();
        let of = |pairs: &BTreeSet<(u32, Arc<str>)>, number: u32| -> Vec<Arc<str>> {
            let from = (number, Arc::from(""));
            let pairs = pairs.range(from..).take_while(|pair| pair.0 == number);
            pairs.map(|(_, site)| Arc::clone(site)).collect()
        };
        let above = self.above(number).into_iter();
        let named = above.flat_map(|above| of(&self.named, above));
        let found = number
            .into_iter()
            .flat_map(|number| of(&self.found, number));
        named.chain(found).collect()
    }

    /// The sitemap, and the indexes that list it, in any number of levels.
    fn above(&self, number: Option<u32>) -> BTreeSet<u32> {
        let mut left: Vec<u32> = number.into_iter().collect();
        let mut all = BTreeSet::new();
        while let Some(number) = left.pop() {
            if all.insert(number) {
                let pairs = self.pairs.range((number, 0)..=(number, u32::MAX));
                left.extend(pairs.map(|(_, index)| *index));
            }
        }
        all
    }

    /// The number of a sitemap with this key, which is new if it has none.
    fn number(&mut self, key: Arc<str>) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(key).or_insert(next)
    }
}

/// The scheme, the host and the port of a URL.
fn origin(url: &Url) -> Arc<str> {
    url.origin().ascii_serialization().into()
}
