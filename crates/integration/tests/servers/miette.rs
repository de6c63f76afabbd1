//! The chapter with miette: each report has the line and the column of the problem in the file.

use miette::NarratableReportHandler;
use quick_sitemap::Policy;

#[path = "../../../../docs/cookbook/miette.rs"]
mod miette_chapter;

fn shown(report: &miette::Report) -> String {
    let mut text = String::new();
    let handler = NarratableReportHandler::new();
    handler.render_report(&mut text, report.as_ref()).unwrap();
    text
}

/// Neither the message nor the line of the document can control a terminal.
#[test]
fn reports_have_no_control_characters() {
    let file = "https://example.com/a\nx\u{1b}]0;title\u{7}\u{202e}\t<\n";
    let reports = miette_chapter::lint("a.txt", file.as_bytes(), Policy::LENIENT);
    let text = shown(&reports[0]);
    assert!(text.contains("x?]0;title????\t<"), "{text}");
    let may_be = |c: char| c == '\n' || c == '\t' || quick_sitemap::text::is_printable(c);
    assert!(text.chars().all(may_be), "{text:?}");
}

#[test]
fn reports_have_the_place_in_the_file() {
    let long = "x".repeat(400);
    let file = format!(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n\
         <!-- é -->\n\
         <url><loc>https://example.com/é</loc><priority>1.5</priority></url>\n\
         <url><!-- {long} --><loc>/b</loc></url>\n"
    );
    for policy in [Policy::LENIENT, Policy::LOSSLESS, Policy::STRICT] {
        let reports: Vec<_> = miette_chapter::lint("a.xml", file.as_bytes(), policy)
            .iter()
            .map(shown)
            .collect();
        let column = 10 + long.len() + 4 + "<loc>".len() + 1;
        for (message, line, column) in [
            ("priority `1.5` is not a number", 3, 48),
            ("`/b` is not an absolute http or https URL", 4, column),
        ] {
            let all: Vec<_> = reports
                .iter()
                .filter(|report| report.contains(message))
                .collect();
            assert_eq!(all.len(), 1, "{reports:?}");
            // The column of the label counts from that of the snippet.
            let number = |before: &str| -> usize {
                let (_, rest) = all[0].split_once(before).unwrap();
                let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
                digits.unwrap().parse().unwrap()
            };
            let place = (
                number("starting at line "),
                number(", column ") + number("columns ") - 1,
            );
            assert_eq!(place, (line, column), "{}", all[0]);
        }
        assert!(
            reports
                .last()
                .unwrap()
                .contains("the document is truncated")
        );
    }
}
