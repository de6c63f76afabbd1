//! Reading one side.

use std::io::{BufRead, BufReader};

use quick_sitemap::Entry;
use quick_sitemap::{Completeness, UrlEntry};

use crate::source::empty::Empty;
use crate::source::input::Input;
use crate::source::pages;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// How URLs are read.
#[derive(clap::Args, Debug)]
pub(crate) struct Web {
    #[command(flatten)]
    pub(crate) scope: crate::commands::crawl::Scope,

    #[command(flatten)]
    pub(crate) network: crate::net::fetch::Options,
}

impl Web {
    pub(crate) fn login(&self) -> &crate::net::fetch::Login {
        &self.network.login
    }
}

/// Takes the pages of a side.
pub(crate) type OnPage<'p> = dyn FnMut(UrlEntry) -> anyhow::Result<()> + 'p;

pub(crate) enum Read {
    Pages(Completeness),
    /// Nothing was read, or Ctrl-C: that has been said.
    Ended(Status),
}

pub(crate) fn read(
    web: &Web,
    input: &Input,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
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

fn crawled(
    web: &Web,
    site: &crate::term::address::Address,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
    let Web { scope, network } = web;
    let (file, outcome) = crate::commands::crawl::collect(site, scope, network, false, messages)?;
    let status = outcome.report(messages, crate::commands::crawl::Ends::Collected)?;
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
