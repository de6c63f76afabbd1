//! One side of a comparison, from any kind of input.

use quick_sitemap::Entry;
use quick_sitemap::{Completeness, UrlEntry};

use crate::net::fetch;
use crate::net::scope::Scope;
use crate::rows::Fields;
use crate::sets::site;
use crate::source::empty::Empty;
use crate::source::input::Input;
use crate::source::pages;
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// How URLs are read.
#[derive(clap::Args, Debug)]
pub(crate) struct Web {
    #[command(flatten)]
    pub(crate) scope: Scope,

    #[command(flatten)]
    pub(crate) network: fetch::Options,
}

impl Web {
    pub(crate) fn login(&self) -> &fetch::Login {
        &self.network.login
    }
}

/// Takes the pages of a side.
pub(crate) type OnPage<'p> = dyn FnMut(UrlEntry) -> anyhow::Result<()> + 'p;

pub(crate) enum Read {
    /// The completeness of the pages, and the fields that they can have.
    Pages(Completeness, Fields),
    /// Nothing was read, or Ctrl-C; a message has been printed.
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
    let totals = read?;
    Ok(Read::Pages(totals.completeness, totals.fields))
}

fn crawled(
    web: &Web,
    site: &Address,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
    let mut is_empty = true;
    let outcome = site::pages(
        site,
        &web.scope,
        &web.network,
        messages,
        &mut |_, page| match page {
            Entry::Url(page) => {
                is_empty = false;
                on_page(page.clone())
            }
            _ => Ok(()),
        },
    )?;
    let status = outcome.report(messages, site::Ends::Collected)?;
    if matches!(status, Status::Failure | Status::Interrupted) {
        return Ok(Read::Ended(status));
    }
    if is_empty {
        let mut empty = Empty::default();
        empty.add(site, messages);
        empty.finish(messages);
    }
    Ok(Read::Pages(outcome.completeness(), Fields::ALL))
}
