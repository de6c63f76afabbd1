//! What `sitemap check` would find in the pages that are written, named on the spot.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::time::SystemTime;

use quick_sitemap::UrlEntry;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::Rules;

use crate::judge::dates;
use crate::judge::finding::Finding;
use crate::judge::sites::Sites;
use crate::judge::urls::{self, is_reached};
use crate::net::robots::{Readers, USER_AGENT, Wanted, joined};
use crate::source::input::Input;
use crate::term::clipped::clipped;
use crate::term::count::{First, Grouped};
use crate::term::messages::Messages;

/// Judges pages one after another.
#[derive(Debug)]
pub(super) struct Concerns {
    /// The input is, or the output will be, on a host that no search engine reaches.
    is_local: bool,
    /// The host of the output, if no search engine reaches it and none was in the input.
    local: Option<String>,
    now: DateTime<Utc>,
    /// The rules of the robots.txt that will name the sitemap.
    robots: Option<Rules>,
    /// The sites of the pages of one output, if its own is not known.
    sites: Option<Sites>,
    found: Vec<Finding>,
    named: BTreeMap<&'static str, First>,
}

impl Concerns {
    /// `base` is the URL of the folder that is written, and the pages come from the inputs.
    pub(super) fn new(base: Option<&Url>, robots: Option<&Path>, inputs: &[Input]) -> Self {
        let local = base.filter(|base| !is_reached(base));
        let is_from_local = inputs
            .iter()
            .any(|input| matches!(input, Input::Url(address) if !is_reached(address.url())));
        let host = local.filter(|_| !is_from_local).and_then(Url::host_str);
        Self {
            is_local: is_from_local || local.is_some(),
            local: host.map(str::to_owned),
            now: SystemTime::now().into(),
            robots: robots.and_then(super::robots::rules),
            sites: base.is_none().then(Sites::default),
            found: Vec::new(),
            named: BTreeMap::new(),
        }
    }

    /// Names the problems of a page, the first of each rule.
    pub(super) fn judge(&mut self, page: &UrlEntry, place: &dyn Display, messages: &Messages) {
        let found = &mut self.found;
        urls::judge(&page.loc, Some(page), self.is_local, found);
        urls::advice(&page.loc, Some(page), found);
        dates::judge(page.lastmod, Some(page), self.now, found);
        if let Some(sites) = &mut self.sites {
            sites.see(&page.loc);
        }
        let readers = Readers::of(USER_AGENT);
        let rules = self.robots.as_ref();
        let forbidden = rules.and_then(|rules| readers.forbidden(rules, &page.loc, Wanted::Page));
        let forbidden = forbidden.map(|robots| {
            let url = clipped(page.loc.as_str());
            let message = format!("`{url}` is forbidden by robots.txt to {robots}");
            ("disallowed", message)
        });
        let found = self.found.drain(..);
        let found = found.map(|problem| (problem.rule.name, problem.message));
        for (rule, message) in forbidden.into_iter().chain(found) {
            if self.named.entry(rule).or_default().names() {
                messages.warning(format_args!("{message} ({rule}), in {place}"));
            }
        }
    }

    /// Names the numbers of the others.
    pub(super) fn finish(&self, messages: &Messages) {
        if let Some(several) = self.sites.as_ref().and_then(Sites::several) {
            messages.warning(format_args!("{several} (several-hosts)"));
        }
        let shut_out = self.robots.as_ref().map(|rules| {
            let readers = Readers::of(USER_AGENT);
            let (robots, _) = readers.shut_out(rules);
            joined(&robots)
        });
        if let Some(Some(robots)) = shut_out {
            messages.warning(format_args!(
                "robots.txt forbids the whole site to {robots} (forbids-the-site)"
            ));
        }
        if let Some(host) = &self.local {
            messages.warning(format_args!(
                "no search engine reaches `{host}`, the host of --base"
            ));
        }
        for (rule, count) in &self.named {
            if count.more() > 0 {
                let more = Grouped(count.more());
                messages.warning(format_args!("{more} more pages with the problem {rule}"));
            }
        }
    }
}
