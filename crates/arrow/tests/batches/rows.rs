//! Rows are compared with typed reading: over the fixtures, the shared corpus if it is next to the checkout, and
//! generated documents; for every projection, batch size and division of the bytes.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{self, Row, Value, files_below, gzip, pushed, rows_of, typed_rows};
use proptest::prelude::*;
use quick_sitemap::{Policy, Reader, ReaderBuilder};
use quick_sitemap_arrow::arrow_schema::{DataType, Field};
use quick_sitemap_arrow::{BatchesBuilder, Column};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Of a document with more bytes, only this many are compared, as a truncated document. The rows of the complete document are
/// counted.
const LARGE: usize = 60_000;

/// Checks that projections, batch sizes and divisions of the bytes do not change the rows.
fn same(name: &str, bytes: &[u8]) {
    if bytes.len() > LARGE {
        let batches = BatchesBuilder::new().columns([]).build(bytes);
        let rows: usize = batches.map(|batch| batch.unwrap().num_rows()).sum();
        let expected = ReaderBuilder::new().build(bytes).count().max(1);
        assert_eq!(rows, expected, "{name}: rows");
        return same(name, &bytes[..LARGE]);
    }
    let full = typed_rows(bytes, ReaderBuilder::new());
    let columns = Column::ALL.iter().copied();
    let columns: Vec<Column> = columns.filter(|it| *it != Column::Issues).collect();
    let project =
        |columns: &[Column]| -> Vec<Row> { full.iter().map(|row| row.only(columns)).collect() };
    let expected = project(&columns);
    let all = || BatchesBuilder::new().columns(columns.iter().copied());
    let with_issues = BatchesBuilder::new().columns(Column::ALL.iter().copied());
    compare(name, "with issues", &full, &rows_of(with_issues, bytes));
    for (how, builder) in [
        ("every column", all()),
        ("views", all().string_views(true)),
        ("three rows a batch", all().batch_rows(3)),
        ("a byte a batch", all().batch_bytes(1)),
        ("interpreted", all().reader(ReaderBuilder::new())),
    ] {
        compare(name, how, &expected, &rows_of(builder, bytes));
    }
    for size in [7, 997] {
        if bytes.len() / size < 10_000 {
            let found = pushed(all().decoder(), bytes, size);
            compare(name, "pushed", &expected, &found);
        }
    }
    compare(name, "gzipped", &expected, &rows_of(all(), &gzip(bytes)));
    for projection in [
        Column::DEFAULT,
        &[Column::Loc, Column::Error, Column::Host],
        &[Column::Priority],
    ] {
        let builder = BatchesBuilder::new().columns(projection.iter().copied());
        let found = rows_of(builder, bytes);
        compare(name, "projected", &project(projection), &found);
    }
    let none = BatchesBuilder::new().columns([]).batch_rows(5).build(bytes);
    let count: usize = none.map(|batch| batch.unwrap().num_rows()).sum();
    assert_eq!(count, expected.len(), "{name}: no column");
}

fn compare(name: &str, how: &str, expected: &[Row], found: &[Row]) {
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_eq!(expected, found, "{name}, {how}: row {index}");
    }
    assert_eq!(expected.len(), found.len(), "{name}, {how}: rows");
}

fn compare_all(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = files_below(&folder);
    if files.is_empty() {
        eprintln!("!! {} is not there, and was NOT read", folder.display());
    }
    for (name, bytes) in files {
        same(&name, &bytes);
    }
}

#[test]
fn the_fixtures() {
    compare_all("../../tests/data");
}

#[test]
fn the_corpus() {
    compare_all("../../../shared/corpus/files");
}

/// Each document is written in an unusual way that could mislead a reader of raw entries.
#[test]
fn entries_that_need_interpretation() {
    let odd = [
        "<loc>https://example.com/</loc><lastmod>2024<b>-05</b></lastmod>",
        "<loc>https://example.com/</loc><lastmod>2024-05<b/></lastmod>",
        "<loc>https://example.com/</loc><lastmod/><lastmod>2024</lastmod>",
        "<loc>https://example.com/</loc><lastmod>2024</lastmod><lastmod>2025</lastmod>",
        "<loc>https://example.com/</loc><Lastmod>2024</Lastmod><lastmod>2025</lastmod>",
        "<loc>https://example.com/</loc><lastmod a='<'>2024</lastmod>",
        "<loc>https://example.com/</loc><lastmod a=b>2024</lastmod>",
        "<loc>https://example.com/</loc><x:lastmod xmlns:x='urn:x'>2024</x:lastmod>",
        "<loc>https://example.com/</loc><lastmod xmlns='urn:x'>2024</lastmod><priority>0.5</priority>",
        "<loc>https://example.com/</loc><lastmod xmlns=''>2024</lastmod>",
        "<loc>https://example.com/</loc><priority>0,8</priority>",
        "<loc>https://example.com/</loc><priority>.5</priority>",
        "<loc>https://example.com/</loc><priority>0.123456789012</priority>",
        "<loc>https://example.com/</loc><priority>1.00000</priority>",
        "<loc>https://example.com/</loc><priority>2</priority>",
        "<loc>https://example.com/</loc><changefreq>Daily</changefreq>",
        "<loc>https://example.com/</loc><changefreq>often</changefreq>",
        "<loc>https://example.com</loc>",
        "<loc>HTTPS://user:word@EXAMPLE.com:443/ä?b[]#c#d</loc>",
        "<loc>https://user:word@example.com:8080/a|b</loc>",
        "<loc>https://[2001:db8::1]:8080/</loc>",
        "<loc>/relative</loc>",
        "<loc></loc>",
        "<loc>https://example.com/a</loc><loc>https://example.com/b</loc>",
        "<loc>https://example.com/a<loc>https://example.com/b</loc></loc>",
        "<loc>https://example.com/<b>c</b></loc>",
        "<loc><![CDATA[https://example.com/?a&b]]></loc>",
        "<loc>https://example.com/?a=1&b=2</loc>",
        "<priority>0.5</priority>",
        "<loc>https://example.com/</loc><image:image><image:loc>https://example.com/i.png</image:loc><image:title>t</image:title></image:image>",
        "<loc>https://example.com/</loc><image:image><image:loc>bad</image:loc></image:image>",
        "<loc>https://example.com/</loc><foo>1</foo>",
        "<loc>https://example.com/</loc><xhtml:link rel='alternate' hreflang='de' href='https://example.com/de'/>",
        "<loc>https://example.com/</loc><lastmod>2024-03-04T05:06:07.123456789-00:00</lastmod>",
        "<loc>https://example.com/</loc><lastmod>0001-01-01</lastmod>",
        "<loc>https://example.com/</loc><lastmod>0001-01-01T00:00:00+14:00</lastmod>",
        "<loc>https://example.com/</loc><lastmod>9999-12-31T23:59:59.999999Z</lastmod>",
        "<loc>https://example.com/</loc><lastmod>9999-12-31T23:59:59-14:00</lastmod>",
        "<loc>https://example.com/</loc><lastmod>2024-03-04 05:06</lastmod>",
    ];
    for entry in ["url", "sitemap"] {
        for root in ["urlset", "sitemapindex"] {
            let mut whole = format!("<{root} xmlns='{NS}'>");
            for inner in odd {
                let text = format!("<{root} xmlns='{NS}'><{entry}>{inner}</{entry}></{root}>");
                same(inner, text.as_bytes());
                whole += &format!("<{entry}>{inner}</{entry}>");
            }
            same(
                "all of them",
                (whole.clone() + &format!("</{root}>")).as_bytes(),
            );
            same("all of them, cut off", whole.as_bytes());
        }
    }
}

#[test]
fn what_is_no_sitemap() {
    for text in [
        "",
        " ",
        "<html><body/></html>",
        "{}",
        "words",
        "\u{1f}\u{8b}",
        "<urlset>",
        "https://example.com/\nwords\n",
    ] {
        same(text, text.as_bytes());
    }
}

/// A denied violation is a row of its own, for every projection.
#[test]
fn under_policies() {
    let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data"));
    for (name, bytes) in files {
        let reader = ReaderBuilder::new().policy(Policy::STRICT);
        let full = typed_rows(&bytes, reader.clone());
        for columns in [Column::ALL, Column::DEFAULT] {
            let builder = BatchesBuilder::new().reader(reader.clone());
            let found = rows_of(builder.columns(columns.iter().copied()), &bytes);
            let expected: Vec<Row> = full.iter().map(|row| row.only(columns)).collect();
            compare(&name, "strict", &expected, &found);
        }
    }
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "20[0-9]{2}-0[1-9]-[012][0-9]",
        "[0-9.,]{0,5}",
        "0\\.[0-9]{1,12}",
        "(daily|weekly|Never|often)",
        "https?://[a-zA-Z.]{1,12}(:[0-9]{1,4})?(/[a-zA-Z0-9%?&;=#\\[\\]| ]{0,12})?",
        ".{0,8}",
    ]
}

fn document() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        8 => Just("loc"), 3 => Just("lastmod"), 3 => Just("changefreq"), 3 => Just("priority"),
        1 => Just("LOC"), 1 => Just("foo"), 1 => Just("image:loc"), 1 => Just("image:image")
    ];
    let loc = "https://[a-z]{1,8}\\.com/[a-z0-9/-]{0,20}";
    let element = (name, value()).prop_map(|(name, value)| format!("<{name}>{value}</{name}>"));
    let entry = (loc, prop::collection::vec(element, 0..5))
        .prop_map(|(loc, more)| format!("<url><loc>{loc}</loc>{}</url>\n", more.concat()));
    let entries = prop::collection::vec(entry, 0..12);
    (entries, any::<bool>()).prop_map(|(entries, is_cut)| {
        let end = if is_cut { "" } else { "</urlset>" };
        format!("<urlset xmlns='{NS}' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>{}{end}", entries.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn generated_documents(text in document()) {
        same(&text, text.as_bytes());
    }

    #[test]
    fn cut_anywhere(texts in prop::collection::vec(document(), 1..5), sizes in prop::collection::vec(1_usize..60, 1..20), batch in 1_usize..9) {
        let mut expected = Vec::new();
        let mut decoder = BatchesBuilder::new().columns(Column::ALL.iter().copied()).batch_rows(batch).decoder();
        let mut found = Vec::new();
        let mut sizes = sizes.iter().cycle();
        for (index, text) in texts.iter().enumerate() {
            let name = format!("file-{index}");
            expected.extend(typed_rows(text.as_bytes(), ReaderBuilder::new()).into_iter().map(|row| row.named(&name)));
            decoder.begin(&*name).unwrap();
            let mut rest = text.as_bytes();
            while !rest.is_empty() {
                let (chunk, behind) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
                decoder.push(chunk);
                rest = behind;
                while let Some(rows) = decoder.next_batch().unwrap() {
                    prop_assert_eq!(rows.num_rows(), batch);
                    found.extend(common::rows_in(&rows));
                }
            }
            decoder.finish();
            while let Some(rows) = decoder.next_batch().unwrap() {
                prop_assert_eq!(rows.num_rows(), batch);
                found.extend(common::rows_in(&rows));
            }
            prop_assert!(decoder.is_between_files());
        }
        found.extend(decoder.flush().unwrap().iter().flat_map(common::rows_in));
        compare("several", "cut anywhere", &expected, &found);
    }
}

/// The parts come from the library, so a new part without a column fails the test with its name.
#[test]
fn every_part_of_an_entry_has_a_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/every-part.xml");
    let entry = Reader::from_path(&path).unwrap().next().unwrap().unwrap();
    let values = Value::Record(common::values_of(&entry));
    let (mut parts, mut fields) = (BTreeSet::new(), BTreeSet::new());
    values.names("", &mut parts);
    // The page has more views than an integer of Arrow can count.
    parts.insert(".videos.view_count".to_owned());
    let all = BatchesBuilder::new().columns(Column::ALL.iter().copied());
    for field in all.decoder().schema().fields() {
        add_names(field, "", &mut fields);
    }
    assert!(parts.len() > 50, "{parts:?}");
    let missing: Vec<_> = parts.difference(&fields).collect();
    assert!(
        missing.is_empty(),
        "src/extensions.rs has no field for {missing:?}"
    );
}

fn add_names(field: &Field, path: &str, names: &mut BTreeSet<String>) {
    let path = match (path, field.name().as_str()) {
        (path, "item") => path.to_owned(),
        (path, name) => format!("{path}.{name}"),
    };
    match field.data_type() {
        DataType::List(item) => add_names(item, &path, names),
        DataType::Struct(fields) => fields
            .iter()
            .for_each(|field| add_names(field, &path, names)),
        _ => {}
    }
    names.insert(path);
}
