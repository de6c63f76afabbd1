//! Which sitemaps may be read: hosts, depth, length of URLs, redirects, and what the caller rejects.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use url::Url;

use crate::value::W3cDatetime;

use super::digest::Digester;
use super::failure::Refusal;
use super::left_out::Reason;
use super::text::{host, is_too_long};

/// Which children of an index are read.
pub(super) type Accept = dyn Fn(&Url, Option<W3cDatetime>) -> bool + Send + Sync;

/// The rules of one crawl. They do not change after robots.txt has been read, so each index is judged by itself and the
/// result does not depend on the order in which responses arrive.
#[derive(Clone)]
pub(super) struct Judge {
    pub(super) digester: Digester,
    pub(super) max_depth: u16,
    pub(super) max_sitemaps: usize,
    pub(super) is_any_host: bool,
    pub(super) may_downgrade: bool,
    pub(super) accept: Option<Arc<Accept>>,
    /// Without `www.`.
    pub(super) hosts: HashSet<String>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("max_depth", &self.max_depth)
            .field("max_sitemaps", &self.max_sitemaps)
            .field("is_any_host", &self.is_any_host)
            .field("may_downgrade", &self.may_downgrade)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}

/// A sitemap that lists others.
#[derive(Debug, Clone)]
pub(super) struct Lister {
    pub(super) depth: u16,
    /// The host that it trusts in addition to those of the site. A sitemap that the site itself names can be anywhere, and
    /// so can those that it lists next to it.
    host: Option<String>,
}

impl Lister {
    /// A sitemap at this depth, and where it was read.
    pub(super) fn new(depth: u16, location: &Url) -> Self {
        Self {
            depth,
            host: if depth == 1 { host(location) } else { None },
        }
    }
}

impl Judge {
    /// Sitemaps on the host of this URL belong to the site.
    pub(super) fn trust(&mut self, url: &Url) {
        if let Some(host) = host(url) {
            self.hosts.insert(host);
        }
    }

    pub(super) fn trusts(&self, url: &Url) -> bool {
        self.is_any_host || host(url).is_some_and(|host| self.hosts.contains(&host))
    }

    /// Whether an index may list this sitemap.
    pub(super) fn child(
        &self,
        url: &Url,
        lastmod: Option<W3cDatetime>,
        lister: &Lister,
    ) -> Result<(), Reason> {
        if is_too_long(url) {
            return Err(Reason::UrlTooLong);
        }
        if let Some(accept) = &self.accept
            && !accept(url, lastmod)
        {
            return Err(Reason::Rejected);
        }
        let is_beside = || lister.host.is_some() && host(url) == lister.host;
        if !self.trusts(url) && !is_beside() {
            return Err(Reason::OtherHost);
        }
        match lister.depth < self.max_depth {
            true => Ok(()),
            false => Err(Reason::TooDeep),
        }
    }

    /// Whether a redirect may be followed. `listed` is the sitemap's own URL. What the site itself names can be anywhere.
    pub(super) fn redirect(
        &self,
        from: &Url,
        to: &Url,
        listed: &Url,
        depth: u16,
    ) -> Result<(), Refusal> {
        match (from.scheme(), to.scheme()) {
            ("https", "http") if !self.may_downgrade => return Err(Refusal::Downgrade),
            (_, "http" | "https") => {}
            _ => return Err(Refusal::OtherScheme),
        }
        let is_trusted = depth <= 1 || self.trusts(to) || host(to) == host(listed);
        match is_trusted {
            true => Ok(()),
            false => Err(Refusal::OtherHost),
        }
    }
}
