//! Which sitemap may list the pages of a host: what the robots.txt of the hosts says, which are asked when a page needs it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::Listings;
use quick_sitemap_crawl::same_page;

use crate::net::driver::{self, Driver, Next};
use crate::net::fetch::Fetcher;
use crate::net::robots::SiteRobots;
use crate::term::address::Address;
use crate::term::messages::Messages;

/// Hosts of pages that are asked for their robots.txt.
const ASKED: usize = 10;
/// Indexes that are searched for a sitemap which robots.txt does not name itself.
const SEARCHED: usize = 5;

/// The hosts of one crawl.
pub(crate) struct Hosts {
    address: Address,
    fetcher: Arc<Fetcher>,
    messages: Messages,
    /// The hosts of pages are asked, which must not be if their pages are not to be requested.
    asks: bool,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    listings: Listings,
    /// The sites that were asked.
    asked: BTreeSet<String>,
    /// The sites whose robots.txt names indexes that were all searched.
    searched: BTreeSet<String>,
    /// Sites of which it is not known whether they allow their pages to be listed, and why.
    unknown: BTreeMap<String, String>,
}

impl Hosts {
    pub(crate) fn new(driver: &Driver, asks: bool, messages: &Messages) -> Self {
        Self {
            address: driver.address.clone(),
            fetcher: Arc::clone(&driver.fetcher),
            messages: *messages,
            asks,
            known: RefCell::default(),
        }
    }

    /// Adds the answer of a site.
    pub(crate) fn add(&self, robots: &SiteRobots) {
        let mut known = self.known.borrow_mut();
        known.listings.add(&robots.site, &robots.answer);
        known.asked.insert(origin(&robots.site));
    }

    /// Adds a sitemap that is read, which the index `parent` lists, and which was found at this URL.
    pub(crate) fn read(&self, sitemap: &Url, parent: Option<&str>, location: &Url) {
        let listings = &mut self.known.borrow_mut().listings;
        if let Some(Ok(parent)) = parent.map(str::parse) {
            listings.lists(&parent, sitemap);
        }
        listings.found_at(sitemap, location);
    }

    /// The answer of the site of a URL, if it was asked.
    pub(crate) fn robots(&self, url: &Url) -> Option<Arc<SiteRobots>> {
        let is_asked = self.known.borrow().asked.contains(&origin(url));
        is_asked.then(|| self.request(url)).flatten()
    }

    /// Asks the site of a single sitemap. Returns its robots.txt, and `true` if that names the sitemap, or an index that lists
    /// it: then the sitemap may list all pages of the site.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    pub(crate) fn ask_own(&self) -> anyhow::Result<Option<(Arc<SiteRobots>, bool)>> {
        let url = self.address.url();
        let Some(robots) = self.request(url) else {
            return Ok(None);
        };
        self.add(&robots);
        let is_named = robots.sitemaps().any(|named| same_page(&named, url));
        let is_listed = is_named || self.search(&robots, url)?;
        Ok(Some((robots, is_listed)))
    }

    /// Returns whether a sitemap may list a page, for which the site of the page may be asked; `None` if that is not known.
    pub(crate) fn may_list(&self, sitemap: &Url, page: &Url) -> Option<bool> {
        let site = origin(page);
        let may = || {
            let known = self.known.borrow();
            let may = known.listings.may_list(sitemap, page);
            may.or(known.searched.contains(&site).then_some(false))
        };
        let is_asked = !self.asks || self.known.borrow().asked.contains(&site);
        if is_asked || may().is_some() {
            return may();
        }
        let asked = self.ask_site(page, sitemap);
        let may = may();
        if may.is_none() {
            let near =
                "its robots.txt names sitemaps on the host of the sitemap, which may list it";
            let why = asked.err().unwrap_or_else(|| near.to_owned());
            self.known.borrow_mut().unknown.entry(site).or_insert(why);
        }
        may
    }

    /// Asks the site of a page, and the indexes that its robots.txt names near the sitemap.
    ///
    /// # Errors
    ///
    /// The reason why that does not say who may list its pages.
    fn ask_site(&self, page: &Url, sitemap: &Url) -> Result<(), String> {
        if self.known.borrow().asked.len() > ASKED {
            return Err(format!(
                "only the robots.txt of {ASKED} hosts of pages are requested"
            ));
        }
        let robots = self.request(page).ok_or("interrupted")?;
        self.add(&robots);
        if robots.answer.rules().is_none() && !robots.answer.is_gone() {
            let why = robots.why.as_deref().unwrap_or_default();
            return Err(format!("its robots.txt cannot be read: {why}"));
        }
        let searched = self.search(&robots, sitemap);
        searched.map(drop).map_err(|error| format!("{error:#}"))
    }

    /// Requests the robots.txt of the site of a URL.
    fn request(&self, url: &Url) -> Option<Arc<SiteRobots>> {
        let site = if self.address.is_origin_of(url) {
            self.address.clone()
        } else {
            Address::new(url.join("/").ok()?)
        };
        driver::robots(&site, &self.fetcher, &self.messages)
    }

    /// Reads the indexes that robots.txt names on the host of a sitemap. Returns `true` if one lists it.
    fn search(&self, robots: &SiteRobots, sitemap: &Url) -> anyhow::Result<bool> {
        let is_near = |index: &Url| index.host_str() == sitemap.host_str();
        let near: Vec<_> = robots.sitemaps().filter(is_near).collect();
        // The sitemap that is being read is a request at work to this host.
        let builder = driver::builder(&self.fetcher).per_host(usize::MAX);
        let crawl = builder.max_depth(1);
        let crawl = crawl.sitemaps(near.iter().take(SEARCHED).cloned());
        let fetcher = Arc::clone(&self.fetcher);
        let mut search = Driver::new(crawl, &self.address, fetcher, 1, &self.messages);
        let mut is_whole = near.len() <= SEARCHED;
        while let Some(next) = search.next()? {
            let Next::Document(document) = next else {
                is_whole = false;
                continue;
            };
            let index = document.sitemap.clone();
            let Some(parts) = search.children(*document)? else {
                is_whole = false;
                continue;
            };
            if let Some(part) = parts.iter().find(|part| same_page(part, sitemap)) {
                let listings = &mut self.known.borrow_mut().listings;
                listings.lists(&index, part);
                return Ok(true);
            }
        }
        if is_whole {
            self.known
                .borrow_mut()
                .searched
                .insert(origin(&robots.site));
        }
        Ok(false)
    }

    /// Reports the sites of which it is not known whether they allow their pages to be listed, one note a site.
    pub(crate) fn print_unknown(&self) {
        for (site, why) in &self.known.borrow().unknown {
            self.messages.note(format_args!(
                "{site}: whether its pages may be listed is not known: {why}"
            ));
        }
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}
