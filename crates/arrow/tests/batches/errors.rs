//! Errors as rows and as `Err`s, the place of issues, exact numbers, and bounds.

use std::io::{self, Read};

use crate::common::{Row, gzip, rows_in, rows_of};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, RecordBatch};
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
fn an_error_is_the_last_row_of_its_file() {
    let files: [(&str, Vec<u8>, Option<&str>); 6] = [
        (
            "cut.xml",
            format!("<urlset xmlns='{NS}'>\n<url><loc>https://example.com/a</loc></url>\n").into(),
            Some("3:1: the document is truncated"),
        ),
        (
            "html",
            b"<html/>".to_vec(),
            Some("1:1: root element `html` is not that of a sitemap"),
        ),
        (
            "nothing",
            Vec::new(),
            Some("1:1: not a sitemap: it is empty"),
        ),
        ("whole.txt", b"https://example.com/b\n".to_vec(), None),
        (
            "cut.gz",
            gzip(b"https://example.com/c\nhttps://example.com/d\n")[..30].to_vec(),
            Some("the document is truncated"),
        ),
        ("empty.xml", urlset("").into(), Some("no entries")),
    ];
    let mut decoder = BatchDecoder::new();
    for (name, bytes, _) in &files {
        decoder.begin(*name).unwrap();
        decoder.push(bytes);
        decoder.finish();
        assert!(decoder.next_batch().unwrap().is_none());
    }
    let rows = rows_in(&decoder.flush().unwrap().unwrap());
    for (name, _, error) in &files {
        let of_file: Vec<Row> = rows
            .iter()
            .filter(|row| row.get(Column::Source) == Some(name))
            .cloned()
            .collect();
        let errors: Vec<&str> = texts(&of_file, Column::Error)
            .into_iter()
            .flatten()
            .collect();
        match error {
            Some(error) => {
                assert_eq!(errors.len(), 1, "{name}");
                assert!(errors[0].ends_with(error), "{name}: {errors:?}");
                let last = of_file.last().unwrap();
                assert_eq!(last.get(Column::Error), Some(errors[0]), "{name}");
                assert_eq!(last.get(Column::Loc), None, "{name}");
            }
            None => assert!(errors.is_empty(), "{name}: {errors:?}"),
        }
    }
    let locs: Vec<&str> = texts(&rows, Column::Loc).into_iter().flatten().collect();
    assert!(
        locs.starts_with(&["https://example.com/a", "https://example.com/b"]),
        "{locs:?}"
    );
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
    let builder = || BatchesBuilder::new().fatal(Fatal::Raise).source("a.xml");
    for builder in [builder(), builder().columns(Column::ALL.iter().copied())] {
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
    assert!(matches!(
        decoder.begin(&*"x".repeat(65_537)),
        Err(Error::NameTooLong(65_537))
    ));
}

#[test]
fn what_a_policy_denies_is_raised_and_the_file_goes_on() {
    let text = urlset(
        "<url><loc>https://example.com/a</loc></url>\
         <url><loc>https://example.com/b</loc><priority>9</priority></url>\
         <url><loc>https://example.com/c</loc></url>",
    );
    let reader = ReaderBuilder::new().policy(Policy::LENIENT.deny(Rule::InvalidPriority));
    let builder = BatchesBuilder::new()
        .columns([Column::Loc, Column::Error])
        .reader(reader);
    let rows = rows_of(builder.clone(), text.as_bytes());
    assert_eq!(
        texts(&rows, Column::Loc),
        [
            Some("https://example.com/a"),
            None,
            Some("https://example.com/c")
        ]
    );
    assert!(
        rows[1]
            .get(Column::Error)
            .unwrap()
            .ends_with("priority `9` is not a number from 0.0 to 1.0")
    );
    let steps: Vec<_> = builder
        .fatal(Fatal::Raise)
        .build(text.as_bytes())
        .map(|batch| batch.map(|b| b.num_rows()).ok())
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
    let mut rows = Vec::new();
    let mut waited = 0;
    for step in batches {
        match step {
            Ok(batch) => rows.extend(rows_in(&batch)),
            Err(_) => waited += 1,
        }
    }
    assert_eq!(waited, 23);
    assert_eq!(
        texts(&rows, Column::Loc),
        [Some("https://example.com/a"), None]
    );
    assert_eq!(rows[1].get(Column::Error), Some("I/O error: reset by peer"));
}

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
                text.split("\"rule\": Text(\"")
                    .skip(1)
                    .map(|rest| rest.split('"').next().unwrap())
                    .collect()
            })
            .collect();
        assert_eq!(
            rules,
            [
                vec!["invalid-url", "invalid-priority"],
                vec!["missing-loc", "missing-loc"]
            ]
        );
    }
    let batch = all().build(text.as_bytes()).next().unwrap().unwrap();
    let issues = batch
        .column_by_name("issues")
        .unwrap()
        .as_list::<i32>()
        .value(0);
    let issues = RecordBatch::from(issues.as_struct().clone());
    let row = &format!(
        "{:?}",
        (0..issues.num_columns())
            .map(|c| issues.schema().field(c).name().clone())
            .collect::<Vec<_>>()
    );
    assert_eq!(
        row,
        r#"["rule", "effect", "message", "line", "column", "byte"]"#
    );
    let text = |name: &str, row| {
        issues
            .column_by_name(name)
            .unwrap()
            .as_string::<i32>()
            .value(row)
            .to_owned()
    };
    let number = |name: &str, row| {
        issues
            .column_by_name(name)
            .unwrap()
            .as_primitive::<arrow_array::types::Int64Type>()
            .value(row)
    };
    assert_eq!(
        (text("rule", 0), text("effect", 0)),
        ("invalid-url".into(), "entry-skipped".into())
    );
    assert_eq!(
        text("message", 1),
        "priority `9` is not a number from 0.0 to 1.0"
    );
    assert_eq!((number("line", 1), number("column", 1)), (3, 48));
}

#[test]
fn a_priority_is_the_number_nearest_to_its_text() {
    let cases = [
        ("0.8", 0.8),
        ("0.85", 0.85),
        ("1", 1.0),
        ("1.0", 1.0),
        ("0", 0.0),
        ("0.123456789012", 0.123_456_789_012),
        ("00.70", 0.7),
        ("0,8", 0.8),
        (".3", 0.3),
    ];
    for interpreted in [false, true] {
        for (text, value) in cases {
            let text = urlset(&format!(
                "<url><loc>https://example.com/</loc><priority>{text}</priority></url>"
            ));
            let builder = BatchesBuilder::new().columns([Column::Priority]);
            let builder = if interpreted {
                builder.reader(ReaderBuilder::new())
            } else {
                builder
            };
            let batch = builder.build(text.as_bytes()).next().unwrap().unwrap();
            let found = batch.column(0).as_primitive::<Float64Type>().value(0);
            assert_eq!(found.to_bits(), f64::to_bits(value), "{text}");
        }
    }
}

#[test]
fn the_bytes_of_a_batch_are_bounded() {
    let image = format!(
        "<i:image><i:loc>https://example.com/{}</i:loc></i:image>",
        "x".repeat(2000)
    );
    let entry = format!(
        "<url><loc>https://example.com/</loc>{}</url>",
        image.repeat(50)
    );
    let text = format!(
        "<urlset xmlns='{NS}' xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>{}</urlset>",
        entry.repeat(100)
    );
    let batches = all().batch_bytes(1 << 20).build(text.as_bytes());
    let mut rows = 0;
    for batch in batches {
        let batch = batch.unwrap();
        let images = batch.column_by_name("images").unwrap().as_list::<i32>();
        let bytes = images
            .values()
            .as_struct()
            .column_by_name("loc")
            .unwrap()
            .as_string::<i32>()
            .value_data()
            .len();
        // At most one entry more than the bound.
        assert!(bytes <= (1 << 20) + 110_000, "{bytes}");
        rows += batch.num_rows();
    }
    assert_eq!(rows, 100);
    // The name of the file is included, because it is in every row.
    let name = "n".repeat(60_000);
    let many = "https://example.com/\n".repeat(200);
    let batches = BatchesBuilder::new()
        .source(name)
        .batch_bytes(1 << 20)
        .build(many.as_bytes());
    let rows: Vec<usize> = batches.map(|batch| batch.unwrap().num_rows()).collect();
    assert!(rows.iter().all(|rows| *rows <= 18), "{rows:?}");
    assert_eq!(rows.iter().sum::<usize>(), 200);
}

#[test]
fn nulls_are_where_nothing_is_said() {
    let text = urlset("<url><loc>https://example.com/</loc></url>");
    let batch = all().build(text.as_bytes()).next().unwrap().unwrap();
    assert!(
        batch
            .schema()
            .fields()
            .iter()
            .all(|field| field.is_nullable())
    );
    let nulls: Vec<&str> = Column::ALL
        .iter()
        .map(|column| column.name())
        .filter(|name| batch.column_by_name(name).unwrap().is_null(0))
        .collect();
    assert_eq!(
        nulls,
        [
            "source",
            "lastmod",
            "changefreq",
            "priority",
            "error",
            "lastmod_text"
        ]
    );
}

/// The rows of these files, read one after the other.
fn read(builder: BatchesBuilder, files: &[(&str, &str)]) -> Vec<Row> {
    let mut decoder = builder.decoder();
    let mut found = Vec::new();
    for (name, text) in files {
        decoder.begin(*name).unwrap();
        for byte in text.as_bytes().chunks(5) {
            decoder.push(byte);
            while let Some(batch) = decoder.next_batch().unwrap() {
                found.extend(rows_in(&batch));
            }
        }
        decoder.finish();
        while let Some(batch) = decoder.next_batch().unwrap() {
            found.extend(rows_in(&batch));
        }
    }
    found.extend(decoder.flush().unwrap().iter().flat_map(rows_in));
    found
}

#[test]
fn a_file_without_entries_is_a_row_that_says_why() {
    let lost = urlset("\n<url/>\n  <url><loc>words</loc></url>");
    let one = urlset("\n<url/>");
    let index = format!("<sitemapindex xmlns='{NS}'/>");
    let files = [
        ("lost.xml", lost.as_str()),
        ("one.xml", &one),
        ("empty.xml", &urlset("")),
        ("index.xml", &index),
        ("whole.txt", "https://example.com/\n"),
        ("html", "<html/>"),
    ];
    let expected = [
        (
            "lost.xml",
            Some("no-entries"),
            Some("no entries; 2 skipped, the first at 2:1: missing-loc"),
            "2",
        ),
        (
            "one.xml",
            Some("no-entries"),
            Some("no entries; 1 skipped, at 2:1: missing-loc"),
            "1",
        ),
        ("empty.xml", Some("no-entries"), Some("no entries"), "0"),
        ("index.xml", Some("no-entries"), Some("no entries"), "0"),
        ("whole.txt", Some("url"), None, "0"),
        (
            "html",
            Some("unknown-root"),
            Some("1:1: root element `html` is not that of a sitemap"),
            "0",
        ),
    ];
    for builder in [
        BatchesBuilder::new(),
        all(),
        BatchesBuilder::new().reader(ReaderBuilder::new()),
    ] {
        for size in [1, 2, 100] {
            let rows = read(builder.clone().batch_rows(size), &files);
            let found: Vec<_> = rows
                .iter()
                .map(|row| {
                    let get = |column| row.get(column);
                    let source = get(Column::Source).unwrap();
                    (
                        source,
                        get(Column::Kind),
                        get(Column::Error),
                        get(Column::Skipped).unwrap(),
                    )
                })
                .collect();
            assert_eq!(found, expected);
        }
    }
    let rows = read(all(), &files);
    let issues = rows[0].get(Column::Issues).unwrap();
    assert!(
        issues.contains("missing-loc") && issues.contains("invalid-url"),
        "{issues}"
    );
}

#[test]
fn the_last_row_of_a_file_says_how_many_entries_were_skipped() {
    let page = "<url><loc>https://example.com/</loc></url>";
    let between = urlset(&format!("{page}<url/>{page}{page}"));
    let last = urlset(&format!(
        "<url/>{page}{page}<url/><url><loc>words</loc></url>"
    ));
    let cut = last.replace("</urlset>", "<url>");
    let files = [("a", between.as_str()), ("b", &last), ("c", &cut)];
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
    let batch = all().build(last.as_bytes()).next().unwrap().unwrap();
    let skipped = batch.column_by_name("skipped").unwrap();
    assert_eq!(
        skipped
            .as_primitive::<arrow_array::types::Int64Type>()
            .value(1),
        3
    );
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
        assert_eq!(
            error.to_string(),
            "https://***@example.com/a.xml: no entries; 2 skipped, the first at 1:61: missing-loc"
        );
        let Error::NoEntries { skipped, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(skipped.count, 2);
        assert!(decoder.next_batch().unwrap().is_none() && decoder.is_between_files());
        assert!(decoder.flush().unwrap().is_none());
    }
}

/// A file with entries that are raised as errors is not silent.
#[test]
fn a_file_whose_entries_are_all_denied_has_no_further_error() {
    let text = urlset("<url/><url/>");
    let reader = || ReaderBuilder::new().policy(Policy::STRICT);
    let rows = rows_of(BatchesBuilder::new().reader(reader()), text.as_bytes());
    assert_eq!(texts(&rows, Column::Kind), [Some("missing-loc"); 2]);
    assert_eq!(texts(&rows, Column::Skipped), [None, Some("2")]);
    let raised: Vec<bool> = BatchesBuilder::new()
        .reader(reader())
        .fatal(Fatal::Raise)
        .build(text.as_bytes())
        .map(|batch| batch.is_err())
        .collect();
    assert_eq!(raised, [true, true]);
}

#[test]
fn names_and_messages_show_neither_passwords_nor_line_feeds() {
    let mut decoder = BatchDecoder::new();
    decoder
        .begin("https://user:word@example.com/a\nb.xml")
        .unwrap();
    decoder.fail(io::Error::other(
        "GET https://user:word@example.com/:\r\n\u{202e}gone",
    ));
    assert!(decoder.next_batch().unwrap().is_none());
    let rows = rows_in(&decoder.flush().unwrap().unwrap());
    assert_eq!(
        rows[0].get(Column::Source),
        Some("https://***@example.com/a\nb.xml")
    );
    let error = rows[0].get(Column::Error).unwrap();
    assert_eq!(
        error,
        "I/O error: GET https://***@example.com/:\\r\\n\\u{202e}gone"
    );

    let mut decoder = BatchesBuilder::new().fatal(Fatal::Raise).decoder();
    decoder
        .begin("https://user:word@example.com/a\nb.xml")
        .unwrap();
    decoder.push(b"<html/>");
    decoder.finish();
    let error = decoder.next_batch().unwrap_err().to_string();
    assert!(
        error.starts_with("https://***@example.com/a\\nb.xml: 1:1: "),
        "{error}"
    );
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
