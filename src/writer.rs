//! Writing one file: [`UrlsetWriter`], [`IndexWriter`], [`TextWriter`], and the options that they share.

mod document;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use url::Url;

use self::document::{Document, Needs};
use crate::entry::{SitemapEntry, UrlEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::extension::Extension;
use crate::limits::Limits;
use crate::location::Location;
use crate::value::url::check_url;
use crate::violation::{Rule, Violation};
use crate::vocabulary::{self, Known};

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
    pub const ALTERNATE: Self = Self::known(&vocabulary::ALTERNATE);
    /// Images: `image`.
    pub const IMAGE: Self = Self::known(&vocabulary::IMAGE);
    /// News: `news`.
    pub const NEWS: Self = Self::known(&vocabulary::NEWS);
    /// Videos: `video`.
    pub const VIDEO: Self = Self::known(&vocabulary::VIDEO);

    const fn known(known: &Known) -> Self {
        Self {
            prefix: Cow::Borrowed(known.prefix),
            uri: Cow::Borrowed(known.uri),
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

/// How writers write: indentation, style sheet, namespaces, limits, location.
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
#[derive(Debug, Clone)]
#[must_use]
pub struct WriterBuilder {
    indent: usize,
    stylesheet: Option<String>,
    namespaces: Vec<Namespace>,
    pub(crate) limits: Limits,
    location: Location,
    text_parts: bool,
    /// To be declared as well, where their prefixes are free.
    wanted: Vec<Namespace>,
}

impl Default for WriterBuilder {
    fn default() -> Self {
        Self {
            indent: 0,
            stylesheet: None,
            namespaces: Vec::new(),
            limits: Limits::default(),
            location: Location::new(),
            text_parts: false,
            wanted: Vec::new(),
        }
    }
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

    /// Declares the namespaces of all extensions that this crate knows: those of alternates, images, news and videos.
    /// 221 bytes a file, where without them each entry that has an extension which the first one lacks takes some 50
    /// more.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::Image;
    /// use quick_sitemap::{UrlEntry, WriterBuilder};
    ///
    /// let image = Image::new("https://example.com/kettle.jpg".parse().unwrap());
    /// let mut writer = WriterBuilder::new().declare_all().urlset(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// writer.write(&UrlEntry::try_from("https://example.com/kettle")?.with_image(image))?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<image:image><image:loc>https://example.com/kettle.jpg</image:loc></image:image>"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn declare_all(self) -> Self {
        self.declare([
            Namespace::ALTERNATE,
            Namespace::IMAGE,
            Namespace::NEWS,
            Namespace::VIDEO,
        ])
    }

    /// Entries and bytes a file may hold; larger numbers than the protocol's count as those.
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The parts of a [`SplitWriter`](crate::SplitWriter) are text sitemaps: of each entry only the loc is written (but
    /// the newest `lastmod` still gets into the index). Of the other settings only the limits and the location count
    /// for them. Nothing else is changed by this.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-text-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry, WriterBuilder};
    ///
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::with(WriterBuilder::new().text_parts(), directory);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// assert_eq!(std::fs::read(public.join("sitemap-1.txt")).unwrap(), b"https://example.com/a\n");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn text_parts(mut self) -> Self {
        self.text_parts = true;
        self
    }

    pub(crate) const fn has_text_parts(&self) -> bool {
        self.text_parts
    }

    /// The URL at which the sitemap will be found. A page that a sitemap at that place may not list is refused
    /// ([`OutsideLocation`](Rule::OutsideLocation): another host, scheme, port or directory), as is one whose URL has
    /// a user or a password in it. By default there is none, and nothing is asked; a [`Directory`](crate::Directory)
    /// sets it to its own URL.
    ///
    /// The source of the rule is the protocol's
    /// [Sitemap file location](https://www.sitemaps.org/protocol.html#location).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Rule, UrlEntry, WriterBuilder};
    ///
    /// let shop = "https://example.com/shop/sitemap.xml".parse().unwrap();
    /// let settings = WriterBuilder::new().location(shop);
    /// let home = UrlEntry::try_from("https://example.com/")?;
    /// let error = settings.urlset(Vec::new()).write(&home).unwrap_err();
    /// assert_eq!(error.violation().unwrap().rule(), Rule::OutsideLocation);
    /// settings.any_directory().urlset(Vec::new()).write(&home)?;
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn location(mut self, location: Url) -> Self {
        self.location.set_url(location);
        self
    }

    /// Lets pages of another host be written too, of any scheme, port and directory: its robots.txt names this
    /// sitemap ([cross submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits)). `host` is a name in
    /// any case and script, or an IP address (IPv6 in brackets), without a port. May be called for several hosts;
    /// without a [`location`](Self::location) it does nothing.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.location.allow_host(host.into());
        self
    }

    /// Lets pages above and beside the sitemap's own directory be written: search engines do not insist on the
    /// directory where robots.txt names the sitemap. Without a [`location`](Self::location) it does nothing.
    pub fn any_directory(mut self) -> Self {
        self.location.allow_any_directory();
        self
    }

    /// Has the namespaces of these entries declared, too.
    pub(crate) fn want(&mut self, seen: &Seen) {
        self.wanted.clone_from(&seen.namespaces);
    }

    /// Sets the location, unless there is one already.
    pub(crate) fn location_or(&mut self, location: impl FnOnce() -> Url) {
        if !self.location.is_known() {
            self.location.set_url(location());
        }
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
        /// and `finish` gives a valid file. After an I/O error every later call fails with the same.
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

            /// Entries that have been written.
            pub const fn entries(&self) -> u64 {
                self.0.entries
            }

            /// Bytes that the file would have if it were finished now: what [`limits`](WriterBuilder::limits) are
            /// compared with. 0 before the first entry.
            pub fn bytes(&self) -> u64 {
                self.0.bytes()
            }

            /// The output. What is collected has not got there yet.
            pub const fn get_ref(&self) -> &W {
                self.0.get_ref()
            }

            /// The output, for what does not disturb the file: to take the bytes that are there so far out of a `Vec`,
            /// say. What is collected has not got there yet.
            pub const fn get_mut(&mut self) -> &mut W {
                self.0.get_mut()
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
        let needs = Needs { page: Some(entry), loc: Some(&entry.loc), foreign: &entry.foreign };
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
        let needs = Needs { page: None, loc: None, foreign: &entry.foreign };
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
        let needs = Needs { page: None, loc: Some(&entry.loc), foreign: &[] };
        document.write(needs, 0, |xml| {
            xml.line(check_url(&entry.loc)?);
            Ok(())
        })
    }
}

/// What entries wanted declared on the root, for files that come after theirs.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Whether each has been seen, in the order of `Extension::ALL`.
    extensions: [bool; Extension::ALL.len()],
    namespaces: Vec<Namespace>,
}

/// Namespaces of other vocabularies that are remembered.
const MOST_FOREIGN: usize = 16;

impl Seen {
    pub(crate) fn note(&mut self, entry: &UrlEntry) {
        for (extension, seen) in Extension::ALL.into_iter().zip(&mut self.extensions) {
            if !*seen && entry.has(extension) {
                *seen = true;
                self.namespaces.push(Namespace::known(extension.known()));
            }
        }
        for element in &entry.foreign {
            let is_it =
                |seen: &Namespace| seen.prefix == element.prefix && *seen.uri == *element.namespace;
            if self.namespaces.len() < Extension::ALL.len() + MOST_FOREIGN
                && !self.namespaces.iter().any(is_it)
            {
                self.namespaces
                    .push((&*element.prefix, &*element.namespace).into());
            }
        }
    }
}

/// Where the pages of a file must lie.
#[derive(Debug)]
struct Place(Location);

impl Place {
    fn new(location: &Location) -> Option<Self> {
        location.is_known().then(|| Self(location.clone()))
    }

    fn check(&self, loc: &Url) -> Result<(), Violation> {
        if self.0.holds(loc) {
            return Ok(());
        }
        let verdict = if !loc.username().is_empty() || loc.password().is_some() {
            Some("a user or a password")
        } else {
            self.0.verdict(loc)
        };
        verdict.map_or(Ok(()), |verdict| {
            Err(Violation::with_detail(
                Rule::OutsideLocation,
                loc.as_str(),
                verdict,
            ))
        })
    }
}

/// What stopped a writer, for all later calls to say again.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    kind: io::ErrorKind,
    message: String,
}

impl Failure {
    pub(crate) fn of(error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Io(error) => Self::of_io(error),
            _ => Self {
                kind: io::ErrorKind::Other,
                message: error.to_string(),
            },
        }
    }

    fn of_io(error: &io::Error) -> Self {
        Self {
            kind: error.kind(),
            message: error.to_string(),
        }
    }

    /// Stands while something is called that may panic.
    pub(crate) fn panic() -> Self {
        Self {
            kind: io::ErrorKind::Other,
            message: "the output panicked".to_owned(),
        }
    }

    pub(crate) fn again(&self) -> Error {
        io::Error::new(self.kind, self.message.clone()).into()
    }
}
