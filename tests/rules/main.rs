//! What each document means: encodings, namespaces, every rule with its effect, position and message.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/written.rs"]
mod written;

mod broken;
mod characters;
mod each_rule;
mod edges;
#[cfg(feature = "encodings")]
mod encodings;
mod head;
#[cfg(feature = "encodings")]
mod messages;
mod namespaces;
mod reported;
mod rules_page;
