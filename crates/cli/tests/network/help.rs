//! The output of `sitemap crawl` and `sitemap diff`, as files to be read: `TRYCMD=overwrite cargo test --test
//! network help` writes them again.

#[test]
fn help_and_output() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("tests/crawl-diff/*.trycmd");
}
