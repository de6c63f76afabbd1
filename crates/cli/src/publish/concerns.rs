//! What `sitemap check` would find in the pages that are written, named on the spot.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::SystemTime;

use quick_sitemap::UrlEntry;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use crate::judge::dates;
use crate::judge::urls::{self, UrlProblem, is_reached};
use crate::source::input::Input;
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
    found: Vec<UrlProblem>,
    named: BTreeMap<&'static str, First>,
}

impl Concerns {
    /// `base` is the URL of the folder that is written.
    pub(super) fn new(base: Option<&Url>) -> Self {
        let local = base.filter(|base| !is_reached(base));
        let local = local.and_then(Url::host_str).map(str::to_owned);
        Self {
            is_local: local.is_some(),
            local,
            now: SystemTime::now().into(),
            found: Vec::new(),
            named: BTreeMap::new(),
        }
    }

    /// The pages come from these inputs.
    pub(super) fn come_from(&mut self, inputs: &[Input]) {
        let mut urls = inputs.iter().filter_map(|input| match input {
            Input::Url(address) => Some(address.url()),
            Input::File(_) | Input::Stdin => None,
        });
        if urls.any(|url| !is_reached(url)) {
            self.is_local = true;
            self.local = None;
        }
    }

    /// Names the problems of a page, the first of each rule.
    pub(super) fn judge(&mut self, page: &UrlEntry, place: &dyn Display, messages: &Messages) {
        let found = &mut self.found;
        urls::judge(&page.loc, Some(page), self.is_local, found);
        urls::advice(&page.loc, Some(page), found);
        dates::judge(page.lastmod, Some(page), self.now, found);
        for problem in self.found.drain(..) {
            let rule = problem.rule.name;
            if self.named.entry(rule).or_default().names() {
                messages.warning(format_args!("{} ({rule}), in {place}", problem.message));
            }
        }
    }

    /// Names the numbers of the others.
    pub(super) fn finish(&self, messages: &Messages) {
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
