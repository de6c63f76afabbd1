//! Entries as comma- or tab-separated values.

use std::io::{self, Write};

use quick_sitemap::Entry;

const COLUMNS: [&str; 5] = ["kind", "loc", "lastmod", "changefreq", "priority"];

pub(crate) struct Values {
    writer: csv::Writer<Box<dyn Write + Send>>,
    has_head: bool,
}

impl Values {
    pub(crate) fn new(delimiter: u8, out: Box<dyn Write + Send>) -> Self {
        Self {
            writer: csv::WriterBuilder::new()
                .delimiter(delimiter)
                .from_writer(out),
            has_head: false,
        }
    }

    pub(crate) fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.head()?;
        let page = entry.as_url();
        let kind = match entry {
            Entry::Url(_) => "url",
            Entry::Sitemap(_) => "sitemap",
        };
        let lastmod = entry.lastmod().map(|date| date.to_string());
        let changefreq = page.and_then(|page| page.changefreq);
        let priority = page
            .and_then(|page| page.priority)
            .map(|priority| priority.to_string());
        self.record([
            kind,
            entry.loc().as_str(),
            lastmod.as_deref().unwrap_or_default(),
            changefreq.map_or("", |changefreq| changefreq.as_str()),
            priority.as_deref().unwrap_or_default(),
        ])
    }

    /// Where there is no entry there is a head all the same.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.head()?;
        self.writer.flush()
    }

    fn head(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.has_head, true) {
            true => Ok(()),
            false => self.record(COLUMNS),
        }
    }

    fn record(&mut self, fields: [&str; 5]) -> io::Result<()> {
        let written = self.writer.write_record(fields);
        written.map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }
}
