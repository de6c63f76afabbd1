//! Pages as lines.

use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};

use clap::ValueEnum;
use quick_sitemap::Entry;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::given::Given;
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
            Self::Csv => csv(page, source, line),
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

fn csv(page: &Entry, source: Option<&str>, line: &mut Vec<u8>) -> io::Result<()> {
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
    let mut writer = csv::WriterBuilder::new().from_writer(line);
    writer.write_record(record)?;
    writer.flush()
}

/// The lines of one sitemap, kept until it has been read: a sitemap that breaks off may then be read again without a page
/// being put out twice. What is more than a MiB lies in a temporary file.
#[derive(Debug)]
pub(super) struct Spool {
    file: SpooledTempFile,
    /// Bytes of whole lines; behind them there may be a piece of one, if the disk is full.
    bytes: u64,
    pages: u64,
    hasher: DefaultHasher,
    earlier: Given,
    beginning: Beginning,
}

/// What the first lines are, of a sitemap that has been read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    /// There are not yet as many as stand in the output.
    Undecided,
    /// They stand in the output, and take so many bytes here.
    Known(u64),
    /// They are others.
    New,
}

impl Spool {
    const IN_MEMORY: usize = 1 << 20;

    pub(super) fn new(earlier: Given) -> Self {
        Self {
            file: SpooledTempFile::new(Self::IN_MEMORY),
            bytes: 0,
            pages: 0,
            hasher: DefaultHasher::new(),
            earlier,
            beginning: match earlier.pages {
                0 => Beginning::New,
                _ => Beginning::Undecided,
            },
        }
    }

    /// Whether the next line is certainly a new one.
    pub(super) fn expects_new(&self) -> bool {
        self.beginning != Beginning::Undecided
    }

    /// Returns how many lines before this one, and this one, turn out to be new that were not expected to.
    pub(super) fn push(&mut self, line: &[u8]) -> io::Result<u64> {
        self.file.write_all(line)?;
        self.bytes += line.len() as u64;
        self.hasher.write(line);
        self.pages += 1;
        if self.beginning != Beginning::Undecided || self.pages < self.earlier.pages {
            return Ok(0);
        }
        if self.hasher.finish() == self.earlier.hash {
            self.beginning = Beginning::Known(self.bytes);
            return Ok(0);
        }
        Ok(self.decide())
    }

    /// There are no more lines: if they are fewer than before, they are others. Returns as `push`.
    pub(super) fn decide(&mut self) -> u64 {
        if self.beginning != Beginning::Undecided {
            return 0;
        }
        self.beginning = Beginning::New;
        self.pages
    }

    /// Forgets what was read. Returns the number of pages that count no more.
    pub(super) fn clear(&mut self) -> u64 {
        let lost = self.new_pages();
        *self = Self::new(self.earlier);
        lost
    }

    /// Those that do not stand in the output, or not for certain.
    pub(super) fn new_pages(&self) -> u64 {
        match self.beginning {
            Beginning::Undecided => 0,
            Beginning::Known(_) => self.pages - self.earlier.pages,
            Beginning::New => self.pages,
        }
    }

    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// What stands in the output when this has been written.
    pub(super) fn given(&self) -> Given {
        match self.beginning {
            Beginning::New if self.pages == 0 => self.earlier,
            Beginning::Undecided => self.earlier,
            Beginning::New | Beginning::Known(_) => Given {
                pages: self.pages,
                hash: self.hasher.finish(),
            },
        }
    }

    pub(super) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let begin = match self.beginning {
            Beginning::Undecided => return Ok(()),
            Beginning::Known(bytes) => bytes,
            Beginning::New => 0,
        };
        self.file.seek(SeekFrom::Start(begin))?;
        let mut lines = (&mut self.file).take(self.bytes.saturating_sub(begin));
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = lines.read(&mut buffer)?;
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

    fn spool(earlier: Given, lines: &[&str]) -> (Spool, u64) {
        let mut spool = Spool::new(earlier);
        let unexpected = lines
            .iter()
            .map(|line| spool.push(line.as_bytes()).unwrap())
            .sum();
        (spool, unexpected)
    }

    fn written(spool: &mut Spool) -> String {
        let mut text = Vec::new();
        spool.write_to(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_was_put_out_is_not_put_out_again() {
        let (mut first, _) = spool(Given::default(), &["a\n", "b\n"]);
        assert_eq!(written(&mut first), "a\nb\n");
        let given = first.given();
        assert_eq!((given.pages, first.new_pages()), (2, 2));

        let (mut same, unexpected) = spool(given, &["a\n", "b\n", "c\n"]);
        assert_eq!((written(&mut same).as_str(), unexpected), ("c\n", 0));
        assert_eq!((same.new_pages(), same.given().pages), (1, 3));
        assert_eq!(same.clear(), 1);
        assert_eq!((same.new_pages(), same.given()), (0, given));

        let (mut changed, unexpected) = spool(given, &["b\n", "a\n", "c\n"]);
        assert_eq!(
            (written(&mut changed).as_str(), unexpected),
            ("b\na\nc\n", 2)
        );
        assert_eq!(changed.new_pages(), 3);

        // Broken off before it can be known.
        let (mut short, unexpected) = spool(given, &["a\n"]);
        assert_eq!((written(&mut short).as_str(), unexpected), ("", 0));
        assert_eq!((short.new_pages(), short.given()), (0, given));
        // At its end it is known.
        assert_eq!(short.decide(), 1);
        assert_eq!(
            (written(&mut short).as_str(), short.new_pages()),
            ("a\n", 1)
        );
    }
}
