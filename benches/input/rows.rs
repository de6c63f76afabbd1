//! Pages as a database holds them, and from there to bytes.

use std::io::Write;

use quick_sitemap::{Result, UrlEntry, UrlsetWriter};

/// A page whose values are all text.
pub(crate) struct Row {
    pub(crate) loc: String,
    pub(crate) lastmod: String,
    pub(crate) changefreq: String,
    pub(crate) priority: String,
}

impl Row {
    pub(crate) fn of(entry: &UrlEntry) -> Self {
        Self {
            loc: entry.loc.to_string(),
            lastmod: entry.lastmod.expect("generated").to_string(),
            changefreq: entry.changefreq.expect("generated").to_string(),
            priority: entry.priority.expect("generated").to_string(),
        }
    }
}

/// Every text made a value, and every entry checked and written.
pub(crate) fn write_rows<W: Write>(rows: &[Row], mut writer: UrlsetWriter<W>) -> Result<W> {
    for row in rows {
        let mut entry = UrlEntry::try_from(&*row.loc)?;
        entry.lastmod = Some(row.lastmod.parse()?);
        entry.changefreq = Some(row.changefreq.parse()?);
        entry.priority = Some(row.priority.parse()?);
        writer.write(&entry)?;
    }
    writer.finish()
}
