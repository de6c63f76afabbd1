//! The output in README is the output of the program, and so is that in `docs/generators.md`.

#[cfg(all(unix, feature = "full"))]
mod generators;

#[test]
fn outputs() {
    trycmd::TestCases::new().case("README.md");
}
