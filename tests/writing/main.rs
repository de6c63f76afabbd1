//! Writing through the public API: what is written, and what is rejected.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../common/every_part.rs"]
mod every_part;
#[path = "../common/schema.rs"]
mod schema;
#[path = "../common/written.rs"]
mod written;

mod bytes;
mod extensions;
mod refused;
mod round_trip;
mod split;
mod writers;
