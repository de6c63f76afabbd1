//! What README shows is what comes out, and so is what `docs/generators.md` shows.

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
