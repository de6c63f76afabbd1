//! Reading one side.

#[cfg(feature = "http")]
use std::io::{BufRead, BufReader};

#[cfg(feature = "http")]
use quick_sitemap::Entry;
use quick_sitemap::{Completeness, UrlEntry};

#[cfg(feature = "http")]
use crate::empty::Empty;
use crate::input::Input;
use crate::interrupt;
use crate::messages::Messages;
use crate::pages;
use crate::progress::Progress;
#[cfg(feature = "http")]
use crate::status::Status;

/// How URLs are read.
#[cfg(feature = "http")]
#[derive(clap::Args, Debug)]
pub(crate) struct Web {
    #[command(flatten)]
    pub(crate) scope: crate::crawl::Scope,

    #[command(flatten)]
    pub(crate) network: crate::fetch::Options,
}

#[cfg(feature = "http")]
impl Web {
    pub(crate) fn login(&self) -> &crate::fetch::Login {
        &self.network.login
    }
}

/// Takes the pages of a side.
pub(crate) type OnPage<'p> = dyn FnMut(UrlEntry) -> anyhow::Result<()> + 'p;

pub(crate) enum Read {
    Pages(Completeness),
    /// Nothing was read, or Ctrl-C: that has been said.
    #[cfg(feature = "http")]
    Ended(Status),
}

pub(crate) fn read(
    #[cfg(feature = "http")] web: &Web,
    input: &Input,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
    #[cfg(feature = "http")]
    if let Input::Url(site) = input {
        return crawled(web, site, messages, on_page);
    }
    let _progress = Progress::start("reading", messages);
    let read = pages::read(input, messages, &mut |page| {
        interrupt::check()?;
        on_page(page.entry)
    });
    interrupt::check()?;
    Ok(Read::Pages(read?.completeness))
}

#[cfg(feature = "http")]
fn crawled(
    web: &Web,
    site: &crate::address::Address,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
    let Web { scope, network } = web;
    let (file, outcome) = crate::crawl::collect(site, scope, network, false, messages)?;
    let status = outcome.report(messages, crate::crawl::Ends::Collected)?;
    if matches!(status, Status::Failure | Status::Interrupted) {
        return Ok(Read::Ended(status));
    }
    let mut is_empty = true;
    for line in BufReader::new(file).lines() {
        if let Entry::Url(page) = serde_json::from_str(&line?)? {
            is_empty = false;
            on_page(page)?;
        }
    }
    if is_empty {
        let mut empty = Empty::default();
        empty.add(site, messages);
        empty.finish(messages);
    }
    Ok(Read::Pages(outcome.completeness()))
}
