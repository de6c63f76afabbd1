mod document;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use self::document::{Document, Needs};
use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::Result;
use crate::limits::Limits;
use crate::xml::writer::check_url;

/// A namespace for a writer to declare on the root element.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Namespace, WriterBuilder};
///
/// let geo = Namespace::from(("geo", "http://www.google.com/geo/schemas/sitemap/1.0"));
/// let writer = WriterBuilder::new().declare([Namespace::IMAGE, geo]).urlset(Vec::new());
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert!(xml.contains(r#" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1""#));
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Namespace {
    prefix: Cow<'static, str>,
    uri: Cow<'static, str>,
}

impl Namespace {
    /// Alternates: `xhtml`.
    pub const ALTERNATE: Self = Self::fixed("xhtml", "http://www.w3.org/1999/xhtml");
    /// Images: `image`.
    pub const IMAGE: Self = Self::fixed("image", "http://www.google.com/schemas/sitemap-image/1.1");
    /// News: `news`.
    pub const NEWS: Self = Self::fixed("news", "http://www.google.com/schemas/sitemap-news/0.9");
    /// Videos: `video`.
    pub const VIDEO: Self = Self::fixed("video", "http://www.google.com/schemas/sitemap-video/1.1");

    const fn fixed(prefix: &'static str, uri: &'static str) -> Self {
        Self {
            prefix: Cow::Borrowed(prefix),
            uri: Cow::Borrowed(uri),
        }
    }
}

/// Prefix and URI.
impl<P: Into<String>, U: Into<String>> From<(P, U)> for Namespace {
    fn from((prefix, uri): (P, U)) -> Self {
        Self {
            prefix: Cow::Owned(prefix.into()),
            uri: Cow::Owned(uri.into()),
        }
    }
}

/// Spaces that a level may be indented by: foreign elements can be many levels deep.
const MAX_INDENT: usize = 16;

/// How writers write: indentation, style sheet, namespaces, limits.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{UrlEntry, WriterBuilder};
///
/// let mut writer = WriterBuilder::new().indent(2).stylesheet("/sitemap.xsl").urlset(Vec::new());
/// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url>
///     <loc>https://example.com/</loc>
///   </url>
/// </urlset>
/// "#);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct WriterBuilder {
    indent: usize,
    stylesheet: Option<String>,
    namespaces: Vec<Namespace>,
    limits: Limits,
}

impl WriterBuilder {
    /// One entry a line, no style sheet, the protocol's limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Spaces a level is indented by, 16 at most; 0, the default, writes one entry a line. Text is never indented.
    pub const fn indent(mut self, spaces: usize) -> Self {
        self.indent = if spaces < MAX_INDENT {
            spaces
        } else {
            MAX_INDENT
        };
        self
    }

    /// An XSLT style sheet that browsers show the file with (`<?xml-stylesheet type="text/xsl" …?>`).
    pub fn stylesheet(mut self, href: impl Into<String>) -> Self {
        self.stylesheet = Some(href.into());
        self
    }

    /// Namespaces to declare on the root, besides those that the first entry needs. An entry that needs
    /// another declares it by itself, again and again: with extensions that only some entries have, the
    /// file gets smaller by declaring them here.
    pub fn declare<N: Into<Namespace>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces
            .extend(namespaces.into_iter().map(Into::into));
        self
    }

    /// Entries and bytes a file may hold; larger numbers than the protocol's count as those.
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the style sheet, unless there is one already.
    pub(crate) fn stylesheet_or(&mut self, href: Option<&str>) {
        if self.stylesheet.is_none() {
            self.stylesheet = href.map(ToOwned::to_owned);
        }
    }

    /// What of these settings fits the index of files that are written with them.
    pub(crate) fn for_index(&self, stylesheet: Option<&str>) -> Self {
        Self {
            indent: self.indent,
            stylesheet: stylesheet.map(ToOwned::to_owned),
            ..Self::default()
        }
    }

    /// A writer of pages.
    pub fn urlset<W: Write>(&self, output: W) -> UrlsetWriter<W> {
        UrlsetWriter(Document::new(self, Some("urlset"), output))
    }

    /// A writer of an index.
    pub fn index<W: Write>(&self, output: W) -> IndexWriter<W> {
        IndexWriter(Document::new(self, Some("sitemapindex"), output))
    }

    /// A writer of a text sitemap: of the settings only the limits count.
    pub fn text<W: Write>(&self, output: W) -> TextWriter<W> {
        TextWriter(Document::new(self, None, output))
    }
}

macro_rules! writer {
    ($(#[$doc:meta])* $writer:ident, $method:ident, $entry:ty, $encode:expr) => {
        $(#[$doc])*
        ///
        /// # Whole or not at all
        ///
        /// Every entry is encoded in memory and checked, then written. One that breaks a rule is refused with an
        /// [`ErrorKind::Violation`](crate::ErrorKind::Violation); nothing of it is written, the writer goes on,
        /// and `finish` gives a valid file. After an I/O error every later call fails.
        ///
        /// Output is collected in pieces of about 32 KiB. Only [`finish`](Self::finish) completes the file:
        /// a writer that is dropped leaves it cut, and that is how it looks to a reader.
        #[must_use = "an unfinished sitemap is cut off"]
        pub struct $writer<W: Write>(Document<W>);

        impl<W: Write> $writer<W> {
            /// A writer with the settings of [`WriterBuilder::new`]. Nothing is written yet.
            pub fn new(output: W) -> Self {
                WriterBuilder::new().$method(output)
            }

            /// Writes one entry.
            ///
            /// # Errors
            ///
            /// The first rule that the entry breaks, by itself or by coming too late:
            /// [`TooManyEntries`](crate::Rule::TooManyEntries) for entry 50,001, [`TooManyBytes`](crate::Rule::TooManyBytes)
            /// where the finished file would be larger than 52,428,800 bytes (or smaller limits of your own).
            /// A smaller entry may still fit then. An I/O error is fatal.
            pub fn write(&mut self, entry: &$entry) -> Result<()> {
                let write: fn(&mut Document<W>, &$entry) -> Result<()> = $encode;
                write(&mut self.0, entry)
            }

            /// Writes what is left and the end of the file, flushes the output and hands it back.
            ///
            /// # Errors
            ///
            /// I/O errors, also when there has been one before; a style sheet or namespaces that XML cannot hold;
            /// [`TooManyBytes`](crate::Rule::TooManyBytes) where the limit leaves no room even for an empty file.
            pub fn finish(self) -> Result<W> {
                self.0.finish()
            }
        }

        impl<W: Write> fmt::Debug for $writer<W> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.debug(f, stringify!($writer))
            }
        }
    };
}

writer! {
    /// Writes pages as a `<urlset>`.
    ///
    /// Every file that is written is accepted by the protocol's schema
    /// ([`sitemap.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd)) and those of the extensions, but for
    /// what the protocol allows and they do not:
    ///
    /// * an empty urlset;
    /// * a loc of fewer than 12 characters, such as `http://a.b/` (the schema has a `minLength`);
    /// * dates of year, month or minute precision (it has `xsd:date` and `xsd:dateTime`);
    /// * elements in [`UrlEntry::foreign`]: its wildcard is strict, so a validator must be given a schema of theirs too.
    ///
    /// What is written reads back equal, up to the 4 MiB that a reader lets an entry's foreign elements take.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ErrorKind, Rule, UrlEntry, UrlsetWriter};
    ///
    /// let mut writer = UrlsetWriter::new(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?a=1&b=2")?)?;
    ///
    /// let mut wrong = UrlEntry::try_from("https://example.com/")?;
    /// wrong.loc = "ftp://example.com/".parse().unwrap();
    /// let error = writer.write(&wrong).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::UnsupportedScheme));
    ///
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
    /// </urlset>
    /// "#);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    UrlsetWriter, urlset, UrlEntry, |document, entry| {
        let needs = Needs { page: Some(entry), foreign: &entry.foreign };
        document.write(needs, u64::from(entry.news.is_some()), |xml| entry.encode(xml))
    }
}

writer! {
    /// Writes an index: the sitemaps of a site, as a `<sitemapindex>`.
    ///
    /// Every file that is written is accepted by the protocol's schema
    /// ([`siteindex.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd)), but for what the protocol allows
    /// and it does not: an empty index, a loc of fewer than 12 characters, dates of year, month or minute precision, and
    /// [`SitemapEntry::foreign`], which it has no place for.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{IndexWriter, SitemapEntry};
    ///
    /// let mut writer = IndexWriter::new(Vec::new());
    /// writer.write(&SitemapEntry::try_from("https://example.com/sitemap-1.xml")?)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>\n"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    IndexWriter, index, SitemapEntry, |document, entry| {
        let needs = Needs { page: None, foreign: &entry.foreign };
        document.write(needs, 0, |xml| entry.encode(xml))
    }
}

writer! {
    /// Writes a text sitemap: one URL a line, in UTF-8. Only the loc of an entry is written.
    ///
    /// A text sitemap without entries is an empty file, which no reader can tell for a sitemap.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{TextWriter, UrlEntry};
    ///
    /// let mut writer = TextWriter::new(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?a=1&b=2")?)?;
    /// assert_eq!(writer.finish()?, b"https://example.com/?a=1&b=2\n");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    TextWriter, text, UrlEntry, |document, entry| {
        let needs = Needs { page: None, foreign: &[] };
        document.write(needs, 0, |xml| {
            xml.line(check_url(&entry.loc)?);
            Ok(())
        })
    }
}
