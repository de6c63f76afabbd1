//! Input: files, folders, lists, standard input and sites.

pub(crate) mod account;
pub(crate) mod documents;
pub(crate) mod empty;
pub(crate) mod filter;
pub(crate) mod folder;
pub(crate) mod input;
pub(crate) mod intake;
pub(crate) mod lost;
pub(crate) mod not_read;
pub(crate) mod notes;
pub(crate) mod options;
pub(crate) mod pages;
pub(crate) mod scope;
pub(crate) mod sink;
pub(crate) mod span;
pub(crate) mod stdin;
pub(crate) mod walk;
