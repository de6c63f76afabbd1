//! The baseline of everything that writes: quick-xml's own writer, and the code of this crate for dates and priorities.
//! It writes the same bytes as `UrlsetWriter`, without checks.

use std::fmt::{Display, Write as _};

use quick_sitemap::UrlEntry;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::Row;

type Result<T> = quick_xml::Result<T>;

/// The namespaces of the generated documents with extensions.
const EXTENSIONS: [(&str, &str); 2] = [
    ("xmlns:xhtml", "http://www.w3.org/1999/xhtml"),
    (
        "xmlns:image",
        "http://www.google.com/schemas/sitemap-image/1.1",
    ),
];

struct BareWriter {
    writer: Writer<Vec<u8>>,
    /// The text of the current value, in memory that is reused.
    value: String,
}

impl BareWriter {
    fn new(room: usize, namespaces: &[(&str, &str)]) -> Result<Self> {
        let mut writer = Writer::new(Vec::with_capacity(room));
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        writer.get_mut().push(b'\n');
        let root = BytesStart::new("urlset")
            .with_attributes([("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9")])
            .with_attributes(namespaces.iter().copied());
        writer.write_event(Event::Start(root))?;
        writer.get_mut().push(b'\n');
        let value = String::new();
        Ok(Self { writer, value })
    }

    fn start(&mut self, name: &str) -> Result<()> {
        Ok(self
            .writer
            .write_event(Event::Start(BytesStart::new(name)))?)
    }

    fn end(&mut self, name: &str) -> Result<()> {
        Ok(self.writer.write_event(Event::End(BytesEnd::new(name)))?)
    }

    fn leaf(&mut self, name: &str, text: &str) -> Result<()> {
        self.start(name)?;
        self.writer.write_event(Event::Text(BytesText::new(text)))?;
        self.end(name)
    }

    fn value(&mut self, name: &str, value: impl Display) -> Result<()> {
        let mut text = std::mem::take(&mut self.value);
        text.clear();
        // Writing to a String does not fail.
        let _ = write!(text, "{value}");
        let written = self.leaf(name, &text);
        self.value = text;
        written
    }

    fn end_url(&mut self) -> Result<()> {
        self.end("url")?;
        self.writer.get_mut().push(b'\n');
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>> {
        self.end("urlset")?;
        self.writer.get_mut().push(b'\n');
        Ok(self.writer.into_inner())
    }

    fn extensions(&mut self, entry: &UrlEntry) -> Result<()> {
        for alternate in &entry.alternates {
            let link = BytesStart::new("xhtml:link").with_attributes([
                ("rel", "alternate"),
                ("hreflang", alternate.hreflang.as_str()),
                ("href", alternate.href.as_str()),
            ]);
            self.writer.write_event(Event::Empty(link))?;
        }
        for image in &entry.images {
            self.start("image:image")?;
            self.leaf("image:loc", image.loc.as_str())?;
            self.end("image:image")?;
        }
        Ok(())
    }
}

/// The elements of entries whose values are typed.
pub(crate) fn bare_write(entries: &[UrlEntry], room: usize) -> Result<Vec<u8>> {
    let extended = entries
        .first()
        .is_some_and(|entry| !entry.images.is_empty());
    let namespaces = if extended { &EXTENSIONS[..] } else { &[] };
    let mut writer = BareWriter::new(room, namespaces)?;
    for entry in entries {
        writer.start("url")?;
        writer.leaf("loc", entry.loc.as_str())?;
        if let Some(lastmod) = entry.lastmod {
            writer.value("lastmod", lastmod)?;
        }
        if let Some(changefreq) = entry.changefreq {
            writer.leaf("changefreq", changefreq.as_str())?;
        }
        if let Some(priority) = entry.priority {
            writer.value("priority", priority)?;
        }
        writer.extensions(entry)?;
        writer.end_url()?;
    }
    writer.finish()
}

/// The elements of pages whose values are text, which is written as it is.
pub(crate) fn bare_write_rows(rows: &[Row], room: usize) -> Result<Vec<u8>> {
    let mut writer = BareWriter::new(room, &[])?;
    for row in rows {
        writer.start("url")?;
        writer.leaf("loc", &row.loc)?;
        writer.leaf("lastmod", &row.lastmod)?;
        writer.leaf("changefreq", &row.changefreq)?;
        writer.leaf("priority", &row.priority)?;
        writer.end_url()?;
    }
    writer.finish()
}
