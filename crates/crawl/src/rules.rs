//! The rules that decide which sitemaps may be read: hosts, depth, length of URLs, redirects, and the caller's filter.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use super::builder::{Child, CrawlBuilder};
use super::failure::{Failure, Reason};
use super::request::{Request, Response};
use super::text::{bare, is_too_long, site_key};

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
    /// The options. Its `hosts` are the trusted ones.
    pub(super) options: CrawlBuilder,
    /// The keys of the sitemaps that robots.txt lists, or that the caller names.
    pub(super) roots: HashSet<Arc<str>>,
}

impl Rules {
    /// Sitemaps on the host and port of this URL belong to the site.
    pub(super) fn trust(&mut self, url: &Url) {
        self.options.hosts.insert(site_key(url).to_owned());
    }

    pub(super) fn trusts(&self, url: &Url) -> bool {
        self.options.any_host || self.options.hosts.contains(site_key(url))
    }

    /// Decides whether a listed sitemap is read. A sitemap that the site itself names can be on any host. The sitemaps that it
    /// lists can be on the same host and port, which are `beside`.
    pub(super) fn child(&self, child: &Child<'_>, beside: Option<&str>) -> Result<(), Reason> {
        let is_beside = || beside == Some(site_key(child.url));
        let filter = self.options.filter.as_ref();
        check_start(child.url)?;
        if child.depth <= 1 {
            Ok(())
        } else if filter.is_some_and(|filter| !filter(child)) {
            Err(Reason::Rejected)
        } else if !self.trusts(child.url) && !is_beside() {
            Err(Reason::OtherHost)
        } else if child.depth > u32::from(self.options.max_depth) {
            Err(Reason::TooDeep)
        } else {
            Ok(())
        }
    }

    /// Returns the target of a redirect from this URL.
    pub(super) fn target(
        &self,
        response: &Response,
        from: &Url,
        request: &Request,
    ) -> Result<Url, Failure> {
        let target = response.location.as_deref().unwrap_or_default();
        let to = from.join(target).ok();
        let to = to.filter(|_| !target.trim().is_empty());
        let bad = || Failure::new(Reason::BadRedirect).with_location(target);
        let to = bare(&to.ok_or_else(bad)?);
        if is_too_long(&to) {
            return Err(Failure::new(Reason::UrlTooLong));
        }
        self.redirect(from, &to, request).map(|()| to)
    }

    /// Decides whether a redirect is followed. A sitemap that the site itself names can redirect to any host.
    pub(super) fn redirect(&self, from: &Url, to: &Url, request: &Request) -> Result<(), Failure> {
        let is_near =
            || request.depth <= 1 || self.trusts(to) || site_key(to) == site_key(&request.sitemap);
        let reason = match (from.scheme(), to.scheme()) {
            ("https", "http") if !self.options.allow_downgrade => Reason::Downgrade,
            (_, "http" | "https") if is_near() => return Ok(()),
            (_, "http" | "https") => Reason::OtherHost,
            _ => Reason::BadRedirect,
        };
        Err(Failure::new(reason).with_location(to.as_str()))
    }
}
