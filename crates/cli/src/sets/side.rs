//! The pages of inputs of any kind: files, folders, lists, and sites, which are crawled.

use quick_sitemap::Completeness;

use crate::net::driver::Driver;
use crate::net::fetch;
use crate::net::scope::Scope;
use crate::sets::pages::{Page, Totals, Walk};
use crate::sets::site::{self, Tally};
use crate::source::input::Input;
use crate::term::address::Address;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// How URLs are read.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Web {
    #[command(flatten)]
    pub(crate) scope: Scope,

    #[command(flatten)]
    pub(crate) network: fetch::Options,
}

/// Takes the pages.
pub(crate) type OnPage<'p> = dyn FnMut(Page<'_>) -> anyhow::Result<()> + 'p;

/// The totals, or the status if a site could not be read at all, or for Ctrl-C; a message has been printed.
pub(crate) type Read = Result<Totals, Status>;

/// Reads one input after the other. A URL is crawled as by `sitemap crawl`.
///
/// # Errors
///
/// Those of `on_page`, of [`pages::read`](crate::sets::pages::read), and of temporary files.
pub(crate) fn read(
    web: &Web,
    inputs: &[Input],
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Read> {
    let mut on_page = |page: Page<'_>| {
        interrupt::check()?;
        on_page(page)
    };
    let mut pages = Walk::new(messages, &mut on_page);
    for input in inputs {
        if let Input::Url(site) = input {
            let status = crawled(web, site, messages, &mut pages)?;
            if matches!(status, Status::Failure | Status::Interrupted) {
                return Ok(Err(status));
            }
        } else {
            let _progress = Progress::start("reading", messages);
            let read = pages.input(input);
            interrupt::check()?;
            read?;
        }
    }
    Ok(Ok(pages.finish()))
}

/// Reads the pages of a site.
fn crawled(
    web: &Web,
    site: &Address,
    messages: &Messages,
    pages: &mut Walk<'_>,
) -> anyhow::Result<Status> {
    let before = pages.totals.pages;
    let mut on_page = |page: Page<'_>| pages.page(page);
    let progress = Progress::start("crawling", messages);
    let mut driver = Driver::of(site, &web.scope, &web.network, messages)?;
    let tally = Tally::default();
    let outcome = site::read(&mut driver, &web.scope, tally, messages, &mut on_page)?;
    drop(progress);
    let status = outcome.report(messages, &site::ClosingNotes::collected())?;
    pages.totals.files += outcome.done();
    pages.totals.lessen(outcome.completeness());
    let is_empty = pages.totals.pages == before;
    if is_empty && outcome.completeness() != Completeness::Incomplete {
        pages.empty.add(site, messages);
    }
    Ok(status)
}
