//! `sitemap check`.

use clap::Args;

use crate::messages::Messages;
use crate::status::Status;

/// Say what is wrong with sitemaps, as compilers do
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _messages: &Messages) -> anyhow::Result<Status> {
    anyhow::bail!("unfinished")
}
