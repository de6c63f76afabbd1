//! Entries from strings: every kind of string, and one error type.

use quick_sitemap::{Priority, Rule, SitemapEntry, UrlEntry, UrlsetWriter};

const LOC: &str = "https://example.com/a?b=1";

#[test]
fn entries_are_made_of_every_kind_of_string() {
    let owned = LOC.to_owned();
    let page = UrlEntry::new(LOC.parse().unwrap());
    assert_eq!(LOC.parse::<UrlEntry>().unwrap(), page);
    assert_eq!(UrlEntry::try_from(LOC).unwrap(), page);
    assert_eq!(UrlEntry::try_from(owned.clone()).unwrap(), page);
    assert_eq!(
        UrlEntry::try_from(format!("  {LOC}\n")).unwrap(),
        page,
        "white space around it is ignored"
    );

    let part = SitemapEntry::new(LOC.parse().unwrap());
    assert_eq!(LOC.parse::<SitemapEntry>().unwrap(), part);
    assert_eq!(SitemapEntry::try_from(LOC).unwrap(), part);
    assert_eq!(SitemapEntry::try_from(owned).unwrap(), part);
}

#[test]
fn every_kind_of_string_is_judged_alike() {
    let long = format!("https://example.com/{}", "a".repeat(2048));
    for (text, rule) in [
        ("www.example.com", Rule::InvalidUrl),
        ("/a", Rule::InvalidUrl),
        ("", Rule::InvalidUrl),
        ("ftp://example.com/a", Rule::UnsupportedScheme),
        (&*long, Rule::UrlTooLong),
    ] {
        let owned = text.to_owned();
        let found = [
            text.parse::<UrlEntry>().map(drop),
            UrlEntry::try_from(text).map(drop),
            UrlEntry::try_from(owned.clone()).map(drop),
            text.parse::<SitemapEntry>().map(drop),
            SitemapEntry::try_from(text).map(drop),
            SitemapEntry::try_from(owned).map(drop),
        ];
        for found in found {
            assert_eq!(found.unwrap_err().rule(), rule, "{text}");
        }
    }
}

/// The values of a page in a database: everything that can fail uses one `?`.
#[test]
fn one_error_type() {
    fn sitemap(rows: &[(String, &str, f32)]) -> quick_sitemap::Result<Vec<u8>> {
        let mut writer = UrlsetWriter::new(Vec::new());
        for (path, changed, priority) in rows {
            let page = UrlEntry::try_from(format!("https://example.com/{path}"))?;
            writer.write(
                &page
                    .try_lastmod(changed)?
                    .with_priority(Priority::new(*priority)?),
            )?;
        }
        writer.finish()
    }
    let row = |path: &str, changed, priority| [(path.to_owned(), changed, priority)];

    let xml = String::from_utf8(sitemap(&row("a", "2024-03-04", 0.8)).unwrap()).unwrap();
    let expected = "<url><loc>https://example.com/a</loc><lastmod>2024-03-04</lastmod><priority>0.8</priority></url>\n";
    assert!(xml.contains(expected), "{xml}");
    for (rows, rule) in [
        (row("a", "yesterday", 0.8), Rule::InvalidDatetime),
        (row("a", "2024-03-04", 80.0), Rule::InvalidPriority),
        (row("a", "2024-03-04", f32::NAN), Rule::InvalidPriority),
        (row("a[1]", "2024-03-04", 0.8), Rule::UrlNotEscaped),
    ] {
        let error = sitemap(&rows).unwrap_err();
        assert_eq!(error.violation().map(|v| v.rule()), Some(rule));
    }
}

#[test]
fn priorities_that_need_no_question_mark() {
    const ARTICLE: Priority = Priority::tenths(7);
    assert_eq!(ARTICLE, "0.7".parse().unwrap());
    assert_eq!(Priority::MAX, "1.0".parse().unwrap());
    assert_eq!(Priority::MIN, "0.0".parse().unwrap());
    assert_eq!(Priority::tenths(11), Priority::MAX);
}
