//! What README shows is what comes out.

#[test]
fn outputs() {
    trycmd::TestCases::new().case("README.md");
}
