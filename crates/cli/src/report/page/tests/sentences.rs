//! The sentences at the top of a page.

use super::{page, samples};
use crate::report::model::{Example, Findings, NotReadRow, Probed, Report, Totals};
use crate::report::words::in_short;
use crate::term::messages::Severity;

fn found(rule: &str, level: Severity, count: u64) -> Findings {
    Findings {
        examples: vec![Example {
            sitemap: "https://e.com/sitemap.xml".to_owned(),
            page: Some("https://e.com/part.xml".to_owned()),
            ..Example::default()
        }],
        ..samples::found(rule, level, count)
    }
}

/// The sentences at the top of the page.
fn texts(report: &Report) -> Vec<String> {
    let page = page(report);
    let (_, verdict) = page.split_once("<section id=\"verdict\"").unwrap();
    let (verdict, _) = verdict.split_once("</section>").unwrap();
    let paragraphs = verdict.split("<p").skip(1);
    let text = |paragraph: &str| {
        let pieces = paragraph
            .split('<')
            .map(|piece| piece.split_once('>').map_or("", |(_, text)| text));
        pieces.collect::<String>().trim().to_owned()
    };
    paragraphs.map(text).collect()
}

#[test]
fn the_worst_consequence_comes_first() {
    let report = Report {
        totals: Totals {
            sitemaps: 9,
            not_read: 4,
            unread: 4,
            ..Totals::default()
        },
        rules: vec![
            found("missing-loc", Severity::Error, 1_204),
            found("missing-part", Severity::Error, 1),
            found("relative-url", Severity::Error, 1),
            found("invalid-datetime", Severity::Warning, 24),
            found("ignored-priority", Severity::Advice, 3),
        ],
        probe: Some(Probed {
            pages: 100,
            verdicts: vec![
                ("ok".to_owned(), 93),
                ("missing".to_owned(), 6),
                ("redirect".to_owned(), 1),
            ],
            ..Probed::default()
        }),
        ..Report::default()
    };
    assert_eq!(
        texts(&report),
        [
            "Search engines cannot read 4 of 13 sitemaps to the end: 1 sitemap that your index names is missing.",
            "7 of 100 requested pages should not be listed: 6 missing and 1 redirecting.",
            "1,205 problems cost pages: 1,204 entries name no page and 1 URL lacks its host.",
            "24 dates cannot be understood. The date is ignored.",
            "Do this first: Publish the missing sitemap, or remove it from the index. It is https://e.com/part.xml.",
        ]
    );
}

/// A map of old URLs is not a list of pages.
#[test]
fn old_urls_lead_somewhere() {
    let verdicts = [("ok", 7), ("missing", 2), ("temporary-redirect", 1)];
    let verdicts = verdicts.map(|(name, pages)| (name.to_owned(), pages));
    let report = Report {
        probe: Some(Probed {
            pages: 10,
            is_map: true,
            verdicts: verdicts.to_vec(),
            ..Probed::default()
        }),
        ..Report::default()
    };
    assert_eq!(
        texts(&report),
        [
            "3 of 10 old URLs do not lead where they should: 2 missing and 1 redirecting for a time only.",
            "Do this first: Redirect the missing URLs to their new pages.",
        ]
    );
    let bad = "3 of 10 old URLs do not lead where they should";
    assert_eq!(in_short(&report), bad);
    let page = page(&report);
    assert!(page.contains(&format!(">{bad}. No problems of the sitemaps were found.<")));
    assert!(!page.contains("No problems were found"));
}

#[test]
fn nothing_wrong_is_a_sentence() {
    let mut report = Report::default();
    report.totals.sitemaps = 2;
    report.totals.pages = 1;
    report.rules = vec![found("ignored-priority", Severity::Advice, 3)];
    let text = "Search engines can read 2 sitemaps with 1 page, and nothing is wrong with them.";
    assert_eq!(texts(&report), [text]);
    assert!(page(&report).contains("<p class=\"good\">"));
    // A report on a part does not say so.
    report.left_out.push(NotReadRow {
        reason: "there are more than 7 sitemaps (--max-sitemaps)".to_owned(),
        sitemaps: 3,
        is_lost: true,
    });
    assert_eq!(
        texts(&report),
        [
            "This report is about a part of the input: 3 sitemaps were not read: there are more than 7 sitemaps (--max-sitemaps)."
        ]
    );
}
