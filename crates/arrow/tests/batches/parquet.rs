//! The example of the README: a folder of sitemaps as a Parquet file.

use std::fs::{self, File};
use std::path::Path;
use std::process;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quick_sitemap_arrow::arrow_array::cast::AsArray;
use quick_sitemap_arrow::arrow_array::{Array, RecordBatch};

#[allow(dead_code)]
#[path = "../../examples/parquet.rs"]
mod example;

#[test]
fn a_folder_becomes_a_parquet_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parquet-{}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("archive/more")).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    for name in ["urlset.xml.gz", "error-page.html", "truncated.xml"] {
        fs::copy(data.join(name), folder.join("archive").join(name)).unwrap();
    }
    let output = folder.join("sitemaps.parquet");
    example::convert(&folder.join("archive"), &output).unwrap();

    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&output).unwrap()).unwrap();
    assert_eq!(reader.schema().field(2).name(), "loc");
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    let mut rows = Vec::new();
    for batch in &batches {
        let text = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap()
                .as_string::<i32>()
                .clone()
        };
        let (source, kind, loc) = (text("source"), text("kind"), text("loc"));
        for row in 0..batch.num_rows() {
            let name = source
                .value(row)
                .rsplit(['/', '\\'])
                .next()
                .unwrap()
                .to_owned();
            let loc = loc.is_valid(row).then(|| loc.value(row).to_owned());
            rows.push((name, kind.value(row).to_owned(), loc));
        }
    }
    let of = |name: &str| rows.iter().filter(|row| row.0 == name).collect::<Vec<_>>();
    assert_eq!(of("urlset.xml.gz").len(), 10);
    assert_eq!(
        of("urlset.xml.gz")[0].2.as_deref(),
        Some("https://www.example.com/")
    );
    assert_eq!(of("error-page.html").len(), 1);
    assert_eq!(of("error-page.html")[0].1, "unknown-root");
    let cut = of("truncated.xml");
    assert!(cut.len() > 1, "pages before the end");
    assert_eq!(cut.last().unwrap().1, "truncated");
    assert_eq!(
        rows.first().unwrap().0,
        "error-page.html",
        "in the order of names"
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_readme_has_the_example() {
    let source = include_str!("../../examples/parquet.rs");
    let (_, program) = source.split_once("\nuse std").unwrap();
    assert!(include_str!("../../README.md").contains(program));
}
