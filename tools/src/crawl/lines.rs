//! Pages as lines.

use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};

use clap::ValueEnum;
use quick_sitemap::Entry;
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::frontier::Given;
use crate::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// The URL of each page
    Text,
    /// An object for each page, extensions included
    Jsonl,
    /// loc, lastmod, changefreq, priority
    Csv,
}

impl Format {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    /// The line before all others.
    pub(super) fn header(self, source: bool) -> &'static str {
        match (self, source) {
            (Self::Csv, false) => "loc,lastmod,changefreq,priority\n",
            (Self::Csv, true) => "loc,lastmod,changefreq,priority,sitemap\n",
            _ => "",
        }
    }

    /// Appends the page's line. `source` is the sitemap that lists it, if it is to be named.
    pub(super) fn line(
        self,
        page: &Entry,
        source: Option<&Url>,
        line: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self {
            Self::Text => {
                line.extend_from_slice(page.loc().as_str().as_bytes());
                line.push(b'\n');
                Ok(())
            }
            Self::Jsonl => jsonl(page, source, line),
            Self::Csv => csv(page, source, line),
        }
    }
}

#[derive(Serialize)]
struct WithSource<'p> {
    #[serde(flatten)]
    page: &'p Entry,
    sitemap: &'p Url,
}

fn jsonl(page: &Entry, source: Option<&Url>, line: &mut Vec<u8>) -> io::Result<()> {
    let text = match source {
        None => json::text(page)?,
        Some(sitemap) => json::text(&WithSource { page, sitemap })?,
    };
    line.extend_from_slice(text.as_bytes());
    line.push(b'\n');
    Ok(())
}

fn csv(page: &Entry, source: Option<&Url>, line: &mut Vec<u8>) -> io::Result<()> {
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
    record.extend(source.map(Url::as_str));
    let mut writer = csv::WriterBuilder::new().from_writer(line);
    writer.write_record(record)?;
    writer.flush()
}

/// The lines of one sitemap, kept until it has been read: a sitemap that breaks off may then be read again without a page
/// being put out twice. What is more than a MiB lies in a temporary file.
#[derive(Debug)]
pub(super) struct Spool {
    file: SpooledTempFile,
    pages: u64,
    hasher: DefaultHasher,
    /// What stands in the output already, and the number of bytes here that it takes, once they are known to be the same.
    earlier: Given,
    repeated: u64,
}

impl Spool {
    const IN_MEMORY: usize = 1 << 20;

    pub(super) fn new(earlier: Given) -> Self {
        Self {
            file: SpooledTempFile::new(Self::IN_MEMORY),
            pages: 0,
            hasher: DefaultHasher::new(),
            earlier,
            repeated: 0,
        }
    }

    /// Returns how many pages turn out to stand in the output already.
    pub(super) fn push(&mut self, line: &[u8]) -> io::Result<u64> {
        self.file.write_all(line)?;
        self.hasher.write(line);
        self.pages += 1;
        let found = Given {
            pages: self.pages,
            hash: self.hasher.finish(),
        };
        if found == self.earlier {
            self.repeated = self.file.stream_position()?;
            return Ok(self.pages);
        }
        Ok(0)
    }

    /// Forgets what was read. Returns the number of pages that count no more.
    pub(super) fn clear(&mut self) -> u64 {
        let lost = self.new_pages();
        *self = Self::new(self.earlier);
        lost
    }

    /// Without those that stand in the output already.
    pub(super) fn new_pages(&self) -> u64 {
        match self.repeated {
            0 => self.pages,
            _ => self.pages - self.earlier.pages,
        }
    }

    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// What stands in the output when this has been written.
    pub(super) fn given(&self) -> Given {
        match self.pages {
            0 => self.earlier,
            pages => Given {
                pages,
                hash: self.hasher.finish(),
            },
        }
    }

    pub(super) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.repeated))?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = self.file.read(&mut buffer)?;
            match buffer.get(..count) {
                Some([]) | None => return Ok(()),
                Some(bytes) => out.write_all(bytes)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(spool: &mut Spool) -> String {
        let mut text = Vec::new();
        spool.write_to(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_was_put_out_is_not_put_out_again() {
        let mut first = Spool::new(Given::default());
        first.push(b"a\n").unwrap();
        first.push(b"b\n").unwrap();
        assert_eq!(written(&mut first), "a\nb\n");
        let mut second = Spool::new(first.given());
        assert_eq!(second.push(b"a\n").unwrap(), 0);
        assert_eq!(second.push(b"b\n").unwrap(), 2);
        second.push(b"c\n").unwrap();
        assert_eq!(written(&mut second), "c\n");
        assert_eq!((second.new_pages(), second.given().pages), (1, 3));
        assert_eq!(second.clear(), 1);
        assert_eq!(second.push(b"a\n").unwrap(), 0);
        assert_eq!(second.push(b"b\n").unwrap(), 2);
        assert_eq!((written(&mut second).as_str(), second.new_pages()), ("", 0));
        let mut changed = Spool::new(first.given());
        for line in ["b\n", "a\n", "c\n"] {
            assert_eq!(changed.push(line.as_bytes()).unwrap(), 0);
        }
        assert_eq!(written(&mut changed), "b\na\nc\n");
    }
}
