//! Which sitemap may list the pages of a host: what the robots.txt of the hosts says, which are asked when a page needs it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::{Answer, Listings};
use quick_sitemap_crawl::same_page;

use crate::net::driver::{self, Driver, Next, SiteRobots};
use crate::net::fetch::Fetcher;
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
    /// By the origin of the site that was asked.
    answers: HashMap<String, SiteRobots>,
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
        known.answers.insert(origin(&robots.site), robots.clone());
    }

    /// Adds that an index lists a sitemap.
    fn lists(&self, index: &Url, sitemap: &Url) {
        self.known.borrow_mut().listings.lists(index, sitemap);
    }

    /// Adds a sitemap that is read, which the index `parent` lists, and which was found at this URL.
    pub(crate) fn read(&self, sitemap: &Url, parent: Option<&str>, location: &Url) {
        if let Some(Ok(parent)) = parent.map(str::parse) {
            self.lists(&parent, sitemap);
        }
        self.known.borrow_mut().listings.found_at(sitemap, location);
    }

    /// The answer of the site of a URL, if it was asked.
    pub(crate) fn answer(&self, url: &Url) -> Option<Arc<Answer>> {
        let known = self.known.borrow();
        let robots = known.answers.get(&origin(url))?;
        Some(Arc::clone(&robots.answer))
    }

    /// Asks the site of a single sitemap. Returns its robots.txt, and `true` if that names the sitemap, or an index that lists
    /// it: then the sitemap may list all pages of the site.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    pub(crate) fn ask_own(&self) -> anyhow::Result<Option<(SiteRobots, bool)>> {
        let url = self.address.url().clone();
        let Some(robots) = self.ask(&self.address)? else {
            return Ok(None);
        };
        let is_named = robots.sitemaps().any(|named| same_page(&named, &url));
        let is_listed = is_named || self.search(&robots, &url)?;
        Ok(Some((robots, is_listed)))
    }

    /// Returns whether a sitemap may list a page, for which the site of the page may be asked; `None` if that is not known.
    pub(crate) fn may_list(&self, sitemap: &Url, page: &Url) -> Option<bool> {
        let site = origin(page);
        let known = |known: &Known| match known.listings.may_list(sitemap, page) {
            None if known.searched.contains(&site) => Some(false),
            may => may,
        };
        let may = known(&self.known.borrow());
        let is_asked = self.known.borrow().answers.contains_key(&site);
        if may.is_some() || !self.asks || is_asked {
            return may;
        }
        if let Err(why) = self.ask_site(page, sitemap) {
            self.known.borrow_mut().unknown.entry(site).or_insert(why);
            return None;
        }
        let may = known(&self.known.borrow());
        if may.is_none() {
            let why = "its robots.txt names sitemaps on the host of the sitemap, which may list it";
            let mut known = self.known.borrow_mut();
            known.unknown.entry(site).or_insert_with(|| why.to_owned());
        }
        may
    }

    /// Asks the site of a page, and the indexes that its robots.txt names near the sitemap.
    ///
    /// # Errors
    ///
    /// The reason why that does not say who may list its pages.
    fn ask_site(&self, page: &Url, sitemap: &Url) -> Result<(), String> {
        if self.known.borrow().answers.len() > ASKED {
            return Err(format!(
                "only the robots.txt of {ASKED} hosts of pages are requested"
            ));
        }
        let place = page.join("/").map_err(|error| error.to_string())?;
        let asked = self.ask(&Address::new(place));
        let robots = asked.map_err(|error| format!("{error:#}"))?;
        let robots = robots.ok_or("interrupted")?;
        if robots.answer.rules().is_none() && !robots.answer.is_gone() {
            let why = robots.why.unwrap_or_default();
            return Err(format!("its robots.txt cannot be read: {why}"));
        }
        let searched = self.search(&robots, sitemap);
        searched.map(drop).map_err(|error| format!("{error:#}"))
    }

    /// Requests the robots.txt of a site.
    fn ask(&self, site: &Address) -> anyhow::Result<Option<SiteRobots>> {
        let robots = driver::robots(site, &self.fetcher, &self.messages)?;
        if let Some(robots) = &robots {
            self.add(robots);
        }
        Ok(robots)
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
                self.lists(&index, part);
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
