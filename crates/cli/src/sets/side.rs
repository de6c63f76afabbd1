//! The pages of inputs of any kind: files, folders, lists, and sites, which are crawled.

use crate::net::fetch;
use crate::net::scope::Scope;
use crate::sets::pages::{OnPage, Pages, Totals};
use crate::source::input::Input;
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
    let _progress = Progress::start("reading", messages);
    let mut pages = Pages::new(&web.scope, messages, on_page);
    let read = pages.read(inputs, &web.network);
    if let Some(status) = pages.failure {
        return Ok(Err(status));
    }
    interrupt::check()?;
    read?;
    Ok(Ok(pages.finish()))
}
