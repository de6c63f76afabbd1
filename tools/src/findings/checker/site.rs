//! All sitemaps of a live site, or of an index at a URL, judged.

use quick_sitemap::crawl::Reason;
use quick_sitemap::url::Url;

use super::{Checker, Context};
use crate::findings::finding::Finding;
use crate::findings::sink::Absence;
use crate::judge::verdicts::{MISSING_PART, ROBOTS_WITHOUT_SITEMAP, UNREADABLE_ROBOTS};
use crate::net::driver::{self, Driver, Next};
use crate::net::failure;
use crate::source::targets::Target;
use crate::source::walk::Document;
use crate::term::address::Address;
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::output;
use crate::term::status::Status;

impl Checker<'_> {
    /// All sitemaps of a site, or of an index.
    pub(super) fn site(
        &mut self,
        target: &Target,
        address: &Address,
        mut live: Driver,
    ) -> anyhow::Result<()> {
        let messages = self.messages;
        let is_site = driver::is_site(address.url());
        let may_list_all = !is_site && live.is_listed()?;
        let robots_url = address.url().join("/robots.txt").ok();
        let robots_name = robots_url.as_ref().map(|url| live.shown(url));
        let robots_name = robots_name.unwrap_or_default();
        let mut documents = 0_u64;
        // Each with the file that lists it. They are reported together, so that only the first ones are shown.
        let mut missing: Vec<(String, String, String)> = Vec::new();
        let mut is_judged = !is_site;
        loop {
            // Stop fetching when standard output is closed and the exit status is decided.
            if output::is_closed() && self.checked.status() != Status::Success {
                self.checked.has_more = true;
                messages.note(format_args!(
                    "{}: nobody reads the output any longer, so no more sitemaps are read",
                    target.name
                ));
                return Ok(());
            }
            let next = live.next()?;
            if interrupt::is_requested() {
                break;
            }
            // The first document comes after robots.txt.
            if !std::mem::replace(&mut is_judged, true) && live.summary().robots_failure.is_none() {
                let robots = live.robots();
                let finding = match (&robots.failure, &robots.read) {
                    (Some(why), _) => Some((
                        UNREADABLE_ROBOTS,
                        format!("robots.txt cannot be read: {why}"),
                    )),
                    (None, None) => {
                        let message = "there is no robots.txt, which should list the sitemaps";
                        Some((ROBOTS_WITHOUT_SITEMAP, message.to_owned()))
                    }
                    (None, Some(_)) if robots.sitemaps.is_empty() => {
                        let message = "robots.txt lists no sitemap";
                        Some((ROBOTS_WITHOUT_SITEMAP, message.to_owned()))
                    }
                    _ => None,
                };
                if let Some((rule, message)) = finding {
                    self.unplaced(&robots_name, rule, &message)?;
                    self.sink.end_findings(&robots_name)?;
                }
            }
            match next {
                None => break,
                Some(Next::Missing { url, parent, why }) => {
                    let lister = match (&parent, is_site) {
                        (Some(parent), _) => live.shown(parent),
                        (None, true) => robots_name.clone(),
                        // Nothing lists it: it was asked for.
                        (None, false) => {
                            let error = anyhow::Error::msg(why);
                            let finding = Finding::unopened(&target.name, &error);
                            self.unopened(&target.name, &finding)?;
                            continue;
                        }
                    };
                    let parent = parent.as_ref().map(|parent| live.shown(parent));
                    let name = live.shown(&url);
                    self.sink
                        .absent(&name, parent.as_deref(), Absence::Unreadable, &why);
                    let part = clipped(url.as_str()).into_owned();
                    let message = format!("the part `{part}` is missing: {why}");
                    missing.push((lister, message, live.shown(&url)));
                }
                Some(Next::Document(mut document)) => {
                    documents += 1;
                    self.site_document(target, address, &live, &mut document, may_list_all)?;
                    if interrupt::is_requested() {
                        break;
                    }
                    live.end(*document)?;
                }
            }
        }
        let is_empty = documents == 0 && missing.is_empty();
        missing.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut missing = missing.into_iter().peekable();
        while let Some((lister, message, part)) = missing.next() {
            if let Some(severity) = self.settings.verdicts.of(MISSING_PART) {
                let finding = Finding::new(MISSING_PART, severity, &message).on_page(&part);
                self.finding(&lister, &finding)?;
            }
            if missing.peek().is_none_or(|(next, ..)| *next != lister) {
                self.sink.end_findings(&lister)?;
            }
        }
        if interrupt::is_requested() {
            return Ok(());
        }
        let summary = live.summary();
        if let Some(failure) = &summary.robots_failure {
            let finding = Finding::unopened(&robots_name, &anyhow::Error::msg(failure.to_string()));
            self.unopened(&robots_name, &finding)?;
        } else if is_empty && is_site {
            self.checked.unreadable += 1;
            let why = if live.is_unauthorized() {
                format!("401 Unauthorized{}", failure::what_to_do(address))
            } else {
                live.refusal().unwrap_or_else(|| {
                    "robots.txt lists no sitemap, and there is none in the usual places, such as /sitemap.xml"
                        .to_owned()
                })
            };
            messages.error(format_args!("{}: {why}", target.name));
        }
        for left_out in &summary.left_out {
            // Each sitemap on another host is a finding, and those that --sitemaps rejects are not missed.
            if !matches!(left_out.reason, Reason::OtherHost | Reason::Rejected) {
                let sitemaps = Count(left_out.count, "sitemap");
                self.checked.has_more = true;
                let reason = left_out.reason.to_string();
                self.sink
                    .absent(&sitemaps.to_string(), None, Absence::LeftOut, &reason);
                let were = if left_out.count == 1 { "was" } else { "were" };
                messages.warning(format_args!(
                    "{sitemaps} {were} not read: {}",
                    left_out.reason
                ));
            }
        }
        if summary.has_more_pages {
            self.checked.has_more = true;
            messages.warning("there are more pages, which were not read (--max-pages)");
        }
        Ok(())
    }

    fn site_document(
        &mut self,
        target: &Target,
        address: &Address,
        live: &Driver,
        document: &mut driver::Document,
        may_list_all: bool,
    ) -> anyhow::Result<()> {
        let bytes = std::mem::replace(&mut document.bytes, Box::new(std::io::empty()));
        let document = &*document;
        let is_site = driver::is_site(address.url());
        let location = match &target.location {
            Some(location) if !is_site && document.depth == 1 => location.clone(),
            _ => document.location.clone(),
        };
        let mut builder = document.builder.clone().location(location.clone());
        let robots = live.robots();
        // A sitemap that robots.txt lists can list all pages of the host.
        let may_list_all = may_list_all || is_site && !robots.sitemaps.is_empty();
        if may_list_all {
            builder = live.may_list_all(builder);
        }
        let forbidden = |url: &Url| {
            let (place, rules) = robots.read.as_ref()?;
            let rules = Some(rules).filter(|_| place.origin() == url.origin())?;
            rules.forbidden_for(url).map(str::to_owned)
        };
        let parent = document.parent.as_ref().map(|parent| live.shown(parent));
        let context = Context {
            parent: parent.as_deref(),
            is_guess: document.is_guess,
            folders: None,
            location: Some(location.clone()),
            is_elsewhere: Some(&|part| live.leaves_out(part, document)),
            forbidden: Some(&forbidden),
            robots_failure: robots.failure.as_deref().filter(|_| !may_list_all),
        };
        let mut receiver = document.receiver.borrow_mut();
        let document = Document {
            name: &live.shown(&document.location),
            bytes,
            builder,
            path: None,
            base: Some(location),
            may_be_list: true,
            follower: Some(&mut *receiver),
        };
        self.document(document, &context)?;
        Ok(())
    }
}
