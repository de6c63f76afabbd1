//! `sitemap show`.

use clap::Args;

use crate::messages::Messages;
use crate::status::Status;

/// Show what sitemaps hold
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _messages: &Messages) -> anyhow::Result<Status> {
    anyhow::bail!("unfinished")
}
