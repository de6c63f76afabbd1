//! Results of SQL over sitemaps, compared with typed reading of the same bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::{DataFusionError, Result};
use datafusion::object_store::memory::InMemory;
use datafusion::object_store::path::Path as ObjectPath;
use datafusion::object_store::{ObjectStore, ObjectStoreExt};
use datafusion::physical_plan::collect;
use datafusion::prelude::{SessionConfig, SessionContext};
use flate2::{Compression, write::GzEncoder};
use quick_sitemap_arrow::quick_sitemap::{ErrorKind, Policy, Reader, ReaderBuilder};
use quick_sitemap_arrow::{BatchesBuilder, Column, Error, Fatal};
use quick_sitemap_datafusion::{SitemapFormat, SitemapTable, register};
use tempfile::TempDir;
use url::Url;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
const HTML: &[u8] = b"<!DOCTYPE html><html><body>404</body></html>";

fn session() -> SessionContext {
    session_of(SitemapFormat::default())
}

fn session_of(format: SitemapFormat) -> SessionContext {
    let context = SessionContext::new();
    register(&context, format);
    context
}

async fn batches(context: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    context.sql(sql).await?.collect().await
}

/// All rows as texts.
async fn rows(context: &SessionContext, sql: &str) -> Vec<Vec<String>> {
    let batches = batches(context, sql).await.unwrap();
    let cells = |batch: &RecordBatch, row| {
        let columns = batch.columns().iter();
        columns
            .map(|column| array_value_to_string(column, row).unwrap())
            .collect()
    };
    batches
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(move |row| cells(batch, row)))
        .collect()
}

async fn number(context: &SessionContext, sql: &str) -> i64 {
    let batches = batches(context, sql).await.unwrap();
    let column = batches[0].column(0);
    assert_eq!(column.len(), 1);
    column.as_primitive::<Int64Type>().value(0)
}

async fn count(context: &SessionContext, location: &str) -> i64 {
    number(
        context,
        &format!("SELECT count(*) FROM sitemaps('{location}')"),
    )
    .await
}

async fn failure(context: &SessionContext, sql: &str) -> DataFusionError {
    let Err(error) = batches(context, sql).await else {
        panic!("{sql} succeeds");
    };
    error
}

fn urlset(host: &str, pages: usize) -> Vec<u8> {
    let mut text = String::from("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for page in 0..pages {
        text.push_str(&format!(
            "<url><loc>https://{host}/{page}</loc><lastmod>2024-05-01</lastmod><priority>0.8</priority></url>\n"
        ));
    }
    text.push_str("</urlset>\n");
    text.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A folder with these files; a `/` in a name creates a subfolder.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn fixtures() -> Vec<PathBuf> {
    let files = fs::read_dir(FIXTURES).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

/// Entries and errors of a file, as typed reading returns them. A file without either is an error.
fn typed(path: &Path) -> (usize, usize) {
    let outcomes: Vec<_> = Reader::from_path(path).unwrap().collect();
    if outcomes.is_empty() {
        return (0, 1);
    }
    let errors = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    (outcomes.len() - errors, errors)
}

#[tokio::test]
async fn the_rows_of_each_file_are_those_of_typed_reading() {
    let found = rows(
        &session(),
        &format!(
            "SELECT source, count(loc), count(error) FROM sitemaps('{FIXTURES}') GROUP BY source"
        ),
    )
    .await;
    let found: BTreeMap<_, _> = found
        .into_iter()
        .map(|row| (row[0].clone(), (row[1].clone(), row[2].clone())))
        .collect();
    let mut expected = BTreeMap::new();
    for path in fixtures() {
        let (entries, errors) = typed(&path);
        let source = Url::from_file_path(path.canonicalize().unwrap()).unwrap();
        expected.insert(
            source.to_string(),
            (entries.to_string(), errors.to_string()),
        );
    }
    assert!(expected.len() > 15);
    assert_eq!(found, expected);
}

#[tokio::test]
async fn values_are_those_of_record_batches() {
    let path = Path::new(FIXTURES).join("faults.xml");
    let name = Url::from_file_path(path.canonicalize().unwrap()).unwrap();
    let columns: Vec<_> = Column::ALL.iter().map(|column| column.name()).collect();
    let found = rows(
        &session(),
        &format!(
            "SELECT {} FROM sitemaps('{}')",
            columns.join(", "),
            text(&path.canonicalize().unwrap())
        ),
    )
    .await;
    let plain = BatchesBuilder::new()
        .columns(Column::ALL.iter().copied())
        .string_views(true)
        .source(name.as_str())
        .from_path(&path)
        .unwrap();
    let mut expected = Vec::new();
    for batch in plain {
        let batch = batch.unwrap();
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter();
            let cells: Vec<_> = cells
                .map(|cell| array_value_to_string(cell, row).unwrap())
                .collect();
            expected.push(cells);
        }
    }
    assert_eq!(expected.len(), typed(&path).0);
    assert_eq!(found, expected);
}

#[tokio::test]
async fn the_number_of_rows_does_not_depend_on_the_projection() {
    let context = session();
    let expected: usize = fixtures()
        .iter()
        .map(|path| {
            let (entries, errors) = typed(path);
            entries + errors
        })
        .sum();
    assert_eq!(count(&context, FIXTURES).await, expected as i64);
    for column in Column::ALL {
        let sql = format!("SELECT {column} FROM sitemaps('{FIXTURES}')");
        assert_eq!(rows(&context, &sql).await.len(), expected, "{column}");
    }
    let all = format!("SELECT * FROM sitemaps('{FIXTURES}')");
    let found = rows(&context, &all).await;
    assert_eq!(found.len(), expected);
    assert_eq!(found[0].len(), Column::ALL.len());
}

/// The plan of a query, as text.
async fn plan(context: &SessionContext, sql: &str) -> String {
    let plan = rows(context, &format!("EXPLAIN FORMAT INDENT {sql}")).await;
    plan.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_decoder_is_asked_for_what_the_query_needs() {
    let context = session();
    let from = format!("FROM sitemaps('{FIXTURES}')");
    for (query, decoded) in [
        (
            format!("SELECT host, count(*) {from} GROUP BY host"),
            "host",
        ),
        (format!("SELECT count(*) {from}"), ""),
        (
            format!("SELECT loc {from} WHERE priority = 0.8"),
            "loc, priority",
        ),
        (format!("SELECT error, source {from}"), "source, error"),
        (format!("SELECT priority * 2 AS double {from}"), "priority"),
        (format!("SELECT unnest(images) {from}"), "images"),
    ] {
        let plan = plan(&context, &query).await;
        assert!(
            plan.contains(&format!(", decoded=[{decoded}]")),
            "{query}\n{plan}"
        );
    }
    let tree = rows(&context, &format!("EXPLAIN FORMAT TREE SELECT loc {from}")).await;
    let tree = tree.concat().concat();
    assert!(tree.contains("decoded: loc"), "{tree}");
}

#[tokio::test]
async fn a_file_is_never_cut() {
    let folder = folder(&[("large.xml", &urlset("example.com", 2_000))]);
    let config = SessionConfig::new()
        .with_target_partitions(4)
        .with_repartition_file_min_size(1);
    let context = SessionContext::new_with_config(config);
    register(&context, SitemapFormat::default());
    let location = text(folder.path());
    assert_eq!(count(&context, location).await, 2_000);
    let plan = plan(&context, &format!("SELECT loc FROM sitemaps('{location}')")).await;
    assert!(plan.contains("file_groups={1 group"), "{plan}");
}

#[tokio::test]
async fn subfolders_and_globs() {
    let folder = folder(&[
        ("a.xml", &urlset("a.example.com", 1)),
        ("b.xml.gz", &gzip(&urlset("b.example.com", 2))),
        ("one/c.xml", &urlset("c.example.com", 4)),
        ("one/two/d.txt", b"https://d.example.com/1\n"),
        ("one/two/e.xml", &urlset("e.example.com", 8)),
    ]);
    let context = session();
    let root = text(folder.path());
    for (location, expected) in [
        ("", 16),
        ("/", 16),
        ("/one", 13),
        ("/one/two/", 9),
        ("/a.xml", 1),
        ("/*.xml", 1),
        ("/*.xml*", 3),
        ("/?.xml", 1),
        ("/[ab]*", 3),
        ("/**/*.xml", 13),
        ("/**", 16),
        ("/one/**/*.txt", 1),
        ("/one/*/e.xml", 8),
    ] {
        assert_eq!(
            count(&context, &format!("{root}{location}")).await,
            expected,
            "{location}"
        );
        let url = format!("file://{root}{location}");
        assert_eq!(count(&context, &url).await, expected, "{url}");
    }
    // The session has its default settings.
    let state = context.state();
    let options = &state.config().options().execution;
    assert!(options.listing_table_ignore_subdirectory);
}

#[tokio::test]
async fn a_source_is_a_place() {
    let name = "a b%20c#d?é/e&f.xml";
    let folder = folder(&[(name, &urlset("example.com", 3))]);
    let context = session();
    let sql = format!(
        "SELECT DISTINCT source FROM sitemaps('{}')",
        text(folder.path())
    );
    let sources = rows(&context, &sql).await;
    let expected = Url::from_file_path(folder.path().canonicalize().unwrap().join(name)).unwrap();
    assert_eq!(sources, [[expected.to_string()]]);
    assert_eq!(count(&context, expected.as_str()).await, 3);
}

#[tokio::test]
async fn gzip_is_told_by_the_content() {
    let plain = urlset("example.com", 3);
    let folder = folder(&[
        ("plain.gz", &plain),
        ("zipped.xml", &gzip(&plain)),
        ("twice.xml.gz", &gzip(&gzip(&plain))),
    ]);
    let context = session();
    let sql = format!(
        "SELECT count(loc), count(error) FROM sitemaps('{}')",
        text(folder.path())
    );
    let (entries, errors) = ["plain.gz", "zipped.xml", "twice.xml.gz"]
        .iter()
        .map(|name| typed(&folder.path().join(name)))
        .fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1));
    assert!(entries >= 6);
    assert_eq!(
        rows(&context, &sql).await,
        [[entries.to_string(), errors.to_string()]]
    );
}

/// A page, a truncated sitemap, and two complete ones.
fn mixed() -> TempDir {
    let whole = urlset("example.com", 3);
    let zipped = gzip(&urlset("example.org", 500));
    folder(&[
        ("error.xml", HTML),
        ("cut.xml", &whole[..whole.len() - 40]),
        ("cut.xml.gz", &zipped[..zipped.len() / 2]),
        ("whole.xml", &whole),
        ("whole.txt", b"https://example.com/a\n"),
    ])
}

#[tokio::test]
async fn what_is_broken_is_a_row_behind_what_could_be_read() {
    let folder = mixed();
    let context = session();
    let from = format!("FROM sitemaps('{}')", text(folder.path()));
    let sql = format!("SELECT source, error {from} WHERE error IS NOT NULL ORDER BY source");
    let found = rows(&context, &sql).await;
    assert_eq!(found.len(), 3);
    for (row, (name, error)) in found.iter().zip([
        ("/cut.xml", "the document is truncated"),
        ("/cut.xml.gz", ""),
        ("/error.xml", "root element `html` is not that of a sitemap"),
    ]) {
        assert!(
            row[0].starts_with("file:///") && row[0].ends_with(name),
            "{row:?}"
        );
        assert!(row[1].contains(error), "{row:?}");
    }
    let sql = format!("SELECT count(loc) {from}");
    let typed: usize = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| typed(&file.unwrap().path()).0)
        .sum();
    assert_eq!(number(&context, &sql).await, typed as i64);
    // The host of a broken file is null, and is counted like any other.
    let sql = format!("SELECT count(*) {from} WHERE host IS NULL");
    assert_eq!(number(&context, &sql).await, 3);
}

#[tokio::test]
async fn files_of_which_entries_were_skipped_are_found() {
    let folder = folder(&[
        ("half.txt", b"https://example.com/a\nnot a url\n"),
        ("lost.xml", b"<urlset><url/><url/></urlset>"),
        (
            "whole.txt",
            b"https://example.com/a\nhttps://example.com/b\n",
        ),
    ]);
    let sql = format!(
        "SELECT count(loc), sum(skipped), count(error), min(error) FROM sitemaps('{}') GROUP BY source ORDER BY source",
        text(folder.path())
    );
    assert_eq!(
        rows(&session(), &sql).await,
        [
            ["1", "1", "0", ""],
            [
                "0",
                "2",
                "1",
                "no entries; 2 skipped, the first at 1:9: missing-loc"
            ],
            ["2", "0", "0", ""],
        ]
    );
}

/// The error of a sitemap in the error of a query.
fn sitemap_error(error: &DataFusionError) -> &Error {
    let DataFusionError::External(error) = error.find_root() else {
        panic!("{error:?}");
    };
    error.downcast_ref().unwrap()
}

#[tokio::test]
async fn errors_may_end_the_query() {
    let folder = mixed();
    let options = BatchesBuilder::new().fatal(Fatal::Raise);
    let context = session_of(SitemapFormat::new(options));
    let sql = |name| {
        let root = text(folder.path());
        format!("SELECT count(*) FROM sitemaps('{root}/{name}')")
    };
    let error = failure(&context, &sql("error.xml")).await;
    let Error::Sitemap { source_name, error } = sitemap_error(&error) else {
        panic!("{error:?}");
    };
    assert!(
        source_name
            .as_ref()
            .unwrap()
            .as_str()
            .ends_with("/error.xml")
    );
    assert!(matches!(error.kind(), ErrorKind::UnknownRoot(root) if root == "html"));

    let error = failure(&context, &sql("cut.xml")).await;
    assert!(matches!(
        sitemap_error(&error),
        Error::Sitemap { error, .. } if matches!(error.kind(), ErrorKind::Truncated)
    ));
    assert_eq!(number(&context, &sql("whole.xml")).await, 3);
}

#[tokio::test]
async fn a_policy_of_ones_own() {
    let folder = folder(&[(
        "a.txt",
        b"https://example.com/a\nnot a url\nhttps://example.com/b\n",
    )]);
    let sql = format!(
        "SELECT count(loc), count(error) FROM sitemaps('{}')",
        text(folder.path())
    );
    assert_eq!(rows(&session(), &sql).await, [["2", "0"]]);
    let strict = ReaderBuilder::new().policy(Policy::STRICT);
    let strict = session_of(SitemapFormat::new(BatchesBuilder::new().reader(strict)));
    assert_eq!(rows(&strict, &sql).await, [["2", "1"]]);
}

/// A store under its own scheme, with these files.
async fn in_memory(context: &SessionContext, files: &[(&str, Vec<u8>)]) -> Arc<dyn ObjectStore> {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    for (name, bytes) in files {
        let bytes = bytes.clone().into();
        store.put(&ObjectPath::from(*name), bytes).await.unwrap();
    }
    let url = Url::parse("crawl://2024").unwrap();
    context.register_object_store(&url, Arc::clone(&store));
    store
}

#[tokio::test]
async fn a_store_of_another_scheme() {
    let context = session();
    let files = [
        ("may/a.xml", urlset("a.example.com", 20_000)),
        ("may/deep/b.xml.gz", gzip(&urlset("b.example.com", 20_000))),
        ("june/c.xml", urlset("c.example.com", 5)),
        ("june/error.xml", HTML.to_vec()),
    ];
    in_memory(&context, &files).await;
    for (location, expected) in [
        ("crawl://2024", 40_006),
        ("crawl://2024/", 40_006),
        ("crawl://2024/may", 40_000),
        ("crawl://2024/june/", 6),
        ("crawl://2024/june/c.xml", 5),
        ("crawl://2024/*/c.xml", 5),
        ("crawl://2024/**/*.xml", 20_006),
        ("crawl://2024/may/*.xml", 20_000),
    ] {
        assert_eq!(count(&context, location).await, expected, "{location}");
    }
    let sql = "SELECT DISTINCT source FROM sitemaps('crawl://2024/june/') ORDER BY source";
    assert_eq!(
        rows(&context, sql).await,
        [["crawl://2024/june/c.xml"], ["crawl://2024/june/error.xml"]]
    );
    // The same path in another store is a different place.
    let folder = folder(&[("a.xml", &urlset("example.com", 1))]);
    let path = ObjectPath::from_absolute_path(folder.path()).unwrap();
    in_memory(
        &context,
        &[(&format!("{path}/b.xml"), urlset("example.com", 2))],
    )
    .await;
    assert_eq!(count(&context, &format!("crawl://2024/{path}/")).await, 2);
    assert_eq!(count(&context, text(folder.path())).await, 1);
}

#[tokio::test]
async fn each_query_lists_again() {
    let context = session();
    let folder = folder(&[("a.xml", &urlset("example.com", 1))]);
    let location = text(folder.path());
    assert_eq!(count(&context, location).await, 1);
    fs::write(folder.path().join("b.xml"), urlset("example.com", 2)).unwrap();
    assert_eq!(count(&context, location).await, 3);
}

#[tokio::test]
async fn an_object_that_is_gone_is_an_error_of_its_own() {
    let context = session();
    let files = [
        ("a.xml", urlset("a.example.com", 2)),
        ("b.xml", urlset("b.example.com", 3)),
    ];
    let store = in_memory(&context, &files).await;
    let sql = "SELECT count(loc), count(error) FROM sitemaps('crawl://2024/')";
    let query = context.sql(sql).await.unwrap();
    let plan = query.create_physical_plan().await.unwrap();
    store.delete(&ObjectPath::from("a.xml")).await.unwrap();
    let found = collect(plan, context.task_ctx()).await.unwrap();
    let counts = |column: usize| found[0].column(column).as_primitive::<Int64Type>().value(0);
    assert_eq!((counts(0), counts(1)), (3, 1));
}

#[tokio::test]
async fn many_files_and_few_partitions() {
    let context = session();
    let mut files = Vec::new();
    for number in 0..500 {
        let bytes = urlset(&format!("{}.example.com", number % 7), number % 13);
        let bytes = if number % 2 == 0 { gzip(&bytes) } else { bytes };
        files.push((format!("{}/{number}.xml", number % 10), bytes));
    }
    let expected: usize = (0..500).map(|number| number % 13).sum();
    let names: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.clone()))
        .collect();
    in_memory(&context, &names).await;
    assert_eq!(count(&context, "crawl://2024/").await, expected as i64);
    let hosts = rows(
        &context,
        "SELECT host, count(*) FROM sitemaps('crawl://2024/') GROUP BY host",
    )
    .await;
    assert_eq!(hosts.len(), 7);
    for host in hosts {
        let residue: usize = host[0].split('.').next().unwrap().parse().unwrap();
        let numbers = (0..500).filter(|number| number % 7 == residue);
        let expected: usize = numbers.map(|number| number % 13).sum();
        assert_eq!(host[1], expected.to_string());
    }
}

#[tokio::test]
async fn a_limit_ends_the_reading() {
    let bytes = urlset("example.com", 50_000);
    let folder = folder(&[("large.xml", &bytes)]);
    let context = session();
    let location = text(folder.path());
    for limit in [0, 1, 10, 9_000, 60_000] {
        let sql = format!("SELECT loc FROM sitemaps('{location}') LIMIT {limit}");
        assert_eq!(rows(&context, &sql).await.len(), limit.min(50_000));
    }
    let sql = format!("SELECT loc FROM sitemaps('{location}') LIMIT 10");
    let plan = context.sql(&sql).await.unwrap();
    let plan = plan.create_physical_plan().await.unwrap();
    collect(Arc::clone(&plan), context.task_ctx())
        .await
        .unwrap();
    assert!(scanned(plan.as_ref()) < bytes.len() / 10);

    let sql = format!("SELECT loc FROM sitemaps('{location}')");
    let plan = context.sql(&sql).await.unwrap();
    let plan = plan.create_physical_plan().await.unwrap();
    let found = collect(Arc::clone(&plan), context.task_ctx())
        .await
        .unwrap();
    assert_eq!(scanned(plan.as_ref()), bytes.len());
    // The engine sets the number of rows per batch.
    assert!(found.iter().all(|batch| batch.num_rows() <= 8_192));
}

/// Bytes that the scans below a plan have read.
fn scanned(plan: &dyn datafusion::physical_plan::ExecutionPlan) -> usize {
    let own = plan
        .metrics()
        .and_then(|metrics| metrics.sum_by_name("bytes_scanned"))
        .map_or(0, |sum| sum.as_usize());
    own + plan
        .children()
        .into_iter()
        .map(|child| scanned(child.as_ref()))
        .sum::<usize>()
}

#[tokio::test]
async fn tables_that_are_stored_as_sitemap() {
    let folder = folder(&[
        ("crawl=may/a.xml", &urlset("example.com", 1)),
        ("crawl=june/deep/b.php", &gzip(&urlset("example.com", 2))),
    ]);
    let context = session();
    let location = text(folder.path());
    let create = format!(
        "CREATE EXTERNAL TABLE pages STORED AS SITEMAP PARTITIONED BY (crawl) LOCATION '{location}'"
    );
    batches(&context, &create).await.unwrap();
    assert_eq!(number(&context, "SELECT count(*) FROM pages").await, 3);
    let sql = "SELECT crawl, host, count(*) FROM pages GROUP BY crawl, host ORDER BY crawl";
    assert_eq!(
        rows(&context, sql).await,
        [["june", "example.com", "2"], ["may", "example.com", "1"]]
    );
    let sql = "SELECT count(*) FROM pages WHERE crawl = 'may'";
    assert_eq!(number(&context, sql).await, 1);
    let sql = "SELECT count(*) FROM pages WHERE crawl = 'july'";
    assert_eq!(number(&context, sql).await, 0);
    for (columns, options, message) in [
        ("(loc VARCHAR)", "", "leave them out"),
        (
            "",
            "OPTIONS ('format.strict' 'true')",
            "no option `format.strict`",
        ),
    ] {
        let sql = format!(
            "CREATE EXTERNAL TABLE others {columns} STORED AS SITEMAP LOCATION '{location}' {options}"
        );
        let error = failure(&context, &sql).await;
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[tokio::test]
async fn what_is_no_place_is_an_error() {
    let context = session();
    let folder = folder(&[("empty.xml", b"")]);
    let root = text(folder.path());
    for (arguments, message) in [
        (String::new(), "takes one text"),
        ("1".to_owned(), "not 1"),
        ("NULL".to_owned(), "not NULL"),
        ("'a', 'b'".to_owned(), "takes one text"),
        (format!("'{root}/none.xml'"), "there is no file"),
        (format!("'{root}/*.gz'"), "no file matches `*.gz`"),
        (format!("'{root}'"), "there is no file"),
        (format!("'{root}/[.xml'"), "Pattern"),
        ("'crawl://*/a.xml'".to_owned(), "no folder before the glob"),
        ("'crawl://2024/a.xml'".to_owned(), "crawl://2024"),
    ] {
        let sql = format!("SELECT count(*) FROM sitemaps({arguments})");
        let error = failure(&context, &sql).await.to_string();
        assert!(error.contains(message), "{arguments}: {error}");
    }
}

/// Some columns in the order of the caller, with their types.
#[tokio::test]
async fn a_listing_table_with_a_schema_of_its_own() {
    let format = SitemapFormat::default();
    let listing = |schema: Schema| {
        let options = ListingOptions::new(Arc::new(format.clone()));
        let location = ListingTableUrl::parse(FIXTURES).unwrap();
        let config = ListingTableConfig::new(location)
            .with_listing_options(options)
            .with_schema(Arc::new(schema));
        Arc::new(ListingTable::try_new(config).unwrap())
    };
    let context = SessionContext::new();
    let nullable = |name: &str, data_type| Field::new(name, data_type, true);

    let some = [
        nullable("priority", DataType::Float64),
        nullable("loc", DataType::Utf8View),
    ];
    context
        .register_table("some", listing(Schema::new(some.to_vec())))
        .unwrap();
    let sql = "SELECT * FROM some WHERE priority IS NOT NULL";
    let found = batches(&context, sql).await.unwrap();
    assert_eq!(found[0].schema().field(1).name(), "loc");
    assert!(
        found[0]
            .column(1)
            .as_string_view()
            .value(0)
            .starts_with("http")
    );

    for (field, message) in [
        (
            nullable("loca", DataType::Utf8View),
            "there is no column `loca`",
        ),
        (nullable("loc", DataType::Int64), "not Int64"),
    ] {
        let table = listing(Schema::new(vec![field]));
        context.register_table("other", table).unwrap();
        let error = failure(&context, "SELECT * FROM other").await;
        assert!(error.to_string().contains(message), "{error}");
        context.deregister_table("other").unwrap();
    }
}

#[tokio::test]
async fn a_table_without_sql() {
    let table = SitemapTable::try_new(FIXTURES, SitemapFormat::default()).unwrap();
    let found = SessionContext::new().read_table(Arc::new(table)).unwrap();
    let rows = found
        .select_columns(&["loc"])
        .unwrap()
        .count()
        .await
        .unwrap();
    let expected: usize = fixtures()
        .iter()
        .map(|path| typed(path).0 + typed(path).1)
        .sum();
    assert_eq!(rows, expected);
}
