//! Errors as rows and as `Err`s, the place of issues, exact numbers, and bounds.

use std::io::{self, Read};

use crate::common::{Row, gzip, push, rows_in, rows_of};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use quick_sitemap::{Policy, ReaderBuilder, Rule};
use quick_sitemap_arrow::{
    BatchDecoder, Batches, BatchesBuilder, Column, Error, Fatal, SourceName,
};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn urlset(inner: &str) -> String {
    format!("<urlset xmlns='{NS}'>{inner}</urlset>")
}

fn all() -> BatchesBuilder {
    BatchesBuilder::new().columns(Column::ALL.iter().copied())
}

fn texts(rows: &[Row], column: Column) -> Vec<Option<&str>> {
    rows.iter().map(|row| row.get(column)).collect()
}

#[test]
fn a_feed_without_items_has_a_row_and_is_no_error() {
    let empty = "<rss version='2.0'><channel/></rss>";
    for fatal in [Fatal::Row, Fatal::Raise] {
        let rows = rows_of(BatchesBuilder::new().fatal(fatal), empty.as_bytes());
        assert_eq!(texts(&rows, Column::Kind), [Some("no-entries")]);
    }
    let lost = "<rss version='2.0'><channel><item/></channel></rss>";
    let mut batches = BatchesBuilder::new()
        .fatal(Fatal::Raise)
        .build(lost.as_bytes());
    assert!(batches.next().unwrap().is_err());
}

#[test]
fn rows_before_an_error_come_before_it_is_raised() {
    let text = format!("<urlset xmlns='{NS}'><url><loc>https://example.com/a</loc></url>");
    for builder in [BatchesBuilder::new(), all()] {
        let builder = builder.fatal(Fatal::Raise).source("a.xml");
        let mut batches = builder.build(text.as_bytes());
        assert_eq!(batches.next().unwrap().unwrap().num_rows(), 1);
        let error = batches.next().unwrap().unwrap_err();
        assert!(error.to_string().contains("a.xml: 1:"), "{error}");
        let arrow_schema::ArrowError::ExternalError(cause) = error else {
            panic!("{error}")
        };
        let Some(Error::Sitemap {
            source_name, error, ..
        }) = cause.downcast_ref::<Error>()
        else {
            panic!("{cause}")
        };
        assert_eq!(source_name.as_ref().map(SourceName::as_str), Some("a.xml"));
        assert_eq!(error.kind().name(), "truncated");
        assert!(batches.next().is_none());
    }
}

#[test]
fn after_a_raised_error_the_next_file_is_read() {
    let mut decoder = BatchesBuilder::new().fatal(Fatal::Raise).decoder();
    decoder.begin("a").unwrap();
    assert!(matches!(decoder.begin("b"), Err(Error::Unfinished)));
    decoder.push(b"<html/>");
    decoder.finish();
    assert!(matches!(decoder.next_batch(), Err(Error::Sitemap { .. })));
    decoder.push(b"what is left of a file that failed");
    decoder.finish();
    assert!(decoder.next_batch().unwrap().is_none());
    decoder.begin("b").unwrap();
    decoder.push(b"https://example.com/\n");
    decoder.finish();
    assert!(decoder.next_batch().unwrap().is_none() && decoder.is_between_files());
    assert_eq!(decoder.flush().unwrap().unwrap().num_rows(), 1);
    assert!(decoder.flush().unwrap().is_none());
    let long = decoder.begin(&*"x".repeat(65_537));
    assert!(matches!(long, Err(Error::NameTooLong(65_537))));
}

#[test]
fn what_a_policy_denies_is_raised_and_the_file_goes_on() {
    let text = urlset(
        "<url><loc>https://example.com/a</loc></url>\
         <url><loc>https://example.com/b</loc><priority>9</priority></url>\
         <url><loc>https://example.com/c</loc></url>",
    );
    let reader = ReaderBuilder::new().policy(Policy::LENIENT.deny(Rule::InvalidPriority));
    let builder = BatchesBuilder::new().reader(reader);
    let rows = rows_of(builder.clone(), text.as_bytes());
    let locs = [
        Some("https://example.com/a"),
        None,
        Some("https://example.com/c"),
    ];
    assert_eq!(texts(&rows, Column::Loc), locs);
    let error = rows[1].get(Column::Error).unwrap();
    let expected = "priority `9` is not a number from 0.0 to 1.0";
    assert!(error.ends_with(expected), "{error}");
    let batches = builder.fatal(Fatal::Raise).build(text.as_bytes());
    let steps: Vec<_> = batches
        .map(|batch| batch.map(|it| it.num_rows()).ok())
        .collect();
    assert_eq!(steps, [Some(1), None, Some(1)]);
}

/// Returns `WouldBlock` before each byte, and fails at the end.
struct Halting(Vec<u8>, usize, bool);

impl Read for Halting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.2 = !self.2;
        if self.2 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let Some(byte) = self.0.get(self.1) else {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionReset,
                "reset by peer",
            ));
        };
        self.1 += 1;
        buffer[0] = *byte;
        Ok(1)
    }
}

#[test]
fn an_input_that_is_not_ready_is_asked_again() {
    let batches = Batches::from_reader(Halting(b"https://example.com/a\n".to_vec(), 0, false));
    let (ready, waits): (Vec<_>, Vec<_>) = batches.partition(Result::is_ok);
    assert_eq!(waits.len(), 23);
    let rows: Vec<Row> = ready.iter().flatten().flat_map(rows_in).collect();
    let locs = [Some("https://example.com/a"), None];
    assert_eq!(texts(&rows, Column::Loc), locs);
    assert_eq!(rows[1].get(Column::Error), Some("I/O error: reset by peer"));
}

/// What an issue says is compared with typed reading in `rows`.
#[test]
fn issues_stand_in_the_row_that_they_belong_to() {
    let text = urlset(
        "\n<url><loc>www.example.com</loc></url>\
         \n<url><loc>https://example.com/a</loc><priority>9</priority></url>\
         \n<url/>\
         \n<url><loc>https://example.com/b</loc></url>\
         \n<url/>",
    );
    for rows in [1, 2, 100] {
        let found = rows_of(all().batch_rows(rows), text.as_bytes());
        let rules: Vec<Vec<&str>> = found
            .iter()
            .map(|row| {
                let text = row.get(Column::Issues).unwrap();
                let rules = text.split("\"rule\": Text(\"").skip(1);
                rules.map(|rest| rest.split('"').next().unwrap()).collect()
            })
            .collect();
        let first = vec!["invalid-url", "invalid-priority"];
        assert_eq!(rules, [first, vec!["missing-loc", "missing-loc"]]);
    }
    let batch = all().build(text.as_bytes()).next().unwrap().unwrap();
    let issues = batch.column_by_name("issues").unwrap().as_list::<i32>();
    let names = issues.values().as_struct().column_names();
    let expected = ["rule", "effect", "message", "line", "column", "byte"];
    assert_eq!(names, expected);
}

#[test]
fn a_priority_is_the_number_nearest_to_its_text() {
    for (text, value) in [
        ("0.8", 0.8),
        ("0.85", 0.85),
        ("1", 1.0),
        ("1.0", 1.0),
        ("0", 0.0),
        ("0.123456789012", 0.123_456_789_012),
        ("00.70", 0.7),
        ("0,8", 0.8),
        (".3", 0.3),
    ] {
        let plain = BatchesBuilder::new().columns([Column::Priority]);
        for builder in [plain.clone(), plain.reader(ReaderBuilder::new())] {
            let priority = format!("<priority>{text}</priority>");
            let text = urlset(&format!(
                "<url><loc>https://example.com/</loc>{priority}</url>"
            ));
            let batch = builder.build(text.as_bytes()).next().unwrap().unwrap();
            let found = batch.column(0).as_primitive::<Float64Type>().value(0);
            assert_eq!(found.to_bits(), f64::to_bits(value), "{priority}");
        }
    }
}

#[test]
fn the_bytes_of_a_batch_are_bounded() {
    let loc = format!("https://example.com/{}", "x".repeat(2000));
    let images = format!("<i:image><i:loc>{loc}</i:loc></i:image>").repeat(50);
    let entry = format!("<url><loc>https://example.com/</loc>{images}</url>");
    let text = format!(
        "<urlset xmlns='{NS}' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>{}</urlset>",
        entry.repeat(100)
    );
    let mut rows = 0;
    for batch in all().batch_bytes(1 << 20).build(text.as_bytes()) {
        let batch = batch.unwrap();
        let images = batch.column_by_name("images").unwrap().as_list::<i32>();
        let locs = images.values().as_struct().column_by_name("loc").unwrap();
        let bytes = locs.as_string::<i32>().value_data().len();
        // At most one entry more than the bound.
        assert!(bytes <= (1 << 20) + 110_000, "{bytes}");
        rows += batch.num_rows();
    }
    assert_eq!(rows, 100);
    // The name of the file is included, because it is in every row.
    let builder = BatchesBuilder::new().source("n".repeat(60_000));
    let many = "https://example.com/\n".repeat(200);
    let batches = builder.batch_bytes(1 << 20).build(many.as_bytes());
    let rows: Vec<usize> = batches.map(|batch| batch.unwrap().num_rows()).collect();
    assert!(rows.iter().all(|rows| *rows <= 18), "{rows:?}");
    assert_eq!(rows.iter().sum::<usize>(), 200);
}

#[test]
fn nulls_are_where_nothing_is_said() {
    let text = urlset("<url><loc>https://example.com/</loc></url>");
    let batch = all().build(text.as_bytes()).next().unwrap().unwrap();
    let schema = batch.schema();
    assert!(schema.fields().iter().all(|field| field.is_nullable()));
    let names = Column::ALL.iter().map(|column| column.name());
    let is_null = |name: &&str| batch.column_by_name(name).unwrap().is_null(0);
    let nulls: Vec<&str> = names.filter(is_null).collect();
    let expected = [
        "source",
        "lastmod",
        "changefreq",
        "priority",
        "error",
        "lastmod_text",
    ];
    assert_eq!(nulls, expected);
}

/// The rows of these files, read one after the other.
fn read(builder: BatchesBuilder, files: &[(&str, &[u8])]) -> Vec<Row> {
    let mut decoder = builder.decoder();
    let mut found = Vec::new();
    for (name, bytes) in files {
        found.extend(push(&mut decoder, Some(name), bytes, 5));
    }
    found.extend(decoder.flush().unwrap().iter().flat_map(rows_in));
    found
}

/// An error is the last row of its file, and a file without entries is a row that says why.
#[test]
fn every_file_has_a_row() {
    let page = "<url><loc>https://example.com/a</loc></url>";
    let cut = urlset(&format!("\n{page}\n")).replace("</urlset>", "");
    let lost = urlset("\n<url/>\n  <url><loc>words</loc></url>");
    let (one, empty) = (urlset("\n<url/>"), urlset(""));
    let index = format!("<sitemapindex xmlns='{NS}'/>");
    let gzipped = &gzip(b"https://example.com/c\nhttps://example.com/d\n")[..10];
    // The source, the kind, the error, and the number of skipped entries.
    let expected = [
        "cut.xml, url",
        "cut.xml, truncated, 3:1: the document is truncated, 0",
        "cut.gz, truncated, 1:1: the document is truncated, 0",
        "nothing, not-a-sitemap, 1:1: not a sitemap: it is empty, 0",
        "lost.xml, no-entries, no entries; 2 skipped, the first at 2:1: missing-loc, 2",
        "one.xml, no-entries, no entries; 1 skipped, at 2:1: missing-loc, 1",
        "empty.xml, no-entries, no entries, 0",
        "index.xml, no-entries, no entries, 0",
        "whole.txt, url, 0",
        "html, unknown-root, 1:1: root element `html` is not that of a sitemap, 0",
    ];
    let files: [(&str, &[u8]); 9] = [
        ("cut.xml", cut.as_bytes()),
        ("cut.gz", gzipped),
        ("nothing", b""),
        ("lost.xml", lost.as_bytes()),
        ("one.xml", one.as_bytes()),
        ("empty.xml", empty.as_bytes()),
        ("index.xml", index.as_bytes()),
        ("whole.txt", b"https://example.com/\n"),
        ("html", b"<html/>"),
    ];
    for builder in [
        BatchesBuilder::new(),
        all(),
        BatchesBuilder::new().reader(ReaderBuilder::new()),
    ] {
        for size in [1, 2, 100] {
            let rows = read(builder.clone().batch_rows(size), &files);
            let columns = [Column::Source, Column::Kind, Column::Error, Column::Skipped];
            let found = rows.iter().map(|row| {
                assert_eq!(
                    row.get(Column::Loc).is_none(),
                    row.get(Column::Error).is_some()
                );
                let values = columns.iter().filter_map(|column| row.get(*column));
                values.collect::<Vec<_>>().join(", ")
            });
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }
}

#[test]
fn the_last_row_of_a_file_says_how_many_entries_were_skipped() {
    let page = "<url><loc>https://example.com/</loc></url>";
    let between = urlset(&format!("{page}<url/>{page}{page}"));
    let last = urlset(&format!(
        "<url/>{page}{page}<url/><url><loc>words</loc></url>"
    ));
    let cut = last.replace("</urlset>", "<url>");
    let files = [
        ("a", between.as_bytes()),
        ("b", last.as_bytes()),
        ("c", cut.as_bytes()),
    ];
    let expected = [
        None,
        None,
        Some("1"),
        None,
        Some("3"),
        None,
        None,
        Some("3"),
    ];
    for builder in [
        BatchesBuilder::new(),
        all(),
        BatchesBuilder::new().columns([Column::Skipped]),
    ] {
        for size in 1..10 {
            let rows = read(builder.clone().batch_rows(size), &files);
            assert_eq!(
                texts(&rows, Column::Skipped),
                expected,
                "{size} rows per batch"
            );
        }
    }
}

#[test]
fn a_file_without_entries_is_raised() {
    let text = urlset("<url/><url/>");
    for builder in [BatchesBuilder::new(), all()] {
        let mut decoder = builder.fatal(Fatal::Raise).decoder();
        decoder
            .begin("https://user:word@example.com/a.xml")
            .unwrap();
        decoder.push(text.as_bytes());
        decoder.finish();
        let error = decoder.next_batch().unwrap_err();
        assert_eq!(error.kind_name(), "no-entries");
        let expected =
            "https://***@example.com/a.xml: no entries; 2 skipped, the first at 1:61: missing-loc";
        assert_eq!(error.to_string(), expected);
        assert!(matches!(error, Error::NoEntries { skipped, .. } if skipped.count == 2));
        assert!(decoder.next_batch().unwrap().is_none() && decoder.is_between_files());
        assert!(decoder.flush().unwrap().is_none());
    }
}

/// A file with entries that are raised as errors is not silent.
#[test]
fn a_file_whose_entries_are_all_denied_has_no_further_error() {
    let text = urlset("<url/><url/>");
    let builder = BatchesBuilder::new().reader(ReaderBuilder::new().policy(Policy::STRICT));
    let rows = rows_of(builder.clone(), text.as_bytes());
    assert_eq!(texts(&rows, Column::Kind), [Some("missing-loc"); 2]);
    assert_eq!(texts(&rows, Column::Skipped), [None, Some("2")]);
    let batches = builder.fatal(Fatal::Raise).build(text.as_bytes());
    let raised: Vec<bool> = batches.map(|batch| batch.is_err()).collect();
    assert_eq!(raised, [true, true]);
}

#[test]
fn names_and_messages_show_neither_passwords_nor_line_feeds() {
    let name = "https://user:word@example.com/a\nb.xml";
    let mut decoder = BatchDecoder::new();
    decoder.begin(name).unwrap();
    let message = "GET https://user:word@example.com/:\r\n\u{202e}gone";
    decoder.fail(io::Error::other(message));
    assert!(decoder.next_batch().unwrap().is_none());
    let rows = rows_in(&decoder.flush().unwrap().unwrap());
    let source = rows[0].get(Column::Source);
    assert_eq!(source, Some("https://***@example.com/a\nb.xml"));
    let expected = "I/O error: GET https://***@example.com/:\\r\\n\\u{202e}gone";
    assert_eq!(rows[0].get(Column::Error), Some(expected));

    let mut decoder = BatchesBuilder::new().fatal(Fatal::Raise).decoder();
    decoder.begin(name).unwrap();
    decoder.push(b"<html/>");
    decoder.finish();
    let error = decoder.next_batch().unwrap_err().to_string();
    let expected = "https://***@example.com/a\\nb.xml: 1:1: ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn the_readme_lists_every_column() {
    let readme = include_str!("../../README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let columns = Column::ALL.iter().map(|column| column.name());
    let expected: Vec<&str> = columns.chain(["loc"]).collect();
    assert_eq!(names, expected, "the last is a row of the benchmark");
}
