//! The example of the README: a folder of sitemaps as a Parquet file.

use std::fs::{self, File};
use std::path::Path;
use std::process;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quick_sitemap_arrow::Column;

use crate::common::{Row, rows_in};

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
    let batches = reader.build().unwrap().map(Result::unwrap);
    let rows: Vec<Row> = batches.flat_map(|batch| rows_in(&batch)).collect();
    let source = |row: &Row| row.get(Column::Source).unwrap().to_owned();
    let of = |name: &str| -> Vec<&Row> {
        rows.iter()
            .filter(|row| source(row).ends_with(name))
            .collect()
    };
    let pages = of("urlset.xml.gz");
    assert_eq!(pages.len(), 10);
    assert_eq!(pages[0].get(Column::Loc), Some("https://www.example.com/"));
    let kinds = |name: &str| -> Vec<_> {
        of(name)
            .iter()
            .map(|row| row.get(Column::Kind).unwrap().to_owned())
            .collect()
    };
    assert_eq!(kinds("error-page.html"), ["unknown-root"]);
    let cut = kinds("truncated.xml");
    assert!(cut.len() > 1, "pages before the end");
    assert_eq!(cut.last().unwrap(), "truncated");
    let first = source(&rows[0]);
    assert!(
        first.ends_with("error-page.html"),
        "in the order of names: {first}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_readme_has_the_example() {
    let source = include_str!("../../examples/parquet.rs");
    let (_, program) = source.split_once("\nuse std").unwrap();
    assert!(include_str!("../../README.md").contains(program));
}
