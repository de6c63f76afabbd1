//! The boundaries between parts, and rejected entries.

use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{Alternate, Extension, News, Publication};
use quick_sitemap::{ErrorKind, Limits, Result, Rule, SplitWriter, W3cDatetime, WriterBuilder};

use super::recorder::{Recorder, counts, limits, long, page, rule, split, url};

#[test]
fn a_part_holds_50_000_entries() {
    let entries = vec![page("https://example.com/"); 100_001];
    assert_eq!(
        counts(&split(false, WriterBuilder::new(), &entries[..50_000])),
        [50_000]
    );
    let greedy = limits(u64::MAX, u64::MAX);
    assert_eq!(
        counts(&split(false, greedy.clone(), &entries)),
        [50_000, 50_000, 1]
    );
    assert_eq!(
        counts(&split(true, greedy, &entries[..50_001])),
        [50_000, 1]
    );
    assert_eq!(
        counts(&split(false, limits(2, u64::MAX), &entries[..5])),
        [2, 2, 1]
    );
}

#[test]
fn a_part_holds_so_many_bytes_and_not_one_more() {
    let news = page("https://example.com/")
        .with_alternate(Alternate::new("de", url("https://example.com/de")));
    let entries = [long(100), long(200), long(150), news, long(99)];
    for text in [false, true] {
        for settings in [WriterBuilder::new(), WriterBuilder::new().indent(2)] {
            for count in 1..=entries.len() {
                let whole = split(text, settings.clone(), &entries[..count]);
                let size = whole[0].len() as u64;
                let mut exact = Limits::default();
                exact.bytes = size;
                let fits = split(text, settings.clone().limits(exact), &entries[..count]);
                assert_eq!(fits, whole);
                if count == 1 {
                    continue;
                }
                exact.bytes = size - 1;
                let split = split(text, settings.clone().limits(exact), &entries[..count]);
                assert_eq!(counts(&split), [count - 1, 1]);
                assert!(split.iter().all(|part| (part.len() as u64) < size));
            }
        }
    }
}

#[test]
fn a_part_holds_52_428_800_bytes() {
    // Quicker than to read them; the head has two lines, the end has one.
    let lines = |parts: &[Vec<u8>]| -> Vec<usize> {
        let lines = parts
            .iter()
            .map(|part| part.iter().filter(|b| **b == b'\n').count());
        lines.map(|lines| lines - 3).collect()
    };
    let around = split(false, WriterBuilder::new(), &[long(2_000)])[0].len();
    let entry = 2_000 + "<url><loc></loc></url>\n".len();
    let empty = around - entry;
    let whole = (52_428_800 - empty) / entry;
    let rest = 52_428_800 - empty - (whole - 1) * entry;
    // Two entries fill the rest of the part to the last byte.
    let (first, second) = (rest / 2, rest - rest / 2);
    let of_size = |bytes: usize| long(bytes - "<url><loc></loc></url>\n".len());
    let mut entries = vec![long(2_000); whole - 1];
    entries.extend([of_size(first), of_size(second)]);
    let full = split(false, WriterBuilder::new(), &entries);
    assert_eq!(full.iter().map(Vec::len).collect::<Vec<_>>(), [52_428_800]);
    entries.push(long(21));
    assert_eq!(
        lines(&split(false, WriterBuilder::new(), &entries)),
        [whole + 1, 1]
    );
    entries.truncate(whole);
    entries.push(of_size(second + 1));
    assert_eq!(
        lines(&split(false, WriterBuilder::new(), &entries)),
        [whole, 1]
    );
}

#[test]
fn a_part_holds_1_000_news() {
    let date: W3cDatetime = "2024-03-04".parse().unwrap();
    let article = page("https://example.com/").with_news(News::new(
        Publication::new("The Times", "en"),
        date,
        "Cats",
    ));
    let mut entries = vec![article; 1_000];
    entries.extend(vec![page("https://example.com/"); 3]);
    assert_eq!(
        counts(&split(false, WriterBuilder::new(), &entries)),
        [1_003]
    );
    entries.push(entries[0].clone());
    assert_eq!(
        counts(&split(false, WriterBuilder::new(), &entries)),
        [1_003, 1]
    );
    assert_eq!(
        counts(&split(true, WriterBuilder::new(), &entries)),
        [1_004]
    );
}

#[test]
fn what_is_refused_costs_nothing_else() {
    let too_long = long(300);
    let huge = page("https://example.com/")
        .with_foreign(Element::new("a", "urn:1").with_text("b".repeat(2 << 20)));
    let recorder = Recorder::default();
    let mut writer = limits(2, 400).split(recorder.clone());
    let refuse = |writer: &mut SplitWriter<Recorder>| {
        for (entry, expected) in [
            (&too_long, Rule::TooManyBytes),
            (&huge, Rule::EntryTooLarge),
            (&page("ftp://example.com/"), Rule::UnsupportedScheme),
        ] {
            let error = writer.write(entry).unwrap_err();
            assert_eq!(rule(&error), expected);
            assert!(!error.is_fatal());
        }
    };
    refuse(&mut writer);
    assert_eq!(*recorder.log.borrow(), ["begin urlset"]);
    for number in 1..=3 {
        writer
            .write(&page(&format!("https://example.com/{number}")))
            .unwrap();
        refuse(&mut writer);
    }
    assert_eq!(writer.finish().unwrap().len(), 2);
    assert_eq!(counts(&recorder.parts.borrow()), [2, 1]);
}

#[test]
fn there_are_no_empty_parts() {
    assert!(split(false, WriterBuilder::new(), &[]).is_empty());
    let recorder = Recorder::default();
    let mut writer = limits(0, u64::MAX).split(recorder.clone());
    let error = writer.write(&page("https://example.com/")).unwrap_err();
    assert_eq!(rule(&error), Rule::TooManyEntries);
    assert!(writer.finish().unwrap().is_empty());
    assert_eq!(*recorder.log.borrow(), ["begin urlset", "finish"]);
}

#[test]
fn the_index_has_the_newest_lastmod_of_each_part() {
    let mut writer = limits(3, u64::MAX).split(Recorder::default());
    let dates = [
        // One instant, two spellings: the first stays. `+02:00` is earlier than it looks.
        [
            "2024-03-04T05:06:07Z",
            "2024-03-04T05:06:07+00:00",
            "2024-03-04T06:00:00+02:00",
        ],
        ["2023", "", "2023-01-01"],
        ["", "", ""],
        ["2020-01-01", "2024-05", "2024-04-30T23:59:59Z"],
    ];
    for date in dates.iter().flatten() {
        let mut entry = page("https://example.com/");
        entry.lastmod = (!date.is_empty()).then(|| date.parse().unwrap());
        writer.write(&entry).unwrap();
    }
    let parts = writer.finish().unwrap();
    let newest = parts
        .iter()
        .map(|part| part.lastmod.map(|date| date.to_string()));
    assert_eq!(
        newest.collect::<Vec<_>>(),
        [
            Some("2024-03-04T05:06:07Z".to_owned()),
            Some("2023".to_owned()),
            None,
            Some("2024-05".to_owned())
        ]
    );
    let locs: Vec<_> = parts.iter().map(|part| part.loc.path()).collect();
    assert_eq!(
        locs,
        [
            "/sitemap-1.xml",
            "/sitemap-2.xml",
            "/sitemap-3.xml",
            "/sitemap-4.xml"
        ]
    );
}

#[test]
fn part_50_001_is_refused() {
    let mut writer = limits(u64::MAX, 22).split_text(Recorder::default());
    for _ in 0..50_000 {
        writer.write(&page("https://example.com/")).unwrap();
    }
    let error = writer.write(&page("https://example.com/")).unwrap_err();
    assert_eq!(rule(&error), Rule::TooManyEntries);
    assert!(
        error
            .to_string()
            .contains("more parts than one index can list")
    );
    assert_eq!(writer.finish().unwrap().len(), 50_000);
}

#[test]
fn an_index_lists_at_most_50_000_kept_parts() {
    for (kept, is_refused) in [(50_000, false), (50_001, true)] {
        let recorder = Recorder {
            kept,
            ..Recorder::default()
        };
        let mut writer = WriterBuilder::new().split(recorder);
        let text = fatal(writer.keep("old"));
        assert_eq!(
            text.contains("more parts than one index can list"),
            is_refused,
            "{text}"
        );
        if !is_refused {
            let error = writer.write(&page("https://example.com/")).unwrap_err();
            assert_eq!(rule(&error), Rule::TooManyEntries);
        }
        assert_eq!(writer.finish().is_err(), is_refused, "{kept}");
    }
}

#[test]
fn a_group_is_either_kept_or_written() {
    for is_closed in [false, true] {
        let mut writer = WriterBuilder::new().split(Recorder::default());
        let mut group = writer.group("a");
        group.write(&page("https://example.com/")).unwrap();
        if is_closed {
            group.next_part().unwrap();
        }
        assert!(fatal(writer.keep("a")).contains("it has been written to"));
        assert!(writer.finish().is_err());
    }
}

/// The text of a fatal error; it is empty if there is none.
fn fatal(result: Result<()>) -> String {
    result
        .err()
        .map_or_else(String::new, |error| match error.kind() {
            ErrorKind::Io(error) => error.to_string(),
            other => panic!("{other:?}"),
        })
}

#[test]
fn a_part_declares_what_its_first_entry_needs() {
    let alternate = || Alternate::new("de", url("https://example.com/de"));
    let plain = page("https://example.com/");
    let extended = page("https://example.com/").with_alternate(alternate());
    let foreign =
        page("https://example.com/").with_foreign(Element::new("a", "urn:1").with_prefix("x"));
    let entries = [plain.clone(), extended.clone(), foreign, plain, extended];
    let parts = split(false, limits(3, u64::MAX), &entries);
    let text: Vec<&str> = parts
        .iter()
        .map(|part| std::str::from_utf8(part).unwrap())
        .collect();
    assert_eq!(text.len(), 2);
    assert_eq!(text[0].matches("xmlns:xhtml").count(), 1);
    let root = text[1].lines().nth(1).unwrap();
    assert!(!root.contains("xmlns:xhtml"), "{root}");
    assert_eq!(text[1].matches("xmlns").count(), 2);
    // 10,000 entries with extensions after one that has none.
    let mut entries = vec![page("https://example.com/")];
    entries.extend(vec![
        page("https://example.com/").with_alternate(alternate());
        999
    ]);
    let size = |settings| split(false, settings, &entries).concat().len();
    let declared = WriterBuilder::new().declare(Extension::ALL.iter().copied());
    assert!(size(declared) * 4 < size(WriterBuilder::new()) * 3);
}
