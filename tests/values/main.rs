//! Values and their texts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "serde")]
#[path = "../common/every_part.rs"]
mod every_part;

mod dates;
#[cfg(feature = "serde")]
mod serde;
mod strings;
mod texts;
mod urls;
