//! This package contains only tests and examples: see `Cargo.toml`.

/// The programs of the repository's README are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}
