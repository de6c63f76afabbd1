#![allow(dead_code, unreachable_pub)] // each test needs a part of it

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use flate2::{Compression, write::GzEncoder};
use quick_sitemap::chrono::Datelike;
use quick_sitemap::{Effect, Entry, Image, Issue, News, ReaderBuilder, Video, W3cDatetime};
use quick_sitemap_arrow::arrow_schema::DataType;
use quick_sitemap_arrow::{BatchDecoder, BatchesBuilder, Column, message};

/// A row as texts: the values of the present columns. The value of a null is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(BTreeMap<&'static str, Option<String>>);

impl Row {
    /// Without the columns that are not among these.
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
    let mut found = Vec::new();
    decoder.begin(None).unwrap();
    for chunk in bytes.chunks(size) {
        decoder.push(chunk);
        while let Some(batch) = decoder.next_batch().unwrap() {
            found.extend(rows_in(&batch));
        }
    }
    decoder.finish();
    while let Some(batch) = decoder.next_batch().unwrap() {
        found.extend(rows_in(&batch));
    }
    assert!(decoder.is_between_files());
    found.extend(decoder.flush().unwrap().iter().flat_map(rows_in));
    found
}

/// The result of typed reading, as rows of all columns. A document without entries gets a row with that error, and the
/// last row has the number of skipped entries.
pub fn typed_rows(bytes: &[u8], builder: ReaderBuilder) -> Vec<Row> {
    let mut reader = builder.build(bytes);
    let mut rows: Vec<Row> = Vec::new();
    let mut lists: Vec<Vec<String>> = Vec::new();
    let mut all: Vec<Issue> = Vec::new();
    loop {
        let next = reader.next();
        let issues: Vec<String> = reader.issues().iter().map(issue_text).collect();
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
        lists.push(all.iter().map(issue_text).collect());
    }
    if let Some(last) = rows.last_mut() {
        last.0.insert("skipped", Some(skipped.to_string()));
    }
    for (row, issues) in rows.iter_mut().zip(lists) {
        row.0.insert("issues", Some(list(issues)));
    }
    rows
}

fn no_entries(skipped: u64, issues: &[Issue]) -> String {
    let mut lost = issues
        .iter()
        .filter(|issue| issue.effect == Effect::EntrySkipped);
    match (skipped, lost.next()) {
        (0, _) => "no entries".to_owned(),
        (1, Some(first)) => format!(
            "no entries; 1 skipped, at {}: {}",
            first.position,
            first.rule()
        ),
        (_, Some(first)) => format!(
            "no entries; {skipped} skipped, the first at {}: {}",
            first.position,
            first.rule()
        ),
        (_, None) => panic!("entries were skipped without an issue"),
    }
}

fn error_row(kind: &str, error: &str) -> Row {
    let mut row = Row(Column::ALL
        .iter()
        .map(|column| (column.name(), None))
        .collect());
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

fn entry_row(entry: &Entry) -> Row {
    let page = entry.as_url();
    let values = [
        ("source", None),
        (
            "kind",
            Some(if page.is_some() { "url" } else { "sitemap" }.to_owned()),
        ),
        ("loc", Some(entry.loc().to_string())),
        ("lastmod", entry.lastmod().and_then(date)),
        (
            "changefreq",
            page.and_then(|page| page.changefreq)
                .map(|word| word.to_string()),
        ),
        (
            "priority",
            page.and_then(|page| page.priority)
                .map(|value| value.get().to_string()),
        ),
        ("error", None),
        ("skipped", None),
        ("host", entry.loc().host_str().map(str::to_owned)),
        ("lastmod_text", entry.lastmod().map(|date| date.to_string())),
        (
            "alternates",
            Some(list(page.iter().flat_map(|page| &page.alternates).map(
                |one| {
                    record([
                        ("hreflang", Some(one.hreflang.to_string())),
                        ("href", Some(one.href.to_string())),
                    ])
                },
            ))),
        ),
        (
            "images",
            Some(list(
                page.iter().flat_map(|page| &page.images).map(image_text),
            )),
        ),
        (
            "videos",
            Some(list(
                page.iter().flat_map(|page| &page.videos).map(video_text),
            )),
        ),
        (
            "news",
            Some(list(
                page.iter()
                    .filter_map(|page| page.news.as_deref())
                    .map(news_text),
            )),
        ),
        ("issues", None),
    ];
    Row(values.into_iter().collect())
}

fn image_text(image: &Image) -> String {
    record([
        ("loc", Some(image.loc.to_string())),
        ("caption", image.caption.clone()),
        ("geo_location", image.geo_location.clone()),
        ("title", image.title.clone()),
        ("license", image.license.as_ref().map(ToString::to_string)),
    ])
}

fn video_text(video: &Video) -> String {
    let flag = |flag: bool| flag.to_string();
    record([
        (
            "thumbnail_loc",
            video.thumbnail_loc.as_ref().map(ToString::to_string),
        ),
        ("title", video.title.clone()),
        ("description", video.description.clone()),
        (
            "content_loc",
            video.content_loc.as_ref().map(ToString::to_string),
        ),
        (
            "player_loc",
            video.player.as_ref().map(|player| player.loc.to_string()),
        ),
        (
            "player_allow_embed",
            video
                .player
                .as_ref()
                .and_then(|player| player.allow_embed)
                .map(flag),
        ),
        (
            "player_autoplay",
            video
                .player
                .as_ref()
                .and_then(|player| player.autoplay.clone()),
        ),
        (
            "duration",
            video
                .duration
                .map(|duration| duration.as_secs().to_string()),
        ),
        ("expiration_date", video.expiration_date.and_then(date)),
        (
            "rating",
            video.rating.map(|rating| rating.get().to_string()),
        ),
        (
            "content_segments",
            Some(list(video.content_segments.iter().map(|segment| {
                record([
                    ("loc", Some(segment.loc.to_string())),
                    (
                        "duration",
                        segment.duration.map(|d| d.as_secs().to_string()),
                    ),
                ])
            }))),
        ),
        (
            "view_count",
            video.view_count.map(|count| count.to_string()),
        ),
        ("publication_date", video.publication_date.and_then(date)),
        ("tags", Some(list(video.tags.clone()))),
        ("category", video.category.clone()),
        ("family_friendly", video.family_friendly.map(flag)),
        (
            "restriction_relationship",
            video
                .restriction
                .as_ref()
                .and_then(|found| found.relationship)
                .map(|word| word.to_string()),
        ),
        (
            "restriction_countries",
            video
                .restriction
                .as_ref()
                .map(|found| list(found.countries.clone())),
        ),
        (
            "gallery_loc",
            video
                .gallery
                .as_ref()
                .map(|gallery| gallery.loc.to_string()),
        ),
        (
            "gallery_title",
            video
                .gallery
                .as_ref()
                .and_then(|gallery| gallery.title.clone()),
        ),
        (
            "prices",
            Some(list(video.prices.iter().map(|price| {
                record([
                    ("amount", price.amount.clone()),
                    ("currency", price.currency.clone()),
                    ("type", price.kind.map(|kind| kind.to_string())),
                    (
                        "resolution",
                        price.resolution.map(|resolution| resolution.to_string()),
                    ),
                ])
            }))),
        ),
        (
            "requires_subscription",
            video.requires_subscription.map(flag),
        ),
        (
            "uploader_name",
            video
                .uploader
                .as_ref()
                .and_then(|uploader| uploader.name.clone()),
        ),
        (
            "uploader_info",
            video
                .uploader
                .as_ref()
                .and_then(|uploader| uploader.info.as_ref())
                .map(ToString::to_string),
        ),
        (
            "platform_relationship",
            video
                .platform
                .as_ref()
                .and_then(|found| found.relationship)
                .map(|word| word.to_string()),
        ),
        (
            "platforms",
            video
                .platform
                .as_ref()
                .map(|found| list(found.platforms.iter().map(ToString::to_string))),
        ),
        ("live", video.live.map(flag)),
        (
            "ids",
            Some(list(video.ids.iter().map(|id| {
                record([
                    ("value", id.value.clone()),
                    ("type", id.kind.as_ref().map(ToString::to_string)),
                ])
            }))),
        ),
    ])
}

fn news_text(news: &News) -> String {
    let publication = news.publication.as_ref();
    record([
        (
            "publication_name",
            publication.and_then(|found| found.name.clone()),
        ),
        (
            "publication_language",
            publication.and_then(|found| found.language.clone()),
        ),
        ("publication_date", news.publication_date.and_then(date)),
        ("title", news.title.clone()),
        ("access", news.access.as_ref().map(ToString::to_string)),
        (
            "genres",
            Some(list(news.genres.iter().map(ToString::to_string))),
        ),
        ("keywords", Some(list(news.keywords.clone()))),
        ("stock_tickers", Some(list(news.stock_tickers.clone()))),
    ])
}

fn issue_text(issue: &Issue) -> String {
    let effect = match issue.effect.to_string().as_str() {
        "noted" => "noted",
        "value dropped" => "value-dropped",
        _ => "entry-skipped",
    };
    record([
        ("rule", Some(issue.rule().name().to_owned())),
        ("effect", Some(effect.to_owned())),
        ("message", Some(message(&issue.violation.to_string()))),
        ("line", Some(issue.position.line().to_string())),
        ("column", Some(issue.position.column().to_string())),
        ("byte", Some(issue.position.byte().to_string())),
    ])
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("{:?}", items.into_iter().collect::<Vec<_>>())
}

fn record<const N: usize>(fields: [(&str, Option<String>); N]) -> String {
    format!("{fields:?}")
}

pub fn rows_in(batch: &RecordBatch) -> Vec<Row> {
    let columns: Vec<_> = Column::ALL
        .iter()
        .filter_map(|column| Some((column.name(), batch.column_by_name(column.name())?)))
        .collect();
    (0..batch.num_rows())
        .map(|row| {
            Row(columns
                .iter()
                .map(|(name, array)| (*name, value(array.as_ref(), row)))
                .collect())
        })
        .collect()
}

fn value(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
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
            list((0..items.len()).map(|item| value(items.as_ref(), item).unwrap()))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let fields: Vec<_> = fields
                .iter()
                .zip(columns)
                .map(|(field, column)| (field.name().as_str(), value(column.as_ref(), row)))
                .collect();
            format!("{fields:?}")
        }
        other => panic!("no column has the type {other}"),
    })
}
