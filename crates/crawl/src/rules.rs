//! The rules that decide which sitemaps may be read: hosts, depth, length of URLs, redirects, and the caller's filter.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use super::builder::{Child, CrawlBuilder};
use super::failure::Reason;
use super::text::{host, is_too_long};

/// Judges a URL with which a crawl begins, or which robots.txt names.
pub(super) fn check_start(url: &Url) -> Result<(), Reason> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Reason::OtherScheme);
    }
    if is_too_long(url) {
        return Err(Reason::UrlTooLong);
    }
    Ok(())
}

/// The rules of one crawl. They do not change after robots.txt has been read, so each index is judged by itself and the
/// result does not depend on the order in which responses arrive.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) options: CrawlBuilder,
    /// The keys of the sitemaps that robots.txt lists, or that the caller names.
    pub(super) roots: HashSet<Arc<str>>,
    /// Without `www.`.
    pub(super) hosts: HashSet<String>,
}

impl Rules {
    pub(super) fn new(options: CrawlBuilder) -> Self {
        Self {
            hosts: options.hosts.iter().cloned().collect(),
            roots: HashSet::new(),
            options,
        }
    }

    /// Sitemaps on the host of this URL belong to the site.
    pub(super) fn trust(&mut self, url: &Url) {
        self.hosts.extend(host(url));
    }

    pub(super) fn trusts(&self, url: &Url) -> bool {
        self.options.any_host || host(url).is_some_and(|host| self.hosts.contains(&host))
    }

    /// Judges a sitemap that an index lists. A sitemap that the site itself names can be anywhere, and so can those that it
    /// lists on its own host, which is `beside`.
    pub(super) fn child(&self, child: &Child<'_>, beside: Option<&str>) -> Result<(), Reason> {
        if is_too_long(child.url) {
            return Err(Reason::UrlTooLong);
        }
        if let Some(filter) = &self.options.filter
            && !filter.0(child)
        {
            return Err(Reason::Rejected);
        }
        let is_beside = || beside.is_some() && host(child.url).as_deref() == beside;
        if !self.trusts(child.url) && !is_beside() {
            return Err(Reason::OtherHost);
        }
        if child.depth > u32::from(self.options.max_depth) {
            return Err(Reason::TooDeep);
        }
        Ok(())
    }

    /// Judges a redirect. `listed` is the sitemap's own URL. A sitemap that the site itself names can be anywhere.
    pub(super) fn redirect(
        &self,
        from: &Url,
        to: &Url,
        listed: &Url,
        depth: u16,
    ) -> Result<(), Reason> {
        match (from.scheme(), to.scheme()) {
            ("https", "http") if !self.options.allow_downgrade => Err(Reason::Downgrade),
            (_, "http" | "https") if depth <= 1 || self.trusts(to) || host(to) == host(listed) => {
                Ok(())
            }
            (_, "http" | "https") => Err(Reason::OtherHost),
            _ => Err(Reason::BadRedirect),
        }
    }
}
