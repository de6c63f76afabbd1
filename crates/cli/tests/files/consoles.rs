//! The tables of `docs/consoles.md`: each example has the finding of its row.

use crate::program::sitemap;

const PAGE: &str = include_str!("../../../../docs/consoles.md");

const NAMESPACES: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
                          xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
                          xmlns:video='http://www.google.com/schemas/sitemap-video/1.1' \
                          xmlns:news='http://www.google.com/schemas/sitemap-news/0.9' \
                          xmlns:xhtml='http://www.w3.org/1999/xhtml'";

fn document(example: &str) -> String {
    let is_whole = [" ", "<urlset", "<sitemapindex", "<html", "{"]
        .iter()
        .any(|start| example.starts_with(start));
    let entry = match example {
        _ if is_whole => example.to_owned(),
        _ if example.starts_with("<url>") => format!("<urlset>{example}</urlset>"),
        _ if example.starts_with("<loc>") => format!("<urlset><url>{example}</url></urlset>"),
        _ => format!(
            "<urlset><url><loc>https://www.example.com/shop/a</loc>{example}</url></urlset>"
        ),
    };
    entry
        .replace("<urlset>", &format!("<urlset {NAMESPACES}>"))
        .replace("<sitemapindex>", &format!("<sitemapindex {NAMESPACES}>"))
}

fn in_backticks(cell: &str) -> Option<&str> {
    cell.split('`').nth(1)
}

#[test]
fn every_example_has_its_finding() {
    let mut count = 0;
    let is_row = |line: &&str| line.starts_with('|') && !line.starts_with("|--");
    for row in PAGE.lines().filter(is_row) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        let [_, finding, example] = *cells else {
            panic!("docs/consoles.md: {row}")
        };
        let Some(example) = in_backticks(example) else {
            assert!(matches!(example.trim(), "–" | "example"), "{row}");
            continue;
        };
        let rule = in_backticks(finding).unwrap_or("invalid-datetime");
        let mut command = sitemap(&["check", "--format", "jsonl", "--advice", "-"]);
        command.args(["--location", "https://www.example.com/shop/sitemap.xml"]);
        let output = command.write_stdin(document(example)).output().unwrap();
        let found = String::from_utf8(output.stdout).unwrap();
        let expected = format!("\"rule\":\"{rule}\"");
        assert!(
            found.replace(": ", ":").contains(&expected),
            "docs/consoles.md: {row}\n{found}"
        );
        count += 1;
    }
    assert!(count > 25, "{count}");
}
