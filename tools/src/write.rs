//! `sitemap write`.

use clap::Args;

use crate::messages::Messages;
use crate::status::Status;

/// Write pages as a set of sitemaps
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _messages: &Messages) -> anyhow::Result<Status> {
    anyhow::bail!("unfinished")
}
