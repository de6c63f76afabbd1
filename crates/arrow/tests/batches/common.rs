#![allow(dead_code, unreachable_pub)] // each test needs a part of it

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::iter::Peekable;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use flate2::{Compression, write::GzEncoder};
use quick_sitemap::chrono::Datelike;
use quick_sitemap::extension::Part;
use quick_sitemap::{Effect, Entry, Issue, ReaderBuilder, W3cDatetime};
use quick_sitemap_arrow::arrow_schema::DataType;
use quick_sitemap_arrow::{BatchDecoder, BatchesBuilder, Column, message};

/// A row as texts: the values of the present columns. The value of a null is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(BTreeMap<&'static str, Option<String>>);

impl Row {
    /// The row with only these columns.
    pub fn only(&self, columns: &[Column]) -> Self {
        let mut row = self.clone();
        row.0
            .retain(|name, _| columns.iter().any(|column| column.name() == *name));
        row
    }

    pub fn named(mut self, name: &str) -> Self {
        self.0.insert("source", Some(name.to_owned()));
        self
    }

    pub fn get(&self, column: Column) -> Option<&str> {
        self.0[column.name()].as_deref()
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Names and bytes of the files in a folder; none if it is not there.
pub fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file());
    let mut files: Vec<_> = paths
        .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

pub fn rows_of(builder: BatchesBuilder, bytes: &[u8]) -> Vec<Row> {
    builder
        .build(bytes)
        .flat_map(|batch| rows_in(&batch.unwrap()))
        .collect()
}

pub fn pushed(mut decoder: BatchDecoder, bytes: &[u8], size: usize) -> Vec<Row> {
    let mut found = push(&mut decoder, None, bytes, size);
    found.extend(decoder.flush().unwrap().iter().flat_map(rows_in));
    found
}

/// The result of typed reading, as rows of all columns. A document without entries gets a row with that error, and the
/// last row has the number of skipped entries.
pub fn typed_rows(bytes: &[u8], builder: ReaderBuilder) -> Vec<Row> {
    let mut reader = builder.build(bytes);
    let mut rows: Vec<Row> = Vec::new();
    let mut lists: Vec<Vec<Value>> = Vec::new();
    let mut all: Vec<Issue> = Vec::new();
    loop {
        let next = reader.next();
        let issues: Vec<Value> = reader.issues().iter().map(issue_value).collect();
        match next {
            None => {
                all.extend_from_slice(reader.issues());
                if let Some(last) = lists.last_mut() {
                    last.extend(issues);
                }
                break;
            }
            Some(Ok(entry)) => rows.push(entry_row(&entry)),
            Some(Err(error)) => rows.push(error_row(
                error.kind().name(),
                &message(&format!("{error:#}")),
            )),
        }
        all.extend_from_slice(reader.issues());
        lists.push(issues);
    }
    let skipped = reader.summary().skipped;
    if rows.is_empty() {
        rows.push(error_row("no-entries", &no_entries(skipped, &all)));
        lists.push(all.iter().map(issue_value).collect());
    }
    if let Some(last) = rows.last_mut() {
        last.0.insert("skipped", Some(skipped.to_string()));
    }
    for (row, issues) in rows.iter_mut().zip(lists) {
        row.0
            .insert("issues", Some(Value::List(issues).into_text()));
    }
    rows
}

/// The rows of the full batches while a file is pushed in pieces of this size.
pub fn push(decoder: &mut BatchDecoder, name: Option<&str>, bytes: &[u8], size: usize) -> Vec<Row> {
    let mut found = Vec::new();
    decoder.begin(name).unwrap();
    for piece in bytes.chunks(size).map(Some).chain([None]) {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(batch) = decoder.next_batch().unwrap() {
            found.extend(rows_in(&batch));
        }
    }
    assert!(decoder.is_between_files());
    found
}

fn no_entries(skipped: u64, issues: &[Issue]) -> String {
    let mut lost = issues
        .iter()
        .filter(|issue| issue.effect == Effect::EntrySkipped)
        .map(|first| format!("at {}: {}", first.position, first.rule()));
    match (skipped, lost.next()) {
        (0, _) => "no entries".to_owned(),
        (1, Some(first)) => format!("no entries; 1 skipped, {first}"),
        (_, Some(first)) => format!("no entries; {skipped} skipped, the first {first}"),
        (_, None) => panic!("entries were skipped without an issue"),
    }
}

/// A row of all columns, without values.
fn nulls() -> Row {
    let columns = Column::ALL.iter();
    Row(columns.map(|column| (column.name(), None)).collect())
}

fn error_row(kind: &str, error: &str) -> Row {
    let mut row = nulls();
    row.0.insert("kind", Some(kind.to_owned()));
    row.0.insert("error", Some(error.to_owned()));
    row
}

/// A date as its column shows it: null outside the years 1 to 9999, as UTC.
fn date(date: W3cDatetime) -> Option<String> {
    let start = date.start().to_utc();
    let is_shown = (1..=9999).contains(&start.year());
    is_shown.then(|| start.timestamp_micros().to_string())
}

/// A value of a column. Fields without a value are left out.
#[derive(Debug)]
pub enum Value {
    Text(String),
    List(Vec<Value>),
    Record(BTreeMap<String, Value>),
}

impl Value {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            other => format!("{other:?}"),
        }
    }

    /// The names of all fields within it, after those that lead to it.
    pub fn names(&self, path: &str, names: &mut BTreeSet<String>) {
        match self {
            Self::Text(_) => {}
            Self::List(items) => items.iter().for_each(|item| item.names(path, names)),
            Self::Record(fields) => {
                for (name, value) in fields {
                    let path = format!("{path}.{name}");
                    value.names(&path, names);
                    names.insert(path);
                }
            }
        }
    }
}

/// A part that was visited, with the number of names that lead to it and the last of them.
struct Visited(usize, &'static str, Found);

enum Found {
    Nothing,
    List(usize),
    Struct,
    Text(String),
}

type Parts = Peekable<std::vec::IntoIter<Visited>>;

/// The values of an entry by the library's own visitor, so this does not list any part.
pub fn values_of(entry: &Entry) -> BTreeMap<String, Value> {
    let mut parts = Vec::new();
    let mut visit = |names: &[&'static str], part: Part<'_>| {
        // Attributes of a link that are none of the protocol's have no column.
        if names.contains(&"attributes") {
            return;
        }
        let found = match part {
            Part::List(items) => Found::List(items),
            Part::Struct => Found::Struct,
            Part::Text(text) => Found::Text(text.to_owned()),
            Part::Url(url) => Found::Text(url.to_string()),
            Part::Date(written) => date(written).map_or(Found::Nothing, Found::Text),
            Part::Decimal(number) => Found::Text(number.to_string()),
            // A column of integers has 63 bits.
            Part::Integer(number) => match i64::try_from(number) {
                Ok(number) => Found::Text(number.to_string()),
                Err(_) => Found::Nothing,
            },
            Part::Flag(flag) => Found::Text(flag.to_string()),
            // Foreign elements have no column.
            Part::Absent | Part::Element(_) => Found::Nothing,
            other => panic!("{names:?} is {other:?}"),
        };
        let name = names.last().copied().unwrap_or_default();
        parts.push(Visited(names.len(), name, found));
    };
    match entry {
        Entry::Url(page) => page.visit(&mut visit),
        Entry::Sitemap(sitemap) => sitemap.visit(&mut visit),
    }
    let mut parts = parts.into_iter().peekable();
    parts.next();
    let mut values = BTreeMap::new();
    add_fields(&mut parts, 0, "", &mut values);
    values.remove("foreign");
    values
}

/// The fields of a nested structure become fields of the outer one, such as `player_loc`. A structure of the entry itself
/// becomes a list with one item.
fn add_fields(parts: &mut Parts, depth: usize, parent: &str, fields: &mut BTreeMap<String, Value>) {
    while let Some(Visited(at, name, found)) = parts.next_if(|part| part.0 > depth) {
        let name = if name == "kind" { "type" } else { name };
        let name = match parent {
            _ if name.starts_with(parent) => name.to_owned(),
            _ => format!("{parent}_{name}"),
        };
        let value = match found {
            Found::Nothing => continue,
            Found::Struct if depth > 0 => {
                add_fields(parts, at, &name, fields);
                continue;
            }
            Found::Struct => Value::List(vec![record_of(parts, at)]),
            Found::Text(text) => Value::Text(text),
            Found::List(items) => {
                let item = |_| match parts.next() {
                    Some(Visited(_, _, Found::Text(text))) => Value::Text(text),
                    Some(Visited(at, _, Found::Struct)) => record_of(parts, at),
                    _ => Value::Text(String::new()),
                };
                Value::List((0..items).map(item).collect())
            }
        };
        fields.insert(name, value);
    }
}

fn record_of(parts: &mut Parts, depth: usize) -> Value {
    let mut fields = BTreeMap::new();
    add_fields(parts, depth, "", &mut fields);
    Value::Record(fields)
}

fn entry_row(entry: &Entry) -> Row {
    let mut row = nulls();
    let kind = if entry.as_url().is_some() {
        "url"
    } else {
        "sitemap"
    };
    row.0.insert("kind", Some(kind.to_owned()));
    row.0
        .insert("host", entry.loc().host_str().map(str::to_owned));
    let date = entry.lastmod().map(|date| date.to_string());
    row.0.insert("lastmod_text", date);
    for list in ["alternates", "images", "videos", "news"] {
        row.0
            .insert(list, Some(Value::List(Vec::new()).into_text()));
    }
    for (name, value) in values_of(entry) {
        let column: Column = name.parse().unwrap();
        row.0.insert(column.name(), Some(value.into_text()));
    }
    row
}

fn issue_value(issue: &Issue) -> Value {
    let fields = [
        ("rule", issue.rule().name().to_owned()),
        ("effect", issue.effect.name().to_owned()),
        ("message", message(&issue.violation.to_string())),
        ("line", issue.position.line().to_string()),
        ("column", issue.position.column().to_string()),
        ("byte", issue.position.byte().to_string()),
    ];
    let fields = fields.map(|(name, text)| (name.to_owned(), Value::Text(text)));
    Value::Record(fields.into())
}

pub fn rows_in(batch: &RecordBatch) -> Vec<Row> {
    let columns = Column::ALL.iter();
    let columns =
        columns.filter_map(|column| Some((column.name(), batch.column_by_name(column.name())?)));
    let row = |row| {
        let value = |array: &dyn Array| value(array, row).map(Value::into_text);
        Row(columns
            .clone()
            .map(|(name, array)| (name, value(array)))
            .collect())
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(array: &dyn Array, row: usize) -> Option<Value> {
    if array.is_null(row) {
        return None;
    }
    Some(Value::Text(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Utf8View => array.as_string_view().value(row).to_owned(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        // Copied from the typed entry; another test checks that it is the nearest number.
        DataType::Float64 => (array.as_primitive::<Float64Type>().value(row) as f32).to_string(),
        DataType::Timestamp(_, Some(zone)) if &**zone == "UTC" => array
            .as_primitive::<TimestampMicrosecondType>()
            .value(row)
            .to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| value(items.as_ref(), item).unwrap());
            return Some(Value::List(items.collect()));
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let fields = columns.filter_map(|(field, column)| {
                Some((field.name().clone(), value(column.as_ref(), row)?))
            });
            return Some(Value::Record(fields.collect()));
        }
        other => panic!("no column has the type {other}"),
    }))
}
