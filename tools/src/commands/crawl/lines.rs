//! Pages as lines.

use std::io;
use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;
use quick_sitemap::Entry;
use serde::{Deserialize, Serialize};

use crate::term::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// The URL of each page
    Text,
    /// An object for each page, extensions included
    Jsonl,
    /// loc, lastmod, changefreq, priority
    Csv,
    /// Like csv, separated by tabs
    Tsv,
}

impl Format {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
        }
    }

    /// The format of a file, if `--format` does not specify it.
    ///
    /// # Errors
    ///
    /// If its name does not specify it either: lines of URLs must not replace another kind of file.
    pub(super) fn of_file(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default();
        let is = |name: &str| extension.eq_ignore_ascii_case(name);
        if is("txt") {
            Ok(Self::Text)
        } else if is("jsonl") {
            Ok(Self::Jsonl)
        } else if is("csv") {
            Ok(Self::Csv)
        } else if is("tsv") {
            Ok(Self::Tsv)
        } else {
            bail!(
                "--out {}: the name ends in none of .txt, .jsonl, .csv and .tsv, so --format is needed",
                path.display()
            )
        }
    }

    /// The line before all others.
    pub(super) fn header(self, source: bool) -> String {
        let separator = match self {
            Self::Text | Self::Jsonl => return String::new(),
            Self::Csv => ",",
            Self::Tsv => "\t",
        };
        let mut columns = vec!["loc", "lastmod", "changefreq", "priority"];
        columns.extend(source.then_some("sitemap"));
        columns.join(separator) + "\n"
    }

    /// Appends the page's line. `source` is the sitemap that lists it, if it is to be named.
    pub(super) fn line(
        self,
        page: &Entry,
        source: Option<&str>,
        line: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self {
            Self::Text => {
                line.extend_from_slice(page.loc().as_str().as_bytes());
                line.push(b'\n');
                Ok(())
            }
            Self::Jsonl => jsonl(page, source, line),
            Self::Csv => row(b',', page, source, line),
            Self::Tsv => row(b'\t', page, source, line),
        }
    }
}

#[derive(Serialize)]
struct WithSource<'p> {
    #[serde(flatten)]
    page: &'p Entry,
    sitemap: &'p str,
}

fn jsonl(page: &Entry, source: Option<&str>, line: &mut Vec<u8>) -> io::Result<()> {
    let text = match source {
        None => json::text(page)?,
        Some(sitemap) => json::text(&WithSource { page, sitemap })?,
    };
    line.extend_from_slice(text.as_bytes());
    line.push(b'\n');
    Ok(())
}

fn row(separator: u8, page: &Entry, source: Option<&str>, line: &mut Vec<u8>) -> io::Result<()> {
    let text = |value: Option<String>| value.unwrap_or_default();
    let url = page.as_url();
    let lastmod = text(page.lastmod().map(|lastmod| lastmod.to_string()));
    let changefreq = url
        .and_then(|page| page.changefreq)
        .map_or("", |changefreq| changefreq.as_str());
    let priority = text(
        url.and_then(|page| page.priority)
            .map(|priority| priority.to_string()),
    );
    let mut record = vec![page.loc().as_str(), &lastmod, changefreq, &priority];
    record.extend(source);
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .from_writer(line);
    writer.write_record(record)?;
    writer.flush()
}
