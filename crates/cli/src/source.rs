//! Input: files, folders, lists, standard input and sites.

#[cfg(feature = "full")]
pub(crate) mod empty;
pub(crate) mod filter;
pub(crate) mod folder;
#[cfg(feature = "full")]
pub(crate) mod html;
pub(crate) mod input;
#[cfg(feature = "full")]
pub(crate) mod site;
pub(crate) mod span;
pub(crate) mod stdin;
pub(crate) mod targets;
pub(crate) mod walk;
