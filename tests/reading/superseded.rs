//! Faults of code that is going to be removed. Each test shows one, and is ignored until the code, and the test with it, goes.

use quick_sitemap::{Decoder, Issue, Rule};

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

#[test]
#[ignore = "`next_outcome` goes: the outcomes of a reader return all issues"]
fn an_outcome_has_the_issues_before_its_entry() {
    let text = format!("{HEAD}stray text<url><loc>https://example.com/</loc></url></urlset>");
    let mut decoder = Decoder::new();
    let mut issues = Vec::new();
    for byte in text.as_bytes().chunks(1) {
        decoder.push(byte);
        while let Some(outcome) = decoder.next_outcome() {
            issues.extend(outcome.issues);
        }
    }
    decoder.finish();
    while let Some(outcome) = decoder.next_outcome() {
        issues.extend(outcome.issues);
    }
    let found: Vec<_> = issues.iter().map(Issue::rule).collect();
    assert_eq!(found, [Rule::StrayText]);
}
