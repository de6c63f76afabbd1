//! Writing one file: [`UrlsetWriter`], [`IndexWriter`], [`TextWriter`], and the options that they share.

mod document;
mod file;
#[cfg(feature = "stream")]
mod stream;

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
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::{self, Known};

pub use self::file::NewFile;
#[cfg(feature = "stream")]
pub use self::stream::SitemapStream;

/// A namespace that a writer declares on the root element.
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
    /// The namespace of alternates, with the prefix `xhtml`.
    pub const ALTERNATE: Self = Self::known(&vocabulary::ALTERNATE);
    /// The namespace of images, with the prefix `image`.
    pub const IMAGE: Self = Self::known(&vocabulary::IMAGE);
    /// The namespace of news, with the prefix `news`.
    pub const NEWS: Self = Self::known(&vocabulary::NEWS);
    /// The namespace of videos, with the prefix `video`.
    pub const VIDEO: Self = Self::known(&vocabulary::VIDEO);

    const fn known(known: &Known) -> Self {
        Self {
            prefix: Cow::Borrowed(known.prefix),
            uri: Cow::Borrowed(known.uri),
        }
    }
}

/// Creates a namespace from its prefix and its URI.
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

/// Options for writers: indentation, style sheet, namespaces, limits and location.
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
    /// Of a set: whether its only part is to be the sitemap itself.
    single: bool,
    escape: bool,
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
            single: false,
            escape: false,
            wanted: Vec::new(),
        }
    }
}

impl WriterBuilder {
    /// Creates the default options: one entry per line, no style sheet, the limits of the protocol.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of spaces per level of indentation, at most 16. The default is 0, which writes one entry per
    /// line. Text is never indented.
    pub const fn indent(mut self, spaces: usize) -> Self {
        self.indent = if spaces < MAX_INDENT {
            spaces
        } else {
            MAX_INDENT
        };
        self
    }

    /// Sets an XSLT style sheet with which browsers show the file (`<?xml-stylesheet type="text/xsl" …?>`).
    pub fn stylesheet(mut self, href: impl Into<String>) -> Self {
        self.stylesheet = Some(href.into());
        self
    }

    /// Adds namespaces to declare on the root, in addition to those that the first entry needs. An entry that needs
    /// another namespace declares it itself, each time. So if only some entries have extensions, declaring them here
    /// makes the file smaller.
    pub fn declare<N: Into<Namespace>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces
            .extend(namespaces.into_iter().map(Into::into));
        self
    }

    /// Declares the namespaces of all extensions that this crate knows: alternates, images, news and videos. This adds
    /// 221 bytes per file. Without it, each entry with an extension that the first entry lacks needs some 50 bytes
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

    /// Sets the limits for entries and bytes per file. Values above the limits of the protocol are treated as those.
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes the parts of a [`SplitWriter`](crate::SplitWriter) text sitemaps. Only the loc of each entry is written,
    /// and the index contains the newest `lastmod` of each part. Only the limits and the location apply to text
    /// parts; other settings have no effect on them. This setting changes nothing else.
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

    pub(crate) const fn set_single(&mut self, single: bool) {
        self.single = single;
    }

    pub(crate) const fn is_single(&self) -> bool {
        self.single
    }

    pub(crate) const fn has_text_parts(&self) -> bool {
        self.text_parts
    }

    /// Sets the URL at which the sitemap will be found. A page that a sitemap at that place may not list is rejected
    /// ([`OutsideLocation`](Rule::OutsideLocation): another host, scheme, port or directory), and so is a page whose
    /// URL contains a user or a password. By default there is no location, and this is not checked. A
    /// [`Directory`](crate::Directory) sets the location to its own URL.
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

    /// Also allows pages of another host, with any scheme, port and directory. Use this if the robots.txt of that host
    /// lists this sitemap ([cross submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits)). `host` is a
    /// name in any case and script, or an IP address (IPv6 in brackets), without a port. The method can be called for
    /// several hosts. It has no effect without a [`location`](Self::location).
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.location.allow_host(host.into());
        self
    }

    /// Also allows pages outside the directory of the sitemap. Use this if robots.txt lists the sitemap, because search
    /// engines then ignore the directory. It has no effect without a [`location`](Self::location).
    pub fn any_directory(mut self) -> Self {
        self.location.allow_any_directory();
        self
    }

    /// Sets whether URLs are percent-encoded where they have to be, as by [`UrlEntry::escaped`]. The default is `false`:
    /// such an entry is rejected ([`UrlNotEscaped`](Rule::UrlNotEscaped)), because the encoded URL is another URL. Nearly
    /// every server treats both as the same, but not all must.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().escape(true).urlset(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?filter[color]=100%")?)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<loc>https://example.com/?filter%5Bcolor%5D=100%25</loc>"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn escape(mut self, escape: bool) -> Self {
        self.escape = escape;
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
            escape: self.escape,
            ..Self::default()
        }
    }

    /// Creates a writer of pages.
    pub fn urlset<W: Write>(&self, output: W) -> UrlsetWriter<W> {
        UrlsetWriter(Document::new(self, Some("urlset"), output))
    }

    /// Creates a writer of an index.
    pub fn index<W: Write>(&self, output: W) -> IndexWriter<W> {
        IndexWriter(Document::new(self, Some("sitemapindex"), output))
    }

    /// Creates a writer of a text sitemap. Only the limits and the location apply; other settings have no effect.
    pub fn text<W: Write>(&self, output: W) -> TextWriter<W> {
        TextWriter(Document::new(self, None, output))
    }
}

macro_rules! writer {
    ($(#[$doc:meta])* $writer:ident, $method:ident, $entry:ty, $encode:expr) => {
        $(#[$doc])*
        ///
        /// # All or nothing
        ///
        /// Every entry is encoded in memory and checked, then written. An entry that breaks a rule is rejected with an
        /// [`ErrorKind::Violation`](crate::ErrorKind::Violation): no part of it is written, you can go on writing, and
        /// `finish` produces a valid file. The message names the call that helps, if there is one; all of them are on the
        /// page [Rejected entries](crate::guide::refused). After an I/O error, every later call returns the same error.
        ///
        /// Output is written in pieces of about 32 KiB. Only [`finish`](Self::finish) completes the file. If the writer
        /// is dropped before that, the file is incomplete. Readers report an incomplete XML file as truncated; an
        /// incomplete text file is not recognized as such.
        #[must_use = "a sitemap is incomplete until `finish` is called"]
        pub struct $writer<W: Write>(Document<W>);

        impl<W: Write> $writer<W> {
            /// Creates a writer with the settings of [`WriterBuilder::new`]. Nothing is written yet.
            pub fn new(output: W) -> Self {
                WriterBuilder::new().$method(output)
            }

            /// Writes one entry.
            ///
            /// # Errors
            ///
            /// Returns the first violation, whether of the entry itself or of a limit of the file:
            /// [`TooManyEntries`](crate::Rule::TooManyEntries) for entry 50,001,
            /// [`TooManyBytes`](crate::Rule::TooManyBytes) if the finished file would be larger than 52,428,800 bytes
            /// (or than your own limits). In the latter case, a smaller entry can still fit. An I/O error is fatal.
            pub fn write(&mut self, entry: &$entry) -> Result<()> {
                let write: fn(&mut Document<W>, &$entry) -> Result<()> = $encode;
                let written = write(&mut self.0, entry);
                if self.0.must_escape(&written) {
                    return write(&mut self.0, &entry.clone().escaped());
                }
                written
            }

            /// Returns the number of entries that have been written.
            pub const fn entries(&self) -> u64 {
                self.0.entries
            }

            /// Returns the number of bytes that the file would have if it were finished now, to which
            /// [`limits`](WriterBuilder::limits) apply. The value is 0 before the first entry.
            pub fn bytes(&self) -> u64 {
                self.0.bytes()
            }

            /// Returns a reference to the output. Buffered data is not included.
            pub const fn get_ref(&self) -> &W {
                self.0.get_ref()
            }

            /// Returns a mutable reference to the output. Do not write to it; use it, for example, to take finished
            /// bytes out of a `Vec`. Buffered data is not included.
            pub const fn get_mut(&mut self) -> &mut W {
                self.0.get_mut()
            }

            /// Writes the remaining data and the end of the file, flushes the output and returns it.
            ///
            /// # Errors
            ///
            /// An I/O error, even if it occurred in an earlier call. A violation if XML cannot represent the style
            /// sheet or a namespace. [`TooManyBytes`](crate::Rule::TooManyBytes) if the limit is too small even for an
            /// empty file.
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
    /// Every file that is written is valid against the schema of the protocol
    /// ([`sitemap.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd)) and those of the extensions, except
    /// for four things that the protocol allows and the schemas do not:
    ///
    /// * an empty urlset;
    /// * a loc of fewer than 12 characters, such as `http://a.b/` (the schema has a `minLength`);
    /// * dates of year, month or minute precision (the schema has `xsd:date` and `xsd:dateTime`);
    /// * elements in [`UrlEntry::foreign`]: the wildcard of the schema is strict, so a validator needs a schema of
    ///   their namespace too.
    ///
    /// A reader returns exactly the entries that were written, except foreign elements beyond the reader's limit of 4
    /// MiB per entry.
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
    /// Every file that is written is valid against the schema of the protocol
    /// ([`siteindex.xsd`](https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd)), except for four things that the
    /// protocol allows and the schema does not: an empty index, a loc of fewer than 12 characters, dates of year, month
    /// or minute precision, and elements in [`SitemapEntry::foreign`].
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
    /// Writes a text sitemap: one URL per line, in UTF-8. Only the loc of an entry is written.
    ///
    /// A text sitemap without entries is an empty file, which a reader cannot recognize as a sitemap.
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
        if !loc.username().is_empty() || loc.password().is_some() {
            // The message must not show the password.
            let mut shown = loc.clone();
            let _ = shown
                .set_username("")
                .and_then(|()| shown.set_password(None));
            return Err(outside(&shown, case::USER));
        }
        match self.0.verdict(loc) {
            Some(verdict) => Err(outside(loc, verdict)),
            None => Ok(()),
        }
    }
}

fn outside(loc: &Url, verdict: &'static str) -> Violation {
    Violation::with_detail(Rule::OutsideLocation, loc.as_str(), verdict)
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
