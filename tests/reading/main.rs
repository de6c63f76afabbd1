//! Reading through the public API: the result does not depend on how the bytes arrive, or on the way of reading.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/mod.rs"]
mod common;

mod differential;
mod fuzz_corpus;
#[cfg(feature = "encodings")]
mod promptness;
mod regressions;
mod sameness;
mod text_pieces;
mod truncation;
mod ways;
