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

    #[cfg_attr(feature = "full", command(flatten))]
    #[cfg_attr(not(feature = "full"), arg(skip))]
    pub(crate) scope: Scope,

    #[cfg_attr(feature = "full", command(flatten))]
    #[cfg_attr(not(feature = "full"), arg(skip))]
    pub(crate) network: Network,
}
