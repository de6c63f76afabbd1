//! Which site a sitemap may list: the one place that says so.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use url::Url;

use super::Answer;
use crate::identity::page_key;

/// Pairs of an index and a sitemap that are kept. Beyond that, nobody can say that a page may not be listed.
const MAX_PAIRS: usize = 1_000_000;

/// The [keys](page_key) of sitemaps, each with something that belongs to it.
type Pairs = BTreeSet<(Arc<str>, Arc<str>)>;

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
    /// With the indexes that list them.
    indexes: Pairs,
    /// With the sites whose robots.txt names them.
    named: Pairs,
    /// With the sites where they were found.
    found: Pairs,
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
            let hosts = self.asked.entry(Arc::clone(&name)).or_default();
            for sitemap in rules.sitemaps(&robots) {
                hosts.extend(sitemap.host_str().map(str::to_owned));
                let pair = (page_key(&sitemap).into(), Arc::clone(&name));
                self.named.insert(pair);
            }
        }
    }

    /// Adds that an index lists a sitemap.
    pub fn lists(&mut self, index: &Url, sitemap: &Url) {
        self.pair(page_key(index).into(), page_key(sitemap).into());
    }

    /// The same, with the keys of both.
    pub(crate) fn pair(&mut self, index: Arc<str>, sitemap: Arc<str>) {
        if self.indexes.len() < MAX_PAIRS {
            self.indexes.insert((sitemap, index));
        } else {
            self.is_cut = true;
        }
    }

    /// Adds that redirects have led from a sitemap to this URL.
    pub fn found_at(&mut self, sitemap: &Url, location: &Url) {
        if sitemap.origin() != location.origin() {
            let pair = (page_key(sitemap).into(), origin(location));
            self.found.insert(pair);
        }
    }

    /// Returns whether a sitemap may list a page. `sitemap` is the URL under which it is listed.
    ///
    /// Returns `None` if that is not known: the robots.txt of the page's site was not added, or it names other sitemaps on the
    /// host of this one, which may be indexes that list it.
    #[must_use]
    pub fn may_list(&self, sitemap: &Url, page: &Url) -> Option<bool> {
        let site = origin(page);
        if sitemap.origin() == page.origin() || self.sites(sitemap).contains(&site) {
            return Some(true);
        }
        let hosts = self.asked.get(&site)?;
        let is_near = sitemap.host_str().is_some_and(|host| hosts.contains(host));
        (!is_near && !self.is_cut).then_some(false)
    }

    /// Returns the sites in addition to its own that a sitemap may list.
    pub(crate) fn sites(&self, sitemap: &Url) -> BTreeSet<Arc<str>> {
        let sitemap: Arc<str> = page_key(sitemap).into();
        let mut sites: BTreeSet<_> = of(&self.found, &sitemap).collect();
        // The sitemap, and the indexes that list it, in any number of levels.
        let (mut above, mut left) = (BTreeSet::new(), vec![sitemap]);
        while let Some(document) = left.pop() {
            if above.insert(Arc::clone(&document)) {
                sites.extend(of(&self.named, &document));
                left.extend(of(&self.indexes, &document));
            }
        }
        sites
    }
}

/// What belongs to a sitemap.
fn of<'p>(pairs: &'p Pairs, sitemap: &Arc<str>) -> impl Iterator<Item = Arc<str>> + use<'p> {
    let (sitemap, first) = (Arc::clone(sitemap), Arc::from(""));
    let pairs = pairs.range((Arc::clone(&sitemap), first)..);
    let pairs = pairs.take_while(move |pair| pair.0 == sitemap);
    pairs.map(|pair| Arc::clone(&pair.1))
}

/// The scheme, the host and the port of a URL.
fn origin(url: &Url) -> Arc<str> {
    url.origin().ascii_serialization().into()
}
