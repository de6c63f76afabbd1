//! Reports to make pages of.

use crate::figures::tree::Section;
use crate::judge::hreflang::{Language, Languages};
use crate::judge::rules;
use crate::probe::found::{Found, Verdict};
use crate::report::model::*;
use crate::term::messages::Severity;

/// A folder, by its pages, the place of its median age, its errors and warnings.
fn folder(name: &str, pages: u64, age: usize, (errors, warnings): (u64, u64)) -> Section {
    let mut ages = [0; 5];
    let is_dated = ages.get_mut(age).map(|count| *count = pages).is_some();
    let newest = format!("2026-{:02}-17", 11 - 2 * age.min(4));
    Section {
        name: name.to_owned(),
        pages,
        dated: if is_dated { pages - pages / 50 } else { 0 },
        newest: newest.parse().ok().filter(|_| is_dated),
        ages,
        errors,
        warnings,
        sections: Vec::new(),
    }
}

impl Section {
    fn with(mut self, inside: Vec<Self>) -> Self {
        self.sections = inside;
        self
    }
}

/// A typical shop, with everything that a report can contain.
pub(super) fn shop() -> Report {
    let none = (0, 0);
    let products = vec![
        folder("kitchen/", 14_210, 0, (0, 31)).with(vec![
            folder("kettles/", 4_120, 0, none),
            folder("pans/", 3_900, 0, (0, 31)),
            folder("knives/", 3_105, 1, none),
            folder("(others)", 3_085, 1, none),
        ]),
        folder("garden/", 9_870, 1, none).with(vec![
            folder("chairs/", 5_200, 1, none),
            folder("tools/", 4_670, 2, none),
        ]),
        folder("bath/", 6_340, 2, (212, 0)).with(vec![
            folder("towels/", 3_340, 2, (212, 0)),
            folder("mirrors/", 3_000, 2, none),
        ]),
        folder("office/", 4_010, 3, none),
        folder("toys/", 1_600, 4, none),
        folder("lamps/", 900, 1, none),
    ];
    let sections = vec![
        folder("products/", 36_930, 1, (212, 31)).with(products),
        folder("journal/", 5_214, 3, (0, 640)).with(vec![
            folder("2026/", 640, 1, none),
            folder("2025/", 1_180, 3, none),
            folder("2024/", 1_320, 4, (0, 640)),
            folder("archive/", 2_074, 4, none),
        ]),
        folder("de/", 2_980, 1, (14, 0)).with(vec![
            folder("produkte/", 2_600, 1, (14, 0)),
            folder("magazin/", 380, 2, none),
        ]),
        folder("help/", 1_020, 4, none),
        folder("brands/", 410, 5, none),
        folder("stores/", 96, 5, none),
    ];
    let total: u64 = sections.iter().map(|section| section.pages).sum();
    let mut host = folder("www.example.com", total, 1, (226, 671)).with(sections);
    host.dated = 45_712;
    host.newest = "2026-11-21T07:08:09+01:00".parse().ok();
    host.ages = [9_200, 14_800, 8_300, 7_100, 6_312];
    let months =
        (0..36).map(|month| format!("{}-{:02}", 2023 + (month + 11) / 12, (month + 11) % 12 + 1));
    let months = std::iter::once("before 2023-12".to_owned()).chain(months);
    let months = months.zip(1..);
    let months = months.map(|(month, number): (_, u64)| (month, number.pow(3) % 9_000));
    let sitemap = |name: &str, entries: u64, newest: &str, findings: (u64, u64, u64)| Sitemap {
        name: format!("https://www.example.com/{name}"),
        format: Some("urlset".to_owned()),
        entries,
        bytes: entries * 187,
        newest: newest.parse().ok(),
        errors: findings.0,
        warnings: findings.1,
        advice: findings.2,
        ..Sitemap::default()
    };
    let mut sitemaps = vec![
        sitemap("sitemap.xml", 8, "2026-11-21", (0, 0, 0)),
        sitemap("products-1.xml.gz", 30_000, "2026-11-21", (0, 31, 0)),
        sitemap("products-2.xml.gz", 6_930, "2026-11-19", (212, 0, 0)),
        sitemap("sitemap-journal.xml", 5_214, "2026-11-12", (0, 640, 12)),
        sitemap("sitemap-de.xml", 2_980, "2026-11-20", (14, 0, 0)),
        sitemap("sitemap-pages.xml", 1_526, "", (0, 0, 40)),
        sitemap("sitemap-stores.xml", 0, "", (1, 0, 0)),
        sitemap("sitemap-events.xml", 112, "2026-08-02", (1, 0, 0)),
        sitemap("blog/feed.xml", 20, "2026-11-18", (0, 0, 0)),
    ];
    if let [first, .., stores, events, feed] = sitemaps.as_mut_slice() {
        first.format = Some("index".to_owned());
        (stores.status, stores.format) = (SitemapStatus::Unreadable, None);
        stores.reason = Some("the server has answered 404 Not Found".to_owned());
        events.status = SitemapStatus::Partly;
        events.reason = Some("truncated at line 1,204".to_owned());
        feed.format = Some("rss".to_owned());
    }
    let languages = ["en", "de", "fr", "nl", "x-default"];
    let example = |sitemap: &str, line, message: &str, excerpt: &str, marked| Example {
        sitemap: format!("https://www.example.com/{sitemap}"),
        line: Some(line),
        column: Some(10),
        message: message.to_owned(),
        excerpt: Some(excerpt.to_owned()),
        marked: Some(marked),
        page: Some("https://www.example.com/products/bath/towels/12".to_owned()),
        is_new: line < 100,
        ..Example::default()
    };
    let runs = (0..24).map(|run: u64| Run {
        made: format!("2026-{:02}-01T05:00:00Z", 1 + run * 10 / 23),
        version: 1,
        subject: "https://www.example.com".to_owned(),
        part: (run == 3).then(|| "7 sitemaps were not read".to_owned()),
        totals: Totals {
            pages: 31_000 + run * 760 - (run % 5) * 400,
            sitemaps: 9,
            errors: 640 - run * 18,
            warnings: 500 + (run * 37) % 200,
            ..Totals::default()
        },
    });
    Report {
        version: VERSION,
        subject: "https://www.example.com".to_owned(),
        title: Some("Example & Co: sitemaps in November".to_owned()),
        csv: Some("findings.csv".to_owned()),
        made: "2026-11-22T20:15:00Z".to_owned(),
        totals: Totals {
            pages: total,
            entries: total,
            sitemaps: 8,
            not_read: 1,
            unread: 2,
            partly: 1,
            dated: 45_712,
            newest: "2026-11-21T07:08:09+01:00".parse().ok(),
            oldest: "2019-03-02".parse().ok(),
            errors: 228,
            warnings: 671,
            advice: 52,
        },
        is_bounded: false,
        whole: None,
        not_whole: None,
        allowed: 0,
        unseen: None,
        left_out: Vec::new(),
        sitemaps,
        more_sitemaps: 0,
        rules: vec![
            Findings {
                new: 12,
                examples: vec![
                    example("sitemap-products-2.xml.gz", 1_204, "`www.example.com/bath/towels/12` is not an absolute URL", "  <url><loc>www.example.com/bath/towels/12</loc></url>", (12, 42)),
                    example("sitemap-de.xml", 88, "`//www.example.com/de/` has no scheme", "    <loc>//www.example.com/de/</loc>", (9, 30)),
                ],
                ..found("invalid-url", Severity::Error, 226)
            },
            Findings {
                examples: vec![example("sitemap-journal.xml", 2_400, "the same URL as in line 1,180", "<loc>https://www.example.com/journal/2024/how-to-descale-a-kettle</loc>", (5, 65))],
                cost: None,
                ..found("duplicate-url", Severity::Warning, 640)
            },
            found("invalid-priority", Severity::Warning, 31),
            found("shared-lastmod", Severity::Advice, 52),
        ],
        sections: vec![host],
        months: months.collect(),
        shared_dates: [("2026-11-01", 6_204), ("2026-03-14T00:00:00Z", 1_180), ("2025-06-30", 640)]
            .map(|(date, pages)| (date.to_owned(), pages))
            .to_vec(),
        languages: Languages {
            pages: 2_980,
            languages: languages.map(|name| Language { hreflang: name.to_owned(), links: 2_600, unreturned: 214 }).to_vec(),
            is_whole: true,
            unreturned: 214,
            unlisted: 38,
        },
        media: Media { images: 61_204, pages_with_images: 36_100, videos: 48, pages_with_videos: 41, news: 0, recent_news: 0 },
        changes: Some(Changes {
            earlier: "https://www.example.com".to_owned(),
            made: "2026-10-22T05:00:00Z".to_owned(),
            pages_before: 45_100,
            sections: [("www.example.com/products/", 35_200, 36_930), ("www.example.com/journal/", 5_300, 5_214), ("www.example.com/help/", 1_020, 1_020)]
                .map(|(section, before, now)| Compared {
                    name: section.to_owned(),
                    before,
                    now,
                })
                .to_vec(),
            notes: vec!["2 findings of the earlier report could not be checked again, because their sitemaps were not read to the end.".to_owned()],
            totals: Totals { pages: 45_100, sitemaps: 9, dated: 45_700, errors: 230, warnings: 690, ..Totals::default() },
            findings: FindingChanges {
                new: 12,
                fixed: 31,
                still: 875,
                unread: 2,
                rules: vec![RuleChange {
                    rule: "invalid-url".to_owned(),
                    level: Severity::Error,
                    heading: "URLs cannot be used".to_owned(),
                    before: 240,
                    now: 226,
                    new: 12,
                    fixed: 26,
                    still: 214,
                    unread: 0,
                    examples: vec![example("sitemap-de.xml", 90, "`//www.example.com/de/b` has no scheme", "", (0, 0))],
                }],
            },
            sitemaps: vec![SitemapChange {
                name: "https://www.example.com/sitemap-stores.xml".to_owned(),
                change: "now unreadable".to_owned(),
                before: Some(96),
                now: Some(0),
            }],
            verdicts: vec![Compared { name: "missing".to_owned(), before: 12, now: 9 }],
        }),
        probe: Some(Probed {
            only_bad: false,
            is_map: false,
            sample_of: None,
            pages: 500,
            verdicts: [("ok", 470), ("redirect", 18), ("missing", 9), ("noindex", 3)].map(|(name, count)| (name.to_owned(), count)).to_vec(),
            sections: vec![("www.example.com/products/".to_owned(), [8, 0, 0, 12, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 380])],
            examples: vec![Found {
                verdict: Verdict::Redirect,
                url: "https://www.example.com/help/returns".to_owned(),
                status: Some(301),
                location: Some("https://www.example.com/help/returns/".to_owned()),
                ..Found::default()
            }],        }),
        history: runs.collect(),
    }
}

/// Findings of a rule, without examples.
pub(super) fn found(rule: &str, level: Severity, count: u64) -> Findings {
    let described = rules::find(rule).unwrap();
    Findings {
        rule: rule.to_owned(),
        level,
        count,
        sitemaps: 2,
        heading: described.heading(count),
        why: described.why.to_owned(),
        fix: described.fix.to_owned(),
        explanation: described.text.to_owned(),
        cost: Some("the value is dropped".to_owned()),
        ..Findings::default()
    }
}

/// Text that must have no effect in a page, at any place.
pub(super) const HOSTILE: [&str; 9] = [
    "<script>attacked()</script>",
    "\"><img src=x onerror=attacked()>",
    "'><svg onload=attacked()>",
    "</script><script>attacked()</script>",
    "</style></title></textarea><script>attacked()</script>",
    "javascript:attacked()",
    "https://example.com/\"onmouseover=\"attacked()",
    "<!--<script>\u{2028}{{ 7 * 6 }}{% raw %}",
    "https://user:pass-word@example.com/\u{202e}lmx.pametis",
];

/// All texts of the shop replaced by what should do harm.
pub(super) fn hostile() -> Report {
    fn spoil(value: &mut serde_json::Value, next: &mut usize) {
        match value {
            serde_json::Value::String(text) => {
                let known = "read partly unreadable not-read redirect error warning advice";
                if !known.split(' ').any(|known| known == text) {
                    let attack = HOSTILE[*next % HOSTILE.len()];
                    *text = format!("{attack}{}", *next / HOSTILE.len());
                    *next += 1;
                }
            }
            serde_json::Value::Array(values) => {
                values.iter_mut().for_each(|value| spoil(value, next))
            }
            serde_json::Value::Object(values) => {
                // These are dates, so no other text can be in them.
                let is_text = |name: &str| !["newest", "oldest"].contains(&name);
                let texts = values.iter_mut().filter(|(name, _)| is_text(name));
                texts.for_each(|(_, value)| spoil(value, next))
            }
            _ => {}
        }
    }
    let mut value = serde_json::to_value(shop()).unwrap();
    spoil(&mut value, &mut 0);
    serde_json::from_value(value).unwrap()
}

/// More than a report will hold.
pub(super) fn large() -> Report {
    let mut report = shop();
    let long = "a-folder-with-a-name-of-sixty-characters-as-shops-have-them/";
    let deep = |host: usize| {
        let folders = (0..14).map(|upper| {
            let inside = (0..14).map(|lower| {
                let name = format!("{lower}-{long}");
                folder(&name, 100 * (14 - lower), 2, (1, 2))
            });
            let name = format!("{upper}-{long}");
            folder(&name, 100 * 105, 1, (14, 28)).with(inside.collect())
        });
        let name = format!("www{host}.example.com");
        folder(&name, 14 * 100 * 105, 1, (196, 392)).with(folders.collect())
    };
    report.sections = (0..2).map(deep).collect();
    let sitemap = report.sitemaps[1].clone();
    report.sitemaps = (0..1_000)
        .map(|part| Sitemap {
            name: format!("https://www.example.com/sitemaps/{long}sitemap-{part}.xml.gz"),
            ..sitemap.clone()
        })
        .collect();
    report.sitemaps[700].errors = 5;
    (report.totals.pages, report.totals.sitemaps) = (294_000, 1_000);
    report
}
