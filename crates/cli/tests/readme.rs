//! The output in README is the output of the program, and so is that in `docs/generators.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

#[cfg(all(unix, feature = "full"))]
#[path = "readme/generators.rs"]
mod generators;
#[cfg(all(unix, feature = "full"))]
mod served;

#[test]
fn outputs() {
    trycmd::TestCases::new().case("README.md");
}
