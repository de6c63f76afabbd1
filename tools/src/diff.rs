//! `sitemap diff`.

use clap::Args;

use crate::messages::Messages;
use crate::status::Status;

/// Say what two sitemaps, or sets of them, have and have not in common
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _messages: &Messages) -> anyhow::Result<Status> {
    anyhow::bail!("unfinished")
}
