//! How inputs are read: the options that all commands have in common.

use clap::Args;

use crate::rows::ColumnNames;
use crate::source::input::Network;
use crate::source::scope::Scope;

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct ReadOptions {
    #[command(flatten)]
    pub(crate) columns: ColumnNames,

    #[command(flatten)]
    pub(crate) scope: Scope,

    #[command(flatten)]
    pub(crate) network: Network,
}
